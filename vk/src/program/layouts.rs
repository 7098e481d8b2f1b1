//! Set layouts, pipeline layouts and update templates, each made once for all programs that share it.
//!
//! Owns the Vulkan objects behind the planner's interned layouts.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ash::vk;
use rx_translate::StageInterface;

use crate::descriptors::{Descriptor, STRIDE, is_dense, write};
use crate::device::core::Core;
use crate::error::vulkan;
use crate::layout::{
    Decision, LayoutBinding, LayoutCache, LayoutId, ProgramInterface, ProgramParts, SetLayout, SetPlan, StageBits,
    plan, set_layouts, vulkan_type,
};
use crate::{Device, Error};

/// One binding of a set as its descriptors stand in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableBinding {
    binding: u32,
    ty: vk::DescriptorType,
    /// Its first descriptor, in the set.
    first: usize,
    count: usize,
}

/// One set of a pipeline layout.
#[derive(Clone)]
pub(crate) struct SetObjects {
    /// For messages.
    pub(crate) name: String,
    pub(crate) number: u32,
    pub(crate) layout: vk::DescriptorSetLayout,
    pub(crate) pushed: bool,
    pub(crate) pool_flags: vk::DescriptorPoolCreateFlags,
    pub(crate) pool_sizes: Vec<vk::DescriptorPoolSize>,
    bindings: Arc<[TableBinding]>,
    /// Its first descriptor in the program's table.
    pub(crate) first: usize,
    pub(crate) len: usize,
    /// Writes a set, or pushes one; `None` where writes go one by one.
    template: Option<vk::DescriptorUpdateTemplate>,
}

impl SetObjects {
    /// Writes a set's descriptors.
    pub(crate) fn write(&self, core: &Core, set: vk::DescriptorSet, descriptors: &[Descriptor]) {
        if let Some(template) = self.template {
            // SAFETY: the template's entries lie within `descriptors`, which has the set's length, and the set is not in use.
            unsafe { core.raw.update_descriptor_set_with_template(set, template, descriptors.as_ptr().cast()) };
            return;
        }
        let writes = self.writes(set, descriptors);
        // SAFETY: the writes point into `descriptors`, and the set is not in use.
        unsafe { core.raw.update_descriptor_sets(&writes, &[]) };
    }

    /// Pushes the set's descriptors.
    ///
    /// # Safety
    /// `commands` is being recorded by the caller.
    pub(crate) unsafe fn push(
        &self,
        core: &Core,
        commands: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        descriptors: &[Descriptor],
    ) {
        let Some(push) = &core.push else { return };
        if let Some(template) = self.template {
            let data = descriptors.as_ptr().cast();
            // SAFETY: as the caller promises; the template's entries lie within `descriptors`.
            unsafe { push.cmd_push_descriptor_set_with_template(commands, template, layout, self.number, data) };
            return;
        }
        let writes = self.writes(vk::DescriptorSet::null(), descriptors);
        // SAFETY: as the caller promises; the writes point into `descriptors`.
        unsafe { push.cmd_push_descriptor_set(commands, point, layout, self.number, &writes) };
    }

    fn writes<'a>(&self, set: vk::DescriptorSet, descriptors: &'a [Descriptor]) -> Vec<vk::WriteDescriptorSet<'a>> {
        let mut writes = Vec::with_capacity(self.bindings.len());
        for own in self.bindings.iter() {
            let all = &descriptors[own.first..][..own.count];
            if is_dense(own.ty) {
                writes.push(write(set, own.binding, own.ty, all));
                continue;
            }
            let each = (0..).zip(all.chunks(1));
            writes.extend(each.map(|(element, one)| write(set, own.binding, own.ty, one).dst_array_element(element)));
        }
        writes
    }
}

/// A pipeline layout and its sets.
pub(crate) struct PipelineLayout {
    pub(crate) raw: vk::PipelineLayout,
    pub(crate) sets: Vec<SetObjects>,
    /// Descriptors of all sets.
    pub(crate) descriptors: usize,
    /// Stages and bytes of the push constants.
    pub(crate) push_constants: Option<(vk::ShaderStageFlags, u32)>,
}

impl PipelineLayout {
    /// The set's place, and the first descriptor and the count of a binding.
    pub(crate) fn find(&self, set: u32, binding: u32) -> Option<(usize, usize, usize)> {
        let index = self.sets.iter().position(|own| own.number == set)?;
        let own = self.sets[index].bindings.iter().find(|own| own.binding == binding)?;
        Some((index, self.sets[index].first + own.first, own.count))
    }
}

/// What tells one pipeline layout from another.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    sets: Vec<LayoutId>,
    push_constants: Option<(vk::ShaderStageFlags, u32)>,
    compute: bool,
}

/// A set layout, and the template that writes its sets.
type LayoutObjects = (vk::DescriptorSetLayout, Option<vk::DescriptorUpdateTemplate>);

#[derive(Default)]
struct Objects {
    interned: LayoutCache,
    /// By the interned layout's place; `None` where making it failed, to be tried again.
    sets: Vec<Option<LayoutObjects>>,
    pipelines: HashMap<Key, Arc<PipelineLayout>>,
    push_templates: Vec<vk::DescriptorUpdateTemplate>,
}

