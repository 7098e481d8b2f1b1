#version 450
// chapter 7.1 Vertex built-ins
layout(location = 0) in mat4 model; layout(location = 4) in vec3 position;
out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) out Block { vec2 uv; flat int id; noperspective float fog[2]; } result;
layout(location = 5) out mat3x2 m;
void main() { gl_Position = model * vec4(position, 1.0); result.uv = position.xy; result.id = gl_VertexIndex - 1 + gl_InstanceIndex; result.fog[1] = float(gl_VertexIndex - 1); m = mat3x2(1.0); }
