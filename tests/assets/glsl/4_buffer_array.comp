#version 450
// chapter 4.3.9 Arrays of blocks
// refused RX0336
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform V { vec4 x; } all[2]; void main() { o[0] = floatBitsToUint(all[1].x.x); }
