//! Containers that the compiler wrote and that are no shader: each is refused by what it is, and an effect's shaders are
//! taken out and translated.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::validator::Validator;
use rx_tests::{shaders, shared};
use rx_translate::dxbc::effect::Assigned;
use rx_translate::dxbc::embedded::{self, Found};
use rx_translate::dxbc::program::ProgramType;
use rx_translate::interface::Stage;
use rx_translate::{Code, Source, Target, Translator, ledger};

/// The compiler's own effects of one technique `T` with one pass `P`: a vertex and a pixel shader, both in place.
#[test]
fn the_compilers_effects_give_their_shaders() {
    let Some(folder) = shared::folder("cases/containers") else { return };
    for (name, profile) in [("fx4.fxo", "fx_4_0"), ("fx5.fxo", "fx_5_0")] {
        let bytes = shared::read(&folder.join(name));
        let error = Translator::default().translate(Source::Dxbc(&bytes)).unwrap_err();
        assert_eq!(error.code, ledger::EFFECT, "{name}: {error}");
        let (found, shaders) = embedded::shaders(&bytes).unwrap();
        let Found::Effect(effect) = found else { panic!("{name}: {found:?}") };
        assert_eq!((effect.profile, effect.needs_pool), (profile, false));
        let assigned: Vec<_> =
            effect.assignments.iter().map(|own| (own.pass.to_string(), own.slot, own.value)).collect();
        let want = [(ProgramType::Vertex, Assigned::Shader(0)), (ProgramType::Pixel, Assigned::Shader(1))];
        assert_eq!(assigned, want.map(|(slot, value)| ("T.P".to_owned(), slot, value)));
        let names: Vec<_> = shaders.iter().map(|own| (own.name(), own.profile().unwrap())).collect();
        let want = [("T.P.vs", "vs_4_0"), ("T.P.ps", "ps_4_0")];
        assert_eq!(names, want.map(|(name, profile)| (name.to_owned(), profile.to_owned())));
        for (own, stage) in shaders.iter().zip([Stage::Vertex, Stage::Fragment]) {
            let translation = Translator::default().translate(Source::Dxbc(own.bytes)).unwrap();
            assert_eq!(translation.interface.stage, stage);
            assert!(translation.is_exact());
            Validator::new(Target::default()).check(&translation.spirv).unwrap();
        }
    }
}

#[test]
fn the_compilers_other_containers_are_refused_by_what_they_are() {
    let Some(folder) = shared::folder("cases/containers") else { return };
    for (name, code, words) in [
        ("lib40.dxbc", ledger::LIBRARY, "library of 1 function"),
        ("lib50.dxbc", ledger::LIBRARY, "library of 1 function"),
        ("sm2_ps.dxbc", ledger::SHADER_MODEL_9, "ps_2_0"),
        ("sm3_vs.dxbc", ledger::SHADER_MODEL_9, "vs_3_0"),
        ("dxil.dxbc", ledger::DXIL, "ps_6_0"),
        ("fx.hlsl", ledger::HLSL_SOURCE, "source text of an effect"),
    ] {
        let error = Translator::default().translate(Source::Dxbc(&shared::read(&folder.join(name)))).unwrap_err();
        assert_eq!(error.code, code, "{name}: {error}");
        assert!(error.what.contains(words), "{name}: {error}");
    }
}

/// The compiler computes every checksum, but for the five programs with messages, whose checksums it leaves wrong.
#[test]
fn the_corpus_checksums_are_right() {
    let files = shaders::corpus().unwrap_or_else(shaders::own);
    let noted = |code: Code| {
        let note = |file: &&shaders::ShaderFile| {
            rx_translate::dxbc::container::checksum_note(&file.bytes).is_some_and(|note| note.code == code)
        };
        files.iter().filter(note).map(|file| file.name.clone()).collect::<Vec<_>>()
    };
    println!("{} containers; wrong: {:?}", files.len(), noted(ledger::CHECKSUM_DIFFERS));
    assert_eq!(noted(ledger::NO_CHECKSUM), Vec::<String>::new());
    assert!(noted(ledger::CHECKSUM_DIFFERS).len() <= files.len() / 100, "{:?}", noted(ledger::CHECKSUM_DIFFERS));
}
