#version 450

// Text and panels in pixels, from the top left corner: ui_vs in another language.

layout(set = 0, binding = 0) uniform UiConstants {
    vec2 pixel_to_clip; // 2 / target size
    vec2 ui_reserved;
};

layout(location = 0) in vec2 position; // pixels
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;

layout(location = 0) out vec2 letter_uv;
layout(location = 1) out vec4 letter_color;

void main() {
    // Direct3D's clip space, as in the scene's other shaders: y up.
    gl_Position = vec4(position.x * pixel_to_clip.x - 1.0, 1.0 - position.y * pixel_to_clip.y, 0.0, 1.0);
    letter_uv = uv;
    letter_color = color;
}
