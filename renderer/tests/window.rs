//! `rx demo --window` on a display of its own: it opens, draws, follows its size, and closes when it is told to.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, ImageFormat, Window,
};
use x11rb::rust_connection::RustConnection;

/// A software driver on a busy machine: what lasts longer hangs.
const PATIENCE: Duration = Duration::from_secs(240);

/// A process that ends with the test.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display without a screen, and its name.
fn display() -> Option<(Owned, String)> {
    let started = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut server = match started {
        Ok(server) => Owned(server),
        Err(error) => {
            let must = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!must, "no Xvfb, and CI=true forbids to skip: {error}");
            println!("skipped: Xvfb does not start: {error}");
            return None;
        }
    };
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    Some((server, format!(":{}", number.trim())))
}

/// Asks until there is an answer.
fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

struct Screen {
    connection: RustConnection,
    root: Window,
}

impl Screen {
    fn title(&self, window: Window) -> String {
        let name = self.connection.intern_atom(false, b"_NET_WM_NAME").unwrap().reply().unwrap().atom;
        let property = self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1024).unwrap().reply();
        property.map_or_else(|_| String::new(), |own| String::from_utf8_lossy(&own.value).into_owned())
    }

    /// The window whose title says all of this.
    fn find(&self, says: &[&str]) -> Option<Window> {
        let tree = self.connection.query_tree(self.root).unwrap().reply().unwrap();
        tree.children.into_iter().find(|&window| {
            let title = self.title(window);
            says.iter().all(|part| title.contains(part))
        })
    }

    /// The colours of a window's part, as 24 bits each.
    fn pixels(&self, window: Window, x: i16, y: i16, width: u16, height: u16) -> Vec<[u8; 3]> {
        let image = self.connection.get_image(ImageFormat::Z_PIXMAP, window, x, y, width, height, u32::MAX);
        let image = image.unwrap().reply().unwrap();
        image.data.chunks_exact(4).map(|texel| [texel[2], texel[1], texel[0]]).collect()
    }

    fn resize(&self, window: Window, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(window, &size).unwrap();
        self.connection.flush().unwrap();
    }

    /// Says what a window manager says when its close button is pressed.
    fn close(&self, window: Window) {
        let atom = |name: &[u8]| self.connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let data = [atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0];
        let event = ClientMessageEvent::new(32, window, atom(b"WM_PROTOCOLS"), data);
        self.connection.send_event(false, window, EventMask::NO_EVENT, event).unwrap();
        self.connection.flush().unwrap();
    }
}

fn distinct(pixels: &[[u8; 3]]) -> usize {
    pixels.iter().collect::<HashSet<_>>().len()
}

/// Writes a screenshot beside the test's other files, for people to look at.
fn keep(name: &str, pixels: &[[u8; 3]], width: u32, height: u32) {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), width, height);
    encoder.set_color(png::ColorType::Rgb);
    let texels: Vec<u8> = pixels.iter().flatten().copied().collect();
    encoder.write_header().unwrap().write_image_data(&texels).unwrap();
}

#[test]
fn the_window_draws_follows_its_size_and_closes() {
    let Some((_server, display)) = display() else { return };
    let child = Command::new(env!("CARGO_BIN_EXE_rx"))
        .args(["demo", "--window", "--size", "320x180"])
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .env("RX_VK_VALIDATE", "1")
        .env("RX_VK_DEVICE", "llvmpipe")
        .env("RX_LOG", "warn")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut rx = Owned(child);
    let (connection, number) = x11rb::connect(Some(&display)).unwrap();
    let root = connection.setup().roots[number].root;
    let screen = Screen { connection, root };
    let window = wait_for("the first frame", || {
        if let Some(status) = rx.0.try_wait().unwrap() {
            let mut text = String::new();
            rx.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
            panic!("rx ended early with {status}: {text}");
        }
        screen.find(&["rx demo: llvmpipe", "320 x 180, frame"])
    });
    let shot = screen.pixels(window, 0, 0, 320, 180);
    keep("window-320x180.png", &shot, 320, 180);
    assert!(distinct(&shot) > 1000, "the picture has {} colours", distinct(&shot));
    // The upper half is the sky, which is lighter than the sea and the quay of the lower one.
    let light = |pixels: &[[u8; 3]]| pixels.iter().flatten().map(|&part| u64::from(part)).sum::<u64>();
    assert!(light(&shot[..320 * 60]) > light(&shot[320 * 120..]), "the sky is darker than the quay");

    // Through many sizes, and to one at the end.
    for size in 0..20 {
        screen.resize(window, 200 + 10 * size, 100 + 7 * size);
    }
    screen.resize(window, 1, 1);
    screen.resize(window, 480, 270);
    wait_for("the new size", || screen.find(&["480 x 270, frame"]));
    let corner = wait_for("a picture of the new size", || {
        let pixels = screen.pixels(window, 400, 200, 80, 70);
        (distinct(&pixels) > 100).then_some(pixels)
    });
    assert_eq!(corner.len(), 80 * 70);
    keep("window-480x270.png", &screen.pixels(window, 0, 0, 480, 270), 480, 270);

    screen.close(window);
    let status = wait_for("the end", || rx.0.try_wait().unwrap());
    let (mut printed, mut logged) = (String::new(), String::new());
    rx.0.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    rx.0.stderr.take().unwrap().read_to_string(&mut logged).unwrap();
    assert!(status.success(), "{status}: {logged}");
    assert!(logged.is_empty(), "{logged}");
    assert!(printed.contains("0 failed") && printed.contains("draws"), "{printed}");
}

#[test]
fn without_a_display_it_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_rx"))
        .args(["demo", "--window"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("RX0620: "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}
