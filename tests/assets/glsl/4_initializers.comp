#version 450
// chapter 4.3 Storage of globals
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 10 11 3.0 4 11 2.0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int first = i.x * 2; float list[2] = float[](v.y, v.z); int second = first + 1; shared uint s[2]; vec2 plain = vec2(1.0, 2.0);
void main() { o[0] = uint(first); o[1] = uint(second); o[2] = f(list[1]); s[1] = 4u; o[3] = s[1]; first++; o[4] = uint(first); o[5] = f(plain.y); }
