#version 450

// The decal's colour where the scene's depth lies inside its box.

layout(set = 0, binding = 0) uniform Inverse {
    mat4 decal_from_clip;
    vec4 tint;
} inverse_box;
layout(set = 0, binding = 1) uniform texture2D depth_map;
layout(set = 0, binding = 2) uniform texture2D decal_map;
layout(set = 0, binding = 3) uniform sampler linear_clamp;

layout(location = 0) in vec4 clip;
layout(location = 0) out vec4 color;

void main() {
    vec2 screen = clip.xy / clip.w;
    vec2 uv = screen * vec2(0.5, -0.5) + 0.5;
    float depth = textureLod(sampler2D(depth_map, linear_clamp), uv, 0.0).x;
    vec4 local = inverse_box.decal_from_clip * vec4(screen, depth, 1.0);
    vec3 inside = local.xyz / local.w;
    if (any(greaterThan(abs(inside), vec3(0.5)))) {
        discard;
    }
    color = textureLod(sampler2D(decal_map, linear_clamp), inside.xz + 0.5, 0.0) * inverse_box.tint;
}
