//! A program with everything that it reads: what a run and the interpreter are given.

use crate::vulkan::Register;
use rx_translate::interface::{Component, ResourceClass};
use std::fmt;

/// A program and its inputs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed that the generator made it from.
    pub seed: u64,
    /// Assembly text.
    pub text: String,
    /// How it is launched.
    pub launch: Launch,
    /// What is bound.
    pub resources: Vec<Resource>,
    /// Whether an index may be outside its buffer.
    pub out_of_range: bool,
}

/// How a program is launched.
#[derive(Clone, Debug)]
pub enum Launch {
    /// A dispatch.
    Compute {
        /// Groups in x, y and z.
        groups: [u32; 3],
    },
    /// A pixel shader that runs once for each pixel of [`PIXELS`] by [`PIXELS`].
    Pixels {
        /// The value of each input `TEXCOORDn`, the same in every pixel.
        inputs: Vec<Varying>,
        /// The type of each render target; a target has four 32-bit components.
        targets: Vec<Component>,
    },
    /// A vertex shader that runs once for each vertex.
    Vertices {
        /// The attributes `TEXCOORDn`: a value a vertex.
        attributes: Vec<Attribute>,
        /// Vertices.
        count: u32,
        /// The type of each output `TEXCOORDn`.
        outputs: Vec<Component>,
    },
}

/// Pixels in a row and in a column of the target.
pub const PIXELS: u32 = 4;

/// A constant input of a pixel shader.
#[derive(Clone, Debug)]
pub struct Varying {
    /// Its type in the signature.
    pub component: Component,
    /// Its words.
    pub value: [u32; 4],
}

/// A vertex attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its type in the signature.
    pub component: Component,
    /// The words of each vertex.
    pub values: Vec<[u32; 4]>,
}

/// A bound buffer or texture.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Where.
    pub register: Register,
    /// As what.
    pub view: View,
    /// Its content. For a texture: each level's layers, texels in rows.
    pub words: Vec<u32>,
}

/// A view of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A constant buffer.
    Constants,
    /// A raw buffer.
    Raw,
    /// A structured buffer of records of so many bytes.
    Structured(u32),
    /// A typed buffer of a DXGI format.
    Typed(u32),
    /// A 2D texture with 32-bit texels.
    Texture(Image),
    /// The counter of a structured buffer.
    Counter,
}

/// The shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// DXGI format.
    pub format: u32,
    /// Width and height of the first level.
    pub size: [u32; 2],
    /// Array layers.
    pub layers: u32,
    /// Levels.
    pub levels: u32,
}

impl Resource {
    /// Whether a program may write it.
    pub fn is_written(&self) -> bool {
        matches!(self.register.0, ResourceClass::Uav | ResourceClass::UavCounter)
    }

    /// The register as a reader knows it: `u0`.
    pub fn name(&self) -> String {
        let (class, _, number) = self.register;
        match class {
            ResourceClass::Cbv => format!("cb{number}"),
            ResourceClass::Srv => format!("t{number}"),
            ResourceClass::UavCounter => format!("counter of u{number}"),
            _ => format!("u{number}"),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// seed {}, {}", self.seed, self.launch)?;
        for resource in &self.resources {
            write!(f, "// {} ({:?}):", resource.name(), resource.view)?;
            words(f, &resource.words)?;
        }
        match &self.launch {
            Launch::Compute { .. } => {}
            Launch::Pixels { inputs, .. } => {
                for (n, input) in inputs.iter().enumerate() {
                    write!(f, "// TEXCOORD{n} ({:?}):", input.component)?;
                    words(f, &input.value)?;
                }
            }
            Launch::Vertices { attributes, .. } => {
                for (n, attribute) in attributes.iter().enumerate() {
                    write!(f, "// TEXCOORD{n} ({:?}):", attribute.component)?;
                    words(f, attribute.values.as_flattened())?;
                }
            }
        }
        write!(f, "{}", self.text)
    }
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Launch::Compute { groups: [x, y, z] } => write!(f, "{x} by {y} by {z} groups"),
            Launch::Pixels { .. } => write!(f, "{PIXELS} by {PIXELS} pixels"),
            Launch::Vertices { count, .. } => write!(f, "{count} vertices"),
        }
    }
}

/// Words after a heading, a run of equal ones once.
fn words(f: &mut fmt::Formatter<'_>, words: &[u32]) -> fmt::Result {
    for run in words.chunk_by(|a, b| a == b) {
        match run.len() {
            1 => write!(f, " {:#x}", run[0])?,
            n => write!(f, " {n}*{:#x}", run[0])?,
        }
    }
    writeln!(f)
}
