//! Runs random programs on a driver and compares what they give with the reference interpreter.
//!
//! `docs/random-programs.md` explains the options and the report.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use rx_tests::random::{Hunt, Mode, Tally, generate};
use rx_tests::vulkan::{Driver, leave_out_layers, session_on};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const HELP: &str = "random_programs [--programs N] [--seed N] [--driver lavapipe|swiftshader] [--modes all|one]
                [--findings N] [--layers] [--show] [--in-process]

  --programs N   programs to run (1000)
  --seed N       the first program's seed (0); the others follow it
  --driver D     lavapipe, which is the system's driver, or swiftshader
  --modes M      each program in all four modes, or in one that its seed chooses (all)
  --findings N   stop after so many findings (10)
  --layers       with the validation layers
  --show         print the first program and its inputs, and run nothing
  --in-process   run everything in this process: a driver that crashes ends it";

struct Options {
    programs: u64,
    seed: u64,
    driver: Driver,
    all_modes: bool,
    findings: usize,
    layers: bool,
    show: bool,
    in_process: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            programs: 1000,
            seed: 0,
            driver: Driver::System,
            all_modes: true,
            findings: 10,
            layers: false,
            show: false,
            in_process: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} takes a value"));
            let number = |text: String| text.parse().map_err(|_| format!("`{text}` is no number"));
            match argument.as_str() {
                "--programs" => options.programs = number(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                "--findings" => options.findings = number(value()?)? as usize,
                "--driver" => {
                    options.driver = match value()?.as_str() {
                        "lavapipe" => Driver::System,
                        "swiftshader" => Driver::SwiftShader,
                        other => return Err(format!("no driver `{other}`")),
                    }
                }
                "--modes" => {
                    options.all_modes = match value()?.as_str() {
                        "all" => true,
                        "one" => false,
                        other => return Err(format!("no modes `{other}`")),
                    }
                }
                "--layers" => options.layers = true,
                "--show" => options.show = true,
                "--in-process" => options.in_process = true,
                other => return Err(format!("no option `{other}`\n{HELP}")),
            }
        }
        Ok(options)
    }

    /// The modes of a program.
    fn modes(&self, seed: u64) -> Vec<Mode> {
        if self.all_modes { Mode::ALL.to_vec() } else { vec![Mode::ALL[seed as usize % Mode::ALL.len()]] }
    }
}

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(what) => {
            eprintln!("{what}");
            return ExitCode::from(2);
        }
    };
    if options.show {
        print!("{}", generate(options.seed));
        return ExitCode::SUCCESS;
    }
    let findings = if options.in_process { run(&options) } else { supervise(&options) };
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the programs here; returns the number of findings.
fn run(options: &Options) -> usize {
    if !options.layers {
        leave_out_layers();
    }
    let session = session_on(options.driver).expect("the driver");
    println!("device: {}", session.device.name);
    let mut hunt = Hunt::new(session);
    let begun = Instant::now();
    let mut findings = 0;
    for seed in options.seed..options.seed + options.programs {
        println!("begin {seed}");
        let _ = std::io::stdout().flush();
        let case = generate(seed);
        if let Err(finding) = hunt.check(&case, &options.modes(seed)) {
            findings += 1;
            println!("finding: seed {seed}: {finding}");
            let small = hunt.reduce(&case, &finding);
            let again = hunt.check(&small, &options.modes(seed));
            println!("reduced: {}\n{small}end of finding", again.err().map_or(String::new(), |f| f.to_string()));
            if findings == options.findings {
                break;
            }
        }
    }
    println!("{}", line(&hunt.tally, findings, begun));
    findings
}

fn line(tally: &Tally, findings: usize, begun: Instant) -> String {
    let seconds = begun.elapsed().as_secs_f64();
    let rate = tally.programs as f64 / seconds;
    format!("{tally}; {findings} findings; {seconds:.0} s, {rate:.1} programs a second")
}

/// Runs the programs in a process of its own, and in another one from the next program on where that ends by a crash:
/// then the crash is a finding.
fn supervise(options: &Options) -> usize {
    let end = options.seed + options.programs;
    let (mut next, mut findings) = (options.seed, 0);
    while next < end && findings < options.findings {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(std::env::args().skip(1))
            .args(["--seed", &next.to_string(), "--programs", &(end - next).to_string()])
            .args(["--findings", &(options.findings - findings).to_string(), "--in-process"])
            // A long run writes nothing to a cache on disk.
            .env("MESA_SHADER_CACHE_DISABLE", "true")
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut at = next;
        for line in output.lines().map_while(Result::ok) {
            match line.strip_prefix("begin ") {
                Some(seed) => {
                    at = seed.parse().unwrap_or(at);
                    if (at - options.seed).is_multiple_of(1000) && at > options.seed {
                        println!("{} programs", at - options.seed);
                    }
                }
                None => {
                    findings += usize::from(line.starts_with("finding: "));
                    println!("{line}");
                }
            }
        }
        match child.wait().expect("the process's end").code() {
            Some(0 | 1) => return findings,
            code => {
                findings += 1;
                println!("finding: seed {at}: the process ended ({code:?})");
                next = at + 1;
            }
        }
    }
    findings
}
