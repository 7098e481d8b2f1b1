//! Metal's slot model under MoltenVK: what each table of a stage holds.
//!
//! A stage of a Metal pipeline has one table of 31 buffers, one of textures and one of samplers. MoltenVK binds a pushed
//! set through them, and fills the buffer table from both ends: from slot 0 argument buffers (eight slots, if the
//! pipeline layout has one), push constants, the set's buffers; from slot 30 downwards vertex buffers, then implicit
//! buffers at fixed offsets. Sources: MoltenVK 1.4.2, MVKPipeline.mm:363-393 (order), 2077-2108 (offsets),
//! 2161-2196 (reserved slots). Pure arithmetic; it decides nothing.

use rx_translate::interface::Stage;
use rx_vendor_fixes::{BudgetChoice, Version};
use serde::{Deserialize, Serialize};

use super::count::StageNeeds;
use super::program::{StageBits, VertexInput, stage_index};
use crate::facts::MetalModel;

/// Buffers in one stage's table (MVKDevice.mm:2426).
pub const BUFFER_SLOTS: i32 = 31;
/// Textures in one stage's table, on any Mac; also MoltenVK's own cap (`kMVKMaxTextureCount`, MVKDevice.h:89).
pub const TEXTURES: i32 = 128;
/// Samplers in one stage's table (MVKDevice.h:91).
pub const SAMPLERS: i32 = 16;
/// Textures with `access::read_write` that Metal takes in one stage. Its compiler says: "number of textures with
/// read_write access exceeds maximum supported (8)".
pub const READ_WRITE_TEXTURES: i32 = 8;
/// Slots of argument buffers in every stage of a pipeline layout that has one (`kMVKMaxDescriptorSetCount`,
/// MVKDevice.h:88).
pub const ARGUMENT_BUFFER_SLOTS: i32 = 8;
/// Vertex buffers that the worst case allows for. Vulkan requires a device to take 16 bindings.
pub const WORST_VERTEX_BUFFERS: i32 = 16;
/// Slots that tessellation control reserves (MVKPipeline.h:142-148).
pub const TESSELLATION_CONTROL_RESERVED: i32 = 1;
/// Slots that tessellation evaluation reserves (MVKPipeline.h:142-148).
pub const TESSELLATION_EVALUATION_RESERVED: i32 = 3;
/// Highest vertex binding that the exact model takes where the vertex input is not known.
pub const UNKNOWN_HIGHEST_VERTEX_BINDING: u32 = 15;

/// Implicit buffers that the worst case allows for: offsets 0 to 7, the highest that any version has.
pub const WORST_IMPLICIT: i32 = 8;
/// The same of tessellation control: offsets 0 to 6.
pub const WORST_IMPLICIT_TESSELLATION_CONTROL: i32 = 7;
/// The same of compute: offsets 0 to 3.
pub const WORST_IMPLICIT_COMPUTE: i32 = 4;

/// 31 − 16 − 8.
pub const WORST_VERTEX: i32 = BUFFER_SLOTS - WORST_VERTEX_BUFFERS - WORST_IMPLICIT;
/// 31 − 1 − 7.
pub const WORST_TESSELLATION_CONTROL: i32 =
    BUFFER_SLOTS - TESSELLATION_CONTROL_RESERVED - WORST_IMPLICIT_TESSELLATION_CONTROL;
/// 31 − 3 − 8.
pub const WORST_TESSELLATION_EVALUATION: i32 = BUFFER_SLOTS - TESSELLATION_EVALUATION_RESERVED - WORST_IMPLICIT;
/// 31 − 8. Also for a stage that Metal does not have.
pub const WORST_FRAGMENT: i32 = BUFFER_SLOTS - WORST_IMPLICIT;
/// 31 − 4.
pub const WORST_COMPUTE: i32 = BUFFER_SLOTS - WORST_IMPLICIT_COMPUTE;

/// The first MoltenVK whose pushed buffers have no length.
pub const LENGTHS_LOST_FROM: Version = Version::new(1, 4, 1);

/// Which arithmetic decides whether a program fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// What holds on any Mac with any MoltenVK, so that a plan is the same on all of them.
    #[default]
    Worst,
    /// What is known of this device and program. Pushes more, and differs between devices.
    Exact,
}

impl Budget {
    /// `worst` or `exact`.
    pub fn name(self) -> &'static str {
        match self {
            Budget::Worst => "worst",
            Budget::Exact => "exact",
        }
    }
}

impl From<BudgetChoice> for Budget {
    fn from(choice: BudgetChoice) -> Budget {
        match choice {
            BudgetChoice::Worst => Budget::Worst,
            BudgetChoice::Exact => Budget::Exact,
        }
    }
}

/// One of a stage's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// Buffers.
    Buffers,
    /// Textures.
    Textures,
    /// Samplers.
    Samplers,
    /// Textures with read_write access: not a table of its own, but counted like one.
    ReadWriteTextures,
}

impl Table {
    /// All, in the order in which answers list them.
    pub const ALL: [Table; 4] = [Table::Buffers, Table::Textures, Table::Samplers, Table::ReadWriteTextures];

    /// What it holds, in words.
    pub fn name(self) -> &'static str {
        match self {
            Table::Buffers => "buffers",
            Table::Textures => "textures",
            Table::Samplers => "samplers",
            Table::ReadWriteTextures => "read_write textures",
        }
    }
}

/// The implicit buffers' offsets in one MoltenVK version; `None`: it has no such buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// Dynamic offsets.
    pub dynamic_offset: i32,
    /// Buffer sizes, for `OpArrayLength`.
    pub buffer_size: i32,
    /// Texture swizzles.
    pub swizzle: Option<i32>,
    /// View range (vertex, fragment), index (vertex for tessellation), indirect parameters (tessellation control),
    /// dispatch base (compute).
    pub view_range: i32,
    /// Captured output, for tessellation.
    pub output: i32,
    /// Tessellation levels.
    pub tess_level: i32,
    /// DrawIndex.
    pub draw_id: Option<i32>,
    /// Reversed-depth viewports.
    pub reversed_depth: Option<i32>,
}

