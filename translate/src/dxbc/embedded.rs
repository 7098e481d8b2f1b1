//! The shaders inside an input: an effect's by its tables, else whatever containers its bytes hold.
//!
//! Owns the choice between tables and scan, and the scan. Must never look at a shader's code. Time and memory are
//! linear in the input.

use super::bytes::u32_at;
use super::container::Container;
use super::effect::{self, Effect, Origin};
use super::program::ProgramType;
use super::{foreign, names};
use crate::Error;

/// How shaders were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// The input is one shader.
    Itself,
    /// By the tables of an effect.
    Effect(Effect<'a>),
    /// By searching the bytes for containers. Nothing says what they are for, or that they are all of the file's.
    Scan,
}

/// A shader inside an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedShader<'a> {
    /// Where an effect's source has it; `None` for one that was found by a scan.
    pub origin: Option<Origin<'a>>,
    /// Byte offset of the container in the input.
    pub offset: u32,
    /// The container.
    pub bytes: &'a [u8],
}

impl EmbeddedShader<'_> {
    /// The name within the input: by the effect's tables (`technique.pass.vs`), else by the offset (`at_0x1c0`).
    pub fn name(&self) -> String {
        self.origin.map_or_else(|| format!("at_{:#x}", self.offset), |origin| origin.to_string())
    }

    /// The profile that the code names (`vs_5_0`); `None` where there is no code of shader models 4 and 5.
    pub fn profile(&self) -> Option<String> {
        let container = Container::parse(self.bytes).ok()?;
        let version = u32_at(container.find(&[b"SHEX", b"SHDR"])?.data, 0)?;
        let stage = names::stage(ProgramType::from_number(version >> 16)?);
        Some(format!("{stage}_{}_{}", version >> 4 & 15, version & 15))
    }
}

/// The shaders inside an input, and how they were found. Fails where there are none, with the error that translating
/// the input gives, and where an effect's tables are malformed.
pub fn shaders(bytes: &[u8]) -> Result<(Found<'_>, Vec<EmbeddedShader<'_>>), Error> {
    if effect::is_effect(bytes) {
        let effect = effect::read(bytes)?;
        let shaders = effect.shaders.iter().map(|own| {
            let (origin, offset, bytes) = (Some(own.origin), own.offset, own.bytes);
            EmbeddedShader { origin, offset, bytes }
        });
        let shaders = shaders.collect();
        return Ok((Found::Effect(effect), shaders));
    }
    let shaders: Vec<_> = scan(bytes).collect();
    match (&shaders[..], Container::parse(bytes)) {
        ([only], _) if only.offset == 0 => Ok((Found::Itself, shaders)),
        ([], Ok(container)) => Err(foreign::without_code(&container)),
        ([], Err(error)) => Err(error),
        _ => Ok((Found::Scan, shaders)),
    }
}

/// The containers with a shader's code in any bytes, in order: of models 4 and 5, of DXIL, and of 9_x feature levels.
/// Containers inside a container that has no code itself are found, those inside one with code are not.
pub fn scan(bytes: &[u8]) -> impl Iterator<Item = EmbeddedShader<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += bytes.get(at..)?.windows(4).position(|window| window == b"DXBC")?;
            let offset = at;
            let Some(container) = with_code(&bytes[offset..]) else {
                at += 4;
                continue;
            };
            at += container.len();
            return Some(EmbeddedShader { origin: None, offset: u32::try_from(offset).ok()?, bytes: container });
        }
    })
}

/// Chunks of a container that the scan looks at. No compiler writes as many, and nested hostile tables would cost
/// quadratic time otherwise.
const MOST_CHUNKS: usize = 64;

/// The container at the start of the bytes, if it is whole and has a chunk of code.
fn with_code(bytes: &[u8]) -> Option<&[u8]> {
    let whole = bytes.get(..u32_at(bytes, 24)? as usize)?;
    if u32_at(whole, 20)? != 1 {
        return None;
    }
    let chunks = (u32_at(whole, 28)? as usize).min(MOST_CHUNKS);
    let is_code = |index: usize| {
        let start = u32_at(whole, 32 + 4 * index)? as usize;
        let name = whole.get(start..start.checked_add(4)?)?;
        let version = whole.get(start.checked_add(8)?..).and_then(|data| u32_at(data, 0));
        match name {
            b"SHDR" | b"SHEX" => version.filter(|version| version >> 16 <= 5).map(|_| ()),
            b"DXIL" | b"ILDB" | b"Aon9" => Some(()),
            _ => None,
        }
    };
    (0..chunks).any(|index| is_code(index).is_some()).then_some(whole)
}

#[cfg(test)]
mod tests;
