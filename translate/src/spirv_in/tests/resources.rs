//! What a variable is as a descriptor.

use super::{bound, compute, interface, only, read};
use crate::error::ErrorKind;
use crate::interface::{Access, Component, DescriptorType, Dimension, ResourceClass};
use crate::ledger;

fn handle(ty: &str, pointee: &str) -> crate::interface::Resource {
    let globals = format!("{ty}\n%p = OpTypePointer UniformConstant {pointee}\n%v = OpVariable %p UniformConstant");
    only(&compute(&bound("%v", 7), &globals, ""))
}

fn image(operands: &str) -> crate::interface::Resource {
    handle(&format!("%t = OpTypeImage {operands}"), "%t")
}

#[test]
fn images_are_told_apart_by_dimension_and_use() {
    let cases = [
        ("%f32 1D 0 0 0 1 Unknown", DescriptorType::SampledImage, Dimension::D1, Component::Float),
        ("%f32 1D 0 1 0 1 Unknown", DescriptorType::SampledImage, Dimension::D1Array, Component::Float),
        ("%f32 2D 0 0 0 1 Unknown", DescriptorType::SampledImage, Dimension::D2, Component::Float),
        ("%i32 2D 0 1 0 1 Unknown", DescriptorType::SampledImage, Dimension::D2Array, Component::Sint),
        ("%u32 2D 0 0 1 1 Unknown", DescriptorType::SampledImage, Dimension::D2Ms, Component::Uint),
        ("%f32 2D 1 1 1 1 Unknown", DescriptorType::SampledImage, Dimension::D2MsArray, Component::Float),
        ("%f32 3D 0 0 0 1 Unknown", DescriptorType::SampledImage, Dimension::D3, Component::Float),
        ("%f32 Cube 0 0 0 1 Unknown", DescriptorType::SampledImage, Dimension::Cube, Component::Float),
        ("%f32 Cube 0 1 0 1 Unknown", DescriptorType::SampledImage, Dimension::CubeArray, Component::Float),
        ("%f32 Buffer 0 0 0 1 Unknown", DescriptorType::UniformTexelBuffer, Dimension::Buffer, Component::Float),
        ("%u32 Buffer 0 0 0 2 R32ui", DescriptorType::StorageTexelBuffer, Dimension::Buffer, Component::Uint),
        ("%f32 2D 0 0 0 2 Rgba8", DescriptorType::StorageImage, Dimension::D2, Component::Float),
        ("%f32 SubpassData 0 0 0 2 Unknown", DescriptorType::InputAttachment, Dimension::Subpass, Component::Float),
    ];
    for (operands, ty, dimension, component) in cases {
        let resource = image(operands);
        assert_eq!((resource.ty, resource.dimension, resource.component), (ty, Some(dimension), Some(component)));
        let storage = matches!(ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer);
        let expected = if storage { ResourceClass::Uav } else { ResourceClass::Srv };
        assert_eq!(resource.class, expected, "{operands}");
        assert_eq!((resource.set, resource.binding, resource.space, resource.register), (0, 7, 0, 7));
    }
}

#[test]
fn samplers_and_combined_image_samplers() {
    let sampler = handle("%t = OpTypeSampler", "%t");
    assert_eq!((sampler.class, sampler.ty), (ResourceClass::Sampler, DescriptorType::Sampler));
    assert_eq!((sampler.dimension, sampler.component, sampler.access), (None, None, Access::Read));

    let combined = handle("%i = OpTypeImage %f32 3D 0 0 0 1 Unknown\n%t = OpTypeSampledImage %i", "%t");
    assert_eq!((combined.class, combined.ty), (ResourceClass::Srv, DescriptorType::CombinedImageSampler));
    assert_eq!((combined.dimension, combined.component), (Some(Dimension::D3), Some(Component::Float)));
}

#[test]
fn arrays_count_their_elements_and_one_without_an_end_has_no_count() {
    let sampler = "%s = OpTypeSampler\n";
    assert_eq!(handle(&format!("{sampler}%t = OpTypeArray %s %c4"), "%t").count, Some(4));
    assert_eq!(handle(&format!("{sampler}%a = OpTypeArray %s %c4\n%t = OpTypeArray %a %c3"), "%t").count, Some(12));
    assert_eq!(handle(&format!("{sampler}%t = OpTypeRuntimeArray %s"), "%t").count, None);
    assert_eq!(handle(&format!("{sampler}%t = OpTypeArray %s %c1"), "%t").count, Some(1));
}

#[test]
fn a_specialisation_constant_counts_with_its_default() {
    let sampler = "%s = OpTypeSampler\n";
    let constant = format!("{sampler}%n = OpSpecConstant %u32 5\n%t = OpTypeArray %s %n");
    assert_eq!(handle(&constant, "%t").count, Some(5));
    // 5 * 3 - 2 = 13
    let operation = format!(
        "{sampler}%n = OpSpecConstant %u32 5
        %m = OpSpecConstantOp %u32 IMul %n %c3
        %k = OpSpecConstantOp %u32 ISub %m %c2
        %t = OpTypeArray %s %k"
    );
    assert_eq!(handle(&operation, "%t").count, Some(13));
}

