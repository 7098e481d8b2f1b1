//! Seeds of the fuzz targets from folders of Direct3D containers: `seeds FOLDER… `, into `corpus/` beside this package.

#[path = "../../../../tests/src/effects.rs"]
#[allow(dead_code)]
mod effects;

use rx_translate::dxbc::{Shader, disasm};
use rx_translate::{Options, Source, Translator};
use rx_translate_fuzz::checks;
use std::path::{Path, PathBuf};

/// Larger seeds make a fuzzer slow, and show nothing that smaller ones do not.
const MOST_BYTES: usize = 12 << 10;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "dxbc") {
                count += 1;
                seed(&corpus, &format!("seed-{count}"), &std::fs::read(&path)?)?;
            }
        }
    }
    println!("{count} containers");
    Ok(())
}

/// An effect whose one pass has the shader in both of its slots.
fn effect(shader: &[u8]) -> Vec<u8> {
    let values = ["", "POSITION.xyz"].map(|output| (effects::state::GEOMETRY, effects::Value::Shader(shader, output)));
    let techniques = vec![("T", vec![("P", values.to_vec())])];
    effects::Effect { version: effects::FX_5_0, groups: vec![("G", techniques)], annotated: true, ..Default::default() }
        .write()
}

/// One container's seed for each target.
fn seed(corpus: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let write = |target: &str, data: &[u8]| {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder)?;
        if data.len() <= MOST_BYTES { std::fs::write(folder.join(name), data) } else { Ok(()) }
    };
    write("container", bytes)?;
    write("inside", &effect(bytes))?;
    if let Some(code) = checks::code(bytes) {
        write("tokens", &code)?;
    }
    if let Ok(shader) = Shader::parse(bytes, false) {
        write("assembler", disasm::disassemble_exact(&shader).as_bytes())?;
    }
    if let Ok(translation) = Translator::new(Options::default()).translate(Source::Dxbc(bytes)) {
        let words: Vec<u8> = translation.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
        write("spirv_in", &words)?;
    }
    Ok(())
}
