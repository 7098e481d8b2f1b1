//! The picture looks as its description says, at the places that the description names.

use super::{Picture, draw_after, open, silent, small};
use rx_renderer::scene::{REFERENCE_FRAME, SceneOptions};

/// Half the reference picture's size: its coordinates are halved.
const SIZE: [u32; 2] = [640, 360];

/// The mean of a square about a place of the reference picture.
fn at(picture: &Picture, x: u32, y: u32, reach: u32) -> [f32; 3] {
    let (x, y) = (x / 2, y / 2);
    let mut sum = [0.0; 3];
    let mut count = 0.0;
    for row in y - reach..=y + reach {
        for column in x - reach..=x + reach {
            let pixel = &picture.pixels[((row * SIZE[0] + column) * 4) as usize..][..4];
            (0..3).for_each(|k| sum[k] += f32::from(pixel[k]));
            count += 1.0;
        }
    }
    sum.map(|x| x / count)
}

fn brightness([r, g, b]: [f32; 3]) -> f32 {
    r * 0.2126 + g * 0.7152 + b * 0.0722
}

/// The brightest pixel about a place of the reference picture.
fn brightest(picture: &Picture, x: u32, y: u32, reach: u32) -> f32 {
    let (x, y) = (x / 2, y / 2);
    let each = (y - reach..=y + reach).flat_map(|row| (x - reach..=x + reach).map(move |column| (column, row)));
    let of = |(column, row): (u32, u32)| {
        let pixel = &picture.pixels[((row * SIZE[0] + column) * 4) as usize..][..3];
        brightness([0, 1, 2].map(|k| f32::from(pixel[k])))
    };
    each.map(of).fold(0.0, f32::max)
}

#[test]
fn the_harbour_at_dusk() {
    let Some(mut renderer) = open(&[]) else { return };
    let options = SceneOptions { width: SIZE[0], height: SIZE[1], ..small() };
    let picture = draw_after(&mut renderer, &options, REFERENCE_FRAME);
    silent(&renderer, "the picture");

    let [sun, halo] = [at(&picture, 599, 178, 2), at(&picture, 650, 178, 2)];
    assert!(brightness(sun) > 230.0, "the sun is bright: {sun:?}");
    assert!(brightness(halo) < brightness(sun) && halo[0] > halo[2] + 25.0, "and golden about it: {halo:?}");
    let [zenith, horizon] = [at(&picture, 930, 30, 4), at(&picture, 700, 200, 2)];
    assert!(
        brightness(horizon) > brightness(zenith) * 1.3,
        "the sky grows light towards the horizon: {zenith:?} {horizon:?}"
    );
    assert!(
        zenith[2] >= zenith[0] && horizon[0] > horizon[2],
        "dusky blue above, golden below: {zenith:?} {horizon:?}"
    );
    let sea = at(&picture, 300, 360, 3);
    assert!(
        brightness(sea) < brightness(at(&picture, 300, 200, 3)),
        "the sea is darker than the sky above it: {sea:?}"
    );
    for (x, y) in [(378, 240), (844, 249), (1118, 255)] {
        let globe = brightest(&picture, x, y, 4);
        assert!(globe > 215.0, "a lamp's globe at {x}, {y}: {globe}");
    }
    let [headland, beside] = [at(&picture, 230, 230, 3), at(&picture, 440, 200, 3)];
    assert!(brightness(headland) < brightness(beside), "a dark headland before the sky: {headland:?} {beside:?}");
    let [pool, quay] = [at(&picture, 791, 560, 6), at(&picture, 500, 690, 6)];
    assert!(
        brightness(pool) > brightness(quay) && pool[0] > pool[2] * 1.3,
        "light about the brazier: {pool:?} {quay:?}"
    );
    // The interface has its own size, whatever the picture's.
    let panel = at(&picture, 300, 40, 1);
    let title = brightest(&picture, 120, 72, 12);
    assert!(brightness(panel) < 90.0 && title > 170.0, "a dark panel with a pale title: {panel:?} {title}");
}