#[test]
fn a_uniform_block_is_as_long_as_its_last_member() {
    // float4x4 at 0 (64 bytes), float3 at 64, array of 3 float4 at 80: 80 + 48 = 128.
    let decorations = format!(
        "{}
        OpName %v \"frame\"
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 0 ColMajor
        OpMemberDecorate %block 0 MatrixStride 16
        OpMemberDecorate %block 1 Offset 64
        OpMemberDecorate %block 2 Offset 80
        OpDecorate %array ArrayStride 16",
        bound("%v", 2)
    );
    let globals = "
        %m4 = OpTypeMatrix %v4f 4
        %array = OpTypeArray %v4f %c3
        %block = OpTypeStruct %m4 %v3f %array
        %p = OpTypePointer Uniform %block
        %v = OpVariable %p Uniform";
    let resource = only(&compute(&decorations, globals, ""));
    assert_eq!((resource.class, resource.ty), (ResourceClass::Cbv, DescriptorType::UniformBuffer));
    assert_eq!((resource.size_bytes, resource.name.as_str()), (Some(128), "frame"));
    assert_eq!((resource.access, resource.used, resource.count), (Access::Read, false, Some(1)));
}

#[test]
fn a_row_major_matrix_takes_a_stride_a_row() {
    // float4x3 in rows: three rows of 16 bytes; a nested structure at 48 with a float at 4: 48 + 8 = 56.
    let decorations = format!(
        "{}
        OpName %block \"Globals\"
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 0 RowMajor
        OpMemberDecorate %block 0 MatrixStride 16
        OpMemberDecorate %block 1 Offset 48
        OpMemberDecorate %inner 0 Offset 0
        OpMemberDecorate %inner 1 Offset 4",
        bound("%v", 0)
    );
    let globals = "
        %m43 = OpTypeMatrix %v3f 4
        %inner = OpTypeStruct %f32 %f32
        %block = OpTypeStruct %m43 %inner
        %p = OpTypePointer Uniform %block
        %v = OpVariable %p Uniform";
    let resource = only(&compute(&decorations, globals, ""));
    assert_eq!((resource.size_bytes, resource.name.as_str()), (Some(56), "Globals"));
}

fn buffer(class: &str, block: &str, more: &str) -> crate::interface::Resource {
    let decorations = format!(
        "{}
        OpDecorate %block {block}
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %array ArrayStride 8
        OpMemberDecorate %record 0 Offset 0
        OpMemberDecorate %record 1 Offset 4
        {more}",
        bound("%v", 0)
    );
    let globals = format!(
        "%record = OpTypeStruct %f32 %f32
        %array = OpTypeRuntimeArray %record
        %block = OpTypeStruct %array
        %p = OpTypePointer {class} %block
        %v = OpVariable %p {class}"
    );
    only(&compute(&decorations, &globals, ""))
}

#[test]
fn storage_buffers_old_and_new() {
    for (class, block) in [("StorageBuffer", "Block"), ("Uniform", "BufferBlock")] {
        let resource = buffer(class, block, "");
        assert_eq!((resource.class, resource.ty), (ResourceClass::Uav, DescriptorType::StorageBuffer));
        assert_eq!((resource.size_bytes, resource.stride_bytes), (None, Some(8)));
        // Nothing names it: nothing is known.
        assert_eq!(resource.access, Access::ReadWrite);
    }
}

#[test]
fn a_non_writable_storage_buffer_is_a_shader_resource() {
    for more in ["OpDecorate %v NonWritable", "OpMemberDecorate %block 0 NonWritable"] {
        let resource = buffer("StorageBuffer", "Block", more);
        assert_eq!((resource.class, resource.access), (ResourceClass::Srv, Access::Read));
    }
    let resource = buffer("StorageBuffer", "Block", "OpDecorate %v NonReadable");
    assert_eq!((resource.class, resource.access), (ResourceClass::Uav, Access::Write));
}

#[test]
fn decorations_reach_through_groups() {
    let decorations = "
        OpDecorate %group DescriptorSet 3
        OpDecorate %group Binding 9
        %group = OpDecorationGroup
        OpGroupDecorate %group %v";
    let globals = "
        %s = OpTypeSampler
        %p = OpTypePointer UniformConstant %s
        %v = OpVariable %p UniformConstant";
    let resource = only(&compute(decorations, globals, ""));
    assert_eq!((resource.set, resource.binding), (3, 9));
}

