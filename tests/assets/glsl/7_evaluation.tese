#version 450
// chapter 7.1 Tessellation evaluation built-ins
// refused RX0324
layout(triangles, equal_spacing, ccw) in;
void main() {
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position;
}
