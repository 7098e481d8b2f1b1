//! Builds a [`Function`] in the order of its blocks.
//!
//! Equal pure operations under one dominating scope make one value; constants are interned for the whole module;
//! what concerns constants alone (bitcasts, swizzles, small integer arithmetic on addresses) is folded on the way.
//! Must never reorder anything: a value stands in the block that was open when it was asked for.

use super::{
    Block, BlockId, Effect, Flags, Function, Inst, Kind, Merge, Modes, Op, Terminator, Type, ValueId, Var, VarId,
    VarKind,
};

/// Scopes, hash table entries and the like refer to instructions by number; this one means none.
const NONE: u32 = u32::MAX;

/// Buckets of the table of pure operations.
const BUCKETS: usize = 1 << 10;

/// A component of a value: what a register's lane holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaneRef(u32);

impl LaneRef {
    /// A lane that nothing was written to.
    pub const UNDEFINED: LaneRef = LaneRef(u32::MAX);

    /// Component `component` of `value`.
    pub fn new(value: ValueId, component: u8) -> LaneRef {
        LaneRef((value.0 << 2) | u32::from(component & 3))
    }

    /// The value; `None` where nothing was written.
    pub fn value(self) -> Option<ValueId> {
        (self != LaneRef::UNDEFINED).then_some(ValueId(self.0 >> 2))
    }

    /// The component.
    pub fn component(self) -> u8 {
        (self.0 & 3) as u8
    }
}

/// An entry of the table of pure operations: an instruction, and the entry that it hides.
struct Entry {
    inst: u32,
    bucket: u32,
    hidden: u32,
}

/// Builds a function.
pub struct Builder {
    function: Function,
    open: Option<BlockId>,
    heads: Vec<u32>,
    entries: Vec<Entry>,
    scopes: Vec<u32>,
    constants: Vec<u32>,
    constant_count: usize,
}

impl Builder {
    /// An empty function; `size` is a guess at its number of instructions.
    pub fn new(modes: Modes, size: usize) -> Builder {
        Builder {
            function: Function {
                modes,
                insts: Vec::with_capacity(size),
                args: Vec::with_capacity(size * 2),
                blocks: Vec::new(),
                order: Vec::new(),
                cases: Vec::new(),
                vars: Vec::new(),
                table: Vec::new(),
                names: String::new(),
            },
            open: None,
            heads: vec![NONE; BUCKETS],
            entries: Vec::with_capacity(size),
            scopes: Vec::new(),
            constants: vec![NONE; 64],
            constant_count: 0,
        }
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }

    /// The function so far.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The modes, to change.
    pub fn modes(&mut self) -> &mut Modes {
        &mut self.function.modes
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.function.inst(value).ty
    }

    // Variables.

    /// Adds a variable.
    pub fn var(&mut self, kind: VarKind, name: &str) -> VarId {
        let start = self.function.names.len() as u32;
        self.function.names.push_str(name);
        self.function.vars.push(Var { kind, name: (start, self.function.names.len() as u32) });
        VarId(self.function.vars.len() as u32 - 1)
    }

    /// Changes a variable.
    pub fn var_mut(&mut self, var: VarId) -> &mut Var {
        &mut self.function.vars[var.0 as usize]
    }

    /// Adds constants of a table; the index of the first.
    pub fn table(&mut self, constants: &[ValueId]) -> u32 {
        let first = self.function.table.len() as u32;
        self.function.table.extend_from_slice(constants);
        first
    }

    // Constants.

    /// A scalar constant of a kind of at most 32 bits.
    pub fn constant(&mut self, kind: Kind, bits: u32) -> ValueId {
        self.intern(Op::Const, Type::new(kind, 1), bits, &[])
    }

    /// A `U32`.
    pub fn u32(&mut self, bits: u32) -> ValueId {
        self.constant(Kind::U32, bits)
    }

