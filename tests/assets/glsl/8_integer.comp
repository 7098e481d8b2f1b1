#version 450
// chapter 8.8 Integer functions
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 1 1 -1 1 -2 1 -1 -6 0x40000000 0 0xbc -1 0xf0 0x80000000 -1 3 -1 31 -1 -3.0 1 15 3
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() {
    uint c; o[0] = uaddCarry(4294967295u, 2u, c); o[1] = c; o[2] = usubBorrow(1u, 2u, c); o[3] = c; uint h, l; umulExtended(4294967295u, 4294967295u, h, l); o[4] = h; o[5] = l;
    int a, b; imulExtended(-2, 3, a, b); o[6] = uint(a); o[7] = uint(b); imulExtended(-2147483647 - 1, -2147483647 - 1, a, b); o[8] = uint(a); o[9] = uint(b);
    o[10] = bitfieldExtract(0xabcdu, 4, 8); o[11] = uint(bitfieldExtract(0xf0, 4, 4)); o[12] = bitfieldInsert(0u, 0xfu, 4, 4); o[13] = bitfieldReverse(1u); o[14] = uint(bitCount(0xffu) - 9); o[15] = uint(findLSB(8)); o[16] = uint(findMSB(-1)); o[17] = uint(findMSB(0x80000000u)); o[18] = uint(findLSB(0));
    o[19] = floatBitsToUint(float(bitCount(3u) - 5)); uvec2 hs, ls; umulExtended(uvec2(65536u, 3u), uvec2(65536u, 5u), hs, ls); o[20] = hs.x; o[21] = ls.y; o[22] = uint(bitCount(uvec2(7u, 1u)).x);
}
