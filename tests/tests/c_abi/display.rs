//! A display without a screen.

use std::io::{BufRead, BufReader};
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

/// Starts one; `None` after a line that says why there is none.
pub fn open() -> Option<Display> {
    let started = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp"])
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
    display.name = format!(":{}", number.trim());
    Some(display)
}
