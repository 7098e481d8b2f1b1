//! `rx assemble`: what `rx inspect --asm` prints comes back, faults have a place.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::{asset, fields, file, rx, scene};
use rx_renderer::translate::dxbc::Shader;
use serde_json::json;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// A shader by hand: what the documentation shows.
const BY_HAND: &str = "ps_5_0
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 1
sample r0.xyzw, v1.xyxx, t0.xyzw, s0
mul_sat o0.xyzw, r0.xyzw, l(2, 2, 2, 1)     // brighter
ret
";

fn code(container: &[u8]) -> Vec<u8> {
    let shader = Shader::parse(container, false).unwrap();
    shader.container.find(&[b"SHEX", b"SHDR"]).unwrap().data.to_vec()
}

/// Containers below a folder: every `step`th by name.
fn below(folder: &Path, step: usize) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "dxbc") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.into_iter().step_by(step).collect()
}

/// Prints a container's text and assembles it: the same token stream, the same signatures, a right checksum.
fn comes_back(path: &Path, folder: &Path) {
    let text = rx(["inspect".as_ref(), "--asm".as_ref(), path.as_os_str()]).ends(0).out;
    let (input, output) = (file(folder, "again.asm", text), folder.join("again.dxbc"));
    rx(["assemble".as_ref(), input.as_os_str(), "-o".as_ref(), output.as_os_str()]).ends(0);
    let (before, after) = (std::fs::read(path).unwrap(), std::fs::read(&output).unwrap());
    assert!(code(&before) == code(&after), "{}: another token stream", path.display());
    let (before, after) = (Shader::parse(&before, false).unwrap(), Shader::parse(&after, true).unwrap());
    assert_eq!(before.inputs, after.inputs, "{}", path.display());
    assert_eq!(before.outputs, after.outputs, "{}", path.display());
    assert_eq!(before.patch, after.patch, "{}", path.display());
}

#[test]
fn what_inspect_prints_comes_back() {
    let dir = tempdir().unwrap();
    let own = [below(&scene("dxbc"), 1), below(&asset("features"), 1)].concat();
    assert!(own.len() > 100, "{}", own.len());
    own.iter().for_each(|path| comes_back(path, dir.path()));
}

#[test]
fn samples_of_the_corpus_come_back() {
    let Some(corpus) = std::env::var_os("RX_SHARED").map(|shared| Path::new(&shared).join("corpus")) else {
        println!("skipped: RX_SHARED is not set");
        return;
    };
    let dir = tempdir().unwrap();
    below(&corpus, 29).iter().for_each(|path| comes_back(path, dir.path()));
}

#[test]
fn a_text_by_hand_is_a_container_that_translates() {
    let dir = tempdir().unwrap();
    let (input, output) = (file(dir.path(), "by_hand.asm", BY_HAND), dir.path().join("by_hand.dxbc"));
    let args = ["assemble".as_ref(), "--json".as_ref(), input.as_os_str(), "-o".as_ref(), output.as_os_str()];
    let json = rx(args).ends(0).json();
    assert_eq!(
        fields(&json),
        ["schema", "file", "output", "profile", "bytes", "chunks", "declarations", "instructions"]
    );
    assert_eq!(json!([json["profile"], json["declarations"], json["instructions"]]), json!(["ps_5_0", 5, 3]));
    assert_eq!(json["chunks"], json!(["ISGN", "OSGN", "SHEX"]));
    assert_eq!(json["bytes"], std::fs::metadata(&output).unwrap().len());
    let inspected = rx(["inspect".as_ref(), "--json".as_ref(), output.as_os_str()]).ends(0).json();
    assert_eq!(inspected["checksum"]["right"], true);
    let reflection = rx(["translate".as_ref(), "--json".as_ref(), output.as_os_str()]).ends(0).json();
    assert_eq!(json!([reflection["stage"], reflection["status"]]), json!(["fragment", "exact"]));
}

#[test]
fn faults_have_their_line_and_column() {
    let dir = tempdir().unwrap();
    let output = dir.path().join("out.dxbc");
    let fault = |name: &str, text: &[u8]| {
        let input = file(dir.path(), name, text);
        rx(["assemble".as_ref(), input.as_os_str(), "-o".as_ref(), output.as_os_str()])
    };
    for (name, line, code, place) in [
        ("mnemonic.asm", "mull o0.x, r0.x, r0.x", "RX0111", "line 10:1"),
        ("short.asm", "add r0.x, r1.x", "RX0110", "line 10:15"),
        ("float.asm", "iadd r0.x, r0.x, l(1.5)", "RX0112", "line 10:20"),
        ("register.asm", "mov r0.x, r9.x", "RX0107", "line 10:1, instruction 3, `mov`: "),
        ("open.asm", "if_nz r0.x", "RX0108", "line 10:"),
    ] {
        let run = fault(name, format!("{BY_HAND}{line}").as_bytes()).ends(4);
        let said = run.error(code);
        assert!(said.contains(&format!("{name}: {place}")), "{said}");
    }
    fault("bytes.asm", b"ps_5_0\n\xff").ends(4).error("RX0606");
    assert!(!output.exists(), "nothing is written of a text with a fault");
    rx(["assemble".as_ref(), dir.path().join("missing.asm").as_os_str(), "-o".as_ref(), output.as_os_str()])
        .ends(1)
        .error("RX0602");
    let good = file(dir.path(), "good.asm", BY_HAND);
    rx(["assemble".as_ref(), good.as_os_str()]).ends(2).error("RX0601");
    rx(["assemble".as_ref(), good.as_os_str(), "-o".as_ref(), dir.path().join("no/such/folder.dxbc").as_os_str()])
        .ends(1)
        .error("RX0603");
}
