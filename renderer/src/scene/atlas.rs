//! The interface's letters: their texture, and the quads of a text.

/// Width and height of the atlas, texels.
pub const SIZE: [u32; 2] = [64, 36];
/// Bytes of a vertex: position in pixels, place in the atlas, colour.
pub const STRIDE: u32 = 16;

/// Width and height of a letter's cell, texels.
const CELL: [u32; 2] = [4, 6];
/// Cells in a row of the atlas.
const COLUMNS: u32 = 16;
/// The cell that is full: panels are drawn with its middle.
const FULL: u32 = 95;

/// Every letter: 3 by 5 texels, from the top, left to right.
const GLYPHS: &str = "\
    A=010101111101101 B=110101110101110 C=011100100100011 D=110101101101110 E=111100110100111 F=111100110100100 \
    G=011100101101011 H=101101111101101 I=111010010010111 J=001001001101010 K=101101110101101 L=100100100100111 \
    M=101111111101101 N=110101101101101 O=010101101101010 P=110101110100100 Q=010101101111011 R=110101110101101 \
    S=011100010001110 T=111010010010010 U=101101101101111 V=101101101101010 W=101101111111101 X=101101010101101 \
    Y=101101010010010 Z=111001010100111 0=111101101101111 1=010110010010111 2=110001010100111 3=110001010001110 \
    4=101101111001001 5=111100110001110 6=011100111101111 7=111001010010010 8=111101111101111 9=111101111001110 \
    .=000000000000010 ,=000000000010100 :=000010000010000 -=000000111000000 +=000010111010000 /=001001010100100 \
    %=101001010100101 (=010100100100010 )=010001001001010 ==000111000111000";

/// The atlas, a byte a texel.
pub fn texels() -> Vec<u8> {
    let mut texels = vec![0; (SIZE[0] * SIZE[1]) as usize];
    let mut set = |cell: u32, x: u32, y: u32| {
        let [left, top] = corner(cell);
        texels[((top + y) * SIZE[0] + left + x) as usize] = 255;
    };
    for glyph in GLYPHS.split_whitespace() {
        let letter = glyph.as_bytes()[0];
        let bits = glyph.bytes().skip(2).enumerate().filter(|&(_, bit)| bit == b'1');
        bits.for_each(|(at, _)| set(u32::from(letter) - 32, at as u32 % 3, at as u32 / 3));
    }
    (0..CELL[0] * CELL[1]).for_each(|at| set(FULL, at % CELL[0], at / CELL[0]));
    texels
}

/// The top left texel of a cell.
fn corner(cell: u32) -> [u32; 2] {
    [(cell % COLUMNS) * CELL[0], (cell / COLUMNS) * CELL[1]]
}

/// Left, top, right, bottom.
type Rectangle = [f32; 4];

/// Quads, as vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quads {
    bytes: Vec<u8>,
}

impl Quads {
    /// The title: a panel and two lines.
    pub fn title() -> Quads {
        let mut quads = Quads::default();
        quads.panel([16.0, 16.0, 430.0, 84.0], [8, 12, 20, 150]);
        quads.text("HARBOUR AT DUSK", 4.0, [28.0, 26.0], [255, 214, 160, 255]);
        quads.text("TRANSLATED FROM DIRECT3D BYTECODE", 2.0, [28.0, 60.0], [190, 205, 225, 255]);
        quads
    }

    /// A panel of one colour.
    pub fn panel(&mut self, at: Rectangle, color: [u8; 4]) {
        let [left, top] = corner(FULL).map(|x| x as f32);
        let middle = [(left + 2.0) / SIZE[0] as f32, (top + 3.0) / SIZE[1] as f32];
        self.quad(at, [middle[0], middle[1], middle[0], middle[1]], color);
    }