/// All layouts of a device. They live as long as it.
#[derive(Default)]
pub(crate) struct Layouts(Mutex<Objects>);

impl Layouts {
    fn lock(&self) -> MutexGuard<'_, Objects> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pipeline layout of planned sets.
    pub(crate) fn pipeline(
        &self,
        device: &Device,
        name: &str,
        plans: &[SetPlan],
        stages: &[StageInterface],
    ) -> Result<Arc<PipelineLayout>, Error> {
        let (programs, all) = without_gaps(device, name, plans)?;
        let layouts = set_layouts(&programs, &all, &device.plan_options().fixes);
        let layouts = layouts.ok_or_else(|| Error::Pipeline {
            pipeline: name.to_owned(),
            why: "a set of the program has no layout on this device".to_owned(),
        })?;
        let mut held = self.lock();
        let compute = stages.iter().any(|stage| stage.stage == rx_translate::interface::Stage::Compute);
        let ids = layouts.iter().map(|layout| held.set(device, name, layout)).collect::<Result<Vec<_>, _>>()?;
        let key = Key { sets: ids, push_constants: push_constants(stages), compute };
        if let Some(found) = held.pipelines.get(&key) {
            return Ok(Arc::clone(found));
        }
        let made = held.make(device, name, &key, &layouts, &all)?;
        let made = Arc::new(made);
        held.pipelines.insert(key, Arc::clone(&made));
        Ok(made)
    }

    /// Destroys everything. Nothing uses it any more.
    pub(crate) fn destroy(&self, core: &Core) {
        let held = std::mem::take(&mut *self.lock());
        // SAFETY: as the caller promises.
        unsafe {
            held.pipelines.values().for_each(|own| core.raw.destroy_pipeline_layout(own.raw, None));
            let templates = held.sets.iter().flatten().filter_map(|&(_, template)| template);
            for template in held.push_templates.iter().copied().chain(templates) {
                core.raw.destroy_descriptor_update_template(template, None);
            }
            held.sets.iter().flatten().for_each(|&(layout, _)| core.raw.destroy_descriptor_set_layout(layout, None));
        }
    }
}

impl Objects {
    /// The interned layout; made where it is new.
    fn set(&mut self, device: &Device, name: &str, layout: &SetLayout<'_>) -> Result<LayoutId, Error> {
        let id = self.interned.intern(layout);
        if self.sets.len() <= id.index() {
            self.sets.resize(id.index() + 1, None);
        }
        if self.sets[id.index()].is_none() {
            self.sets[id.index()] = Some(layout_objects(device, name, layout)?);
        }
        Ok(id)
    }

    fn make(
        &mut self,
        device: &Device,
        name: &str,
        key: &Key,
        layouts: &[SetLayout<'_>],
        plans: &[crate::LayoutPlan],
    ) -> Result<PipelineLayout, Error> {
        let core = &device.0.core;
        let raws: Vec<vk::DescriptorSetLayout> =
            key.sets.iter().filter_map(|id| self.sets[id.index()]).map(|own| own.0).collect();
        let ranges: Vec<vk::PushConstantRange> = key
            .push_constants
            .map(|(stage_flags, size)| vk::PushConstantRange { stage_flags, offset: 0, size })
            .into_iter()
            .collect();
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&raws).push_constant_ranges(&ranges);
        let raw = unsafe { core.raw.create_pipeline_layout(&info, None) };
        let raw = raw.map_err(vulkan("vkCreatePipelineLayout", name))?;
        core.names.object(raw, name);
        let mut made = PipelineLayout { raw, sets: Vec::new(), descriptors: 0, push_constants: key.push_constants };
        for (number, ((layout, id), plan)) in (0..).zip(layouts.iter().zip(&key.sets).zip(plans)) {
            if layout.bindings.is_empty() {
                continue;
            }
            let Some((layout_raw, template)) = self.sets[id.index()] else { continue };
            let bindings = table(layout.bindings, device.0.options.unbounded_descriptors);
            let len = bindings.iter().map(|own| own.count).sum();
            let set = SetObjects {
                name: name.to_owned(),
                number,
                layout: layout_raw,
                pushed: plan.decision == Decision::Push,
                pool_flags: plan.pool_flags,
                pool_sizes: sizes(&bindings),
                bindings: bindings.into(),
                first: made.descriptors,
                len,
                template,
            };
            made.descriptors += len;
            made.sets.push(set);
        }
        let pushed = made.sets.iter_mut().find(|set| set.pushed);
        if let Some(set) = pushed
            && may_use_template(device, &layouts[set.number as usize])
        {
            let point = if key.compute { vk::PipelineBindPoint::COMPUTE } else { vk::PipelineBindPoint::GRAPHICS };
            match push_template(core, name, raw, point, set) {
                Ok(template) => {
                    set.template = Some(template);
                    self.push_templates.push(template);
                }
                Err(error) => {
                    // SAFETY: nobody has seen the layout.
                    unsafe { core.raw.destroy_pipeline_layout(raw, None) };
                    return Err(error);
                }
            }
        }
        Ok(made)
    }
}

