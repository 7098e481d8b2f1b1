//! Windows: a surface, its swapchain, and how it lives through resizing, minimising and losing its surface.
//!
//! Owns the swapchain's images and semaphores. A swapchain that is out of date is made anew here and nowhere else.

#![allow(unsafe_code)] // Vulkan calls.

use std::sync::PoisonError;

use ash::{khr, vk};
use raw_window_handle::{RawDisplayHandle, RawWindowHandle};

use crate::device::{Device, Instance};
use crate::error::vulkan;
use crate::recorder::Recorder;
use crate::resource::{FormatInfo, Texture, TextureDesc};
use crate::track::{State, Use};
use crate::{Adapter, Error};

/// A window's surface. Destroyed with its last owner.
pub struct Surface {
    raw: vk::SurfaceKHR,
    calls: khr::surface::Instance,
    instance: Instance,
}

impl Drop for Surface {
    fn drop(&mut self) {
        // SAFETY: the swapchain, which holds this value, is gone.
        unsafe { self.calls.destroy_surface(self.raw, None) };
    }
}

impl Surface {
    /// The surface of a window.
    ///
    /// # Safety
    /// Both handles are of a live window that outlives the surface.
    ///
    /// # Errors
    /// [`Error::NoSurface`] where the instance was not made for such a display; [`Error::OutOfMemory`].
    pub unsafe fn new(
        instance: &Instance,
        display: RawDisplayHandle,
        window: RawWindowHandle,
    ) -> Result<Surface, Error> {
        if !instance.0.surfaces {
            return Err(Error::NoSurface { why: "the instance was made without a display".to_owned() });
        }
        let (entry, raw) = (&instance.0.entry, &instance.0.raw);
        // SAFETY: as the caller promises.
        let surface = unsafe { ash_window::create_surface(entry, raw, display, window, None) };
        let surface = surface.map_err(|result| match result {
            vk::Result::ERROR_EXTENSION_NOT_PRESENT => {
                Error::NoSurface { why: "Vulkan has no surface for this kind of window".to_owned() }
            }
            result => vulkan("vkCreateSurfaceKHR", "the window")(result),
        })?;
        let calls = khr::surface::Instance::new(entry, raw);
        Ok(Surface { raw: surface, calls, instance: instance.clone() })
    }

    /// Takes a surface that the host made itself, and destroys it at the end.
    ///
    /// # Safety
    /// The surface is one of `instance`, nobody else's, and its window outlives it.
    ///
    /// # Errors
    /// [`Error::NoSurface`] where the instance has no VK_KHR_surface.
    pub unsafe fn from_raw(instance: &Instance, raw: vk::SurfaceKHR) -> Result<Surface, Error> {
        if !instance.0.surfaces {
            return Err(Error::NoSurface { why: "the instance was made without VK_KHR_surface".to_owned() });
        }
        let calls = khr::surface::Instance::new(&instance.0.entry, &instance.0.raw);
        Ok(Surface { raw, calls, instance: instance.clone() })
    }

    /// Whether a device can show its pictures in the window.
    ///
    /// # Errors
    /// [`Error::SurfaceLost`], [`Error::OutOfMemory`].
    pub fn is_supported(&self, adapter: &Adapter) -> Result<bool, Error> {
        let raw = self.instance.raw();
        // SAFETY: the handles are live; the calls only read.
        let families = unsafe { raw.get_physical_device_queue_family_properties(adapter.raw()) };
        let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let Some(family) = families.iter().position(|own| own.queue_flags.contains(wanted)) else { return Ok(false) };
        // SAFETY: as above.
        let supported =
            unsafe { self.calls.get_physical_device_surface_support(adapter.raw(), family as u32, self.raw) };
        supported.map_err(vulkan("vkGetPhysicalDeviceSurfaceSupportKHR", "the window"))
    }
}

/// How pictures follow one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pace {
    /// One a refresh of the display; none is torn.
    #[default]
    Display,
    /// As fast as they come, where the display can; else as [`Pace::Display`].
    Unbound,
}

/// An image of the window, to be drawn to and shown.
pub struct WindowImage {
    index: u32,
    texture: Texture,
    wait: vk::Semaphore,
    signal: vk::Semaphore,
}

impl WindowImage {
    /// The image, as a target to render or copy to.
    pub fn texture(&self) -> &Texture {
        &self.texture
    }
}

