//! Direct3D bytecode: containers and the programs in them, shader models 4.0 to 5.1.
//!
//! Owns everything up to a decoded [`program::Program`] and its text. Must never know what a program is translated to.

mod bytes;
pub mod container;
pub mod disasm;
mod names;
pub mod opcodes;
pub mod program;
pub mod resources;
pub mod signature;
pub mod tokens;

use crate::{Error, ledger};
use container::Container;
use program::Program;
use resources::Reflection;
use signature::Signature;

/// A parsed container with its decoded program.
#[derive(Clone, Debug)]
pub struct Shader<'a> {
    /// The container.
    pub container: Container<'a>,
    /// The program.
    pub program: Program,
    /// Input signature; empty when there is none.
    pub inputs: Signature<'a>,
    /// Output signature; empty when there is none.
    pub outputs: Signature<'a>,
    /// Patch constant signature; empty when there is none.
    pub patch: Signature<'a>,
    /// Reflection, unless stripped.
    pub rdef: Option<Reflection<'a>>,
    /// Feature flags (`SFI0`), if any.
    pub sfi0: Option<u64>,
}

impl<'a> Shader<'a> {
    /// Parses a container and decodes its program.
    pub fn parse(bytes: &'a [u8], verify_checksum: bool) -> Result<Self, Error> {
        let container = Container::parse(bytes)?;
        if verify_checksum {
            container.verify_checksum()?;
        }
        let code = container
            .find(&[b"SHEX", b"SHDR"])
            .ok_or_else(|| Error::malformed(ledger::NO_CODE, 32, "no chunk of shader code among the container's"))?;
        let signature = |names: &[&[u8; 4]]| match container.find(names) {
            Some(chunk) => Signature::parse(chunk),
            None => Ok(Signature::default()),
        };
        Ok(Shader {
            program: tokens::decode(code.data, code.offset as usize)?,
            inputs: signature(&[b"ISG1", b"ISGN"])?,
            outputs: signature(&[b"OSG1", b"OSG5", b"OSGN"])?,
            patch: signature(&[b"PSG1", b"PCSG"])?,
            rdef: container.find(&[b"RDEF"]).map(Reflection::parse).transpose()?,
            sfi0: container.find(&[b"SFI0"]).map(resources::feature_flags).transpose()?,
            container,
        })
    }
}
