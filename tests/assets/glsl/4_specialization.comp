#version 450
// chapter 4.4.x constant_id
// want 1: 8
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(constant_id = 3) const uint n = 7u; void main() { o[0] = n + 1u; }
