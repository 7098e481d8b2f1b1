//! Checks of the form's own rules: what lowering and passes promise to the writer.
//!
//! Owns the rules and nothing else; must never repair what it finds. Meant for debug builds and tests: it allocates,
//! and says the first rule that is broken.

#[cfg(test)]
mod tests;
mod types;

use super::{Block, BlockId, Effect, Function, Merge, Op, Terminator, ValueId};

/// What breaks a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The instruction, if it is one.
    pub value: Option<ValueId>,
    /// The block, if known.
    pub block: Option<BlockId>,
    /// The rule.
    pub what: String,
}

impl Fault {
    fn value(id: ValueId, what: impl Into<String>) -> Fault {
        Fault { value: Some(id), block: None, what: what.into() }
    }

    fn block(id: BlockId, what: impl Into<String>) -> Fault {
        Fault { value: None, block: Some(id), what: what.into() }
    }
}

/// Checks every rule of the form; the first that is broken.
pub fn verify(function: &Function) -> Result<(), Fault> {
    operands_exist(function)?;
    let layout = Layout::new(function)?;
    layout.merges()?;
    let dominators = Dominators::new(&layout)?;
    layout.loops(&dominators)?;
    for &id in &function.order {
        layout.values(id, &dominators)?;
    }
    for at in 0..function.insts.len() as u32 {
        let id = ValueId(at);
        if layout.stands(id) || function.inst(id).op.effect() == Effect::Constant {
            types::check(function, id)?;
        }
    }
    types::variables(function)
}

/// Every operand is a value that there is, every block of a phi a block.
fn operands_exist(function: &Function) -> Result<(), Fault> {
    for (at, inst) in function.insts.iter().enumerate() {
        let id = ValueId(at as u32);
        let range = inst.first as usize..inst.first as usize + usize::from(inst.count);
        let Some(args) = function.args.get(range) else { return Err(Fault::value(id, "operands out of range")) };
        let fine = match inst.op {
            Op::Const64 => args.len() == 2,
            Op::Phi => {
                args.len().is_multiple_of(2)
                    && args.chunks_exact(2).all(|pair| is_value(function, pair[0]) && is_block(function, pair[1]))
            }
            _ => args.iter().all(|&arg| is_value(function, arg)),
        };
        if !fine {
            return Err(Fault::value(id, format!("{:?} has an operand that there is not: {args:?}", inst.op)));
        }
    }
    Ok(())
}

fn is_value(function: &Function, id: u32) -> bool {
    (id as usize) < function.insts.len()
}

fn is_block(function: &Function, id: u32) -> bool {
    (id as usize) < function.blocks.len()
}

/// No position: not in the order, or not in a block.
const NOWHERE: u32 = u32::MAX;

/// The blocks by their position in the order, and the edges between them.
struct Layout<'a> {
    function: &'a Function,
    /// Position of each block.
    position: Vec<u32>,
    /// Position of the block that each instruction stands in.
    home: Vec<u32>,
    /// Predecessors of each position, each once, as positions.
    predecessors: Vec<Vec<u32>>,
}

