#version 450
// chapter 4.1.7 Opaque types
// refused RX0336
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform texture2D t[4]; layout(location = 0) flat in int n; layout(location = 0) out vec4 color;
void main() { color = texelFetch(t[nonuniformEXT(n)], ivec2(0), 0); }
