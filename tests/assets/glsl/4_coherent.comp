#version 450
// chapter 4.10 Memory qualifiers
// refused RX0334
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std430, set = 0, binding = 2) coherent buffer P { uint x[4]; }; void main() { x[1] = x[0]; }
