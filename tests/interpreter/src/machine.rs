//! The machine: a program that is ready to run.

use crate::{Error, Inputs, Outputs, Resources, Trace, alu};
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::program::{Program, ProgramType};

/// Instructions that one [`Machine::dispatch`] or [`Machine::invoke`] may execute in total, unless changed.
pub const DEFAULT_STEP_LIMIT: u64 = 1 << 24;

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Program,
    step_limit: u64,
}

impl Machine {
    /// Prepares a shader. Fails if its declarations contradict each other.
    pub fn new(shader: &Shader<'_>) -> Result<Machine, Error> {
        Ok(Machine { program: shader.program.clone(), step_limit: DEFAULT_STEP_LIMIT })
    }

    /// Sets how many instructions one call of [`dispatch`](Self::dispatch) or [`invoke`](Self::invoke) may execute.
    pub fn with_step_limit(mut self, limit: u64) -> Machine {
        self.step_limit = limit;
        self
    }

    /// Returns the decoded program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs thread groups of a compute shader.
    ///
    /// Groups run one after another, x fastest. In a group each thread runs to its next barrier, lowest thread first.
    pub fn dispatch(&self, resources: &mut Resources, groups: [u32; 3], trace: &mut dyn Trace) -> Result<(), Error> {
        let _ = (groups, trace, resources);
        self.check_stage(&[ProgramType::Compute], "dispatch")?;
        self.not_executed()
    }

    /// Runs one vertex or one pixel.
    pub fn invoke(&self, inputs: &Inputs, resources: &mut Resources, trace: &mut dyn Trace) -> Result<Outputs, Error> {
        let _ = (inputs, trace, resources);
        self.check_stage(&[ProgramType::Vertex, ProgramType::Pixel], "invoke")?;
        self.not_executed()?;
        Ok(Outputs::default())
    }

    fn check_stage(&self, stages: &[ProgramType], called: &'static str) -> Result<(), Error> {
        if stages.contains(&self.program.ty) {
            return Ok(());
        }
        Err(Error::Stage { stage: self.program.ty, called })
    }

    fn not_executed(&self) -> Result<(), Error> {
        for (index, instruction) in self.program.instructions.iter().enumerate() {
            if alu::execute(instruction, self.program.operands_of(instruction), &[], alu::Choices::default()).is_none()
            {
                return Err(Error::Unsupported { index, op: instruction.op, why: "not executed yet" });
            }
        }
        Ok(())
    }
}
