//! What the GPU last did with a buffer or a level of a texture, and what must stand between that and the next use.
//!
//! Owns the rules of barriers, as plain values. It records nothing.

use ash::vk;

/// One use: where, how, and in which layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) stages: vk::PipelineStageFlags,
    pub(crate) access: vk::AccessFlags,
    pub(crate) write: bool,
    /// Of a texture; [`vk::ImageLayout::UNDEFINED`] of a buffer.
    pub(crate) layout: vk::ImageLayout,
    /// What was there before is not needed: a layout's change may lose it.
    pub(crate) discard: bool,
}

impl Use {
    pub(crate) const fn read(stages: vk::PipelineStageFlags, access: vk::AccessFlags, layout: vk::ImageLayout) -> Use {
        Use { stages, access, write: false, layout, discard: false }
    }

    pub(crate) const fn write(stages: vk::PipelineStageFlags, access: vk::AccessFlags, layout: vk::ImageLayout) -> Use {
        Use { stages, access, write: true, layout, discard: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scope {
    stages: vk::PipelineStageFlags,
    access: vk::AccessFlags,
}

const NOTHING: Scope = Scope { stages: vk::PipelineStageFlags::empty(), access: vk::AccessFlags::empty() };

impl Scope {
    fn add(&mut self, stages: vk::PipelineStageFlags, access: vk::AccessFlags) {
        self.stages |= stages;
        self.access |= access;
    }

    fn covers(&self, used: &Use) -> bool {
        self.stages.contains(used.stages) && self.access.contains(used.access)
    }
}

/// What was done last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    layout: vk::ImageLayout,
    written: Scope,
    /// Reads since, to which the write is already visible.
    read: Scope,
    /// The pass that used it last, by number: a barrier within a pass is not possible.
    pass: u64,
}

impl Default for State {
    fn default() -> Self {
        State { layout: vk::ImageLayout::UNDEFINED, written: NOTHING, read: NOTHING, pass: 0 }
    }
}

/// What must stand before a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Barrier {
    pub(crate) before: vk::PipelineStageFlags,
    pub(crate) before_access: vk::AccessFlags,
    pub(crate) after: vk::PipelineStageFlags,
    pub(crate) after_access: vk::AccessFlags,
    pub(crate) old_layout: vk::ImageLayout,
    pub(crate) new_layout: vk::ImageLayout,
}

/// What a use needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needed {
    Nothing,
    Barrier(Barrier),
    /// A barrier against a use of the same pass: the pass must be cut in two first. Nothing has changed.
    Cut,
}

impl State {
    /// The layout that a texture's level has now.
    #[cfg(test)]
    pub(crate) fn layout(&self) -> vk::ImageLayout {
        self.layout
    }

    /// Whether the pass of this number has used it in this layout: then another layout is a contradiction.
    pub(crate) fn is_held(&self, pass: u64, layout: vk::ImageLayout) -> bool {
        pass != 0 && self.pass == pass && self.layout != layout
    }

    /// After something outside: the next use waits for these stages, and nothing of what was there is kept.
    pub(crate) fn after(stages: vk::PipelineStageFlags) -> State {
        State { written: Scope { stages, access: vk::AccessFlags::empty() }, ..State::default() }
    }

    /// Takes a use in. `pass` is the number of the pass it belongs to, 0 outside passes.
    pub(crate) fn take(&mut self, used: Use, pass: u64) -> Needed {
        let moved = self.layout != used.layout;
        let visible = self.written == NOTHING || self.read.covers(&used);
        if !used.write && !moved && visible {
            self.read.add(used.stages, used.access);
            self.pass = pass.max(self.pass);
            return Needed::Nothing;
        }
        let mut before = self.written;
        if used.write || moved {
            // A write waits for reads too; nothing of them has to be made visible.
            before.stages |= self.read.stages;
        }
        let first = before.stages.is_empty();
        if pass != 0 && self.pass == pass && (moved || !first) {
            return Needed::Cut;
        }
        self.pass = pass.max(self.pass);
        let barrier = Barrier {
            before: if first { vk::PipelineStageFlags::TOP_OF_PIPE } else { before.stages },
            before_access: before.access,
            after: used.stages,
            after_access: used.access,
            old_layout: if used.discard { vk::ImageLayout::UNDEFINED } else { self.layout },
            new_layout: used.layout,
        };
        if used.write {
            self.written = Scope { stages: used.stages, access: writes(used.access) };
            self.read = NOTHING;
        } else if moved {
            // The move itself is a write that these stages have waited for.
            self.written = Scope { stages: used.stages, access: vk::AccessFlags::empty() };
            self.read = Scope { stages: used.stages, access: used.access };
        } else {
            self.read.add(used.stages, used.access);
        }
        self.layout = used.layout;
        if first && !moved { Needed::Nothing } else { Needed::Barrier(barrier) }
    }
}

