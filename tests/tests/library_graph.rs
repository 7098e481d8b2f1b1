//! What a game links with the libraries: no C++, and imports that run one way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::shaders::repository;
use std::collections::BTreeSet;
use std::process::Command;

/// Every crate in the default graph of some crates.
fn graph(crates: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(repository()).args(["tree", "--offline", "--edges", "normal,build", "--prefix", "none"]);
    crates.iter().for_each(|name| {
        cargo.args(["--package", name]);
    });
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Crates that compile C or C++, or find a library of it.
const COMPILERS: &[&str] = &["bindgen", "cc", "cmake", "cxx", "cxx-build", "pkg-config", "vcpkg"];

#[test]
fn libraries_compile_no_c() {
    let graph = graph(&["rx-translate", "rx-vk", "rx-vendor-fixes"]);
    let found: Vec<_> = COMPILERS.iter().filter(|name| graph.contains(**name)).collect();
    assert!(found.is_empty(), "the libraries' default graph has {found:?}");
}

#[test]
fn imports_run_one_way() {
    let of = |name: &str| -> Vec<String> {
        graph(&[name]).into_iter().filter(|other| other.starts_with("rx-") && other != name).collect()
    };
    assert!(of("rx-translate").is_empty());
    assert!(of("rx-vendor-fixes").is_empty());
    assert_eq!(of("rx-vk"), ["rx-translate", "rx-vendor-fixes"]);
    // The interpreter comes with the command; the library that a game links does not have it.
    assert_eq!(of("rx-renderer"), ["rx-interpreter", "rx-translate", "rx-vendor-fixes", "rx-vk"]);
    assert_eq!(of("rx-capi"), ["rx-renderer", "rx-translate", "rx-vendor-fixes", "rx-vk"]);
}
