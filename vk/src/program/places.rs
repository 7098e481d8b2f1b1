//! What of a program can be bound, and where each of its descriptors stands.
//!
//! Owns the table: the descriptors of all sets, one after another.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use ash::vk;
use rx_translate::StageInterface;
use rx_translate::interface::{Access, Component, DescriptorType, Dimension, Resource, ResourceClass};

use super::layouts::PipelineLayout;
use super::{Slot, pipeline_stage};
use crate::descriptors::Descriptor;
use crate::resource::Buffer;
use crate::track::Use;
use crate::{Device, Error};

/// One binding of a program.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Which of the layout's sets.
    pub(crate) set: usize,
    /// Its first descriptor in the table.
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) ty: DescriptorType,
    pub(crate) dimension: Option<Dimension>,
    /// Declared bytes of a constant buffer.
    pub(crate) size: Option<u32>,
    pub(crate) used: bool,
    ranges: Ranges,
    stages: vk::PipelineStageFlags,
    reads: bool,
    writes: bool,
    binding: (u32, u32),
    component: Option<Component>,
}

/// Which ranges of a buffer may be bound.
#[derive(Clone, Copy, Debug)]
struct Ranges {
    /// Bytes that a shader sees at most.
    most: u64,
    /// What an offset is a multiple of; a power of two.
    align: u64,
    /// Bytes from one record of a structured buffer to the next; 1 of others.
    record: u64,
}

impl Ranges {
    fn new(limits: &vk::PhysicalDeviceLimits, ty: DescriptorType, stride: Option<u32>) -> Ranges {
        let (most, align) = if ty == DescriptorType::UniformBuffer {
            (limits.max_uniform_buffer_range, limits.min_uniform_buffer_offset_alignment)
        } else {
            (limits.max_storage_buffer_range, limits.min_storage_buffer_offset_alignment)
        };
        Ranges { most: most.into(), align: align.max(1), record: stride.unwrap_or(1).max(1).into() }
    }
}

impl Place {
    /// The descriptor of a range of a buffer, in whole records: what a shader may see of a structured buffer. `None` where
    /// the range may not be bound, for what [`Place::misfit`] says.
    #[inline]
    pub(crate) fn buffer(&self, buffer: &Buffer, range: &Range<u64>) -> Option<Descriptor> {
        let Ranges { most, align, record } = self.ranges;
        if range.end > buffer.0.size || range.start & (align - 1) != 0 {
            return None;
        }
        let mut len = range.end.checked_sub(range.start)?.min(most);
        if record > 1 {
            len -= len % record;
        }
        (len > 0).then(|| Descriptor::buffer(buffer.0.raw, range.start, len))
    }

    /// Why a range of a buffer may not be bound.
    #[cold]
    pub(crate) fn misfit(&self, buffer: &Buffer, range: &Range<u64>) -> Error {
        if let Err(error) = buffer.check(range) {
            return error;
        }
        let align = self.ranges.align;
        buffer.argument(if range.start.is_multiple_of(align) {
            format!("bound with {range:?}, less than one element")
        } else {
            format!("bound at {}, off the device's alignment of {align}", range.start)
        })
    }

    /// How the shaders use what is bound here, if it has this layout.
    #[inline]
    pub(crate) fn usage(&self, layout: vk::ImageLayout) -> Use {
        use vk::AccessFlags as A;
        let uniform = self.ty == DescriptorType::UniformBuffer;
        let mut access = if uniform { A::UNIFORM_READ } else { A::SHADER_READ };
        if self.writes {
            access = if self.reads { A::SHADER_READ | A::SHADER_WRITE } else { A::SHADER_WRITE };
        }
        Use { stages: self.stages, access, write: self.writes, layout, discard: false }
    }

    #[inline]
    pub(crate) fn writes(&self) -> bool {
        self.writes
    }

    fn new(
        device: &Device,
        resource: &Resource,
        stage: vk::PipelineStageFlags,
        (set, first, count): (usize, usize, usize),
    ) -> Place {
        let storage = matches!(
            resource.ty,
            DescriptorType::StorageBuffer
                | DescriptorType::StorageBufferDynamic
                | DescriptorType::StorageImage
                | DescriptorType::StorageTexelBuffer
        );
        let writes = storage && resource.access != Access::Read && resource.used;
        Place {
            set,
            first,
            count,
            ty: resource.ty,
            dimension: resource.dimension,
            size: resource.size_bytes,
            used: resource.used,
            ranges: Ranges::new(device.limits(), resource.ty, resource.stride_bytes),
            stages: stage,
            reads: !(storage && resource.access == Access::Write),
            writes,
            binding: (resource.set, resource.binding),
            component: resource.component,
        }
    }

