//! The machine: a program that is ready to run.

use crate::alu::Choices;
use crate::declared::{Declared, Layout};
use crate::flow::Flow;
use crate::memory::{Shared, format_of_words};
use crate::run::Run;
use crate::thread::{Status, Thread};
use crate::{Class, Error, Inputs, Outputs, Range, Resources, Slot, Trace, View};
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::program::{Program, ProgramType, ResourceDim};

/// Instructions that one [`Machine::dispatch`] or [`Machine::invoke`] may execute in total, unless changed.
pub const DEFAULT_STEP_LIMIT: u64 = 1 << 24;

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Program,
    declared: Declared,
    flow: Flow,
    choices: Choices,
    step_limit: u64,
}

impl Machine {
    /// Prepares a shader. Fails if its declarations contradict each other or its control flow is not balanced.
    pub fn new(shader: &Shader<'_>) -> Result<Machine, Error> {
        Ok(Machine {
            declared: Declared::read(&shader.program)?,
            flow: Flow::read(&shader.program)?,
            program: shader.program.clone(),
            choices: Choices::default(),
            step_limit: DEFAULT_STEP_LIMIT,
        })
    }

    /// Sets how many instructions one call of [`dispatch`](Self::dispatch) or [`invoke`](Self::invoke) may execute.
    pub fn with_step_limit(mut self, limit: u64) -> Machine {
        self.step_limit = limit;
        self
    }

    /// Chooses among the results that the specification permits.
    pub fn with_choices(mut self, choices: Choices) -> Machine {
        self.choices = choices;
        self
    }

    /// Returns the decoded program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns false if the program forbids that arithmetic is reassociated or contracted (`refactoringAllowed`).
    pub fn refactoring_allowed(&self) -> bool {
        self.declared.refactoring_allowed
    }

    /// Runs thread groups of a compute shader.
    ///
    /// Groups run one after another, x fastest. In a group each thread runs to its next barrier, lowest thread first.
    /// On an error, `resources` holds what was written until then.
    pub fn dispatch(&self, resources: &mut Resources, groups: [u32; 3], trace: &mut dyn Trace) -> Result<(), Error> {
        self.check_stage(&[ProgramType::Compute], "dispatch")?;
        let mut run = self.run(resources, trace);
        for z in 0..groups[2] {
            for y in 0..groups[1] {
                for x in 0..groups[0] {
                    run.shared = Shared::new(&self.declared);
                    self.group(&mut run, [x, y, z])?;
                }
            }
        }
        Ok(())
    }

    /// Runs one vertex or one pixel. On an error, `resources` holds what was written until then.
    pub fn invoke(&self, inputs: &Inputs, resources: &mut Resources, trace: &mut dyn Trace) -> Result<Outputs, Error> {
        self.check_stage(&[ProgramType::Vertex, ProgramType::Pixel], "invoke")?;
        let mut run = self.run(resources, trace);
        let mut thread = Thread::of_stage(&self.declared, self.program.ty, inputs);
        // Outside a compute shader nothing waits for anything.
        while thread.status != Status::Ended {
            run.run(&mut thread)?;
        }
        Ok(thread.outputs)
    }

    /// Returns the declared ranges of resource registers, each with its class.
    pub fn ranges(&self) -> impl Iterator<Item = (Class, &Range)> {
        self.declared.ranges.iter().map(|((class, _), range)| (*class, range))
    }

    /// Makes a view of the kind that the shader declares for a register, or `None` if it declares no buffer there.
    ///
    /// A typed buffer gets the format of one 32-bit component of its return type. A structured buffer has a counter
    /// that starts at 0.
    pub fn buffer_view(&self, class: Class, slot: Slot, bytes: Vec<u8>) -> Option<View> {
        let mut ranges = self.ranges().filter(|(of, _)| *of == class);
        let (_, range) = ranges.find(|(_, range)| range.slot(slot.register) == Some(slot))?;
        match range.layout {
            Layout::Raw => Some(View::Raw { bytes }),
            Layout::Structured(stride) => Some(View::Structured { stride, bytes, counter: Some(0) }),
            Layout::Typed { dim: ResourceDim::Buffer, returns } => {
                Some(View::Typed { format: format_of_words(returns), bytes })
            }
            Layout::Typed { .. } | Layout::Constants => None,
        }
    }

    fn check_stage(&self, stages: &[ProgramType], called: &'static str) -> Result<(), Error> {
        if stages.contains(&self.program.ty) {
            return Ok(());
        }
        Err(Error::Stage { stage: self.program.ty, called })
    }

    fn run<'a>(&'a self, resources: &'a mut Resources, trace: &'a mut dyn Trace) -> Run<'a> {
        Run {
            program: &self.program,
            declared: &self.declared,
            flow: &self.flow,
            choices: self.choices,
            resources,
            shared: Shared::default(),
            trace,
            step_limit: self.step_limit,
            steps: 0,
            written: Vec::new(),
        }
    }

    /// Runs a thread group from barrier to barrier.
    fn group(&self, run: &mut Run<'_>, group: [u32; 3]) -> Result<(), Error> {
        // The decoder bounds a group at 1024 threads.
        let count = self.declared.threads.iter().product();
        let mut threads: Vec<_> = (0..count).map(|n| Thread::of_group(&self.declared, group, n)).collect();
        loop {
            for thread in &mut threads {
                run.run(thread)?;
            }
            let Some(first) = threads.first() else { return Ok(()) };
            let differs = threads.iter().find(|thread| thread.status != first.status);
            match (first.status, differs.map(|thread| thread.status)) {
                (Status::Waiting(index), Some(_)) | (_, Some(Status::Waiting(index))) => {
                    return Err(Error::Barrier { index, group });
                }
                (Status::Waiting(_), None) => {}
                _ => return Ok(()),
            }
        }
    }
}
