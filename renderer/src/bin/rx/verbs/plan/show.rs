//! Plans for one device: a table each, what would have the program pushed, and of several programs a list.

use rx_renderer::vk::layout::{Answer, Budget, Cell, Decision, Fill, Table, advise, overview, print};
use rx_renderer::vk::{DeviceFacts, PlanOptions, plan};
use serde_json::{Value, json};

use super::{Args, Planned, device, plan_file, plan_shaders, read_program};
use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::tables;

/// Plans the inputs and prints each plan.
pub fn run(args: &Args, shaders: bool, context: &mut Context<'_>) -> Outcome {
    if shaders {
        let facts = match &args.facts {
            Some(name) => DeviceFacts::open(name)?,
            None => device(context)?,
        };
        let (sets, profile) = plan_shaders(args, &facts, context)?;
        let mut worst = Exit::Done;
        for set in &sets {
            worst = worst.worse(show(args, set, context.out)?);
        }
        if !args.json {
            context.out.line(&context.out.paint(Tone::Dim, &format!("translated for {profile}")))?;
        }
        return Ok(worst);
    }
    let mut worst = Exit::Done;
    let mut all = Vec::new();
    for path in &args.inputs {
        let named = || args.facts.as_deref().map(DeviceFacts::open).transpose();
        let planned = read_program(path, context).and_then(|file| {
            let named = named()?;
            plan_file(args, path, &file, named.as_ref(), context)
        });
        let exit = match planned {
            Ok(planned) => {
                let exit = show(args, &planned, context.out)?;
                all.push(planned);
                exit
            }
            Err(failure) => failed(&failure, context.out),
        };
        worst = worst.worse(exit);
    }
    if !args.json && all.len() > 1 {
        list(&all, context.out)?;
    }
    Ok(worst)
}

fn failed(failure: &Failure, out: &mut Out) -> Exit {
    out.error(failure);
    failure.exit
}

/// The tone of a decision.
pub fn tone(decision: Decision) -> Tone {
    match decision {
        Decision::Push => Tone::Good,
        Decision::Set => Tone::Notable,
        Decision::None => Tone::Dim,
        Decision::Error => Tone::Bad,
    }
}

/// The tone of a table by how full it is.
pub fn fill(fill: Fill) -> Tone {
    match fill {
        Fill::Unlimited => Tone::Dim,
        Fill::Free => Tone::Plain,
        Fill::Full => Tone::Notable,
        Fill::Past => Tone::Bad,
    }
}

/// Prints one plan. One that is an error also has its line.
fn show(args: &Args, planned: &Planned, out: &mut Out) -> Outcome {
    let Planned { program, set, facts, options, plan, .. } = planned;
    if args.json {
        out.json(&with_set(Answer::new(program, facts, plan).to_json(), *set))?;
    } else {
        // The first line has the decision, the second the device and the flags.
        let text = print::table(&planned.name(), facts, plan);
        let mut lines = text.lines();
        out.line(&out.paint(tone(plan.decision), lines.next().unwrap_or_default()))?;
        out.line(lines.next().unwrap_or_default())?;
        uses(planned, out)?;
        for advice in advise(program, facts, options) {
            out.line(&format!("  {} {}", out.paint(Tone::Name, "advice"), advice.line()))?;
        }
    }
    Ok(planned.failure().map_or(Exit::Done, |failure| failed(&failure, out)))
}

/// Each stage's use of each table, in the colour of how full it is, and the other budget's limit where it is another.
fn uses(planned: &Planned, out: &mut Out) -> Result<(), Failure> {
    let other = match planned.options.budget {
        Budget::Worst => Budget::Exact,
        Budget::Exact => Budget::Worst,
    };
    let options = PlanOptions { budget: other, ..planned.options };
    let others = plan(&planned.program, &planned.facts, &options);
    let mut table = tables::table(out, ["stage", "buffers", "textures", "samplers", "read_write"]);
    for (stage, beside) in planned.plan.stages().iter().zip(others.stages()) {
        let mut row = vec![tables::cell(Tone::Name, stage.stage_bit.name())];
        row.extend(Table::ALL.map(|of| {
            let (own, beside) = (stage.table(of), beside.table(of));
            let cell = Cell::new(own);
            // Without colour a table that is past its limit still shows.
            let mark = if cell.fill == Fill::Past { " !" } else { "" };
            let beside = beside.limit.filter(|limit| own.limit != Some(*limit));
            let beside = beside.map_or(String::new(), |limit| format!(" ({}: {limit})", other.name()));
            tables::cell(fill(cell.fill), format!("{}{mark}{beside}", cell.text))
        }));
        table.add_row(row);
    }
    tables::text(&table).lines().try_for_each(|line| out.line(&format!("  {line}")))
}

/// The programs one a line, and how many of each decision.
fn list(all: &[Planned], out: &mut Out) -> Result<(), Failure> {
    let names: Vec<String> = all.iter().map(Planned::name).collect();
    let text = overview(names.iter().map(String::as_str).zip(all.iter().map(|own| &own.plan)));
    out.line("")?;
    let tones = all.iter().map(|own| tone(own.plan.decision)).chain([Tone::Strong]);
    text.lines().zip(tones).try_for_each(|(line, tone)| out.line(&out.paint(tone, line)))
}

/// Of a program with several sets each answer says which it is for.
pub fn with_set(mut json: Value, set: Option<u32>) -> Value {
    if let (Some(object), Some(set)) = (json.as_object_mut(), set) {
        object.insert("set".to_owned(), json!(set));
    }
    json
}
