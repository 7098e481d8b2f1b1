//! The crate's one error type: every variant a stable code, where it happened, and what to do.

use ash::vk;
use rx_translate::Code;
use rx_translate::interface::{DescriptorType, Stage};

use crate::codes;
use crate::layout::print::type_name;

/// Whose doing an error is. Decides the exit code of the `rx` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input is not what it says it is.
    Malformed,
    /// The input is valid; the device cannot take it.
    Refused,
    /// A name or path given by the user leads nowhere.
    Usage,
    /// A file cannot be read.
    Io,
    /// A Vulkan device is needed, and there is none.
    NoDevice,
    /// The device or its driver failed in what it was asked.
    Device,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A file of device facts cannot be read.
    #[error("{}: {path}: cannot be read: {why}", codes::FACTS_FILE)]
    FactsFile {
        /// Path as given.
        path: String,
        /// The system's words.
        why: String,
    },
    /// Device facts are not understood.
    #[error("{}: {place}: {why}", codes::FACTS_JSON)]
    FactsJson {
        /// File or preset.
        place: String,
        /// What, with line and column.
        why: String,
    },
    /// Neither a preset nor a file.
    #[error("{}: {name}: neither a preset nor a file; the nearest preset is {nearest}", codes::NO_PRESET)]
    NoPreset {
        /// Name as given.
        name: String,
        /// The preset with the nearest name.
        nearest: &'static str,
    },
    /// A program's JSON is not understood.
    #[error("{}: program JSON: {why}", codes::PROGRAM_JSON)]
    ProgramJson {
        /// What, with line and column.
        why: String,
    },
    /// One binding with two descriptor types.
    #[error(
        "{}: {} stage, binding {binding}: {} here and {} elsewhere; a binding has one descriptor type",
        codes::BINDING_TYPES, stage.name(), type_name(*here), type_name(*there)
    )]
    BindingTypes {
        /// Stage of the later declaration.
        stage: Stage,
        /// Binding.
        binding: u32,
        /// Its type there.
        here: DescriptorType,
        /// The type that was declared before.
        there: DescriptorType,
    },
    /// A program with two stages of one kind.
    #[error("{}: the program has two {} stages", codes::STAGE_TWICE, stage.name())]
    StageTwice {
        /// Stage.
        stage: Stage,
    },
    /// A version that is not one.
    #[error("{}: driver version {text:?} is not understood; write it like 1.4.2", codes::VERSION)]
    Version {
        /// Text as given.
        text: String,
    },
    /// A schema that this rx does not know.
    #[error("{}: {place}: schema {schema} is not supported; rx reads schema 1", codes::SCHEMA)]
    Schema {
        /// File or kind of file.
        place: String,
        /// Number as given.
        schema: u32,
    },
    /// No live device.
    #[error("{}: no Vulkan device: {why}", codes::NO_VULKAN)]
    NoVulkan {
        /// What is missing, or the call that failed and its result.
        why: String,
    },
    /// A device without update-after-bind layouts under a fix that needs them.
    #[error(
        "{}: {device}: set_for_tables needs Vulkan 1.2 or VK_EXT_descriptor_indexing; unset RX_VK_SET_FOR_TABLES",
        codes::NO_UPDATE_AFTER_BIND
    )]
    NoUpdateAfterBind {
        /// Device.
        device: String,
    },
    /// A plan that is an error.
    #[error("{code}: {program}: {explanation}")]
    Plan {
        /// The reason's code.
        code: Code,
        /// Program.
        program: String,
        /// The arithmetic.
        explanation: String,
    },
    /// A Vulkan call that failed.
    #[error("{}: {call}: {object}: {result:?}", codes::VULKAN_CALL)]
    Vulkan {
        /// The function.
        call: &'static str,
        /// What it was called for.
        object: String,
        /// Its result.
        result: vk::Result,
    },
    /// No memory, of the host or the device.
    #[error("{}: {call}: {object}: {why}", codes::OUT_OF_MEMORY)]
    OutOfMemory {
        /// The function.
        call: &'static str,
        /// What it was called for.
        object: String,
        /// Which memory.
        why: String,
    },
    /// The device is lost.
    #[error("{}: {call}: the device is lost; {report}", codes::DEVICE_LOST)]
    DeviceLost {
        /// The function that said so.
        call: &'static str,
        /// What was running, and what the driver says of the fault.
        report: String,
    },
    /// The surface is lost.
    #[error("{}: {call}: the window's surface is lost", codes::SURFACE_LOST)]
    SurfaceLost {
        /// The function that said so.
        call: &'static str,
    },
    /// A device without what the host needs.
    #[error("{}: {device}: lacks {}", codes::MISSING_FEATURES, missing.join(", "))]
    MissingFeatures {
        /// Device.
        device: String,
        /// Each by name.
        missing: Vec<String>,
    },
    /// No device of that name.
    #[error("{}: no device {name:?}; there are: {}", codes::NO_SUCH_DEVICE, present.join("; "))]
    NoSuchDevice {
        /// Name or number as given.
        name: String,
        /// The devices, each with its number.
        present: Vec<String>,
    },
    /// A window that cannot be shown.
    #[error("{}: {why}", codes::NO_SURFACE)]
    NoSurface {
        /// What is missing.
        why: String,
    },
    /// A resource that does not fit.
    #[error("{}: {program}: {name}: {why}", codes::BINDING)]
    Binding {
        /// Program.
        program: String,
        /// Name or register.
        name: String,
        /// What does not fit.
        why: String,
    },
    /// Two uses that exclude one another.
    #[error("{}: {object}: {why}", codes::HAZARD)]
    Hazard {
        /// Texture or buffer.
        object: String,
        /// Which two.
        why: String,
    },
    /// A pipeline that is not made.
    #[error("{}: {pipeline}: {why}", codes::PIPELINE)]
    Pipeline {
        /// Pipeline.
        pipeline: String,
        /// Why.
        why: String,
    },
    /// A call that contradicts itself.
    #[error("{}: {object}: {why}", codes::ARGUMENT)]
    Argument {
        /// Object or call.
        object: String,
        /// What.
        why: String,
    },
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Error::FactsFile { .. } => codes::FACTS_FILE,
            Error::FactsJson { .. } => codes::FACTS_JSON,
            Error::NoPreset { .. } => codes::NO_PRESET,
            Error::ProgramJson { .. } => codes::PROGRAM_JSON,
            Error::BindingTypes { .. } => codes::BINDING_TYPES,
            Error::StageTwice { .. } => codes::STAGE_TWICE,
            Error::Version { .. } => codes::VERSION,
            Error::Schema { .. } => codes::SCHEMA,
            Error::NoVulkan { .. } => codes::NO_VULKAN,
            Error::NoUpdateAfterBind { .. } => codes::NO_UPDATE_AFTER_BIND,
            Error::Plan { code, .. } => *code,
            Error::Vulkan { .. } => codes::VULKAN_CALL,
            Error::OutOfMemory { .. } => codes::OUT_OF_MEMORY,
            Error::DeviceLost { .. } => codes::DEVICE_LOST,
            Error::SurfaceLost { .. } => codes::SURFACE_LOST,
            Error::MissingFeatures { .. } => codes::MISSING_FEATURES,
            Error::NoSuchDevice { .. } => codes::NO_SUCH_DEVICE,
            Error::NoSurface { .. } => codes::NO_SURFACE,
            Error::Binding { .. } => codes::BINDING,
            Error::Hazard { .. } => codes::HAZARD,
            Error::Pipeline { .. } => codes::PIPELINE,
            Error::Argument { .. } => codes::ARGUMENT,
        }
    }

    /// Whose doing it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::FactsFile { .. } => ErrorKind::Io,
            Error::NoPreset { .. } | Error::NoSuchDevice { .. } => ErrorKind::Usage,
            Error::NoVulkan { .. } | Error::MissingFeatures { .. } => ErrorKind::NoDevice,
            Error::Vulkan { .. }
            | Error::OutOfMemory { .. }
            | Error::DeviceLost { .. }
            | Error::SurfaceLost { .. }
            | Error::NoSurface { .. } => ErrorKind::Device,
            Error::Binding { .. } | Error::Hazard { .. } | Error::Pipeline { .. } | Error::Argument { .. } => {
                ErrorKind::Usage
            }
            Error::NoUpdateAfterBind { .. } | Error::Plan { .. } => ErrorKind::Refused,
            _ => ErrorKind::Malformed,
        }
    }
}

/// The error of a Vulkan call: what a `map_err` takes.
pub(crate) fn vulkan<'a>(call: &'static str, object: &'a str) -> impl Fn(vk::Result) -> Error + 'a {
    move |result| {
        let object = object.to_owned();
        let memory = |why: &str| Error::OutOfMemory { call, object: object.clone(), why: why.to_owned() };
        match result {
            vk::Result::ERROR_OUT_OF_HOST_MEMORY => memory("out of host memory"),
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => memory("out of device memory"),
            vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost { call, report: "nothing was recorded".to_owned() },
            vk::Result::ERROR_SURFACE_LOST_KHR => Error::SurfaceLost { call },
            result => Error::Vulkan { call, object, result },
        }
    }
}
