//! Inputs that are no shader of models 4 and 5, and what each is called.
#![allow(clippy::unwrap_used)]

use crate::dxbc::Shader;
use crate::dxbc::container::{FourCc, write};
use crate::{Code, ErrorKind, ledger};

/// Refuses an input as a shader, with a code and words.
#[track_caller]
fn check(bytes: &[u8], code: Code, words: &str) {
    let error = Shader::parse(bytes, false).unwrap_err();
    assert_eq!(error.code, code, "{error}");
    assert!(error.what.contains(words), "{error}");
    let refused = ledger::find(code).unwrap().kind == ledger::RowKind::Refused;
    assert_eq!(error.kind == ErrorKind::Refused, refused, "{error}");
}

fn container(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let chunks: Vec<_> = chunks.iter().map(|(name, data)| (FourCc(**name), *data)).collect();
    write(&chunks).unwrap()
}

#[test]
fn direct3d_9_bytecode_is_named_by_its_profile() {
    for (word, profile) in [
        (0xfffe_0101u32, "vs_1_1"),
        (0xfffe_0200, "vs_2_0"),
        (0xfffe_0201, "vs_2_x"),
        (0xfffe_0300, "vs_3_0"),
        (0xfffe_03ff, "vs_3_sw"),
        (0xffff_0104, "ps_1_4"),
        (0xffff_0200, "ps_2_0"),
        (0xffff_0300, "ps_3_0"),
        (0x5458_0100, "tx_1_0"),
    ] {
        let bytes = [word, 0x0000_ffff];
        let little: Vec<u8> = bytes.iter().flat_map(|word| word.to_le_bytes()).collect();
        check(&little, ledger::SHADER_MODEL_9, profile);
        let big: Vec<u8> = bytes.iter().flat_map(|word| word.to_be_bytes()).collect();
        check(&big, ledger::CONSOLE, profile);
    }
    check(&0xfeff_0901u32.to_le_bytes(), ledger::EFFECT_D3D9, "fx_2_0");
    check(&0xfeff_0901u32.to_be_bytes(), ledger::CONSOLE, "fx_2_0");
    check(&0xfeff_2001u32.to_le_bytes(), ledger::EFFECT, "fx_5_0");
}

#[test]
fn containers_without_code_are_named_by_their_chunks() {
    let none: &[u8] = &[0; 8];
    check(&container(&[(b"FX10", &0xfeff_1011u32.to_le_bytes())]), ledger::EFFECT, "fx_4_1");
    check(&container(&[(b"LIBF", none), (b"LIBF", none), (b"LIBH", none)]), ledger::LIBRARY, "2 functions");
    check(&container(&[(b"Aon9", none), (b"ISGN", none)]), ledger::SHADER_MODEL_9, "`Aon9`");
    check(&container(&[(b"RTS0", none)]), ledger::ROOT_SIGNATURE, "root signature");
    check(&container(&[(b"ISGN", none)]), ledger::NO_CODE, "`ISGN` alone");
    check(&container(&[]), ledger::NO_CODE, "empty");
    check(&container(&[(b"DXIL", &[0x66, 0, 5, 0])]), ledger::DXIL, "cs_6_6");
    check(&container(&[(b"ILDB", &[0x63, 0, 6, 0])]), ledger::DXIL, "lib_6_3");
    // A program of a function in a library, taken out of it.
    check(&container(&[(b"SHEX", &[0x50, 0, 0xf0, 0xff, 2, 0, 0, 0])]), ledger::LIBRARY, "function");
    let mut big = container(&[(b"SHEX", none)]);
    big[20..24].copy_from_slice(&[0, 0, 0, 1]);
    check(&big, ledger::CONSOLE, "big-endian");
    check(b"CBXD\0\0\0\0", ledger::CONSOLE, "big-endian");
}

