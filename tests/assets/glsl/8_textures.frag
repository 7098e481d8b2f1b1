#version 450
// chapter 8.9 Texture functions
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform texture2D t; layout(set = 0, binding = 1) uniform sampler s; layout(set = 0, binding = 2) uniform texture2DArray a; layout(set = 0, binding = 3) uniform samplerShadow w; layout(set = 0, binding = 4) uniform itexture3D n; layout(set = 0, binding = 5) uniform texture2D z;
layout(location = 0) in vec3 uv; layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(t, s), uv.xy) + textureLod(sampler2DArray(a, s), uv, 1.0) + vec4(texelFetch(n, ivec3(uv), 0)) + texelFetchOffset(t, ivec2(uv.xy), 0, ivec2(1)) + texture(sampler2DShadow(z, w), uv) + vec4(textureSize(a, 0), 1); }
