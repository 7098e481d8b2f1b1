//! What is disassembled assembles to the same container; Microsoft's own listings assemble too; damaged text does no harm.
//!
//! The project's own shaders prove this anywhere; the corpus of other projects' shaders where it is at hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::shaders::{self, ShaderFile};
use rx_translate::dxbc::program::Program;
use rx_translate::dxbc::{Shader, asm, disasm};
use rx_translate::{Code, Source, Translator, ledger};
use std::collections::BTreeMap;

const CODE: &[&[u8; 4]] = &[b"SHEX", b"SHDR"];
const SIGNATURES: [&[&[u8; 4]]; 3] = [&[b"ISGN", b"ISG1"], &[b"OSGN", b"OSG1", b"OSG5"], &[b"PCSG", b"PSG1"]];

/// Name and bytes of a chunk.
fn chunk<'a>(shader: &Shader<'a>, names: &[&[u8; 4]]) -> Option<(String, &'a [u8])> {
    shader.container.find(names).map(|chunk| (chunk.fourcc.to_string(), chunk.data))
}

/// Holds one thing of two containers against each other.
fn same<T: PartialEq>(what: &str, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("another {what}")) }
}

/// Disassembles exactly and assembles again.
fn round_trip(file: &ShaderFile) -> Result<(), String> {
    let shader = Shader::parse(&file.bytes, false).map_err(|error| error.to_string())?;
    let text = disasm::disassemble_exact(&shader);
    let bytes = asm::assemble(&text).map_err(|error| error.to_string())?;
    // Its checksum is right, whatever the compiler's was.
    let again = Shader::parse(&bytes, true).map_err(|error| error.to_string())?;
    same("code chunk", chunk(&again, CODE), chunk(&shader, CODE))?;
    for names in SIGNATURES {
        let name = |shader: &Shader<'_>| chunk(shader, names).map(|(name, _)| name);
        same("signature chunk", name(&again), name(&shader))?;
    }
    same("input signature", &again.inputs, &shader.inputs)?;
    same("output signature", &again.outputs, &shader.outputs)?;
    same("patch constant signature", &again.patch, &shader.patch)?;
    same("set of feature flags", again.sfi0, shader.sfi0)?;
    same("text", disasm::disassemble_exact(&again), text)
}

/// Every file passes, or the test fails with those that do not.
fn check(what: &str, files: &[ShaderFile], work: impl Fn(&ShaderFile) -> Result<(), String> + Sync) {
    let results = shaders::on_all_processors(files, work);
    let failed: Vec<_> = files
        .iter()
        .zip(results)
        .filter_map(|(file, result)| Some(format!("{}: {}", file.name, result.err()?)))
        .collect();
    let (passed, all) = (files.len() - failed.len(), files.len());
    println!("{passed} of {all} {what}");
    assert!(failed.is_empty(), "{passed} of {all} {what}; not so:\n{}", failed.join("\n"));
}

#[test]
fn own_shaders_assemble_to_themselves() {
    check("assemble to themselves", &shaders::own(), round_trip);
}

#[test]
fn corpus_assembles_to_itself() {
    if let Some(files) = shaders::corpus() {
        check("assemble to themselves", &files, round_trip);
    }
}

/// Microsoft's listing of a container, from the program's version on: beside it, or in the folder of our own.
fn listing(file: &ShaderFile) -> String {
    let own =
        file.name.split_once("assets/dxbc/").map(|(_, name)| shaders::repository().join("tests/assets/asm").join(name));
    let path = own.unwrap_or_else(|| file.path.clone()).with_extension("asm");
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&text).replace('\r', "");
    // Containers with shader model 2 code too begin with that code, which is indented.
    let version = |line: &&str| matches!(line.as_bytes(), [_, b's', b'_', b'4' | b'5', b'_', b'0' | b'1']);
    let lines: Vec<_> = text.lines().skip_while(|line| !version(line)).collect();
    lines.join("\n")
}

/// A listing's lines as they compare: without comments, and without the difference of a number that is 0 and one whose
/// six digits are.
fn comparable(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| match line.find("//") {
        Some(at) if !line.contains('"') => &line[..at],
        _ => line,
    });
    let says = code.map(str::trim_end).filter(|line| !line.is_empty() && !line.trim_start().starts_with("#line"));
    says.map(|line| line.replace("0.000000", "0")).collect()
}

