//! The `rx` command.
//!
//! Owns the process: arguments, environment, exit code. Every verb stands in a file of its own; what they share is the
//! form of errors ([`failure`]), of output ([`out`], [`tables`]) and of options ([`profile`]).

mod caught;
mod cli;
mod codes;
mod emit;
mod environment;
mod exit;
mod failure;
mod input;
mod live;
mod out;
mod profile;
mod reflection;
mod scene;
mod sweep;
mod tables;
mod verbs;

use std::process::ExitCode;

use environment::Environment;
use failure::Failure;
use out::Out;

fn main() -> ExitCode {
    // The one place where the environment is read.
    let environment = Environment::read();
    start_log(&environment);
    let mut out = Out::new(&environment);
    let ended = caught::caught(|| {
        let outcome = cli::run(std::env::args_os(), &environment, &mut out);
        out.flush().and(outcome)
    });
    // A panic that nothing below caught is a fault of rx like any other.
    let outcome = ended.unwrap_or_else(|words| Err(Failure::internal(words)));
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            out.error(&failure);
            failure.exit.into()
        }
    }
}

/// The log: warnings, or what `RX_LOG` asks for, on standard error. naga's own stay out of it: what stops naga is its
/// reason, and that is in the error.
fn start_log(environment: &Environment) {
    let filter = environment.log.as_deref().unwrap_or("warn,naga=off");
    env_logger::Builder::new().parse_filters(filter).format_timestamp(None).init();
}
