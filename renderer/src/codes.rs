//! The library's own codes: what neither the translator nor `rx-vk` says. `RX055x`, and `RX056x` of the C ABI.
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

    ABI_VERSION = 560, "Header and library of two versions",
        "The program was compiled with an `rx.h` of another version than the library that it runs with.",
        "`rx_renderer_create_headless(2, ...)` of a library of version 1",
        "Compile with the header that came with the library; pass RX_API_VERSION itself.";
    ABI_NULL = 561, "A pointer is NULL",
        "A function of the C ABI got NULL where it needs a handle, a structure, a string or memory.",
        "`rx_frame_bind_texture(frame, \"albedo\", NULL)`",
        "The message names the argument or field. What may be NULL the header says.";
    ABI_VALUE = 562, "A value that there is not",
        "A number that is none of its constants, a size or count that is not right, or a string that is not UTF-8.",
        "a topology of 77",
        "The message names the argument or field and its value; the header lists the constants.";
    ABI_BUSY = 563, "In use",
        "Another call, or an open frame, has what this call needs.",
        "`rx_renderer_read_texture` while a frame is open",
        "Submit the frame first, or let one thread at a time call.";
}

/// The row of a code.
pub fn find(code: Code) -> Option<&'static Row> {
    CODES.binary_search_by_key(&code, |row| row.code).ok().map(|i| &CODES[i])
}
