#version 450

// One step of the bloom upwards: bloom_up_cs in another language. Each level takes a share of the next smaller one,
// spread by a tent of three by three.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform BloomConstants {
    vec2 source_texel;
    vec2 destination_texel;
    uvec2 destination_size;
    float threshold;
    float spread; // share of the lower level
};
layout(set = 0, binding = 1) uniform texture2D source;
layout(set = 0, binding = 2) uniform texture2D lower;
layout(set = 0, binding = 3, rgba16f) uniform writeonly image2D destination;
layout(set = 0, binding = 4) uniform sampler linear_clamp;

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= destination_size.x || at.y >= destination_size.y) {
        return;
    }
    vec2 uv = (vec2(at) + 0.5) * destination_texel;
    vec3 sum = vec3(0.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            float weight = (2.0 - abs(float(x))) * (2.0 - abs(float(y))) / 16.0;
            vec2 tap = uv + vec2(float(x), float(y)) * destination_texel;
            sum += weight * textureLod(sampler2D(lower, linear_clamp), tap, 0.0).rgb;
        }
    }
    vec3 here = texelFetch(source, ivec2(at), 0).rgb;
    imageStore(destination, ivec2(at), vec4(mix(here, sum, spread), 1.0));
}
