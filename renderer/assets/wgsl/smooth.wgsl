// Edges of the tone-mapped picture, smoothed: fullscreen_vs and smooth_ps in another language.

struct Frame {
    view: mat4x4f,
    projection: mat4x4f,
    view_projection: mat4x4f,
    inverse_view_projection: mat4x4f,
    shadow_view_projection: mat4x4f,
    camera_position: vec3f,
    time: f32,
    sun_direction: vec3f,
    delta_time: f32,
    sun_radiance: vec3f,
    frame_index: u32,
    target_size: vec2f,
    inverse_target_size: vec2f,
}

struct Post {
    bloom_weight: f32,
    vignette: f32,
    grain: f32,
    // Differences of luminance below it are no edges.
    edge_threshold: f32,
}

@group(0) @binding(0) var<uniform> FrameConstants: Frame;
@group(0) @binding(1) var<uniform> PostConstants: Post;
@group(0) @binding(2) var scene: texture_2d<f32>;
@group(0) @binding(3) var linear_clamp: sampler;

struct Screen {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vs_fullscreen(@builtin(vertex_index) index: u32) -> Screen {
    let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return Screen(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 1.0, 1.0), uv);
}

fn tap(uv: vec2f) -> vec3f {
    return textureSampleLevel(scene, linear_clamp, uv, 0.0).rgb;
}

@fragment
fn ps_smooth(screen: Screen) -> @location(0) vec4f {
    let uv = screen.uv;
    // Alpha is the luminance.
    let middle = textureSampleLevel(scene, linear_clamp, uv, 0.0);
    let slope = abs(dpdxFine(middle.a)) + abs(dpdyFine(middle.a));
    let n = textureSampleLevel(scene, linear_clamp, uv, 0.0, vec2i(0, -1)).a;
    let s = textureSampleLevel(scene, linear_clamp, uv, 0.0, vec2i(0, 1)).a;
    let e = textureSampleLevel(scene, linear_clamp, uv, 0.0, vec2i(1, 0)).a;
    let w = textureSampleLevel(scene, linear_clamp, uv, 0.0, vec2i(-1, 0)).a;
    let low = min(middle.a, min(min(n, s), min(e, w)));
    let high = max(middle.a, max(max(n, s), max(e, w)));
    let contrast = max(high - low, slope * 0.5);
    let threshold = PostConstants.edge_threshold;
    if contrast < threshold {
        return vec4f(middle.rgb, 1.0);
    }
    // Blended along the edge: across the gradient, turned by a quarter.
    let gradient = vec2f(e - w, s - n);
    var along = vec2f(-gradient.y, gradient.x);
    along *= inverseSqrt(max(dot(along, along), 1e-6));
    let texel = along * FrameConstants.inverse_target_size;
    let near_taps = tap(uv + texel * 0.5) + tap(uv - texel * 0.5);
    let far_taps = tap(uv + texel * 1.5) + tap(uv - texel * 1.5);
    let smoothed = near_taps * 0.35 + far_taps * 0.15;
    let amount = saturate((contrast - threshold) / (threshold * 2.0)) * 0.85;
    return vec4f(mix(middle.rgb, smoothed, amount), 1.0);
}
