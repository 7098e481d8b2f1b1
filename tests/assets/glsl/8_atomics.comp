#version 450
// chapter 8.11 Atomic memory functions
// want 1: 0 3
// refused RX0331
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
void main() { o[0] = atomicAdd(o[1], 3u); }
