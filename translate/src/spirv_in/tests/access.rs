//! What instructions do with a resource: through chains, handles, calls; lengths, push constants, global memory.

use super::{bound, compute, interface, module, only};
use crate::interface::{Access, StageInterface};

const BUFFER: &str = "
    %array = OpTypeRuntimeArray %u32
    %block = OpTypeStruct %u32 %array
    %p = OpTypePointer StorageBuffer %block
    %pu = OpTypePointer StorageBuffer %u32
    %v = OpVariable %p StorageBuffer";

fn buffer_text(body: &str) -> String {
    let decorations = format!("OpDecorate %block Block\nOpDecorate %array ArrayStride 4\n{}", bound("%v", 0));
    compute(&decorations, BUFFER, body)
}

fn buffer(body: &str) -> (Access, bool) {
    let resource = only(&buffer_text(body));
    (resource.access, resource.used)
}

#[test]
fn a_buffer_is_read_written_or_both() {
    let chain = "%x = OpAccessChain %pu %v %c0\n";
    assert_eq!(buffer(""), (Access::ReadWrite, false));
    assert_eq!(buffer(&format!("{chain}%y = OpLoad %u32 %x")), (Access::Read, true));
    assert_eq!(buffer(&format!("{chain}OpStore %x %c1")), (Access::Write, true));
    assert_eq!(buffer(&format!("{chain}%y = OpLoad %u32 %x\nOpStore %x %y")), (Access::ReadWrite, true));
    assert_eq!(buffer(&format!("{chain}%y = OpAtomicIAdd %u32 %x %c1 %c0 %c1")), (Access::ReadWrite, true));
    assert_eq!(buffer(&format!("{chain}%y = OpAtomicLoad %u32 %x %c1 %c0")), (Access::Read, true));
    assert_eq!(buffer(&format!("{chain}OpAtomicStore %x %c1 %c0 %c1")), (Access::Write, true));
    // A chain alone uses it, and touches nothing.
    assert_eq!(buffer(chain), (Access::Read, true));
}

#[test]
fn copies_of_pointers_lead_to_the_variable() {
    let text = "
        %x = OpAccessChain %pu %v %c0
        %y = OpCopyObject %pu %x
        OpStore %y %c1";
    assert_eq!(buffer(text), (Access::Write, true));
    assert_eq!(buffer("%x = OpAccessChain %pu %v %c0\nOpCopyMemory %x %x"), (Access::ReadWrite, true));
}

#[test]
fn a_pointer_out_of_sight_may_do_anything() {
    let selected = "
        %x = OpAccessChain %pu %v %c0
        %t = OpIEqual %bool %c0 %c0
        %y = OpSelect %pu %t %x %x";
    assert_eq!(buffer(selected), (Access::ReadWrite, true));
}

#[test]
fn literals_are_not_mistaken_for_pointers() {
    // The literals of the shuffle run over the first ids, among which the variable's would be found.
    let words = super::assemble(&buffer_text("%x = OpVectorShuffle %v4f %o4f %o4f 0 1 2 3"));
    let at = words.iter().rposition(|w| *w == 3).unwrap();
    let variable = super::super::module::Module::read(&words).unwrap().variables[0].id;
    let mut changed = words.clone();
    changed[at] = variable;
    let interface = super::read_interface(&changed, None).unwrap();
    assert!(!interface.resources[0].used);
}

#[test]
fn array_length_is_traced_to_its_buffer() {
    let decorations =
        format!("OpDecorate %block Block\nOpDecorate %array ArrayStride 4\n{}{}", bound("%v", 0), bound("%w", 1));
    let globals = format!("{BUFFER}\n%w = OpVariable %p StorageBuffer");
    let body = "
        %x = OpAccessChain %pu %v %c0
        OpStore %x %c1
        %n = OpArrayLength %u32 %w 1";
    let interface = interface(&compute(&decorations, &globals, body));
    assert_eq!(interface.reads_array_length, Some(true));
    let lengths: Vec<bool> = interface.resources.iter().map(|r| r.reads_length).collect();
    assert_eq!(lengths, [false, true]);
    // Asking for the length is a use and no write.
    assert_eq!((interface.resources[1].access, interface.resources[1].used), (Access::Read, true));
    assert!(interface.uses_global_memory);
}

#[test]
fn without_array_length_none_is_read() {
    let interface = interface(&buffer_text("%x = OpAccessChain %pu %v %c0\n%y = OpLoad %u32 %x"));
    assert_eq!(interface.reads_array_length, Some(false));
    assert!(!interface.resources[0].reads_length);
    assert!(interface.uses_global_memory);
}

