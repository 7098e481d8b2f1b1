//! What a program did: the words of everything that it writes.

/// The words of one thing that a program writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// A view, a counter, a render target or a vertex output.
    pub name: String,
    /// Its words: a target's pixels in rows of four words each.
    pub words: Vec<u32>,
}

/// Everything that a program wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// In the order of the case's resources, then of its outputs.
    pub parts: Vec<Part>,
}

/// What the specification permits: several outcomes, one for each way to decide what it leaves open.
#[derive(Clone, Debug)]
pub struct Permitted {
    /// At least one.
    pub ways: Vec<Outcome>,
}

/// What was found of the words of an outcome.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Words that are the same in every way and have to be the device's, too.
    pub exact: usize,
    /// Floats that are near each other in every way, and the device's near them.
    pub bounded: usize,
    /// Words of which the ways have nothing in common.
    pub open: usize,
    /// Words that are none of the permitted ones.
    pub differences: Vec<Difference>,
}

/// A word that is not permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part's name.
    pub part: String,
    /// The word's index in the part.
    pub index: usize,
    /// What each way gives.
    pub permitted: Vec<u32>,
    /// What the device gave.
    pub got: u32,
}

impl Permitted {
    /// Compares what a device gave.
    pub fn compare(&self, got: &Outcome) -> Comparison {
        let mut found = Comparison::default();
        for (p, part) in got.parts.iter().enumerate() {
            for (index, word) in part.words.iter().enumerate() {
                let ways: Vec<u32> = self.ways.iter().map(|way| way.parts[p].words[index]).collect();
                match judge(&ways, *word) {
                    Judgement::Exact => found.exact += 1,
                    Judgement::Bounded => found.bounded += 1,
                    Judgement::Open => found.open += 1,
                    Judgement::Differs => {
                        let part = part.name.clone();
                        found.differences.push(Difference { part, index, permitted: ways, got: *word });
                    }
                }
            }
        }
        found
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Exact,
    Bounded,
    Open,
    Differs,
}

/// Ways further apart than this have a common bound no longer.
const NEAR: f64 = 1.0 / 64.0;

fn judge(ways: &[u32], got: u32) -> Judgement {
    if ways.iter().all(|way| *way == ways[0]) {
        return if got == ways[0] { Judgement::Exact } else { Judgement::Differs };
    }
    if ways.contains(&got) {
        return Judgement::Bounded;
    }
    let floats: Vec<f32> = ways.iter().map(|way| f32::from_bits(*way)).collect();
    if floats.iter().all(|float| float.is_nan()) {
        return if f32::from_bits(got).is_nan() { Judgement::Bounded } else { Judgement::Differs };
    }
    let least = floats.iter().copied().fold(f32::INFINITY, f32::min);
    let greatest = floats.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let (least, greatest) = (f64::from(least), f64::from(greatest));
    let size = least.abs().max(greatest.abs());
    let width = greatest - least;
    if floats.iter().any(|float| !float.is_finite()) || width > NEAR * size.max(f64::from(f32::MIN_POSITIVE)) {
        return Judgement::Open;
    }
    // The ways are samples of what is permitted, not its ends.
    let got = f64::from(f32::from_bits(got));
    if got >= least - width && got <= greatest + width { Judgement::Bounded } else { Judgement::Differs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_every_way_gives_is_the_only_one() {
        assert_eq!(judge(&[7, 7], 7), Judgement::Exact);
        assert_eq!(judge(&[7, 7], 8), Judgement::Differs);
    }

    #[test]
    fn any_nan_is_as_good_as_another() {
        let [a, b] = [0x7fc0_0000, 0xffff_ffff];
        assert_eq!(judge(&[a, b], 0x7fc0_0001), Judgement::Bounded);
        assert_eq!(judge(&[a, b], 1f32.to_bits()), Judgement::Differs);
    }

    #[test]
    fn floats_near_each_other_bound_the_result() {
        let ways = [0.999f32, 1.0, 1.001].map(f32::to_bits);
        assert_eq!(judge(&ways, 1.0005f32.to_bits()), Judgement::Bounded);
        assert_eq!(judge(&ways, 1.01f32.to_bits()), Judgement::Differs);
        assert_eq!(judge(&ways, f32::NAN.to_bits()), Judgement::Differs);
    }

    #[test]
    fn ways_with_nothing_in_common_leave_the_word_open() {
        assert_eq!(judge(&[1f32.to_bits(), 2f32.to_bits()], 5), Judgement::Open);
        assert_eq!(judge(&[f32::NAN.to_bits(), 0], 5), Judgement::Open);
    }
}
