//! Fuzz targets of rx-translate. What each holds its input to is [`checks`]; how to run them is docs/fuzzing.md.
#![deny(missing_docs)]

pub mod checks;

#[global_allocator]
static ALLOCATOR: checks::Counting = checks::Counting;
