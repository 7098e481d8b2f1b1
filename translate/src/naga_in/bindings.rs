//! From a text's group and binding to the binding model's set and binding.

use super::declared::Declared;
use super::glsl::SAMPLER_HALF;
use crate::bindings::{BindingModel, BindingRule};
use crate::error::Error;
use crate::interface::{DescriptorType, Resource, ResourceClass, Stage};
use crate::ledger;
use naga::ResourceBinding;
use naga::back::spv::{BindingInfo, BindingMap};

/// Binds the declared resources. The module documentation of [`super`] says how.
pub(super) fn bind(declared: Declared, stage: Stage, model: &BindingModel) -> Result<Vec<Resource>, Error> {
    let mut resources: Vec<Resource> = declared.into_values().collect();
    resources.sort_by_key(|r| (order(r.class), r.space, r.register));
    match model {
        BindingModel::Sequential { set, first_binding } => {
            let (mut next_set, mut next_binding) = (*set, *first_binding);
            for resource in &mut resources {
                (resource.set, resource.binding) = if resource.count.is_none() {
                    next_set = following(next_set)?;
                    (next_set, 0)
                } else {
                    let binding = next_binding;
                    next_binding = following(next_binding)?;
                    (*set, binding)
                };
            }
        }
        BindingModel::Rules(rules) => {
            for resource in &mut resources {
                (resource.set, resource.binding) = by_rules(rules, resource, stage)?;
            }
        }
    }
    Ok(resources)
}

/// naga's form of the bound resources.
pub(super) fn map(resources: &[Resource]) -> BindingMap {
    let entry = |r: &Resource| {
        let from = ResourceBinding { group: r.space, binding: r.register };
        (from, BindingInfo { descriptor_set: r.set, binding: r.binding, binding_array_size: None })
    };
    let halves = resources.iter().filter(|own| own.ty == DescriptorType::CombinedImageSampler);
    let halves =
        halves.map(|own| Resource { register: own.register + SAMPLER_HALF, binding: half(own.binding), ..own.clone() });
    resources.iter().map(entry).chain(halves.map(|own| entry(&own)).collect::<Vec<_>>()).collect()
}

/// Sets and bindings of the textures and samplers that are one.
pub(super) fn pairs(resources: &[Resource]) -> Vec<[(u32, u32); 2]> {
    let combined = resources.iter().filter(|own| own.ty == DescriptorType::CombinedImageSampler);
    combined.map(|own| [(own.set, own.binding), (own.set, half(own.binding))]).collect()
}

/// The binding that a combined one's sampler has until both are joined.
fn half(binding: u32) -> u32 {
    binding ^ SAMPLER_HALF
}

fn order(class: ResourceClass) -> u8 {
    match class {
        ResourceClass::Cbv => 0,
        ResourceClass::Srv => 1,
        ResourceClass::Uav | ResourceClass::UavCounter => 2,
        ResourceClass::Sampler => 3,
    }
}

fn following(n: u32) -> Result<u32, Error> {
    n.checked_add(1).ok_or_else(|| Error::refused(ledger::NO_BINDING, "bindings or sets past 32 bits"))
}

fn by_rules(rules: &[BindingRule], resource: &Resource, stage: Stage) -> Result<(u32, u32), Error> {
    let bound = rules.iter().find_map(|rule| {
        let index = resource.register.checked_sub(rule.first_register)?;
        let matches = rule.class == resource.class
            && rule.space == resource.space
            && rule.count.is_none_or(|count| index < count)
            && (rule.stages.is_empty() || rule.stages.contains(&stage));
        matches.then(|| rule.binding.checked_add(index).map(|binding| (rule.set, binding)))
    });
    bound.flatten().ok_or_else(|| {
        let what = format!(
            "`{}` at group {}, binding {} in the {} stage",
            resource.name,
            resource.space,
            resource.register,
            stage.name()
        );
        Error::refused(ledger::NO_BINDING, what)
    })
}
