//! Pseudo-random numbers, and the words at which arithmetic has its edges.
//!
//! The sequence of a seed is the same on every machine and in every version: a finding is repeated by its seed.

/// A SplitMix64 sequence.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.bits() >> 32) as u32
    }

    /// A number from 0 up to, not including, `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(end)) >> 32) as u32
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// The index of a weight, chosen in proportion to the weights.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut at = self.below(weights.iter().sum());
        for (n, weight) in weights.iter().enumerate() {
            if at < *weight {
                return n;
            }
            at -= weight;
        }
        weights.len() - 1
    }

    /// A word as an integer: small, an edge, or any.
    pub fn integer(&mut self) -> u32 {
        match self.weighted(&[4, 4, 2]) {
            0 => self.below(64).wrapping_sub(16),
            1 => self.pick(&INTEGERS),
            _ => self.word(),
        }
    }

    /// A word as a float that arithmetic leaves exact: no NaN with bits of its own, no denormal.
    pub fn float(&mut self) -> u32 {
        match self.weighted(&[6, 3, 2]) {
            0 => (self.below(257) as f32 / 8.0 - 16.0).to_bits(),
            1 => self.pick(&FLOATS),
            // Any exponent from 2^-30 to 2^30.
            _ => (self.word() & 0x807f_ffff) | (97 + self.below(60)) << 23,
        }
    }

    /// A word as a float of any kind.
    pub fn edge_float(&mut self) -> u32 {
        if self.chance(60) { self.pick(&EDGE_FLOATS) } else { self.float() }
    }

    /// The two words of a double.
    pub fn double(&mut self) -> [u32; 2] {
        let bits = match self.weighted(&[4, 3, 2]) {
            0 => (f64::from(self.below(2049)) / 16.0 - 64.0).to_bits(),
            1 => self.pick(&DOUBLES),
            _ => f64::from(f32::from_bits(self.float())).to_bits() ^ u64::from(self.word()),
        };
        [bits as u32, (bits >> 32) as u32]
    }
}

/// Integers at which instructions have their edges.
pub const INTEGERS: [u32; 20] = [
    0,
    1,
    2,
    3,
    31,
    32,
    33,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
    0x0100_0001,
];

/// Floats at which conversions, comparisons and rounding have their edges; none is a NaN or a denormal.
pub const FLOATS: [u32; 24] = [
    0x0000_0000,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3eff_ffff,
    0x3fc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x3f7f_ffff,
    0x3f80_0001,
    0x4aff_ffff,
    0x4b00_0001,
    0xcb00_0001,
    0x4eff_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0x4f7f_ffff,
    0x4f80_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
];

/// The same with NaNs, denormals and the least normal numbers.
const EDGE_FLOATS: [u32; 12] = [
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7fc1_2345,
    0x7f80_0000,
    0xff80_0000,
    0x8000_0000,
];

/// Doubles at the edges of conversions; denormals are among them.
const DOUBLES: [u64; 16] = [
    0,
    0x8000_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0x4004_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x41df_ffff_fff0_0000,
    0x41e0_0000_0000_0000,
    0xc1e0_0000_0000_0000,
    0x41ef_ffff_ffff_ffff,
    0x41f0_0000_0000_0000,
    0x3ff0_0000_1000_0000,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_published_sequence() {
        // The first three outputs for the seed 1234567, from the algorithm's reference implementation.
        let mut numbers = Numbers::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| numbers.bits()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn weights_are_kept() {
        let mut numbers = Numbers::new(1);
        let mut counts = [0; 3];
        (0..3000).for_each(|_| counts[numbers.weighted(&[1, 0, 2])] += 1);
        assert_eq!(counts[1], 0);
        assert!((800..1200).contains(&counts[0]), "{counts:?}");
    }
}
