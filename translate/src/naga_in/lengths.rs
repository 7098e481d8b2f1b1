//! Lengths of buffers from push constants in what naga wrote, which asks the buffers themselves.
//!
//! Owns the replacement of `OpArrayLength`. The push constants are laid out as those of a Direct3D shader: a `u32` of bytes a
//! descriptor of a storage buffer, in the order of the bindings.

use crate::error::Error;
use crate::interface::{DescriptorType, Resource};
use crate::ledger;
use crate::spirv_in::{Global, Inst, Rewriter};
use spirv::{Decoration, Op, StorageClass};

/// Asks push constants, from a byte on, for what the module asks its buffers.
pub(super) fn push(words: &[u32], resources: &[Resource], offset: u32) -> Result<Vec<u32>, Error> {
    let mut buffers: Vec<_> = resources.iter().filter(|r| r.ty == DescriptorType::StorageBuffer).collect();
    buffers.sort_by_key(|r| (r.set, r.binding));
    let mut pushed = Pushed { buffers, offset, variable: None };
    Rewriter::run(
        words,
        |r, inst, _| match inst.op() {
            Some(Op::ArrayLength) => pushed.length(r, inst).map(|()| 1),
            _ => Ok(0),
        },
        |_| Ok(()),
    )
}

struct Pushed<'r> {
    /// Storage buffers in the order of their bindings.
    buffers: Vec<&'r Resource>,
    /// Bytes before the lengths.
    offset: u32,
    /// The push constants, made at the first use.
    variable: Option<u32>,
}

/// Where a runtime array is: the buffer's variable, its descriptor's index, the array's offset and stride.
struct Asked {
    variable: u32,
    descriptor: Option<u32>,
    offset: u32,
    stride: u32,
}

impl Pushed<'_> {
    /// (bytes - offset) / stride, where the buffer reaches the array.
    fn length(&mut self, r: &mut Rewriter<'_>, inst: &Inst<'_>) -> Result<(), Error> {
        let &[ty, id, structure, member] = inst.rest(1) else { return Err(refused("a length in a form not known")) };
        let asked = asked(r, structure, member).ok_or_else(|| refused("a buffer that is no variable of the module"))?;
        let index = self.index(r, &asked)?;
        let variable = self.variable(r)?;
        let integer = r.global(Global::Integers(1));
        let pointer = r.global(Global::Pointer(StorageClass::PushConstant as u32, integer));
        let zero = r.global(Global::Integer(1, 0));
        let place = r.value(Op::AccessChain, pointer, &[variable, zero, index]);
        let mut bytes = r.value(Op::Load, integer, &[place]);
        if asked.offset > 0 {
            let (offset, truth) = (r.global(Global::Integer(1, asked.offset)), r.global(Global::Bools(1)));
            let reaches = r.value(Op::UGreaterThan, truth, &[bytes, offset]);
            let rest = r.value(Op::ISub, integer, &[bytes, offset]);
            bytes = r.value(Op::Select, integer, &[reaches, rest, zero]);
        }
        let stride = r.global(Global::Integer(1, asked.stride));
        r.write(Op::UDiv, &[ty, id, bytes, stride]);
        Ok(())
    }

    /// Which of the push constants it is.
    fn index(&self, r: &mut Rewriter<'_>, asked: &Asked) -> Result<u32, Error> {
        let of = |kind| r.module().decoration(asked.variable, kind);
        let place = (of(Decoration::DescriptorSet), of(Decoration::Binding));
        let mut first = 0;
        for buffer in &self.buffers {
            if (Some(buffer.set), Some(buffer.binding)) == place {
                let first = r.global(Global::Integer(1, first));
                let Some(descriptor) = asked.descriptor else { return Ok(first) };
                let integer = r.global(Global::Integers(1));
                return Ok(r.value(Op::IAdd, integer, &[descriptor, first]));
            }
            first += count(buffer)?;
        }
        Err(Error::internal("a storage buffer that is no resource"))
    }

    /// The push constants: `struct { u32 lengths[]; }`, with as many as there are descriptors.
    fn variable(&mut self, r: &mut Rewriter<'_>) -> Result<u32, Error> {
        if let Some(variable) = self.variable {
            return Ok(variable);
        }
        if r.module().variables.iter().any(|variable| variable.is(StorageClass::PushConstant)) {
            return Err(refused("the shader has push constants of its own, and lengths of buffers are to be pushed"));
        }
        let all = self.buffers.iter().map(|buffer| count(buffer)).sum::<Result<u32, Error>>()?;
        let (integer, len) = (r.global(Global::Integers(1)), r.global(Global::Integer(1, all)));
        let array = r.declare(Op::TypeArray, &[integer, len]);
        let block = r.declare(Op::TypeStruct, &[array]);
        r.decorate(Op::Decorate, &[array, Decoration::ArrayStride as u32, 4]);
        r.decorate(Op::Decorate, &[block, Decoration::Block as u32]);
        r.decorate(Op::MemberDecorate, &[block, 0, Decoration::Offset as u32, self.offset]);
        let pointer = r.global(Global::Pointer(StorageClass::PushConstant as u32, block));
        let variable = r.variable(pointer, StorageClass::PushConstant);
        self.variable = Some(variable);
        Ok(variable)
    }
}

fn count(buffer: &Resource) -> Result<u32, Error> {
    buffer.count.ok_or_else(|| refused("a range of storage buffers without an end has no lengths in push constants"))
}

/// Finds the runtime array that a structure's member is.
fn asked(r: &Rewriter<'_>, structure: u32, member: u32) -> Option<Asked> {
    let module = r.module();
    let place = module.definition(structure)?;
    let (variable, descriptor) = match (place.op()?, place.rest(3)) {
        (Op::Variable, _) => (structure, None),
        (Op::AccessChain | Op::InBoundsAccessChain, &[base, index]) => (base, Some(index)),
        _ => return None,
    };
    let pointer = module.definition(r.type_of(variable)?)?;
    let mut block = pointer.get(3)?;
    if descriptor.is_some() {
        block = module.definition(block)?.get(2)?;
    }
    let array = module.definition(block)?.get(2 + member as usize)?;
    Some(Asked {
        variable,
        descriptor,
        offset: module.member_decoration(block, member, Decoration::Offset)?,
        stride: module.decoration(array, Decoration::ArrayStride).filter(|stride| *stride > 0)?,
    })
}

fn refused(what: &str) -> Error {
    Error::refused(ledger::TEXT_NOT_WRITTEN, what)
}
