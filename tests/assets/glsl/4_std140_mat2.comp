#version 450
// chapter 4.4.5 Layout of blocks
// binding 0: 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0
// want 1: 5.0 9.0 8.0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform V { mat2 m; float b; };
void main() { o[0] = floatBitsToUint(m[1][0]); o[1] = floatBitsToUint(b); o[2] = floatBitsToUint((m * vec2(1.0, 1.0)).y); }
