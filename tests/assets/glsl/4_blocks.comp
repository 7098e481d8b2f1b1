#version 450
// chapter 4.3.9 Interface blocks
// binding 0: 1.0 2.0 3.0 4.0 5.0 0 0 0 6.0 0 0 0 7.0 8.0 9.0 0 10.0 11.0 12.0
// binding 2: 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
// want 1: 6.0 12.0 8.0 7.0 0
// want 2: 5.0 6.0 7.0 8.0 1.0 1.0 1.0 2.0 0 9.0 0 0 0 0 0 0 0 8.0 0 0 0 0 0 0 7.0 6.0 0 5
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }

struct A { vec3 p; float w; }; struct B { float x[2]; mat3 m; };
layout(std430, set = 0, binding = 2) buffer P { A items[2]; B b; vec2 q; uint tail[]; };
layout(std140, set = 0, binding = 0) uniform V { vec4 c; float t[2]; mat3 n; } block;
void main() {
    o[0] = f(block.t[1]); o[1] = f(block.n[1][2]); o[2] = f(items[1].w); items[0] = items[1]; A a = items[0]; o[3] = f(a.p.z);
    b.x[1] = 9.0; b.m[1][1] = 8.0; q = vec2(7.0, 6.0); tail[1] = 5u; o[4] = uint(tail.length()) - 38u; items[1] = A(vec3(1.0), 2.0);
}
