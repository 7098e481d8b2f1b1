#version 450
// chapter 3.3 Preprocessor
// want 1: 20 100 3
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
#define ADD(a, b) ((a) + (b))
#define TWICE(x) ADD(x, x)
#if defined(VULKAN) && __VERSION__ >= 450
const uint base = 10u;
#else
const uint base = 1u;
#endif
#ifdef NOT_THERE
#error not taken
#elif 1 + 1 == 2
void main() { o[0] = TWICE(base); o[1] = uint(VULKAN); o[2] = ADD(1u, \
 2u); }
#endif
