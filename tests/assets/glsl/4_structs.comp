#version 450
// chapter 4.1.8 Structures
// refused RX0335
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }

struct A { vec3 p; float w; }; struct C { A a[2]; int n; bool t; };
layout(std430, set = 0, binding = 2) buffer P { C held[2]; uint tail; };
struct D { A a; } both = D(A(vec3(1.0), 2.0));
C make(int n) { return C(A[2](A(vec3(n), 1.0), A(vec3(2 * n), 2.0)), n, n > 2); }
void main() {
    C c = make(3); C d = c; o[0] = uint(c == d); d.a[1].p.y += 1.0; o[1] = uint(c != d); o[2] = f(d.a[1].p.y); o[3] = uint(c.t);
    o[4] = f(both.a.w); A e = both.a; o[5] = uint(e == A(vec3(1.0), 2.0)); o[6] = uint(c.a == d.a);
}
