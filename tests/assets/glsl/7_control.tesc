#version 450
// chapter 7.1 Tessellation control built-ins
// refused RX0324
layout(vertices = 3) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter = float[4](1.0, 2.0, 3.0, 4.0);
        gl_TessLevelInner[0] = 2.0;
    }
}