    /// A line of text, its top left at `pen`, in pixels. Characters that have no letter are spaces.
    pub fn text(&mut self, text: &str, scale: f32, pen: [f32; 2], color: [u8; 4]) {
        let [width, height] = CELL.map(|x| x as f32 * scale);
        for (n, letter) in text.chars().enumerate() {
            let cell = u32::from(letter).checked_sub(32).filter(|&cell| cell < FULL).unwrap_or(0);
            let [left, top] = corner(cell);
            let ends = |x: u32, of: usize| x as f32 / SIZE[of] as f32;
            let uv = [ends(left, 0), ends(top, 1), ends(left + CELL[0], 0), ends(top + CELL[1], 1)];
            let x = pen[0] + n as f32 * width;
            self.quad([x, pen[1], x + width, pen[1] + height], uv, color);
        }
    }

    fn quad(&mut self, at: Rectangle, uv: Rectangle, color: [u8; 4]) {
        // Top left, top right, bottom left; bottom left, top right, bottom right.
        for (x, y) in [(0, 1), (2, 1), (0, 3), (0, 3), (2, 1), (2, 3)] {
            [at[x], at[y]].iter().for_each(|p| self.bytes.extend(p.to_le_bytes()));
            [uv[x], uv[y]].iter().for_each(|c| self.bytes.extend(unorm16(*c).to_le_bytes()));
            self.bytes.extend(color);
        }
    }

    /// How many vertices.
    pub fn vertices(&self) -> u32 {
        self.bytes.len() as u32 / STRIDE
    }

    /// The vertices' bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

fn unorm16(x: f32) -> u16 {
    (x * 65535.0).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(x: u32, y: u32, width: u32) -> String {
        let texels = texels();
        let row = &texels[(y * SIZE[0] + x) as usize..][..width as usize];
        row.iter().map(|&texel| if texel == 255 { '#' } else { '.' }).collect()
    }

    #[test]
    fn letters_stand_in_their_cells() {
        // A is character 65, cell 33: column 1, row 2.
        let letter: Vec<String> = (12..18).map(|y| line(4, y, 4)).collect();
        assert_eq!(letter, [".#..", "#.#.", "###.", "#.#.", "#.#.", "...."]);
        // `=` is character 61, cell 29: column 13, row 1.
        let equals: Vec<String> = (6..12).map(|y| line(52, y, 4)).collect();
        assert_eq!(equals, ["....", "###.", "....", "###.", "....", "...."]);
        let full: Vec<String> = (30..36).map(|y| line(60, y, 4)).collect();
        assert_eq!(full, ["####"; 6]);
        assert!((0..6).all(|y| line(0, y, 4) == "...."), "a space is empty");
    }

    #[test]
    fn the_title_is_49_quads() {
        let quads = Quads::title();
        assert_eq!(quads.vertices(), 294);
        assert_eq!(quads.bytes().len(), 294 * STRIDE as usize);
        let vertex = |n: usize| {
            let own = &quads.bytes()[n * 16..][..16];
            let float = |at: usize| f32::from_le_bytes([own[at], own[at + 1], own[at + 2], own[at + 3]]);
            let short = |at: usize| u16::from_le_bytes([own[at], own[at + 1]]);
            ([float(0), float(4)], [short(8), short(10)], [own[12], own[13], own[14], own[15]])
        };
        let middle = [(62.0f32 / 64.0 * 65535.0).round() as u16, (33.0f32 / 36.0 * 65535.0).round() as u16];
        assert_eq!(vertex(0), ([16.0, 16.0], middle, [8, 12, 20, 150]));
        assert_eq!(vertex(5).0, [430.0, 84.0]);
        // The H of HARBOUR: cell 40, column 8, row 2; 16 by 24 pixels.
        assert_eq!(vertex(6), ([28.0, 26.0], [32768, 21845], [255, 214, 160, 255]));
        assert_eq!(vertex(11).0, [44.0, 50.0]);
        // Every quad is clockwise with y down.
        for quad in 0..49 {
            for first in [quad * 6, quad * 6 + 3] {
                let [a, b, c] = [0, 1, 2].map(|k| vertex(first + k).0);
                assert!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0);
            }
        }
    }
}
