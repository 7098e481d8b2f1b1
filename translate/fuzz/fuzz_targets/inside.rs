//! The shaders inside any bytes: effects, and files that are scanned.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rx_translate_fuzz::checks::inside(data));
