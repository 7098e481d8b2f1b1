//! Blocks, joins, constructs and modes.

use super::*;
use spirv::Op as S;

/// `out = in.x ? a : b` by way of two blocks and a join.
pub(in super::super) fn join() -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let condition = s.value(Type::BOOL);
    let (a, b) = (s.value(F32X4), s.value(F32X4));
    let [then, otherwise, merge] = [(); 3].map(|()| s.b.new_block());
    s.b.end(Merge::Selection(merge), Terminator::Conditional { condition, then, otherwise });
    s.b.begin(then);
    let sum = s.b.op(Op::FAdd, F32X4, &[a, b]);
    s.b.branch(merge);
    s.b.begin(otherwise);
    s.b.branch(merge);
    s.b.begin(merge);
    let joined = s.b.phi(F32X4, &[(sum, then), (b, otherwise)]);
    s.sink(joined);
    s.finish()
}

/// `for (i = 0; i < n; i++) x += x;`
fn counting() -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let (n, start) = (s.value(Type::U32), s.value(Type::F32));
    let (zero, one) = (s.b.u32(0), s.b.u32(1));
    let entry = s.b.current().unwrap();
    let [header, body, next, merge] = [(); 4].map(|()| s.b.new_block());
    s.b.branch(header);
    s.b.begin(header);
    let i = s.b.phi(Type::U32, &[(zero, entry), (zero, next)]);
    let x = s.b.phi(Type::F32, &[(start, entry), (start, next)]);
    let go = s.b.op(Op::ULess, Type::BOOL, &[i, n]);
    let end = Terminator::Conditional { condition: go, then: body, otherwise: merge };
    s.b.end(Merge::Loop { merge, next }, end);
    s.b.begin(body);
    let doubled = s.b.op(Op::FAdd, Type::F32, &[x, x]);
    s.b.branch(next);
    s.b.begin(next);
    let stepped = s.b.op(Op::IAdd, Type::U32, &[i, one]);
    s.b.branch(header);
    s.b.set_incoming(i, 1, stepped, next);
    s.b.set_incoming(x, 1, doubled, next);
    s.b.begin(merge);
    s.sink(x);
    s.finish()
}

#[test]
fn a_join_names_its_predecessors() {
    let written = write(&join(), Target::Vulkan13);
    let phi = written.find(S::Phi)[0];
    assert_eq!(phi.operands.len(), 4);
    let labels: Vec<u32> = written.find(S::Label).iter().filter_map(|inst| inst.result_id).collect();
    assert_eq!(phi.operands[1].unwrap_id_ref(), labels[1]);
    assert_eq!(phi.operands[3].unwrap_id_ref(), labels[2]);
    assert_eq!(written.count(S::SelectionMerge), 1);
}

#[test]
fn a_loop_uses_values_from_further_on() {
    let written = write(&counting(), Target::Vulkan11);
    written.assert_compact();
    let merge = written.find(S::LoopMerge)[0];
    let labels: Vec<u32> = written.find(S::Label).iter().filter_map(|inst| inst.result_id).collect();
    assert_eq!(merge.operands[0].unwrap_id_ref(), labels[4]);
    assert_eq!(merge.operands[1].unwrap_id_ref(), labels[3]);
    let phi = written.find(S::Phi)[0];
    assert_eq!(written.def(phi.operands[2].unwrap_id_ref()).class.opcode, S::IAdd);
}

#[test]
fn a_break_has_no_merge_of_its_own() {
    // Inside the loop: a conditional branch to the loop's end and its continue target.
    let mut s = Shader::new(Stage::Fragment);
    let condition = s.value(Type::BOOL);
    let [header, body, next, merge] = [(); 4].map(|()| s.b.new_block());
    s.b.branch(header);
    s.b.begin(header);
    s.b.end(Merge::Loop { merge, next }, Terminator::Branch(body));
    s.b.begin(body);
    s.b.end(Merge::None, Terminator::Conditional { condition, then: merge, otherwise: next });
    s.b.begin(next);
    s.b.branch(header);
    s.b.begin(merge);
    let written = write(&s.finish(), Target::Vulkan12);
    assert_eq!(written.count(S::SelectionMerge), 0);
    assert_eq!(written.count(S::LoopMerge), 1);
    assert_eq!(written.count(S::BranchConditional), 1);
}

