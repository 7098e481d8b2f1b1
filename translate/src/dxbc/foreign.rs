//! What an input is that holds no shader code of models 4 and 5: another container, another format, another file.
//!
//! Owns the refusals of whole inputs: the message names what the input is, the code's ledger row says what to do. Runs
//! only after the container reader or [`super::Shader::parse`] has found nothing to translate; never decodes anything.

mod text;

use super::bytes::u32_at;
use super::container::{Container, FourCc};
use crate::{Code, Error, ErrorKind, Place, ledger};

/// Bytes by which a format is recognised.
struct Magic {
    at: usize,
    bytes: &'static [u8],
    code: Code,
    name: &'static str,
}

const fn magic(at: usize, bytes: &'static [u8], code: Code, name: &'static str) -> Magic {
    Magic { at, bytes, code, name }
}

/// Formats by their first bytes. The first entry that matches decides, so longer magics come before shorter ones.
const MAGICS: &[Magic] = &[
    magic(0, &[3, 2, 0x23, 7], ledger::OTHER_SHADER, "a SPIR-V module"),
    magic(0, &[7, 0x23, 2, 3], ledger::OTHER_SHADER, "a SPIR-V module with big-endian words"),
    magic(0, b"MTLB", ledger::OTHER_SHADER, "a Metal library"),
    magic(0, b"BC\xc0\xde", ledger::DXIL, "LLVM bitcode, as DXIL is without its container"),
    magic(0, b"\xde\xc0\x17\x0b", ledger::DXIL, "LLVM bitcode in a wrapper, as DXIL is without its container"),
    magic(0, b"CBXD", ledger::CONSOLE, "a DXBC container with big-endian words"),
    magic(0, &[0x10, 0x2a, 0x11, 0], ledger::CONSOLE, "an Xbox 360 pixel shader"),
    magic(0, &[0x10, 0x2a, 0x11, 1], ledger::CONSOLE, "an Xbox 360 vertex shader"),
    magic(0, b"XPR", ledger::CONSOLE, "an Xbox resource package"),
    magic(0, b"PK\x03\x04", ledger::ARCHIVE, "a ZIP archive"),
    magic(0, b"PK\x05\x06", ledger::ARCHIVE, "an empty ZIP archive"),
    magic(0, &[0x1f, 0x8b], ledger::ARCHIVE, "gzip data"),
    magic(0, &[0x28, 0xb5, 0x2f, 0xfd], ledger::ARCHIVE, "Zstandard data"),
    magic(0, &[0x04, 0x22, 0x4d, 0x18], ledger::ARCHIVE, "an LZ4 frame"),
    magic(0, &[0x02, 0x21, 0x4c, 0x18], ledger::ARCHIVE, "a legacy LZ4 frame"),
    magic(0, b"\xff\x06\x00\x00sNaPpY", ledger::ARCHIVE, "Snappy data"),
    magic(0, b"7z\xbc\xaf\x27\x1c", ledger::ARCHIVE, "a 7-Zip archive"),
    magic(0, b"\xfd7zXZ\0", ledger::ARCHIVE, "xz data"),
    magic(0, b"BZh", ledger::ARCHIVE, "bzip2 data"),
    magic(0, b"LZIP", ledger::ARCHIVE, "lzip data"),
    magic(0, &[0x5d, 0, 0], ledger::ARCHIVE, "LZMA data"),
    magic(0, b"Rar!\x1a\x07", ledger::ARCHIVE, "a RAR archive"),
    magic(0, b"MSCF", ledger::ARCHIVE, "a cabinet archive"),
    magic(257, b"ustar", ledger::ARCHIVE, "a tar archive"),
    magic(0, b"UnityFS\0", ledger::ARCHIVE, "a Unity asset bundle"),
    magic(0, b"UnityWeb", ledger::ARCHIVE, "a Unity asset bundle"),
    magic(0, b"UnityRaw", ledger::ARCHIVE, "a Unity asset bundle"),
    magic(0, &[0x34, 0x12, 0xaa, 0x55], ledger::ARCHIVE, "a Valve VPK package"),
    magic(0, b"BSA\0", ledger::ARCHIVE, "a Bethesda BSA package"),
    magic(0, b"BTDX", ledger::ARCHIVE, "a Bethesda BA2 package"),
    magic(0, b"PACK", ledger::ARCHIVE, "a PAK package"),
    magic(0, b"DDS ", ledger::OTHER_FILE, "a DDS texture"),
    magic(0, b"\x89PNG\r\n\x1a\n", ledger::OTHER_FILE, "a PNG image"),
    magic(0, &[0xff, 0xd8, 0xff], ledger::OTHER_FILE, "a JPEG image"),
    magic(0, b"GIF8", ledger::OTHER_FILE, "a GIF image"),
    magic(0, b"II*\0", ledger::OTHER_FILE, "a TIFF image"),
    magic(0, b"MM\0*", ledger::OTHER_FILE, "a TIFF image"),
    magic(0, b"\xabKTX ", ledger::OTHER_FILE, "a KTX texture"),
    magic(0, b"#?RADIANCE", ledger::OTHER_FILE, "a Radiance image"),
    magic(0, &[0x76, 0x2f, 0x31, 1], ledger::OTHER_FILE, "an OpenEXR image"),
    magic(8, b"WEBP", ledger::OTHER_FILE, "a WebP image"),
    magic(8, b"WAVE", ledger::OTHER_FILE, "a WAV sound"),
    magic(0, b"OggS", ledger::OTHER_FILE, "an Ogg stream"),
    magic(0, b"glTF", ledger::OTHER_FILE, "a glTF model"),
    magic(0, b"Kaydara FBX", ledger::OTHER_FILE, "an FBX model"),
    magic(0, b"%PDF", ledger::OTHER_FILE, "a PDF document"),
    magic(0, b"SQLite format 3\0", ledger::OTHER_FILE, "an SQLite database"),
    magic(0, b"Microsoft C/C++ MSF", ledger::OTHER_FILE, "a program database (PDB), as `fxc /Fd` writes it"),
    magic(0, b"\x7fELF", ledger::OTHER_FILE, "an ELF binary"),
    magic(0, b"MZ", ledger::OTHER_FILE, "a Windows executable or DLL"),
    magic(0, &[0xcf, 0xfa, 0xed, 0xfe], ledger::OTHER_FILE, "a Mach-O binary"),
    magic(0, &[0xca, 0xfe, 0xba, 0xbe], ledger::OTHER_FILE, "a Mach-O or Java class file"),
    magic(0, b"\0asm", ledger::OTHER_FILE, "a WebAssembly module"),
];

