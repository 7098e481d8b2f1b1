//! Plans for two devices, beside each other.

use rx_renderer::vk::DeviceFacts;
use rx_renderer::vk::layout::{Difference, print};
use serde_json::to_value;

use super::show::{tone, with_set};
use super::{Args, Planned, plan_file, plan_shaders, read_program};
use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::tables;

/// Plans the inputs for both devices and prints what differs.
pub fn run(args: &Args, shaders: bool, devices: &[DeviceFacts; 2], context: &mut Context<'_>) -> Outcome {
    let mut worst = Exit::Done;
    let mut compared = Vec::new();
    if shaders {
        // Each device has a profile of its own, and so may have other words.
        let [(a, _), (b, _)] = [plan_shaders(args, &devices[0], context)?, plan_shaders(args, &devices[1], context)?];
        for pair in a.into_iter().zip(b) {
            worst = worst.worse(compare(args, pair, &mut compared, context.out)?);
        }
    } else {
        for path in &args.inputs {
            let both = read_program(path, context).and_then(|file| {
                let of = |device| plan_file(args, path, &file, Some(device), context);
                Ok((of(&devices[0])?, of(&devices[1])?))
            });
            let exit = match both {
                Ok(pair) => compare(args, pair, &mut compared, context.out)?,
                Err(failure) => {
                    context.out.error(&failure);
                    failure.exit
                }
            };
            worst = worst.worse(exit);
        }
    }
    if !args.json && compared.len() > 1 {
        let differ = compared.iter().filter(|differs| **differs).count();
        let total = format!("{} programs: {differ} differ, {} do not", compared.len(), compared.len() - differ);
        context.out.line("")?;
        context.out.line(&context.out.paint(Tone::Strong, &total))?;
    }
    Ok(worst)
}

/// Prints one program on both devices. A plan that is an error also has its line.
fn compare(args: &Args, (a, b): (Planned, Planned), compared: &mut Vec<bool>, out: &mut Out) -> Outcome {
    let difference = Difference::new(&a.program, (&a.facts, &a.plan), (&b.facts, &b.plan));
    if args.json {
        let json = to_value(&difference).map_err(|error| Failure::internal(error.to_string()))?;
        out.json(&with_set(json, a.set))?;
    } else {
        if !compared.is_empty() {
            out.line("")?;
        }
        table(&difference, &a, &b, out)?;
    }
    compared.push(!difference.differences.is_empty());
    let mut worst = Exit::Done;
    for failure in [&a, &b].into_iter().filter_map(Planned::failure) {
        worst = worst.worse(failure.exit);
        out.error(&failure);
    }
    Ok(worst)
}

/// The two decisions, why, and what else differs.
fn table(difference: &Difference, a: &Planned, b: &Planned, out: &mut Out) -> Result<(), Failure> {
    let [first, second] = &difference.devices;
    let name = a.name();
    let mut table = tables::table(out, [&*name, first, second]);
    let decision = |own: &Planned| tables::cell(tone(own.plan.decision), print::decision_name(own.plan.decision));
    table.add_row([tables::cell(Tone::Name, "decision"), decision(a), decision(b)]);
    let why = |own: &Planned| tables::cell(Tone::Plain, print::explanation(&own.plan));
    table.add_row([tables::cell(Tone::Name, "why"), why(a), why(b)]);
    for own in difference.differences.iter().filter(|own| own.what != "decision") {
        let [a, b] = own.values.each_ref().map(|value| tables::cell(Tone::Notable, value));
        table.add_row([tables::cell(Tone::Name, &own.what), a, b]);
    }
    out.line(&tables::text(&table))?;
    if difference.differences.is_empty() {
        out.line(&out.paint(Tone::Dim, "no difference"))?;
    }
    Ok(())
}
