#version 450
// chapter 5.9 Selection operator
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 100 1111 1.0 4 1112 13
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

void main() {
    int n = 0; int r = i.x > 2 ? n++ : (n += 10); o[0] = uint(n * 100 + r); r = i.x < 2 ? n++ : (n += 10); o[1] = uint(n * 100 + r);
    float x = i.x > 2 ? 1 : 2.5; o[2] = floatBitsToUint(x); int a[2] = i.x > 2 ? int[](3, 4) : int[](5, 6); o[3] = uint(a[1]);
    r = i.x > 2 ? i.y < 0 ? n++ : n-- : n; o[4] = uint(r * 100 + n); (i.x > 2 ? n : r); o[5] = uint((i.x > 2 ? n++ : n++, n));
}
