#version 450
// chapter 4.3 Types of buffers, groups, stages and functions
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 1) buffer O { uint o[64]; };
uint f(float x) { return floatBitsToUint(x); }
layout(std140, set = 0, binding = 0) uniform U { vec4 v; ivec4 i; };
// want 1: 18.0 3.0 4.0 9.0 11.0 12.0 7.0 7.0 0 1 9.0 4.0 16 9.0
// binding 0: 1.0 2.0 3.0 4.0 5 -6 7 8

struct L { vec3 d; float i; }; layout(std430, set = 0, binding = 2) readonly buffer P { L lights[]; };
shared L cache[2]; shared float tile[2][3]; const vec2 kernel[3] = { vec2(1, 2), vec2(3, 4), vec2(5, 6) }; mat3 glob[2]; L priv;
float total(L all[2]) { float s = 0; for (int k = 0; k < 2; k++) s += all[k].d.x + all[k].i; return s; } void fill(out L l, in float x) { l = L(vec3(x), x); } L copy(L l) { l.i += 1.0; return l; } mat3 flip(mat3 m) { return transpose(m); }
void main() {
 cache[0] = lights[1]; cache[1] = lights[0]; L both[2] = L[](cache[0], cache[1]); o[0] = f(total(both)); fill(both[1], 3.0); o[1] = f(both[1].d.y); fill(cache[0], 4.0); o[2] = f(cache[0].i); priv = copy(lights[1]); o[3] = f(priv.i); tile[1][2] = 5.0; tile[0][1] = 6.0; int k = i.x - 4; o[4] = f(tile[k][k + 1] + tile[0][1]);
 float s = 0.0; for (int n = 0; n < kernel.length(); n++) s += kernel[n].y; o[5] = f(s); glob[1] = mat3(1.0); glob[k][2][0] = 7.0; o[6] = f(flip(glob[1])[0][2]); mat3 loc[2] = glob; o[7] = f(loc[1][2].x); o[8] = uint(both[0] == cache[0]); o[9] = uint(lights[1] == lights[k]); fill(priv, 9.0); o[10] = f(priv.d.z); 
 L arr[2][2]; arr[1][0] = lights[0]; arr[k][k] = arr[1][0]; o[11] = f(arr[1][1].i); o[12] = uint(lights.length()); o[13] = f(copy(lights[k]).i); 
}
// binding 2: 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
