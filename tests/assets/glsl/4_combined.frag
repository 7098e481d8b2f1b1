#version 450
// chapter 4.1.7 Opaque types
layout(set = 0, binding = 3) uniform sampler2D t; layout(set = 0, binding = 4) uniform sampler2DArrayShadow w; layout(location = 0) in vec2 uv; layout(location = 0) out vec4 color;
void main() { color = texture(t, uv) + vec4(texture(w, vec4(uv, 1.0, 0.5))) + texelFetch(t, ivec2(0), 0) + vec4(textureSize(t, 0), 0, 0); }