    /// Takes in another stage's declaration of the same binding.
    fn join(&mut self, other: &Place) {
        self.stages |= other.stages;
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.used |= other.used;
        self.size = self.size.max(other.size);
    }
}

/// All bindings of a program.
#[derive(Default)]
pub(crate) struct Places {
    places: Vec<Place>,
    slots: Vec<Vec<u16>>,
    names: HashMap<String, Slot>,
    counters: HashMap<String, Slot>,
    registers: BTreeMap<(ResourceClass, u32, u32), Slot>,
    defaults: Vec<Descriptor>,
}

impl Places {
    pub(crate) fn new(device: &Device, layout: &PipelineLayout, stages: &[StageInterface]) -> Places {
        let mut own = Places { defaults: vec![Descriptor::default(); layout.descriptors], ..Places::default() };
        for stage in stages {
            let counted: HashMap<(u32, u32), &str> = (stage.resources.iter())
                .filter(|resource| resource.class == ResourceClass::Uav)
                .map(|resource| ((resource.space, resource.register), resource.name.as_str()))
                .collect();
            for resource in &stage.resources {
                let Some(found) = layout.find(resource.set, resource.binding) else { continue };
                let place = Place::new(device, resource, pipeline_stage(stage.stage), found);
                let index = own.add(place);
                let named = if resource.class == ResourceClass::UavCounter {
                    let name = counted.get(&(resource.space, resource.register)).copied().unwrap_or_default();
                    own.register_name(name, index, true)
                } else {
                    own.register_name(&resource.name, index, false)
                };
                let key = (resource.class, resource.space, resource.register);
                let slot = *own.registers.entry(key).or_insert_with(|| named.unwrap_or_else(|| push(&mut own.slots)));
                add(&mut own.slots, slot, index);
            }
        }
        for place in &own.places {
            let empty = device.0.placeholders.descriptor(place.ty, place.dimension, place.component);
            own.defaults[place.first..][..place.count].fill(empty);
        }
        own
    }

    /// The place's number; that of the same binding in another stage.
    fn add(&mut self, place: Place) -> u16 {
        match self.places.iter().position(|own| own.binding == place.binding) {
            Some(index) => {
                self.places[index].join(&place);
                index as u16
            }
            None => {
                self.places.push(place);
                (self.places.len() - 1) as u16
            }
        }
    }

    fn register_name(&mut self, name: &str, index: u16, counter: bool) -> Option<Slot> {
        if name.is_empty() {
            return None;
        }
        let names = if counter { &mut self.counters } else { &mut self.names };
        let slot = *names.entry(name.to_owned()).or_insert_with(|| push(&mut self.slots));
        add(&mut self.slots, slot, index);
        Some(slot)
    }

    pub(crate) fn by_name(&self, name: &str) -> Option<Slot> {
        self.names.get(name).copied()
    }

    pub(crate) fn counter(&self, name: &str) -> Option<Slot> {
        self.counters.get(name).copied()
    }

    pub(crate) fn by_register(&self, class: ResourceClass, register: u32, space: u32) -> Option<Slot> {
        self.registers.get(&(class, space, register)).copied()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// The places of a slot.
    #[inline]
    pub(crate) fn of(&self, slot: Slot) -> &[u16] {
        self.slots.get(slot.0 as usize).map_or(&[], Vec::as_slice)
    }

    #[inline]
    pub(crate) fn place(&self, index: u16) -> &Place {
        &self.places[usize::from(index)]
    }

    pub(crate) fn defaults(&self) -> &[Descriptor] {
        &self.defaults
    }
}

fn push(slots: &mut Vec<Vec<u16>>) -> Slot {
    slots.push(Vec::new());
    Slot((slots.len() - 1) as u32)
}

fn add(slots: &mut [Vec<u16>], slot: Slot, index: u16) {
    if let Some(places) = slots.get_mut(slot.0 as usize)
        && !places.contains(&index)
    {
        places.push(index);
    }
}
