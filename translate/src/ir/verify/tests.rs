//! Each rule, broken once.

use super::*;
use crate::interface::Stage;
use crate::ir::{Builder, Flags, Inst, InterfaceDecorations, Kind, Modes, Place, Type, VarKind};

const ENTRY: BlockId = BlockId(0);

fn builder() -> Builder {
    let modes = Modes::new(Stage::Fragment);
    let mut b = Builder::new(modes, 8);
    let entry = b.new_block();
    b.begin(entry);
    b
}

fn input(b: &mut Builder, ty: Type) -> ValueId {
    let place = Place::Location { location: 0, component: 0, index: 0 };
    let decorations = InterfaceDecorations::default();
    let var = b.var(VarKind::Input { ty, array: None, place, decorations }, "");
    b.load_constant(ty, Flags::NONE, var, &[])
}

/// `x = in; if (in2) { y = -x } z = phi(y, x)`: valid.
fn diamond() -> Function {
    let mut b = builder();
    let x = input(&mut b, Type::F32);
    let condition = input(&mut b, Type::U32);
    let condition = b.test(condition);
    let [then, merge] = [(); 2].map(|()| b.new_block());
    b.end(Merge::Selection(merge), Terminator::Conditional { condition, then, otherwise: merge });
    b.begin(then);
    let y = b.op(Op::FNegate, Type::F32, &[x]);
    b.branch(merge);
    b.begin(merge);
    b.phi(Type::F32, &[(x, ENTRY), (y, then)]);
    b.end(Merge::None, Terminator::Return);
    b.finish()
}

fn at(function: &Function, op: Op) -> usize {
    function.insts.iter().position(|inst| inst.op == op).unwrap_or_default()
}

fn inst(function: &mut Function, op: Op) -> &mut Inst {
    let at = at(function, op);
    &mut function.insts[at]
}

/// The rule that a change of the diamond breaks.
fn broken(change: impl FnOnce(&mut Function)) -> String {
    let mut function = diamond();
    assert_eq!(verify(&function), Ok(()));
    change(&mut function);
    verify(&function).err().map_or_else(|| "no rule".into(), |fault| fault.what)
}

fn assert_says(what: &str, part: &str) {
    assert!(what.contains(part), "{what:?} does not say {part:?}");
}

#[test]
fn operands_are_there() {
    assert_says(&broken(|f| inst(f, Op::FNegate).first = 99), "out of range");
    assert_says(
        &broken(|f| {
            let n = inst(f, Op::FNegate).first;
            f.args[n as usize] = 99
        }),
        "that there is not",
    );
    assert_says(&broken(|f| inst(f, Op::Phi).count = 3), "that there is not");
}

#[test]
fn blocks_stand_once_and_in_order() {
    assert_says(&broken(|f| f.order.push(ENTRY)), "twice");
    assert_says(&broken(|f| f.order.push(BlockId(9))), "that there is not");
    assert_says(&broken(|f| f.order.swap(1, 2)), "out of order");
    assert_says(
        &broken(|f| {
            f.order.pop();
        }),
        "not in the order",
    );
    assert_says(&broken(|f| f.order.clear()), "no block");
    assert_says(&broken(|f| f.blocks[1].terminator = Terminator::Branch(ENTRY)), "a branch to the entry");
}

#[test]
fn constructs_fit() {
    assert_says(&broken(|f| f.blocks[1].merge = Merge::Selection(BlockId(2))), "does not fit");
    assert_says(&broken(|f| f.blocks[0].merge = Merge::Selection(ENTRY)), "stands before its header");
    assert_says(&broken(|f| f.blocks[0].merge = Merge::Loop { merge: BlockId(2), next: BlockId(1) }), "0 edges back");
    let switch = |f: &mut Function| {
        let selector = ValueId(at(f, Op::Load) as u32 + 1);
        f.blocks[0].terminator = Terminator::Switch { selector, default: BlockId(2), first: 0, count: 0 };
        f.blocks[0].merge = Merge::None;
    };
    assert_says(&broken(switch), "does not fit");
}

