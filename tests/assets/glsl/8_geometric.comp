#version 450
// chapter 8.5 Geometric functions
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 5.0 5.0 30.0 1.0 1.0 -1.0 1.0 7
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() { o[0] = f(length(v.zw)); o[1] = f(distance(vec2(1.0, 2.0), vec2(4.0, 6.0))); o[2] = f(dot(v, v)); o[3] = f(cross(vec3(1, 0, 0), vec3(0, 1, 0)).z); o[4] = f(normalize(vec2(0.0, 5.0)).y); o[5] = f(faceforward(vec2(1.0), vec2(1.0), vec2(1.0)).x); o[6] = f(reflect(vec2(1.0, -1.0), vec2(0.0, 1.0)).y); o[7] = uint(any(lessThan(v, vec4(2.0)))) + 2u * uint(all(equal(i, i))) + 4u * uint(not(bvec2(true, false)).y); }
