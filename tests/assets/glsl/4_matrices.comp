#version 450
// chapter 4.1.6 Matrices
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 3.0 2.0 6.0 15.0 6.0 6.0 -2.0 7.0 16.0 5.0 1.0 -3.0 2 20.0 2.0 1 4.0 6.0
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() {
    mat2 m = mat2(v); o[0] = f(m[1][0]); o[1] = f(m[0].y); mat3 n = mat3(2.0); n[1] = vec3(4.0, 5.0, 6.0);
    o[2] = f((n * vec3(1.0, 1.0, 1.0)).x); o[3] = f((vec3(1.0, 1.0, 1.0) * n).y); mat2x3 p = mat2x3(1, 2, 3, 4, 5, 6);
    o[4] = f(p[1].z); o[5] = f(transpose(p)[2][1]); o[6] = f(determinant(m)); o[7] = f((m * m)[0][0]);
    o[8] = f(matrixCompMult(m, m)[1][1]); mat4 q = mat4(m); o[9] = f(q[3][3] + q[1][1]); o[10] = f((m / 2.0)[0][1]);
    o[11] = f((-m)[1][0]); o[12] = uint(p.length()); int k = 1; n[k][k] = 20.0; o[13] = f(n[1][1]); m += 1.0;
    o[14] = f(m[0][0]); o[15] = uint(m == m) + uint(m != m); o[16] = f(outerProduct(v.xy, v.zw)[1][0]); m++; o[17] = f(m[1][1]);
}
