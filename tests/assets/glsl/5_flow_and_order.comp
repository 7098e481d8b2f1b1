#version 450
// chapter 5.9 and 6.2 Order inside and around flow
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };
// want 1: 1239 110 1 102 3 117 125 13 13 11 7 9 111 1122 9.0 7 2 55.0 2 1 1
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8

int n = 0; bool t(int x) { n = n * 10 + x; return true; } bool ff(int x) { n = n * 10 + x; return false; } int side() { return ++n; }
int loops() { int r = 0; for (int a = 0; a < 5 && (a != 3 || t(1)); a++) { if (a == 1) continue; switch (a) { case 2: return r + 100; } r += 10; } return r; }
int sw(int x) { switch (x) { case 1: return 1; default: x += 10; case 2: x += 100; break; case 3: { if (x == 3) break; } } return x; }
void main() {
 if (t(1) && ff(2) || t(3)) n = n * 10 + 9; o[0] = uint(n); n = 0; o[1] = uint(loops()); o[2] = uint(sw(1)); o[3] = uint(sw(2)); o[4] = uint(sw(3)); o[5] = uint(sw(7)); n = 0;
 bool b = (t(1) ? ff(2) : t(3)) ? t(4) : t(5); o[6] = uint(n); n = 0; bool c = !(ff(1) && t(2)) && !(t(3) || ff(4)); o[7] = uint(n); n = 0; int k = side() + (side(), side()) * side(); o[8] = uint(k); 
 int arr[3] = int[](0, 0, 0); n = -1; arr[side()] = side(); o[9] = uint(arr[0] * 10 + n); n = -1; arr[side()] += side() + 5; o[10] = uint(arr[0]); int m = 0; for (int a = 0; a++ < 3 && m++ < 10;) m += a; o[11] = uint(m); n = 0; while (t(1) && n < 1000) { if (n > 100) break; } o[12] = uint(n);
 n = 0; do { if (n == 1) continue; n += 10; } while (t(2) && n < 500); o[13] = uint(n); float x = 1.0; x += 2, x *= 3.0; o[14] = f(x); int z = 3; z = z++ + z; o[15] = uint(z); z = 1; z = z-- - --z; o[16] = uint(z); 
 vec3 w = vec3(0.0); int y = 0; w[y++] = w[y++] = 5.0; o[17] = f(w.x + w.y * 10.0); o[18] = uint(y); bool d[2] = bool[](false, true); o[19] = uint(d[y - 1] && d[y - 1] || d[0]); o[20] = uint(true ^^ ff(1));
}