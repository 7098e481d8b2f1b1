//! Texts that are given as containers: sources, listings, pages, pointers.
//!
//! Looks at the beginning of the text only, so that a long file costs no more than a short one.

use crate::{Code, ledger};

/// Bytes that are looked at.
const LOOKED_AT: usize = 64 << 10;

/// Words that only an HLSL or effect source has.
const HLSL: &[&str] = &[
    "SV_",
    "cbuffer",
    "tbuffer",
    "register(",
    "register (",
    "packoffset",
    "float4",
    "float3",
    "float2",
    "half4",
    "Texture2D",
    "SamplerState",
    "StructuredBuffer",
    "ByteAddressBuffer",
    "numthreads",
    ": POSITION",
    ": TEXCOORD",
    ": COLOR",
    "sampler2D",
    "CompileShader",
    "groupshared",
];

/// Words that only an effect's source has.
const EFFECT: &[&str] = &["technique", "CompileShader", "SetVertexShader", "SetPixelShader"];

/// The code and name of a text, or `None` for bytes that are not text.
pub(super) fn recognise(bytes: &[u8]) -> Option<(Code, String)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Some((ledger::NOT_A_CONTAINER, "text in UTF-16".to_owned()));
    }
    let text = text(bytes)?;
    let (code, name) = kind(text);
    Some((code, name.to_owned()))
}

/// The beginning of the bytes as text; `None` where they have control characters or are not UTF-8.
fn text(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The last character may be cut in two.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let is_control = |c: char| c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c' | '\x1a');
    (!text.is_empty() && !text.contains(is_control)).then_some(text)
}

fn kind(text: &str) -> (Code, &'static str) {
    let start = text.trim_start();
    let has = |words: &[&str]| words.iter().any(|word| start.contains(word));
    let begins = |word: &str| start.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    if start.is_empty() {
        return (ledger::NOT_A_CONTAINER, "text of blanks alone");
    }
    if begins("version https://git-lfs") {
        return (ledger::LFS_POINTER, "a Git LFS pointer");
    }
    if begins("<!doctype html") || begins("<html") {
        return (ledger::WEB_PAGE, "a web page");
    }
    if begins("RFhCQ") {
        return (ledger::BYTES_AS_TEXT, "a container in Base64");
    }
    if is_array(start) {
        return (ledger::BYTES_AS_TEXT, "a C array of a container's bytes");
    }
    if let Some(listing) = listing(start) {
        return listing;
    }
    if begins("; SPIR-V") || has(&["OpMemoryModel", "OpEntryPoint"]) {
        return (ledger::OTHER_SHADER, "SPIR-V assembly text");
    }
    if has(&["metal_stdlib"]) {
        return (ledger::OTHER_SHADER, "Metal's shading language");
    }
    if has(&["#version", "gl_Position", "gl_FragCoord", "gl_FragColor", "layout(location", "layout (location"]) {
        return (ledger::OTHER_SHADER, "GLSL source");
    }
    if has(&["@vertex", "@fragment", "@compute", "@group("]) {
        return (ledger::OTHER_SHADER, "WGSL source");
    }
    if begins("<?xml") || begins("{") {
        return (ledger::NOT_A_CONTAINER, "XML or JSON text");
    }
    match (has(HLSL), has(EFFECT)) {
        (true, true) => (ledger::HLSL_SOURCE, "the source text of an effect"),
        (true, false) => (ledger::HLSL_SOURCE, "HLSL source text"),
        (false, _) => (ledger::NOT_A_CONTAINER, "text"),
    }
}

/// Whether a text defines an array that begins with the bytes of `DXBC`, in decimal or hexadecimal numbers.
fn is_array(text: &str) -> bool {
    let Some((_, after)) = text.split_once("[]").or_else(|| text.split_once(']')) else { return false };
    let Some((_, numbers)) = after.split_once('{') else { return false };
    let number = |text: &str| {
        let text = text.trim_start();
        let text = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(text);
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        hex.map_or_else(|| text.parse().ok(), |digits| u8::from_str_radix(digits, 16).ok())
    };
    let first: Vec<Option<u8>> = numbers.splitn(5, ',').take(4).map(number).collect();
    first == b"DXBC".map(Some)
}

/// The code and name of an assembly listing: its first line that is no comment is a profile.
fn listing(text: &str) -> Option<(Code, &'static str)> {
    let mut lines = text.lines().map(str::trim_start);
    let line = lines.find(|line| !(line.is_empty() || line.starts_with("//") || line.starts_with(['#', ';', '.'])))?;
    let (stage, model) = line.trim_end().split_once('_')?;
    if !["vs", "ps", "gs", "hs", "ds", "cs"].contains(&stage) {
        return None;
    }
    match model.get(..2)? {
        "4_" | "5_" => Some((ledger::LISTING, "the assembly text of a shader")),
        "1_" | "2_" | "3_" => Some((ledger::SHADER_MODEL_9, "the assembly text of a Direct3D 9 shader")),
        _ => None,
    }
}
