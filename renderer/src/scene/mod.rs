//! The demo scene, "harbour at dusk": a deferred renderer over geometry and textures that are made from formulas.
//!
//! Owns what a host that draws it must know: programs, meshes, instances, lights, constants, passes and their order. It
//! uses the renderer's public face alone, as a game would.

pub mod atlas;
pub mod camera;
pub mod constants;
mod frame;
pub mod instances;
pub mod lights;
pub mod math;
pub mod mesh;
mod passes;
pub mod programs;
mod resources;
mod setup;

use crate::{Buffer, Error, Frame, Renderer, Submitted, Texture};
use frame::Passes;
use instances::Instances;
use lights::Lights;
use passes::textures::Textures;
use resources::Resources;
use setup::Setup;

/// The frame of the reference picture: two seconds in.
pub const REFERENCE_FRAME: u32 = 120;

/// Which languages the programs come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Languages {
    /// Direct3D bytecode, and some passes in WGSL and GLSL.
    #[default]
    Mixed,
    /// Direct3D bytecode alone.
    Direct3d,
}

/// Which program shades. The picture is the same, to rounding; what it fills of a device's tables is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lighting {
    /// Ten textures and buffers, three samplers.
    #[default]
    Plain,
    /// 16 samplers.
    Samplers16,
    /// 19 samplers, of which 16 are an array: shader model 5.1.
    Samplers19,
    /// 34 textures and buffers.
    Textures34,
    /// 50 textures and buffers, of which 40 are an array: shader model 5.1.
    Textures50,
}

impl Lighting {
    /// Every variant.
    pub const ALL: [Lighting; 5] =
        [Lighting::Plain, Lighting::Samplers16, Lighting::Samplers19, Lighting::Textures34, Lighting::Textures50];

    /// The program's name in the table.
    pub fn program(self) -> &'static str {
        match self {
            Lighting::Plain => "deferred",
            Lighting::Samplers16 => "16 samplers",
            Lighting::Samplers19 => "19 samplers",
            Lighting::Textures34 => "34 textures",
            Lighting::Textures50 => "50 textures",
        }
    }
}

/// Which program splits the g-buffer into images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Eight images, by compute.
    Eight,
    /// Nine images, by compute.
    Nine,
    /// Eight images, by a triangle.
    EightDrawn,
    /// Nine images, by a triangle.
    NineDrawn,
}

impl Split {
    /// Every variant.
    pub const ALL: [Split; 4] = [Split::Eight, Split::Nine, Split::EightDrawn, Split::NineDrawn];

    /// The program's name in the table.
    pub fn program(self) -> &'static str {
        match self {
            Split::Eight => "8 images",
            Split::Nine => "9 images",
            Split::EightDrawn => "8 images drawn",
            Split::NineDrawn => "9 images drawn",
        }
    }

    fn nine(self) -> bool {
        matches!(self, Split::Nine | Split::NineDrawn)
    }

    fn drawn(self) -> bool {
        matches!(self, Split::EightDrawn | Split::NineDrawn)
    }
}

/// What makes squares of particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Billboards {
    /// A geometry stage.
    Geometry,
    /// A vertex stage that pulls them: for Metal, which has no geometry stage.
    Pulled,
}

/// What the scene shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneOptions {
    /// The picture's width, pixels.
    pub width: u32,
    /// The picture's height, pixels.
    pub height: u32,
    /// Where the programs come from.
    pub languages: Languages,
    /// Direct3D's shaders at shader model 5.1, with register spaces.
    pub model_51: bool,
    /// Which program shades.
    pub lighting: Lighting,
    /// Whether the g-buffer is split, and how.
    pub split: Option<Split>,
    /// What makes squares of particles; `None` takes a geometry stage where the device has one.
    pub billboards: Option<Billboards>,
    /// Whether what a game's tools draw stands over the picture: an outline, a decal, bars, text, in WGSL and GLSL.
    pub extras: bool,
    /// Whether the lights are marked by lines.
    pub debug_lines: bool,
}

impl Default for SceneOptions {
    /// The reference picture.
    fn default() -> SceneOptions {
        SceneOptions {
            width: 1280,
            height: 720,
            languages: Languages::default(),
            model_51: false,
            lighting: Lighting::default(),
            split: None,
            billboards: None,
            extras: false,
            debug_lines: false,
        }
    }
}

/// How much of a frame is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All of it.
    Whole,
    /// The particles' step alone: what a later frame needs of this one.
    Particles,
}

/// The scene on a device.
pub struct Scene {
    resources: Resources,
    passes: Passes,
    instances: Instances,
    lights: Lights,
    programs: Vec<(&'static str, &'static str)>,
}

impl Scene {
    /// Creates it: programs, pipelines, textures, buffers. `progress` is told how many pipelines are ready, and of how
    /// many.
    ///
    /// # Errors
    /// The first program that is not translated, that the device cannot have, or whose pipeline does not compile; and
    /// what the device itself says.
    pub fn new(
        renderer: &mut Renderer,
        options: &SceneOptions,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Scene, Error> {
        let size = [options.width.max(1), options.height.max(1)];
        let resources = Resources::new(renderer, size)?;
        let (passes, textures, programs) = {
            let mut setup = Setup::new(renderer, options);
            let textures = Textures::new(&mut setup)?;
            let passes = Passes::new(&mut setup, size)?;
            renderer.warm_up(setup.made(), progress)?;
            (passes, textures, setup.programs().to_vec())
        };
        let mut first = renderer.begin_frame()?;
        frame::prepare(&mut first, &resources, &textures)?;
        first.submit()?;
        Ok(Scene { resources, passes, instances: Instances::new(), lights: Lights::new(), programs })
    }

    /// Records frame `index` into a frame that the caller has begun.
    ///
    /// # Errors
    /// What the device says.
    pub fn record(&self, frame: &mut Frame<'_>, index: u32, kind: Kind) -> Result<(), Error> {
        let now = frame::now(self.resources.size, index);
        match kind {
            Kind::Particles => self.passes.particles.step(frame, &self.resources, &now),
            Kind::Whole => {
                frame::place(frame, &self.resources, &self.instances, &self.lights, index)?;
                self.passes.record(frame, &self.resources, &now, &self.instances)
            }
        }
    }

    /// Draws frame `index`. Frames follow one another: the particles of each come from the one before.
    ///
    /// # Errors
    /// What the device says.
    pub fn frame(&self, renderer: &mut Renderer, index: u32, kind: Kind) -> Result<Submitted, Error> {
        let mut frame = renderer.begin_frame()?;
        self.record(&mut frame, index, kind)?;
        frame.submit()
    }

    /// The programs of the table that it has, by pass and name.
    pub fn programs(&self) -> &[(&'static str, &'static str)] {
        &self.programs
    }

    /// The picture.
    pub fn display(&self) -> &Texture {
        &self.resources.targets.display_b
    }

    /// The images of the split g-buffer, in the order of their registers; none where it is not asked for.
    pub fn split_images(&self) -> &[Texture] {
        self.passes.split.as_ref().map_or(&[], |split| split.images())
    }

    /// Of the extras: how many instances are seen, and their indices in any order.
    pub fn visible(&self) -> Option<&Buffer> {
        self.passes.extras.as_ref().map(|extras| extras.visible())
    }

    /// What makes squares of particles here.
    pub fn billboards(&self) -> Billboards {
        self.passes.particles.billboards()
    }
}
