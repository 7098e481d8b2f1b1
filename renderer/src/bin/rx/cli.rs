//! The command line: verbs and their dispatch.
//!
//! Owns no verb's work; each stands in a file of its own below `verbs`.

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::codes;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::failure::{Failure, one_line};
use crate::out::Out;
use crate::{scene, sweep, verbs};

/// What every verb is given.
pub struct Context<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// Where it prints.
    pub out: &'a mut Out,
}

/// What a verb gives back: how it ended, or the error that ended it.
pub type Outcome = Result<Exit, Failure>;

/// Direct3D bytecode, WGSL, GLSL and SPIR-V to Vulkan, with descriptor layouts planned for the driver at hand.
///
/// Without a verb: translates the demo scene's shaders, plans every program for three devices, and draws the scene to
/// rx-demo.png where there is a Vulkan driver.
#[derive(Debug, Parser)]
#[command(name = "rx", version, args_conflicts_with_subcommands = true, disable_help_subcommand = false)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    scene: scene::Args,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Translate(verbs::translate::Args),
    Inspect(verbs::inspect::Args),
    Assemble(verbs::assemble::Args),
    Run(verbs::run::Args),
    Plan(verbs::plan::Args),
    Explain(verbs::explain::Args),
    Fixes(verbs::fixes::Args),
    Switches(verbs::switches::Args),
    Ledger(verbs::ledger::Args),
    Facts(verbs::facts::Args),
    Sweep(sweep::Args),
    Demo(verbs::demo::Args),
    Doctor(verbs::doctor::Args),
}

/// Parses the command line and runs its verb.
pub fn run(
    arguments: impl IntoIterator<Item = std::ffi::OsString>,
    environment: &Environment,
    out: &mut Out,
) -> Outcome {
    let cli = match Cli::try_parse_from(verbs::run::numbered(arguments)) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, out),
    };
    for warning in &environment.warnings {
        out.warn(&warning.to_string());
    }
    let mut context = Context { environment, out };
    match &cli.verb {
        None => scene::run(&cli.scene, &mut context),
        Some(Verb::Translate(args)) => verbs::translate::run(args, &mut context),
        Some(Verb::Inspect(args)) => verbs::inspect::run(args, &mut context),
        Some(Verb::Assemble(args)) => verbs::assemble::run(args, &mut context),
        Some(Verb::Run(args)) => verbs::run::run(args, &mut context),
        Some(Verb::Plan(args)) => verbs::plan::run(args, &mut context),
        Some(Verb::Explain(args)) => verbs::explain::run(args, &mut context),
        Some(Verb::Fixes(args)) => verbs::fixes::run(args, &mut context),
        Some(Verb::Switches(args)) => verbs::switches::run(args, &mut context),
        Some(Verb::Ledger(args)) => verbs::ledger::run(args, &mut context),
        Some(Verb::Facts(args)) => verbs::facts::run(args, &mut context),
        Some(Verb::Sweep(args)) => sweep::run(args, &mut context),
        Some(Verb::Demo(args)) => verbs::demo::run(args, &mut context),
        Some(Verb::Doctor(args)) => verbs::doctor::run(args, &mut context),
    }
}

/// Help and version are answers; everything else is one line about the usage.
fn refuse(error: &clap::Error, out: &mut Out) -> Outcome {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let rendered = error.render();
        let text = if out.colour() { rendered.ansi().to_string() } else { rendered.to_string() };
        out.text(&text)?;
        return Ok(Exit::Done);
    }
    let text = error.render().to_string();
    // clap's own text ends in a usage and a hint, each after an empty line.
    let said = text.split("\n\nUsage:").next().unwrap_or(&text).split("\n\nFor more").next().unwrap_or(&text);
    let said = one_line(&said.strip_prefix("error: ").unwrap_or(said).trim_end().replace("\n\n", "; "));
    Err(Failure::own(codes::USAGE, said))
}

/// The tree of verbs and flags, for the page that documents it.
#[cfg_attr(not(test), allow(dead_code))]
pub fn tree() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    /// The page's sections, each with the flags of its table.
    fn documented(page: &str) -> BTreeMap<String, Vec<String>> {
        let mut sections = BTreeMap::new();
        for section in page.split("\n## `rx").skip(1) {
            let (name, rest) = section.split_once('`').unwrap_or_default();
            let rows = rest.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `-"));
            let flags = rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split(','));
            let mut flags: Vec<String> = flags.map(|flag| flag.trim().trim_matches('`').to_owned()).collect();
            flags.sort();
            sections.insert(name.trim().to_owned(), flags);
        }
        sections
    }

    /// The verbs that clap knows, each with its flags.
    fn taken(command: &clap::Command, path: &str, into: &mut BTreeMap<String, Vec<String>>) {
        let verbs: Vec<&clap::Command> = command.get_subcommands().filter(|verb| verb.get_name() != "help").collect();
        for verb in &verbs {
            taken(verb, format!("{path} {}", verb.get_name()).trim(), into);
        }
        if !verbs.is_empty() && !path.is_empty() {
            return;
        }
        let own = command.get_arguments().filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version"));
        let own: Vec<&clap::Arg> = own.collect();
        let long = own.iter().filter_map(|arg| arg.get_long().map(|long| format!("--{long}")));
        let short = own.iter().filter_map(|arg| arg.get_short().map(|short| format!("-{short}")));
        let mut flags: Vec<String> = long.chain(short).collect();
        flags.sort();
        into.insert(path.to_owned(), flags);
    }

    #[test]
    fn the_page_has_every_verb_and_flag_and_no_other() {
        let mut want = BTreeMap::new();
        taken(&super::tree(), "", &mut want);
        assert_eq!(documented(include_str!("../../../../docs/cli.md")), want);
    }
}
