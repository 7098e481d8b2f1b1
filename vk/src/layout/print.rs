//! A plan in words: one line for a log, a table for a person. Plain text; colour is the command's.

use std::fmt::Write as _;

use rx_translate::interface::DescriptorType;
use rx_vendor_fixes::FIXES;

use super::cause::{Cause, Decision, Unsupported};
use super::metal::Table;
use super::plan::{LayoutPlan, StageUsage, Use};
use crate::facts::DeviceFacts;

/// Vulkan's name of a descriptor type in snake case.
pub fn type_name(ty: DescriptorType) -> &'static str {
    match ty {
        DescriptorType::UniformBuffer => "uniform_buffer",
        DescriptorType::StorageBuffer => "storage_buffer",
        DescriptorType::UniformBufferDynamic => "uniform_buffer_dynamic",
        DescriptorType::StorageBufferDynamic => "storage_buffer_dynamic",
        DescriptorType::SampledImage => "sampled_image",
        DescriptorType::Sampler => "sampler",
        DescriptorType::CombinedImageSampler => "combined_image_sampler",
        DescriptorType::StorageImage => "storage_image",
        DescriptorType::UniformTexelBuffer => "uniform_texel_buffer",
        DescriptorType::StorageTexelBuffer => "storage_texel_buffer",
        DescriptorType::InputAttachment => "input_attachment",
        DescriptorType::InlineUniformBlock => "inline_uniform_block",
    }
}

/// The decision's name in JSON and in logs.
pub fn decision_name(decision: Decision) -> &'static str {
    match decision {
        Decision::Push => "push",
        Decision::Set => "set",
        Decision::None => "none",
        Decision::Error => "error",
    }
}

/// What decided a plan, with its figures: `vertex: 7 of 7 buffers`.
pub fn explanation(plan: &LayoutPlan) -> String {
    match plan.cause {
        Cause::NoBinding => "no binding".to_owned(),
        Cause::Fits { descriptors, limit } => fits(plan, descriptors, limit),
        Cause::UnsupportedStage { stage, what } => match what {
            Unsupported::Geometry => format!("{}: Metal has no geometry stage", stage.name()),
            Unsupported::TransformFeedback => format!("{}: MoltenVK has no transform feedback", stage.name()),
            Unsupported::Isolines => format!("{}: Metal has no isolines", stage.name()),
            Unsupported::AtomicArray { binding } => format!(
                "{}: binding {binding} is an array of storage textures with atomics, which this GPU has not",
                stage.name()
            ),
        },
        Cause::NoPushDescriptors { by_host: true } => "the host asked for a set".to_owned(),
        Cause::NoPushDescriptors { by_host: false } => "the device has no push descriptors".to_owned(),
        Cause::PushBroken { fix } => match FIXES.get(fix as usize) {
            Some(fix) => {
                format!("push descriptors do not work here ({}; {}=0 pushes all the same)", fix.name, fix.switch)
            }
            None => "push descriptors do not work here".to_owned(),
        },
        Cause::Type { binding, ty } => format!("binding {binding}: a {} cannot be pushed", type_name(ty)),
        Cause::Unbounded { binding } => format!("binding {binding}: an array without an end cannot be pushed"),
        Cause::PushLimit { count, limit } => format!("{count} of {limit} push descriptors"),
        Cause::StorageArray { binding, count } => format!("binding {binding}: an array of {count} storage buffers"),
        Cause::AliasedArray { stage, binding } => {
            format!("{}: binding {binding} has two variables, one of them an array", stage.name())
        }
        Cause::Table { table, stage, used, limit } => format!("{}: {used} of {limit} {}", stage.name(), table.name()),
        Cause::Swizzle { binding } => {
            format!("binding {binding}: without native texture swizzle a pushed texture is read with a wrong swizzle")
        }
        Cause::Length { stage, unread: false } => format!("{}: reads the length of a storage buffer", stage.name()),
        Cause::Length { stage, unread: true } => {
            format!("{}: its code has not been read and may read the length of a storage buffer", stage.name())
        }
        _ => error_explanation(&plan.cause),
    }
}

