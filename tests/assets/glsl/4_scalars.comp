#version 450
// chapter 4.1 Basic types
// want 1: 24 -1 0.5 1000.0 1 2 -3 -1 16777216.0 2147483647
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
void main() {
    o[0] = 0x10u + 010u; o[1] = uint(-1); o[2] = floatBitsToUint(.5); o[3] = floatBitsToUint(1e3f);
    o[4] = true ? 1u : 0u; o[5] = uint(true) + uint(bool(2.5)); o[6] = uint(int(-3.9)); o[7] = 4294967295u;
    o[8] = floatBitsToUint(float(16777217)); o[9] = uint(2147483647 + int(o[40]));
}
