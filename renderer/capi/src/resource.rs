//! Buffers, textures, samplers and views.

use std::ffi::{c_char, c_void};

use ::rx_renderer::vk::FormatInfo;
use ::rx_renderer::{
    Address, Border, Buffer, BufferDesc, Compare, Filter, MemoryUse, Sampler, SamplerDesc, Texture, TextureDesc,
    TextureKind, TextureUsage, View,
};

use crate::format::{RX_FORMAT_NONE, format, number, rx_format};
use crate::renderer::rx_renderer;
use crate::result::{Failure, guard, guard_or, rx_result};
use crate::shader::rx_bool;

/// Where a buffer lies.
pub type rx_memory = u32;
/// Only the GPU reads and writes it.
pub const RX_MEMORY_DEVICE: rx_memory = 0;
/// The host writes, the GPU reads.
pub const RX_MEMORY_UPLOAD: rx_memory = 1;
/// The GPU writes, the host reads.
pub const RX_MEMORY_READBACK: rx_memory = 2;

/// A texture's kind.
pub type rx_texture_kind = u32;
/// Two-dimensional.
pub const RX_TEXTURE_2D: rx_texture_kind = 0;
/// One-dimensional.
pub const RX_TEXTURE_1D: rx_texture_kind = 1;
/// Three-dimensional.
pub const RX_TEXTURE_3D: rx_texture_kind = 2;
/// Cube: its layers are faces, six a cube.
pub const RX_TEXTURE_CUBE: rx_texture_kind = 3;

/// Shaders sample or load it.
pub const RX_USAGE_SAMPLED: u32 = 1;
/// Shaders read or write it as a UAV.
pub const RX_USAGE_STORAGE: u32 = 2;
/// It is rendered to, as colour or depth by its format.
pub const RX_USAGE_TARGET: u32 = 4;

/// How texels are filtered.
pub type rx_filter = u32;
/// Weighted.
pub const RX_FILTER_LINEAR: rx_filter = 0;
/// The nearest.
pub const RX_FILTER_POINT: rx_filter = 1;

/// What lies past a texture's edge.
pub type rx_address = u32;
/// The texture again.
pub const RX_ADDRESS_WRAP: rx_address = 0;
/// The texture mirrored.
pub const RX_ADDRESS_MIRROR: rx_address = 1;
/// The edge.
pub const RX_ADDRESS_CLAMP: rx_address = 2;
/// The border's colour.
pub const RX_ADDRESS_BORDER: rx_address = 3;

/// A border's colour.
pub type rx_border = u32;
/// (0, 0, 0, 0).
pub const RX_BORDER_TRANSPARENT: rx_border = 0;
/// (0, 0, 0, 1).
pub const RX_BORDER_BLACK: rx_border = 1;
/// (1, 1, 1, 1).
pub const RX_BORDER_WHITE: rx_border = 2;

/// A comparison, by Direct3D's numbers. What 0 is the field says.
pub type rx_compare = u32;
/// Direct3D's default of the field.
pub const RX_COMPARE_DEFAULT: rx_compare = 0;
/// Never.
pub const RX_COMPARE_NEVER: rx_compare = 1;
/// Less.
pub const RX_COMPARE_LESS: rx_compare = 2;
/// Equal.
pub const RX_COMPARE_EQUAL: rx_compare = 3;
/// Less or equal.
pub const RX_COMPARE_LESS_EQUAL: rx_compare = 4;
/// Greater.
pub const RX_COMPARE_GREATER: rx_compare = 5;
/// Not equal.
pub const RX_COMPARE_NOT_EQUAL: rx_compare = 6;
/// Greater or equal.
pub const RX_COMPARE_GREATER_EQUAL: rx_compare = 7;
/// Always.
pub const RX_COMPARE_ALWAYS: rx_compare = 8;

/// A buffer. It can be used for everything: constants, structured, raw and typed views, vertices, indices, arguments.
pub struct rx_buffer(pub(crate) Buffer);

