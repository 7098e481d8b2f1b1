//! Effects written from the format's description, and what is read from them.
#![allow(clippy::unwrap_used)]

#[path = "../../../../tests/src/effects.rs"]
#[allow(dead_code)]
mod effects;

use super::*;
use crate::dxbc::container::{FourCc, write};
use crate::dxbc::{Shader, asm, embedded};
use crate::{ErrorKind, ledger};
use effects::{Effect as Written, FX_4_0, FX_4_1, FX_5_0, Object, Value, state};

fn shader(profile: &str, body: &str) -> Vec<u8> {
    asm::assemble(&format!("{profile}\n{body}\nret\n")).unwrap()
}

fn compute() -> Vec<u8> {
    shader("cs_5_0", "dcl_thread_group 1, 1, 1")
}

fn pixel(profile: &str) -> Vec<u8> {
    shader(profile, "dcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)")
}

fn vertex(profile: &str) -> Vec<u8> {
    shader(profile, "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0, 0, 0, 1.0)")
}

/// What a pass assigns, in words.
fn words(effect: &Effect<'_>) -> Vec<String> {
    let value = |value: Assigned<'_>| match value {
        Assigned::Shader(index) => effect.shaders[index].origin.to_string(),
        Assigned::Null => "NULL".to_owned(),
        Assigned::Elsewhere(name) => format!("elsewhere {name}"),
        Assigned::Chosen(name) => format!("chosen of {name}"),
    };
    let line = |own: &Assignment<'_>| format!("{} {} = {}", own.pass, names::stage(own.slot), value(own.value));
    effect.assignments.iter().map(line).collect()
}

/// Everything that `fx_4_0` has, with or without annotations.
fn fx_4(annotated: bool, vs: &[u8], ps: &[u8]) -> Vec<u8> {
    let passes = vec![
        ("P0", vec![(state::VERTEX, Value::Variable("vs")), (state::PIXEL, Value::Shader(ps, ""))]),
        (
            "",
            vec![
                (state::BLEND, Value::Variable("sampler")),
                (state::VERTEX, Value::Shader(vs, "")),
                (state::PIXEL, Value::Element("lights", 1)),
                (state::GEOMETRY, Value::Null),
            ],
        ),
    ];
    let stream = vec![
        ("out", vec![(state::GEOMETRY, Value::Variable("so")), (state::PIXEL, Value::Null)]),
        (
            "out2",
            vec![
                (state::GEOMETRY, Value::Shader(vs, "SV_Position.xy")),
                (state::PIXEL, Value::Chosen("lights", "count")),
                (state::VERTEX, Value::Variable("pooled")),
            ],
        ),
    ];
    let effect = Written {
        version: FX_4_0,
        buffers: vec![("empty", vec![]), ("globals", vec!["world", "count"])],
        objects: vec![
            Object::Texture("maps", 1000),
            Object::Sampler("sampler", 3),
            Object::Shader(state::VERTEX, "vs", vec![Some(vs)]),
            Object::Text("title", "a title"),
            Object::Shader(state::PIXEL, "lights", vec![Some(ps), Some(ps), None]),
            Object::GeometryWithOutput("so", vs, "SV_Position.xyzw; TEXCOORD0.xy"),
        ],
        pool: (vec![("shared", vec!["time"])], vec!["pooled"]),
        groups: vec![("", vec![("T", passes), ("Stream", stream)])],
        annotated,
        ..Written::default()
    };
    effect.write()
}

#[test]
fn an_fx_4_0_is_read_to_the_end_in_its_container_and_without() {
    let (vs, ps) = (vertex("vs_4_0"), pixel("ps_4_0"));
    for annotated in [false, true] {
        let bare = fx_4(annotated, &vs, &ps);
        let contained = write(&[(FourCc(*b"FX10"), &bare)]).unwrap();
        for bytes in [&bare, &contained] {
            let effect = read(bytes).unwrap();
            assert_eq!((effect.profile, effect.needs_pool), ("fx_4_0", true));
            let names: Vec<String> = effect.shaders.iter().map(|own| own.origin.to_string()).collect();
            assert_eq!(
                names,
                ["vs.vs", "lights[0].ps", "lights[1].ps", "so.gs", "T.P0.ps", "T.1.vs", "Stream.out2.gs"]
            );
            assert_eq!(
                words(&effect),
                [
                    "T.P0 vs = vs.vs",
                    "T.P0 ps = T.P0.ps",
                    "T.1 vs = T.1.vs",
                    "T.1 ps = lights[1].ps",
                    "T.1 gs = NULL",
                    "Stream.out gs = so.gs",
                    "Stream.out ps = NULL",
                    "Stream.out2 gs = Stream.out2.gs",
                    "Stream.out2 ps = chosen of lights",
                    "Stream.out2 vs = elsewhere pooled",
                ]
            );
            for own in &effect.shaders {
                let start = own.offset as usize;
                assert_eq!(&bytes[start..start + own.bytes.len()], own.bytes);
                Shader::parse(own.bytes, true).unwrap();
            }
            assert_eq!(effect.shaders[3].stream_output, ["SV_Position.xyzw; TEXCOORD0.xy"]);
            assert_eq!(effect.shaders[6].stream_output, ["SV_Position.xy"]);
            assert!(effect.shaders[4].stream_output.is_empty());
        }
        // The stage is the code's own: a vertex shader may be written where a geometry shader is.
        let (found, shaders) = embedded::shaders(&bare).unwrap();
        assert!(matches!(found, embedded::Found::Effect(_)));
        assert_eq!(shaders[3].profile().as_deref(), Some("vs_4_0"));
    }
}

