//! Token streams: program type, model, and tokens that an edit may have made into anything, in a whole container.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rx_translate_fuzz::checks::tokens(data));
