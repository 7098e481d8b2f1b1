//! One frame: passes, dispatches and copies, recorded in order and submitted together.
//!
//! Owns the window's image of the frame. What is recorded is the recorder's, which a frame hands on.

use std::ops::{Deref, DerefMut, Range};

use rx_translate::interface::ResourceClass;
use rx_vk::{
    Bound, Buffer, Index, NotReady, Pipeline, Recorder, Slot, StreamTarget, Submitted, Targets, Texture, WindowImage,
};

use super::Renderer;
use crate::Error;

/// A frame being recorded. It gives all that a [`Recorder`] does; dropped, it is submitted as it is.
pub struct Frame<'r> {
    renderer: &'r mut Renderer,
    recorder: Recorder,
    image: Option<WindowImage>,
    drawn: bool,
    ended: bool,
}

impl Deref for Frame<'_> {
    type Target = Recorder;

    fn deref(&self) -> &Recorder {
        &self.recorder
    }
}

impl DerefMut for Frame<'_> {
    fn deref_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }
}

impl<'r> Frame<'r> {
    pub(super) fn new(renderer: &'r mut Renderer, recorder: Recorder, image: Option<WindowImage>) -> Frame<'r> {
        Frame { renderer, recorder, image, drawn: false, ended: false }
    }

    /// The window's image; none without a window, and while it has no size.
    pub fn target(&mut self) -> Option<Texture> {
        self.drawn = true;
        self.image.as_ref().map(|image| image.texture().clone())
    }

    /// Copies a texture to the window, scaled to its size.
    ///
    /// # Errors
    /// As [`Recorder::blit`].
    pub fn show(&mut self, texture: &Texture) -> Result<(), Error> {
        if let Some(target) = self.target() {
            self.recorder.blit(texture.mip(0).layer(0), target.mip(0))?;
        }
        Ok(())
    }

    /// Begins to run a compute pipeline.
    ///
    /// # Errors
    /// As [`Recorder::compute_pipeline`].
    pub fn compute(&mut self, pipeline: &Pipeline) -> Result<Compute<'_>, Error> {
        self.recorder.compute_pipeline(pipeline, self.renderer.not_ready)?;
        Ok(Compute { recorder: &mut self.recorder })
    }

    /// Begins a pass.
    ///
    /// # Errors
    /// As [`Recorder::begin_pass`].
    pub fn render(&mut self, targets: &Targets<'_>) -> Result<Pass<'_>, Error> {
        self.recorder.begin_pass(targets)?;
        Ok(Pass { recorder: &mut self.recorder, not_ready: self.renderer.not_ready, ended: false })
    }

    /// Submits the frame and shows it in the window.
    ///
    /// # Errors
    /// As [`Recorder::submit`], and those of the window.
    pub fn submit(mut self) -> Result<Submitted, Error> {
        self.end()
    }

    /// The same, for who cannot give the frame away. Nothing more can be recorded.
    ///
    /// # Errors
    /// As [`Frame::submit`]; [`rx_vk::Error::Argument`] a second time.
    pub fn end(&mut self) -> Result<Submitted, Error> {
        self.ended = true;
        let Some(image) = self.image.take() else { return Ok(self.recorder.end()?) };
        if !self.drawn {
            // An image that was acquired has to be shown.
            self.recorder.clear_color(image.texture().whole(), [0.0, 0.0, 0.0, 1.0])?;
        }
        self.recorder.show(&image)?;
        let submitted = self.recorder.end()?;
        if let Some(window) = &mut self.renderer.window {
            window.present(&image)?;
        }
        Ok(submitted)
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.end()
        {
            log::error!(target: "rx::device", "a frame that was dropped: {error}");
        }
    }
}

/// What a name or register of the current program is bound to: the same for passes and dispatches.
macro_rules! binding {
    ($kind:ident) => {
        impl $kind<'_> {
            /// Looks a name up once, for [`Self::bind_slot`].
            ///
            /// # Errors
            /// [`rx_vk::Error::Binding`] with the nearest name.
            pub fn slot(&self, name: &str) -> Result<Slot, Error> {
                Ok(self.recorder.slot(name)?)
            }

            /// Binds something by the shaders' own name, in every stage that has it.
            ///
            /// # Errors
            /// As [`Recorder::bind`]; [`rx_vk::Error::Binding`] with the nearest name.
            pub fn bind<'b>(&mut self, name: &str, value: impl Into<Bound<'b>>) -> Result<&mut Self, Error> {
                let slot = self.recorder.slot(name)?;
                self.bind_slot(slot, value)
            }

            /// Binds something at one element of an array.
            ///
            /// # Errors
            /// As [`Recorder::bind_element`].
            pub fn bind_element<'b>(
                &mut self,
                name: &str,
                element: u32,
                value: impl Into<Bound<'b>>,
            ) -> Result<&mut Self, Error> {
                let slot = self.recorder.slot(name)?;
                self.recorder.bind_element(slot, element, value)?;
                Ok(self)
            }

