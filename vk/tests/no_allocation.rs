//! A plan allocates nothing: not when it pushes, nor when it gives a set or refuses.
#![allow(unsafe_code, clippy::unwrap_used, missing_docs)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use rx_vendor_fixes::Config;
use rx_vk::layout::{Choice, Decision, LayoutCache, ProgramFile, choose, plan};
use rx_vk::{DeviceFacts, PlanOptions};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; only a counter of this thread is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn planning_allocates_nothing() {
    let one = |ty: &str, count: u32| {
        let binding = format!(r#"{{"binding": 1, "type": "{ty}", "count": {count}}}"#);
        let text = format!(
            r#"{{"stages": [{{"stage": "vertex", "bindings": [{{"binding": 0, "type": "uniform_buffer"}}]}},
                {{"stage": "fragment", "bindings": [{binding}]}}]}}"#
        );
        ProgramFile::parse(&text).unwrap().program
    };
    let facts = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap();
    let options = PlanOptions::new(&facts, &Config::default());
    for (program, decision) in [
        (one("sampler", 16), Decision::Push),
        (one("sampler", 17), Decision::Set),
        (one("sampler", 600_000), Decision::Error),
    ] {
        let before = ALLOCATIONS.get();
        let plan = plan(&program, &facts, &options);
        assert_eq!(ALLOCATIONS.get(), before, "{decision:?}");
        assert_eq!(plan.decision, decision);
    }
    let program = one("sampler", 16);
    let mut cache = LayoutCache::new();
    cache.intern(&plan(&program, &facts, &options).set_layout(&program).unwrap());
    let before = ALLOCATIONS.get();
    let choice = choose(&program, &facts, &options);
    let Choice::One { program, plan } = &choice else { unreachable!() };
    cache.intern(&plan.set_layout(program).unwrap());
    assert_eq!(ALLOCATIONS.get(), before, "a pushed choice, and a layout that the cache has");
}
