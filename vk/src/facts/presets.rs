//! The presets: one JSON file each, in the program.
//!
//! A preset states where its numbers come from. To add one, write `presets/NAME.json` and a line here, in order.

macro_rules! presets {
    ($($name:literal)*) => {
        /// Every preset's name and JSON, in order of name.
        pub const PRESETS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/presets/", $name, ".json"))),)*];
    };
}

presets! {
    "amd"
    "anv"
    "arm"
    "honeykrisp"
    "intel-windows"
    "kosmickrisp"
    "llvmpipe"
    "moltenvk-1.2.7-apple7"
    "moltenvk-1.4.0-a11"
    "moltenvk-1.4.0-amd"
    "moltenvk-1.4.0-amd-metal3"
    "moltenvk-1.4.0-apple7"
    "moltenvk-1.4.0-intel-tier1"
    "moltenvk-1.4.1-a11"
    "moltenvk-1.4.1-amd"
    "moltenvk-1.4.1-amd-metal3"
    "moltenvk-1.4.1-apple7"
    "moltenvk-1.4.1-intel-tier1"
    "moltenvk-1.4.2-a11"
    "moltenvk-1.4.2-amd"
    "moltenvk-1.4.2-amd-metal3"
    "moltenvk-1.4.2-apple7"
    "moltenvk-1.4.2-intel-tier1"
    "moltenvk-1.4.2-mac1"
    "nvidia"
    "nvk"
    "panvk"
    "qualcomm"
    "radv"
    "swiftshader"
    "turnip"
}
