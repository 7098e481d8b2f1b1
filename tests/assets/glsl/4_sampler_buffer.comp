#version 450
// chapter 4.1.7 Opaque types
// refused RX0333
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(set = 0, binding = 0) uniform samplerBuffer b; void main() { o[0] = uint(texelFetch(b, 0).x); }