/// Makes a set layout and its template.
fn layout_objects(device: &Device, name: &str, layout: &SetLayout<'_>) -> Result<LayoutObjects, Error> {
    let core = &device.0.core;
    let unbounded = device.0.options.unbounded_descriptors;
    let bindings: Vec<_> = layout.bindings.iter().map(|own| own.vulkan(unbounded)).collect();
    let info = vk::DescriptorSetLayoutCreateInfo::default().flags(layout.flags).bindings(&bindings);
    // SAFETY: the device is live; so in all of this file.
    let raw = unsafe { core.raw.create_descriptor_set_layout(&info, None) };
    let raw = raw.map_err(vulkan("vkCreateDescriptorSetLayout", name))?;
    core.names.object(raw, name);
    let pushed = layout.flags.contains(vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR);
    let mut template = None;
    if !pushed && may_use_template(device, layout) {
        let entries = entries(&table(layout.bindings, unbounded));
        let info = vk::DescriptorUpdateTemplateCreateInfo::default()
            .descriptor_update_entries(&entries)
            .template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET)
            .descriptor_set_layout(raw);
        let made = unsafe { core.raw.create_descriptor_update_template(&info, None) };
        let made = made.map_err(|result| {
            // SAFETY: nobody has seen the layout.
            unsafe { core.raw.destroy_descriptor_set_layout(raw, None) };
            vulkan("vkCreateDescriptorUpdateTemplate", name)(result)
        });
        template = Some(made?);
    }
    Ok((raw, template))
}

/// Programs and plans of every set from 0 to the last: a number that no stage has is a set without bindings.
fn without_gaps(
    device: &Device,
    name: &str,
    plans: &[SetPlan],
) -> Result<(Vec<ProgramInterface>, Vec<crate::LayoutPlan>), Error> {
    let count = plans.iter().map(|own| own.set + 1).max().unwrap_or(0);
    let empty = ProgramParts { name: name.to_owned(), ..ProgramParts::default() }.build()?;
    let none = plan(&empty, device.facts(), device.plan_options());
    let each = (0..count).map(|number| match plans.iter().find(|own| own.set == number) {
        Some(own) => (own.program.clone(), own.plan),
        None => (empty.clone(), none),
    });
    Ok(each.unzip())
}

/// Where each binding's descriptors stand.
fn table(bindings: &[LayoutBinding], unbounded: u32) -> Vec<TableBinding> {
    let mut first = 0;
    let each = bindings.iter().map(|own| {
        let count = own.count.unwrap_or(unbounded) as usize;
        let place = TableBinding { binding: own.binding, ty: vulkan_type(own.ty), first, count };
        first += count;
        place
    });
    each.collect()
}

fn sizes(bindings: &[TableBinding]) -> Vec<vk::DescriptorPoolSize> {
    let size = |own: &TableBinding| vk::DescriptorPoolSize { ty: own.ty, descriptor_count: own.count as u32 };
    bindings.iter().map(size).collect()
}

fn entries(bindings: &[TableBinding]) -> Vec<vk::DescriptorUpdateTemplateEntry> {
    let entry = |own: &TableBinding| vk::DescriptorUpdateTemplateEntry {
        dst_binding: own.binding,
        dst_array_element: 0,
        descriptor_count: own.count as u32,
        descriptor_type: own.ty,
        offset: own.first * STRIDE,
        stride: STRIDE,
    };
    bindings.iter().map(entry).collect()
}

fn push_template(
    core: &Core,
    name: &str,
    layout: vk::PipelineLayout,
    point: vk::PipelineBindPoint,
    set: &SetObjects,
) -> Result<vk::DescriptorUpdateTemplate, Error> {
    let entries = entries(&set.bindings);
    let info = vk::DescriptorUpdateTemplateCreateInfo::default()
        .descriptor_update_entries(&entries)
        .template_type(vk::DescriptorUpdateTemplateType::PUSH_DESCRIPTORS_KHR)
        .pipeline_bind_point(point)
        .pipeline_layout(layout)
        .set(set.number);
    let made = unsafe { core.raw.create_descriptor_update_template(&info, None) };
    made.map_err(vulkan("vkCreateDescriptorUpdateTemplate", name))
}

fn may_use_template(device: &Device, layout: &SetLayout<'_>) -> bool {
    !layout.bindings.is_empty() && device.0.pipeline_fixes.may_use_template(layout.bindings.iter().map(|own| own.ty))
}

/// One range for all stages that have push constants.
fn push_constants(stages: &[StageInterface]) -> Option<(vk::ShaderStageFlags, u32)> {
    let with = stages.iter().filter(|stage| stage.push_constant_bytes > 0);
    let size = with.clone().map(|stage| stage.push_constant_bytes).max()?;
    let bits = with.fold(StageBits::EMPTY, |bits, stage| bits.or(StageBits::of(stage.stage)));
    Some((bits.flags(), size.next_multiple_of(4)))
}
