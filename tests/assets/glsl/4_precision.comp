#version 450
// chapter 4.7 Precision
// want 1: 2.0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
precision highp float; precision mediump int;
highp vec2 f(mediump vec2 a) { lowp float b = a.x; return vec2(b, a.y); } void main() { o[0] = floatBitsToUint(f(vec2(1.0, 2.0)).y); }
