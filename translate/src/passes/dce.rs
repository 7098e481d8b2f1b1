//! Dead code: what nothing that can be seen depends on, and blocks that nothing leads to.
//!
//! Before: `%3 = FMul …` that no store, branch or join reads. After: `%3` is not among the living.
//! Seen are writes, conditions and selectors; a store to a local array counts only once something reads the array.
//! Linear in the function: every instruction, operand and edge is looked at once.

use super::Live;
use crate::ir::{BlockId, Effect, Function, Inst, Merge, Op, Terminator, ValueId, VarId, VarKind};

/// What is kept of a function.
pub(super) fn dce(function: &Function) -> Live {
    let mut marker = Marker {
        function,
        live: Live::none(function),
        work: Vec::with_capacity(function.insts.len() / 4),
        stores: LocalStores::new(function),
    };
    marker.reach();
    marker.roots();
    marker.spread();
    marker.live
}

struct Marker<'a> {
    function: &'a Function,
    live: Live,
    work: Vec<ValueId>,
    stores: LocalStores,
}

impl Marker<'_> {
    /// Blocks that can be reached. A continue target counts with its loop: the loop's back edge is there even if no
    /// iteration gets to it.
    fn reach(&mut self) {
        let Some(&entry) = self.function.order.first() else { return };
        let mut work = vec![entry];
        self.live.keep_block(entry);
        while let Some(id) = work.pop() {
            let live = &mut self.live;
            each_target(self.function, id, |to| {
                if live.keep_block(to) {
                    work.push(to);
                }
            });
        }
    }

    fn roots(&mut self) {
        for &id in &self.function.order {
            if !self.live.block(id) {
                continue;
            }
            let block = self.function.block(id);
            for at in block.first..block.end {
                let inst = self.function.inst(ValueId(at));
                if inst.op.effect() != Effect::Write {
                    continue;
                }
                match local_of(self.function, inst) {
                    Some(var) => self.stores.add(var, ValueId(at)),
                    None => self.keep(ValueId(at)),
                }
            }
            match block.terminator {
                Terminator::Conditional { condition, .. } => self.keep(condition),
                Terminator::Switch { selector, .. } => self.keep(selector),
                Terminator::Branch(_) | Terminator::Return | Terminator::Unreachable => {}
            }
        }
    }

    /// Constants are made for who uses them, so they need no mark.
    fn keep(&mut self, id: ValueId) {
        if self.function.inst(id).op.effect() != Effect::Constant && self.live.keep_value(id) {
            self.work.push(id);
        }
    }

    /// What comes from a predecessor that is never reached is not needed.
    fn keep_incoming(&mut self, pairs: &[u32]) {
        for pair in pairs.chunks_exact(2) {
            if self.live.block(BlockId(pair[1])) {
                self.keep(ValueId(pair[0]));
            }
        }
    }

    fn spread(&mut self) {
        while let Some(id) = self.work.pop() {
            let inst = self.function.inst(id);
            let args = self.function.args_of(inst);
            match inst.op {
                Op::Phi => self.keep_incoming(args),
                _ => args.iter().for_each(|&arg| self.keep(ValueId(arg))),
            }
            if inst.op == Op::Load {
                let mut store = self.stores.take(VarId(inst.aux));
                while let Some((id, next)) = self.stores.get(store) {
                    self.keep(id);
                    store = next;
                }
            }
        }
    }
}

/// The local array that a store writes.
fn local_of(function: &Function, inst: &Inst) -> Option<VarId> {
    let var = VarId(inst.aux);
    (inst.op == Op::Store && matches!(function.var(var).kind, VarKind::Local { .. })).then_some(var)
}