/// A texture.
pub struct rx_texture(pub(crate) Texture);

/// A sampler.
pub struct rx_sampler(pub(crate) Sampler);

/// What a buffer is to be.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_buffer_desc {
    /// Name, for messages and debuggers.
    pub name: *const c_char,
    /// Bytes, at least 1.
    pub size: u64,
    /// Where it lies.
    pub memory: rx_memory,
}

/// What a texture is to be.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_texture_desc {
    /// Name, for messages and debuggers.
    pub name: *const c_char,
    /// Kind.
    pub kind: rx_texture_kind,
    /// Format; there is no default.
    pub format: rx_format,
    /// Width in texels; 0 is 1.
    pub width: u32,
    /// Height; 0 is 1.
    pub height: u32,
    /// Depth; 0 is 1.
    pub depth: u32,
    /// Array layers, of a cube six times its cubes; 0 is 1, of a cube 6.
    pub layers: u32,
    /// Levels; 0 is 1.
    pub mips: u32,
    /// Samples; 0 is 1.
    pub samples: u32,
    /// RX_USAGE_* bits; 0 is sampled, and rendered to where the format is not compressed.
    pub usage: u32,
}

/// What a sampler is to be. All zeros: linear in all three ways, wraps, takes every level.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_sampler_desc {
    /// Name, for messages and debuggers.
    pub name: *const c_char,
    /// Between texels.
    pub filter: rx_filter,
    /// Between levels.
    pub mip_filter: rx_filter,
    /// Past the edge, in all directions.
    pub address: rx_address,
    /// Border's colour.
    pub border: rx_border,
    /// Compares: a comparison sampler; 0 is none.
    pub compare: rx_compare,
    /// Largest ratio of anisotropic filtering, 1 to 16; 0 is off.
    pub max_anisotropy: f32,
    /// Added to the level.
    pub mip_bias: f32,
    /// Least level.
    pub min_lod: f32,
    /// Greatest level, where `limit_lod` is set.
    pub max_lod: f32,
    /// There is a greatest level.
    pub limit_lod: rx_bool,
}

/// A part of a texture. All zeros but the texture: all of it; where one level is asked for, the first.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_view {
    /// Texture.
    pub texture: *const rx_texture,
    /// First level.
    pub first_mip: u32,
    /// Levels; 0 is all that follow, or one where one level is asked for.
    pub mip_count: u32,
    /// First layer; of a three-dimensional target its slice.
    pub first_layer: u32,
    /// Layers; 0 is all that follow.
    pub layer_count: u32,
    /// Another format of the same texel size; 0 is the texture's own.
    pub format: rx_format,
    /// The stencil of a texture of depth and stencil.
    pub stencil: rx_bool,
}

impl rx_view {
    /// The part, for a shader.
    pub(crate) fn get<'a>(&self) -> Result<View<'a>, Failure> {
        self.part(false)
    }

    /// One level of it, for a pass or a copy.
    pub(crate) fn level<'a>(&self) -> Result<View<'a>, Failure> {
        self.part(true)
    }

    fn part<'a>(&self, one: bool) -> Result<View<'a>, Failure> {
        let texture: &'a Texture = &arg!(self.texture).0;
        let after = |first: u32, count: u32, all: u32| match count {
            0 => all.max(first.saturating_add(1)),
            count => first.saturating_add(count),
        };
        let mips = if one && self.mip_count == 0 { 1 } else { self.mip_count };
        let own = texture.whole();
        let view = View {
            mips: self.first_mip..after(self.first_mip, mips, texture.mips()),
            layers: self.first_layer..after(self.first_layer, self.layer_count, texture.layers()),
            stencil: self.stencil != 0,
            ..own
        };
        if self.format == RX_FORMAT_NONE {
            return Ok(view);
        }
        let other = format(self.format, "format")?;
        let bytes = |format| FormatInfo::of(format).map(|info| info.block_bytes);
        if bytes(other) != bytes(texture.format()) {
            let why = format!("{other:?} has not the texel size of {:?}", texture.format());
            return Err(Failure::value("format", why));
        }
        Ok(view.with_format(other))
    }
}

