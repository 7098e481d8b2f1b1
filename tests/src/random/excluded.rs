//! Shapes of programs that a driver runs wrongly, each shown by a module written by hand.

use rx_translate::dxbc::Shader;

/// A shape, the driver that is at fault, and where its fault is shown.
struct Shape {
    /// What the device's name begins with.
    driver: &'static str,
    /// Whether a program has it.
    has: fn(&Shader<'_>) -> bool,
    /// What the driver does, and the test that shows it.
    reason: &'static str,
}

const SHAPES: &[Shape] = &[];

/// Returns why a program is not run on a device, if there is a reason.
pub fn reason(device: &str, shader: &Shader<'_>) -> Option<&'static str> {
    let shape = SHAPES.iter().find(|shape| device.starts_with(shape.driver) && (shape.has)(shader));
    shape.map(|shape| shape.reason)
}
