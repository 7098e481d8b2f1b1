#version 450
// chapter 5.5 to 5.8 Vectors, matrices and what can be assigned
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };
// want 1: 5 6.0 -3 2.0 7 23 9 21.0 3.0 2155 56 7 8 0 1 1.5 2 14 3 5.5 1 14.0 5.0 9.0 10.0 13 28
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8

struct P { vec3 p; ivec2 q; }; int[3] list(int n) { return int[](n, n + 1, n + 2); } P make(int n) { return P(vec3(n), ivec2(n, -n)); }
layout(constant_id = 1) const int N = 3; int sized[N]; const ivec3 C3 = ivec3(1, 2, 3);
void poke(inout P p) { p.q.y = 9; p.p.zx = vec2(1.0, 2.0); } void outm(out mat2 m) { m = mat2(1, 2, 3, 4); }
void main() {
 int k = i.x - 4; o[0] = uint(list(4)[k]); o[1] = f((v + v)[k + 1]); o[2] = uint(make(3).q[k]); o[3] = f(make(2).p.zyx.y); sized[2] = 4; o[4] = uint(sized.length() + sized[k + 1]);
 o[5] = uint(C3[k] * 10 + C3.z); P p[2]; p[0] = make(1); p[1] = make(2); poke(p[k]); o[6] = uint(p[1].q.y); o[7] = f(p[1].p.x * 10.0 + p[1].p.z); mat2 ms[2]; outm(ms[k]); o[8] = f(ms[1][1][0]);
 ivec4 a = ivec4(1, 2, 3, 4); a.xy = a.yx; a.zw += a.xy; o[9] = uint(a.x * 1000 + a.y * 100 + a.z * 10 + a.w); a[k] = a[k + 1]++; o[10] = uint(a.y * 10 + a.z); o[11] = uint(ivec2(7, 8) & 3 | 4).x; uvec2 u = uvec2(1u) << 3u; o[12] = u.y;
 bool b = i.x > 0 ? i.y > 0 ? true : false : true; o[13] = uint(b); int z = i.x > 0 && i.y < 0 || i.z > 100 ? 1 : 0; o[14] = uint(z); float s = 0.0; for (float x = 0.0; x < 1.0; x += 0.25) s += x; o[15] = f(s); o[16] = uint(clamp(i.y, -3, 3)) + uint(clamp(9u, 1u, 5u));
 int w = 0; for (int x = 0; x < 3; x++) for (int y = x; y < 3; y++) { if (y == 1) continue; if (x == 2) break; w += 10 * x + y; } o[17] = uint(w); o[18] = uint(mix(ivec2(1, 2), ivec2(3, 4), bvec2(true, false)).x); o[19] = f(min(v, 2.5).w + max(1.0, v.z)); o[20] = uint(all(equal(v.xy, vec2(1, 2))));
 vec4 q = vec4(v.xy, vec2(5)); q.w = q.x = 7.0; o[21] = f(q.w + q.x); q.rgb = q.bgr; o[22] = f(q.r); mat3 m = mat3(1.0); m[1].xz = vec2(4, 5); o[23] = f(m[1][2] + m[1].x); m[k][k + 1] *= 2.0; o[24] = f(m[1].z); int h = 3; h = (h << 2) + (h >> 1); o[25] = uint(h); h |= 16; h ^= 1; h &= ~2; o[26] = uint(h);
}