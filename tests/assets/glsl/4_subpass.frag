#version 450
// chapter 4.1.7 Opaque types
// refused RX0333
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput p; layout(location = 0) out vec4 color; void main() { color = subpassLoad(p); }
