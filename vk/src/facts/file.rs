//! Device facts as JSON: presets and files have the same form.

use rx_vendor_fixes::{DriverId, Version};
use serde::{Deserialize, Serialize};

use super::{ChipFacts, DeviceFacts, Limits, MetalFacts, ShaderFacts, Source};
use crate::Error;

/// The file. `schema` is 1.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    source: Source,
    #[serde(default)]
    driver: Driver,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    push_descriptors: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    update_after_bind: Option<bool>,
    #[serde(default)]
    limits: Limits,
    #[serde(default, skip_serializing_if = "is_default")]
    device: ChipFacts,
    #[serde(default, skip_serializing_if = "is_default")]
    shaders: ShaderFacts,
    #[serde(default, skip_serializing_if = "is_default")]
    metal: MetalFacts,
}

fn is_default<T: Default + PartialEq>(facts: &T) -> bool {
    *facts == T::default()
}

/// Driver: a number, and for people its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Driver {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

/// A version that a person wrote.
pub(crate) fn version(text: Option<&str>) -> Result<Option<Version>, Error> {
    let parse = |text: &str| Version::parse(text).ok_or_else(|| Error::Version { text: text.to_owned() });
    text.map(parse).transpose()
}

impl DeviceFacts {
    /// Reads the JSON of device facts. `place` names the file or preset in errors and where the facts have no name.
    ///
    /// # Errors
    /// [`Error::FactsJson`] with line and column, [`Error::Schema`], [`Error::Version`].
    pub fn from_json(place: &str, text: &str) -> Result<DeviceFacts, Error> {
        let malformed = |why: String| Error::FactsJson { place: place.to_owned(), why };
        let file: File = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
        if file.schema != 1 {
            return Err(Error::Schema { place: place.to_owned(), schema: file.schema });
        }
        let named = file.driver.name.as_deref().map(|name| {
            DriverId::from_name(name).ok_or_else(|| malformed(format!("driver name {name:?} is not one of Vulkan's")))
        });
        let named = named.transpose()?;
        let id = file.driver.id.map(DriverId);
        if let (Some(id), Some(named)) = (id, named)
            && id != named
        {
            return Err(malformed(format!("driver id {} is {id}, not {named}", id.0)));
        }
        Ok(DeviceFacts {
            name: if file.name.is_empty() { place.to_owned() } else { file.name },
            source: file.source,
            driver_id: id.or(named),
            driver_version: version(file.driver.version.as_deref())?,
            push_descriptors: file.push_descriptors,
            update_after_bind: file.update_after_bind,
            chip: file.device,
            shaders: file.shaders,
            limits: file.limits,
            metal: file.metal,
        })
    }

    /// The facts as JSON that [`DeviceFacts::from_json`] reads back.
    pub fn to_json(&self) -> serde_json::Value {
        let file = File {
            schema: 1,
            name: self.name.clone(),
            source: self.source.clone(),
            driver: Driver {
                id: self.driver_id.map(|id| id.0),
                name: self.driver_id.and_then(DriverId::name).map(str::to_owned),
                version: self.driver_version.map(|version| version.to_string()),
            },
            push_descriptors: self.push_descriptors,
            update_after_bind: self.update_after_bind,
            device: self.chip.clone(),
            shaders: self.shaders.clone(),
            limits: self.limits.clone(),
            metal: self.metal.clone(),
        };
        // Plain structs of numbers and strings: there is no value of them that JSON cannot hold.
        serde_json::to_value(file).unwrap_or_default()
    }
}
