//! The frame's passes, one file each: how it is made, and what it records.

pub mod bloom;
pub mod exposure;
pub mod extras;
pub mod gbuffer;
pub mod ground;
pub mod interface;
pub mod lighting;
pub mod lines;
pub mod occlusion;
pub mod particles;
pub mod post;
pub mod shadow;
pub mod sky;
pub mod split;
pub mod textures;

use super::camera::Camera;
use super::constants::{Block, Size};
use super::resources::DEPTH;
use crate::{Compare, DepthState};

/// What a frame's passes have in common.
#[derive(Clone, Debug)]
pub struct Now {
    /// Number of the frame.
    pub index: u32,
    /// The picture's size.
    pub size: Size,
    /// The camera.
    pub camera: Camera,
    /// `FrameConstants`.
    pub constants: Block,
}

/// The name of the constants that every pass may read.
pub const FRAME: &str = "FrameConstants";

/// A depth test.
fn depth(compare: Compare, write: bool) -> DepthState {
    DepthState { compare, write, ..DepthState::new(DEPTH) }
}
