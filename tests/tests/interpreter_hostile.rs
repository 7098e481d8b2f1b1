//! Damaged shaders in the reference interpreter: it answers with values or with an error, and never panics.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_interpreter::{Class, Inputs, Machine, Resources, Slot, Texture, View};
use rx_tests::shaders;
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::program::ProgramType;

/// Instructions that one damaged shader may execute.
const STEPS: u64 = 2_000;
/// Damaged copies of each shader.
const COPIES: u32 = 6;

#[test]
fn damaged_shaders_end_with_a_value_or_an_error() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let [mut decoded, mut ran] = [0, 0];
    for file in shaders::own() {
        for copy in 0..COPIES {
            let mut bytes = file.bytes.clone();
            // The first copy is whole; the others have more and more damage, past the container's header.
            for _ in 0..copy {
                let at = 32 + random.below(bytes.len() as u64 - 32) as usize;
                bytes[at] = random.byte();
            }
            let Ok(shader) = Shader::parse(&bytes, false) else { continue };
            decoded += 1;
            let Ok(machine) = Machine::new(&shader) else { continue };
            ran += usize::from(run(machine.with_step_limit(STEPS), shader.program.ty, &mut random));
        }
    }
    println!("{decoded} damaged shaders decoded, {ran} ran to their end");
    assert!(decoded > 500 && ran > 100);
}

fn run(machine: Machine, stage: ProgramType, random: &mut Random) -> bool {
    let mut resources = Resources::default();
    for register in 0..4 {
        let slot = Slot::from(register);
        resources.constant_buffers.insert(slot, random.bytes());
        for class in [Class::ShaderResource, Class::UnorderedAccess] {
            let view = machine.buffer_view(class, slot, random.bytes()).unwrap_or_else(|| random.texture());
            match class {
                Class::ShaderResource => resources.shader_resources.insert(slot, view),
                _ => resources.unordered_access.insert(slot, view),
            };
        }
    }
    match stage {
        ProgramType::Compute => machine.dispatch(&mut resources, [u32::MAX; 3], &mut ()).is_ok(),
        _ => machine.invoke(&Inputs::default(), &mut resources, &mut ()).is_ok(),
    }
}

/// A generator of numbers that gives the same ones in every run (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn byte(&mut self) -> u8 {
        (self.next() >> 32) as u8
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(100)).map(|_| self.byte()).collect()
    }

    /// A texture whose numbers need not fit its bytes.
    fn texture(&mut self) -> View {
        let mut number = || if self.below(4) == 0 { self.next() as u32 } else { self.below(6) as u32 };
        let [x, y, z] = [number(), number(), number()];
        let [layers, levels, samples] = [number(), number(), number()];
        let format = self.below(120) as u32;
        View::Texture(Texture { format, size: [x, y, z], layers, levels, samples, bytes: self.bytes() })
    }
}
