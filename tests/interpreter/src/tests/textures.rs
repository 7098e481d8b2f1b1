//! Textures without a sampler.

use super::{bytes, one_thread_with, output, words};
use crate::{Resources, Texture, View};

/// R32_UINT texels that count up from 100, in the order of the memory.
fn texture(size: [u32; 3], layers: u32, levels: u32, samples: u32) -> View {
    let mut texels = 0;
    for level in 0..levels {
        texels += size.map(|n| (n >> level).max(1)).iter().product::<u32>() * layers * samples;
    }
    let bytes = bytes(&(100..100 + texels).collect::<Vec<_>>());
    View::Texture(Texture { format: 42, size, layers, levels, samples, bytes })
}

fn with(dimension: &str, view: View, body: &str) -> [u32; 4] {
    let mut resources = output(4);
    resources.shader_resources.insert(0.into(), view);
    let declaration = format!("dcl_resource_{dimension} (uint,uint,uint,uint) t0");
    one_thread_with(&declaration, body, "", resources).unwrap()
}

#[test]
fn texels_by_dimension() {
    let d2 = || texture([4, 2, 1], 1, 2, 1);
    assert_eq!(with("texture2d", d2(), "ld r4.xyzw, l(3, 1, 0, 0), t0.xyzw"), [107, 0, 0, 1]);
    // The second level has 2 x 1 texels after the first one's eight.
    assert_eq!(with("texture2d", d2(), "ld r4.xyzw, l(1, 0, 0, 1), t0.xyzw"), [109, 0, 0, 1]);
    for outside in ["4, 0, 0, 0", "0, 2, 0, 0", "2, 0, 0, 1", "0, 0, 0, 2", "-1, 0, 0, 0"] {
        let body = format!("ld r4.xyzw, l({outside}), t0.xyzw");
        assert_eq!(with("texture2d", d2(), &body), [0, 0, 0, 1], "{outside}");
    }
    let array = || texture([2, 2, 1], 3, 2, 1);
    // Level 0 has 12 texels; level 1 one for each layer.
    assert_eq!(with("texture2darray", array(), "ld r4.xyzw, l(1, 1, 2, 0), t0.xyzw"), [111, 0, 0, 1]);
    assert_eq!(with("texture2darray", array(), "ld r4.xyzw, l(0, 0, 1, 1), t0.xyzw"), [113, 0, 0, 1]);
    assert_eq!(with("texture2darray", array(), "ld r4.xyzw, l(0, 0, 3, 0), t0.xyzw"), [0, 0, 0, 1]);
    let d1 = texture([4, 1, 1], 2, 1, 1);
    assert_eq!(with("texture1darray", d1, "ld r4.xyzw, l(2, 1, 0, 0), t0.xyzw"), [106, 0, 0, 1]);
    let d3 = texture([2, 3, 4], 1, 1, 1);
    assert_eq!(with("texture3d", d3, "ld r4.xyzw, l(1, 2, 3, 0), t0.xyzw"), [123, 0, 0, 1]);
    let multi = texture([2, 2, 1], 1, 1, 4);
    let body = "ldms r4.xyzw, l(1, 0, 0, 0), t0.xyzw, l(3)";
    assert_eq!(with("texture2dms(4)", multi, body), [107, 0, 0, 1]);
}

#[test]
fn offsets_move_coordinates_but_not_the_layer() {
    let array = || texture([2, 2, 1], 2, 1, 1);
    let body = "ld_aoffimmi(1,-1,1) r4.xyzw, l(0, 1, 1, 0), t0.xyzw";
    assert_eq!(with("texture2darray", array(), body), [105, 0, 0, 1]);
    let body = "ld_aoffimmi(-1,0,0) r4.xyzw, l(0, 0, 0, 0), t0.xyzw";
    assert_eq!(with("texture2darray", array(), body), [0, 0, 0, 1]);
}

#[test]
fn sizes() {
    let array = || texture([8, 4, 1], 3, 4, 1);
    assert_eq!(with("texture2darray", array(), "resinfo_uint r4.xyzw, l(1), t0.xyzw"), [4, 2, 3, 4]);
    // A level that is not there has no size.
    assert_eq!(with("texture2darray", array(), "resinfo_uint r4.xyzw, l(4), t0.xyzw"), [0, 0, 0, 4]);
    let floats = with("texture2darray", array(), "resinfo_rcpFloat r4.xyzw, l(0), t0.xyzw").map(f32::from_bits);
    assert_eq!(floats, [0.125, 0.25, 3.0, 4.0]);
    let floats = with("texture2darray", array(), "resinfo r4.xyzw, l(0), t0.wzyx").map(f32::from_bits);
    assert_eq!(floats, [4.0, 3.0, 4.0, 8.0]);
    let floats = with("texture2darray", array(), "resinfo_rcpFloat r4.xyzw, l(9), t0.xyzw").map(f32::from_bits);
    assert_eq!(floats, [f32::INFINITY, f32::INFINITY, 0.0, 4.0]);
}

#[test]
fn samples_and_their_positions() {
    let multi = || texture([2, 2, 1], 1, 1, 4);
    assert_eq!(with("texture2dms(4)", multi(), "sampleinfo_uint r4.xy, t0.xyxx"), [4, 0, 0, 0]);
    let at = |n: u32| {
        let body = format!("samplepos r4.xy, t0.xyxx, l({n})");
        with("texture2dms(4)", multi(), &body).map(f32::from_bits)
    };
    assert_eq!(at(1), [0.375, -0.125, 0.0, 0.0]);
    assert_eq!(at(4), [0.0; 4]);
}

#[test]
fn a_texture_can_be_written() {
    let text = "cs_5_0
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_temps 1
dcl_thread_group 1, 1, 1
store_uav_typed u0.xyzw, l(1, 1, 0, 0), l(7, 8, 9, 10)
store_uav_typed u0.xyzw, l(2, 0, 0, 0), l(7, 8, 9, 10)
ld_uav_typed r0.x, l(0, 1, 0, 0), u0.xyzw
atomic_iadd u0, l(0, 0, 0, 0), r0.x
ret
";
    let mut resources = Resources::default();
    resources.unordered_access.insert(0.into(), texture([2, 2, 1], 1, 1, 1));
    super::machine(text).dispatch(&mut resources, [1, 1, 1], &mut ()).unwrap();
    assert_eq!(words(&resources, 0), [202, 101, 102, 7]);
}
