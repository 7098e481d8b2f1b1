#version 450
// chapter 5.9 Order of evaluation
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 62 12 223 15 1 7 12
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int n = 1; int times(int by) { n *= by; return n; } int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
void main() { o[0] = uint(times(2) + times(3) * 10); int k = 0; o[1] = uint(three(k++, k++, k)); ivec3 v = ivec3(k, k++, k); o[2] = uint(v.x * 100 + v.y * 10 + v.z); n = 5; o[3] = uint(n + times(2)); int a[3] = int[](0, 0, 0); k = 0; a[k] = ++k; o[4] = uint(a[0]); n = 1; o[5] = uint(n++ + n++ * n); int x[2] = { k++, k }; o[6] = uint(x[0] * 10 + x[1]); }
