#version 450
// chapter 4.3.3 Constant expressions
// want 1: 7 14 4.0 7 1 8 2
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
const int a = 3; const int b = a * 2 + 1; const uint c = uint(b) << 1u; const float d = sqrt(4.0) + max(1.0, 2.0);
const ivec2 e = ivec2(b, a); const bool t = b > a && a != 2;
int g[b - a] = int[](1, 2, 3, 4);
void main() { o[0] = uint(b); o[1] = c; o[2] = floatBitsToUint(d); o[3] = uint(e.x); o[4] = uint(t); o[5] = uint(g[a] + g.length());
    switch (b) { case a: o[6] = 1u; break; case 2 * a + 1: o[6] = 2u; break; default: o[6] = 3u; } }
