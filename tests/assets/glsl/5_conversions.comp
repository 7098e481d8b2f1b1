#version 450
// chapter 4.1.10 Implicit conversions, 5.4 Constructors
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };
// want 1: 2.0 5 3.0 6.0 8.0 51 2 2.0 9.0 5.0 11.0 22.0 11.0 20 -4 23 33 42.0 0xDAA66D2B 0x80000000 0x80000000 0xffffffff 1 2 7 5 1.0 1 1.0 12.0 11.0
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8

vec2 conv() { return ivec2(1, 2); } uint neg(uint x) { return x; } void give(out int a) { a = 3; } float fl(float x) { return x * 2; }
struct S { float a; vec2 b; vec4 c[2]; };
int modify(int a[3]) { a[1] = 50; return a[0] + a[1]; }
float mine(float a, float b) { return 42.0; }
void main() {
 o[0] = f(conv().y); o[1] = neg(i.x); float x; give(x); o[2] = f(x); o[3] = f(fl(3)); S s = S(1, vec2(2, 3), vec4[](vec4(4), vec4(5))); o[4] = f(s.c[1].x + s.b.y);
 int a[3] = int[](1, 2, 3); o[5] = uint(modify(a)); o[6] = uint(a[1]); S t[2] = S[](s, s); S u = t[1]; t[1].b.x = 9.0; o[7] = f(u.b.x); o[8] = f(t[1].b.x);
 vec2 p = vec2(1.0, 2.0); mat2 m = mat2(1.0, 2.0, 3.0, 4.0); p *= m; o[9] = f(p.x); o[10] = f(p.y); m *= m; o[11] = f(m[1][1]); vec4 q = v; q.xy *= 2.0; q.zw += q.wz; o[12] = f(q.y + q.z);
 uint b = 5u; b <<= 2; o[13] = b; int c = -16; c >>= 2u; o[14] = uint(c); ivec2 d = ivec2(7, 8); d %= 5; o[15] = uint(d.x * 10 + d.y); o[16] = 7u / 2u * 10u + 7u % 4u; o[17] = f(mine(1.0, 2.0));
 o[18] = 0x9E3779B9u * 3u; o[19] = uint(-2147483648); o[20] = uint(2147483647 + 1); o[21] = 1u - 2u; const uint K = 0xffffffffu; o[22] = K + 2u; int e = 1; { int e = e + 1; o[23] = uint(e); } for (int g1 = 0; g1 < 1; g1++) { int e = 7; o[24] = uint(e); }
 bvec3 g = bvec3(1, 0.0, 2u); o[25] = uint(g.x) + 2u * uint(g.y) + 4u * uint(g.z); vec3 h = vec3(g); o[26] = f(h.z); o[27] = uint(ivec3(g).x); o[28] = f(float(true)); mat3x2 n = mat3x2(1, 2, 3, 4, 5, 6); o[29] = f((n * vec3(1, 1, 1)).y); o[30] = f((vec2(1, 1) * n).z);
}