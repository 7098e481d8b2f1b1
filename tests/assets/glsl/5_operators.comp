#version 450
// chapter 5.9 Expressions
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 2 -1 2 -3 2147483645 32 -6 9 6.0 4.0 16 2 5.0 -3.0 1 1 34 14 7 1 5
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() {
    o[0] = uint(i.x / 2); o[1] = uint(i.y / 4); o[2] = uint(i.x % 3); o[3] = uint(i.y >> 1); o[4] = uint(i.y) >> 1; o[5] = uint(1 << i.x);
    o[6] = uint(~i.x); o[7] = uint(i.x & 3 | 8 ^ 1); o[8] = f(v.x + i.x); o[9] = f(2 * v.y); ivec2 a = i.xy % 3 * 0 + i.xw; o[10] = uint((a << 1).y); o[11] = uint((a >> ivec2(1, 2)).y);
    o[12] = f((v + 1).w); o[13] = f((1.0 - v).w); o[14] = uint(v == vec4(1, 2, 3, 4)); o[15] = uint(v.xy != v.yx); uvec2 b = uvec2(7, 9) / 2u; o[16] = b.x * 10u + b.y; o[17] = uint((i.xz * 2).y);
    o[18] = uint((i.x, i.z)); o[19] = uint(-i.y - +i.x); o[20] = (3u - 2) * 5u;
}
