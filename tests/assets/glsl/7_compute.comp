#version 450
// chapter 7.1 Built-in variables
// want 1: 101 1 0 0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
void main() { o[0] = gl_WorkGroupSize.x * 100u + gl_WorkGroupSize.y; o[1] = gl_NumWorkGroups.x; o[2] = gl_LocalInvocationIndex; o[3] = gl_GlobalInvocationID.x + gl_WorkGroupID.y; }
