//! Stream output: what is captured has a variable of its own behind the signature's, so that what the next stage reads
//! stays as it is.

use super::{Access, Part, Side, element_kind};
use crate::interface::Stage;
use crate::ir::{Capture, InterfaceDecorations, Place, Type, VarKind};
use crate::lower::Lower;
use crate::{Error, StreamOutputEntry, ledger};

/// Transform feedback buffers of Direct3D and, at least, of Vulkan.
const BUFFERS: usize = 4;

impl<'a> Lower<'a> {
    /// Makes the variables of stream output.
    pub(super) fn declare_captures(&mut self) -> Result<(), Error> {
        let options = self.options;
        let output = &options.stream_output;
        let last = matches!(self.interface.stage, Stage::Vertex | Stage::TessellationEvaluation | Stage::Geometry);
        if output.entries.is_empty() || !last {
            return Ok(());
        }
        let mut sizes = [0u32; BUFFERS];
        for entry in &output.entries {
            let Some(size) = sizes.get_mut(usize::from(entry.buffer)) else {
                return Err(Error::refused(ledger::STREAM_OUTPUT, format!("buffer {}", entry.buffer)));
            };
            *size += 4 * u32::from(entry.components);
        }
        let mut offsets = [0u32; BUFFERS];
        let mut location = (0..4).map(|s| self.stream_registers(s)).sum();
        for entry in &output.entries {
            let buffer = usize::from(entry.buffer);
            let stride = if output.strides[buffer] == 0 { sizes[buffer] } else { output.strides[buffer] };
            let capture = Capture { buffer: entry.buffer, stride, offset: offsets[buffer] };
            offsets[buffer] += 4 * u32::from(entry.components);
            if entry.semantic.is_some() {
                self.capture(entry, capture, location)?;
                location += 1;
            }
        }
        self.builder.modes().capture = true;
        Ok(())
    }

    fn capture(&mut self, entry: &StreamOutputEntry, capture: Capture, location: u32) -> Result<(), Error> {
        let name = entry.semantic.as_deref().unwrap_or_default();
        let elements = self.elements.of(Side::Output);
        let found = elements.iter().find(|e| {
            e.semantic.eq_ignore_ascii_case(name) && e.index == entry.index && e.stream == u32::from(entry.stream)
        });
        let refused =
            || Error::refused(ledger::STREAM_OUTPUT, format!("{name} {} of stream {}", entry.index, entry.stream));
        let element = found.ok_or_else(refused)?;
        let first = element.mask.trailing_zeros() as u8 + entry.first_component;
        if !(1..=4).contains(&entry.components) || first + entry.components > 4 || element.mask >> first == 0 {
            return Err(refused());
        }
        let ty = Type::new(element_kind(element), entry.components);
        let decorations = InterfaceDecorations {
            stream: entry.stream.min(3),
            capture: Some(capture),
            ..InterfaceDecorations::default()
        };
        let place = Place::Location { location, component: 0, index: 0 };
        let var = self.builder.var(VarKind::Output { ty, array: None, place, decorations }, "");
        let (register, width) = (element.register, entry.components);
        let mask = (((1u16 << width) - 1) << first) as u8;
        self.io.outputs.push(Part { register, first, width, mask, ty, var, access: Access::Whole, per_vertex: false });
        Ok(())
    }
}
