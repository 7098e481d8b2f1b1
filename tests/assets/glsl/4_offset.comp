#version 450
// chapter 4.4.5 Layout of blocks
// binding 0: 1.0 2.0 3.0 4.0 5.0
// want 1: 5.0
// refused RX0335
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform V { layout(offset = 16) float a; };
void main() { o[0] = floatBitsToUint(a); }
