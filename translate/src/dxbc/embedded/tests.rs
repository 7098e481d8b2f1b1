//! Containers inside other bytes.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::dxbc::asm;
use crate::dxbc::container::{FourCc, write};
use crate::ledger;

fn compute() -> Vec<u8> {
    asm::assemble("cs_5_0\ndcl_thread_group 1, 1, 1\nret\n").unwrap()
}

#[test]
fn a_shader_is_its_own_only_one() {
    let shader = compute();
    let (found, shaders) = shaders(&shader).unwrap();
    assert_eq!(found, Found::Itself);
    assert_eq!((shaders.len(), shaders[0].bytes), (1, &shader[..]));
    assert_eq!(shaders[0].profile().as_deref(), Some("cs_5_0"));
}

#[test]
fn containers_inside_any_bytes_are_found_in_order() {
    let shader = compute();
    let dxil = write(&[(FourCc(*b"DXIL"), &[0x60, 0, 0, 0])]).unwrap();
    // A stray magic, one shader at an odd offset, an effect's container around another, a truncated one last.
    let around = write(&[(FourCc(*b"FX10"), &shader)]).unwrap();
    let cut = &shader[..shader.len() - 1];
    let bytes = [&b"\x01pack DXBC"[..], &shader, &around, &dxil, cut].concat();
    let (found, shaders) = shaders(&bytes).unwrap();
    assert_eq!(found, Found::Scan);
    let want = [10, 10 + shader.len() + 44, 10 + shader.len() + around.len()];
    assert_eq!(shaders.iter().map(|own| own.offset as usize).collect::<Vec<_>>(), want);
    assert_eq!(shaders[1].bytes, shader);
    assert_eq!(shaders[0].name(), "at_0xa");
    assert_eq!(shaders[2].profile(), None);
    // Translating such a file is refused with the way out.
    let error = Container::parse(&bytes).unwrap_err();
    assert_eq!(error.code, ledger::NOT_A_CONTAINER);
    assert!(error.what.contains("3 containers inside, the first at offset 0xa"), "{error}");
    assert!(error.remedy().contains("--all"));
}

#[test]
fn an_input_without_shaders_gets_the_error_of_translating_it() {
    assert_eq!(shaders(b"PK\x03\x04....").unwrap_err().code, ledger::ARCHIVE);
    assert_eq!(shaders(b"").unwrap_err().code, ledger::EMPTY_INPUT);
    let library = write(&[(FourCc(*b"LIBF"), &[1, 2, 3]), (FourCc(*b"LIBH"), &[])]).unwrap();
    assert_eq!(shaders(&library).unwrap_err().code, ledger::LIBRARY);
}

/// Magics alone, and containers in containers, take time in proportion to their bytes.
#[test]
fn hostile_bytes_are_scanned_in_linear_time() {
    let magics = b"DXBC".repeat(1 << 18);
    assert_eq!(scan(&magics).count(), 0);
    // Each header claims the rest of the file and as many chunks as fit.
    let mut nested = Vec::new();
    let (header, total) = (40, 40usize << 14);
    while nested.len() < total {
        let left = (total - nested.len()) as u32;
        nested.extend(b"DXBC");
        nested.extend([0; 16]);
        nested.extend([1, left, left / 4 - 8, 0, 0].into_iter().flat_map(u32::to_le_bytes));
    }
    assert_eq!((nested.len() % header, scan(&nested).count()), (0, 0));
}
