//! Control flow: constructs to blocks, and the joins of lanes where paths meet.
//!
//! The scan has said which lanes each construct assigns and which of them are read after it. On every edge to a join
//! these lanes are taken as they stand; where all edges agree nothing is made, else one phi a group of lanes that
//! travel together.

use super::Lower;
use super::classes::Class;
use super::scan::{Assigned, Case, ConstructId, ConstructKind};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{BlockId, Flags, Kind, LaneRef, Merge, Op, Terminator, Type, ValueId};
use crate::{Error, ledger};

/// Edges of one join and cases of one switch, at most: SPIR-V's own limit on a switch's cases.
const MAX_EDGES: usize = 16_383;

/// Lanes of one register that travel together.
#[derive(Clone, Copy, Debug)]
struct Group {
    reg: u32,
    mask: u8,
    /// Kind of the phi; chosen at the first edge where the construct's writers do not tell.
    kind: Option<Kind>,
}

/// An edge to a join.
#[derive(Clone, Copy, Debug)]
struct Edge {
    block: BlockId,
    /// First of the groups' values in [`Join::values`].
    values: usize,
    /// First of their lanes in [`Join::lanes`].
    lanes: usize,
}

/// Where paths meet.
#[derive(Debug, Default)]
struct Join {
    groups: Vec<Group>,
    edges: Vec<Edge>,
    values: Vec<ValueId>,
    lanes: Vec<LaneRef>,
}

/// An open construct.
struct Frame {
    id: ConstructId,
    kind: ConstructKind,
    /// Block after the construct.
    merge: BlockId,
    /// The join there.
    exit: Join,
    /// Lanes of the assigned registers when the construct began.
    saved: Vec<LaneRef>,
    /// Whether it began in reachable code: then a header names its merge block.
    began: bool,
    /// `if`: the block of the other branch. `loop`: the block that goes round.
    next: Option<BlockId>,
    /// Loops: the header, its phis, and the join of the edges that go round.
    header: Option<BlockId>,
    phis: Vec<ValueId>,
    round: Join,
    /// Switches: blocks of the bodies, and the state on entry where one falls into the next.
    bodies: Vec<BlockId>,
    entry: Option<Join>,
    body: usize,
}

/// Open constructs, outermost first.
#[derive(Default)]
pub(super) struct Flow {
    frames: Vec<Frame>,
    next_construct: u32,
    /// A join or a switch has grown past what an instruction can hold.
    overfull: bool,
}

impl Flow {
    /// Whether a join or a switch has grown past what an instruction can hold.
    pub(super) fn overfull(&self) -> bool {
        self.overfull
    }
}

