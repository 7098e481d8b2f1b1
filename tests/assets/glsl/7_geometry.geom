#version 450
// chapter 7.1 Geometry built-ins
// refused RX0324
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec2 uv[];
layout(location = 0) out vec2 passed;
void main() {
    for (int n = 0; n < 3; n++) {
        gl_Position = gl_in[n].gl_Position;
        gl_Layer = n;
        passed = uv[n];
        EmitVertex();
    }
    EndPrimitive();
}
