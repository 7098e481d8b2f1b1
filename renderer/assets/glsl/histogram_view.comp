#version 450
// Draws the exposure histogram as bars, for the debug overlay. One thread a pixel of the picture.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

const uint BINS = 256u; // as the exposure pass has them

layout(set = 0, binding = 0) readonly buffer Histogram {
    uint bins[];
};
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D bars;

layout(push_constant) uniform Push {
    uint highest;  // of all bins; the caller keeps it from the last frame
    float exposed; // where the present exposure stands, 0 to 1
} push;

void main() {
    ivec2 size = imageSize(bars);
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (pixel.x >= size.x || pixel.y >= size.y) {
        return;
    }
    uint bin = uint(pixel.x) * BINS / uint(size.x);
    // Square root: small bins stay visible beside large ones.
    float height = sqrt(float(bins[bin]) / float(max(push.highest, 1u)));
    float y = 1.0 - (float(pixel.y) + 0.5) / float(size.y);
    vec4 color = y < height ? vec4(0.9, 0.7, 0.3, 0.9) : vec4(0.0, 0.0, 0.0, 0.5);
    if (abs((float(pixel.x) + 0.5) / float(size.x) - push.exposed) * float(size.x) < 1.0) {
        color = vec4(1.0, 1.0, 1.0, 1.0);
    }
    imageStore(bars, pixel, color);
}