/// Assembles Microsoft's listing; what comes of it reads as the listing does.
fn listing_assembles(file: &ShaderFile) -> Result<(), String> {
    let listing = listing(file);
    let bytes = asm::assemble(&listing).map_err(|error| error.to_string())?;
    let again = Shader::parse(&bytes, true).map_err(|error| error.to_string())?;
    let text = disasm::disassemble(&again);
    let (ours, theirs) = (comparable(&text), comparable(&listing));
    let differs = (0..ours.len().max(theirs.len())).find(|&i| ours.get(i) != theirs.get(i));
    match differs {
        None => Ok(()),
        Some(i) => Err(format!("line {}:\n  ours   {:?}\n  theirs {:?}", i + 1, ours.get(i), theirs.get(i))),
    }
}

#[test]
fn own_listings_assemble() {
    check("listings assemble", &shaders::own(), listing_assembles);
}

#[test]
fn corpus_listings_assemble() {
    if let Some(files) = shaders::corpus() {
        check("listings assemble", &files, listing_assembles);
    }
}

/// A generator of changes that are the same every time.
struct Changes(u64);

impl Changes {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// A text cut, with one byte changed, or with a piece of it in another place.
fn damaged(text: &str, changes: &mut Changes) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = changes.below(bytes.len());
    match changes.below(3) {
        0 => bytes.truncate(at),
        1 => bytes[at] = changes.below(128) as u8,
        _ => {
            let from = changes.below(bytes.len());
            let piece = bytes[from..bytes.len().min(from + changes.below(16))].to_vec();
            let end = bytes.len().min(at + changes.below(8));
            bytes.splice(at..end, piece);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Texts past this length are damaged in few places: their work grows with length, what they show does not.
const LONG: usize = 1 << 14;

/// Damages a text, each time anew: it still assembles to a container that reads, or is refused with a place in it.
fn damage_text(file: &ShaderFile, times: usize) -> BTreeMap<Option<Code>, u32> {
    let shader = Shader::parse(&file.bytes, false).unwrap();
    let mut changes = Changes(file.bytes.len() as u64);
    let mut outcomes = BTreeMap::new();
    for text in [disasm::disassemble_exact(&shader), disasm::disassemble(&shader)] {
        for _ in 0..if text.len() > LONG { 2 } else { times } {
            let text = damaged(&text, &mut changes);
            let result = asm::assemble(&text);
            match &result {
                Ok(bytes) => drop(Shader::parse(bytes, true).unwrap_or_else(|error| panic!("{error}\n{text}"))),
                Err(error) => {
                    let (line, column) = error.place.line.expect("a place in the text");
                    let length = text.split('\n').nth(line as usize - 1).map_or(0, |line| line.chars().count());
                    assert!(column as usize <= length + 1, "{error}\n{text}");
                    assert!(ledger::find(error.code).is_some(), "{} is not in the ledger", error.code);
                }
            }
            *outcomes.entry(result.err().map(|error| error.code)).or_default() += 1;
        }
    }
    outcomes
}

fn check_damage(files: &[ShaderFile], times: usize) {
    let mut all = BTreeMap::<Option<Code>, u32>::new();
    for outcomes in shaders::on_all_processors(files, |file| damage_text(file, times)) {
        outcomes.into_iter().for_each(|(code, count)| *all.entry(code).or_default() += count);
    }
    println!("{all:?}");
    assert!(all.contains_key(&None) && all.contains_key(&Some(ledger::ASM_SYNTAX)));
}

#[test]
fn damaged_text_of_own_shaders_does_no_harm() {
    check_damage(&shaders::own(), 12);
}

#[test]
fn damaged_text_of_the_corpus_does_no_harm() {
    if let Some(files) = shaders::corpus() {
        check_damage(&files, 4);
    }
}

/// A program without the places of its items.
fn placeless(mut program: Program) -> Program {
    program.instructions.iter_mut().for_each(|instruction| instruction.offset = 0);
    program.declarations.iter_mut().for_each(|declaration| declaration.offset = 0);
    program
}

/// Changes bytes of the code. What still decodes is a program that no compiler writes; its text says all of it too.
fn odd_programs(file: &ShaderFile) -> Result<(), String> {
    let container = Shader::parse(&file.bytes, false).unwrap().container;
    let code = container.find(CODE).unwrap();
    let (start, length) = (code.offset as usize + 8, code.data.len().saturating_sub(8));
    let mut changes = Changes(file.bytes.len() as u64);
    let mut bytes = file.bytes.clone();
    for _ in 0..if length > LONG { 4 } else { 16 } {
        let at = start + changes.below(length);
        bytes[at] ^= 1 << changes.below(8);
        if let Ok(shader) = Shader::parse(&bytes, false) {
            let text = disasm::disassemble_exact(&shader);
            let assembled = asm::assemble(&text).map_err(|error| format!("byte {at:#x}: {error}"))?;
            let again = Shader::parse(&assembled, true).map_err(|error| format!("byte {at:#x}: {error}"))?;
            let (ours, theirs) = (placeless(again.program), placeless(shader.program));
            same(&format!("program with byte {at:#x} changed"), format!("{ours:?}"), format!("{theirs:?}"))?;
        }
        bytes[at] = file.bytes[at];
    }
    Ok(())
}

#[test]
fn programs_that_no_compiler_writes_have_a_text_too() {
    check("changed programs assemble to themselves", &shaders::own(), odd_programs);
}

/// Shaders as a person writes them, without signatures: one of each stage.
const BY_HAND: [(&str, &str); 6] = [
    (
        "vertex",
        "vs_5_0
         dcl_constantbuffer cb0[1], immediateIndexed
         dcl_input v0.xy
         dcl_input_sgv v1.x, vertex_id
         dcl_output_siv o0.xyzw, position
         dcl_output o1.xyzw
         dcl_temps 1
         utof r0.x, v1.x
         mov o0.xy, v0.xyxx
         mov o0.zw, l(0, 0, 0, 1.0)
         mul o1.xyzw, r0.xxxx, cb0[0].xyzw   // a colour
         ret",
    ),
    (
        "pixel",
        "ps_5_0
         dcl_sampler s0
         dcl_resource_texture2d (float,float,float,float) t0
         dcl_input_ps linear v1.xyzw
         dcl_output o0.xyzw
         dcl_temps 1
         sample r0.xyzw, v1.xy, t0.xyzw, s0
         lt r0.w, r0.w, l(0.5)
         discard_nz r0.w
         mul_sat o0.xyzw, r0.xyzw, l(2, 2, 2, 1)
         ret",
    ),
    (
        "compute",
        "cs_5_0
         dcl_uav_structured u0, 4
         dcl_input vThreadID.x
         dcl_temps 1
         dcl_thread_group 64, 1, 1
         ld_structured r0.x, vThreadID.x, l(0), u0.xxxx
         iadd r0.x, r0.x, l(-1)
         store_structured u0.x, vThreadID.x, l(0), r0.x
         ret",
    ),
    (
        "geometry",
        "gs_5_0
         dcl_input_siv v[3][0].xyzw, position
         dcl_inputprimitive triangle
         dcl_outputtopology pointlist
         dcl_output_siv o0.xyzw, position
         dcl_maxout 1
         mov o0.xyzw, v[1][0].xyzw
         emit
         ret",
    ),
    (
        "hull",
        "hs_5_0
         hs_decls
         dcl_input_control_point_count 3
         dcl_output_control_point_count 3
         dcl_tessellator_domain domain_tri
         dcl_tessellator_partitioning partitioning_integer
         dcl_tessellator_output_primitive output_triangle_cw
         hs_control_point_phase
         dcl_input vOutputControlPointID
         dcl_input v[3][0].xyzw
         dcl_output o0.xyzw
         dcl_temps 1
         mov r0.x, vOutputControlPointID
         mov o0.xyzw, v[r0.x][0].xyzw
         ret
         hs_fork_phase
         dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
         dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
         dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
         dcl_output_siv o3.x, finalTriInsideTessFactor
         mov o0.x, l(4.0)
         mov o1.x, l(4.0)
         mov o2.x, l(4.0)
         mov o3.x, l(4.0)
         ret",
    ),
    (
        "domain",
        "ds_5_0
         dcl_input_control_point_count 3
         dcl_tessellator_domain domain_tri
         dcl_input vDomain.xyz
         dcl_input vicp[3][0].xyzw
         dcl_output_siv o0.xyzw, position
         mul o0.xyzw, vDomain.xxxx, vicp[0][0].xyzw
         ret",
    ),
];

#[test]
fn shaders_written_by_hand_translate() {
    for (stage, text) in BY_HAND {
        let bytes = asm::assemble(text).unwrap_or_else(|error| panic!("{stage}: {error}"));
        let translation = Translator::default().translate(Source::Dxbc(&bytes));
        assert!(translation.unwrap_or_else(|error| panic!("{stage}: {error}")).notes.is_empty(), "{stage}");
    }
}

#[test]
fn the_pages_examples_assemble() {
    let page = std::fs::read_to_string(shaders::repository().join("docs/assembly.md")).unwrap();
    let examples: Vec<_> = page.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let [shader, directives] = examples.as_slice() else { panic!("{} examples", examples.len()) };
    asm::assemble(shader).unwrap_or_else(|error| panic!("{error}"));
    let bytes = asm::assemble(&format!("gs_5_0\n{directives}")).unwrap_or_else(|error| panic!("{error}"));
    let again = disasm::disassemble_exact(&Shader::parse(&bytes, true).unwrap());
    // What is not there is not said of patch constants outside the tessellation stages.
    let lines = directives.lines().filter(|line| *line != ".patches none");
    lines.for_each(|line| assert!(again.contains(line), "{line}\n{again}"));
}