impl<'a> Layout<'a> {
    fn new(function: &'a Function) -> Result<Layout<'a>, Fault> {
        let mut layout = Layout {
            function,
            position: vec![NOWHERE; function.blocks.len()],
            home: vec![NOWHERE; function.insts.len()],
            predecessors: vec![Vec::new(); function.order.len()],
        };
        layout.positions()?;
        layout.edges()?;
        Ok(layout)
    }

    fn positions(&mut self) -> Result<(), Fault> {
        let mut start = 0;
        for (at, &id) in self.function.order.iter().enumerate() {
            if !is_block(self.function, id.0) {
                return Err(Fault::block(id, "the order has a block that there is not"));
            }
            if self.position[id.0 as usize] != NOWHERE {
                return Err(Fault::block(id, "twice in the order"));
            }
            self.position[id.0 as usize] = at as u32;
            let block = self.function.block(id);
            if block.first < start || block.end < block.first || block.end as usize > self.function.insts.len() {
                return Err(Fault::block(id, "instructions out of order or out of range"));
            }
            start = block.end;
            self.home[block.first as usize..block.end as usize].fill(at as u32);
        }
        if self.function.order.is_empty() {
            return Err(Fault { value: None, block: None, what: "no block".into() });
        }
        Ok(())
    }

    fn edges(&mut self) -> Result<(), Fault> {
        for at in 0..self.function.order.len() {
            let id = self.function.order[at];
            for to in targets(self.function, self.function.block(id)) {
                let to = self.place_of(id, to)?;
                let list = &mut self.predecessors[to as usize];
                if list.last() != Some(&(at as u32)) {
                    list.push(at as u32);
                }
            }
        }
        if self.predecessors[0].is_empty() {
            Ok(())
        } else {
            Err(Fault::block(self.function.order[0], "a branch to the entry"))
        }
    }

    /// Position of a block that another one names.
    fn place_of(&self, from: BlockId, to: BlockId) -> Result<u32, Fault> {
        match self.position.get(to.0 as usize) {
            Some(&at) if at != NOWHERE => Ok(at),
            _ => Err(Fault::block(from, format!("leads to b{}, which is not in the order", to.0))),
        }
    }

    fn stands(&self, id: ValueId) -> bool {
        self.home[id.0 as usize] != NOWHERE
    }

    /// A construct fits its block's end, ends later, and shares its end with no other.
    fn merges(&self) -> Result<(), Fault> {
        let mut ends = vec![false; self.function.order.len()];
        for (at, &id) in self.function.order.iter().enumerate() {
            let block = self.function.block(id);
            let fits = match (block.merge, block.terminator) {
                (Merge::None, Terminator::Switch { .. }) => false,
                (Merge::None, _) => true,
                (Merge::Selection(_), end) => matches!(end, Terminator::Conditional { .. } | Terminator::Switch { .. }),
                (Merge::Loop { .. }, end) => matches!(end, Terminator::Conditional { .. } | Terminator::Branch(_)),
            };
            if !fits {
                return Err(Fault::block(id, "its construct does not fit its end"));
            }
            let (merge, next) = match block.merge {
                Merge::None => continue,
                Merge::Selection(merge) => (merge, None),
                Merge::Loop { merge, next } => (merge, Some(next)),
            };
            let merge_at = self.place_of(id, merge)?;
            if merge_at <= at as u32 || std::mem::replace(&mut ends[merge_at as usize], true) {
                return Err(Fault::block(
                    id,
                    format!("b{} ends another construct, or stands before its header", merge.0),
                ));
            }
            if let Some(next) = next {
                // A loop of one block is its own continue target.
                let next_at = self.place_of(id, next)?;
                if next_at < at as u32 || next_at >= merge_at {
                    return Err(Fault::block(id, "its continue target does not stand in the loop"));
                }
            }
        }
        Ok(())
    }

    /// Only a loop has an edge back, and one only; a header comes before what it names on every way.
    fn loops(&self, dominators: &Dominators) -> Result<(), Fault> {
        for (at, &id) in self.function.order.iter().enumerate() {
            let at = at as u32;
            let back = self.predecessors[at as usize].iter().filter(|&&from| from >= at).count();
            let merge = self.function.block(id).merge;
            let expected = usize::from(matches!(merge, Merge::Loop { .. }));
            if back != expected {
                return Err(Fault::block(id, format!("{back} edges back, not {expected}")));
            }
            let named = match merge {
                Merge::None => continue,
                Merge::Selection(merge) => [merge, merge],
                Merge::Loop { merge, next } => [merge, next],
            };
            for named in named {
                let named_at = self.place_of(id, named)?;
                if dominators.reachable(named_at) && !dominators.dominates(at, named_at) {
                    return Err(Fault::block(id, format!("does not dominate b{}, which it names", named.0)));
                }
            }
        }
        Ok(())
    }

    /// Values of a block are made before they are used, phis stand first and match the edges.
    fn values(&self, id: BlockId, dominators: &Dominators) -> Result<(), Fault> {
        let block = self.function.block(id);
        let at = self.position[id.0 as usize];
        let mut phis = true;
        for value in (block.first..block.end).map(ValueId) {
            let inst = self.function.inst(value);
            if inst.op.effect() == Effect::Constant {
                continue;
            }
            if inst.op == Op::Phi {
                if !phis {
                    return Err(Fault::value(value, "a phi after another instruction"));
                }
                self.phi(value, at, dominators)?;
                continue;
            }
            phis = false;
            for &arg in self.function.args_of(inst) {
                if !self.sees(ValueId(arg), value.0, at, dominators) {
                    return Err(Fault::value(value, format!("%{arg} is not made before")));
                }
            }
        }
        let used = match block.terminator {
            Terminator::Conditional { condition, .. } => Some((condition, super::Type::BOOL)),
            Terminator::Switch { selector, .. } => Some((selector, super::Type::U32)),
            Terminator::Branch(_) | Terminator::Return | Terminator::Unreachable => None,
        };
        match used {
            Some((value, _)) if !is_value(self.function, value.0) => Err(Fault::block(id, "its end uses no value")),
            Some((value, ty)) if self.function.inst(value).ty != ty => {
                Err(Fault::block(id, format!("its end wants a {ty:?}")))
            }
            Some((value, _)) if !self.sees(value, block.end, at, dominators) => {
                Err(Fault::block(id, "its end uses what is not made before"))
            }
            _ => Ok(()),
        }
    }

    fn phi(&self, id: ValueId, at: u32, dominators: &Dominators) -> Result<(), Fault> {
        let mut expected = self.predecessors[at as usize].clone();
        for pair in self.function.args(id).chunks_exact(2) {
            let from = self.position[pair[1] as usize];
            let Some(index) = expected.iter().position(|&p| p == from) else {
                return Err(Fault::value(id, format!("b{} is no predecessor, or there twice", pair[1])));
            };
            expected.swap_remove(index);
            if !self.sees(ValueId(pair[0]), self.function.blocks[pair[1] as usize].end, from, dominators) {
                return Err(Fault::value(id, format!("%{} is not made before the end of b{}", pair[0], pair[1])));
            }
        }
        if expected.is_empty() { Ok(()) } else { Err(Fault::value(id, "a predecessor is missing")) }
    }

    /// Whether a value is there for an instruction (or a block's end) at a position.
    fn sees(&self, value: ValueId, user: u32, at: u32, dominators: &Dominators) -> bool {
        if self.function.inst(value).op.effect() == Effect::Constant {
            return true;
        }
        let home = self.home[value.0 as usize];
        if home == NOWHERE {
            return false;
        }
        if home == at { value.0 < user } else { !dominators.reachable(at) || dominators.dominates(home, at) }
    }
}

/// Where a block's end leads.
fn targets(function: &Function, block: &Block) -> Vec<BlockId> {
    match block.terminator {
        Terminator::Branch(to) => vec![to],
        Terminator::Conditional { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { default, first, count, .. } => {
            let cases = function.cases.get(first as usize..(first + count) as usize).unwrap_or_default();
            std::iter::once(default).chain(cases.iter().map(|case| case.1)).collect()
        }
        Terminator::Return | Terminator::Unreachable => Vec::new(),
    }
}

/// Which positions every way to a position passes.
struct Dominators {
    /// The closest one; of what is not reached, [`NOWHERE`].
    closest: Vec<u32>,
    /// Number of dominators above.
    depth: Vec<u32>,
}

impl Dominators {
    fn new(layout: &Layout<'_>) -> Result<Dominators, Fault> {
        let count = layout.function.order.len();
        let mut closest = vec![NOWHERE; count];
        closest[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..count {
                let reached = layout.predecessors[at].iter().copied().filter(|&from| closest[from as usize] != NOWHERE);
                let Some(new) = reached.reduce(|a, b| meet(&closest, a, b)) else { continue };
                if new != closest[at] {
                    closest[at] = new;
                    changed = true;
                }
            }
        }
        let mut depth = vec![0; count];
        for at in 1..count {
            match closest[at] {
                NOWHERE => {}
                above if above < at as u32 => depth[at] = depth[above as usize] + 1,
                _ => return Err(Fault::block(layout.function.order[at], "stands before what dominates it")),
            }
        }
        Ok(Dominators { closest, depth })
    }

    fn reachable(&self, at: u32) -> bool {
        self.closest[at as usize] != NOWHERE
    }

    fn dominates(&self, above: u32, mut at: u32) -> bool {
        while self.depth[at as usize] > self.depth[above as usize] {
            at = self.closest[at as usize];
        }
        at == above
    }
}

/// The closest common dominator of two positions (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm").
fn meet(closest: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        // A block that stands before what dominates it would go round for ever: the larger one must get smaller.
        let (high, low) = (a.max(b), a.min(b));
        let next = closest[high as usize];
        if next >= high {
            return low;
        }
        (a, b) = (next, low);
    }
    a
}
