//! C and C++ programs: compiled by the system's compiler against the committed header.

use rx_tests::shaders::repository;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Which form of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `librx.so`.
    Shared,
    /// `librx.a`.
    Static,
}

/// A compiled program.
pub struct Program {
    /// Name.
    pub name: String,
    path: PathBuf,
    _folder: TempDir,
}

impl Program {
    /// Runs it: on the software driver, validated.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.env("RX_VK_DEVICE", "llvmpipe").env("RX_VK_VALIDATE", "1").env("LD_LIBRARY_PATH", libraries());
        command
    }
}

/// Whether what is missing is a failure.
pub fn must() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Where cargo put the library: beside this test.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    test.parent().expect("it lies in a folder").to_owned()
}

/// The shared library.
pub fn shared() -> PathBuf {
    let file = libraries().join("librx.so");
    assert!(file.is_file(), "{}: cargo builds it as a dependency of this test", file.display());
    file
}

/// What a static Rust library of this system needs beside it (`rustc --print native-static-libs`).
const SYSTEM: &[&str] = &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

/// Every warning is a failure.
const STRICT: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"];

fn compiler() -> String {
    std::env::var("CC").unwrap_or_else(|_| "cc".to_owned())
}

/// Whether the compiler has its sanitizers at hand.
pub fn sanitizes() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("empty.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let out = folder.path().join("empty");
    let compiled =
        Command::new(compiler()).arg("-fsanitize=address,undefined").arg(&source).arg("-o").arg(&out).output();
    compiled.is_ok_and(|output| output.status.success())
        && Command::new(out).status().is_ok_and(|status| status.success())
}

/// Compiles a program of `tests/c`; `None` after a line that says that there is no compiler.
pub fn compile(name: &str, language: &str, form: Form, flags: &[&str]) -> Option<Program> {
    compile_file(&repository().join("tests/c").join(name).with_extension("c"), language, form, flags)
}

/// Compiles a source file.
pub fn compile_file(source: &Path, language: &str, form: Form, flags: &[&str]) -> Option<Program> {
    let folder = tempfile::tempdir().unwrap();
    let name = source.file_stem().unwrap().to_str().unwrap().to_owned();
    let path = folder.path().join(&name);
    let standard = if language == "c" { "-std=c99" } else { "-std=c++11" };
    let mut command = Command::new(compiler());
    command.args(STRICT).args(["-x", language, standard, "-I"]).arg(repository().join("renderer/capi/include"));
    command.args(flags.iter().filter(|flag| !flag.starts_with("-l")));
    command.arg("-I").arg(repository().join("tests/c")).arg(source).args(["-x", "none", "-o"]).arg(&path);
    match form {
        Form::Shared => command.arg("-L").arg(shared().parent().unwrap()).arg("-lrx"),
        Form::Static => command.arg(libraries().join("librx.a")).args(SYSTEM),
    };
    command.args(flags.iter().filter(|flag| flag.starts_with("-l")));
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            assert!(!must(), "no C compiler, and CI=true forbids to skip: {error}");
            println!("skipped: no C compiler: {error}");
            return None;
        }
    };
    assert!(output.status.success(), "{name}, {language}: {}", String::from_utf8_lossy(&output.stderr));
    Some(Program { name, path, _folder: folder })
}