            /// Binds something at a slot that was looked up before.
            ///
            /// # Errors
            /// As [`Recorder::bind`].
            pub fn bind_slot<'b>(&mut self, slot: Slot, value: impl Into<Bound<'b>>) -> Result<&mut Self, Error> {
                self.recorder.bind(slot, value)?;
                Ok(self)
            }

            /// Binds something at a register, for shaders without names.
            ///
            /// # Errors
            /// As [`Recorder::bind`].
            pub fn bind_register<'b>(
                &mut self,
                class: ResourceClass,
                register: u32,
                space: u32,
                value: impl Into<Bound<'b>>,
            ) -> Result<&mut Self, Error> {
                let slot = self.recorder.program()?.register(class, register, space)?;
                self.bind_slot(slot, value)
            }

            /// Binds the hidden counter of an append, consume or counter UAV: four bytes of a buffer.
            ///
            /// # Errors
            /// As [`Recorder::bind`].
            pub fn bind_counter<'b>(&mut self, uav: &str, value: impl Into<Bound<'b>>) -> Result<&mut Self, Error> {
                let slot = self.recorder.program()?.counter(uav)?;
                self.bind_slot(slot, value)
            }

            /// Copies constants into the frame's memory and binds them.
            ///
            /// # Errors
            /// As [`Recorder::constants`].
            pub fn constants(&mut self, name: &str, bytes: &[u8]) -> Result<&mut Self, Error> {
                let slot = self.recorder.slot(name)?;
                self.recorder.constants(slot, bytes)?;
                Ok(self)
            }

            /// Sets the push constants.
            ///
            /// # Errors
            /// As [`Recorder::push_constants`].
            pub fn push_constants(&mut self, bytes: &[u8]) -> Result<&mut Self, Error> {
                self.recorder.push_constants(bytes)?;
                Ok(self)
            }
        }
    };
}

/// Dispatches of one compute pipeline.
pub struct Compute<'f> {
    recorder: &'f mut Recorder,
}

binding!(Compute);

impl Compute<'_> {
    /// Runs groups.
    ///
    /// # Errors
    /// As [`Recorder::dispatch`].
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<(), Error> {
        Ok(self.recorder.dispatch(groups)?)
    }

    /// Runs as many groups as three numbers in a buffer say.
    ///
    /// # Errors
    /// As [`Recorder::dispatch_indirect`].
    pub fn dispatch_indirect(&mut self, buffer: &Buffer, offset: u64) -> Result<(), Error> {
        Ok(self.recorder.dispatch_indirect(buffer, offset)?)
    }
}

/// A pass. It ends when it is dropped.
pub struct Pass<'f> {
    recorder: &'f mut Recorder,
    not_ready: NotReady,
    ended: bool,
}

binding!(Pass);

