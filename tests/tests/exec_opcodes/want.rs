//! What a word of a result should be.

/// An expectation of one word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Want {
    /// These bits.
    Bits(u32),
    /// One of two.
    Either(u32, u32),
    /// A float this near: value and allowed difference. What lies below the least normal number may have been flushed.
    Near(f64, f64),
    /// Bits at most one unit away: the low half of a double whose operation may be off by one unit.
    Unit(u32),
    /// Any NaN.
    Nan,
    /// Any NaN in the low sixteen bits, zeros above.
    HalfNan,
    /// The high half of any quiet double NaN.
    DoubleNan,
    /// Not specified.
    Any,
}

impl Want {
    /// These bits, of a float.
    pub fn float(value: f32) -> Want {
        Want::Bits(value.to_bits())
    }

    /// All ones or zero.
    pub fn mask(truth: bool) -> Want {
        Want::Bits(if truth { u32::MAX } else { 0 })
    }

    /// What arithmetic may give for a value: its bits, any NaN for a NaN, for a denormal also a zero of its sign.
    pub fn arithmetic(value: f32) -> Want {
        match value {
            v if v.is_nan() => Want::Nan,
            v => Want::Either(v.to_bits(), flush(v).to_bits()),
        }
    }

    /// Near the exact value: a NaN and an infinity are themselves.
    pub fn near(value: f64, absolute: f64, relative: f64) -> Want {
        match value {
            v if v.is_nan() => Want::Nan,
            v if v.abs() > f64::from(f32::MAX) => Want::float(f32::INFINITY.copysign(v as f32)),
            v => Want::Near(v, absolute.max(v.abs() * relative)),
        }
    }

    /// Whether a word is as wanted.
    pub fn met(self, got: u32) -> bool {
        let float = f32::from_bits(got);
        match self {
            Want::Bits(bits) => got == bits,
            Want::Either(a, b) => got == a || got == b,
            Want::Near(value, allowed) => (f64::from(float) - value).abs() <= allowed.max(f64::from(f32::MIN_POSITIVE)),
            Want::Unit(bits) => got.wrapping_sub(bits).wrapping_add(1) <= 2,
            Want::Nan => float.is_nan(),
            Want::HalfNan => (0x7c01..=0x7fff).contains(&(got & !0x8000)),
            Want::DoubleNan => got & 0x7ff8_0000 == 0x7ff8_0000,
            Want::Any => true,
        }
    }
}

/// A denormal is a zero of its sign.
pub fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

/// Gathers what differs, to be told at once.
#[derive(Default)]
pub struct Differences {
    lines: Vec<String>,
    count: usize,
}

impl Differences {
    /// Compares a word with any of some expectations; `place` says which word it is.
    pub fn compare(&mut self, got: u32, wants: &[Want], place: impl FnOnce() -> String) {
        if wants.iter().any(|want| want.met(got)) {
            return;
        }
        self.count += 1;
        if self.lines.len() < 24 {
            self.lines.push(format!("  {}: {got:#010x} ({}), wanted {wants:x?}", place(), f32::from_bits(got)));
        }
    }

    /// Fails if anything differed.
    pub fn finish(self, what: &str) {
        assert!(self.count == 0, "{what}: {} words differ\n{}", self.count, self.lines.join("\n"));
    }
}

/// Compares word by word.
pub fn check(what: &str, got: &[u32], want: &[Want]) {
    assert_eq!(got.len(), want.len(), "{what}: the number of words");
    let mut differences = Differences::default();
    for (n, (got, want)) in got.iter().zip(want).enumerate() {
        differences.compare(*got, &[*want], || format!("[{n}]"));
    }
    differences.finish(what);
}

/// Compares word by word with bits.
pub fn check_bits(what: &str, got: &[u32], want: &[u32]) {
    check(what, got, &want.iter().map(|bits| Want::Bits(*bits)).collect::<Vec<_>>());
}
