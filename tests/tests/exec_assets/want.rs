//! What a word should be.

/// An expectation of one word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Want {
    /// These bits.
    Bits(u32),
    /// One of two.
    Either(u32, u32),
    /// A float so near, absolutely or relatively.
    Near(f64, f64, f64),
    /// Any NaN.
    Nan,
    /// Not specified.
    Any,
}

impl Want {
    /// These bits, of a float.
    pub fn float(value: f32) -> Want {
        Want::Bits(value.to_bits())
    }

    /// What arithmetic may give for a value: its bits, any NaN for a NaN, for a denormal also a zero of its sign.
    pub fn arithmetic(value: f32) -> Want {
        if value.is_nan() {
            return Want::Nan;
        }
        Want::Either(value.to_bits(), flush(value).to_bits())
    }

    /// Near the exact value: a NaN and an infinity are themselves.
    pub fn near(value: f64, absolute: f64, relative: f64) -> Want {
        match value {
            v if v.is_nan() => Want::Nan,
            v if v.is_infinite() || v.abs() > f64::from(f32::MAX) => Want::float(f32::INFINITY.copysign(v as f32)),
            v => Want::Near(v, absolute, relative),
        }
    }

    /// Whether a word is as wanted.
    pub fn met(self, got: u32) -> bool {
        let float = f32::from_bits(got);
        match self {
            Want::Bits(bits) => got == bits,
            Want::Either(a, b) => got == a || got == b,
            // What lies below the least normal number may have been flushed.
            Want::Near(value, absolute, relative) => {
                let allowed = absolute.max(value.abs() * relative).max(f64::from(f32::MIN_POSITIVE));
                (f64::from(float) - value).abs() <= allowed
            }
            Want::Nan => float.is_nan(),
            Want::Any => true,
        }
    }
}

/// A denormal is a zero of its sign.
pub fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

/// What arithmetic does with denormals that come in. Direct3D flushes them; few drivers have a switch for it, and some
/// flush in one stage and not in another, so either is taken.
pub const DENORMALS: [fn(f32) -> f32; 2] = [flush, |value| value];

/// Compares word by word with either of two expectations, in the order of [`DENORMALS`].
pub fn check_either(what: &str, got: &[u32], want: [Vec<Want>; 2]) {
    let [flushed, kept] = want;
    let met: Vec<Want> =
        got.iter().zip(flushed.iter().zip(kept)).map(|(got, (a, b))| if b.met(*got) { b } else { *a }).collect();
    check(what, got, &met);
}

/// Compares word by word and lists what differs.
pub fn check(what: &str, got: &[u32], want: &[Want]) {
    assert_eq!(got.len(), want.len(), "{what}: the number of words");
    let wrong: Vec<_> = got
        .iter()
        .zip(want)
        .enumerate()
        .filter(|(_, (got, want))| !want.met(**got))
        .map(|(n, (got, want))| format!("  [{n}]: {got:#010x} ({}), wanted {}", f32::from_bits(*got), show(*want)))
        .collect();
    let some = wrong.iter().take(24).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{what}: {} of {} words differ\n{some}", wrong.len(), got.len());
}

fn show(want: Want) -> String {
    match want {
        Want::Bits(bits) => format!("{bits:#010x} ({})", f32::from_bits(bits)),
        Want::Either(a, b) => format!("{a:#010x} or {b:#010x}"),
        other => format!("{other:?}"),
    }
}
