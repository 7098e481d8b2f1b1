//! Whole containers: any bytes, translated under any profile.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rx_translate_fuzz::checks::container(data));
