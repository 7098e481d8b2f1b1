#version 450
// chapter 8.3 Common functions
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 0.75 2.0 -0.5 -2.0 0.25 -3.0 0.75 4 -0.75 -1 0.0 0 0.5 11 12.0 1.5 0.5 -148 0.5 4 1.0 -1 -4.0 0.75 2.0 1.0 -6 1.0 1.5 4.0 0.0 0.5 1 1 10.0 2.0 2.5
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() {
    float w; o[0] = f(modf(v.y + 0.75, w)); o[1] = f(w); o[2] = f(modf(-2.5, w)); o[3] = f(w); vec2 p; vec2 q = modf(vec2(1.25, -3.5), p); o[4] = f(q.x); o[5] = f(p.y);
    int e; o[6] = f(frexp(12.0, e)); o[7] = uint(e); o[8] = f(frexp(-0.375, e)); o[9] = uint(e); o[10] = f(frexp(0.0, e)); o[11] = uint(e); ivec2 es; o[12] = f(frexp(vec2(1.0, 1024.0), es).y); o[13] = uint(es.y);
    o[14] = f(ldexp(0.75, 4)); o[15] = f(ldexp(vec2(1.0, 3.0), ivec2(1, -1)).y); o[16] = f(frexp(uintBitsToFloat(1u), e)); o[17] = uint(e); int es2[2]; o[18] = f(frexp(8.0, es2[1])); o[19] = uint(es2[1]);
    o[20] = f(abs(-v.x)); o[21] = uint(sign(i.y)); o[22] = f(floor(-1.5) + trunc(-1.5) + ceil(-1.5)); o[23] = f(fract(2.75)); o[24] = f(mod(-1.0, 3.0)); o[25] = f(mod(v, 3.0).w);
    o[26] = uint(min(i.x, i.y)); o[27] = f(clamp(v.w, 0.0, 1.0)); o[28] = f(mix(1.0, 3.0, 0.25)); o[29] = f(mix(vec2(1.0, 2.0), vec2(3.0, 4.0), bvec2(false, true)).y); o[30] = f(step(2.0, v.x)); o[31] = f(smoothstep(0.0, 2.0, 1.0));
    o[32] = uint(isnan(uintBitsToFloat(0x7fc00000u + o[63]))); o[33] = uint(isinf(1.0 / (v.x - 1.0))); o[34] = f(fma(2.0, 3.0, 4.0)); o[35] = f(roundEven(2.5)); o[36] = f(max(v, 2.5).x);
}
