#version 450
// chapter 4.7 Precise
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 5.0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };
void main() { precise float x = v.x * v.y + v.z; o[0] = floatBitsToUint(x); }
