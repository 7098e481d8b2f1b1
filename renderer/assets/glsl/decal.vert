#version 450

// A decal's box, placed by a matrix in push constants.

layout(push_constant) uniform Decal {
    mat4 clip_from_decal;
} decal;

layout(location = 0) in vec3 position;
layout(location = 0) out vec4 clip;

void main() {
    clip = decal.clip_from_decal * vec4(position, 1.0);
    gl_Position = clip;
}
