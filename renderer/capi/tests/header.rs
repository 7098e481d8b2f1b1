//! The committed header is what cbindgen writes from this crate; `RX_BLESS=1` writes it anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::path::Path;

#[test]
fn the_header_is_what_the_crate_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml is understood");
    // By files, not by cargo: a header needs no other crate's source.
    let bindings = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs")).generate();
    let mut text = Vec::new();
    bindings.expect("the crate is understood").write(&mut text);
    let text = String::from_utf8(text).unwrap();
    let file = folder.join("include/rx.h");
    if std::env::var_os("RX_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&file, &text).unwrap();
        println!("include/rx.h is written anew");
        return;
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = committed.lines().zip(text.lines()).position(|(is, should_be)| is != should_be);
    let line = differs.unwrap_or(committed.lines().count().min(text.lines().count()));
    let show = |text: &str| text.lines().nth(line).unwrap_or("(no line)").to_owned();
    assert!(
        committed == text,
        "include/rx.h is not what the crate says; RX_BLESS=1 writes it anew. Line {}:\n  is        {}\n  should be {}",
        line + 1,
        show(&committed),
        show(&text)
    );
}
