//! The demo scene, "harbour at dusk": a deferred renderer over geometry and textures that are made from formulas.
//!
//! Owns what a host that draws it must know: programs, meshes, instances, lights, constants, passes and their order. It
//! uses the renderer's public face alone, as a game would.

pub mod atlas;
pub mod camera;
pub mod constants;
pub mod instances;
pub mod lights;
pub mod math;
pub mod mesh;
pub mod programs;
