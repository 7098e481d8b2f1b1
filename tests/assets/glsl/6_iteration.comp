#version 450
// chapter 6.3 Iteration
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 84 4 6 26 -1 4 5 6 2 7
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() {
    int n = 0, total = 0; do { n++; if (n == 2) continue; total += n; } while (n < 4); o[0] = uint(total * 10 + n);
    n = 0; do { if (n == 1) { n = 100; continue; } switch (n) { case 0: n++; continue; } n++; } while (n++ < 3); o[1] = uint(n);
    total = 0; for (int a = 0; a < 3; a++) { for (int b = 0; ; b++) { if (b > a) break; if (b == 1) continue; total += 1 + b; } } o[2] = uint(total);
    n = 10; while (n-- > 0) { if ((n & 1) == 1) continue; total += n; } o[3] = uint(total); o[4] = uint(n); for (n = 0; n < 3;) n += 2; o[5] = uint(n);
    for (int a = 0; a < 2; a++) { int fresh = 5; fresh += a; o[6 + a] = uint(fresh); } n = 0; do n++; while (n < 3 && n != 2); o[8] = uint(n); do { n = 7; break; } while (true); o[9] = uint(n);
}
