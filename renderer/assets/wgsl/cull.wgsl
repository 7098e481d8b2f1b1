// Instances against the camera's planes: what is visible is appended to a list, whose length is the list's own.

struct Planes {
    planes: array<vec4f, 6>,
}

struct Instance {
    centre: vec3f,
    radius: f32,
}

struct Visible {
    count: atomic<u32>,
    indices: array<u32>,
}

@group(0) @binding(0) var<uniform> camera: Planes;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read_write> visible: Visible;

@compute @workgroup_size(64)
fn cull(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&instances)) {
        return;
    }
    let instance = instances[id.x];
    for (var i = 0u; i < 6u; i++) {
        let plane = camera.planes[i];
        if (dot(plane.xyz, instance.centre) + plane.w < -instance.radius) {
            return;
        }
    }
    let at = atomicAdd(&visible.count, 1u);
    if (at < arrayLength(&visible.indices)) {
        visible.indices[at] = id.x;
    }
}
