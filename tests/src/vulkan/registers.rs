//! Direct3D's registers and what a test binds to them.

use super::{Buffer, Texture};
use rx_translate::interface::ResourceClass;
use std::collections::BTreeMap;

/// A register: class, space, number.
pub type Register = (ResourceClass, u32, u32);

/// Constant buffer `n` of space 0.
pub fn b(n: u32) -> Register {
    (ResourceClass::Cbv, 0, n)
}

/// Shader resource `n` of space 0.
pub fn t(n: u32) -> Register {
    (ResourceClass::Srv, 0, n)
}

/// Unordered access view `n` of space 0.
pub fn u(n: u32) -> Register {
    (ResourceClass::Uav, 0, n)
}

/// Sampler `n` of space 0.
pub fn s(n: u32) -> Register {
    (ResourceClass::Sampler, 0, n)
}

/// What stands at a register. The view follows from what the shader declares.
#[derive(Clone, Copy)]
pub enum Bound<'a> {
    /// A constant, raw or structured buffer. Its range is the whole buffer, or whole records where the shader declares
    /// a stride.
    Buffer(&'a Buffer),
    /// A typed buffer, with its DXGI format.
    Typed(&'a Buffer, u32),
    /// A texture.
    Texture(&'a Texture),
    /// A sampler.
    Sampler(SamplerState),
}

/// Direct3D's sampler description, by Direct3D 12's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerState {
    /// `D3D12_FILTER`: bit 0 linear mips, bit 2 linear magnification, bit 4 linear minification, bit 6 anisotropic, bit 7
    /// comparison.
    pub filter: u32,
    /// `D3D12_TEXTURE_ADDRESS_MODE` of u, v, w: 1 wrap, 2 mirror, 3 clamp, 4 border, 5 mirror once.
    pub address: [u32; 3],
    /// `D3D12_COMPARISON_FUNC`: 1 never to 8 always; 0 is none.
    pub comparison: u32,
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// Least level of detail.
    pub min_lod: f32,
    /// Greatest level of detail.
    pub max_lod: f32,
    /// Border: transparent black, or opaque white.
    pub white_border: bool,
}

impl SamplerState {
    /// Nearest texel and level, clamped.
    pub fn point() -> SamplerState {
        SamplerState {
            filter: 0,
            address: [3; 3],
            comparison: 0,
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: 1000.0,
            white_border: false,
        }
    }

    /// Linear in everything, clamped.
    pub fn linear() -> SamplerState {
        SamplerState { filter: 0x15, ..SamplerState::point() }
    }

    /// Nearest texel compared.
    pub fn comparison(function: u32) -> SamplerState {
        SamplerState { filter: 0x80, comparison: function, ..SamplerState::point() }
    }
}

/// What a stage finds at its registers. A register with nothing reads as Direct3D's unbound one.
#[derive(Clone, Default)]
pub struct Registers<'a> {
    bound: BTreeMap<Register, Bound<'a>>,
    /// Class instances by slot: type, constant buffer, its first element there, first texture, first sampler.
    instances: BTreeMap<u32, [u32; 5]>,
}

impl<'a> Registers<'a> {
    /// Nothing bound.
    pub fn new() -> Self {
        Registers::default()
    }

    /// With one more.
    pub fn with(mut self, register: Register, bound: Bound<'a>) -> Self {
        self.bind(register, bound);
        self
    }

    /// With a buffer.
    pub fn buffer(self, register: Register, buffer: &'a Buffer) -> Self {
        self.with(register, Bound::Buffer(buffer))
    }

    /// With a texture.
    pub fn texture(self, register: Register, texture: &'a Texture) -> Self {
        self.with(register, Bound::Texture(texture))
    }

    /// With a sampler.
    pub fn sampler(self, register: Register, state: SamplerState) -> Self {
        self.with(register, Bound::Sampler(state))
    }

    /// With the hidden counter of UAV `n` of space 0.
    pub fn counter(self, n: u32, buffer: &'a Buffer) -> Self {
        self.with((ResourceClass::UavCounter, 0, n), Bound::Buffer(buffer))
    }

    /// With a class instance in a slot: its type's place among the interface's, its constant buffer and the element
    /// where it begins there.
    pub fn with_instance(mut self, slot: u32, ty: u32, buffer: u32, element: u32) -> Self {
        self.instances.insert(slot, [ty, buffer, element, 0, 0]);
        self
    }

    /// What stands in a slot: zeros where nothing does.
    pub(super) fn instance(&self, slot: u32) -> [u32; 5] {
        self.instances.get(&slot).copied().unwrap_or_default()
    }

    /// Binds, or replaces.
    pub fn bind(&mut self, register: Register, bound: Bound<'a>) {
        self.bound.insert(register, bound);
    }

    /// What stands at a register.
    pub fn get(&self, register: Register) -> Option<Bound<'a>> {
        self.bound.get(&register).copied()
    }
}
