//! A display without a screen.

use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use super::must;

/// A server that ends with the test.
pub struct Display {
    /// What `DISPLAY` says of it.
    pub name: String,
    server: Child,
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Servers that are started, since two that start at once may choose the same number, and one of them ends.
const TRIES: usize = 5;

/// Starts one; `None` after a line that says why there is none.
pub fn open() -> Option<Display> {
    for _ in 0..TRIES {
        let started = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let server = match started {
            Ok(server) => server,
            Err(error) => {
                assert!(!must(), "no Xvfb, and CI=true forbids to skip: {error}");
                println!("skipped: Xvfb does not start: {error}");
                return None;
            }
        };
        let mut display = Display { name: String::new(), server };
        let mut number = String::new();
        BufReader::new(display.server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let number = number.trim();
        display.name = format!(":{number}");
        if !number.is_empty() && UnixStream::connect(format!("/tmp/.X11-unix/X{number}")).is_ok() {
            return Some(display);
        }
    }
    panic!("Xvfb starts and takes no connection, {TRIES} times");
}
