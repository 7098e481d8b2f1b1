//! Buffers, textures and samplers.
//!
//! Owns the objects, their memory and their views. Each is a cheap clone; when the last clone goes, the object goes as soon
//! as the GPU is done with it.

mod buffer;
mod format;
mod sampler;
mod texture;

pub(crate) use buffer::RawBuffer;
pub use buffer::{Buffer, BufferDesc, TexelView};
pub use format::FormatInfo;
pub use sampler::{Address, Border, Compare, Filter, Sampler, SamplerDesc};
pub(crate) use texture::RawImage;
pub use texture::{Texture, TextureDesc, TextureKind, TextureUsage, View};