/// Header bytes of a zlib stream, by its compression level. Two bytes alone would also match short texts.
const ZLIB: [[u8; 2]; 4] = [[0x78, 0x01], [0x78, 0x5e], [0x78, 0x9c], [0x78, 0xda]];

/// The version word that begins an effect: `fx_4_0`, `fx_4_1`, `fx_5_0`.
pub(super) fn effect_profile(tag: u32) -> Option<&'static str> {
    match tag {
        0xfeff_1001 => Some("fx_4_0"),
        0xfeff_1011 => Some("fx_4_1"),
        0xfeff_2001 => Some("fx_5_0"),
        _ => None,
    }
}

/// Whether bytes begin with a version word of an effect or of Direct3D 9, in either byte order.
pub(super) fn is_direct3d(bytes: &[u8]) -> bool {
    u32_at(bytes, 0).is_some_and(|word| direct3d(word).is_some())
}

/// The error for bytes that do not begin with `DXBC`.
pub(super) fn not_a_container(bytes: &[u8]) -> Error {
    match recognise(bytes) {
        Some((code, what)) => at(code, 0, what),
        None => Error::malformed(ledger::NOT_A_CONTAINER, 0, unknown(bytes)),
    }
}

/// The error for a container of another version than 1. The word is as read in little-endian order.
pub(super) fn other_version(version: u32) -> Error {
    if version == 1u32.swap_bytes() {
        return at(ledger::CONSOLE, 20, "a DXBC container with big-endian words".to_owned());
    }
    Error::malformed(ledger::NOT_A_CONTAINER, 20, format!("container version {version:#x}, not 1"))
}

/// The error for a container without a chunk of shader code.
pub(super) fn without_code(container: &Container<'_>) -> Error {
    let found = |names: &[&[u8; 4]]| container.find(names);
    if let Some(chunk) = found(&[b"FX10"]) {
        let profile = u32_at(chunk.data, 0).and_then(effect_profile).unwrap_or("fx_4_0");
        return at(ledger::EFFECT, chunk.offset as usize, format!("a compiled effect, {profile}"));
    }
    if let Some(chunk) = found(&[b"LIBF", b"LIBH", b"LFS0"]) {
        let count = container.chunks.iter().filter(|chunk| &chunk.fourcc.0 == b"LIBF").count();
        let what = format!("a shader library of {count} {}", if count == 1 { "function" } else { "functions" });
        return at(ledger::LIBRARY, chunk.offset as usize, what);
    }
    if let Some(chunk) = found(&[b"Aon9", b"XNAS", b"XNAP"]) {
        let what = format!("the only code in the container is of a 9_x feature level (`{}`)", chunk.fourcc);
        return at(ledger::SHADER_MODEL_9, chunk.offset as usize, what);
    }
    if let Some(chunk) = found(&[b"RTS0"]) {
        return at(ledger::ROOT_SIGNATURE, chunk.offset as usize, "a root signature without a shader".to_owned());
    }
    Error::malformed(ledger::NO_CODE, 32, format!("no chunk of shader code: {}", held(container)))
}

