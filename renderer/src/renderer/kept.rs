//! The file that the driver's pipeline cache is kept in.
//!
//! Owns one file a device. It is written whole beside and then renamed: a process that is killed leaves the old one. What
//! stands in it is checked by `rx-vk` before a driver sees it.

use std::io::Write;
use std::path::{Path, PathBuf};

use rx_vk::Adapter;

use crate::Error;

pub(super) struct File(PathBuf);

impl File {
    /// The file of a device.
    pub(super) fn of(folder: &Path, adapter: &Adapter) -> File {
        let chip = &adapter.facts.chip;
        let (vendor, device) = (chip.vendor_id.unwrap_or(0), chip.device_id.unwrap_or(0));
        File(folder.join(format!("pipelines-{vendor:04x}-{device:04x}.bin")))
    }

    /// What was kept; nothing where there is no file or it cannot be read.
    pub(super) fn read(&self) -> Vec<u8> {
        match std::fs::read(&self.0) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                log::warn!(target: "rx::pipeline", "{}: {error}", self.0.display());
                Vec::new()
            }
        }
    }

    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error: std::io::Error| Error::Kept { path: self.0.clone(), why: error.to_string() };
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        // Another process of the game may write at the same time.
        let beside = self.0.with_extension(format!("{}.new", std::process::id()));
        let written = std::fs::File::create(&beside).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        let renamed = written.and_then(|()| std::fs::rename(&beside, &self.0));
        renamed.map_err(|error| {
            let _ = std::fs::remove_file(&beside);
            failed(error)
        })
    }
}
