#version 450
// chapter 6.1.1 Function calling conventions
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 25 8 111 30 11 15 7 5 64 622 7 8 41 9 1 2 5.5 30 0 6
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int g[3] = int[](1, 2, 3); struct S { int x; ivec2 p; } s = S(1, ivec2(2, 3));
void add(inout int a, int by) { a += by; } int give(out int a) { a = 7; return a * 2; } void swap(inout int a, inout int b) { int t = a; a = b; b = t; }
void pair(inout ivec2 p) { p = p.yx * 2; } void real(out float x) { x = 2.5; } void whole(out int n) { n = 3; } void all(inout int a[3]) { a[2] += a[0]; }
void inner(inout int a) { add(a, 1); } void more(inout uint a) { a += 3u; }
void main() {
    int l[3] = int[](10, 20, 30); int k = 0; add(l[1], 5); o[0] = uint(l[1]); add(g[2], 5); o[1] = uint(g[2]); add(l[k++], 1); o[2] = uint(l[0] * 10 + k);
    swap(l[0], l[2]); o[3] = uint(l[0]); o[4] = uint(l[2]); o[5] = uint(give(l[k]) + k); o[6] = uint(l[1]); add(s.x, 4); o[7] = uint(s.x); pair(s.p); o[8] = uint(s.p.x * 10 + s.p.y);
    ivec3 v = ivec3(1, 2, 3); pair(v.zx); o[9] = uint(v.x * 100 + v.y * 10 + v.z); add(v.y, 5); o[10] = uint(v.y); add(v[k], 1); o[11] = uint(v.y);
    all(l); o[12] = uint(l[2]); all(g); o[13] = uint(g[2]); int n = 1; swap(n, n); o[14] = uint(n); inner(n); o[15] = uint(n); float x; whole(n); real(x); o[16] = floatBitsToUint(x + float(n)); bool c = i.x > 100 && give(l[0]) > 0; o[17] = uint(l[0]);
    more(o[18 + k]); more(o[18 + k++]);
}
