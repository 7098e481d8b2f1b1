//! Types without a layout, for what lies in no buffer.
//!
//! naga decorates every array and structure with a layout and uses one type for a buffer's content and for variables of
//! functions, which Vulkan forbids (VUID-StandaloneSpirv-None-10684): only what lies behind pointers of buffers may have
//! one. Owns the split: a type that only other variables use loses its layout; one that both use is declared twice. Values
//! then have the plain type, and are converted where they are loaded from a buffer or stored to it.
//!
//! ```text
//! %s = OpTypeStruct …  (Offset)            %s = OpTypeStruct …  (Offset)    %p = OpTypeStruct …
//! %a = OpLoad %s %buffer             =>    %b = OpLoad %s %buffer
//!                                          %a = OpCopyLogical %p %b
//!      OpStore %local %a                        OpStore %local %a
//! ```
//!
//! SPIR-V before 1.4 has no `OpCopyLogical`: values are converted component by component.

use super::module::Module;
use super::ops::result_index;
use super::words::{HEADER_WORDS, Inst, instructions};
use crate::error::Error;
use crate::ledger;
use spirv::{Decoration, Op, StorageClass};
use std::collections::{BTreeMap, BTreeSet};

/// Most components that are converted one by one in a module.
const MAX_COMPONENTS: u32 = 1 << 14;

/// Gives a module of naga's types without a layout where a layout is forbidden.
pub(crate) fn plain_types(words: Vec<u32>) -> Result<Vec<u32>, Error> {
    let split = {
        let module = Module::read(&words)?;
        let all: Vec<Inst<'_>> = instructions(&words).collect::<Result<_, _>>()?;
        let types = Types::of(&module, &all);
        if types.outside.iter().all(|ty| !types.decorated.contains(ty)) {
            None
        } else {
            Some(Splitter::new(&module, types).run(&words, &all)?)
        }
    };
    Ok(split.unwrap_or(words))
}

/// Where the arrays and structures of a module are used.
struct Types {
    /// Those with a layout.
    decorated: BTreeSet<u32>,
    /// Those that lie in buffers.
    inside: BTreeSet<u32>,
    /// Those that lie in other variables.
    outside: BTreeSet<u32>,
}

impl Types {
    fn of(module: &Module<'_>, all: &[Inst<'_>]) -> Types {
        let mut types = Types { decorated: BTreeSet::new(), inside: BTreeSet::new(), outside: BTreeSet::new() };
        for inst in all {
            match (inst.op(), inst.rest(1)) {
                (Some(Op::Decorate), &[target, kind, ..]) if is_layout(kind) => _ = types.decorated.insert(target),
                (Some(Op::MemberDecorate), &[target, _, kind, ..]) if is_layout(kind) => {
                    types.decorated.insert(target);
                }
                (Some(Op::TypePointer), &[_, class, pointee]) if has_layout(class) => {
                    reach(module, pointee, &mut types.inside);
                }
                (Some(Op::TypePointer), &[_, _, pointee]) => reach(module, pointee, &mut types.outside),
                _ => {}
            }
        }
        types
    }
}

/// Whether what lies behind pointers of a class has a layout.
fn has_layout(class: u32) -> bool {
    use StorageClass::{PhysicalStorageBuffer, PushConstant, StorageBuffer, Uniform};
    [Uniform, StorageBuffer, PushConstant, PhysicalStorageBuffer].iter().any(|own| *own as u32 == class)
}

fn is_layout(kind: u32) -> bool {
    use Decoration::{ArrayStride, ColMajor, MatrixStride, Offset, RowMajor};
    [ArrayStride, ColMajor, MatrixStride, Offset, RowMajor].iter().any(|own| *own as u32 == kind)
}

/// The types that an array or structure is made of; empty for others.
fn parts<'a>(inst: &Inst<'a>) -> &'a [u32] {
    match inst.op() {
        Some(Op::TypeArray | Op::TypeRuntimeArray) => inst.rest(2).get(..1).unwrap_or(&[]),
        Some(Op::TypeStruct) => inst.rest(2),
        _ => &[],
    }
}

