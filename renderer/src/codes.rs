//! The library's own codes: what neither the translator nor `rx-vk` says. `RX055x`.
//!
//! Numbers never change meaning and are never used again.

use rx_translate::Code;
use rx_vk::codes::Row;

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal, $what:literal, $example:literal, $remedy:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// All rows, by code.
        pub const CODES: &[Row] = &[
            $(Row { code: $name, title: $title, what: $what, example: $example, remedy: $remedy },)*
        ];
    };
}

codes! {
    KEPT = 550, "Pipeline cache is not kept",
        "The file of the driver's pipeline cache cannot be written. What was kept before stays, and nothing else is lost.",
        "a full disk, or a cache folder that cannot be written",
        "Name another folder, or make room. Without it pipelines are compiled anew in every run.";
    CAPTURE = 551, "No picture of this texture",
        "Only textures of four components of eight bits are made PNG files of.",
        "`capture_png` of an R16G16B16A16_FLOAT texture",
        "Draw it to an R8G8B8A8_UNORM texture first.";
}

/// The row of a code.
pub fn find(code: Code) -> Option<&'static Row> {
    CODES.binary_search_by_key(&code, |row| row.code).ok().map(|i| &CODES[i])
}
