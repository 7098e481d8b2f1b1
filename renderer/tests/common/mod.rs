//! Runs the `rx` that was built beside the tests, in an environment that holds nothing but what a test says.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Ended in this code; else fails with what it printed.
    #[track_caller]
    pub fn ends(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Standard output as one JSON object.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// Standard output as an object a line.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.out.lines().map(parse).collect()
    }

    /// The one line of an error, which names a code.
    #[track_caller]
    pub fn error(&self, code: &str) -> &str {
        assert_eq!(self.err.lines().count(), 1, "one line:\n{}", self.err);
        assert!(self.err.starts_with(&format!("{code}: ")), "{}", self.err);
        self.err.trim_end()
    }
}

/// Runs `rx` with arguments.
pub fn rx<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    rx_in(Path::new("."), &[], args)
}

/// Runs `rx` in a folder with variables.
pub fn rx_in<S: AsRef<OsStr>>(folder: &Path, vars: &[(&str, &str)], args: impl IntoIterator<Item = S>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rx"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    // No Vulkan driver, so that no answer depends on the machine's.
    command.env_clear().env("VK_DRIVER_FILES", "none").env("VK_ICD_FILENAMES", "none").envs(vars.iter().copied());
    let output = command.output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A shader of the demo scene.
pub fn scene(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(file)
}

/// A shader of the translator's tests.
pub fn asset(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/assets/dxbc").join(file)
}

/// Writes a file into a folder.
pub fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The names of an object's fields, in order.
pub fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Nothing that only a terminal understands.
#[track_caller]
pub fn is_plain(text: &str) {
    assert!(!text.contains('\u{1b}'), "an escape code in {text:?}");
}
