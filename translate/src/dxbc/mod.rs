//! Direct3D bytecode: containers and the programs in them, shader models 4.0 to 5.1.
//!
//! Owns everything up to a decoded [`program::Program`] and its text. Must never know what a program is translated to.

pub mod asm;
mod bytes;
pub mod container;
pub(crate) mod declared;
pub mod disasm;
pub mod effect;
pub mod embedded;
mod foreign;
mod letters;
mod names;
pub mod opcodes;
pub mod program;
pub mod resources;
pub mod signature;
pub mod tokens;

use crate::Error;
use container::Container;
use program::Program;
use resources::Reflection;
use signature::Signature;

/// Whether bytes begin as a format of Direct3D does: a container, an effect, Direct3D 9's tokens. Not all of these can
/// be translated; the error says what the input is.
pub fn is_direct3d(bytes: &[u8]) -> bool {
    bytes.starts_with(b"DXBC") || foreign::is_direct3d(bytes)
}

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
        let code = container.find(&[b"SHEX", b"SHDR"]).ok_or_else(|| foreign::without_code(&container))?;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::ledger;
    use opcodes::Opcode;

    const LINE_VS: &[u8] = include_bytes!("../../../tests/assets/dxbc/line_vs.sm51.dxbc");
    const STREAMS: &[u8] = include_bytes!("../../../tests/assets/dxbc/features/gs_streams.gs_5_0.dxbc");
    const PRECISION: &[u8] = include_bytes!("../../../tests/assets/dxbc/features/minimum_precision.ps_5_0.dxbc");
    const MESSAGES: &[u8] = include_bytes!("../../../tests/assets/dxbc/features/printf_abort.ps_5_0.dxbc");

    #[test]
    fn a_whole_container() {
        let shader = Shader::parse(LINE_VS, true).unwrap();
        let names: Vec<_> = shader.inputs.elements.iter().map(|e| (e.semantic, e.mask, e.register)).collect();
        assert_eq!(names, [("POSITION", 7, 0), ("COLOR", 15, 1)]);
        assert_eq!(shader.outputs.elements[0].system_value, 1);
        assert!(shader.patch.elements.is_empty());
        assert_eq!(shader.program.model, (5, 1));
        assert_eq!(shader.program.instructions.iter().filter(|i| i.op == Opcode::Mad).count(), 2);
        let buffer = &shader.rdef.as_ref().unwrap().constant_buffers[0];
        assert_eq!((buffer.name, buffer.size), ("FrameConstants", 416));
        let view_projection = buffer.variables.iter().find(|v| v.flags & 2 != 0).unwrap();
        assert_eq!((view_projection.offset, view_projection.size), (128, 64));
        let text = disasm::disassemble(&shader);
        assert!(text.starts_with("vs_5_1\ndcl_globalFlags refactoringAllowed\n"));
        assert!(text.ends_with("mov o1.xyzw, v1.xyzw\nret\n"));
    }

    #[test]
    fn streams_and_precision_stand_in_the_signatures() {
        let shader = Shader::parse(STREAMS, true).unwrap();
        let streams: Vec<_> = shader.outputs.elements.iter().map(|e| e.stream).collect();
        assert_eq!(streams, [0, 0, 1, 1, 2, 2, 3]);
        let shader = Shader::parse(PRECISION, true).unwrap();
        let precisions: Vec<_> = shader.inputs.elements.iter().map(|e| e.min_precision).collect();
        assert_eq!(precisions, [1, 0, 5]);
        assert_eq!(shader.sfi0, Some(0x10));
    }

    #[test]
    fn the_checksum_is_verified_when_asked() {
        // The compiler leaves a wrong one in programs with messages.
        assert_eq!(Shader::parse(MESSAGES, true).unwrap_err().code, ledger::BAD_CHECKSUM);
        assert!(disasm::disassemble(&Shader::parse(MESSAGES, false).unwrap()).contains("printf \"column %u\", r0.x"));
    }
}
