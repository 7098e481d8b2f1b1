#version 450
// chapter 4.4.5 Layout of blocks
// binding 0: 1 0
// want 1: 1
// refused RX0335
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform V { bool t; float x; }; void main() { o[0] = uint(t); }
