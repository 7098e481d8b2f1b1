#version 450
// chapter 7.1 Fragment built-ins
layout(location = 0) in Block { vec2 uv; flat int id; noperspective float fog[2]; } given;
layout(location = 8) centroid in vec4 c;
layout(location = 0) out vec4 color; layout(location = 1) out vec4 list[2];
void main() { if (given.uv.x > 2.0) discard; color = c + dFdx(given.uv).xyxy + gl_FragCoord + float(given.id); list[1] = vec4(given.fog[1]); gl_FragDepth = 0.5; }