pub(crate) fn compare(number: rx_compare) -> Result<Option<Compare>, Failure> {
    Ok(Some(match number {
        RX_COMPARE_DEFAULT => return Ok(None),
        RX_COMPARE_NEVER => Compare::Never,
        RX_COMPARE_LESS => Compare::Less,
        RX_COMPARE_EQUAL => Compare::Equal,
        RX_COMPARE_LESS_EQUAL => Compare::LessEqual,
        RX_COMPARE_GREATER => Compare::Greater,
        RX_COMPARE_NOT_EQUAL => Compare::NotEqual,
        RX_COMPARE_GREATER_EQUAL => Compare::GreaterEqual,
        RX_COMPARE_ALWAYS => Compare::Always,
        other => return Err(Failure::value("compare", other)),
    }))
}

fn filter(number: rx_filter) -> Result<Filter, Failure> {
    match number {
        RX_FILTER_LINEAR => Ok(Filter::Linear),
        RX_FILTER_POINT => Ok(Filter::Point),
        other => Err(Failure::value("filter", other)),
    }
}

/// Makes a buffer. Its contents are undefined.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_buffer_create(
    renderer: *const rx_renderer,
    desc: *const rx_buffer_desc,
    out: *mut *mut rx_buffer,
) -> rx_result {
    create!(out, {
        let (renderer, desc) = (arg!(renderer), arg!(desc));
        let memory = match desc.memory {
            RX_MEMORY_DEVICE => MemoryUse::Device,
            RX_MEMORY_UPLOAD => MemoryUse::Upload,
            RX_MEMORY_READBACK => MemoryUse::Readback,
            other => return Err(Failure::value("memory", other)),
        };
        let name = text_or_none!(desc.name).unwrap_or("buffer");
        Ok(rx_buffer(renderer.device.buffer(&BufferDesc { name, size: desc.size, memory })?))
    })
}

/// Bytes of a buffer; 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_buffer_size(buffer: *const rx_buffer) -> u64 {
    guard_or(0, || Ok(arg!(buffer).0.size()))
}

/// Writes to memory that the host sees (RX_MEMORY_UPLOAD), at once: what the GPU has not read yet changes under it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_buffer_write(
    buffer: *const rx_buffer,
    offset: u64,
    bytes: *const c_void,
    size: usize,
) -> rx_result {
    guard(|| Ok(arg!(buffer).0.write(offset, bytes!(bytes, size))?))
}

/// Reads memory that the host sees (RX_MEMORY_READBACK), as it is now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_buffer_read(
    buffer: *const rx_buffer,
    offset: u64,
    bytes: *mut c_void,
    size: usize,
) -> rx_result {
    guard(|| {
        let end = offset.checked_add(size as u64).ok_or_else(|| Failure::value("offset", offset))?;
        let read = arg!(buffer).0.read(offset..end)?;
        // SAFETY: the caller has memory for `size` bytes, as many as were read.
        unsafe { crate::args::put_bytes(bytes, &read, "bytes") }
    })
}

/// Destroys a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_buffer_destroy(buffer: *mut rx_buffer) {
    destroy!(buffer);
}