impl<'a> Lower<'a> {
    /// Lowers an instruction of control flow; false for all others.
    pub(super) fn flow(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let operands = self.program.operands_of(inst);
        match inst.op {
            Opcode::If => self.begin_if(inst, operands)?,
            Opcode::Else => self.begin_else()?,
            Opcode::EndIf => self.end_if()?,
            Opcode::Loop => self.begin_loop()?,
            Opcode::EndLoop => self.end_loop()?,
            Opcode::Switch => self.begin_switch(operands)?,
            Opcode::Case | Opcode::Default => self.begin_case()?,
            Opcode::EndSwitch => self.end_switch()?,
            Opcode::Break => self.jump(|f| f.kind != ConstructKind::If, false)?,
            Opcode::Continue => self.jump(|f| f.kind == ConstructKind::Loop, true)?,
            Opcode::Breakc => self.jump_if(inst, operands, |f| f.kind != ConstructKind::If, false)?,
            Opcode::Continuec => self.jump_if(inst, operands, |f| f.kind == ConstructKind::Loop, true)?,
            Opcode::Ret => self.lower_return(),
            Opcode::Retc => self.return_if(inst, operands)?,
            Opcode::Discard if self.builder.reachable() => self.discard(inst, operands)?,
            Opcode::Nop => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The truth of a conditional instruction's test.
    fn condition(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<ValueId, Error> {
        let [operand, ..] = operands else { return Err(self.bad_operand("a condition is missing")) };
        let lanes = self.lanes_of(operand, 1)?;
        let condition = self.builder.gather(lanes.as_slice(), Kind::Bool);
        Ok(if inst.test_nonzero { condition } else { self.builder.not(condition) })
    }

    /// The next construct in the order of beginnings.
    fn next_construct(&mut self) -> ConstructId {
        let id = ConstructId(self.flow.next_construct);
        self.flow.next_construct += 1;
        id
    }

    fn open(&mut self, kind: ConstructKind) -> Frame {
        let id = self.next_construct();
        let merge = self.builder.new_block();
        let assigned = self.scan.assigned_of(id);
        let mut saved = Vec::with_capacity(assigned.len() * 4);
        for a in assigned {
            let base = a.reg as usize * 4;
            saved.extend_from_slice(&self.lanes[base..base + 4]);
        }
        let exit = self.join(id, |a| a.live_after);
        Frame {
            id,
            kind,
            merge,
            exit,
            saved,
            began: self.builder.reachable(),
            next: None,
            header: None,
            phis: Vec::new(),
            round: Join::default(),
            bodies: Vec::new(),
            entry: None,
            body: 0,
        }
    }

    /// A join of the assigned lanes that `live` picks.
    fn join(&self, id: ConstructId, live: impl Fn(&Assigned) -> u8) -> Join {
        let mut groups = Vec::new();
        for a in self.scan.assigned_of(id) {
            for mask in a.groups(live(a)) {
                groups.push(Group { reg: a.reg, mask, kind: self.group_kind(a, mask) });
            }
        }
        Join { groups, ..Join::default() }
    }

    /// The kind that a group's writers ask for. A mask stays a truth value where the lanes are such already.
    fn group_kind(&self, a: &Assigned, mask: u8) -> Option<Kind> {
        match a.class(mask.trailing_zeros() as u8)? {
            Class::Float => Some(Kind::F32),
            Class::Int => Some(Kind::U32),
            Class::Mask if self.group_lanes(a.reg, mask).all(|lane| self.is_truth(lane)) => Some(Kind::Bool),
            Class::Mask => Some(Kind::U32),
            Class::Move => None,
        }
    }

    fn group_lanes(&self, reg: u32, mask: u8) -> impl Iterator<Item = LaneRef> + '_ {
        super::registers::mask_lanes(mask).map(move |c| self.lanes[reg as usize * 4 + usize::from(c)])
    }

    /// Whether a lane is a truth value, or a constant that can be one.
    fn is_truth(&self, lane: LaneRef) -> bool {
        let Some(value) = lane.value() else { return true };
        let bits = self.builder.as_constant(value);
        self.builder.ty(value).kind() == Kind::Bool || matches!(bits, Some(0 | u32::MAX))
    }

    /// Takes the lanes as they stand along an edge from the open block to a join.
    fn take_edge(&mut self, join: &mut Join) {
        let Some(block) = self.builder.current() else { return };
        if join.edges.len() >= MAX_EDGES {
            self.flow.overfull = true;
            return;
        }
        let edge = Edge { block, values: join.values.len(), lanes: join.lanes.len() };
        for n in 0..join.groups.len() {
            let Group { reg, mask, kind } = join.groups[n];
            let first = join.lanes.len();
            join.lanes.extend(self.group_lanes(reg, mask));
            // Constants have no kind of their own: they wait for an edge that has one.
            let kind = kind.or_else(|| self.kind_of(&join.lanes[first..]));
            join.groups[n].kind = kind;
            let value = self.builder.gather(&join.lanes[first..], kind.unwrap_or(Kind::F32));
            join.values.push(value);
        }
        join.edges.push(edge);
    }

    /// The kind that lanes have by themselves; constants have none.
    fn kind_of(&self, lanes: &[LaneRef]) -> Option<Kind> {
        let mut kind = None;
        for value in lanes.iter().filter_map(|l| l.value()) {
            if self.builder.is_constant(value) {
                continue;
            }
            match (kind, self.builder.ty(value).kind()) {
                (_, Kind::Bool) => return Some(Kind::U32),
                (None, k) => kind = Some(k),
                (Some(a), k) if a == k => {}
                _ => return Some(Kind::U32),
            }
        }
        kind.map(|k| if k == Kind::F32 { k } else { Kind::U32 })
    }

    /// Opens the block of a join and gives the lanes what the edges brought. Returns the groups' values; none where no edge came.
    fn meet(&mut self, id: ConstructId, join: &Join, block: BlockId) -> Vec<ValueId> {
        self.builder.begin(block);
        self.forget(id);
        let Some(first) = join.edges.first() else { return Vec::new() };
        let mut met = Vec::with_capacity(join.groups.len());
        let mut lane = 0;
        let mut incoming = Vec::new();
        for (n, group) in join.groups.iter().enumerate() {
            let width = group.mask.count_ones() as usize;
            let lanes = |e: &Edge| &join.lanes[e.lanes + lane..e.lanes + lane + width];
            if join.edges.iter().all(|e| lanes(e) == lanes(first)) {
                let lanes: [LaneRef; 4] =
                    std::array::from_fn(|i| lanes(first).get(i).copied().unwrap_or(LaneRef::UNDEFINED));
                self.set_group(group, |i| lanes[usize::from(i)]);
                met.push(None);
            } else {
                incoming.clear();
                let kind = group.kind.unwrap_or(Kind::F32);
                for e in &join.edges {
                    // What is of another kind yet is constant.
                    incoming.push((self.builder.convert(join.values[e.values + n], kind), e.block));
                }
                let value = incoming[0].0;
                let same = incoming.iter().all(|&(v, _)| v == value);
                let value = if same { value } else { self.builder.phi(self.builder.ty(value), &incoming) };
                self.set_group(group, |i| LaneRef::new(value, i));
                met.push(Some(value));
            }
            lane += width;
        }
        // Phis stand first in a block: what all edges agree on is put together after them, and here, since each edge
        // did so in its own block.
        met.into_iter()
            .zip(&join.groups)
            .map(|(value, group)| value.unwrap_or_else(|| self.group_value(group)))
            .collect()
    }

    fn group_value(&mut self, group: &Group) -> ValueId {
        let mut lanes = [LaneRef::UNDEFINED; 4];
        let mut count = 0;
        for (slot, lane) in lanes.iter_mut().zip(self.group_lanes(group.reg, group.mask)) {
            *slot = lane;
            count += 1;
        }
        self.builder.gather(&lanes[..count], group.kind.unwrap_or(Kind::F32))
    }

    fn set_group(&mut self, group: &Group, lane: impl Fn(u8) -> LaneRef) {
        for (n, c) in super::registers::mask_lanes(group.mask).enumerate() {
            self.lanes[group.reg as usize * 4 + usize::from(c)] = lane(n as u8);
        }
    }

    /// Lanes that a construct assigned and nobody reads after it hold nothing any more.
    fn forget(&mut self, id: ConstructId) {
        let (first, end) = self.scan.constructs[id.0 as usize].assigned;
        for n in first as usize..end as usize {
            let Assigned { reg, mask, .. } = self.scan.assigned[n];
            for c in super::registers::mask_lanes(mask) {
                self.lanes[reg as usize * 4 + usize::from(c)] = LaneRef::UNDEFINED;
            }
        }
    }

    /// Gives the assigned registers back what they held when the construct began.
    fn restore(&mut self, frame: &Frame) {
        let (first, end) = self.scan.constructs[frame.id.0 as usize].assigned;
        for (n, saved) in (first as usize..end as usize).zip(frame.saved.chunks_exact(4)) {
            let base = self.scan.assigned[n].reg as usize * 4;
            self.lanes[base..base + 4].copy_from_slice(saved);
        }
    }

    /// Ends the open block with a branch, its outputs written.
    fn leave(&mut self, to: BlockId) {
        self.flush_outputs();
        self.builder.branch(to);
    }

    /// Ends the open block with a two-way branch, its outputs written.
    fn split(&mut self, merge: Merge, condition: ValueId, then: BlockId, otherwise: BlockId) {
        self.flush_outputs();
        self.builder.end(merge, Terminator::Conditional { condition, then, otherwise });
    }

    fn top(&mut self, kind: ConstructKind) -> Result<Frame, Error> {
        // The scan has checked the nesting.
        match self.flow.frames.pop() {
            Some(frame) if frame.kind == kind => Ok(frame),
            _ => Err(Error::internal("constructs do not nest as the scan found them")),
        }
    }

    fn begin_if(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let condition = if self.builder.reachable() { Some(self.condition(inst, operands)?) } else { None };
        let mut frame = self.open(ConstructKind::If);
        let has_else = self.scan.constructs[frame.id.0 as usize].has_else;
        if let Some(condition) = condition {
            let then = self.builder.new_block();
            let other = if has_else { self.builder.new_block() } else { frame.merge };
            frame.next = has_else.then_some(other);
            if !has_else {
                self.take_edge(&mut frame.exit);
            }
            self.split(Merge::Selection(frame.merge), condition, then, other);
            self.builder.begin(then);
        }
        self.builder.enter_scope();
        self.flow.frames.push(frame);
        Ok(())
    }

    fn begin_else(&mut self) -> Result<(), Error> {
        let mut frame = self.top(ConstructKind::If)?;
        if self.builder.reachable() {
            self.take_edge(&mut frame.exit);
            self.leave(frame.merge);
        }
        self.restore(&frame);
        self.builder.leave_scope();
        self.builder.enter_scope();
        if let Some(other) = frame.next {
            self.builder.begin(other);
        }
        self.flow.frames.push(frame);
        Ok(())
    }

    fn end_if(&mut self) -> Result<(), Error> {
        let mut frame = self.top(ConstructKind::If)?;
        if self.builder.reachable() {
            self.take_edge(&mut frame.exit);
            self.leave(frame.merge);
        }
        self.builder.leave_scope();
        self.close(&frame)
    }

    /// Opens the block after a construct. A construct that began in unreachable code has none; one that nothing leaves
    /// has one that is never reached.
    fn close(&mut self, frame: &Frame) -> Result<(), Error> {
        if !frame.began {
            return Ok(());
        }
        self.meet(frame.id, &frame.exit, frame.merge);
        if frame.exit.edges.is_empty() {
            self.builder.end(Merge::None, Terminator::Unreachable);
        }
        Ok(())
    }

    fn begin_loop(&mut self) -> Result<(), Error> {
        let mut frame = self.open(ConstructKind::Loop);
        if self.builder.reachable() {
            frame.round = self.join(frame.id, |a| a.live_head);
            let mut start = Join { groups: std::mem::take(&mut frame.round.groups), ..Join::default() };
            self.take_edge(&mut start);
            let header = self.builder.new_block();
            let body = self.builder.new_block();
            let next = self.builder.new_block();
            self.leave(header);
            self.builder.begin(header);
            self.forget(frame.id);
            // A phi must have its kind before the edges that go round are known.
            start.groups.iter_mut().for_each(|g| g.kind = g.kind.or(Some(Kind::F32)));
            let from = start.edges[0].block;
            for (group, &value) in start.groups.iter().zip(&start.values) {
                let phi = self.builder.phi(self.builder.ty(value), &[(value, from), (value, next)]);
                self.builder.set_incoming(phi, 1, phi, next);
                self.set_group(group, |i| LaneRef::new(phi, i));
                frame.phis.push(phi);
            }
            frame.round.groups = start.groups;
            frame.next = Some(next);
            self.builder.end(Merge::Loop { merge: frame.merge, next }, Terminator::Branch(body));
            frame.header = Some(header);
            self.builder.begin(body);
        }
        self.builder.enter_scope();
        self.flow.frames.push(frame);
        Ok(())
    }

    fn end_loop(&mut self) -> Result<(), Error> {
        let mut frame = self.top(ConstructKind::Loop)?;
        if let (Some(next), Some(header)) = (frame.next, frame.header) {
            if self.builder.reachable() {
                self.take_edge(&mut frame.round);
                self.leave(next);
            }
            // What the body computed does not dominate this block where `continue` comes from before it.
            self.builder.leave_scope();
            self.builder.enter_scope();
            let round = std::mem::take(&mut frame.round);
            let values = self.meet(frame.id, &round, next);
            for (&phi, &value) in frame.phis.iter().zip(&values) {
                self.builder.set_incoming(phi, 1, value, next);
            }
            self.builder.branch(header);
        }
        self.builder.leave_scope();
        self.close(&frame)
    }

    fn begin_switch(&mut self, operands: &[Operand]) -> Result<(), Error> {
        let [operand, ..] = operands else { return Err(self.bad_operand("a selector is missing")) };
        let selector = if self.builder.reachable() { Some(self.scalar(operand)?) } else { None };
        let mut frame = self.open(ConstructKind::Switch);
        if let Some(selector) = selector {
            self.branch_on(&mut frame, selector);
        }
        self.builder.enter_scope();
        self.flow.frames.push(frame);
        Ok(())
    }

    fn branch_on(&mut self, frame: &mut Frame, selector: ValueId) {
        let construct = &self.scan.constructs[frame.id.0 as usize];
        let (has_default, falls_through) = (construct.has_default, construct.falls_through);
        let (first, end) = construct.cases;
        let bodies = self.scan.cases_of(frame.id).last().map_or(0, |c| c.body + 1);
        frame.bodies = (0..bodies).map(|_| self.builder.new_block()).collect();
        if !has_default {
            self.take_edge(&mut frame.exit);
        }
        if falls_through {
            let mut entry = self.join(frame.id, |a| a.mask);
            self.take_edge(&mut entry);
            frame.entry = Some(entry);
        }
        let mut default = frame.merge;
        let mut cases = Vec::new();
        for n in first as usize..end as usize {
            let Case { literal, body, default: is_default } = self.scan.cases[n];
            let block = frame.bodies[body as usize];
            if is_default {
                default = block;
            } else {
                cases.push((literal, block));
            }
        }
        self.flow.overfull |= cases.len() > MAX_EDGES;
        let (first, count) = self.builder.cases(&cases);
        self.flush_outputs();
        let merge = Merge::Selection(frame.merge);
        if bodies == 0 {
            // Nothing to choose from: straight on.
            self.builder.branch(frame.merge);
            return;
        }
        self.builder.end(merge, Terminator::Switch { selector, default, first, count });
    }

    fn begin_case(&mut self) -> Result<(), Error> {
        let mut frame = self.top(ConstructKind::Switch)?;
        let first_of_body = self.first_label_of_body(&mut frame);
        if let Some(body) = first_of_body {
            let block = frame.bodies.get(body).copied();
            match (block, self.builder.reachable(), frame.entry.take()) {
                (Some(block), true, Some(mut entry)) => {
                    self.fall_into(&mut frame, &mut entry, block);
                    frame.entry = Some(entry);
                }
                (Some(block), reachable, entry) => {
                    debug_assert!(!reachable);
                    frame.entry = entry;
                    self.restore(&frame);
                    self.builder.leave_scope();
                    self.builder.enter_scope();
                    self.builder.begin(block);
                }
                _ => {}
            }
        }
        self.flow.frames.push(frame);
        Ok(())
    }

    /// The number of the body that a label begins; none where the label before begins it.
    fn first_label_of_body(&self, frame: &mut Frame) -> Option<usize> {
        let cases = self.scan.cases_of(frame.id);
        let label = cases.get(frame.body)?;
        let first = frame.body == 0 || cases[frame.body - 1].body != label.body;
        frame.body += 1;
        first.then_some(label.body as usize)
    }

    /// A case that the one before falls into: the switch's own edge and that one's meet.
    fn fall_into(&mut self, frame: &mut Frame, entry: &mut Join, block: BlockId) {
        let (edges, values, lanes) = (entry.edges.len(), entry.values.len(), entry.lanes.len());
        self.take_edge(entry);
        self.leave(block);
        self.builder.leave_scope();
        self.builder.enter_scope();
        self.meet(frame.id, entry, block);
        entry.edges.truncate(edges);
        entry.values.truncate(values);
        entry.lanes.truncate(lanes);
    }

    fn end_switch(&mut self) -> Result<(), Error> {
        let mut frame = self.top(ConstructKind::Switch)?;
        if self.builder.reachable() {
            self.take_edge(&mut frame.exit);
            self.leave(frame.merge);
        }
        self.builder.leave_scope();
        self.close(&frame)
    }

    /// Takes the edge to the innermost construct's end (or, of a loop, to its next round); the block to branch to.
    fn edge_to(&mut self, target: impl Fn(&Frame) -> bool, round: bool) -> Result<BlockId, Error> {
        let at = self.flow.frames.iter().rposition(target);
        let at = at.ok_or_else(|| Error::malformed(ledger::BAD_NESTING, 0, "nothing to break from or to continue"))?;
        let frame = &mut self.flow.frames[at];
        let block = if round { frame.next.unwrap_or(frame.merge) } else { frame.merge };
        let mut join = std::mem::take(if round { &mut frame.round } else { &mut frame.exit });
        self.take_edge(&mut join);
        let frame = &mut self.flow.frames[at];
        *(if round { &mut frame.round } else { &mut frame.exit }) = join;
        Ok(block)
    }

    fn jump(&mut self, target: impl Fn(&Frame) -> bool, round: bool) -> Result<(), Error> {
        if self.builder.reachable() {
            let block = self.edge_to(target, round)?;
            self.leave(block);
        }
        Ok(())
    }

    fn jump_if(
        &mut self,
        inst: &Instruction,
        operands: &[Operand],
        target: impl Fn(&Frame) -> bool,
        round: bool,
    ) -> Result<(), Error> {
        if !self.builder.reachable() {
            return Ok(());
        }
        let condition = self.condition(inst, operands)?;
        let block = self.edge_to(target, round)?;
        let stay = self.builder.new_block();
        self.split(Merge::None, condition, block, stay);
        self.builder.begin(stay);
        Ok(())
    }

    /// `ret`: writes the outputs and ends the invocation.
    pub(super) fn lower_return(&mut self) {
        if self.builder.reachable() {
            self.leave_shader();
            self.builder.end(Merge::None, Terminator::Return);
        }
    }

    fn return_if(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        if !self.builder.reachable() {
            return Ok(());
        }
        let condition = self.condition(inst, operands)?;
        let (leave, stay) = (self.builder.new_block(), self.builder.new_block());
        self.split(Merge::Selection(stay), condition, leave, stay);
        self.builder.begin(leave);
        self.leave_shader();
        self.builder.end(Merge::None, Terminator::Return);
        self.builder.begin(stay);
        Ok(())
    }

    /// `discard`: the invocation goes on as a helper, so that derivatives after it stay defined.
    fn discard(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        if !self.options.profile.features.demote_to_helper {
            let what = "`discard` needs shaderDemoteToHelperInvocation";
            return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
        }
        let condition = self.condition(inst, operands)?;
        if self.builder.as_constant(condition) == Some(0) {
            return Ok(());
        }
        let (demote, stay) = (self.builder.new_block(), self.builder.new_block());
        // What waits to be stored waits on: both ways meet again at once.
        let terminator = Terminator::Conditional { condition, then: demote, otherwise: stay };
        self.builder.end(Merge::Selection(stay), terminator);
        self.builder.begin(demote);
        self.builder.push(Op::Demote, Type::VOID, Flags::NONE, 0, &[]);
        self.builder.branch(stay);
        self.builder.begin(stay);
        Ok(())
    }
}