#[test]
fn other_files_are_named_by_their_first_bytes() {
    check(b"", ledger::EMPTY_INPUT, "no bytes");
    check(&[0; 64], ledger::EMPTY_INPUT, "64 zero bytes");
    for (bytes, code, words) in [
        (&b"PK\x03\x04\x14\0"[..], ledger::ARCHIVE, "ZIP"),
        (b"\x1f\x8b\x08\0", ledger::ARCHIVE, "gzip"),
        (b"\x28\xb5\x2f\xfd\0", ledger::ARCHIVE, "Zstandard"),
        (b"\x04\x22\x4d\x18\0", ledger::ARCHIVE, "LZ4"),
        (b"7z\xbc\xaf\x27\x1c\0", ledger::ARCHIVE, "7-Zip"),
        (b"\xfd7zXZ\0\0", ledger::ARCHIVE, "xz"),
        (b"BZh91AY&SY\0", ledger::ARCHIVE, "bzip2"),
        (b"Rar!\x1a\x07\0", ledger::ARCHIVE, "RAR"),
        (b"\x78\x9c\x01\0\0\xff", ledger::ARCHIVE, "zlib"),
        (b"UnityFS\0\0", ledger::ARCHIVE, "Unity"),
        (b"DDS \x7c\0\0\0", ledger::OTHER_FILE, "DDS"),
        (b"\x89PNG\r\n\x1a\n\0", ledger::OTHER_FILE, "PNG"),
        (b"\xff\xd8\xff\xe0", ledger::OTHER_FILE, "JPEG"),
        (b"MZ\x90\0", ledger::OTHER_FILE, "executable"),
        (b"\x7fELF\x02", ledger::OTHER_FILE, "ELF"),
        (b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0", ledger::OTHER_FILE, "PDB"),
        (b"\x03\x02\x23\x07\0\0\x01\0", ledger::OTHER_SHADER, "SPIR-V"),
        (b"\x07\x23\x02\x03\0\x01\0\0", ledger::OTHER_SHADER, "SPIR-V"),
        (b"MTLB\x01\0", ledger::OTHER_SHADER, "Metal"),
        (b"BC\xc0\xde5\x14", ledger::DXIL, "bitcode"),
        (b"\x10\x2a\x11\0\0\0", ledger::CONSOLE, "Xbox 360 pixel"),
        (b"XPR2\0\0", ledger::CONSOLE, "Xbox"),
    ] {
        check(bytes, code, words);
    }
    let mut tar = vec![b'a'; 512];
    tar[100..257].fill(0);
    tar[257..262].copy_from_slice(b"ustar");
    check(&tar, ledger::ARCHIVE, "tar");
}

#[test]
fn texts_are_named_by_what_is_in_them() {
    for (text, code, words) in [
        ("float4 main() : SV_Target { return 1; }", ledger::HLSL_SOURCE, "HLSL"),
        ("\u{feff}cbuffer A { float4 b; };", ledger::HLSL_SOURCE, "HLSL"),
        ("float4 VS() : SV_Position;\ntechnique10 T { pass P {} }", ledger::HLSL_SOURCE, "effect"),
        ("float4 P() : COLOR { return 0; }\ntechnique T { pass P { } }", ledger::HLSL_SOURCE, "effect"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n", ledger::LFS_POINTER, "LFS"),
        ("\n<!DOCTYPE html>\n<html>float4</html>", ledger::WEB_PAGE, "web page"),
        ("#version 450\nvoid main() { gl_Position = vec4(0); }", ledger::OTHER_SHADER, "GLSL"),
        ("@fragment fn fs() -> @location(0) vec4f { return vec4f(); }", ledger::OTHER_SHADER, "WGSL"),
        ("#include <metal_stdlib>\nfloat4 f();", ledger::OTHER_SHADER, "Metal"),
        ("; SPIR-V\n; Version: 1.0\n", ledger::OTHER_SHADER, "SPIR-V assembly"),
        ("RFhCQwAAAAAAAAAA", ledger::BYTES_AS_TEXT, "Base64"),
        (
            "#if 0\n//\nvs_4_0\n#endif\n\nconst BYTE g_main[] =\n{\n     68,  88,  66,  67, 148,\n",
            ledger::BYTES_AS_TEXT,
            "C array",
        ),
        ("unsigned char g[4] = {\n 0x44, 0x58, 0x42, 0x43 };", ledger::BYTES_AS_TEXT, "C array"),
        (
            "//\n// Generated by Microsoft (R) HLSL Shader Compiler\n//\nps_5_0\ndcl_output o0.xyzw\n",
            ledger::LISTING,
            "assembly",
        ),
        ("vs_3_0\ndcl_position v0\n", ledger::SHADER_MODEL_9, "assembly"),
        ("{\"schema\": 1}", ledger::NOT_A_CONTAINER, "JSON"),
        ("404: Not Found\n", ledger::NOT_A_CONTAINER, "text"),
        (" \n", ledger::NOT_A_CONTAINER, "blanks"),
    ] {
        check(text.as_bytes(), code, words);
    }
    check(b"\xff\xfe#\0i\0", ledger::NOT_A_CONTAINER, "UTF-16");
    // A character that the part looked at cuts in two.
    let long = format!("{}é float4 SV_Position", " ".repeat((64 << 10) - 1));
    check(long.as_bytes(), ledger::NOT_A_CONTAINER, "blanks");
}

#[test]
fn bytes_of_no_known_format_stay_unknown() {
    check(b"\x01\x02\x03\x04\xf0\xf1", ledger::NOT_A_CONTAINER, "no container inside");
    check(b"DXB\x01\x02\xff", ledger::NOT_A_CONTAINER, "no container inside");
}
