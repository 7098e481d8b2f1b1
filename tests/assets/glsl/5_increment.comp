#version 450
// chapter 5.8 Assignments
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 11 5 6 1 10 20 2 8 5 7 4.0 3.0 1 -1 8
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int k = 0; int next() { return k++; }
void main() {
    int a[4] = int[](1, 2, 3, 4); int j = 0; a[j++] += 10; a[j++] *= 3; int d = a[--j]--; o[0] = uint(a[0]); o[1] = uint(a[1]); o[2] = uint(d); o[3] = uint(j);
    a[next()] -= 1; a[next()] <<= 2; o[4] = uint(a[0]); o[5] = uint(a[1]); o[6] = uint(k); o[7] = uint(a[2]++ + ++a[2]);
    int g[2][3]; g[0][0] = 0; g[0][1] = 0; g[1][2] = 0; j = 0; g[j++][j++] = 5; o[8] = uint(g[0][1]); j = 1; g[j--][j++ + 2] += 7; o[9] = uint(g[1][2]);
    vec3 v = vec3(1.0, 2.0, 3.0); v.zx++; o[10] = floatBitsToUint(v.z); j = 0; v[j++] += 1.0; o[11] = floatBitsToUint(v.x); o[12] = uint(j);
    uint u = 0u; u--; o[13] = u; int x = 5; x += x++ * 0 + 1 - 1 + (j = 2); o[14] = uint(x);
}