#[test]
fn values_are_made_before_their_use() {
    assert_says(
        &broken(|f| {
            let n = *inst(f, Op::FNegate);
            f.args[n.first as usize] = at(f, Op::FNegate) as u32
        }),
        "is not made before",
    );
    // From a block that does not dominate.
    let stray = |f: &mut Function| {
        let inst = Inst { first: f.args.len() as u32, ..*inst(f, Op::FNegate) };
        f.args.push(at(f, Op::FNegate) as u32);
        f.insts.push(inst);
        f.blocks[2].end += 1;
    };
    assert_says(&broken(stray), "is not made before");
    assert_says(
        &broken(|f| {
            let n = inst(f, Op::Phi).first as usize;
            f.args[n] = at(f, Op::FNegate) as u32
        }),
        "is not made before the end",
    );
}

#[test]
fn joins_match_their_edges() {
    assert_says(
        &broken(|f| {
            let n = inst(f, Op::Phi).first as usize;
            f.args[n + 1] = 1
        }),
        "there twice",
    );
    assert_says(&broken(|f| inst(f, Op::Phi).count = 2), "is missing");
    let late = |f: &mut Function| {
        let phi = *inst(f, Op::Phi);
        f.insts.push(Inst { op: Op::FNegate, count: 1, first: 0, ..phi });
        f.args[0] = at(f, Op::Load) as u32;
        f.insts.push(phi);
        f.blocks[2].end += 2;
    };
    assert_says(&broken(late), "a phi after");
}

#[test]
fn ends_use_a_truth_value_or_an_integer() {
    let wrong = |f: &mut Function| {
        let condition = ValueId(at(f, Op::Load) as u32);
        f.blocks[0].terminator = Terminator::Conditional { condition, then: BlockId(1), otherwise: BlockId(2) };
    };
    assert_says(&broken(wrong), "wants a Bool");
}

#[test]
fn operations_make_what_they_can() {
    assert_says(&broken(|f| inst(f, Op::FNegate).ty = Type::U32), "cannot make U32");
    assert_says(&broken(|f| inst(f, Op::FNegate).op = Op::FAdd), "cannot make");
    assert_says(&broken(|f| inst(f, Op::FNegate).op = Op::INegate), "cannot make");
    assert_says(&broken(|f| inst(f, Op::Load).ty = Type::U32), "cannot make");
    assert_says(&broken(|f| inst(f, Op::Load).aux = 7), "cannot make");
}

#[test]
fn variables_can_be_what_they_say() {
    let zero = |f: &mut Function| f.vars[0].kind = VarKind::Table { element: Type::U32, len: 2, first: 0 };
    assert_says(
        &broken(|f| {
            inst(f, Op::Load).ty = Type::U32;
            zero(f)
        }),
        "cannot",
    );
    let mut b = builder();
    b.var(VarKind::Local { element: Type::new(Kind::F32, 4), len: 0 }, "");
    b.end(Merge::None, Terminator::Return);
    assert_says(&verify(&b.finish()).err().map_or_else(String::new, |fault| fault.what), "v0 cannot be");
}

#[test]
fn a_loop_goes_round_once() {
    let mut b = builder();
    let condition = input(&mut b, Type::U32);
    let condition = b.test(condition);
    let [header, body, next, merge] = [(); 4].map(|()| b.new_block());
    b.branch(header);
    b.begin(header);
    b.end(Merge::Loop { merge, next }, Terminator::Branch(body));
    b.begin(body);
    b.end(Merge::None, Terminator::Conditional { condition, then: next, otherwise: merge });
    b.begin(next);
    b.branch(header);
    b.begin(merge);
    b.end(Merge::None, Terminator::Return);
    let mut function = b.finish();
    assert_eq!(verify(&function), Ok(()));
    function.blocks[body.0 as usize].terminator = Terminator::Conditional { condition, then: header, otherwise: merge };
    assert_says(&verify(&function).err().map_or_else(String::new, |fault| fault.what), "2 edges back");
}