/// Adds an array or structure and all such types in it.
fn reach(module: &Module<'_>, ty: u32, reached: &mut BTreeSet<u32>) {
    let mut left = vec![ty];
    while let Some(ty) = left.pop() {
        let Some(inst) = module.definition(ty) else { continue };
        let aggregate = matches!(inst.op(), Some(Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct));
        if aggregate && reached.insert(ty) {
            left.extend(parts(&inst));
        }
    }
}

struct Splitter<'m> {
    module: &'m Module<'m>,
    types: Types,
    /// Types that are declared twice, with the plain one.
    plain: BTreeMap<u32, u32>,
    next: u32,
    out: Vec<u32>,
    /// Components that were converted one by one.
    converted: u32,
}

impl<'m> Splitter<'m> {
    fn new(module: &'m Module<'m>, types: Types) -> Self {
        let next = module.header.bound;
        Splitter { module, types, plain: BTreeMap::new(), next, out: Vec::new(), converted: 0 }
    }

    fn run(mut self, words: &[u32], all: &[Inst<'_>]) -> Result<Vec<u32>, Error> {
        for ty in self.both(all) {
            let id = self.id();
            self.plain.insert(ty, id);
        }
        self.out = words.get(..HEADER_WORDS).unwrap_or(&[]).to_vec();
        for inst in all {
            self.write(inst)?;
        }
        if let Some(bound) = self.out.get_mut(3) {
            *bound = self.next;
        }
        Ok(self.out)
    }

    /// The types of buffers whose values meet those of other variables: those that both use, and those of buffers that
    /// hold such a type or lie in one.
    fn both(&self, all: &[Inst<'_>]) -> BTreeSet<u32> {
        let in_buffer = |ty: &u32| self.types.inside.contains(ty) && self.has_size(*ty);
        let mut both: BTreeSet<u32> = self.types.outside.iter().copied().filter(in_buffer).collect();
        loop {
            let known = both.len();
            for inst in all {
                let (Some(id), parts) = (inst.get(1), parts(inst)) else { continue };
                if parts.is_empty() || !in_buffer(&id) {
                    continue;
                }
                if parts.iter().any(|part| both.contains(part)) {
                    both.insert(id);
                }
                if both.contains(&id) {
                    both.extend(parts.iter().copied().filter(in_buffer));
                }
            }
            if both.len() == known {
                return both;
            }
        }
    }

    /// Whether values of a type exist: not of runtime arrays and what holds one.
    fn has_size(&self, ty: u32) -> bool {
        let mut reached = BTreeSet::new();
        reach(self.module, ty, &mut reached);
        let runtime =
            |ty: &u32| self.module.definition(*ty).is_some_and(|inst| inst.op() == Some(Op::TypeRuntimeArray));
        !reached.iter().any(runtime)
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn plain(&self, ty: u32) -> u32 {
        self.plain.get(&ty).copied().unwrap_or(ty)
    }

    fn push(&mut self, op: Op, operands: &[u32]) {
        let len = u32::try_from(operands.len() + 1).unwrap_or(0);
        self.out.push(len << 16 | op as u32);
        self.out.extend(operands);
    }

    fn write(&mut self, inst: &Inst<'_>) -> Result<(), Error> {
        let Some(op) = inst.op() else {
            self.out.extend(inst.words);
            return Ok(());
        };
        match (op, inst.rest(1)) {
            (Op::Decorate, &[target, kind, ..]) | (Op::MemberDecorate, &[target, _, kind, ..])
                if is_layout(kind) && !self.types.inside.contains(&target) => {}
            (Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct, &[id, ref rest @ ..]) => {
                self.declare(op, inst, id, rest);
            }
            (Op::TypePointer, &[id, class, pointee]) if !has_layout(class) => {
                self.push(op, &[id, class, self.plain(pointee)]);
            }
            (Op::TypeFunction, &[id, ref types @ ..]) => {
                let types: Vec<u32> = types.iter().map(|ty| self.plain(*ty)).collect();
                self.push(op, &[&[id], types.as_slice()].concat());
            }
            (Op::Load, &[ty, id, pointer, ref access @ ..]) if self.crosses(pointer, ty) => {
                let loaded = self.id();
                self.push(op, &[&[ty, loaded, pointer], access].concat());
                self.convert(ty, self.plain(ty), loaded, Some(id))?;
            }
            (Op::Store, &[pointer, value, ref access @ ..]) => {
                let ty = self.module.definition(value).and_then(|inst| inst.get(1));
                let stored = match ty.filter(|ty| self.crosses(pointer, *ty)) {
                    Some(ty) => self.convert(self.plain(ty), ty, value, None)?,
                    None => value,
                };
                self.push(op, &[&[pointer, stored], access].concat());
            }
            _ => self.copied(inst),
        }
        Ok(())
    }

    /// Whether a pointer is a buffer's and what lies there has a plain type too.
    fn crosses(&self, pointer: u32, ty: u32) -> bool {
        let of = |id: u32| self.module.definition(id);
        let class = of(pointer).and_then(|inst| of(inst.get(1)?)).and_then(|ty| ty.get(2));
        self.plain.contains_key(&ty) && class.is_some_and(has_layout)
    }

    /// A declaration of an array or structure, and the plain one behind it. One that lies in no buffer holds plain types.
    fn declare(&mut self, op: Op, inst: &Inst<'_>, id: u32, rest: &[u32]) {
        let parts = parts(inst).len();
        let as_plain = |own: &Self| -> Vec<u32> {
            rest.iter().enumerate().map(|(n, part)| if n < parts { own.plain(*part) } else { *part }).collect()
        };
        if !self.types.inside.contains(&id) {
            let rest = as_plain(self);
            return self.push(op, &[&[id], rest.as_slice()].concat());
        }
        self.out.extend(inst.words);
        if let Some(plain) = self.plain.get(&id).copied() {
            let rest = as_plain(self);
            self.push(op, &[&[plain], rest.as_slice()].concat());
        }
    }

    /// An instruction whose value has the plain type.
    fn copied(&mut self, inst: &Inst<'_>) {
        let first = self.out.len();
        self.out.extend(inst.words);
        if result_index(inst) == Some(2)
            && let Some(word) = self.out.get_mut(first + 1)
        {
            *word = self.plain.get(word).copied().unwrap_or(*word);
        }
    }

    /// Converts a value between the two types of one form. Gives the result, which has this id where one is asked for.
    fn convert(&mut self, from: u32, to: u32, value: u32, id: Option<u32>) -> Result<u32, Error> {
        if self.module.header.version >= (1, 4) {
            let id = id.unwrap_or_else(|| self.id());
            self.push(Op::CopyLogical, &[to, id, value]);
            return Ok(id);
        }
        let mut made = Vec::new();
        let pairs = self.components(from, to)?;
        for (n, (from, to)) in (0..).zip(pairs) {
            self.converted += 1;
            if self.converted > MAX_COMPONENTS {
                let what = "copies of large arrays between buffers and variables, for SPIR-V before 1.4";
                return Err(Error::refused(ledger::TEXT_NOT_WRITTEN, what));
            }
            let part = self.id();
            self.push(Op::CompositeExtract, &[from, part, value, n]);
            made.push(if from == to { part } else { self.convert(from, to, part, None)? });
        }
        let id = id.unwrap_or_else(|| self.id());
        self.push(Op::CompositeConstruct, &[&[to, id], made.as_slice()].concat());
        Ok(id)
    }

    /// The types of a value's components before and after its conversion.
    fn components(&self, from: u32, to: u32) -> Result<Vec<(u32, u32)>, Error> {
        let backward = self.plain.get(&to) == Some(&from);
        let with_layout = if backward { to } else { from };
        let Some(inst) = self.module.definition(with_layout) else { return Err(Error::internal("a type is gone")) };
        let count = match inst.op() {
            Some(Op::TypeArray) => inst.get(3).and_then(|count| self.module.constant(count)).unwrap_or(0),
            _ => 1,
        };
        if count > MAX_COMPONENTS {
            return Err(Error::refused(ledger::TEXT_NOT_WRITTEN, "a copy of a large array, for SPIR-V before 1.4"));
        }
        let pair = |part: &u32| if backward { (self.plain(*part), *part) } else { (*part, self.plain(*part)) };
        Ok((0..count).flat_map(|_| parts(&inst).iter().map(pair)).collect())
    }
}