#[test]
fn an_unused_buffer_is_no_use_of_global_memory() {
    assert!(!interface(&buffer_text("")).uses_global_memory);
}

#[test]
fn physical_pointers_are_global_memory() {
    let text = "OpCapability Shader
        OpCapability PhysicalStorageBufferAddresses
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd";
    assert!(interface(text).uses_global_memory);
}

fn images(declaration: &str, body: &str) -> StageInterface {
    let decorations = format!("{}\n{declaration}", bound("%v", 0));
    let globals = "
        %t = OpTypeImage %u32 2D 0 0 0 2 R32ui
        %p = OpTypePointer UniformConstant %t
        %pt = OpTypePointer Image %u32
        %v = OpVariable %p UniformConstant";
    interface(&compute(&decorations, globals, body))
}

#[test]
fn storage_images_by_what_is_done_to_their_texels() {
    let load = "%i = OpLoad %t %v\n";
    let read = "%x = OpImageRead %v4u %i %o2u\n";
    let write = "OpImageWrite %i %o2u %x0\n";
    let value = "%x0 = OpCompositeConstruct %v4u %c0 %c0 %c0 %c0\n";
    let cases = [
        (format!("{load}{read}"), Access::Read, 0),
        (format!("{load}{value}{write}"), Access::Write, 0),
        (format!("{load}{read}{value}{write}"), Access::ReadWrite, 1),
        (format!("{load}%s = OpImageQuerySize %v2u %i"), Access::Read, 0),
        (
            String::from("%q = OpImageTexelPointer %pt %v %o2u %c0\n%y = OpAtomicIAdd %u32 %q %c1 %c0 %c1"),
            Access::ReadWrite,
            1,
        ),
    ];
    for (body, access, textures) in cases {
        let interface = images("", &body);
        assert_eq!(interface.resources[0].access, access, "{body}");
        assert!(interface.resources[0].used);
        assert_eq!(interface.read_write_textures, textures, "{body}");
    }
}

#[test]
fn declared_access_comes_before_use() {
    let load = "%i = OpLoad %t %v\n%x = OpImageRead %v4u %i %o2u\nOpImageWrite %i %o2u %x";
    assert_eq!(images("OpDecorate %v NonWritable", load).resources[0].access, Access::Read);
    assert_eq!(images("OpDecorate %v NonReadable", load).resources[0].access, Access::Write);
    assert_eq!(images("OpDecorate %v NonReadable", load).read_write_textures, 0);
}

#[test]
fn read_write_textures_count_descriptors_of_used_ones() {
    let decorations = bound("%v", 0) + &bound("%w", 1);
    let globals = "
        %t = OpTypeImage %u32 Buffer 0 0 0 2 R32ui
        %ts = OpTypeArray %t %c3
        %p = OpTypePointer UniformConstant %t
        %ps = OpTypePointer UniformConstant %ts
        %v = OpVariable %ps UniformConstant
        %w = OpVariable %ps UniformConstant";
    let body = "
        %e = OpAccessChain %p %v %c2
        %i = OpLoad %t %e
        %x = OpImageRead %v4u %i %c0
        OpImageWrite %i %c0 %x";
    assert_eq!(interface(&compute(&decorations, globals, body)).read_write_textures, 3);
}

#[test]
fn a_sampled_image_and_its_sampler_are_both_used() {
    let decorations = bound("%v", 0) + &bound("%s", 1) + &bound("%n", 2);
    let globals = "
        %t = OpTypeImage %f32 2D 0 0 0 1 Unknown
        %ty = OpTypeSampler
        %si = OpTypeSampledImage %t
        %p = OpTypePointer UniformConstant %t
        %ps = OpTypePointer UniformConstant %ty
        %v = OpVariable %p UniformConstant
        %s = OpVariable %ps UniformConstant
        %n = OpVariable %ps UniformConstant";
    let body = "
        %i = OpLoad %t %v
        %a = OpLoad %ty %s
        %c = OpSampledImage %si %i %a
        %x = OpImageSampleExplicitLod %v4f %c %o2f 2 %c0f";
    let interface = interface(&compute(&decorations, globals, body));
    let used: Vec<bool> = interface.resources.iter().map(|r| r.used).collect();
    assert_eq!(used, [true, true, false]);
}

