#version 450
// chapter 4.1.9 Arrays
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 6.0 2.0 4.0 21.0 3 8 60.0 6.0 10.5 23 32 3 1
// want 2: 0 10 0 30 0 50
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

const float table[2][3] = float[2][3](float[3](1.0, 2.0, 3.0), float[3](4.0, 5.0, 6.0));
const int sizes[] = { 7, 8, 9 };
layout(std430, set = 0, binding = 2) buffer P { uint grid[2][3]; };
float sum(float a[2][3]) { float s = 0.0; for (int x = 0; x < a.length(); x++) for (int y = 0; y < a[x].length(); y++) s += a[x][y]; return s; }
void main() {
    o[0] = f(table[1][2]); o[1] = f(table[0][1]); int k = i.x - 4; o[2] = f(table[k][k - 1]); o[3] = f(sum(table));
    o[4] = uint(sizes.length()); o[5] = uint(sizes[k]); float b[2][3] = table; b[1][2] = 60.0; o[6] = f(b[1][2]); o[7] = f(table[k][2]);
    float c[] = float[](1.5, 2.5), d = 3.5, e[3]; e[2] = 4.5; o[8] = f(c[1] + d + e[2]); o[9] = uint(table.length() * 10 + table[0].length());
    grid[1][0] = 30u; grid[k][2] = 50u; grid[0][1] = 10u; float[2] g[3]; g[2][1] = 2.0; o[10] = uint(g.length() * 10 + g[0].length());
    int h[2][2] = { { 1, 2 }, { 3, 4 } }; o[11] = uint(h[1][0]); o[12] = uint(h == int[2][2](int[2](1, 2), int[2](3, 4)));
}
