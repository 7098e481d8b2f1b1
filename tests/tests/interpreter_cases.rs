//! The reference interpreter against results that were seen on native drivers or follow from the specification.
//!
//! Every case of `exec/rules` and `exec/d3d12` below `RX_SHARED` runs; none is left out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_interpreter::{Choices, Class, Inputs, Machine, Resources, Slot, View};
use rx_tests::report::{Outcome, Report};
use rx_tests::shared::{self, Blobs, hex};
use rx_translate::dxbc::Shader;
use serde_json::Value;

/// A shader may keep `min` and `max` denormals or flush them, and fuse `mad` or not: one of these must give the
/// expected value.
const CHOICES: [Choices; 2] = [Choices::FIRST, Choices { fused: true, keep_denormals: true, ..Choices::FIRST }];

#[test]
fn rules() {
    let Some(folder) = shared::folder("exec/rules") else { return };
    let cases = shared::json(&folder.join("cases.json"));
    let mut blobs = Blobs::new(folder.join("blobs"));
    let mut report = Report::default();
    for case in cases.as_array().unwrap() {
        let word = |name: &str| case[name].as_u64().unwrap() as u32;
        let constants = ["a", "b", "c"].into_iter().flat_map(|n| [word(n), 7, 9, 0]).flat_map(u32::to_le_bytes);
        let mut resources = Resources::default();
        resources.constant_buffers.insert(Slot::from(0), constants.collect());
        let shader = case["shader"].as_str().unwrap();
        let outcome = any_choice(|choices| {
            let got = pixel(blobs.get(shader), choices, resources.clone())?;
            let rest: Vec<u32> =
                case["expect_yzw"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap() as u32).collect();
            let first = match case["expect_x"].as_u64() {
                Some(expected) => u64::from(got[0]) == expected,
                None => f32::from_bits(got[0]).is_nan(),
            };
            if first && got[1..] == rest[..] {
                return Ok(());
            }
            Err(format!("expected {} {rest:x?}, got {got:x?} ({})", case["expect_x"], case["expr"]))
        });
        report.add("rule", &format!("{} ({shader})", case["rule"].as_str().unwrap()), outcome);
    }
    report.finish("interpreter, rules");
}

#[test]
fn d3d12() {
    let Some(folder) = shared::folder("exec/d3d12") else { return };
    let cases = shared::json(&folder.join("cases.json"));
    let mut blobs = Blobs::new(folder.join("blobs"));
    let mut report = Report::default();
    for case in cases.as_array().unwrap() {
        let shader = blobs.get(case["shader"].as_str().unwrap());
        let kind = case["kind"].as_str().unwrap();
        let outcome = any_choice(|choices| match kind {
            "ps" => draw(shader, choices, case),
            _ => dispatch(shader, choices, case),
        });
        report.add(kind, case["id"].as_str().unwrap(), outcome);
    }
    report.finish("interpreter, d3d12");
}

fn any_choice(mut run: impl FnMut(Choices) -> Result<(), String>) -> Outcome {
    let mut failures = Vec::new();
    for choices in CHOICES {
        match run(choices) {
            Ok(()) => return Outcome::Passed,
            Err(why) => failures.push(why),
        }
    }
    failures.dedup();
    Outcome::Failed(failures.join("; "))
}

fn machine(container: &[u8], choices: Choices) -> Result<Machine, String> {
    let shader = Shader::parse(container, false).map_err(|error| error.to_string())?;
    Ok(Machine::new(&shader).map_err(|error| error.to_string())?.with_choices(choices))
}

/// Runs the pixel in the middle of a small target and returns its first output.
fn pixel(container: &[u8], choices: Choices, mut resources: Resources) -> Result<[u32; 4], String> {
    let inputs = Inputs { position: [2.5f32, 2.5, 0.0, 1.0].map(f32::to_bits), ..Inputs::default() };
    let outputs = machine(container, choices)?.invoke(&inputs, &mut resources, &mut ());
    let outputs = outputs.map_err(|error| error.to_string())?;
    outputs.registers.get(&0).copied().ok_or_else(|| "o0 is not declared".to_owned())
}

fn constants(case: &Value) -> Resources {
    let mut resources = Resources::default();
    resources.constant_buffers.insert(Slot::from(0), hex(case["cb0"].as_str().unwrap()));
    resources
}

fn draw(container: &[u8], choices: Choices, case: &Value) -> Result<(), String> {
    let got = pixel(container, choices, constants(case))?;
    let expected: Vec<u32> = case["expect"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap() as u32).collect();
    let allowed = case["ulps"].as_u64().unwrap() as u32;
    let float = case["cmp"] == "f32";
    let near = |(a, b): (&u32, &u32)| if float { shared::ulps(*a, *b) <= allowed } else { a == b };
    if expected.iter().zip(&got).all(near) {
        return Ok(());
    }
    Err(format!("expected {expected:x?}, got {got:x?}"))
}

fn dispatch(container: &[u8], choices: Choices, case: &Value) -> Result<(), String> {
    let machine = machine(container, choices)?;
    let mut resources = constants(case);
    for (name, class) in [("srv", Class::ShaderResource), ("uav", Class::UnorderedAccess)] {
        for (number, content) in case[name].as_object().into_iter().flatten() {
            let slot = Slot::from(number.parse::<u32>().unwrap());
            let bytes = hex(content.as_str().unwrap());
            let view =
                machine.buffer_view(class, slot, bytes).ok_or_else(|| format!("{name} {number} is not declared"))?;
            match class {
                Class::ShaderResource => resources.shader_resources.insert(slot, view),
                _ => resources.unordered_access.insert(slot, view),
            };
        }
    }
    let groups = [0, 1, 2].map(|n: usize| case["groups"][n].as_u64().unwrap() as u32);
    machine.dispatch(&mut resources, groups, &mut ()).map_err(|error| error.to_string())?;
    for (slot, view) in &resources.unordered_access {
        let expected = hex(case["expect"][slot.register.to_string()].as_str().unwrap());
        let (View::Raw { bytes } | View::Structured { bytes, .. } | View::Typed { bytes, .. }) = view else {
            return Err(format!("u{} is no buffer", slot.register));
        };
        if *bytes != expected {
            let [want, got] = [shared::words(&expected), shared::words(bytes)];
            return Err(format!("u{}: expected {want:x?}, got {got:x?}", slot.register));
        }
    }
    Ok(())
}
