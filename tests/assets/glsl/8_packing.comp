#version 450
// chapter 8.4 Packing
// want 1: 0xc0003c00 -2.0 0x00ff00ff 0x7fff8001 1.0 3.0 0x80000000
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }

void main() { o[0] = packHalf2x16(vec2(1.0, -2.0)); o[1] = f(unpackHalf2x16(0xc0003c00u).y); o[2] = packUnorm4x8(vec4(1.0, 0.0, 1.0, 0.0)); o[3] = packSnorm2x16(vec2(-1.0, 1.0)); o[4] = f(unpackUnorm4x8(0xff00u).y); o[5] = floatBitsToUint(intBitsToFloat(0x40400000)); o[6] = uint(floatBitsToInt(-0.0)); }
