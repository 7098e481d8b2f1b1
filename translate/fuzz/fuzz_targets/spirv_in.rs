//! SPIR-V that a host brings: checked, its interface read.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rx_translate_fuzz::checks::spirv_in(data));
