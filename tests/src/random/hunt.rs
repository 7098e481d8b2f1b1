//! Checks of cases on one driver: translate, validate, run in each mode, compare.

use super::case::Case;
use super::outcome::{Comparison, Difference, Permitted};
use super::{device, excluded, oracle, reduce};
use crate::validator::Validator;
use crate::vulkan::{Session, Translations};
use crate::ways;
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::asm::assemble;
use rx_translate::{Robustness, RobustnessByClass, Target};
use std::fmt;

/// A way to translate and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Who keeps accesses inside their buffers.
    pub robustness: Robustness,
    /// The module goes through `spirv-opt -O` first.
    pub optimized: bool,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 4] = [
        Mode { robustness: Robustness::Device, optimized: false },
        Mode { robustness: Robustness::Explicit, optimized: false },
        Mode { robustness: Robustness::Device, optimized: true },
        Mode { robustness: Robustness::Explicit, optimized: true },
    ];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let robustness = if self.robustness == Robustness::Device { "device" } else { "explicit" };
        write!(f, "{robustness}{}", if self.optimized { ", optimised" } else { "" })
    }
}

/// What is wrong with a case.
#[derive(Clone, Debug)]
pub enum Finding {
    /// The generator's fault: the text does not assemble, or the interpreter does not execute it.
    Case(String),
    /// The translator refused or panicked, the validator or the driver rejected the module, or the layers spoke.
    Failed(Mode, String),
    /// Words differ.
    Differs(Mode, Vec<Difference>),
}

impl Finding {
    /// Whether another finding is of the same kind, for the reducer.
    fn is_like(&self, other: &Finding) -> bool {
        match (self, other) {
            (Finding::Differs(..), Finding::Differs(..)) => true,
            // The first words of a message name what is wrong, the rest the place.
            (Finding::Failed(_, a), Finding::Failed(_, b)) => a.get(..24) == b.get(..24),
            (Finding::Case(a), Finding::Case(b)) => a.get(..24) == b.get(..24),
            _ => false,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        match self {
            Finding::Case(what) => write!(f, "not executed: {what}"),
            Finding::Failed(mode, what) => write!(f, "{mode}: {what}"),
            Finding::Differs(mode, differences) => {
                write!(f, "{mode}: {} words differ", differences.len())?;
                for difference in differences.iter().take(SHOWN) {
                    let Difference { part, index, permitted, got } = difference;
                    write!(f, "\n  {part}[{index}]: {got:#010x} ({}),", f32::from_bits(*got))?;
                    write!(f, " permitted {permitted:x?}")?;
                }
                Ok(())
            }
        }
    }
}

/// Numbers of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Programs.
    pub programs: usize,
    /// Runs of a program in a mode.
    pub runs: usize,
    /// Programs, or runs of one, that the driver lacks a feature for.
    pub skipped: usize,
    /// Words that had to be the same, in all runs.
    pub exact: usize,
    /// Words within bounds.
    pub bounded: usize,
    /// Words that the specification leaves open.
    pub open: usize,
}

impl Tally {
    fn add(&mut self, comparison: &Comparison) {
        self.runs += 1;
        self.exact += comparison.exact;
        self.bounded += comparison.bounded;
        self.open += comparison.open;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { programs, runs, skipped, exact, bounded, open } = self;
        write!(
            f,
            "{programs} programs ({skipped} skipped), {runs} runs; words: {exact} exact, {bounded} bounded, {open} open"
        )
    }
}

/// A driver at work.
pub struct Hunt {
    session: Session,
    validator: Validator,
    /// Numbers so far.
    pub tally: Tally,
}

impl Hunt {
    /// On the device of a session.
    pub fn new(session: Session) -> Hunt {
        session.messages();
        Hunt { session, validator: Validator::new(Target::Vulkan13), tally: Tally::default() }
    }

    /// Checks a case in some modes. The first finding ends it.
    pub fn check(&mut self, case: &Case, modes: &[Mode]) -> Result<(), Finding> {
        self.tally.programs += 1;
        let code = assemble(&case.text).map_err(|error| Finding::Case(error.to_string()))?;
        let shader = Shader::parse(&code, false).map_err(|error| Finding::Case(error.to_string()))?;
        if !self.supports(&shader) || excluded::reason(&self.session.device.name, &shader).is_some() {
            self.tally.skipped += 1;
            return Ok(());
        }
        let permitted = oracle::permitted(case, &shader).map_err(|error| Finding::Case(error.to_string()))?;
        for mode in modes {
            if self.has(case, *mode) {
                self.run(case, &code, &permitted, *mode)?;
            }
        }
        Ok(())
    }

    /// A smaller case with a finding like this one.
    pub fn reduce(&mut self, case: &Case, finding: &Finding) -> Case {
        let modes: Vec<Mode> = match finding {
            Finding::Case(_) => Vec::new(),
            Finding::Failed(mode, _) | Finding::Differs(mode, _) => vec![*mode],
        };
        let before = self.tally;
        let small = reduce::reduce(case, |case| match self.check(case, &modes) {
            // A case that is no case proves nothing, unless that is what is looked for.
            Err(found) => found.is_like(finding),
            Ok(()) => false,
        });
        self.tally = before;
        small
    }

    /// Whether the device has what a program needs.
    fn supports(&self, shader: &Shader<'_>) -> bool {
        use rx_translate::dxbc::opcodes::Class;
        let double = |shape: &rx_translate::dxbc::opcodes::Shape| shape.class == Class::Double;
        let doubles = shader.program.instructions.iter().any(|i| i.op.info().operands.iter().any(double));
        self.session.device.enabled.features.float64 || !doubles
    }

    /// Whether a mode gives defined results: a device without `robustBufferAccess2` may read anything outside.
    fn has(&self, case: &Case, mode: Mode) -> bool {
        let robust = self.session.device.enabled.robust_buffers && self.session.device.enabled.robust_images;
        mode.robustness == Robustness::Explicit || robust || !case.out_of_range
    }

    fn run(&mut self, case: &Case, code: &[u8], permitted: &Permitted, mode: Mode) -> Result<(), Finding> {
        let failed = |what: String| Finding::Failed(mode, what);
        let translations = Translations::new(self.session.device, RobustnessByClass::all(mode.robustness));
        // Lavapipe says that it has statuses of residency, and crashes over most (`exec_sparse`).
        let lavapipe = self.session.device.name.starts_with("llvmpipe");
        let translations = if lavapipe { translations.without_residency() } else { translations };
        let translations = if mode.optimized { translations.optimized() } else { translations };
        let translation = match translations.translate(code, 0) {
            Err(what) if ways::lacking(self.session.device, &what).is_some() => {
                self.tally.skipped += 1;
                return Ok(());
            }
            translation => translation.map_err(failed)?,
        };
        self.validator.check(&translation.spirv).map_err(|what| failed(format!("invalid module: {what}")))?;
        let got = device::run(case, code, &translations).map_err(failed)?;
        let messages = self.session.messages();
        if !messages.is_empty() {
            return Err(failed(format!("validation layers: {}", messages.join("\n"))));
        }
        let comparison = permitted.compare(&got);
        self.tally.add(&comparison);
        if comparison.differences.is_empty() { Ok(()) } else { Err(Finding::Differs(mode, comparison.differences)) }
    }
}
