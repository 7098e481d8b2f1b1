// Contrast-adaptive sharpening of the tone-mapped picture, with a vignette and a dither against banding.
//
// One thread a pixel. Each group first copies its tile and a border of one pixel into group memory, so that a pixel
// is fetched from the texture about once instead of five times.

struct Settings {
    // Size of the picture, in pixels.
    size: vec2<u32>,
    // 0: no sharpening; 1: as much as does not ring.
    sharpness: f32,
    // Darkening in the corners, 0 to 1.
    vignette: f32,
    // Changes every frame, so that the dither does not stand still.
    frame: u32,
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var result: texture_storage_2d<rgba8unorm, write>;

const TILE: u32 = 16u;
// The tile with its border.
const SIDE: u32 = TILE + 2u;
const CELLS: u32 = SIDE * SIDE;
const THREADS: u32 = TILE * TILE;

var<workgroup> cells: array<vec3<f32>, CELLS>;

fn luminance(color: vec3<f32>) -> f32 {
    return dot(color, vec3<f32>(0.2126, 0.7152, 0.0722));
}

fn cell(at: vec2<u32>) -> vec3<f32> {
    return cells[at.y * SIDE + at.x];
}

// Fills the group's cells: 18 x 18 of them by 256 threads, so some threads fill two.
fn fetch_tile(origin: vec2<i32>, thread: u32) {
    let last = vec2<i32>(settings.size) - vec2<i32>(1);
    for (var i = thread; i < CELLS; i += THREADS) {
        let offset = vec2<i32>(i32(i % SIDE), i32(i / SIDE)) - vec2<i32>(1);
        let at = clamp(origin + offset, vec2<i32>(0), last);
        cells[i] = textureLoad(picture, at, 0).rgb;
    }
}

// Sharpens less where the neighbourhood already spans the whole range, which is where halos would show.
fn sharpened(at: vec2<u32>) -> vec3<f32> {
    let center = cell(at);
    let north = cell(at - vec2<u32>(0u, 1u));
    let south = cell(at + vec2<u32>(0u, 1u));
    let west = cell(at - vec2<u32>(1u, 0u));
    let east = cell(at + vec2<u32>(1u, 0u));
    let low = min(center, min(min(north, south), min(west, east)));
    let high = max(center, max(max(north, south), max(west, east)));
    let headroom = min(luminance(low), 1.0 - luminance(high));
    let amount = sqrt(clamp(headroom / max(luminance(high), 1.0e-4), 0.0, 1.0));
    // Weight of each neighbour: -1/8 at full strength, which keeps the sum of weights positive.
    let weight = -0.125 * amount * settings.sharpness;
    return (center + weight * (north + south + west + east)) / (1.0 + 4.0 * weight);
}

// Uniform noise of a pixel and a frame in [0, 1), from an integer hash.
fn noise(pixel: vec2<u32>, frame: u32) -> f32 {
    var h = pixel.x * 1664525u + pixel.y * 1013904223u + frame * 2654435769u;
    h ^= h >> 16u;
    h *= 0x7feb352du;
    h ^= h >> 15u;
    return f32(h >> 8u) / 16777216.0;
}

@compute @workgroup_size(16, 16)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let origin = vec2<i32>(group.xy * TILE);
    fetch_tile(origin, thread);
    workgroupBarrier();

    let pixel = vec2<u32>(origin) + local.xy;
    if any(pixel >= settings.size) {
        return;
    }
    let color = sharpened(local.xy + vec2<u32>(1u));
    let centered = (vec2<f32>(pixel) + 0.5) / vec2<f32>(settings.size) * 2.0 - 1.0;
    let shade = 1.0 - settings.vignette * 0.5 * dot(centered, centered);
    let dither = (noise(pixel, settings.frame) - 0.5) / 255.0;
    textureStore(result, pixel, vec4<f32>(clamp(color * shade + dither, vec3<f32>(0.0), vec3<f32>(1.0)), 1.0));
}
