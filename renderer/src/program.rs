//! A program: its stages translated with bindings that follow one another, and its sets planned.
//!
//! Owns where a later stage's bindings begin. Decides nothing that the translator or the planner decides.

use rx_translate::bindings::{BindingModel, BindingRule};
use rx_translate::interface::{Resource, Stage};
use rx_translate::{Note, Options, Source, StageInterface, StreamOutput, Translation, Translator, ledger};
use rx_vk::layout::{SetPlan, VertexInput, plan_program};
use rx_vk::{DeviceFacts, PlanOptions};

use crate::Error;

/// One stage of a program, before its translation.
#[derive(Clone, Copy, Debug)]
pub struct StageSource<'a> {
    /// The shader.
    pub source: Source<'a>,
    /// Entry point of a WGSL or SPIR-V module; `None` takes the options' own, else the only one.
    pub entry: Option<&'a str>,
}

impl<'a> From<Source<'a>> for StageSource<'a> {
    fn from(source: Source<'a>) -> Self {
        StageSource { source, entry: None }
    }
}

impl<'a> From<(&'a str, Source<'a>)> for StageSource<'a> {
    fn from((entry, source): (&'a str, Source<'a>)) -> Self {
        StageSource { source, entry: Some(entry) }
    }
}

/// A program's translated stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslatedProgram {
    name: String,
    stages: Vec<Translation>,
    vertex_input: VertexInput,
}

impl TranslatedProgram {
    /// Translates a program's stages. Under sequential bindings a stage begins where the one before ends, and a range
    /// without an end gets a set that no earlier stage has; under rules every stage follows the same rules. A Direct3D
    /// stage's push constants, where the profile asks for any, begin where those of the stages before end.
    ///
    /// SPIR-V keeps the bindings that it has: give those stages first, or let their bindings lie past the others'.
    ///
    /// # Errors
    /// [`Error::Stage`] with the first stage that is not translated.
    pub fn translate<'a, S: Into<StageSource<'a>>>(
        name: &str,
        stages: impl IntoIterator<Item = S>,
        options: &Options,
    ) -> Result<TranslatedProgram, Error> {
        let sources: Vec<StageSource<'a>> = stages.into_iter().map(Into::into).collect();
        // Only the last stage before the rasteriser streams out, and which that is the stages say.
        let plain = Options { stream_output: StreamOutput::default(), ..options.clone() };
        let mut translated = translate_all(name, &sources, &plain, None)?;
        let last = last_before_rasterizer(&translated);
        if let Some(last) = last.filter(|_| !options.stream_output.entries.is_empty()) {
            translated = translate_all(name, &sources, &plain, Some((last, &options.stream_output)))?;
        }
        settle_layers(name, &mut translated, last)?;
        Ok(TranslatedProgram { name: name.to_owned(), stages: translated, vertex_input: VertexInput::Unknown })
    }

    /// Says what vertex buffers the program has. Nothing but the host knows; not said, it is unknown.
    #[must_use]
    pub fn with_vertex_input(mut self, vertex_input: VertexInput) -> TranslatedProgram {
        self.vertex_input = vertex_input;
        self
    }

    /// Name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What vertex buffers it has.
    pub fn vertex_input(&self) -> VertexInput {
        self.vertex_input
    }

    /// The stages, in the order given.
    pub fn stages(&self) -> &[Translation] {
        &self.stages
    }

    /// The stages by name, in the order given.
    pub fn stage_kinds(&self) -> impl Iterator<Item = Stage> {
        self.stages.iter().map(|stage| stage.interface.stage)
    }

    /// Plans every set that the stages have, by set number; of a program without resources the empty set 0. At most one
    /// set is pushed.
    ///
    /// # Errors
    /// [`Error::Vulkan`] where two stages contradict one another. A device that cannot have the program is no error
    /// here but a plan that says so.
    pub fn plan(&self, facts: &DeviceFacts, options: &PlanOptions) -> Result<Vec<SetPlan>, Error> {
        let interfaces: Vec<StageInterface> = self.stages.iter().map(|stage| stage.interface.clone()).collect();
        Ok(plan_program(&self.name, &interfaces, self.vertex_input, facts, options)?)
    }
}

