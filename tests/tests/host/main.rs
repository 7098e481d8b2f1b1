//! The host on a real driver: what is bound, drawn, dispatched, copied and read back, pushed and through sets, with the
//! validation layers on and silent.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod bindings;
mod drawing;
mod faults;
mod frames;
mod pipelines;

use rx_renderer::vendor_fixes::{FixId, Forced, PolicyChoice};
use rx_renderer::{Renderer, RendererOptions};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One device at a time: what the layers say belongs to one test.
static HELD: Mutex<()> = Mutex::new(());

/// A renderer, and the layers' silence at its end.
pub struct Host {
    renderer: Option<Renderer>,
    _held: MutexGuard<'static, ()>,
}

impl Host {
    /// The renderer.
    pub fn get(&mut self) -> &mut Renderer {
        self.renderer.as_mut().unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let renderer = self.renderer.take().unwrap();
        let instance = renderer.device().instance().clone();
        assert!(instance.is_validated() || !must(), "the validation layers are not installed");
        drop(renderer);
        if !std::thread::panicking() {
            let messages = instance.take_messages();
            assert!(messages.is_empty(), "{messages:#?}");
        }
    }
}

fn must() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// A renderer on the software driver, or `None` after a line that says why there is none.
pub fn host(options: RendererOptions) -> Option<Host> {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let mut options = RendererOptions { validation: true, ..options };
    options.config.device = Some("llvmpipe".to_owned());
    match Renderer::headless(&options) {
        Ok(renderer) => Some(Host { renderer: Some(renderer), _held: held }),
        Err(error) => {
            assert!(!must(), "no Vulkan device, and CI=true forbids to skip: {error}");
            println!("skipped: no Vulkan device: {error}");
            None
        }
    }
}

/// Every way in which sets reach the driver: pushed, written by templates, written one by one, without null descriptors,
/// and in render pass objects.
pub fn every_way() -> Vec<(&'static str, RendererOptions)> {
    let with = |fixes: &[FixId], null: bool| {
        let mut options = RendererOptions::default();
        // The fix alone moves only what is past a table.
        options.config.policy = fixes.contains(&FixId::SetForTables).then_some(PolicyChoice::Set);
        fixes.iter().for_each(|&fix| options.config.force(fix, Forced::On));
        options.device.null_descriptors = null;
        options
    };
    vec![
        ("pushed", with(&[], true)),
        ("pushed without templates", with(&[FixId::NoUpdateTemplates], true)),
        ("sets", with(&[FixId::SetForTables], true)),
        ("sets without templates", with(&[FixId::SetForTables, FixId::NoUpdateTemplates], true)),
        ("placeholders", with(&[], false)),
        ("render passes", with(&[FixId::NoDynamicRendering], true)),
    ]
}
