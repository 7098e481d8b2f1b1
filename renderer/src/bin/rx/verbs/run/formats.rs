//! Names of the texel formats that the interpreter reads.

/// `DXGI_FORMAT` without its prefix, in small letters, and its number.
const FORMATS: &[(&str, u32)] = &[
    ("r32g32b32a32_float", 2),
    ("r32g32b32a32_uint", 3),
    ("r32g32b32a32_sint", 4),
    ("r32g32b32_float", 6),
    ("r32g32b32_uint", 7),
    ("r32g32b32_sint", 8),
    ("r16g16b16a16_float", 10),
    ("r16g16b16a16_unorm", 11),
    ("r16g16b16a16_uint", 12),
    ("r16g16b16a16_snorm", 13),
    ("r16g16b16a16_sint", 14),
    ("r32g32_float", 16),
    ("r32g32_uint", 17),
    ("r32g32_sint", 18),
    ("r10g10b10a2_unorm", 24),
    ("r10g10b10a2_uint", 25),
    ("r11g11b10_float", 26),
    ("r8g8b8a8_unorm", 28),
    ("r8g8b8a8_unorm_srgb", 29),
    ("r8g8b8a8_uint", 30),
    ("r8g8b8a8_snorm", 31),
    ("r8g8b8a8_sint", 32),
    ("r16g16_float", 34),
    ("r16g16_unorm", 35),
    ("r16g16_uint", 36),
    ("r16g16_snorm", 37),
    ("r16g16_sint", 38),
    ("r32_float", 41),
    ("r32_uint", 42),
    ("r32_sint", 43),
    ("r8g8_unorm", 49),
    ("r8g8_uint", 50),
    ("r8g8_snorm", 51),
    ("r8g8_sint", 52),
    ("r16_float", 54),
    ("r16_unorm", 56),
    ("r16_uint", 57),
    ("r16_snorm", 58),
    ("r16_sint", 59),
    ("r8_unorm", 61),
    ("r8_uint", 62),
    ("r8_snorm", 63),
    ("r8_sint", 64),
    ("a8_unorm", 65),
    ("r9g9b9e5_sharedexp", 67),
    ("b5g6r5_unorm", 85),
    ("b5g5r5a1_unorm", 86),
    ("b8g8r8a8_unorm", 87),
    ("b8g8r8a8_unorm_srgb", 91),
    ("b4g4r4a4_unorm", 115),
];

/// Returns the number of a format's name, with or without `DXGI_FORMAT_`, or of a number.
pub fn number(name: &str) -> Option<u32> {
    let name = name.to_ascii_lowercase();
    let short = name.strip_prefix("dxgi_format_").unwrap_or(&name);
    let known = FORMATS.iter().find(|(known, _)| *known == short).map(|(_, number)| *number);
    known.or_else(|| short.parse().ok())
}

/// Returns the name of a format, or `None` for one that has no row.
pub fn name(number: u32) -> Option<&'static str> {
    FORMATS.iter().find(|(_, known)| *known == number).map(|(name, _)| *name)
}
