//! From the table of programs to pipelines: what every pass is made with.

use std::borrow::Cow;

use ash::vk::Format;

use super::programs::{self, SceneProgram, Shader};
use super::{Languages, SceneOptions};
use crate::vk::ash;
use crate::{Error, GraphicsState, Pipeline, Program, Renderer, StageSource, VertexElement, VertexStream};

/// Makes pipelines, and remembers them for the warm-up.
pub struct Setup<'a> {
    /// The renderer.
    pub renderer: &'a Renderer,
    /// What the scene shall be.
    pub options: &'a SceneOptions,
    made: Vec<Pipeline>,
    programs: Vec<(&'static str, &'static str)>,
}

impl<'a> Setup<'a> {
    /// Begins.
    pub fn new(renderer: &'a Renderer, options: &'a SceneOptions) -> Setup<'a> {
        Setup { renderer, options, made: Vec::new(), programs: Vec::new() }
    }

    /// The name of a program that has a twin in another language: the twin's, where languages are mixed.
    pub fn either(&self, direct3d: &'static str, twin: &'static str) -> &'static str {
        if self.options.languages == Languages::Mixed { twin } else { direct3d }
    }

    /// A row of the table.
    ///
    /// # Errors
    /// That the table has none.
    pub fn find(pass: &str, name: &str) -> Result<&'static SceneProgram, Error> {
        let why = || "the scene's table has no such program".to_owned();
        let missing = || crate::vk::Error::Argument { object: format!("{pass}: {name}"), why: why() };
        Ok(programs::find(pass, name).ok_or_else(missing)?)
    }

    /// A program of the table, hosted.
    ///
    /// # Errors
    /// That of the translation, or that the device cannot have it.
    pub fn program(&mut self, pass: &str, name: &str) -> Result<Program, Error> {
        let program = Setup::find(pass, name)?;
        let stages = self.stages(program);
        let hosted = self.renderer.program(&format!("{pass}: {name}"), stages, program.streams.into())?;
        self.note(program);
        Ok(hosted)
    }

    /// A program's stages, of the shader model that is asked for.
    pub fn stages(&self, program: &SceneProgram) -> Vec<StageSource<'static>> {
        let model = |shader: &Shader| if self.options.model_51 { shader.at_model_51() } else { *shader };
        program.stages.iter().map(|shader| model(shader).stage_source()).collect()
    }

    /// A compute pipeline of a program of the table.
    ///
    /// # Errors
    /// As [`Setup::program`].
    pub fn compute(&mut self, pass: &str, name: &str) -> Result<Pipeline, Error> {
        let pipeline = self.renderer.compute(&self.program(pass, name)?)?;
        self.made.push(pipeline.clone());
        Ok(pipeline)
    }

    /// A graphics pipeline of a program of the table.
    ///
    /// # Errors
    /// As [`Setup::program`].
    pub fn graphics(&mut self, pass: &str, name: &str, state: &GraphicsState) -> Result<Pipeline, Error> {
        let program = self.program(pass, name)?;
        self.of(&program, state, &format!("{pass}: {name}"))
    }

    /// A graphics pipeline of a program.
    ///
    /// # Errors
    /// That the state does not fit the program.
    pub fn of(&mut self, program: &Program, state: &GraphicsState, name: &str) -> Result<Pipeline, Error> {
        let pipeline = self.renderer.graphics(program, &GraphicsState { name: name.to_owned(), ..state.clone() })?;
        self.made.push(pipeline.clone());
        Ok(pipeline)
    }

    /// Notes that the scene has a program of the table.
    pub fn note(&mut self, program: &SceneProgram) {
        self.programs.push((program.pass, program.name));
    }

    /// The programs of the table that the scene has, by pass and name.
    pub fn programs(&self) -> &[(&'static str, &'static str)] {
        &self.programs
    }

    /// Every pipeline that was made.
    pub fn made(&self) -> &[Pipeline] {
        &self.made
    }
}

/// A vertex element.
pub fn element(semantic: &'static str, format: Format, slot: u32, offset: u32) -> VertexElement {
    VertexElement { semantic: Cow::Borrowed(semantic), index: 0, format, slot, offset }
}

/// A vertex stream, a vertex a step.
pub fn stream(slot: u32, stride: u32) -> VertexStream {
    VertexStream { slot, stride, per_instance: false }
}