/// A window's images.
pub struct Swapchain {
    device: Device,
    surface: Surface,
    pace: Pace,
    raw: vk::SwapchainKHR,
    images: Vec<Texture>,
    /// Signalled when an image may be drawn to, one a recording in flight and one more; taken in turn.
    acquired: Vec<vk::Semaphore>,
    turn: usize,
    /// Signalled when an image is drawn, one an image.
    drawn: Vec<vk::Semaphore>,
    size: [u32; 2],
    stale: bool,
}

/// The stages that wait for an image: all that draw or copy to it.
const WAITS: vk::PipelineStageFlags = vk::PipelineStageFlags::from_raw(
    vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT.as_raw() | vk::PipelineStageFlags::TRANSFER.as_raw(),
);
/// Times that a swapchain is made anew for one picture, before the window is given up for this time.
const TRIES: usize = 3;

impl Swapchain {
    /// A swapchain of a window; its images are made with the first picture.
    ///
    /// # Errors
    /// [`Error::NoSurface`] where the device cannot show pictures in the window; [`Error::OutOfMemory`].
    pub fn new(device: &Device, surface: Surface, pace: Pace) -> Result<Swapchain, Error> {
        let core = &device.0.core;
        // SAFETY: the handles are live; the call only reads.
        let supported =
            unsafe { surface.calls.get_physical_device_surface_support(core.physical, core.family, surface.raw) };
        let supported = supported.map_err(vulkan("vkGetPhysicalDeviceSurfaceSupportKHR", "the window"))?;
        if !supported || core.swapchain.is_none() {
            return Err(Error::NoSurface { why: format!("{} does not show pictures here", device.real_facts().name) });
        }
        let mut own = Swapchain {
            device: device.clone(),
            surface,
            pace,
            raw: vk::SwapchainKHR::null(),
            images: Vec::new(),
            acquired: Vec::new(),
            turn: 0,
            drawn: Vec::new(),
            size: [0; 2],
            stale: true,
        };
        for _ in 0..=device.0.options.frames_in_flight.clamp(1, 8) {
            let semaphore = own.semaphore()?;
            own.acquired.push(semaphore);
        }
        Ok(own)
    }

    fn semaphore(&self) -> Result<vk::Semaphore, Error> {
        // SAFETY: the device is live.
        let made = unsafe { self.device.0.core.raw.create_semaphore(&vk::SemaphoreCreateInfo::default(), None) };
        made.map_err(vulkan("vkCreateSemaphore", "the window"))
    }

    /// Width and height of the pictures, 0 before the first.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Format of the pictures; `UNDEFINED` before the first.
    pub fn format(&self) -> vk::Format {
        self.images.first().map_or(vk::Format::UNDEFINED, Texture::format)
    }