/// The causes that are errors.
fn error_explanation(cause: &Cause) -> String {
    match *cause {
        Cause::DeviceLimit { limit, stage, count, value } => {
            let place = stage.map_or(String::new(), |stage| format!("{}: ", stage.name()));
            format!("{place}{count} where {limit} is {value}")
        }
        Cause::NoUpdateAfterBind => {
            "update-after-bind layouts need Vulkan 1.2 or VK_EXT_descriptor_indexing, which the device lacks".to_owned()
        }
        Cause::NoRelief { table, stage, used, limit, off } => {
            let why = if off { "off" } else { "of tier 1" };
            let stage = stage.name();
            format!(
                "{stage}: {used} of {limit} {}, and a set gives no relief: argument buffers are {why} \
                 (MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS)",
                table.name()
            )
        }
        Cause::NoReliefAliased { stage, binding } => format!(
            "{}: binding {binding} has two variables, one of them an array, and a set gives no relief: it is in no \
             argument buffer (MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS)",
            stage.name()
        ),
        Cause::NoFreeSlot { stage, taken, free } => format!(
            "{}: argument buffers and push constants take {taken} buffer slots, and {} of 31 are free",
            stage.name(),
            free.max(0)
        ),
        // The rest is no error, and explained above.
        _ => String::new(),
    }
}

/// Of a pushed program: the fullest of its tables, else its descriptors.
fn fits(plan: &LayoutPlan, descriptors: u32, limit: Option<u32>) -> String {
    let uses = plan.stages().iter().flat_map(|stage| Table::ALL.map(|table| (stage, table, stage.table(table))));
    let mut fullest: Option<(&StageUsage, Table, Use, i32)> = None;
    for (stage, table, own) in uses {
        let Some(limit) = own.limit.filter(|_| own.used > 0) else { continue };
        let fuller = fullest.is_none_or(|(_, _, best, best_limit)| {
            u64::from(own.used) * u64::from(best_limit.unsigned_abs())
                > u64::from(best.used) * u64::from(limit.unsigned_abs())
        });
        if fuller {
            fullest = Some((stage, table, own, limit));
        }
    }
    match (fullest, limit) {
        (Some((stage, table, own, limit)), _) => {
            format!("{}: {} of {limit} {}", stage.stage_bit.name(), own.used, table.name())
        }
        (None, Some(limit)) => format!("{descriptors} of {limit} push descriptors"),
        (None, None) => format!("{descriptors} push descriptors"),
    }
}

/// One line for a log: `deferred: set (samplers; fragment: 17 of 16 samplers)`.
pub fn line(name: &str, plan: &LayoutPlan) -> String {
    let decision = decision_name(plan.decision);
    let reason = plan.reason().map_or(String::new(), |reason| format!("{}; ", reason.name()));
    let code = plan.code().map_or(String::new(), |code| format!("{code} "));
    let exact = plan.decision == Decision::Set && plan.exact_would_push;
    let exact = if exact { "; the exact model would push" } else { "" };
    format!("{name}: {code}{decision} ({reason}{}{exact})", explanation(plan))
}

/// A table for a person: each stage's use of each table against its budget.
pub fn table(name: &str, facts: &DeviceFacts, plan: &LayoutPlan) -> String {
    let mut text = line(name, plan);
    let _ = write!(text, "\n  {}, budget {}", facts.name, plan.budget.name());
    let _ =
        writeln!(text, ", layout flags {:#x}, pool flags {:#x}", plan.layout_flags.as_raw(), plan.pool_flags.as_raw());
    let head = ["stage", "buffers", "textures", "samplers", "read_write"].map(str::to_owned);
    let row = |stage: &StageUsage| {
        let cell = |table| cell(stage.table(table));
        let [buffers, textures, samplers, read_write] = Table::ALL.map(cell);
        [stage.stage_bit.name().to_owned(), buffers, textures, samplers, read_write]
    };
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(plan.stages().iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        let joined = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(text, "  {}", joined.trim_end());
    }
    text
}

/// `7 of 7`; past its limit with a mark; a bare count where no rule limits it.
fn cell(own: Use) -> String {
    match own.limit {
        None => own.used.to_string(),
        Some(limit) if own.is_past() => format!("{} of {limit} !", own.used),
        Some(limit) => format!("{} of {limit}", own.used),
    }
}