#[test]
fn resources_stand_in_binding_order() {
    let decorations = "
        OpDecorate %a DescriptorSet 1
        OpDecorate %a Binding 0
        OpDecorate %b DescriptorSet 0
        OpDecorate %b Binding 5
        OpDecorate %c DescriptorSet 0
        OpDecorate %c Binding 2";
    let globals = "
        %s = OpTypeSampler
        %p = OpTypePointer UniformConstant %s
        %a = OpVariable %p UniformConstant
        %b = OpVariable %p UniformConstant
        %c = OpVariable %p UniformConstant";
    let places: Vec<(u32, u32)> =
        interface(&compute(decorations, globals, "")).resources.iter().map(|r| (r.set, r.binding)).collect();
    assert_eq!(places, [(0, 2), (0, 5), (1, 0)]);
}

#[test]
fn a_resource_without_a_binding_is_malformed() {
    let globals = "
        %s = OpTypeSampler
        %p = OpTypePointer UniformConstant %s
        %v = OpVariable %p UniformConstant";
    let error = read(&compute("OpDecorate %v DescriptorSet 0", globals, "")).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::SPIRV_INTERFACE, ErrorKind::Malformed));
    assert!(error.place.offset.is_some());
}

#[test]
fn a_used_acceleration_structure_is_refused_and_an_unused_one_passes() {
    let globals = "
        %t = OpTypeAccelerationStructureKHR
        %p = OpTypePointer UniformConstant %t
        %v = OpVariable %p UniformConstant";
    let used = read(&compute(&bound("%v", 0), globals, "%l = OpLoad %t %v")).unwrap_err();
    assert_eq!((used.code, used.kind), (ledger::SPIRV_DESCRIPTOR, ErrorKind::Refused));
    assert_eq!(interface(&compute(&bound("%v", 0), globals, "")).resources, []);
}

/// Two uniform blocks (one of them an array, or not) at one binding.
fn aliases(second: &str, body: &str) -> crate::interface::Resource {
    let decorations = format!(
        "{}{}
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0",
        bound("%a", 4),
        bound("%b", 4)
    );
    let globals = format!(
        "%block = OpTypeStruct %v4f
        %blocks = OpTypeArray %block %c2
        %p = OpTypePointer Uniform %block
        %ps = OpTypePointer Uniform %blocks
        %p4 = OpTypePointer Uniform %v4f
        %a = OpVariable %p Uniform
        %b = OpVariable {second} Uniform"
    );
    only(&compute(&decorations, &globals, body))
}

#[test]
fn an_array_aliased_with_another_used_buffer_is_told() {
    let both = "
        %x = OpAccessChain %p4 %a %c0
        %y = OpAccessChain %p4 %b %c0 %c0";
    let resource = aliases("%ps", both);
    assert!(resource.aliased_array);
    assert_eq!(resource.count, Some(2));
    // Only the array is used, or there is no array: Metal can say either.
    assert!(!aliases("%ps", "%y = OpAccessChain %p4 %b %c0 %c0").aliased_array);
    let plain = "
        %x = OpAccessChain %p4 %a %c0
        %y = OpAccessChain %p4 %b %c0";
    assert!(!aliases("%p", plain).aliased_array);
}

#[test]
fn an_image_and_a_sampler_at_one_binding_are_combined() {
    let decorations = bound("%a", 1) + &bound("%b", 1);
    let globals = "
        %s = OpTypeSampler
        %i = OpTypeImage %f32 2D 0 0 0 1 Unknown
        %ps = OpTypePointer UniformConstant %s
        %pi = OpTypePointer UniformConstant %i
        %a = OpVariable %ps UniformConstant
        %b = OpVariable %pi UniformConstant";
    let resource = only(&compute(&decorations, globals, ""));
    assert_eq!(resource.ty, DescriptorType::CombinedImageSampler);
    assert_eq!(resource.dimension, Some(Dimension::D2));
}

#[test]
fn textures_at_one_binding_are_told_and_a_texture_with_a_sampler_is_not() {
    let decorations = bound("%a", 1) + &bound("%b", 1);
    let globals = |second: &str| {
        format!(
            "%s = OpTypeSampler
            %i = OpTypeImage %f32 2D 0 0 0 1 Unknown
            %j = OpTypeImage %f32 3D 0 0 0 1 Unknown
            %ps = OpTypePointer UniformConstant %s
            %pi = OpTypePointer UniformConstant %i
            %pj = OpTypePointer UniformConstant %j
            %a = OpVariable %pi UniformConstant
            %b = OpVariable %p{second} UniformConstant"
        )
    };
    let aliased = |second: &str, body: &str| only(&compute(&decorations, &globals(second), body)).aliased_array;
    let both = |ty: &str| format!("%x = OpLoad %i %a\n%y = OpLoad %{ty} %b");
    assert!(aliased("j", &both("j")) && aliased("i", &both("i")));
    assert!(!aliased("s", &both("s")) && !aliased("j", "%x = OpLoad %i %a"));
}