/// Where a block leads, and the continue target of the loop that it heads.
fn each_target(function: &Function, id: BlockId, mut visit: impl FnMut(BlockId)) {
    let block = function.block(id);
    if let Merge::Loop { next, .. } = block.merge {
        visit(next);
    }
    match block.terminator {
        Terminator::Branch(to) => visit(to),
        Terminator::Conditional { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        Terminator::Switch { default, first, count, .. } => {
            visit(default);
            function.cases[first as usize..(first + count) as usize].iter().for_each(|case| visit(case.1));
        }
        Terminator::Return | Terminator::Unreachable => {}
    }
}

/// Stores to local arrays that nothing has read yet: a list a variable, links in one array.
struct LocalStores {
    heads: Vec<u32>,
    links: Vec<(ValueId, u32)>,
}

impl LocalStores {
    const END: u32 = u32::MAX;

    fn new(function: &Function) -> LocalStores {
        LocalStores { heads: vec![Self::END; function.vars.len()], links: Vec::new() }
    }

    fn add(&mut self, var: VarId, store: ValueId) {
        let head = &mut self.heads[var.0 as usize];
        self.links.push((store, *head));
        *head = self.links.len() as u32 - 1;
    }

    /// The list of a variable, which is empty from now on.
    fn take(&mut self, var: VarId) -> u32 {
        self.heads.get_mut(var.0 as usize).map_or(Self::END, |head| std::mem::replace(head, Self::END))
    }

    fn get(&self, at: u32) -> Option<(ValueId, u32)> {
        self.links.get(at as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::Stage;
    use crate::ir::{Builder, Flags, InterfaceDecorations, Kind, Modes, Place, Type};

    fn builder() -> Builder {
        let modes = Modes::new(Stage::Fragment);
        let mut b = Builder::new(modes, 8);
        let entry = b.new_block();
        b.begin(entry);
        b
    }

    fn place() -> Place {
        Place::Location { location: 0, component: 0, index: 0 }
    }

    fn input(b: &mut Builder, ty: Type) -> ValueId {
        let decorations = InterfaceDecorations { flat: true, ..InterfaceDecorations::default() };
        let var = b.var(VarKind::Input { ty, array: None, place: place(), decorations }, "");
        b.load_constant(ty, Flags::NONE, var, &[])
    }

    fn output(b: &mut Builder, value: ValueId) -> ValueId {
        let decorations = InterfaceDecorations::default();
        let ty = b.ty(value);
        let var = b.var(VarKind::Output { ty, array: None, place: place(), decorations }, "");
        b.push(Op::Store, Type::VOID, Flags::NONE, var.0, &[value])
    }

    /// Which of the values live.
    fn living(b: Builder, values: &[ValueId]) -> Vec<bool> {
        let live = dce(&b.finish());
        values.iter().map(|&value| live.values(value.0, value.0 + 1).next().is_some()).collect()
    }

    #[test]
    fn what_a_store_needs_lives() {
        let mut b = builder();
        let used = input(&mut b, Type::F32);
        let unused = input(&mut b, Type::F32);
        let product = b.op(Op::FMul, Type::F32, &[used, used]);
        let sum = b.op(Op::FAdd, Type::F32, &[unused, used]);
        let store = output(&mut b, product);
        b.end(Merge::None, Terminator::Return);
        assert_eq!(living(b, &[used, unused, product, sum, store]), [true, false, true, false, true]);
    }

    #[test]
    fn a_store_to_a_local_array_lives_only_with_a_living_load() {
        for read in [false, true] {
            let mut b = builder();
            let array = b.var(VarKind::Local { element: Type::F32, len: 4 }, "");
            let (value, index) = (input(&mut b, Type::F32), b.u32(1));
            let store = b.push(Op::Store, Type::VOID, Flags::NONE, array.0, &[value, index]);
            let load = b.push(Op::Load, Type::F32, Flags::NONE, array.0, &[index]);
            if read {
                output(&mut b, load);
            }
            b.end(Merge::None, Terminator::Return);
            assert_eq!(living(b, &[value, store, load]), [read; 3]);
        }
    }

    #[test]
    fn a_local_array_that_only_feeds_itself_is_dead() {
        let mut b = builder();
        let array = b.var(VarKind::Local { element: Type::F32, len: 4 }, "");
        let index = b.u32(1);
        let load = b.push(Op::Load, Type::F32, Flags::NONE, array.0, &[index]);
        let store = b.push(Op::Store, Type::VOID, Flags::NONE, array.0, &[load, index]);
        b.end(Merge::None, Terminator::Return);
        assert_eq!(living(b, &[load, store]), [false; 2]);
    }

    #[test]
    fn joins_of_a_loop_live_together_or_not_at_all() {
        for read in [false, true] {
            let mut b = builder();
            let (go, start) = (input(&mut b, Type::U32), input(&mut b, Type::F32));
            let go = b.test(go);
            let [header, next, merge] = [(); 3].map(|()| b.new_block());
            let entry = BlockId(0);
            b.branch(header);
            b.begin(header);
            let x = b.phi(Type::F32, &[(start, entry), (start, next)]);
            let end = Terminator::Conditional { condition: go, then: next, otherwise: merge };
            b.end(Merge::Loop { merge, next }, end);
            b.begin(next);
            let doubled = b.op(Op::FAdd, Type::F32, &[x, x]);
            b.branch(header);
            b.set_incoming(x, 1, doubled, next);
            b.begin(merge);
            if read {
                output(&mut b, x);
            }
            b.end(Merge::None, Terminator::Return);
            assert_eq!(living(b, &[go, x, doubled, start]), [true, read, read, read]);
        }
    }

    #[test]
    fn what_comes_from_where_nothing_leads_is_dead() {
        let mut b = builder();
        let value = input(&mut b, Type::F32);
        let [never, last] = [(); 2].map(|()| b.new_block());
        b.branch(last);
        b.begin(never);
        let far = b.op(Op::FNegate, Type::F32, &[value]);
        let store = output(&mut b, far);
        b.branch(last);
        b.begin(last);
        let joined = b.phi(Type::F32, &[(value, BlockId(0)), (far, never)]);
        output(&mut b, joined);
        b.end(Merge::None, Terminator::Return);
        assert_eq!(living(b, &[value, far, store, joined]), [true, false, false, true]);
    }

    #[test]
    fn constants_need_no_mark() {
        let mut b = builder();
        let other = input(&mut b, Type::F32);
        let wide = b.constant64(Kind::U64, u64::from(other.0));
        let halves = b.op(Op::Bitcast, Type::new(Kind::U32, 2), &[wide]);
        output(&mut b, halves);
        b.end(Merge::None, Terminator::Return);
        // The operands of the constant are no values, though one looks like the number of another.
        assert_eq!(living(b, &[halves, wide, other]), [true, false, false]);
    }

    #[test]
    fn what_is_kept_is_listed_by_range() {
        let mut b = builder();
        let start = input(&mut b, Type::F32);
        let mut sum = start;
        let mut expected = vec![start];
        for n in 0..150 {
            sum = b.op(Op::FAdd, Type::F32, &[sum, start]);
            expected.push(sum);
            if n % 3 == 0 {
                b.op(Op::FMul, Type::F32, &[sum, sum]);
            }
        }
        let store = output(&mut b, sum);
        expected.push(store);
        b.end(Merge::None, Terminator::Return);
        let function = b.finish();
        let live = dce(&function);
        let count = function.insts.len() as u32;
        assert_eq!(live.values(0, count).collect::<Vec<_>>(), expected);
        for (first, end) in [(0, 0), (64, 64), (63, 65), (1, 64), (64, 128), (70, 71), (100, 190)] {
            let part: Vec<_> = expected.iter().copied().filter(|id| (first..end).contains(&id.0)).collect();
            assert_eq!(live.values(first, end).collect::<Vec<_>>(), part, "{first}..{end}");
        }
    }
}