/// 1.4.2 and later (MVKPipeline.mm:2077-2108).
const OFFSETS_1_4_2: Offsets = Offsets {
    dynamic_offset: 0,
    buffer_size: 1,
    swizzle: Some(2),
    view_range: 3,
    output: 4,
    tess_level: 6,
    draw_id: Some(5),
    reversed_depth: Some(7),
};
/// 1.4.1 (its MVKPipeline.mm:2047-2065).
const OFFSETS_1_4_1: Offsets = Offsets {
    dynamic_offset: 0,
    buffer_size: 1,
    swizzle: None,
    view_range: 2,
    output: 3,
    tess_level: 5,
    draw_id: None,
    reversed_depth: None,
};
/// Up to 1.4.0 (its MVKPipeline.mm:1924-1931).
const OFFSETS_1_4_0: Offsets = Offsets { draw_id: None, reversed_depth: None, ..OFFSETS_1_4_2 };

impl Offsets {
    /// The table of a version; of one that is not known the newest, which no older one exceeds.
    pub fn of(version: Option<Version>) -> &'static Offsets {
        match version {
            Some(version) if version < Version::new(1, 4, 1) => &OFFSETS_1_4_0,
            Some(version) if version < Version::new(1, 4, 2) => &OFFSETS_1_4_1,
            _ => &OFFSETS_1_4_2,
        }
    }
}

/// What of a program reaches the slots of all its stages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramSlots {
    /// Vertex buffers.
    pub vertex_input: VertexInput,
    /// Bits of its stages.
    pub stages: StageBits,
    /// Slots that another set's argument buffers take in every stage: 8 or 0.
    pub other_argument_buffers: i32,
}

impl ProgramSlots {
    fn tessellates(&self) -> bool {
        // Vulkan has both stages of tessellation or none.
        self.stages.has(Stage::TessellationControl)
    }
}

/// R: slots at the top of a stage's buffer table that vertex buffers and tessellation reserve.
pub(crate) fn reserved(bit: Stage, program: &ProgramSlots) -> i32 {
    match bit {
        Stage::Vertex => vertex_buffers(program.vertex_input),
        Stage::TessellationControl => TESSELLATION_CONTROL_RESERVED,
        Stage::TessellationEvaluation => TESSELLATION_EVALUATION_RESERVED,
        _ => 0,
    }
}

fn vertex_buffers(input: VertexInput) -> i32 {
    let slots = |highest: u32, translated: u32| {
        i32::try_from(highest.saturating_add(1).saturating_add(translated)).unwrap_or(i32::MAX)
    };
    match input {
        VertexInput::Unknown => slots(UNKNOWN_HIGHEST_VERTEX_BINDING, 0),
        VertexInput::None => 0,
        VertexInput::Bindings { highest, translated } => slots(highest, translated),
    }
}

/// K: slots that a stage's implicit buffers take below the reserved ones: 1 + the highest offset that it needs, or 0.
pub(crate) fn implicit(bit: Stage, needs: &StageNeeds, program: &ProgramSlots, metal: &MetalModel) -> i32 {
    let offsets = Offsets::of(metal.version);
    let mut slots = 0;
    let mut need = |needed: bool, offset: Option<i32>| {
        if let (true, Some(offset)) = (needed, offset) {
            slots = slots.max(offset + 1);
        }
    };
    need(needs.dynamic && metal.argument_buffers, Some(offsets.dynamic_offset));
    need(needs.length, Some(offsets.buffer_size));
    need(needs.samples && !metal.native_swizzle, offsets.swizzle);
    match bit {
        Stage::Vertex => {
            need(needs.multiview || program.tessellates(), Some(offsets.view_range));
            need(program.tessellates(), Some(offsets.output));
            need(needs.draw_index, offsets.draw_id);
            need(metal.reversed_depth, offsets.reversed_depth);
        }
        // Always: the stage runs as a kernel that is told its levels, its output and its parameters.
        Stage::TessellationControl => need(true, Some(offsets.tess_level)),
        Stage::TessellationEvaluation => need(metal.reversed_depth, offsets.reversed_depth),
        Stage::Compute => need(needs.dispatch_base, Some(offsets.view_range)),
        _ => need(needs.multiview, Some(offsets.view_range)),
    }
    slots
}

/// Slots of a stage's buffer table that are left for argument buffers, push constants and descriptors: 31 − R − K.
pub(crate) fn free_slots(bit: Stage, needs: &StageNeeds, program: &ProgramSlots, metal: &MetalModel) -> i32 {
    BUFFER_SLOTS.saturating_sub(reserved(bit, program)).saturating_sub(implicit(bit, needs, program, metal))
}

/// The worst-case buffer budgets of the stage bits, in the order of the stages. Changed by tests alone.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstBuffers(pub [i32; 8]);

impl WorstBuffers {
    /// The budgets that are used.
    pub const SHIPPED: WorstBuffers = WorstBuffers([
        WORST_VERTEX,
        WORST_TESSELLATION_CONTROL,
        WORST_TESSELLATION_EVALUATION,
        WORST_FRAGMENT, // geometry: Metal has none
        WORST_FRAGMENT,
        WORST_COMPUTE,
        WORST_FRAGMENT, // task, of its own bit
        WORST_FRAGMENT, // mesh, of its own bit
    ]);

    pub(crate) fn of(&self, bit: Stage) -> i32 {
        self.0[stage_index(bit)]
    }
}
