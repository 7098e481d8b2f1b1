#version 450
// chapter 8.16 Shader invocation control
// want 1: 5
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
shared uint s; void main() { s = 5u; barrier(); o[0] = s; }