/// Translates all stages; one of them with stream output.
fn translate_all(
    name: &str,
    sources: &[StageSource<'_>],
    options: &Options,
    streaming: Option<(usize, &StreamOutput)>,
) -> Result<Vec<Translation>, Error> {
    let mut next = Next::of(&options.bindings);
    let mut options = options.clone();
    let mut translated = Vec::with_capacity(sources.len());
    for (index, &source) in sources.iter().enumerate() {
        options.stream_output = match streaming {
            Some((last, output)) if last == index => output.clone(),
            _ => StreamOutput::default(),
        };
        let failed = |source| Error::Stage { program: name.to_owned(), index, source };
        let mut translation = next.translate(source, &options).map_err(failed)?;
        translation.note_checksum(source.source);
        let pushed = translation.interface.push_constant_bytes.next_multiple_of(4);
        options.push_constant_offset = options.push_constant_offset.max(pushed);
        translated.push(translation);
    }
    Ok(translated)
}

/// The last stage before the rasteriser.
fn last_before_rasterizer(stages: &[Translation]) -> Option<usize> {
    let before = |stage| matches!(stage, Stage::Vertex | Stage::TessellationEvaluation | Stage::Geometry);
    let candidates = (0..stages.len()).filter(|&index| before(stages[index].interface.stage));
    candidates.max_by_key(|&index| stages[index].interface.stage)
}

/// Settles what a vertex or domain shader alone cannot know: whether its layer and viewport index reach the rasteriser,
/// which takes a feature of the device, or are data for the next stage, where nothing differs.
fn settle_layers(program: &str, stages: &mut [Translation], last: Option<usize>) -> Result<(), Error> {
    for (index, stage) in stages.iter_mut().enumerate() {
        let is_layer = |note: &Note| note.code == ledger::LAYER_OF_ANY_STAGE;
        if last == Some(index) && stage.notes.iter().any(is_layer) {
            let what = "a layer or viewport of this stage needs shaderOutputLayer and shaderOutputViewportIndex";
            let source = rx_translate::Error::refused(ledger::NOT_IN_PROFILE, what);
            return Err(Error::Stage { program: program.to_owned(), index, source });
        }
        stage.notes.retain(|note| !is_layer(note));
    }
    Ok(())
}

/// Where the next stage's bindings begin.
enum Next {
    /// Rules say it for every stage alike.
    Rules,
    /// The first free binding of `set`, and the first set that no range without an end has taken.
    Sequential { set: u32, binding: u32, free_set: u32 },
}

impl Next {
    fn of(model: &BindingModel) -> Next {
        match *model {
            BindingModel::Sequential { set, first_binding } => {
                Next::Sequential { set, binding: first_binding, free_set: set.saturating_add(1) }
            }
            BindingModel::Rules(_) => Next::Rules,
        }
    }

    /// Translates one stage and moves on.
    fn translate(&mut self, stage: StageSource<'_>, base: &Options) -> Result<Translation, rx_translate::Error> {
        let mut options = base.clone();
        if let Some(entry) = stage.entry {
            options.entry = Some(entry.to_owned());
        }
        let Next::Sequential { set, binding, free_set } = self else {
            return Translator::new(options).translate(stage.source);
        };
        options.bindings = BindingModel::Sequential { set: *set, first_binding: *binding };
        let mut translation = Translator::new(options.clone()).translate(stage.source)?;
        let shift = *free_set - set.saturating_add(1);
        let own_sets = translation.interface.resources.iter().any(|resource| resource.set > *set);
        if shift > 0 && own_sets && !matches!(stage.source, Source::Spirv(_)) {
            options.bindings = BindingModel::Rules(moved(&translation.interface.resources, *set, shift));
            translation = Translator::new(options).translate(stage.source)?;
        }
        for resource in &translation.interface.resources {
            *free_set = (*free_set).max(resource.set.saturating_add(1));
            if resource.set == *set {
                *binding = (*binding).max(resource.binding.saturating_add(1));
            }
        }
        Ok(translation)
    }
}

/// Rules that put every resource where it is, and those of later sets `shift` sets further.
fn moved(resources: &[Resource], set: u32, shift: u32) -> Vec<BindingRule> {
    let rule = |resource: &Resource| BindingRule {
        class: resource.class,
        space: resource.space,
        first_register: resource.register,
        count: resource.count,
        stages: Vec::new(),
        set: if resource.set > set { resource.set.saturating_add(shift) } else { resource.set },
        binding: resource.binding,
    };
    resources.iter().map(rule).collect()
}
