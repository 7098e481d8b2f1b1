//! What the reference interpreter says that a case gives.

use super::case::{Case, Launch, PIXELS, Resource, View};
use super::outcome::{Outcome, Part, Permitted};
use rx_interpreter::{Choices, Error, Inputs, Machine, Resources, Slot};
use rx_translate::dxbc::Shader;
use rx_translate::interface::ResourceClass;

/// Instructions that a case may execute: many times what the generator's bounds allow.
const STEPS: u64 = 1 << 20;

/// Runs a case once for each way to decide what the specification leaves open.
pub fn permitted(case: &Case, shader: &Shader<'_>) -> Result<Permitted, Error> {
    let ways = Choices::WAYS.iter().map(|choices| outcome(case, shader, *choices));
    Ok(Permitted { ways: ways.collect::<Result<_, _>>()? })
}

fn outcome(case: &Case, shader: &Shader<'_>, choices: Choices) -> Result<Outcome, Error> {
    let machine = Machine::new(shader)?.with_step_limit(STEPS);
    let choices = choices.for_refactoring(machine.refactoring_allowed());
    let machine = machine.with_choices(choices);
    let mut resources = bound(case);
    let mut outcome = Outcome::default();
    match &case.launch {
        Launch::Compute { groups } => machine.dispatch(&mut resources, *groups, &mut ())?,
        Launch::Pixels { inputs, targets } => {
            let mut words = vec![Vec::new(); targets.len()];
            for pixel in 0..PIXELS * PIXELS {
                let centre = [pixel % PIXELS, pixel / PIXELS].map(|n| (n as f32 + 0.5).to_bits());
                let mut given = Inputs { position: [centre[0], centre[1], 0, 1f32.to_bits()], ..Inputs::default() };
                given.registers.extend((1..).zip(inputs.iter().map(|input| input.value)));
                given.coverage = 1;
                given.front_face = true;
                let made = machine.invoke(&given, &mut resources, &mut ())?;
                for (n, words) in words.iter_mut().enumerate() {
                    let color = made.registers.get(&(n as u32)).copied().unwrap_or_default();
                    words.extend(if made.discarded { [0; 4] } else { color });
                }
            }
            written(case, &resources, &mut outcome);
            outcome.parts.extend(outputs(words, 0));
            return Ok(outcome);
        }
        Launch::Vertices { attributes, count, outputs: components } => {
            let mut words = vec![Vec::new(); components.len()];
            for vertex in 0..*count {
                let mut given = Inputs { vertex_id: vertex, ..Inputs::default() };
                given.registers.extend((1..).zip(attributes.iter().map(|a| a.values[vertex as usize])));
                let made = machine.invoke(&given, &mut resources, &mut ())?;
                for (n, words) in words.iter_mut().enumerate() {
                    words.extend(made.registers.get(&(n as u32 + 1)).copied().unwrap_or_default());
                }
            }
            outcome.parts = outputs(words, 1);
            return Ok(outcome);
        }
    }
    written(case, &resources, &mut outcome);
    Ok(outcome)
}

fn outputs(words: Vec<Vec<u32>>, first: usize) -> Vec<Part> {
    words.into_iter().enumerate().map(|(n, words)| Part { name: format!("o{}", n + first), words }).collect()
}

/// A case's resources as the interpreter takes them.
fn bound(case: &Case) -> Resources {
    let mut resources = Resources { rasterizer_samples: 1, ..Resources::default() };
    for resource in &case.resources {
        let (class, space, register) = resource.register;
        let slot = Slot { space, register };
        let bytes = || resource.words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        match class {
            ResourceClass::Cbv => drop(resources.constant_buffers.insert(slot, bytes())),
            ResourceClass::Srv => drop(resources.shader_resources.insert(slot, view(resource, bytes()))),
            ResourceClass::Uav => drop(resources.unordered_access.insert(slot, view(resource, bytes()))),
            // After its buffer: the case has them in this order.
            ResourceClass::UavCounter => {
                if let Some(rx_interpreter::View::Structured { counter, .. }) =
                    resources.unordered_access.get_mut(&slot)
                {
                    *counter = resource.words.first().copied();
                }
            }
            _ => {}
        }
    }
    resources
}

fn view(resource: &Resource, bytes: Vec<u8>) -> rx_interpreter::View {
    match resource.view {
        View::Structured(stride) => rx_interpreter::View::Structured { stride, bytes, counter: None },
        View::Typed(format) => rx_interpreter::View::Typed { format, bytes },
        View::Texture(image) => rx_interpreter::View::Texture(rx_interpreter::Texture {
            format: image.format,
            size: [image.size[0], image.size[1], 1],
            layers: image.layers,
            levels: image.levels,
            samples: 1,
            bytes,
        }),
        View::Constants | View::Raw | View::Counter => rx_interpreter::View::Raw { bytes },
    }
}

/// What is in the writable views afterwards.
fn written(case: &Case, resources: &Resources, outcome: &mut Outcome) {
    for resource in case.resources.iter().filter(|resource| resource.is_written()) {
        let (class, space, register) = resource.register;
        let view = resources.unordered_access.get(&Slot { space, register });
        let words = match (class, view) {
            (ResourceClass::UavCounter, Some(rx_interpreter::View::Structured { counter, .. })) => {
                counter.iter().copied().collect()
            }
            (_, Some(view)) => crate::shared::words(bytes(view)),
            (_, None) => Vec::new(),
        };
        outcome.parts.push(Part { name: resource.name(), words });
    }
}

fn bytes(view: &rx_interpreter::View) -> &[u8] {
    use rx_interpreter::View as V;
    match view {
        V::Raw { bytes } | V::Structured { bytes, .. } | V::Typed { bytes, .. } => bytes,
        V::Texture(texture) => &texture.bytes,
    }
}
