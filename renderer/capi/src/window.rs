//! Windows of the host: native handles of C to `raw-window-handle`.

use std::ffi::c_void;
use std::num::{NonZeroIsize, NonZeroU32};
use std::ptr::NonNull;

use raw_window_handle::{
    AndroidDisplayHandle, AndroidNdkWindowHandle, AppKitDisplayHandle, AppKitWindowHandle, DisplayHandle, HandleError,
    HasDisplayHandle, HasWindowHandle, RawDisplayHandle, RawWindowHandle, UiKitDisplayHandle, UiKitWindowHandle,
    WaylandDisplayHandle, WaylandWindowHandle, Win32WindowHandle, WindowHandle, WindowsDisplayHandle, XcbDisplayHandle,
    XcbWindowHandle, XlibDisplayHandle, XlibWindowHandle,
};

use crate::result::Failure;

/// The system that a window is of.
pub type rx_window_system = u32;
/// X11 through Xlib: `display` is a Display *, `window_id` a Window.
pub const RX_WINDOW_XLIB: rx_window_system = 1;
/// X11 through XCB: `display` is an xcb_connection_t *, `window_id` an xcb_window_t.
pub const RX_WINDOW_XCB: rx_window_system = 2;
/// Wayland: `display` is a wl_display *, `window` a wl_surface *.
pub const RX_WINDOW_WAYLAND: rx_window_system = 3;
/// Windows: `display` is an HINSTANCE, `window` an HWND.
pub const RX_WINDOW_WIN32: rx_window_system = 4;
/// macOS: `window` is an NSView *, which has a CAMetalLayer or gets one.
pub const RX_WINDOW_APPKIT: rx_window_system = 5;
/// iOS: `window` is a UIView *, which has a CAMetalLayer or gets one.
pub const RX_WINDOW_UIKIT: rx_window_system = 6;
/// Android: `window` is an ANativeWindow *.
pub const RX_WINDOW_ANDROID: rx_window_system = 7;

/// A window of the host. It outlives the renderer.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_window {
    /// Its system; there is no default.
    pub system: rx_window_system,
    /// Screen of X11.
    pub screen: i32,
    /// Display or connection.
    pub display: *mut c_void,
    /// Window as a pointer.
    pub window: *mut c_void,
    /// Window as a number.
    pub window_id: u64,
}

/// A window's handles, kept by the renderer.
pub(crate) struct Window {
    display: RawDisplayHandle,
    window: RawWindowHandle,
}

// SAFETY: the handles are numbers here; nothing but Vulkan looks behind them, and the host answers for its window's threads.
unsafe impl Send for Window {}
// SAFETY: as above.
unsafe impl Sync for Window {}

impl HasDisplayHandle for Window {
    fn display_handle(&self) -> Result<DisplayHandle<'_>, HandleError> {
        // SAFETY: the host keeps the display alive as long as the renderer.
        Ok(unsafe { DisplayHandle::borrow_raw(self.display) })
    }
}

impl HasWindowHandle for Window {
    fn window_handle(&self) -> Result<WindowHandle<'_>, HandleError> {
        // SAFETY: the host keeps the window alive as long as the renderer.
        Ok(unsafe { WindowHandle::borrow_raw(self.window) })
    }
}

impl rx_window {
    #[allow(clippy::useless_conversion)] // Xlib's numbers are of 32 bits on some systems.
    pub(crate) fn get(&self) -> Result<Window, Failure> {
        let display = || NonNull::new(self.display).ok_or_else(|| Failure::null("display"));
        let window = || NonNull::new(self.window).ok_or_else(|| Failure::null("window"));
        let (display, window): (RawDisplayHandle, RawWindowHandle) = match self.system {
            RX_WINDOW_XLIB => {
                let number = self.number()?.try_into().map_err(|_| Failure::value("window_id", self.window_id))?;
                let display = XlibDisplayHandle::new(Some(display()?), self.screen);
                (display.into(), XlibWindowHandle::new(number).into())
            }
            RX_WINDOW_XCB => {
                let number = u32::try_from(self.number()?).ok().and_then(NonZeroU32::new);
                let number = number.ok_or_else(|| Failure::value("window_id", self.window_id))?;
                let display = XcbDisplayHandle::new(Some(display()?), self.screen);
                (display.into(), XcbWindowHandle::new(number).into())
            }
            RX_WINDOW_WAYLAND => {
                (WaylandDisplayHandle::new(display()?).into(), WaylandWindowHandle::new(window()?).into())
            }
            RX_WINDOW_WIN32 => {
                let number = |pointer: NonNull<c_void>| NonZeroIsize::new(pointer.as_ptr() as isize);
                let own = number(window()?).ok_or_else(|| Failure::null("window"))?;
                let mut own = Win32WindowHandle::new(own);
                own.hinstance = number(display()?);
                (WindowsDisplayHandle::new().into(), own.into())
            }
            RX_WINDOW_APPKIT => (AppKitDisplayHandle::new().into(), AppKitWindowHandle::new(window()?).into()),
            RX_WINDOW_UIKIT => (UiKitDisplayHandle::new().into(), UiKitWindowHandle::new(window()?).into()),
            RX_WINDOW_ANDROID => (AndroidDisplayHandle::new().into(), AndroidNdkWindowHandle::new(window()?).into()),
            other => return Err(Failure::value("system", other)),
        };
        Ok(Window { display, window })
    }

    fn number(&self) -> Result<u64, Failure> {
        if self.window_id == 0 { Err(Failure::value("window_id", 0)) } else { Ok(self.window_id) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_asks_for_what_it_needs() {
        let thing = std::ptr::dangling_mut::<u64>().cast::<c_void>();
        let whole = |system| rx_window { system, screen: 0, display: thing, window: thing, window_id: 7 };
        for system in RX_WINDOW_XLIB..=RX_WINDOW_ANDROID {
            assert!(whole(system).get().is_ok(), "{system}");
            assert!(rx_window { system, ..rx_window::default() }.get().is_err(), "{system}");
        }
        assert!(whole(0).get().is_err());
        assert!(whole(8).get().is_err());
        assert!(rx_window { window_id: 1 << 32, ..whole(RX_WINDOW_XCB) }.get().is_err());
        let xlib = whole(RX_WINDOW_XLIB).get().ok().map(|own| own.window);
        assert_eq!(xlib, Some(XlibWindowHandle::new(7).into()));
    }
}
