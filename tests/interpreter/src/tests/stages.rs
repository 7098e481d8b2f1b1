//! Vertices and pixels.

use super::{machine, words};
use crate::{Error, Inputs, Resources};

#[test]
fn a_vertex_reads_registers_and_its_number() {
    let text = "vs_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_input v0.xyz
dcl_input_sgv v1.y, vertex_id
dcl_input_sgv v2.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_temps 1
add o0.xyz, v0.xyzx, cb0[0].xyzx
mov o0.w, l(1.0)
iadd o1.x, v1.y, v2.x
ret
";
    let mut resources = Resources::default();
    let floats = |values: [f32; 4]| values.map(f32::to_bits);
    resources.constant_buffers.insert(0.into(), super::bytes(&floats([0.5, 0.25, 0.125, 0.0])));
    let inputs = Inputs {
        registers: [(0, floats([1.0, 2.0, 3.0, 4.0])), (1, [7; 4])].into(),
        vertex_id: 40,
        instance_id: 2,
        ..Inputs::default()
    };
    let outputs = machine(text).invoke(&inputs, &mut resources, &mut ()).unwrap();
    assert_eq!(outputs.registers[&0], floats([1.5, 2.25, 3.125, 1.0]));
    assert_eq!(outputs.registers[&1], [42, 0, 0, 0]);
}

#[test]
fn a_pixel_has_its_system_values_and_other_outputs() {
    let text = "ps_5_0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps_sgv v1.x, is_front_face
dcl_input_ps_sgv v1.y, sampleIndex
dcl_input vPrim
dcl_input vCoverage
dcl_output o0.xyzw
dcl_output oDepth
dcl_output oMask
dcl_temps 1
mov o0.xy, v0.xyxx
mov o0.z, v1.x
iadd o0.w, v1.y, vPrim
mov oDepth, l(0.5)
mov oMask, vCoverage.x
ret
";
    let inputs = Inputs {
        position: [0x3f00_0000, 0x3fc0_0000, 1, 1],
        front_face: true,
        sample_index: 3,
        primitive_id: 20,
        coverage: 0xf,
        ..Inputs::default()
    };
    let outputs = machine(text).invoke(&inputs, &mut Resources::default(), &mut ()).unwrap();
    assert_eq!(outputs.registers[&0], [0x3f00_0000, 0x3fc0_0000, u32::MAX, 23]);
    assert_eq!((outputs.depth, outputs.coverage, outputs.stencil), (Some(0x3f00_0000), Some(0xf), None));
    assert!(!outputs.discarded);
}

#[test]
fn a_discarded_pixel_goes_on_without_effects() {
    let text = "ps_5_0
dcl_uav_raw u1
dcl_input_ps constant v0.x
dcl_output o0.x
dcl_temps 1
store_raw u1.x, l(0), l(1)
discard_nz v0.x
store_raw u1.x, l(4), l(2)
imm_atomic_iadd r0.x, u1, l(0), l(10)
mov o0.x, l(5)
ret
";
    for (input, want) in [(0, [11, 2]), (1, [1, 0])] {
        let mut resources = Resources::default();
        resources.unordered_access.insert(1.into(), super::raw(&[0, 0]));
        let inputs = Inputs { registers: [(0, [input; 4])].into(), ..Inputs::default() };
        let outputs = machine(text).invoke(&inputs, &mut resources, &mut ()).unwrap();
        assert_eq!(outputs.discarded, input != 0);
        assert_eq!(words(&resources, 1), want);
    }
}

#[test]
fn constant_inputs_are_the_same_at_every_sample() {
    let text = "ps_5_0
dcl_input_ps constant v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
eval_sample_index o0.xyzw, -v0.wzyx, l(1)
ret
";
    let inputs = Inputs { registers: [(0, [1, 2, 3, 4])].into(), ..Inputs::default() };
    let outputs = machine(text).invoke(&inputs, &mut Resources::default(), &mut ()).unwrap();
    assert_eq!(outputs.registers[&0], [4, 3, 2, 1].map(|word| word | 1 << 31));
}

#[test]
fn derivatives_and_filters_are_refused_by_name() {
    let text = "ps_5_0
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 1
sample o0.xyzw, v0.xyxx, t0.xyzw, s0
deriv_rtx_coarse o0.x, v0.x
ret
";
    let error = machine(text).invoke(&Inputs::default(), &mut Resources::default(), &mut ()).unwrap_err();
    // Nothing is bound, so the sample gives zero; the derivative is what fails.
    assert_eq!(error.to_string(), "instruction 1 (deriv_rtx_coarse): it needs the other pixels of the quad");
    let mut resources = Resources::default();
    resources.shader_resources.insert(0.into(), crate::View::Texture(crate::Texture::default()));
    let error = machine(text).invoke(&Inputs::default(), &mut resources, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "instruction 0 (sample): it needs a sampler");
}

#[test]
fn stages_are_checked() {
    let vertex = machine("vs_5_0\nret\n");
    let error = vertex.dispatch(&mut Resources::default(), [1, 1, 1], &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "dispatch does not run Vertex shaders");
    let compute = machine("cs_5_0\ndcl_thread_group 1, 1, 1\nret\n");
    let error = compute.invoke(&Inputs::default(), &mut Resources::default(), &mut ()).unwrap_err();
    assert!(matches!(error, Error::Stage { called: "invoke", .. }));
}
