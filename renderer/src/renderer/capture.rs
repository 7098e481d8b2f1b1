//! Pictures as PNG files.

use ash::vk;
use rx_vk::{Texture, ash};

use super::Renderer;
use crate::Error;

impl Renderer {
    /// A texture of eight bits a component as a PNG file's bytes: its first level and layer, after all frames before.
    ///
    /// # Errors
    /// [`Error::Capture`] for another format; as [`Renderer::read_texture`].
    pub fn capture_png(&mut self, texture: &Texture) -> Result<Vec<u8>, Error> {
        let order = match texture.format() {
            vk::Format::R8G8B8A8_UNORM | vk::Format::R8G8B8A8_SRGB => [0, 1, 2, 3],
            vk::Format::B8G8R8A8_UNORM | vk::Format::B8G8R8A8_SRGB => [2, 1, 0, 3],
            format => return Err(Error::Capture { why: format!("{} is of format {format:?}", texture.name()) }),
        };
        let [width, height, _] = texture.size();
        let mut texels = self.read_texture(texture.mip(0).layer(0))?;
        for texel in texels.chunks_exact_mut(4) {
            let own = [texel[0], texel[1], texel[2], texel[3]];
            texel.copy_from_slice(&order.map(|component: usize| own[component]));
        }
        encode(width, height, &texels).map_err(|error| Error::Capture { why: error.to_string() })
    }
}

fn encode(width: u32, height: u32, texels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(texels)?;
    writer.finish()?;
    Ok(file)
}