    /// The next image, where the window has one of this size to give: none while it is minimised or being resized.
    ///
    /// It must be drawn to, given to [`Recorder::show`], and after that recording's submission to [`Swapchain::present`].
    ///
    /// # Errors
    /// [`Error::SurfaceLost`], [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn acquire(&mut self, size: [u32; 2]) -> Result<Option<WindowImage>, Error> {
        for _ in 0..TRIES {
            if (self.stale || size != self.size) && !self.make(size)? {
                return Ok(None);
            }
            let device = self.device.clone();
            let Some(calls) = &device.0.core.swapchain else { return Ok(None) };
            let wait = self.acquired[self.turn];
            // SAFETY: swapchain and semaphore are live, and the semaphore's last wait is of a submission that is done.
            match unsafe { calls.acquire_next_image(self.raw, u64::MAX, wait, vk::Fence::null()) } {
                Ok((index, suboptimal)) => {
                    self.stale |= suboptimal;
                    self.turn = (self.turn + 1) % self.acquired.len();
                    let (Some(texture), Some(&signal)) =
                        (self.images.get(index as usize), self.drawn.get(index as usize))
                    else {
                        return Ok(None);
                    };
                    let mut states = texture.0.states.lock().unwrap_or_else(PoisonError::into_inner);
                    states[0] = State::after(WAITS);
                    drop(states);
                    return Ok(Some(WindowImage { index, texture: texture.clone(), wait, signal }));
                }
                Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => self.stale = true,
                Err(result) => return Err(device.failed("vkAcquireNextImageKHR", "the window")(result)),
            }
        }
        Ok(None)
    }

    /// Shows an image when its recording is done.
    ///
    /// # Errors
    /// As [`Swapchain::acquire`].
    pub fn present(&mut self, image: &WindowImage) -> Result<(), Error> {
        let (swapchains, indices, waits) = ([self.raw], [image.index], [image.signal]);
        let info =
            vk::PresentInfoKHR::default().swapchains(&swapchains).image_indices(&indices).wait_semaphores(&waits);
        match self.device.0.queue.present(&info) {
            Ok(suboptimal) => self.stale |= suboptimal,
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => self.stale = true,
            Err(result) => return Err(self.device.failed("vkQueuePresentKHR", "the window")(result)),
        }
        Ok(())
    }

    /// Makes the images anew. False: the window has no size.
    fn make(&mut self, size: [u32; 2]) -> Result<bool, Error> {
        let device = self.device.clone();
        let core = &device.0.core;
        let Some(calls) = &core.swapchain else { return Ok(false) };
        let surface = &self.surface;
        // SAFETY: the handles are live; so in all of this file.
        let able = unsafe { surface.calls.get_physical_device_surface_capabilities(core.physical, surface.raw) };
        let able = able.map_err(vulkan("vkGetPhysicalDeviceSurfaceCapabilitiesKHR", "the window"))?;
        let extent = extent(&able, size);
        if extent.width == 0 || extent.height == 0 {
            return Ok(false);
        }
        let formats = unsafe { surface.calls.get_physical_device_surface_formats(core.physical, surface.raw) };
        let formats = formats.map_err(vulkan("vkGetPhysicalDeviceSurfaceFormatsKHR", "the window"))?;
        let format = choose_format(&formats)
            .ok_or_else(|| Error::NoSurface { why: "the window has no format that rx knows".to_owned() })?;
        let modes = unsafe { surface.calls.get_physical_device_surface_present_modes(core.physical, surface.raw) };
        let modes = modes.map_err(vulkan("vkGetPhysicalDeviceSurfacePresentModesKHR", "the window"))?;
        // What was shown before is done with.
        device.wait_idle()?;
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT
            | (able.supported_usage_flags & (vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::TRANSFER_SRC));
        let most = if able.max_image_count == 0 { u32::MAX } else { able.max_image_count };
        let old = self.raw;
        let info = vk::SwapchainCreateInfoKHR::default()
            .surface(surface.raw)
            .min_image_count((able.min_image_count + 1).min(most))
            .image_format(format.format)
            .image_color_space(format.color_space)
            .image_extent(extent)
            .image_array_layers(1)
            .image_usage(usage)
            .image_sharing_mode(vk::SharingMode::EXCLUSIVE)
            .pre_transform(able.current_transform)
            .composite_alpha(alpha(able.supported_composite_alpha))
            .present_mode(mode(&modes, self.pace))
            .clipped(true)
            .old_swapchain(old);
        let made = unsafe { calls.create_swapchain(&info, None) };
        // The old one is retired, whatever came of the new one.
        self.forget();
        self.raw = made.map_err(device.failed("vkCreateSwapchainKHR", "the window"))?;
        self.size = [extent.width, extent.height];
        self.take_images(calls, format.format)?;
        self.stale = false;
        Ok(true)
    }

    fn take_images(&mut self, calls: &khr::swapchain::Device, format: vk::Format) -> Result<(), Error> {
        // SAFETY: the swapchain was made just now.
        let images = unsafe { calls.get_swapchain_images(self.raw) };
        let images = images.map_err(vulkan("vkGetSwapchainImagesKHR", "the window"))?;
        let info = FormatInfo::of(format)
            .ok_or_else(|| Error::NoSurface { why: format!("the window's format {format:?} is not known") })?;
        let desc = TextureDesc::d2("the window", format, self.size[0], self.size[1]);
        for image in images {
            self.images.push(self.device.presentable(image, &desc, info));
            let semaphore = self.semaphore()?;
            self.drawn.push(semaphore);
        }
        Ok(())
    }

    /// Destroys the images and what belongs to them. The device does nothing with them any more.
    fn forget(&mut self) {
        self.images.clear();
        self.device.collect();
        let core = &self.device.0.core;
        // SAFETY: as the caller promises.
        unsafe {
            self.drawn.drain(..).for_each(|semaphore| core.raw.destroy_semaphore(semaphore, None));
            if let Some(calls) = &core.swapchain {
                calls.destroy_swapchain(std::mem::take(&mut self.raw), None);
            }
        }
        self.size = [0; 2];
        self.stale = true;
    }
}

