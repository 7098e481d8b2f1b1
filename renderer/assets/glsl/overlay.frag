#version 450
// Debug overlay: a glyph's coverage from a distance field, over a soft shadow that keeps it legible on any picture.

layout(location = 0) in vec2 glyph_uv;
layout(location = 1) in vec4 glyph_color;

layout(location = 0) out vec4 result; // premultiplied

layout(set = 0, binding = 0) uniform texture2D font_atlas; // R8: 0.5 is the outline
layout(set = 0, binding = 1) uniform sampler font_sampler;

const float SHADOW_ALPHA = 0.6;

void main() {
    float field = texture(sampler2D(font_atlas, font_sampler), glyph_uv).r;
    // Half a pixel on either side of the outline, whatever the size of the text.
    float blur = max(fwidth(field), 1.0 / 255.0);
    float inside = smoothstep(0.5 - blur, 0.5 + blur, field);
    float shadow = SHADOW_ALPHA * smoothstep(0.25, 0.5, field) * (1.0 - inside);
    float alpha = glyph_color.a * (inside + shadow);
    if (alpha < 1.0 / 255.0) {
        discard;
    }
    result = vec4(glyph_color.rgb * glyph_color.a * inside, alpha);
}
