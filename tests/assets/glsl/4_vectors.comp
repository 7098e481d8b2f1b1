#version 450
// chapter 4.1.5 Vectors
// want 1: 3.0 3 3 1 9.0 2.0 7.0 8.0 5.0 6.0 4 1.0 11.0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
void main() {
    vec4 a = vec4(1.0, 2.0, 3.0, 4.0); ivec3 b = ivec3(a); uvec2 c = uvec2(b.zy); bvec2 d = bvec2(a.x > 0.5, false);
    o[0] = floatBitsToUint(a.wzyx.y); o[1] = uint(b.z); o[2] = c.x; o[3] = uint(d.x) + 2u * uint(d.y);
    vec3 e = vec3(a.xy, 9); o[4] = floatBitsToUint(e.p); a.yx = a.xy; o[5] = floatBitsToUint(a.x);
    a.wzyx.xy = vec2(7.0, 8.0); o[6] = floatBitsToUint(a.w); o[7] = floatBitsToUint(a.z);
    a.zyx.z = 5.0; o[8] = floatBitsToUint(a.x); int n = 2; a[n] = 6.0; o[9] = floatBitsToUint(a.z);
    o[10] = uint(a.length()); o[11] = floatBitsToUint(vec2(a)[1]); a.xyzw.rg.y = 11.0; o[12] = floatBitsToUint(a.y);
}
