//! Test data that lies outside the repository: where it is, and the forms it has.
//!
//! The environment variable `RX_SHARED` alone names it: a folder with `corpus/` and `exec/` in it.

use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A folder below the one that `RX_SHARED` names, or `None` after a line that says it is not set. Set to a place that
/// cannot be read, it fails. A path that is not absolute begins at the repository's root, whatever folder a test runs in.
pub fn folder(below: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("RX_SHARED") else {
        println!("skipped: RX_SHARED is not set, so there is nothing under `{below}` to run");
        return None;
    };
    let folder = crate::shaders::repository().join(root).join(below);
    assert!(std::fs::read_dir(&folder).is_ok(), "RX_SHARED is set, but {} cannot be read", folder.display());
    Some(folder)
}

/// A JSON file.
pub fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Shaders by name, each read once.
pub struct Blobs {
    folder: PathBuf,
    read: HashMap<String, Vec<u8>>,
}

impl Blobs {
    /// Those of a folder.
    pub fn new(folder: PathBuf) -> Self {
        Blobs { folder, read: HashMap::new() }
    }

    /// The container of this name.
    pub fn get(&mut self, name: &str) -> &[u8] {
        let path = self.folder.join(name).with_extension("dxbc");
        self.read.entry(name.to_owned()).or_insert_with(|| read(&path))
    }
}

/// A file's bytes.
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Bytes written as hexadecimal digits.
pub fn hex(text: &str) -> Vec<u8> {
    let digit = |d: u8| char::from(d).to_digit(16).unwrap_or_else(|| panic!("not hexadecimal: {text}")) as u8;
    text.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Little-endian words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// How far two floats lie apart in representable numbers; equal bits are 0 apart, a NaN is as far as can be.
pub fn ulps(a: u32, b: u32) -> u32 {
    let place = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 1 { -magnitude } else { magnitude }
    };
    if a == b {
        return 0;
    }
    if f32::from_bits(a).is_nan() || f32::from_bits(b).is_nan() {
        return u32::MAX;
    }
    u32::try_from(place(a).abs_diff(place(b))).unwrap_or(u32::MAX)
}
