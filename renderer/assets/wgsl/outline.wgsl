// A selection's outline: a full-screen triangle, and the edge of a mask found with four samples.

struct Outline {
    color: vec4f,
    texel: vec2f,
    width: f32,
    pulse: f32,
}

@group(0) @binding(0) var<uniform> outline: Outline;
@group(0) @binding(1) var mask: texture_2d<f32>;
@group(0) @binding(2) var mask_sampler: sampler;

struct Varying {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varying {
    let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return Varying(vec4f(uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), uv);
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4f {
    let step = outline.texel * outline.width;
    let centre = textureSampleLevel(mask, mask_sampler, in.uv, 0.0).x;
    var around = 0.0;
    around = max(around, textureSampleLevel(mask, mask_sampler, in.uv + vec2f(step.x, 0.0), 0.0).x);
    around = max(around, textureSampleLevel(mask, mask_sampler, in.uv - vec2f(step.x, 0.0), 0.0).x);
    around = max(around, textureSampleLevel(mask, mask_sampler, in.uv + vec2f(0.0, step.y), 0.0).x);
    around = max(around, textureSampleLevel(mask, mask_sampler, in.uv - vec2f(0.0, step.y), 0.0).x);
    let edge = clamp(around - centre, 0.0, 1.0);
    return vec4f(outline.color.rgb, outline.color.a * edge * (0.75 + 0.25 * sin(outline.pulse)));
}
