#version 450
// chapter 6.2 Selection
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 11 10 100 111000 110000 100000 0 110000 65 2 4 203
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int kind(int n) { int r = 0; switch (n) { case 0: r += 1; case 1: r += 10; break; case 2: { r += 100; break; } case 3: { r += 1000; } default: r += 10000; case 5: r += 100000; break; case 6: if (r == 0) break; r = 9; } return r; }
int first(int n) { switch (n) { default: return 5; case 1: return 6; } }
void main() { for (int n = 0; n < 8; n++) o[n] = uint(kind(n)); o[8] = uint(first(1) * 10 + first(2)); if (i.x > 2) if (i.y > 2) o[9] = 1u; else o[9] = 2u;
    uint u = 3u; switch (u) { case 3u: o[10] = 4u; break; } int total = 0; for (int n = 0; n < 4; n++) { switch (n) { case 1: continue; case 2: break; default: total += 100; } total += 1; } o[11] = uint(total); switch (i.x) { } }
