// The particles without a geometry stage, which Metal lacks: a strip of four vertices an instance, each of which pulls
// its particle. The picture is that of particle_vs, particle_gs and particle_ps, to the pixel: sums and products are
// fused where theirs are.

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
    near_plane: f32,
    far_plane: f32,
    light_count: u32,
    tile_count_x: u32,
    fog_color: vec3f,
    fog_density: f32,
}

struct Settings {
    ember_origin: vec3f,
    emit_count: u32,
    gravity: vec3f,
    drag: f32,
    camera_right: vec3f,
    emit_serial: u32,
    camera_up: vec3f,
    // Metres over which a particle fades in front of a surface.
    soft_distance: f32,
    sort_size: u32,
    sort_stride: u32,
    reserved: vec2f,
}

struct Particle {
    position: vec3f,
    age: f32,
    velocity: vec3f,
    life: f32,
    color: vec4f,
    size: f32,
    spin: f32,
    // 0 ember, 1 spray.
    kind: u32,
    serial: u32,
}

struct SortEntry {
    distance: f32,
    index: u32,
}

@group(0) @binding(0) var<uniform> FrameConstants: Frame;
@group(0) @binding(1) var<uniform> ParticleConstants: Settings;
@group(0) @binding(2) var<storage, read> pool_read: array<Particle>;
@group(0) @binding(3) var<storage, read> sorted: array<SortEntry>;
@group(0) @binding(4) var depth_map: texture_2d<f32>;

struct Sprite {
    @builtin(position) position: vec4f,
    @location(0) corner: vec2f,
    @location(1) color: vec4f,
    @location(2) distance: f32,
    @location(3) @interpolate(flat) kind: u32,
}

@vertex
fn vs_particle(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Sprite {
    let particle = pool_read[sorted[instance].index];
    let t = particle.age / max(particle.life, 0.001);
    let size = particle.size * select(fma(-t, 0.6, 1.0), fma(t, 1.5, 1.0), particle.kind != 0u);
    let angle = fma(t, 2.0, particle.spin);
    let fade = (1.0 - t) * saturate(t * 8.0);

    let s = vec3f(sin(angle));
    let c = vec3f(cos(angle));
    let axes = array(ParticleConstants.camera_right, ParticleConstants.camera_up);
    let right = fma(axes[0], c, s * axes[1]);
    let up = fma(axes[1], c, -(s * axes[0]));
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    let side = fma(right, vec3f(corner.x * size), particle.position);
    let world = fma(up, vec3f(corner.y * size), side);

    let m = FrameConstants.view_projection;
    let plane = fma(m[0], vec4f(world.x), world.y * m[1]);
    var sprite: Sprite;
    sprite.position = fma(m[2], vec4f(world.z), plane) + m[3];
    sprite.corner = corner;
    sprite.color = vec4f(particle.color.rgb, fade * particle.color.a);
    sprite.distance = sprite.position.w;
    sprite.kind = particle.kind;
    return sprite;
}

fn view_depth(depth: f32) -> f32 {
    let near = FrameConstants.near_plane;
    let far = FrameConstants.far_plane;
    return near * far / fma(-depth, far - near, far);
}

// Premultiplied alpha: embers add light (alpha 0), spray covers.
@fragment
fn ps_particle(sprite: Sprite) -> @location(0) vec4f {
    let r2 = dot(sprite.corner, sprite.corner);
    if r2 >= 1.0 {
        discard;
    }
    let behind = view_depth(textureLoad(depth_map, vec2i(sprite.position.xy), 0).x);
    let soft = saturate((behind - sprite.distance) / ParticleConstants.soft_distance);
    let alpha = soft * ((1.0 - r2) * (1.0 - r2) * sprite.color.a);
    return vec4f(alpha * sprite.color.rgb, select(0.0, alpha, sprite.kind != 0u));
}
