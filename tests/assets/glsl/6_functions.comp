#version 450
// chapter 6.1 Functions
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 8 2.0 2.5 9.0 3.0 40 -1 7
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int later(int n);
int twice(int n) { return later(n) * 2; }
int later(int n) { return n + 1; }
float pick(float x) { return x; } float pick(int x) { return float(x) + 0.5; } float pick(vec2 x) { return x.y; }
float half_of(int x) { return x; } void nothing() { return; }
int early(int n) { for (int k = 0; k < 10; k++) { if (k == n) return k * 10; } return -1; }
int change(int n) { n += 5; return n; }
void main() { nothing(); o[0] = uint(twice(3)); o[1] = f(pick(2.0)); o[2] = f(pick(2)); o[3] = f(pick(vec2(1.0, 9.0))); o[4] = f(half_of(3)); o[5] = uint(early(4)); o[6] = uint(early(40)); int n = 1; o[7] = uint(change(n) + n); }
