//! The translator's account of a module against what the module's words say.
//!
//! The planner decides from the account; where the two differ, it decides about another program.

use rx_translate::StageInterface;
use rx_translate::interface::Resource;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// How the two differ, a line each.
pub fn differences(said: &StageInterface, read: &StageInterface) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, said: &dyn Debug, read: &dyn Debug| {
        let (said, read) = (format!("{said:?}"), format!("{read:?}"));
        if said != read {
            found.push(format!("{what}: the translator says {said}, the words {read}"));
        }
    };
    compare("stage", &said.stage, &read.stage);
    compare("entry point", &said.entry_point, &read.entry_point);
    compare("workgroup size", &said.workgroup_size, &read.workgroup_size);
    compare("push constants", &said.push_constant_bytes, &read.push_constant_bytes);
    compare("reads an array's length", &said.reads_array_length, &read.reads_array_length);
    compare("read_write textures", &said.read_write_textures, &read.read_write_textures);
    compare("global memory", &said.uses_global_memory, &read.uses_global_memory);
    compare("draw index", &said.draw_index, &read.draw_index);
    compare("view index", &said.multiview, &read.multiview);
    let (said, read) = (used(said), used(read));
    let places: Vec<_> = said.keys().chain(read.keys()).copied().collect();
    for place in places {
        compare(&format!("set {} binding {}", place.0, place.1), &said.get(&place), &read.get(&place));
    }
    found.dedup();
    found
}

/// The used resources by place, as far as words can say what they are: registers and names are not in them.
fn used(interface: &StageInterface) -> BTreeMap<(u32, u32), impl Debug + use<>> {
    let facts = |r: &Resource| (r.ty, r.count, r.access, r.reads_length, r.texel_atomics, r.dimension, r.aliased_array);
    interface.resources.iter().filter(|r| r.used).map(|r| ((r.set, r.binding), facts(r))).collect()
}