/// Of accesses, those that write.
fn writes(access: vk::AccessFlags) -> vk::AccessFlags {
    use vk::AccessFlags as A;
    access
        & (A::SHADER_WRITE
            | A::COLOR_ATTACHMENT_WRITE
            | A::DEPTH_STENCIL_ATTACHMENT_WRITE
            | A::TRANSFER_WRITE
            | A::HOST_WRITE
            | A::MEMORY_WRITE
            | A::TRANSFORM_FEEDBACK_WRITE_EXT
            | A::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]

    use super::*;
    use vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

    const WRITE: Use = Use::write(S::COMPUTE_SHADER, A::SHADER_WRITE, L::UNDEFINED);
    const READ: Use = Use::read(S::FRAGMENT_SHADER, A::SHADER_READ, L::UNDEFINED);

    fn barrier(needed: Needed) -> Barrier {
        match needed {
            Needed::Barrier(barrier) => barrier,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_read_waits_for_the_write_once() {
        let mut state = State::default();
        assert_eq!(state.take(READ, 0), Needed::Nothing);
        let first = barrier(state.take(WRITE, 0));
        // A write after a read waits, and has nothing to make visible.
        assert_eq!((first.before, first.before_access), (S::FRAGMENT_SHADER, A::empty()));
        let second = barrier(state.take(READ, 0));
        assert_eq!((second.before, second.before_access), (S::COMPUTE_SHADER, A::SHADER_WRITE));
        assert_eq!((second.after, second.after_access), (S::FRAGMENT_SHADER, A::SHADER_READ));
        assert_eq!(state.take(READ, 0), Needed::Nothing);
        // Another stage has not waited yet.
        let vertex = Use { stages: S::VERTEX_SHADER, ..READ };
        assert_eq!(barrier(state.take(vertex, 0)).before, S::COMPUTE_SHADER);
        assert_eq!(state.take(vertex, 0), Needed::Nothing);
        assert_eq!(state.take(READ, 0), Needed::Nothing);
    }

    #[test]
    fn a_write_waits_for_the_write_before() {
        let mut state = State::default();
        assert_eq!(state.take(WRITE, 0), Needed::Nothing);
        let again = barrier(state.take(WRITE, 0));
        assert_eq!((again.before, again.before_access), (S::COMPUTE_SHADER, A::SHADER_WRITE));
    }

    #[test]
    fn a_layout_changes_once_and_waits_for_all() {
        let mut state = State::default();
        let target = Use::write(S::COLOR_ATTACHMENT_OUTPUT, A::COLOR_ATTACHMENT_WRITE, L::COLOR_ATTACHMENT_OPTIMAL);
        let first = barrier(state.take(target, 0));
        assert_eq!((first.before, first.old_layout), (S::TOP_OF_PIPE, L::UNDEFINED));
        let sampled = Use::read(S::FRAGMENT_SHADER, A::SHADER_READ, L::SHADER_READ_ONLY_OPTIMAL);
        let moved = barrier(state.take(sampled, 0));
        assert_eq!((moved.before, moved.old_layout), (S::COLOR_ATTACHMENT_OUTPUT, L::COLOR_ATTACHMENT_OPTIMAL));
        assert_eq!((moved.new_layout, state.layout()), (L::SHADER_READ_ONLY_OPTIMAL, L::SHADER_READ_ONLY_OPTIMAL));
        assert_eq!(state.take(sampled, 0), Needed::Nothing);
        // Another stage waits for the move.
        let compute = Use { stages: S::COMPUTE_SHADER, ..sampled };
        assert_eq!(barrier(state.take(compute, 0)).before, S::FRAGMENT_SHADER);
        // What is discarded is not kept.
        let anew = Use { discard: true, ..target };
        let discarded = barrier(state.take(anew, 0));
        assert_eq!(discarded.old_layout, L::UNDEFINED);
        assert_eq!(discarded.before, S::FRAGMENT_SHADER | S::COMPUTE_SHADER);
    }

    #[test]
    fn a_barrier_within_a_pass_cuts_it() {
        let mut state = State::default();
        assert_eq!(state.take(WRITE, 0), Needed::Nothing);
        assert!(matches!(state.take(READ, 7), Needed::Barrier(_)));
        assert_eq!(state.take(READ, 7), Needed::Nothing);
        assert_eq!(state.take(WRITE, 7), Needed::Cut);
        assert!(matches!(state.take(WRITE, 8), Needed::Barrier(_)));
        assert_eq!(state.take(WRITE, 8), Needed::Cut);
        let held = L::SHADER_READ_ONLY_OPTIMAL;
        assert!(state.is_held(8, held) && !state.is_held(9, held) && !state.is_held(0, held));
    }
}
