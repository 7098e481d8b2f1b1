#version 450
// chapter 4.10 Memory qualifiers
// binding 2: 1 2 3 4
// want 3: 0 3
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std430, set = 0, binding = 2) readonly buffer P { uint x[4]; }; layout(std430, set = 0, binding = 3) restrict writeonly buffer Q { uint y[4]; }; void main() { y[1] = x[2]; }
