#version 450
// chapter 5.9 Comma operator
// want 1: 20 34 4 6 11
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
void two(out int a, out int b) { a = 3; b = 4; }
void main() { int a = 1, b = (a++, a * 10); o[0] = uint(b); two(a, b), o[1] = uint(a * 10 + b); for (int x = 0, y = 10; x < y; x++, y--) o[2] = uint(x), o[3] = uint(y); o[4] = uint((a = 5, b = 6, a + b)); }
