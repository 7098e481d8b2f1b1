//! The documentation pages say what the tables say.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

/// Compares a page with the file; `RX_BLESS=1` writes the file instead.
fn check(file: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(file);
    if std::env::var_os("RX_BLESS").is_some_and(|v| v == "1") {
        std::fs::write(&path, page).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == page, "docs/{file} differs from its table; rewrite it with RX_BLESS=1 and look at the difference");
}

#[test]
fn switches_page_is_up_to_date() {
    check("switches.md", &rx_vendor_fixes::pages::switches());
}

#[test]
fn fixes_page_is_up_to_date() {
    check("fixes.md", &rx_vendor_fixes::pages::fixes());
}
