#version 450
// chapter 8.12 Image functions
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(set = 0, binding = 2, rgba32ui) uniform uimage2D a; layout(set = 0, binding = 3, r32f) writeonly uniform image2DArray b; void main() { uvec4 x = imageLoad(a, ivec2(1, 2)); imageStore(a, ivec2(0), x + 1u); imageStore(b, ivec3(0, 0, 1), vec4(2.0)); o[0] = uint(imageSize(a).y); }
