#version 450
// chapter 6.1 Recursion
// refused RX0342
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
int a(int n); int b(int n) { return a(n); } int a(int n) { return n > 0 ? b(n - 1) : 0; } void main() { o[0] = uint(a(3)); }
