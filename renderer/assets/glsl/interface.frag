#version 450

// Text and panels: the atlas is coverage; ui_ps in another language.

layout(set = 0, binding = 0) uniform texture2D atlas;
layout(set = 0, binding = 1) uniform sampler point_clamp;

layout(location = 0) in vec2 letter_uv;
layout(location = 1) in vec4 letter_color;

layout(location = 0) out vec4 color;

void main() {
    float coverage = texture(sampler2D(atlas, point_clamp), letter_uv).r;
    color = vec4(letter_color.rgb, letter_color.a * coverage);
}
