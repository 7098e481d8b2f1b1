//! Every code that rx-vk gives out. One table; `rx explain` answers from it.
//!
//! Numbers never change meaning and are never used again. `RX050x` files of facts and programs, `RX051x` plans that are
//! errors, `RX052x` and `RX053x` what calls Vulkan.

use rx_translate::Code;

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Code.
    pub code: Code,
    /// A few words.
    pub title: &'static str,
    /// What is the matter.
    pub what: &'static str,
    /// An example of an input that gets it.
    pub example: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

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
    FACTS_FILE = 501, "Device facts cannot be read",
        "The file of device facts does not exist or cannot be read.",
        "`RX_VK_FACTS=missing.json`",
        "Check the path; `rx facts list` names the presets, which need no file.";
    FACTS_JSON = 502, "Device facts are not understood",
        "The file is not JSON, or has a field, a type or a value that device facts do not have.",
        "`{\"schema\": 1, \"limts\": {}}`",
        "Compare with what `rx facts show NAME` prints; the message says the line and the field.";
    NO_PRESET = 503, "No such preset",
        "The name is neither a preset's nor that of a file.",
        "`--facts moltenvk-1.4.2-aple7`",
        "Take the nearest name, which the message gives; `rx facts list` prints all.";
    PROGRAM_JSON = 504, "Program is not understood",
        "The program's JSON is not JSON, or has a type or a value that a program does not have.",
        "a binding of type `sampler_image`",
        "The message says the line, the field and what is accepted.";
    BINDING_TYPES = 505, "One binding, two descriptor types",
        "Two stages, or two variables of one stage, declare the same binding with different descriptor types. A set \
         layout has one type a binding.",
        "binding 0 is a uniform_buffer in the vertex stage and a sampler in the fragment stage",
        "Give each its own binding: a program's second stage begins where its first ends.";
    STAGE_TWICE = 506, "A stage stands twice",
        "A program has two stages of one kind.",
        "two vertex stages",
        "Plan them as two programs.";
    VERSION = 507, "Driver version is not understood",
        "A version is up to four numbers with dots between them, or ARM's rNpM.",
        "`\"version\": \"latest\"`",
        "Write it as the driver does: 1.4.2, 580.159.04, 101.8826, r44p1.";
    SCHEMA = 508, "Schema not supported",
        "The JSON says a schema other than 1.",
        "`{\"schema\": 2}`",
        "Write the file for schema 1, or take a newer rx.";
    NO_UPDATE_AFTER_BIND = 509, "No update-after-bind layouts",
        "The fix set_for_tables is on, and the device has neither Vulkan 1.2 nor VK_EXT_descriptor_indexing, which its \
         layouts need.",
        "`RX_VK_SET_FOR_TABLES=1` on a Vulkan 1.1 device",
        "Leave RX_VK_SET_FOR_TABLES unset or set it to 0 on this device.";
    NO_VULKAN = 510, "Vulkan gives no device",
        "The Vulkan loader is not installed, or it finds no driver, or the driver does not start.",
        "`rx facts dump` on a machine without a driver",
        "Install a Vulkan driver (Mesa's llvmpipe needs no GPU), or name a preset: `--facts moltenvk-1.4.2-apple7`.";

    UNSUPPORTED_STAGE = 511, "Stage that Metal lacks",
        "Metal has no geometry stage and no isolines, MoltenVK no transform feedback, and a GPU without atomics on \
         textures none on an array of them.",
        "a program with a geometry stage on MoltenVK",
        "Do the stage's work in the vertex or a compute stage, atomics in a buffer, or run on a driver that has the stage.";
    DEVICE_LIMIT = 512, "Past a limit of the device",
        "The program's set is past a descriptor limit of the device, also as an update-after-bind set.",
        "300 uniform buffers in one stage where maxPerStageDescriptorUpdateAfterBindUniformBuffers is 200",
        "Use fewer descriptors of the kind that the message names, or an array of images, or split the program.";
    NO_RELIEF = 513, "Past Metal's tables, and a set gives no relief",
        "The program is past one of Metal's tables, and on this device an ordinary set is bound through the same tables: \
         argument buffers are off, or of tier 1.",
        "17 samplers in a fragment stage with MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS=0",
        "Set MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS=1 where the device has tier 2; else use fewer descriptors.";
    NO_FREE_SLOT = 514, "No free buffer slot",
        "Vertex buffers, implicit buffers and the eight slots of argument buffers leave none of Metal's 31 buffer slots \
         for the program, even as a set.",
        "17 vertex bindings, DrawIndex and push constants on MoltenVK 1.4.2",
        "Lower the highest vertex binding number: holes count.";

    VULKAN_CALL = 520, "Vulkan call failed",
        "A Vulkan function returned an error that is none of the more particular ones.",
        "vkCreateSampler of a driver that has reached its count of samplers",
        "The message names the function, the object and the result. With RX_VK_VALIDATE=1 the validation layers say more.";
    OUT_OF_MEMORY = 521, "Out of memory",
        "The driver, or the memory it gives out, is exhausted. Nothing of the failed object is left behind.",
        "a texture of 16384 x 16384 on a device of 1 GiB",
        "Drop what is not needed (its memory returns when the GPU is done with it), or make the object smaller; then try again.";
    DEVICE_LOST = 522, "Device lost",
        "The GPU or its driver stopped. Every object of the device is lost with it.",
        "a shader that does not end within the system's time limit",
        "The message lists the passes that had begun and not ended. Make a new device. A shader that runs too long is the most frequent cause.";
    SURFACE_LOST = 523, "Surface lost",
        "The window or its display is gone.",
        "a window closed while a frame is drawn",
        "Make a new renderer for the new window, or go on headless.";
    MISSING_FEATURES = 524, "Device lacks what rx needs",
        "The device has no Vulkan 1.2, no queue for graphics and compute, or lacks a feature that the host cannot do without.",
        "a device of Vulkan 1.1",
        "Update the driver, or choose another device with RX_VK_DEVICE; `rx doctor` lists what each one has.";
    NO_SUCH_DEVICE = 525, "No such device",
        "RX_VK_DEVICE is neither the number of a device nor part of a device's name.",
        "`RX_VK_DEVICE=radeom`",
        "The message lists the devices that there are.";
    NO_SURFACE = 526, "No way to show a window",
        "The Vulkan instance or the device cannot present to this kind of window.",
        "a Wayland window where the loader has no VK_KHR_wayland_surface",
        "Take another backend of the window library (X11), another device, or run headless.";
    BINDING = 527, "Resource does not fit its binding",
        "A name or register that the program does not declare, or a resource of another kind than its declaration.",
        "a sampler given for a texture",
        "The message says what the program declares, or the nearest name.";
    HAZARD = 528, "Resource used in two ways at once",
        "One draw or dispatch, or one render pass, uses the same part of a texture in two ways that exclude one another.",
        "a texture sampled in the pass that renders to it",
        "Use another mip or a copy, or end the pass in between.";
    PIPELINE = 529, "Pipeline cannot be made",
        "The state contradicts the program or the device: a missing vertex element, a stage that the device lacks, or what the driver refuses.",
        "a vertex shader that reads TEXCOORD0 where the state has no such element",
        "The message says which.";
    ARGUMENT = 530, "Call is not valid",
        "A range past a buffer's end, a size of zero, a draw without a pipeline, or another contradiction in one call.",
        "copying 64 bytes from a buffer of 16",
        "The message names the object and both figures.";
}

/// The row of a code.
pub fn find(code: Code) -> Option<&'static Row> {
    CODES.binary_search_by_key(&code, |row| row.code).ok().map(|i| &CODES[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_every_row_is_filled() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
        for row in CODES {
            assert!((501..600).contains(&row.code.0), "{}", row.code);
            assert!([row.title, row.what, row.example, row.remedy].iter().all(|text| !text.is_empty()), "{}", row.code);
            assert_eq!(find(row.code).map(|found| found.title), Some(row.title));
        }
        assert!(find(Code(500)).is_none());
    }
}
