//! Buffers, textures and samplers.
//!
//! Owns the objects, their memory and their views. Each is a cheap clone; when the last clone goes, the object goes as soon
//! as the GPU is done with it.

use std::sync::atomic::{AtomicU64, Ordering};

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

/// A number that no other object of this process has.
pub(crate) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Objects are printed by name.
macro_rules! printed {
    ($($kind:ident: $name:expr;)*) => {
        $(impl std::fmt::Debug for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let name: fn(&$kind) -> &str = $name;
                write!(f, "{}({:?})", stringify!($kind), name(self))
            }
        })*
    };
}
pub(crate) use printed;

printed! {
    Buffer: Buffer::name;
    Texture: Texture::name;
    TexelView: |view| view.buffer.name();
    Sampler: |sampler| &sampler.0.name;
}
