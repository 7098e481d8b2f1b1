//! What the tests that cross rx's crates share. Nothing but tests uses it.

// A test that cannot go on fails, and says so where people look.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

pub mod agreement;
pub mod effects;
pub mod faults;
pub mod golden;
pub mod optimizer;
pub mod profiles;
pub mod random;
pub mod report;
pub mod shaders;
pub mod shared;
pub mod validator;
pub mod vulkan;
pub mod ways;

/// The README's example and those of the host's page, compiled and run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/integration.md")]
    struct Integration;
    #[doc = include_str!("../../docs/host.md")]
    struct Host;
}
