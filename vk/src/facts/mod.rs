//! What is known of a device: driver, versions, limits, and Metal's facts where the driver is MoltenVK.
//!
//! Owns plain data and its three sources: a preset, a JSON file, a live device. What
//! is not known is `None`, and what is not known is not checked. It asks Vulkan only in
//! [`DeviceFacts::from_device`], and reads a file only in [`DeviceFacts::open`].

mod file;
mod limits;
mod live;
mod metal;
mod presets;

use rx_translate::{Features, FloatControls, Target};
use rx_vendor_fixes::{DriverId, FixId, Identity, ResolvedFixes, Version};

pub(crate) use file::version as parse_version;
pub use limits::Limits;
pub use metal::{GpuFamily, MetalFacts, MetalModel};
pub use presets::PRESETS;

use crate::Error;

/// What is known of one device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceFacts {
    /// Name: the preset's, or the device's own.
    pub name: String,
    /// Where a preset's or file's numbers come from.
    pub source: Source,
    /// Driver.
    pub driver_id: Option<DriverId>,
    /// Its version, decoded by its own scheme.
    pub driver_version: Option<Version>,
    /// Whether it has push descriptors (VK_KHR_push_descriptor or Vulkan 1.4's `pushDescriptor`).
    pub push_descriptors: Option<bool>,
    /// Whether it takes update-after-bind layouts and pools (Vulkan 1.2 or VK_EXT_descriptor_indexing; no feature bit).
    pub update_after_bind: Option<bool>,
    /// The chip, where something is known of it.
    pub chip: ChipFacts,
    /// What the translator may write for it.
    pub shaders: ShaderFacts,
    /// Limits.
    pub limits: Limits,
    /// What Vulkan does not say and only MoltenVK's device has.
    pub metal: MetalFacts,
}

/// What tells one chip of a driver from another.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChipFacts {
    /// `VkPhysicalDeviceProperties::deviceName`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `VkPhysicalDeviceProperties::vendorID`: 0x106b is Apple's, 0x10de NVIDIA's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor_id: Option<u32>,
    /// `VkPhysicalDeviceProperties::deviceID`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<u32>,
    /// Whether the GPU shares the processor's memory (`VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrated: Option<bool>,
}

/// What a device says of shaders. What is not known is what the translator takes by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShaderFacts {
    /// The highest Vulkan version that both the device and rx have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Features that the SPIR-V may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Features>,
    /// What of floats the device can be told, as far as a choice of one width leaves the others free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub float_controls: Option<FloatControls>,
    /// `robustBufferAccess2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robust_buffers: Option<bool>,
    /// `robustImageAccess2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robust_images: Option<bool>,
}

/// Where numbers come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// Device, driver version and system of the report, or the source text that was read.
    pub report: String,
    /// Where it is published.
    pub url: String,
    /// When it was published or read: a year and month.
    pub date: String,
}

impl DeviceFacts {
    /// A device of which nothing is known.
    pub fn unknown() -> DeviceFacts {
        DeviceFacts { name: "unknown".to_owned(), ..DeviceFacts::default() }
    }

    /// The preset of a name.
    ///
    /// # Errors
    /// [`Error::NoPreset`] with the nearest name.
    pub fn preset(name: &str) -> Result<DeviceFacts, Error> {
        match PRESETS.iter().find(|(preset, _)| *preset == name) {
            Some((_, text)) => DeviceFacts::from_json(name, text),
            None => {
                let names = PRESETS.iter().map(|(preset, _)| *preset);
                let nearest = rx_vendor_fixes::nearest(name, names).unwrap_or_default();
                Err(Error::NoPreset { name: name.to_owned(), nearest })
            }
        }
    }

    /// A preset, or else a JSON file: what `RX_VK_FACTS` and `--facts` name.
    ///
    /// A name that ends in `.json`, or has a path's separator, or is a file, is read as a file.
    ///
    /// # Errors
    /// That of the preset or of the file.
    pub fn open(name: &str) -> Result<DeviceFacts, Error> {
        if PRESETS.iter().any(|(preset, _)| *preset == name) {
            return DeviceFacts::preset(name);
        }
        let path = std::path::Path::new(name);
        if !name.ends_with(".json") && !name.contains(['/', '\\']) && !path.is_file() {
            return DeviceFacts::preset(name);
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::FactsFile { path: name.to_owned(), why: error.to_string() })?;
        DeviceFacts::from_json(name, &text)
    }

    /// The names of all presets, in order.
    pub fn preset_names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// What the table of fixes asks of a device.
    pub fn identity(&self) -> Identity<'_> {
        Identity {
            driver: self.driver_id,
            version: self.driver_version,
            name: self.chip.name.as_deref(),
            integrated: self.chip.integrated,
        }
    }

    /// Whether the driver is known to be MoltenVK.
    pub fn is_moltenvk(&self) -> bool {
        self.driver_id == Some(DriverId::MOLTENVK)
    }

    /// Says another driver, or another version of it. With another driver the version and the chip before are forgotten.
    pub fn set_driver(&mut self, id: Option<DriverId>, version: Option<Version>) {
        if let Some(id) = id {
            if self.driver_id != Some(id) {
                self.driver_version = None;
                self.chip = ChipFacts::default();
            }
            self.driver_id = Some(id);
        }
        self.driver_version = version.or(self.driver_version);
    }

    /// Whether the device takes what these fixes need.
    ///
    /// # Errors
    /// [`Error::NoUpdateAfterBind`] where `set_for_tables` is on and the device is known to lack the layouts it needs.
    pub fn check_fixes(&self, fixes: &ResolvedFixes) -> Result<(), Error> {
        if fixes.on(FixId::SetForTables) && self.update_after_bind == Some(false) {
            return Err(Error::NoUpdateAfterBind { device: self.name.clone() });
        }
        Ok(())
    }

    /// These facts, with no limit above those of the real device: what a host under `RX_VK_FACTS` plans with.
    ///
    /// What the real device is known to lack stays lacking; the driver and Metal's facts are these facts' own.
    #[must_use]
    pub fn bounded_by(mut self, real: &DeviceFacts) -> DeviceFacts {
        self.limits = self.limits.bounded_by(&real.limits);
        if real.push_descriptors == Some(false) {
            self.push_descriptors = Some(false);
        }
        if real.update_after_bind == Some(false) {
            self.update_after_bind = Some(false);
        }
        // What a shader may use is the real device's to say: it is that device which compiles it.
        self.shaders = real.shaders.clone();
        self
    }
}