impl Pass<'_> {
    /// Takes a graphics pipeline. False: it is not compiled yet, and its draws are left out.
    ///
    /// # Errors
    /// As [`Recorder::pipeline`].
    pub fn pipeline(&mut self, pipeline: &Pipeline) -> Result<bool, Error> {
        Ok(self.recorder.pipeline(pipeline, self.not_ready)?)
    }

    /// Binds a vertex buffer.
    ///
    /// # Errors
    /// As [`Recorder::vertex_buffer`].
    pub fn vertex_buffer(&mut self, slot: u32, buffer: &Buffer, offset: u64) -> Result<&mut Self, Error> {
        self.recorder.vertex_buffer(slot, buffer, offset)?;
        Ok(self)
    }

    /// Binds an index buffer.
    ///
    /// # Errors
    /// As [`Recorder::index_buffer`].
    pub fn index_buffer(&mut self, buffer: &Buffer, offset: u64, index: Index) -> Result<&mut Self, Error> {
        self.recorder.index_buffer(buffer, offset, index)?;
        Ok(self)
    }

    /// Sets the viewport: left, top, width, height, least and greatest depth.
    ///
    /// # Errors
    /// As [`Recorder::viewport`].
    pub fn viewport(&mut self, viewport: [f32; 6]) -> Result<&mut Self, Error> {
        self.recorder.viewport(viewport)?;
        Ok(self)
    }

    /// Sets the scissor rectangle: left, top, right, bottom.
    ///
    /// # Errors
    /// As [`Recorder::scissor`].
    pub fn scissor(&mut self, rectangle: [i32; 4]) -> Result<&mut Self, Error> {
        self.recorder.scissor(rectangle)?;
        Ok(self)
    }

    /// Sets the blend factor and the stencil reference.
    ///
    /// # Errors
    /// As [`Recorder::blend_and_stencil`].
    pub fn blend_and_stencil(&mut self, blend: [f32; 4], stencil: u32) -> Result<&mut Self, Error> {
        self.recorder.blend_and_stencil(blend, stencil)?;
        Ok(self)
    }

    /// Draws vertices.
    ///
    /// # Errors
    /// As [`Recorder::draw`].
    #[inline]
    pub fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) -> Result<(), Error> {
        Ok(self.recorder.draw(vertices, instances)?)
    }

    /// Draws indices.
    ///
    /// # Errors
    /// As [`Recorder::draw_indexed`].
    pub fn draw_indexed(&mut self, indices: Range<u32>, base_vertex: i32, instances: Range<u32>) -> Result<(), Error> {
        Ok(self.recorder.draw_indexed(indices, base_vertex, instances)?)
    }

    /// Draws by arguments in a buffer.
    ///
    /// # Errors
    /// As [`Recorder::draw_indirect`].
    pub fn draw_indirect(&mut self, buffer: &Buffer, offset: u64, count: u32, stride: u32) -> Result<(), Error> {
        Ok(self.recorder.draw_indirect(buffer, offset, count, stride)?)
    }

    /// Draws indices by arguments in a buffer.
    ///
    /// # Errors
    /// As [`Recorder::draw_indexed_indirect`].
    pub fn draw_indexed_indirect(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        count: u32,
        stride: u32,
    ) -> Result<(), Error> {
        Ok(self.recorder.draw_indexed_indirect(buffer, offset, count, stride)?)
    }

    /// Draws vertices and streams out.
    ///
    /// # Errors
    /// As [`Recorder::draw_streamed`].
    pub fn draw_streamed(
        &mut self,
        vertices: Range<u32>,
        instances: Range<u32>,
        target: &StreamTarget<'_>,
    ) -> Result<(), Error> {
        Ok(self.recorder.draw_streamed(vertices, instances, target)?)
    }

    /// Draws what was streamed out.
    ///
    /// # Errors
    /// As [`Recorder::draw_auto`].
    pub fn draw_auto(&mut self, counter: &Buffer, offset: u64, stride: u32) -> Result<(), Error> {
        Ok(self.recorder.draw_auto(counter, offset, stride)?)
    }

    /// Ends the pass.
    ///
    /// # Errors
    /// As [`Recorder::end_pass`].
    pub fn end(mut self) -> Result<(), Error> {
        self.ended = true;
        Ok(self.recorder.end_pass()?)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.recorder.end_pass()
        {
            log::error!(target: "rx::device", "a pass's end: {error}");
        }
    }
}
