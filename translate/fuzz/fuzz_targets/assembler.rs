//! Text of an assembly, to a container that must read, print and translate.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rx_translate_fuzz::checks::assembler(data));