    /// An `F32`.
    pub fn f32(&mut self, value: f32) -> ValueId {
        self.constant(Kind::F32, value.to_bits())
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> ValueId {
        self.constant(Kind::Bool, u32::from(value))
    }

    /// A constant of 64 bits.
    pub fn constant64(&mut self, kind: Kind, bits: u64) -> ValueId {
        self.intern(Op::Const64, Type::new(kind, 1), 0, &[bits as u32, (bits >> 32) as u32])
    }

    /// The same scalar constant `width` times.
    pub fn splat(&mut self, scalar: ValueId, width: u8) -> ValueId {
        if width == 1 {
            return scalar;
        }
        self.construct(self.ty(scalar).with_width(width), &[scalar; 4][..usize::from(width)])
    }

    /// A specialization constant.
    pub fn specialization(&mut self, id: u16, default: u16) -> ValueId {
        self.intern(Op::Specialization, Type::U32, u32::from(id) | u32::from(default) << 16, &[])
    }

    /// A value that may be anything.
    pub fn undef(&mut self, ty: Type) -> ValueId {
        self.intern(Op::Undef, ty, 0, &[])
    }

    /// The bits of a scalar constant of at most 32 bits.
    pub fn as_constant(&self, value: ValueId) -> Option<u32> {
        let inst = self.function.inst(value);
        (inst.op == Op::Const).then_some(inst.aux)
    }

    /// Whether a value is a constant that is known here; a specialization constant is not.
    pub fn is_constant(&self, value: ValueId) -> bool {
        let op = self.function.inst(value).op;
        op.effect() == Effect::Constant && op != Op::Specialization
    }

    fn intern(&mut self, op: Op, ty: Type, aux: u32, args: &[u32]) -> ValueId {
        if (self.constant_count + 1) * 2 > self.constants.len() {
            self.grow_constants();
        }
        let mask = self.constants.len() - 1;
        let mut slot = hash(op, ty, Flags::NONE, aux, args) as usize & mask;
        while self.constants[slot] != NONE {
            if self.equal(self.constants[slot], op, ty, Flags::NONE, aux, args) {
                return ValueId(self.constants[slot]);
            }
            slot = (slot + 1) & mask;
        }
        let id = self.append(op, ty, Flags::NONE, aux, args);
        self.constants[slot] = id.0;
        self.constant_count += 1;
        id
    }

    fn grow_constants(&mut self) {
        let old = std::mem::take(&mut self.constants);
        self.constants = vec![NONE; old.len() * 2];
        let mask = self.constants.len() - 1;
        for id in old.into_iter().filter(|&id| id != NONE) {
            let inst = self.function.insts[id as usize];
            let mut slot = hash(inst.op, inst.ty, inst.flags, inst.aux, self.function.args_of(&inst)) as usize & mask;
            while self.constants[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            self.constants[slot] = id;
        }
    }

    // Instructions.

    fn append(&mut self, op: Op, ty: Type, flags: Flags, aux: u32, args: &[u32]) -> ValueId {
        let first = self.function.args.len() as u32;
        self.function.args.extend_from_slice(args);
        self.function.insts.push(Inst { op, ty, flags, count: args.len() as u16, first, aux });
        ValueId(self.function.insts.len() as u32 - 1)
    }

    fn equal(&self, id: u32, op: Op, ty: Type, flags: Flags, aux: u32, args: &[u32]) -> bool {
        let inst = &self.function.insts[id as usize];
        inst.op == op && inst.ty == ty && inst.flags == flags && inst.aux == aux && self.function.args_of(inst) == args
    }

    /// Adds an instruction to the open block; a pure one that a dominating block has is that one.
    pub fn push(&mut self, op: Op, ty: Type, flags: Flags, aux: u32, args: &[ValueId]) -> ValueId {
        self.push_as(op, ty, flags, aux, args, op.effect() == Effect::Pure)
    }

    /// Adds a load from memory that never changes (inputs, uniform buffers, tables): shared like a pure operation.
    pub fn load_constant(&mut self, ty: Type, flags: Flags, var: VarId, indices: &[ValueId]) -> ValueId {
        self.push_as(Op::Load, ty, flags, var.0, indices, true)
    }

    /// Adds a read of what never changes while the shader runs (a buffer's length): shared like a pure operation.
    pub fn push_shared(&mut self, op: Op, ty: Type, flags: Flags, aux: u32, args: &[ValueId]) -> ValueId {
        self.push_as(op, ty, flags, aux, args, true)
    }

    /// A pure operation without flags.
    pub fn op(&mut self, op: Op, ty: Type, args: &[ValueId]) -> ValueId {
        self.push(op, ty, Flags::NONE, 0, args)
    }

    fn push_as(&mut self, op: Op, ty: Type, flags: Flags, aux: u32, args: &[ValueId], shared: bool) -> ValueId {
        debug_assert!(self.open.is_some(), "{op:?} outside a block");
        let mut raw = [0u32; 16];
        let n = args.len().min(raw.len());
        debug_assert!(n == args.len());
        for (slot, arg) in raw.iter_mut().zip(args) {
            *slot = arg.0;
        }
        let raw = &raw[..n];
        if !shared {
            return self.append(op, ty, flags, aux, raw);
        }
        let bucket = hash(op, ty, flags, aux, raw) & (BUCKETS as u32 - 1);
        let mut entry = self.heads[bucket as usize];
        // A long chain would make hostile input quadratic; past this depth a repeated value is only a little larger.
        let mut depth = 0;
        while entry != NONE && depth < 32 {
            let Entry { inst, hidden, .. } = self.entries[entry as usize];
            if self.equal(inst, op, ty, flags, aux, raw) {
                return ValueId(inst);
            }
            entry = hidden;
            depth += 1;
        }
        let id = self.append(op, ty, flags, aux, raw);
        self.entries.push(Entry { inst: id.0, bucket, hidden: self.heads[bucket as usize] });
        self.heads[bucket as usize] = self.entries.len() as u32 - 1;
        id
    }

    // Blocks.

    /// Whether a block is open: code outside one is never reached.
    pub fn reachable(&self) -> bool {
        self.open.is_some()
    }

    /// The open block.
    pub fn current(&self) -> Option<BlockId> {
        self.open
    }

    /// A block to be opened later.
    pub fn new_block(&mut self) -> BlockId {
        self.function.blocks.push(Block { first: 0, end: 0, merge: Merge::None, terminator: Terminator::Unreachable });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    /// Opens a block: it is next in the module.
    pub fn begin(&mut self, block: BlockId) {
        debug_assert!(self.open.is_none());
        let at = self.function.insts.len() as u32;
        self.function.blocks[block.0 as usize].first = at;
        self.function.order.push(block);
        self.open = Some(block);
    }

    /// Ends the open block.
    pub fn end(&mut self, merge: Merge, terminator: Terminator) {
        let Some(open) = self.open.take() else { return };
        let end = self.function.insts.len() as u32;
        let block = &mut self.function.blocks[open.0 as usize];
        block.end = end;
        block.merge = merge;
        block.terminator = terminator;
    }

    /// Ends the open block with a branch.
    pub fn branch(&mut self, to: BlockId) {
        self.end(Merge::None, Terminator::Branch(to));
    }

    /// Adds cases of a switch; their range.
    pub fn cases(&mut self, cases: &[(u32, BlockId)]) -> (u32, u32) {
        let first = self.function.cases.len() as u32;
        self.function.cases.extend_from_slice(cases);
        (first, cases.len() as u32)
    }

    /// What is computed from here on is seen only by what this scope dominates.
    pub fn enter_scope(&mut self) {
        self.scopes.push(self.entries.len() as u32);
    }

    /// Ends the innermost scope.
    pub fn leave_scope(&mut self) {
        let Some(start) = self.scopes.pop() else { return };
        while self.entries.len() > start as usize {
            if let Some(entry) = self.entries.pop() {
                self.heads[entry.bucket as usize] = entry.hidden;
            }
        }
    }

    /// A join of values from predecessors. Stands before anything else of its block.
    pub fn phi(&mut self, ty: Type, incoming: &[(ValueId, BlockId)]) -> ValueId {
        let first = self.function.args.len() as u32;
        self.function.args.extend(incoming.iter().flat_map(|(v, b)| [v.0, b.0]));
        let count = (incoming.len() * 2) as u16;
        self.function.insts.push(Inst { op: Op::Phi, ty, flags: Flags::NONE, count, first, aux: 0 });
        ValueId(self.function.insts.len() as u32 - 1)
    }

    /// Changes predecessor `n` of a join: loops learn theirs late.
    pub fn set_incoming(&mut self, phi: ValueId, n: usize, value: ValueId, block: BlockId) {
        let at = self.function.inst(phi).first as usize + 2 * n;
        self.function.args[at] = value.0;
        self.function.args[at + 1] = block.0;
    }

    // Lanes and vectors.

    /// Component `component` of a vector.
    pub fn extract(&mut self, value: ValueId, component: u8) -> ValueId {
        let inst = *self.function.inst(value);
        if inst.ty.width() == 1 {
            return value;
        }
        match inst.op {
            Op::ConstVector => ValueId(self.function.args_of(&inst)[usize::from(component)]),
            Op::Undef => self.undef(inst.ty.with_width(1)),
            Op::Shuffle => {
                let lane = self.shuffled(&inst, component);
                self.extract(lane.0, lane.1)
            }
            Op::Construct if usize::from(inst.ty.width()) == usize::from(inst.count) => {
                ValueId(self.function.args_of(&inst)[usize::from(component)])
            }
            _ => self.push(Op::Extract, inst.ty.with_width(1), Flags::NONE, u32::from(component), &[value]),
        }
    }

    /// Which component of which vector a lane of a shuffle is.
    fn shuffled(&self, inst: &Inst, lane: u8) -> (ValueId, u8) {
        let args = self.function.args_of(inst);
        let n = (inst.aux >> (4 * lane)) as u8 & 15;
        let first = self.function.insts[args[0] as usize].ty.width();
        if n < first { (ValueId(args[0]), n) } else { (ValueId(args[args.len() - 1]), n - first) }
    }

    /// A vector of scalars and smaller vectors of the same kind, which together have the type's width.
    pub fn construct(&mut self, ty: Type, parts: &[ValueId]) -> ValueId {
        if parts.len() == 1 {
            return parts[0];
        }
        if parts.iter().all(|&p| self.function.inst(p).op == Op::Const) {
            let mut raw = [0u32; 4];
            for (slot, p) in raw.iter_mut().zip(parts) {
                *slot = p.0;
            }
            return self.intern(Op::ConstVector, ty, 0, &raw[..parts.len().min(4)]);
        }
        self.op(Op::Construct, ty, parts)
    }

    /// The same bits as another kind of the same size. Of a `Bool`: the mask, all ones or zeros.
    pub fn convert(&mut self, value: ValueId, kind: Kind) -> ValueId {
        let inst = *self.function.inst(value);
        let (from, to) = (inst.ty.kind(), inst.ty.with_kind(kind));
        if from == kind {
            return value;
        }
        if kind == Kind::Bool {
            return self.test(value);
        }
        if from == Kind::Bool {
            let (ones, zero) = (self.u32(u32::MAX), self.u32(0));
            let (ones, zero) = (self.splat(ones, to.width()), self.splat(zero, to.width()));
            let mask = self.select(value, ones, zero);
            return self.convert(mask, kind);
        }
        match inst.op {
            Op::Const => self.constant(kind, inst.aux),
            Op::Undef => self.undef(to),
            Op::ConstVector => {
                let mut parts = [value; 4];
                for c in 0..inst.count.min(4) {
                    let part = ValueId(self.function.args_of(&inst)[usize::from(c)]);
                    parts[usize::from(c)] = self.convert(part, kind);
                }
                self.construct(to, &parts[..usize::from(inst.count.min(4))])
            }
            Op::Bitcast => {
                let source = ValueId(self.function.args_of(&inst)[0]);
                if self.ty(source) == to { source } else { self.op(Op::Bitcast, to, &[source]) }
            }
            _ => self.op(Op::Bitcast, to, &[value]),
        }
    }

    /// What a bitcast was made of.
    pub fn bitcast_source(&self, value: ValueId) -> Option<ValueId> {
        let inst = self.function.inst(value);
        (inst.op == Op::Bitcast).then(|| ValueId(self.function.args_of(inst)[0]))
    }

    /// Whether any bit of each component is set.
    pub fn test(&mut self, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        if ty.kind() == Kind::Bool {
            return value;
        }
        if let Some(bits) = self.as_constant(value) {
            return self.bool(bits != 0);
        }
        if let Some(condition) = self.mask_source(value) {
            return condition;
        }
        let bits = self.convert(value, Kind::U32);
        let zero = self.u32(0);
        let zero = self.splat(zero, ty.width());
        self.op(Op::INotEqual, ty.with_kind(Kind::Bool), &[bits, zero])
    }

    /// The condition that a mask was made of.
    fn mask_source(&self, value: ValueId) -> Option<ValueId> {
        let inst = self.function.inst(value);
        if inst.op == Op::Bitcast {
            return self.mask_source(ValueId(self.function.args_of(inst)[0]));
        }
        if inst.op != Op::Select {
            return None;
        }
        let args = self.function.args_of(inst);
        (self.all_bits(ValueId(args[1]), u32::MAX) && self.all_bits(ValueId(args[2]), 0)).then_some(ValueId(args[0]))
    }

    /// Whether every component of a constant has these bits.
    pub fn all_bits(&self, value: ValueId, bits: u32) -> bool {
        let inst = self.function.inst(value);
        match inst.op {
            Op::Const => inst.aux == bits,
            Op::ConstVector => self.function.args_of(inst).iter().all(|&a| self.function.insts[a as usize].aux == bits),
            _ => false,
        }
    }

    /// Component by component: `then` where the condition is true.
    pub fn select(&mut self, condition: ValueId, then: ValueId, otherwise: ValueId) -> ValueId {
        if then == otherwise {
            return then;
        }
        match self.as_constant(condition) {
            Some(0) => otherwise,
            Some(_) => then,
            None => self.op(Op::Select, self.ty(then), &[condition, then, otherwise]),
        }
    }

    /// The logical opposite.
    pub fn not(&mut self, condition: ValueId) -> ValueId {
        let inst = *self.function.inst(condition);
        match inst.op {
            Op::Const => self.bool(inst.aux == 0),
            Op::LogicalNot => ValueId(self.function.args_of(&inst)[0]),
            Op::INotEqual | Op::IEqual => {
                let args = self.function.args_of(&inst);
                let args = [ValueId(args[0]), ValueId(args[1])];
                let op = if inst.op == Op::IEqual { Op::INotEqual } else { Op::IEqual };
                self.op(op, inst.ty, &args)
            }
            _ => self.op(Op::LogicalNot, inst.ty, &[condition]),
        }
    }

    /// Lanes as one value of a kind: the vector itself where they are its components in order, one shuffle where they
    /// come of one or two vectors, else a construct. A lane that nothing was written to is 0.
    pub fn gather(&mut self, lanes: &[LaneRef], kind: Kind) -> ValueId {
        let n = lanes.len().min(4);
        let mut parts = [(ValueId(0), 0u8); 4];
        for (part, lane) in parts.iter_mut().zip(lanes) {
            *part = match lane.value() {
                None => (self.constant(kind, 0), 0),
                Some(v) if kind == Kind::Bool && self.ty(v).kind() != Kind::Bool => {
                    // Only the lane that is asked for is tested.
                    let scalar = self.extract(v, lane.component());
                    (self.test(scalar), 0)
                }
                Some(v) => (self.convert(v, kind), lane.component()),
            };
        }
        self.assemble(&parts[..n], kind)
    }

    fn assemble(&mut self, parts: &[(ValueId, u8)], kind: Kind) -> ValueId {
        let n = parts.len();
        let (first, component) = parts[0];
        if n == 1 {
            return self.extract(first, component);
        }
        let ty = Type::new(kind, n as u8);
        if parts.iter().all(|&(v, _)| v == first) && self.ty(first).width() > 1 {
            return self.swizzle(ty, parts);
        }
        let mut flat = [(ValueId(0), 0u8); 4];
        for (slot, &(v, c)) in flat.iter_mut().zip(parts) {
            *slot = self.look_through(v, c);
        }
        let flat = &flat[..n];
        if flat.iter().all(|&(v, _)| v == flat[0].0) && self.ty(flat[0].0).width() > 1 {
            return self.swizzle(ty, flat);
        }
        self.mix(ty, flat)
    }

    /// The value that a lane of a shuffle or construct really is.
    fn look_through(&self, value: ValueId, component: u8) -> (ValueId, u8) {
        let inst = self.function.inst(value);
        match inst.op {
            Op::Shuffle => {
                let (v, c) = self.shuffled(inst, component);
                self.look_through(v, c)
            }
            Op::Construct if usize::from(inst.ty.width()) == usize::from(inst.count) => {
                (ValueId(self.function.args_of(inst)[usize::from(component)]), 0)
            }
            Op::ConstVector => (ValueId(self.function.args_of(inst)[usize::from(component)]), 0),
            Op::Extract => (ValueId(self.function.args_of(inst)[0]), inst.aux as u8),
            _ => (value, component),
        }
    }

    fn swizzle(&mut self, ty: Type, parts: &[(ValueId, u8)]) -> ValueId {
        let source = parts[0].0;
        let in_order = parts.iter().enumerate().all(|(i, &(_, c))| usize::from(c) == i);
        if in_order && self.ty(source).width() == ty.width() {
            return source;
        }
        let mut aux = 0;
        for (i, &(_, c)) in parts.iter().enumerate() {
            aux |= u32::from(c) << (4 * i);
        }
        self.push(Op::Shuffle, ty, Flags::NONE, aux, &[source])
    }

    /// Lanes of different values: two vectors (constants together count as one) are shuffled, all else is constructed.
    fn mix(&mut self, ty: Type, parts: &[(ValueId, u8)]) -> ValueId {
        let n = parts.len();
        let is_const = |b: &Builder, v: ValueId| b.function.inst(v).op == Op::Const;
        let constants = parts.iter().filter(|&&(v, _)| is_const(self, v)).count();
        if constants == n {
            let values: [ValueId; 4] = std::array::from_fn(|i| parts[i.min(n - 1)].0);
            return self.construct(ty, &values[..n]);
        }
        let mut vectors = [ValueId(0); 4];
        let mut vector_count = 0;
        let mut scalars = 0;
        for &(v, _) in parts {
            if self.ty(v).width() == 1 {
                scalars += usize::from(!is_const(self, v));
            } else if !vectors[..vector_count].contains(&v) {
                vectors[vector_count] = v;
                vector_count += 1;
            }
        }
        let vector_lanes = n - scalars - constants;
        if scalars == 0 && vector_count == 2 && constants == 0 {
            return self.shuffle_two(ty, parts, vectors[0], vectors[1]);
        }
        if scalars == 0 && vector_count == 1 && vector_lanes >= 2 {
            return self.shuffle_constants(ty, parts, vectors[0]);
        }
        self.construct_parts(ty, parts)
    }

    fn shuffle_two(&mut self, ty: Type, parts: &[(ValueId, u8)], a: ValueId, b: ValueId) -> ValueId {
        let width = self.ty(a).width();
        let mut aux = 0;
        for (i, &(v, c)) in parts.iter().enumerate() {
            let lane = if v == a { c } else { c + width };
            aux |= u32::from(lane) << (4 * i);
        }
        self.push(Op::Shuffle, ty, Flags::NONE, aux, &[a, b])
    }

    fn shuffle_constants(&mut self, ty: Type, parts: &[(ValueId, u8)], a: ValueId) -> ValueId {
        // A vector has two components at least: one constant stands twice.
        let mut constants = [ValueId(0); 4];
        let mut count = 0usize;
        let mut lanes = [(a, 0u8); 4];
        for (lane, &(v, c)) in lanes.iter_mut().zip(parts) {
            if v == a {
                *lane = (a, c);
                continue;
            }
            let at = constants[..count].iter().position(|&k| k == v).unwrap_or_else(|| {
                constants[count] = v;
                count += 1;
                count - 1
            });
            *lane = (ValueId(NONE >> 2), at as u8);
        }
        if count == 1 {
            constants[1] = constants[0];
            count = 2;
        }
        let vector = self.construct(ty.with_width(count as u8), &constants[..count]);
        for lane in &mut lanes {
            if lane.0 != a {
                lane.0 = vector;
            }
        }
        self.shuffle_two(ty, &lanes[..parts.len()], a, vector)
    }

    fn construct_parts(&mut self, ty: Type, parts: &[(ValueId, u8)]) -> ValueId {
        let mut values = [ValueId(0); 4];
        let mut count = 0;
        let mut i = 0;
        while i < parts.len() {
            let (v, c) = parts[i];
            let width = usize::from(self.ty(v).width());
            let whole = width > 1 && i + width <= parts.len() && (0..width).all(|k| parts[i + k] == (v, k as u8));
            values[count] = if whole { v } else { self.extract(v, c) };
            i += if whole { width } else { 1 };
            count += 1;
        }
        self.construct(ty, &values[..count])
    }

    // Integer arithmetic on addresses.

    /// a + b of one component, folded where constant.
    pub fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.u32(x.wrapping_add(y)),
            (Some(0), None) => b,
            (None, Some(0)) => a,
            (None, Some(y)) => {
                // (x + c) + d: neighbours of one address share x.
                let inst = *self.function.inst(a);
                if inst.op == Op::IAdd && inst.ty == Type::U32 {
                    let (x, c) = (self.function.args_of(&inst)[0], self.function.args_of(&inst)[1]);
                    if let Some(c) = self.as_constant(ValueId(c)) {
                        let sum = self.u32(c.wrapping_add(y));
                        return self.add(ValueId(x), sum);
                    }
                }
                self.op(Op::IAdd, Type::U32, &[a, b])
            }
            (Some(_), None) => self.add(b, a),
            (None, None) => self.op(Op::IAdd, Type::U32, &[a, b]),
        }
    }

    /// a · c of one component.
    pub fn mul_constant(&mut self, a: ValueId, c: u32) -> ValueId {
        match (self.as_constant(a), c) {
            (Some(x), _) => self.u32(x.wrapping_mul(c)),
            (None, 1) => a,
            (None, 0) => self.u32(0),
            (None, c) if c.is_power_of_two() => {
                let shift = self.u32(c.trailing_zeros());
                self.op(Op::Shl, Type::U32, &[a, shift])
            }
            _ => {
                let c = self.u32(c);
                self.op(Op::IMul, Type::U32, &[a, c])
            }
        }
    }

    /// a >> n of one component, zeros in.
    pub fn shr_constant(&mut self, a: ValueId, n: u32) -> ValueId {
        match self.as_constant(a) {
            Some(x) => self.u32(x >> (n & 31)),
            None if n == 0 => a,
            None => {
                let n = self.u32(n);
                self.op(Op::ShrLogical, Type::U32, &[a, n])
            }
        }
    }
}

fn hash(op: Op, ty: Type, flags: Flags, aux: u32, args: &[u32]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = ((op as u64) << 16) ^ ((ty.index() as u64) << 8) ^ u64::from(flags.0);
    h = (h ^ u64::from(aux)).wrapping_mul(K);
    for &a in args {
        h = (h.rotate_left(23) ^ u64::from(a)).wrapping_mul(K);
    }
    (h >> 32) as u32 ^ h as u32
}