#[test]
fn a_switch_lists_its_cases() {
    let mut s = Shader::new(Stage::Fragment);
    let selector = s.value(Type::U32);
    let [one, default, merge] = [(); 3].map(|()| s.b.new_block());
    let (first, count) = s.b.cases(&[(1, one), (7, one), (9, merge)]);
    s.b.end(Merge::Selection(merge), Terminator::Switch { selector, default, first, count });
    s.b.begin(one);
    s.b.branch(default);
    s.b.begin(default);
    s.b.branch(merge);
    s.b.begin(merge);
    let written = write(&s.finish(), Target::Vulkan13);
    let switch = written.find(S::Switch)[0];
    let literals: Vec<u32> = switch.operands[2..].iter().step_by(2).map(Operand::unwrap_literal_bit32).collect();
    assert_eq!(literals, [1, 7, 9]);
    assert_eq!(switch.operands[2 + 1], switch.operands[4 + 1]);
}

/// Both ways end before the end of the construct.
fn both_return(with_code: bool) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let condition = s.value(Type::BOOL);
    let [then, otherwise, merge, last] = [(); 4].map(|()| s.b.new_block());
    s.b.end(Merge::Selection(merge), Terminator::Conditional { condition, then, otherwise });
    s.b.begin(then);
    s.b.end(Merge::None, Terminator::Return);
    s.b.begin(otherwise);
    s.b.end(Merge::None, Terminator::Return);
    s.b.begin(merge);
    if with_code {
        let value = s.value(F32X4);
        s.sink(value);
    }
    s.b.branch(last);
    s.b.begin(last);
    s.finish()
}

#[test]
fn what_nothing_leads_to_is_only_a_name() {
    for with_code in [false, true] {
        let written = write(&both_return(with_code), Target::Vulkan13);
        assert_eq!(written.count(S::Unreachable), 1);
        assert_eq!(written.count(S::Label), 4, "the block after the end is gone");
        assert_eq!(written.count(S::Store), 0);
        written.assert_compact();
        written.assert_no_leftovers();
    }
}

#[test]
fn modes_of_the_fragment_stage() {
    let mut s = Shader::new(Stage::Fragment);
    let modes = s.b.modes();
    modes.early_fragment_tests = true;
    modes.depth_replacing = true;
    modes.depth = Some(false);
    modes.stencil_replacing = true;
    let written = write(&s.finish(), Target::Vulkan13);
    let modes: Vec<String> =
        written.module.execution_modes.iter().map(|inst| format!("{}", inst.operands[1])).collect();
    let expected = ["OriginUpperLeft", "EarlyFragmentTests", "DepthReplacing", "DepthLess", "StencilRefReplacingEXT"];
    assert_eq!(modes, expected);
    assert_eq!(written.capabilities(), ["Shader", "StencilExportEXT"]);
    assert_eq!(written.extensions(), ["SPV_EXT_shader_stencil_export"]);
}

#[test]
fn a_compute_shader_says_its_group() {
    let written = write(&Shader::new(Stage::Compute).finish(), Target::Vulkan12);
    let mode = &written.module.execution_modes[0];
    let size: Vec<u32> = mode.operands[2..].iter().map(Operand::unwrap_literal_bit32).collect();
    assert_eq!(size, [8, 4, 1]);
}

#[test]
fn demotion_is_an_extension_up_to_1_5() {
    let mut s = Shader::new(Stage::Fragment);
    s.b.push(Op::Demote, Type::VOID, Flags::NONE, 0, &[]);
    let function = s.finish();
    for (target, expected) in TARGETS.into_iter().zip([1, 1, 0]) {
        let written = write(&function, target);
        assert_eq!(written.extensions().len(), expected, "{target:?}");
        assert_eq!(written.capabilities(), ["Shader", "DemoteToHelperInvocation"]);
    }
}

#[test]
fn a_vector_is_chosen_by_a_vector_before_1_4() {
    let mut s = Shader::new(Stage::Fragment);
    let condition = s.value(Type::BOOL);
    let (a, b) = (s.value(F32X4), s.value(F32X4));
    let chosen = s.b.select(condition, a, b);
    let other = s.b.select(condition, b, a);
    s.sink(chosen);
    s.sink(other);
    let function = s.finish();
    assert_eq!(write(&function, Target::Vulkan11).count(S::CompositeConstruct), 1);
    assert_eq!(write(&function, Target::Vulkan12).count(S::CompositeConstruct), 0);
}

#[test]
fn the_same_words_every_time() {
    for target in TARGETS {
        assert_eq!(write(&counting(), target).words, write(&counting(), target).words);
    }
}
