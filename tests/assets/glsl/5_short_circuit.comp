#version 450
// chapter 5.9 Logical operators
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8
// want 1: 1100 14 1 1105 5 17 0 1113
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };

int n = 0; bool bump(int by) { n += by; return by > 0; }
void main() {
    bool a = i.x > 100 && bump(1); bool b = i.x < 100 || bump(10); bool c = i.x < 100 && bump(100); bool d = i.x > 100 || bump(1000);
    o[0] = uint(n); o[1] = uint(a) + 2u * uint(b) + 4u * uint(c) + 8u * uint(d); int k = 0;
    if (k++ > 0 && k++ > 0) k += 100; o[2] = uint(k); k = 0; while (k < 5 && (n = n + 1) > 0) k++; o[3] = uint(n); o[4] = uint(k);
    bool e = (k++ > 4) ^^ (k++ > 100); o[5] = uint(e) * 10u + uint(k); int arr[2] = int[](1, 2); int at = i.x; 
    o[6] = uint(at < 2 && arr[at] > 0); bool g = false && bump(1) || true && (bump(0) || bump(7)); o[7] = uint(n) + uint(g);
}
