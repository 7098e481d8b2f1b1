// Fades the picture to a colour, by a triangle that covers the screen. Two entry points in one text.

struct Fade {
    color: vec3<f32>,
    // 0: the picture; 1: the colour.
    amount: f32,
}

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@group(0) @binding(0) var<uniform> fade: Fade;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var linear_clamp: sampler;

// Corners (-1, 1), (3, 1) and (-1, -3) of clip space, in which y is up; no vertex buffer.
@vertex
fn vs_fade(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    var corner: Corner;
    corner.position = vec4<f32>(uv * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0), 0.0, 1.0);
    corner.uv = uv;
    return corner;
}

@fragment
fn fs_fade(corner: Corner) -> @location(0) vec4<f32> {
    let color = textureSample(picture, linear_clamp, corner.uv).rgb;
    return vec4<f32>(mix(color, fade.color, fade.amount), 1.0);
}
