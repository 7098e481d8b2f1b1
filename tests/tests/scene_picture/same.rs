//! Whatever a program's descriptors are, and wherever its shaders come from: the picture stays.

use super::{differences, draw, open, same, silent, small};
use rx_renderer::scene::programs::PROGRAMS;
use rx_renderer::scene::{Billboards, Languages, Lighting, SceneOptions, Split};
use std::collections::BTreeSet;

/// The scene in every variant: together they have every program of the table.
fn variants() -> Vec<SceneOptions> {
    let lighting = Lighting::ALL.map(|lighting| SceneOptions { lighting, ..small() });
    let split = Split::ALL.map(|split| SceneOptions { split: Some(split), ..small() });
    let others = [
        SceneOptions { languages: Languages::Direct3d, ..small() },
        SceneOptions { model_51: true, lighting: Lighting::Textures34, ..small() },
        SceneOptions { billboards: Some(Billboards::Pulled), ..small() },
        SceneOptions { extras: true, ..small() },
        SceneOptions { debug_lines: true, ..small() },
    ];
    lighting.into_iter().chain(split).chain(others).collect()
}

#[test]
fn pushed_and_as_a_set_every_program_draws_the_same() {
    let Some(mut pushed) = open(&[("RX_VK_POLICY", "push")]) else { return };
    let mut sets = open(&[("RX_VK_POLICY", "set")]).unwrap();
    let mut drawn = BTreeSet::new();
    for options in variants() {
        let (a, b) = (draw(&mut pushed, &options), draw(&mut sets, &options));
        same(&a, &b, &format!("{options:?}"));
        drawn.extend(a.scene.programs().iter().copied());
    }
    let all: BTreeSet<_> = PROGRAMS.iter().map(|program| (program.pass, program.name)).collect();
    assert_eq!(drawn, all, "every program of the table is drawn");
    assert!(pushed.report().sets_pushed > 0);
    assert_eq!(sets.report().sets_pushed, 0);
    assert!(sets.report().sets_written > 0);
    silent(&pushed, "pushed");
    silent(&sets, "sets");
}

#[test]
fn as_if_on_a_mac_the_picture_is_the_same() {
    let Some(mut here) = open(&[]) else { return };
    let switches = [("RX_VK_SET_FOR_TABLES", "1"), ("RX_VK_FACTS", "moltenvk-1.4.2-apple7")];
    let mut mac = open(&switches).unwrap();
    // Metal has neither a geometry stage nor transform feedback: no debug lines.
    for options in variants().into_iter().filter(|options| !options.debug_lines) {
        let (a, b) = (draw(&mut here, &options), draw(&mut mac, &options));
        same(&a, &b, &format!("{options:?}"));
        assert_eq!(b.scene.billboards(), Billboards::Pulled);
        if options.billboards.is_none() {
            assert_eq!(a.scene.billboards(), Billboards::Geometry);
        }
    }
    let moved = mac.report().planner.join("\n");
    assert!(moved.contains("set_for_tables") && moved.contains("samplers"), "the 19 samplers are moved: {moved}");
    silent(&here, "here");
    silent(&mac, "as if on a Mac");
}

#[test]
fn two_runs_give_the_same_picture() {
    let Some(mut renderer) = open(&[]) else { return };
    let first = draw(&mut renderer, &small());
    same(&first, &draw(&mut renderer, &small()), "the same renderer");
    same(&first, &draw(&mut open(&[]).unwrap(), &small()), "another renderer");
    silent(&renderer, "twice");
}

#[test]
fn languages_and_variants_give_the_same_picture_to_rounding() {
    let Some(mut renderer) = open(&[]) else { return };
    let plain = draw(&mut renderer, &small());
    let others = [
        SceneOptions { languages: Languages::Direct3d, ..small() },
        SceneOptions { model_51: true, ..small() },
        SceneOptions { lighting: Lighting::Samplers16, ..small() },
        SceneOptions { lighting: Lighting::Samplers19, ..small() },
        SceneOptions { lighting: Lighting::Textures34, ..small() },
        SceneOptions { lighting: Lighting::Textures50, ..small() },
        SceneOptions { split: Some(Split::Nine), ..small() },
    ];
    for options in others {
        let other = draw(&mut renderer, &options);
        let (greatest, beyond) = differences(&plain.pixels, &other.pixels, 1);
        // One step of 255 is a rounding; edges are smoothed by a threshold, which a rounding may cross.
        assert!(greatest <= 12 && beyond <= plain.pixels.len() / 10_000, "{options:?}: {greatest}, {beyond}");
    }
}

#[test]
fn tools_and_lines_stand_over_the_picture() {
    let Some(mut renderer) = open(&[]) else { return };
    let plain = draw(&mut renderer, &small());
    for options in [SceneOptions { debug_lines: true, ..small() }, SceneOptions { extras: true, ..small() }] {
        let other = draw(&mut renderer, &options);
        let (_, changed) = differences(&plain.pixels, &other.pixels, 8);
        assert!(changed > 200, "{options:?}: {changed} bytes differ");
        if options.extras {
            // The boats lie before the camera; the quay's lamp far to the left, and what is behind, do not.
            assert!(other.visible.len() > 60 && other.visible.len() < 134, "{:?}", other.visible);
            assert!((37..42).all(|hull| other.visible.contains(&hull)), "{:?}", other.visible);
        }
    }
}

#[test]
fn what_a_driver_needs_otherwise_does_not_change_the_picture() {
    let Some(mut plain) = open(&[]) else { return };
    let options = SceneOptions { extras: true, split: Some(Split::NineDrawn), ..small() };
    let want = draw(&mut plain, &options);
    let on = |names: &[&'static str]| names.iter().map(|name| (*name, "1")).collect::<Vec<_>>();
    let mixed = [("RX_VK_POLICY", "split"), ("RX_VK_FIX_WHOLE_PUSH", "1"), ("RX_VK_FIX_NO_UPDATE_TEMPLATES", "1")];
    let cases = [
        mixed.to_vec(),
        on(&[
            "RX_VK_FIX_NO_DYNAMIC_RENDERING",
            "RX_VK_FIX_NO_DYNAMIC_STATE",
            "RX_VK_FIX_NO_DYNAMIC_VERTEX_INPUT",
            "RX_VK_FIX_SPLIT_FILLS",
        ]),
        on(&[
            "RX_VK_FIX_EXPLICIT_BOUNDS",
            "RX_VK_FIX_BARE_VARYINGS",
            "RX_VK_FIX_DENSE_SWITCH",
            "RX_VK_FIX_FLOAT_BITS",
            "RX_VK_FIX_INT_TO_FLOAT",
            "RX_VK_FIX_SPLIT_CLAMP",
            "RX_VK_FIX_POINT_SIZE",
        ]),
    ];
    for switches in cases {
        let mut renderer = open(&switches).unwrap();
        same(&want, &draw(&mut renderer, &options), &format!("{switches:?}"));
        silent(&renderer, &format!("{switches:?}"));
    }
    // Sines of another range are other numbers: waves and sparks move by a hair.
    let mut renderer = open(&[("RX_VK_FIX_SINE_RANGE", "1")]).unwrap();
    let (_, beyond) = differences(&want.pixels, &draw(&mut renderer, &options).pixels, 2);
    assert!(beyond < want.pixels.len() / 200, "{beyond} of {}", want.pixels.len());
    silent(&renderer, "sines");
}