/// A helper that writes through its parameter, called through another; a third function that nobody calls reads.
#[test]
fn parameters_carry_their_use_back_and_dead_functions_count_for_nothing() {
    let decorations =
        format!("OpDecorate %block Block\nOpDecorate %array ArrayStride 4\n{}{}", bound("%v", 0), bound("%w", 1));
    let globals = format!(
        "{BUFFER}
        %w = OpVariable %p StorageBuffer
        %helper = OpTypeFunction %void %pu %pu
        %outer = OpFunction %void None %helper
        %oa = OpFunctionParameter %pu
        %ob = OpFunctionParameter %pu
        %ol = OpLabel
        %oc = OpFunctionCall %void %inner %ob %oa
        OpReturn
        OpFunctionEnd
        %inner = OpFunction %void None %helper
        %ia = OpFunctionParameter %pu
        %ib = OpFunctionParameter %pu
        %il = OpLabel
        %iv = OpLoad %u32 %ib
        OpStore %ia %iv
        OpReturn
        OpFunctionEnd
        %dead = OpFunction %void None %fn
        %dl = OpLabel
        %dx = OpAccessChain %pu %v %c0
        OpStore %dx %c1
        %dn = OpArrayLength %u32 %v 1
        OpReturn
        OpFunctionEnd"
    );
    // main calls outer(v, w), which calls inner(w, v): reads v, writes w.
    let body = "
        %x = OpAccessChain %pu %v %c0
        %y = OpAccessChain %pu %w %c0
        %r = OpFunctionCall %void %outer %x %y";
    let interface = interface(&compute(&decorations, &globals, body));
    let access: Vec<Access> = interface.resources.iter().map(|r| r.access).collect();
    assert_eq!(access, [Access::Read, Access::Write]);
    assert_eq!(interface.reads_array_length, Some(false));
}

#[test]
fn functions_that_call_one_another_end() {
    let globals = "
        %a = OpFunction %void None %fn
        %al = OpLabel
        %ac = OpFunctionCall %void %b
        OpReturn
        OpFunctionEnd
        %b = OpFunction %void None %fn
        %bl = OpLabel
        %bc = OpFunctionCall %void %a
        OpReturn
        OpFunctionEnd";
    assert_eq!(interface(&compute("", globals, "%r = OpFunctionCall %void %a")).resources, []);
}

#[test]
fn push_constants_are_as_long_as_what_is_used() {
    // A uint at 0 and a float4 at 16: 32 bytes.
    let decorations = "
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 1 Offset 16";
    let globals = "
        %block = OpTypeStruct %u32 %v4f
        %p = OpTypePointer PushConstant %block
        %pu = OpTypePointer PushConstant %u32
        %v = OpVariable %p PushConstant";
    let used = "%x = OpAccessChain %pu %v %c0\n%y = OpLoad %u32 %x";
    assert_eq!(interface(&compute(decorations, globals, used)).push_constant_bytes, 32);
    assert_eq!(interface(&compute(decorations, globals, "")).push_constant_bytes, 0);
}

#[test]
fn only_glsls_instructions_work_on_memory() {
    // Modf stores through its second operand; a debug instruction that names the variable does not use it.
    let with_set = |set: &str, call: &str| {
        let text = format!("%set = OpExtInstImport \"{set}\"\n{}", buffer_text(call));
        only(&text)
    };
    let modf = with_set("GLSL.std.450", "%x = OpAccessChain %pu %v %c0\n%y = OpExtInst %f32 %set 35 %c0f %x");
    assert_eq!((modf.access, modf.used), (Access::ReadWrite, true));
    let debug = with_set("NonSemantic.Shader.DebugInfo.100", "%y = OpExtInst %void %set 28 %v");
    assert!(!debug.used);
}

#[test]
fn draw_index_and_view_index_count_where_the_code_reads_them() {
    for (builtin, expected) in [("DrawIndex", (true, false)), ("ViewIndex", (false, true))] {
        let text = |body: &str| {
            module(
                "Vertex",
                &format!("OpDecorate %v BuiltIn {builtin}"),
                "%p = OpTypePointer Input %i32\n%v = OpVariable %p Input",
                body,
            )
            .replace("%main \"main\"", "%main \"main\" %v")
        };
        let used = interface(&text("%x = OpLoad %i32 %v"));
        assert_eq!((used.draw_index, used.multiview), expected, "{builtin}");
        let unused = interface(&text(""));
        assert_eq!((unused.draw_index, unused.multiview), (false, false));
    }
}
