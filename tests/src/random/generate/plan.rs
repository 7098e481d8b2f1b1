//! What a program is to have, decided before its first instruction.

use super::Pool;
use crate::random::case::PIXELS;
use crate::random::numbers::Numbers;

/// The stage of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Compute,
    Pixel,
    Vertex,
}

/// What a program has.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub kind: Kind,
    pub model: (u8, u8),
    /// The compiler may reorder what is not precise.
    pub refactoring: bool,
    pub doubles: bool,
    /// Threads of a group.
    pub group: [u32; 3],
    /// The dimension that has more than one group, and their number.
    pub groups: (usize, u32),
    /// Statements of the main program, about.
    pub size: u32,
    /// Deepest nesting of blocks.
    pub depth: u32,
    /// Some first values come from a structured buffer, a record a thread.
    pub records: bool,
    /// Indexable temporaries.
    pub arrays: bool,
    /// Elements of the immediate constant buffer.
    pub constants: u32,
    pub subroutines: u32,
    /// Memory, where the stage and model have it.
    pub memory: Memory,
    /// Format of the typed buffer and the texture that are only read.
    pub texel_format: Texels,
    /// The texture is an array.
    pub layered: bool,
    /// Number of render targets, or of the vertex shader's outputs besides the position.
    pub outputs: u32,
}

/// Kinds of memory beside the results and what each thread begins with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    pub raw: bool,
    pub structured: bool,
    pub typed: bool,
    pub textures: bool,
    /// Unordered access: raw, structured and typed.
    pub own_raw: bool,
    pub own_records: bool,
    pub own_texels: bool,
    /// Words that all threads change by atomics.
    pub accumulators: bool,
    pub counters: bool,
    pub group_memory: bool,
}

/// A format of texels: DXGI's number, the return type, the components, the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texels {
    pub dxgi: u32,
    pub returns: &'static str,
    pub components: u32,
    pub bytes: u32,
}

/// Formats whose conversion is exact.
const TEXEL_FORMATS: [Texels; 12] = [
    texels(2, "float", 4, 16),
    texels(3, "uint", 4, 16),
    texels(4, "sint", 4, 16),
    texels(3, "uint", 4, 16),
    texels(12, "uint", 4, 8),
    texels(14, "sint", 4, 8),
    texels(17, "uint", 2, 8),
    texels(30, "uint", 4, 4),
    texels(32, "sint", 4, 4),
    texels(41, "float", 1, 4),
    texels(42, "uint", 1, 4),
    texels(43, "sint", 1, 4),
];

const fn texels(dxgi: u32, returns: &'static str, components: u32, bytes: u32) -> Texels {
    Texels { dxgi, returns, components, bytes }
}

impl Texels {
    /// What a load gives.
    pub(super) fn pool(self) -> Pool {
        if self.returns == "float" { Pool::Float } else { Pool::Bits }
    }

    /// Whether every component of a load comes from memory.
    pub(super) fn is_whole(self) -> bool {
        self.components == 4
    }
}

impl Plan {
    pub(super) fn new(numbers: &mut Numbers) -> Plan {
        let kind = [Kind::Compute, Kind::Pixel, Kind::Vertex][numbers.weighted(&[70, 22, 8])];
        let model = match kind {
            Kind::Compute => [(5, 0), (5, 1)][numbers.weighted(&[4, 1])],
            Kind::Pixel => [(4, 0), (4, 1), (5, 0), (5, 1)][numbers.weighted(&[2, 1, 4, 1])],
            Kind::Vertex => [(4, 0), (5, 0), (5, 1)][numbers.weighted(&[2, 2, 1])],
        };
        let five = model.0 == 5;
        let group = numbers.pick(&[[1, 1, 1], [4, 1, 1], [8, 1, 1], [2, 2, 1], [1, 4, 1], [2, 2, 2], [1, 1, 4]]);
        let groups = (numbers.below(3) as usize, 1 + numbers.below(2));
        let several = kind == Kind::Compute && group != [1, 1, 1];
        let unordered = kind == Kind::Compute || (kind == Kind::Pixel && five);
        let memory = Memory {
            raw: five && numbers.chance(35),
            structured: five && numbers.chance(35),
            typed: numbers.chance(25),
            textures: numbers.chance(20),
            own_raw: unordered && numbers.chance(35),
            own_records: unordered && numbers.chance(35),
            own_texels: unordered && numbers.chance(25),
            accumulators: unordered && numbers.chance(25),
            counters: unordered && numbers.chance(10),
            group_memory: several && numbers.chance(45),
        };
        Plan {
            kind,
            model,
            refactoring: numbers.chance(15),
            doubles: five && numbers.chance(12),
            group,
            groups,
            size: 5 + numbers.below(12),
            depth: 1 + numbers.below(3),
            records: five && numbers.chance(30),
            arrays: numbers.chance(30),
            constants: if numbers.chance(30) { 2 + numbers.below(6) } else { 0 },
            subroutines: if numbers.chance(25) { 1 + numbers.below(2) } else { 0 },
            memory,
            layered: numbers.chance(40),
            texel_format: numbers.pick(&TEXEL_FORMATS),
            outputs: match kind {
                Kind::Compute => 0,
                Kind::Pixel if five => 1 + numbers.below(2),
                Kind::Pixel => 8,
                Kind::Vertex => 8,
            },
        }
    }

    /// Whether results go to a buffer; otherwise they go to the outputs.
    pub(super) fn has_results_buffer(&self) -> bool {
        self.kind == Kind::Compute || (self.kind == Kind::Pixel && self.model.0 == 5)
    }

    /// Threads of a group.
    pub(super) fn group_size(&self) -> u32 {
        self.group.iter().product()
    }

    /// All threads.
    pub(super) fn threads(&self) -> u32 {
        match self.kind {
            Kind::Compute => self.group_size() * self.groups.1,
            Kind::Pixel => PIXELS * PIXELS,
            Kind::Vertex => PIXELS,
        }
    }

    /// One thread alone: nothing races with it.
    pub(super) fn is_alone(&self) -> bool {
        self.threads() == 1
    }
}
