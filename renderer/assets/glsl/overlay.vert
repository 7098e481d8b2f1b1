#version 450
// Debug overlay: rectangles and glyphs in pixels, from the top left corner of the screen.

layout(location = 0) in vec2 position; // pixels
layout(location = 1) in vec2 uv;       // in the font atlas, 0 to 1
layout(location = 2) in vec4 color;    // linear, not premultiplied

layout(location = 0) out vec2 glyph_uv;
layout(location = 1) out vec4 glyph_color;

layout(push_constant) uniform Push {
    vec2 screen_size; // pixels
    vec2 offset;      // pixels
} push;

void main() {
    // Direct3D's clip space, as in the scene's other shaders: y up.
    vec2 clip = (position + push.offset) / push.screen_size * 2.0 - 1.0;
    gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
    glyph_uv = uv;
    glyph_color = color;
}