#[test]
fn an_fx_5_0_has_groups_interfaces_and_every_stage() {
    let (vs, ps, cs) = (vertex("vs_5_0"), pixel("ps_5_0"), compute());
    let stages = vec![
        (state::VERTEX, Value::Shader(&vs, "")),
        (state::HULL, Value::Variable("hull")),
        (state::DOMAIN, Value::Null),
        (state::GEOMETRY, Value::Shader(&vs, "SV_Position.xyz")),
        (state::PIXEL, Value::Element("ps", 0)),
    ];
    for annotated in [false, true] {
        let effect = Written {
            version: FX_5_0,
            buffers: vec![("globals", vec!["world"])],
            objects: vec![
                // What is in the variable is not looked at: any bytes are listed, and refused when translated.
                Object::Shader(state::HULL, "hull", vec![Some(&cs)]),
                Object::Shader(state::PIXEL, "ps", vec![Some(&ps), None]),
                Object::Shader(state::COMPUTE, "none", vec![None]),
            ],
            interfaces: vec!["light"],
            groups: vec![
                ("", vec![("Lone", vec![("P", vec![(state::COMPUTE, Value::Variable("none"))])])]),
                ("G", vec![("T", vec![("P", stages.clone())]), ("U", vec![]), ("V", vec![("Q", vec![])])]),
                ("H", vec![("T", vec![("P", vec![(state::COMPUTE, Value::Shader(&cs, ""))])])]),
            ],
            annotated,
            ..Written::default()
        };
        let bytes = effect.write();
        let read = read(&bytes).unwrap();
        assert_eq!((read.profile, read.needs_pool), ("fx_5_0", false));
        assert_eq!(
            words(&read),
            [
                "Lone.P cs = NULL",
                "G.T.P vs = G.T.P.vs",
                "G.T.P hs = hull.hs",
                "G.T.P ds = NULL",
                "G.T.P gs = G.T.P.gs",
                "G.T.P ps = ps[0].ps",
                "H.T.P cs = H.T.P.cs",
            ]
        );
        assert_eq!(read.shaders[3].stream_output, ["SV_Position.xyz"]);
    }
}

#[test]
fn an_effect_is_refused_as_a_shader_by_its_name() {
    let bare = Written { version: FX_4_1, ..Written::default() }.write();
    let contained = write(&[(FourCc(*b"FX10"), &bare)]).unwrap();
    for bytes in [&bare, &contained] {
        let error = Shader::parse(bytes, false).unwrap_err();
        assert_eq!((error.code, error.kind), (ledger::EFFECT, ErrorKind::Refused));
        assert!(error.what.contains("fx_4_1"), "{error}");
        assert!(read(bytes).unwrap().shaders.is_empty());
    }
    assert_eq!(read(b"not an effect").unwrap_err().code, ledger::NOT_A_CONTAINER);
    assert!(!is_effect(&compute()));
}

/// Every byte cut off, and every word set to values that lead elsewhere: an answer, never a panic.
#[test]
fn damaged_tables_are_an_error_or_another_effect() {
    let (vs, ps) = (vertex("vs_4_0"), pixel("ps_4_0"));
    let good = fx_4(true, &vs, &ps);
    for n in 0..good.len() {
        if let Err(error) = read(&good[..n]) {
            let known = [ledger::BAD_EFFECT, ledger::EMPTY_INPUT, ledger::NOT_A_CONTAINER];
            assert!(known.contains(&error.code), "{n}: {error}");
        }
    }
    assert!(read(&good[..good.len() - 1]).is_err());
    for at in (4..good.len() - 4).step_by(4) {
        for value in [0, 1, 4, 0x7fff_ffff, u32::MAX, good.len() as u32] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            if let Err(error) = read(&bytes) {
                assert_eq!(error.code, ledger::BAD_EFFECT, "{value:#x} at {at:#x}");
            }
        }
    }
}

#[test]
fn counts_that_no_table_holds_end_at_once() {
    let mut bytes = Written { version: FX_5_0, ..Written::default() }.write();
    for count in [1, 3, 4, 6, 19, 21] {
        let mut bytes = bytes.clone();
        bytes[4 * count..4 * count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(read(&bytes).unwrap_err().code, ledger::BAD_EFFECT, "count {count}");
    }
    bytes.truncate(40);
    assert_eq!(read(&bytes).unwrap_err().code, ledger::BAD_EFFECT);
}
