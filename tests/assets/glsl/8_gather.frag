#version 450
// chapter 8.9 Texture functions
// refused RX0331
layout(set = 0, binding = 0) uniform texture2D t; layout(set = 0, binding = 1) uniform sampler s; layout(set = 0, binding = 2) uniform samplerShadow w; layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
void main() { color = textureGather(sampler2D(t, s), uv); }