/// Makes a texture. Its contents are undefined.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_texture_create(
    renderer: *const rx_renderer,
    desc: *const rx_texture_desc,
    out: *mut *mut rx_texture,
) -> rx_result {
    create!(out, {
        let (renderer, desc) = (arg!(renderer), arg!(desc));
        let kind = match desc.kind {
            RX_TEXTURE_2D => TextureKind::D2,
            RX_TEXTURE_1D => TextureKind::D1,
            RX_TEXTURE_3D => TextureKind::D3,
            RX_TEXTURE_CUBE => TextureKind::Cube,
            other => return Err(Failure::value("kind", other)),
        };
        let format = format(desc.format, "format")?;
        let compressed = FormatInfo::of(format).is_some_and(|info| info.block_size > 1);
        let usage = match desc.usage {
            0 if compressed => RX_USAGE_SAMPLED,
            0 => RX_USAGE_SAMPLED | RX_USAGE_TARGET,
            bits @ 1..=7 => bits,
            other => return Err(Failure::value("usage", format!("{other:#x}"))),
        };
        let desc = TextureDesc {
            name: text_or_none!(desc.name).unwrap_or("texture"),
            kind,
            format,
            size: [desc.width, desc.height, desc.depth].map(|side| side.max(1)),
            layers: desc.layers.max(if kind == TextureKind::Cube && desc.layers == 0 { 6 } else { 1 }),
            mips: desc.mips.max(1),
            samples: desc.samples.max(1),
            usage: TextureUsage {
                sampled: usage & RX_USAGE_SAMPLED != 0,
                storage: usage & RX_USAGE_STORAGE != 0,
                target: usage & RX_USAGE_TARGET != 0,
            },
        };
        Ok(rx_texture(renderer.device.texture(&desc)?))
    })
}

/// A texture's format, sizes, layers, levels and samples; the other fields stay 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_texture_info(texture: *const rx_texture, out: *mut rx_texture_desc) -> rx_result {
    guard(|| {
        let texture = &arg!(texture).0;
        let [width, height, depth] = texture.size();
        let info = rx_texture_desc {
            format: number(texture.format()),
            width,
            height,
            depth,
            layers: texture.layers(),
            mips: texture.mips(),
            samples: texture.samples(),
            ..rx_texture_desc::default()
        };
        put!(out, info);
        Ok(())
    })
}

/// Bytes of the texels of one level, tightly packed: what rx_frame_upload and rx_renderer_read_texture take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_view_bytes(view: *const rx_view, out: *mut u64) -> rx_result {
    guard(|| {
        put!(out, arg!(view).level()?.bytes()?);
        Ok(())
    })
}

/// Destroys a texture.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_texture_destroy(texture: *mut rx_texture) {
    destroy!(texture);
}

/// Makes a sampler. `desc` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_sampler_create(
    renderer: *const rx_renderer,
    desc: *const rx_sampler_desc,
    out: *mut *mut rx_sampler,
) -> rx_result {
    create!(out, {
        let (renderer, desc) = (arg!(renderer), arg_or_zeros!(desc));
        let own = SamplerDesc::default();
        let desc = SamplerDesc {
            name: text_or_none!(desc.name).unwrap_or(own.name),
            filter: filter(desc.filter)?,
            mip_filter: filter(desc.mip_filter)?,
            address: match desc.address {
                RX_ADDRESS_WRAP => Address::Wrap,
                RX_ADDRESS_MIRROR => Address::Mirror,
                RX_ADDRESS_CLAMP => Address::Clamp,
                RX_ADDRESS_BORDER => Address::Border,
                other => return Err(Failure::value("address", other)),
            },
            border: match desc.border {
                RX_BORDER_TRANSPARENT => Border::Transparent,
                RX_BORDER_BLACK => Border::Black,
                RX_BORDER_WHITE => Border::White,
                other => return Err(Failure::value("border", other)),
            },
            compare: compare(desc.compare)?,
            max_anisotropy: desc.max_anisotropy,
            mip_bias: desc.mip_bias,
            lod: [desc.min_lod, if desc.limit_lod == 0 { own.lod[1] } else { desc.max_lod }],
        };
        if !(desc.lod[0] <= desc.lod[1] && desc.mip_bias.is_finite() && desc.max_anisotropy >= 0.0) {
            return Err(Failure::value("desc", format!("levels {:?}, bias {}", desc.lod, desc.mip_bias)));
        }
        Ok(rx_sampler(renderer.device.sampler(&desc)?))
    })
}

/// Destroys a sampler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_sampler_destroy(sampler: *mut rx_sampler) {
    destroy!(sampler);
}