/// The error for a container that holds DXIL.
pub(super) fn dxil(fourcc: FourCc, offset: u32, data: &[u8]) -> Error {
    // 7 to 12 are ray tracing stages, which only libraries have.
    const TYPES: [&str; 15] =
        ["ps", "vs", "gs", "hs", "ds", "cs", "lib", "lib", "lib", "lib", "lib", "lib", "lib", "ms", "as"];
    let profile = u32_at(data, 0).and_then(|version| {
        let ty = TYPES.get((version >> 16) as usize)?;
        Some(format!(", {ty}_{}_{}", version >> 4 & 15, version & 15))
    });
    let profile = profile.unwrap_or_default();
    at(ledger::DXIL, offset as usize, format!("the container has a {fourcc} chunk{profile}"))
}

/// The chunks of a container in words.
fn held(container: &Container<'_>) -> String {
    const MOST_NAMED: usize = 8;
    let names: Vec<String> =
        container.chunks.iter().take(MOST_NAMED).map(|chunk| format!("`{}`", chunk.fourcc)).collect();
    match container.chunks.len() {
        0 => "the container is empty".to_owned(),
        n if n > MOST_NAMED => format!("the container holds {} and {} more chunks", names.join(", "), n - MOST_NAMED),
        _ => format!("the container holds {} alone", names.join(", ")),
    }
}

/// An error at an offset, refused or malformed as its ledger row says.
fn at(code: Code, offset: usize, what: String) -> Error {
    let refused = ledger::find(code).is_some_and(|row| row.kind == ledger::RowKind::Refused);
    let kind = if refused { ErrorKind::Refused } else { ErrorKind::Malformed };
    Error { code, kind, place: Place { offset: u32::try_from(offset).ok(), ..Place::default() }, what }
}

/// The code and name of an input that is known to be something else than a container.
fn recognise(bytes: &[u8]) -> Option<(Code, String)> {
    if bytes.is_empty() {
        return Some((ledger::EMPTY_INPUT, "the input has no bytes".to_owned()));
    }
    if bytes.iter().all(|&byte| byte == 0) {
        return Some((ledger::EMPTY_INPUT, format!("the input is {} zero bytes", bytes.len())));
    }
    if let Some(found) = u32_at(bytes, 0).and_then(direct3d) {
        return Some(found);
    }
    let is = |own: &&Magic| bytes.get(own.at..).is_some_and(|rest| rest.starts_with(own.bytes));
    if let Some(own) = MAGICS.iter().find(is) {
        return Some((own.code, own.name.to_owned()));
    }
    if let Some(found) = text::recognise(bytes) {
        return Some(found);
    }
    ZLIB.iter().any(|head| bytes.starts_with(head)).then(|| (ledger::ARCHIVE, "zlib data".to_owned()))
}

/// An input that begins with a version word of Direct3D, in either byte order.
fn direct3d(word: u32) -> Option<(Code, String)> {
    if let Some(profile) = effect_profile(word) {
        return Some((ledger::EFFECT, format!("a compiled effect, {profile}")));
    }
    if let Some((code, what)) = direct3d_9(word) {
        return Some((code, what));
    }
    let (_, what) = direct3d_9(word.swap_bytes())?;
    Some((ledger::CONSOLE, format!("{what}, with the big-endian words of a console")))
}

/// An input that begins with a version word of Direct3D 9.
fn direct3d_9(word: u32) -> Option<(Code, String)> {
    let (major, minor) = (word >> 8 & 0xff, word & 0xff);
    match word >> 16 {
        // An effect of D3DX 9: 0x0901 in every version that compilers of this century write.
        0xfeff if major == 9 => Some((ledger::EFFECT_D3D9, "a compiled effect of Direct3D 9, fx_2_0".to_owned())),
        stage @ (0xfffe | 0xffff) if (1..=3).contains(&major) => {
            let stage = if stage == 0xfffe { "vs" } else { "ps" };
            let minor = match (major, minor) {
                (_, 0xff) => "sw".to_owned(),
                (2, 1) => "x".to_owned(),
                _ => minor.to_string(),
            };
            Some((ledger::SHADER_MODEL_9, format!("Direct3D 9 bytecode, {stage}_{major}_{minor}")))
        }
        0x5458 if major == 1 => Some((ledger::SHADER_MODEL_9, format!("Direct3D 9 bytecode, tx_1_{minor}"))),
        0x4658 if major == 2 => Some((ledger::EFFECT_D3D9, "a preshader of a Direct3D 9 effect".to_owned())),
        _ => None,
    }
}

/// What can be said of bytes of an unknown format.
fn unknown(bytes: &[u8]) -> String {
    let mut inside = super::embedded::scan(bytes);
    match (inside.next(), inside.count()) {
        (None, _) => "no `DXBC` at the start, and no container inside".to_owned(),
        (Some(first), more) => {
            let (offset, count) = (first.offset, more + 1);
            format!("no `DXBC` at the start; {count} containers inside, the first at offset {offset:#x}")
        }
    }
}

#[cfg(test)]
mod tests;
