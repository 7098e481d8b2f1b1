#version 450

// A separable blur of nine taps, from group memory.

layout(local_size_x = 64) in;

layout(push_constant) uniform Blur {
    ivec2 step;
    ivec2 size;
} blur;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2D destination;

shared vec4 row[72];

const float weights[5] = float[5](0.2270270, 0.1945946, 0.1216216, 0.0540541, 0.0162162);

void main() {
    int along = int(gl_GlobalInvocationID.x);
    int across = int(gl_WorkGroupID.y);
    int local = int(gl_LocalInvocationID.x);
    ivec2 last = blur.size - ivec2(1);
    ivec2 at = blur.step * along + (ivec2(1) - blur.step) * across;
    row[local + 4] = texelFetch(source, clamp(at, ivec2(0), last), 0);
    if (local < 4) {
        row[local] = texelFetch(source, clamp(at - blur.step * 4, ivec2(0), last), 0);
        row[local + 68] = texelFetch(source, clamp(at + blur.step * 64, ivec2(0), last), 0);
    }
    barrier();
    vec4 sum = row[local + 4] * weights[0];
    for (int i = 1; i < 5; i++) {
        sum += (row[local + 4 - i] + row[local + 4 + i]) * weights[i];
    }
    if (at.x < blur.size.x && at.y < blur.size.y) {
        imageStore(destination, at, sum);
    }
}