impl Drop for Swapchain {
    fn drop(&mut self) {
        if let Err(error) = self.device.wait_idle() {
            log::warn!(target: "rx::device", "closing a window: {error}");
        }
        self.forget();
        let core = &self.device.0.core;
        // SAFETY: the device does nothing any more.
        self.acquired.drain(..).for_each(|semaphore| unsafe { core.raw.destroy_semaphore(semaphore, None) });
    }
}

impl Recorder {
    /// Makes an image ready to be shown, and lets the submission wait for it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn show(&mut self, image: &WindowImage) -> Result<(), Error> {
        let (stages, access) = (vk::PipelineStageFlags::BOTTOM_OF_PIPE, vk::AccessFlags::empty());
        let used = Use::read(stages, access, vk::ImageLayout::PRESENT_SRC_KHR);
        self.use_texture(&image.texture, 0..1, used)?;
        self.set_semaphores((image.wait, WAITS), image.signal);
        Ok(())
    }
}

/// The surface's own size where it has one, else the window's within its bounds.
fn extent(able: &vk::SurfaceCapabilitiesKHR, size: [u32; 2]) -> vk::Extent2D {
    if able.current_extent.width != u32::MAX {
        return able.current_extent;
    }
    let (least, most) = (able.min_image_extent, able.max_image_extent);
    vk::Extent2D {
        width: size[0].clamp(least.width, most.width.max(least.width)),
        height: size[1].clamp(least.height, most.height.max(least.height)),
    }
}

/// Eight bits a component that hold display values, as `R8G8B8A8_UNORM` back buffers do.
fn choose_format(formats: &[vk::SurfaceFormatKHR]) -> Option<vk::SurfaceFormatKHR> {
    let wanted = [vk::Format::B8G8R8A8_UNORM, vk::Format::R8G8B8A8_UNORM, vk::Format::A2B10G10R10_UNORM_PACK32];
    let find = |format: &vk::Format| formats.iter().find(|own| own.format == *format);
    let known = || formats.iter().find(|own| FormatInfo::of(own.format).is_some());
    wanted.iter().find_map(find).or_else(known).copied()
}

fn alpha(supported: vk::CompositeAlphaFlagsKHR) -> vk::CompositeAlphaFlagsKHR {
    use vk::CompositeAlphaFlagsKHR as A;
    [A::OPAQUE, A::INHERIT, A::PRE_MULTIPLIED, A::POST_MULTIPLIED]
        .into_iter()
        .find(|&own| supported.contains(own))
        .unwrap_or(A::OPAQUE)
}

fn mode(modes: &[vk::PresentModeKHR], pace: Pace) -> vk::PresentModeKHR {
    let unbound = [vk::PresentModeKHR::MAILBOX, vk::PresentModeKHR::IMMEDIATE];
    let found = unbound.into_iter().find(|own| pace == Pace::Unbound && modes.contains(own));
    // Every device has it.
    found.unwrap_or(vk::PresentModeKHR::FIFO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_without_a_size_takes_the_window_s_within_bounds() {
        let bounds = |width, height| vk::Extent2D { width, height };
        let mut able = vk::SurfaceCapabilitiesKHR {
            current_extent: bounds(u32::MAX, u32::MAX),
            min_image_extent: bounds(16, 16),
            max_image_extent: bounds(640, 480),
            ..Default::default()
        };
        assert_eq!(extent(&able, [1280, 8]), bounds(640, 16));
        able.current_extent = bounds(0, 0);
        assert_eq!(extent(&able, [1280, 720]), bounds(0, 0));
    }

    #[test]
    fn formats_and_modes_are_taken_by_preference() {
        let format = |format| vk::SurfaceFormatKHR { format, ..Default::default() };
        let both = [format(vk::Format::R8G8B8A8_SRGB), format(vk::Format::R8G8B8A8_UNORM)];
        assert_eq!(choose_format(&both).map(|own| own.format), Some(vk::Format::R8G8B8A8_UNORM));
        assert_eq!(choose_format(&both[..1]).map(|own| own.format), Some(vk::Format::R8G8B8A8_SRGB));
        assert_eq!(choose_format(&[]), None);
        let modes = [vk::PresentModeKHR::FIFO, vk::PresentModeKHR::IMMEDIATE];
        assert_eq!(mode(&modes, Pace::Unbound), vk::PresentModeKHR::IMMEDIATE);
        assert_eq!(mode(&modes, Pace::Display), vk::PresentModeKHR::FIFO);
        assert_eq!(mode(&modes[..1], Pace::Unbound), vk::PresentModeKHR::FIFO);
    }
}
