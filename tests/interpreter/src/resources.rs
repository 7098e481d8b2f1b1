//! What is bound to a program: bytes in, bytes out.

use std::collections::BTreeMap;

/// A register number and its space. Shader models before 5.1 use space 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Register space.
    pub space: u32,
    /// Register number: 3 for `t3`.
    pub register: u32,
}

impl From<u32> for Slot {
    /// Returns the register of this number in space 0.
    fn from(register: u32) -> Self {
        Slot { space: 0, register }
    }
}

/// A kind of register that a resource is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `b#`.
    ConstantBuffer,
    /// `t#`.
    ShaderResource,
    /// `u#`.
    UnorderedAccess,
}

/// Everything that is bound. A register without an entry is unbound: it reads as zero and drops writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Constant buffers (`b#`). A last vector that is not complete reads as zero where bytes are missing.
    pub constant_buffers: BTreeMap<Slot, Vec<u8>>,
    /// Shader resource views (`t#`).
    pub shader_resources: BTreeMap<Slot, View>,
    /// Unordered access views (`u#`).
    pub unordered_access: BTreeMap<Slot, View>,
    /// Samples of the render targets: what `sampleinfo` and `samplepos` of the rasterizer give. 0 counts as 1.
    pub rasterizer_samples: u32,
    /// Class instances by interface slot. A slot without an entry holds an instance of the first type with zeros.
    pub instances: BTreeMap<u32, Instance>,
}

/// A class instance (`ID3D11ClassInstance`): what `fcall` calls and what `this` points to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Its type: a position in the interface's list of function tables.
    pub ty: u32,
    /// Constant buffer that holds its data.
    pub buffer: u32,
    /// Offset of its data in the buffer, in vectors.
    pub element: u32,
    /// First texture register.
    pub texture: u32,
    /// First sampler register.
    pub sampler: u32,
}

/// A view of a buffer or texture. Each view has its own memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Raw buffer.
    Raw {
        /// Its contents.
        bytes: Vec<u8>,
    },
    /// Structured buffer.
    Structured {
        /// Bytes of one structure.
        stride: u32,
        /// Its contents; only whole structures count.
        bytes: Vec<u8>,
        /// Hidden counter of an append, consume or counter buffer.
        counter: Option<u32>,
    },
    /// Typed buffer.
    Typed {
        /// `DXGI_FORMAT` number.
        format: u32,
        /// Its contents; only whole elements count.
        bytes: Vec<u8>,
    },
    /// Texture.
    Texture(Texture),
}

/// A texture without filtering: what `ld`, `ld_uav_typed`, `store_uav_typed` and `resinfo` need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// `DXGI_FORMAT` number.
    pub format: u32,
    /// Width, height and depth of the first mip level, in texels; 1 for what the dimension does not have.
    pub size: [u32; 3],
    /// Array layers, 6 for each cube; at least 1.
    pub layers: u32,
    /// Mip levels; at least 1.
    pub levels: u32,
    /// Samples of each texel; at least 1.
    pub samples: u32,
    /// Texels, tightly packed: for each mip level all layers, for each layer depth slices, rows, texels, samples.
    pub bytes: Vec<u8>,
}
