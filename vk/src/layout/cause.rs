//! What a plan decides, and why: typed, without text.

use rx_translate::Code;
use rx_translate::interface::{DescriptorType, Stage};
use rx_vendor_fixes::FixId;
use serde::{Deserialize, Serialize};

use super::metal::Table;
use crate::codes;

/// What a program's set is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Pushed: `VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT`.
    Push,
    /// An ordinary set.
    Set,
    /// The program has no binding, and no set.
    None,
    /// The device cannot have the program.
    Error,
}

macro_rules! reasons {
    ($($name:ident = $text:literal, $doc:literal;)*) => {
        /// Why a program is not pushed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason {
            $(#[doc = $doc] $name,)*
        }

        impl Reason {
            /// Every reason, in the order in which they are checked.
            pub const ALL: &[Reason] = &[$(Reason::$name,)*];

            /// Its name in JSON and in logs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Reason::$name => $text,)*
                }
            }
        }
    };
}

reasons! {
    UnsupportedStage = "unsupported_stage", "A stage that Metal or MoltenVK lacks. An error.";
    NoPushDescriptors = "no_push_descriptors", "The device has no push descriptors, or the host asked for a set.";
    Type = "type", "A binding's type may not be pushed.";
    Unbounded = "unbounded", "An array without an end.";
    PushLimit = "push_limit", "More descriptors than `maxPushDescriptors`.";
    Tables = "tables", "An array of storage buffers.";
    AliasedArray = "aliased_array", "Several variables at one binding: buffers of which one is an array, textures, samplers.";
    RwTextures = "rw_textures", "More read_write textures in a program stage than Metal takes.";
    Buffers = "buffers", "More buffers in a stage bit than its budget.";
    Textures = "textures", "More textures in a stage bit than its budget.";
    Samplers = "samplers", "More samplers in a stage bit than its budget.";
    Swizzle = "swizzle", "A pushed texture would be read with a wrong swizzle.";
    Lengths = "lengths", "A stage reads the length of a storage buffer.";
    DeviceLimit = "device_limit", "Past a limit of the device. An error where it is past it also as a set.";
    NoRelief = "no_relief", "Past Metal's tables, and a set is bound through the same. An error.";
    NoFreeSlot = "no_free_slot", "No buffer slot is left for the argument buffers. An error.";
}

impl Reason {
    /// The code of a reason that is an error.
    pub fn code(self) -> Option<Code> {
        match self {
            Reason::UnsupportedStage => Some(codes::UNSUPPORTED_STAGE),
            Reason::DeviceLimit => Some(codes::DEVICE_LIMIT),
            Reason::NoRelief => Some(codes::NO_RELIEF),
            Reason::NoFreeSlot => Some(codes::NO_FREE_SLOT),
            _ => None,
        }
    }
}

/// What Metal or MoltenVK lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unsupported {
    /// Metal has no geometry stage.
    Geometry,
    /// MoltenVK has no transform feedback.
    TransformFeedback,
    /// Metal tessellates triangles and quads.
    Isolines,
    /// A GPU without atomics on textures has them emulated in a buffer beside each, which SPIRV-Cross cannot do for an
    /// array (spirv_msl.cpp:2192).
    AtomicArray {
        /// The array.
        binding: u32,
    },
}

/// What decided a plan, with its figures. Counts are in descriptors, slots in Metal's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The fields say it.
pub enum Cause {
    /// Nothing to bind.
    NoBinding,
    /// Pushed: all of it fits.
    Fits { descriptors: u32, limit: Option<u32> },
    /// [`Reason::UnsupportedStage`].
    UnsupportedStage { stage: Stage, what: Unsupported },
    /// [`Reason::NoPushDescriptors`].
    NoPushDescriptors { by_host: bool },
    /// [`Reason::NoPushDescriptors`]: the device has them, and a fix says that they do not work.
    PushBroken { fix: FixId },
    /// [`Reason::Type`].
    Type { binding: u32, ty: DescriptorType },
    /// [`Reason::Unbounded`].
    Unbounded { binding: u32 },
    /// [`Reason::PushLimit`].
    PushLimit { count: u32, limit: u32 },
    /// [`Reason::Tables`].
    StorageArray { binding: u32, count: u32 },
    /// [`Reason::AliasedArray`].
    AliasedArray { stage: Stage, binding: u32 },
    /// [`Reason::RwTextures`], [`Reason::Buffers`], [`Reason::Textures`], [`Reason::Samplers`].
    Table { table: Table, stage: Stage, used: u32, limit: i32 },
    /// [`Reason::Swizzle`].
    Swizzle { binding: u32 },
    /// [`Reason::Lengths`]; `unread`: before the stage's code was read.
    Length { stage: Stage, unread: bool },
    /// [`Reason::DeviceLimit`]; `stage` for a limit per stage. Of a set: a limit that a pushed layout would be past.
    DeviceLimit { limit: &'static str, stage: Option<Stage>, count: u32, value: u32 },
    /// [`Reason::DeviceLimit`]: the set needs an update-after-bind layout that the device does not take.
    NoUpdateAfterBind,
    /// [`Reason::NoRelief`]; `off`: argument buffers are off, else of tier 1 or not usable for the set.
    NoRelief { table: Table, stage: Stage, used: u32, limit: i32, off: bool },
    /// [`Reason::NoRelief`] of variables that share a binding.
    NoReliefAliased { stage: Stage, binding: u32 },
    /// [`Reason::NoFreeSlot`]: slots that argument buffers and push constants take, and slots that are left for them.
    NoFreeSlot { stage: Stage, taken: u32, free: i32 },
}

impl Cause {
    /// The reason; none where the program is pushed or has no binding.
    pub fn reason(&self) -> Option<Reason> {
        Some(match self {
            Cause::NoBinding | Cause::Fits { .. } => return None,
            Cause::UnsupportedStage { .. } => Reason::UnsupportedStage,
            Cause::NoPushDescriptors { .. } | Cause::PushBroken { .. } => Reason::NoPushDescriptors,
            Cause::Type { .. } => Reason::Type,
            Cause::Unbounded { .. } => Reason::Unbounded,
            Cause::PushLimit { .. } => Reason::PushLimit,
            Cause::StorageArray { .. } => Reason::Tables,
            Cause::AliasedArray { .. } => Reason::AliasedArray,
            Cause::Table { table: Table::ReadWriteTextures, .. } => Reason::RwTextures,
            Cause::Table { table: Table::Buffers, .. } => Reason::Buffers,
            Cause::Table { table: Table::Textures, .. } => Reason::Textures,
            Cause::Table { table: Table::Samplers, .. } => Reason::Samplers,
            Cause::Swizzle { .. } => Reason::Swizzle,
            Cause::Length { .. } => Reason::Lengths,
            Cause::DeviceLimit { .. } | Cause::NoUpdateAfterBind => Reason::DeviceLimit,
            Cause::NoRelief { .. } | Cause::NoReliefAliased { .. } => Reason::NoRelief,
            Cause::NoFreeSlot { .. } => Reason::NoFreeSlot,
        })
    }
}
