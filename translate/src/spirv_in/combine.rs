//! A texture and a sampler made one: the combined descriptors of GLSL, which naga does not have.
//!
//! naga is given two variables for each (`naga_in::glsl`). Here the texture's variable becomes one of the combined type and
//! the sampler's is taken out.
//!
//! ```text
//! %a = OpLoad %image %t              %a = OpLoad %combined %t
//! %b = OpLoad %sampler %s      =>
//! %c = OpSampledImage … %a %b        %c = OpLoad %combined %t
//! ```

use super::module::Module;
use super::words::{HEADER_WORDS, Inst, instructions};
use crate::error::Error;
use spirv::{Decoration, Op, StorageClass};
use std::collections::{BTreeMap, BTreeSet};

/// Makes one variable of each texture and sampler, given the sets and bindings of both.
pub(crate) fn combined(words: &[u32], pairs: &[[(u32, u32); 2]]) -> Result<Vec<u32>, Error> {
    let module = Module::read(words)?;
    let all: Vec<Inst<'_>> = instructions(words).collect::<Result<_, _>>()?;
    let mut combiner = Combiner::new(&module, pairs);
    combiner.find_types(&all);
    for inst in &all {
        combiner.write(inst);
    }
    if let Some(bound) = combiner.out.get_mut(3) {
        *bound = combiner.next;
    }
    Ok(combiner.out)
}

struct Combiner {
    /// Textures' variables, with the image's type.
    textures: BTreeMap<u32, u32>,
    /// Samplers' variables, with the texture's.
    samplers: BTreeMap<u32, u32>,
    /// Combined types by image type; none: not declared yet.
    types: BTreeMap<u32, u32>,
    declared: BTreeSet<u32>,
    /// Pointers to combined types.
    pointers: BTreeMap<u32, u32>,
    /// Values that were loaded from samplers, with the texture's variable.
    loaded: BTreeMap<u32, u32>,
    next: u32,
    out: Vec<u32>,
}

impl Combiner {
    fn new(module: &Module<'_>, pairs: &[[(u32, u32); 2]]) -> Self {
        let at = |place: (u32, u32)| {
            module.variables.iter().find(|variable| {
                let of = |kind| module.decoration(variable.id, kind);
                variable.is(StorageClass::UniformConstant)
                    && (of(Decoration::DescriptorSet), of(Decoration::Binding)) == (Some(place.0), Some(place.1))
            })
        };
        let mut combiner = Combiner {
            textures: BTreeMap::new(),
            samplers: BTreeMap::new(),
            types: BTreeMap::new(),
            declared: BTreeSet::new(),
            pointers: BTreeMap::new(),
            loaded: BTreeMap::new(),
            next: module.header.bound,
            out: module.words().get(..HEADER_WORDS).unwrap_or(&[]).to_vec(),
        };
        for [texture, sampler] in pairs {
            let Some(texture) = at(*texture) else { continue };
            if let Some(image) = texture.pointee {
                combiner.textures.insert(texture.id, image);
            }
            if let Some(sampler) = at(*sampler) {
                combiner.samplers.insert(sampler.id, texture.id);
            }
        }
        combiner
    }

    /// The combined types that are there already: no second one may be declared.
    fn find_types(&mut self, all: &[Inst<'_>]) {
        for inst in all {
            if let (Some(Op::TypeSampledImage), &[id, image]) = (inst.op(), inst.rest(1)) {
                self.types.insert(image, id);
            }
        }
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn push(&mut self, op: Op, operands: &[u32]) {
        let len = u32::try_from(operands.len() + 1).unwrap_or(0);
        self.out.push(len << 16 | op as u32);
        self.out.extend(operands);
    }

    /// The combined type of an image type, declared here at the latest.
    fn combined_type(&mut self, image: u32) -> u32 {
        let ty = match self.types.get(&image) {
            Some(ty) => *ty,
            None => {
                let ty = self.id();
                self.types.insert(image, ty);
                ty
            }
        };
        if self.declared.insert(ty) {
            self.push(Op::TypeSampledImage, &[ty, image]);
        }
        ty
    }

    fn pointer(&mut self, ty: u32) -> u32 {
        if let Some(pointer) = self.pointers.get(&ty) {
            return *pointer;
        }
        let pointer = self.id();
        self.push(Op::TypePointer, &[pointer, StorageClass::UniformConstant as u32, ty]);
        self.pointers.insert(ty, pointer);
        pointer
    }

    fn write(&mut self, inst: &Inst<'_>) {
        match (inst.op(), inst.rest(1)) {
            (Some(Op::Name | Op::Decorate), &[target, ..]) if self.samplers.contains_key(&target) => {}
            (Some(Op::EntryPoint), _) => self.entry_point(inst),
            (Some(Op::TypeSampledImage), &[_, image]) => _ = self.combined_type(image),
            (Some(Op::Variable), &[_, id, ..]) if self.samplers.contains_key(&id) => {}
            (Some(Op::Variable), &[_, id, class]) if self.textures.contains_key(&id) => {
                let image = self.textures.get(&id).copied().unwrap_or(0);
                let ty = self.combined_type(image);
                let pointer = self.pointer(ty);
                self.push(Op::Variable, &[pointer, id, class]);
            }
            (Some(Op::Load), &[_, id, pointer, ..]) if self.samplers.contains_key(&pointer) => {
                let texture = self.samplers.get(&pointer).copied().unwrap_or(0);
                self.loaded.insert(id, texture);
            }
            (Some(Op::Load), &[image, id, pointer, ..]) if self.textures.contains_key(&pointer) => {
                let (ty, both) = (self.types.get(&image).copied().unwrap_or(0), self.id());
                self.push(Op::Load, &[ty, both, pointer]);
                self.push(Op::Image, &[image, id, both]);
            }
            (Some(Op::SampledImage), &[ty, id, _, sampler]) if self.loaded.contains_key(&sampler) => {
                let texture = self.loaded.get(&sampler).copied().unwrap_or(0);
                self.push(Op::Load, &[ty, id, texture]);
            }
            _ => self.out.extend(inst.words),
        }
    }

    /// An entry point without the samplers in its list.
    fn entry_point(&mut self, inst: &Inst<'_>) {
        let kept: Vec<u32> = match inst.string(3) {
            Ok((_, len)) => {
                let (head, list) = inst.rest(1).split_at_checked(2 + len).unwrap_or((inst.rest(1), &[]));
                let list = list.iter().filter(|id| !self.samplers.contains_key(id));
                head.iter().chain(list).copied().collect()
            }
            Err(_) => inst.rest(1).to_vec(),
        };
        self.push(Op::EntryPoint, &kept);
    }
}
