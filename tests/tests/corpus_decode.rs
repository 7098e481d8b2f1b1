//! Every container decodes, and its text is Microsoft's own listing; no cut or changed byte does harm.
//!
//! The project's own shaders lie in the repository. The corpus of other projects' shaders is found through the
//! environment variable `RX_SHARED` alone: unset, its part is skipped; set to a place that cannot be read, it fails.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_translate::Error;
use rx_translate::dxbc::container::Container;
use rx_translate::dxbc::{Shader, disasm, tokens};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A container and the listing that stands for it.
struct Sample {
    container: PathBuf,
    listing: PathBuf,
}

/// The project's own shaders: containers in two places, listings in one.
fn own_samples() -> Vec<Sample> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listings = tests.join("assets/asm");
    let mut samples = Vec::new();
    for root in [tests.join("assets/dxbc"), tests.join("../renderer/assets/dxbc")] {
        for container in containers(&root) {
            let listing = listings.join(container.strip_prefix(&root).unwrap()).with_extension("asm");
            samples.push(Sample { container, listing });
        }
    }
    samples
}

/// The corpus, when there is one.
fn corpus_samples() -> Option<Vec<Sample>> {
    let Some(shared) = std::env::var_os("RX_SHARED") else {
        println!("skipped: RX_SHARED is not set, so there is no corpus to decode");
        return None;
    };
    let containers = containers(&Path::new(&shared).join("corpus"));
    let sample = |container: PathBuf| Sample { listing: container.with_extension("asm"), container };
    Some(containers.into_iter().map(sample).collect())
}

fn containers(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "dxbc") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no containers under {}", root.display());
    found
}

/// The lines of a listing that say something: from the program's version on, without comments and line numbers.
///
/// Listings of containers with shader model 2 code too begin with that code, which is indented.
fn listing_lines(text: &str) -> Vec<&str> {
    let program = text.lines().skip_while(|line| !is_version(line));
    let code = program.map(|line| match line.find("//") {
        Some(at) if !line.contains('"') => &line[..at],
        _ => line,
    });
    code.map(str::trim_end).filter(|l| !l.is_empty() && !l.trim_start().starts_with("#line")).collect()
}

fn is_version(line: &str) -> bool {
    matches!(line.as_bytes(), [_, b's', b'_', b'4' | b'5', b'_', b'0' | b'1'])
}

/// What differs, if anything: the first line that does, or what kept the container from decoding.
fn difference(sample: &Sample) -> Option<String> {
    let bytes = std::fs::read(&sample.container).unwrap();
    let listing = std::fs::read(&sample.listing).unwrap_or_else(|e| panic!("{}: {e}", sample.listing.display()));
    let listing = String::from_utf8_lossy(&listing).replace('\r', "");
    let shader = match Shader::parse(&bytes, false) {
        Ok(shader) => shader,
        Err(error) => return Some(error.to_string()),
    };
    let ours = disasm::disassemble(&shader);
    let (ours, theirs) = (listing_lines(&ours), listing_lines(&listing));
    let at = (0..ours.len().max(theirs.len())).find(|&i| ours.get(i) != theirs.get(i))?;
    Some(format!("line {}:\n  ours   {:?}\n  theirs {:?}", at + 1, ours.get(at), theirs.get(at)))
}

fn check_listings(samples: &[Sample]) {
    let differences: Vec<_> = samples
        .iter()
        .filter_map(|sample| Some(format!("{}: {}", sample.container.display(), difference(sample)?)))
        .collect();
    let (same, all) = (samples.len() - differences.len(), samples.len());
    println!("{same} of {all} listings are the same");
    assert!(differences.is_empty(), "{same} of {all} are the same; not so:\n{}", differences.join("\n"));
}

#[test]
fn own_shaders_read_as_microsofts_listings() {
    check_listings(&own_samples());
}

#[test]
fn corpus_reads_as_microsofts_listings() {
    if let Some(samples) = corpus_samples() {
        check_listings(&samples);
    }
}

/// A generator of changes that are the same every time.
struct Changes(u64);

impl Changes {
    /// A byte's new value, other than the old one.
    fn change(&mut self, byte: u8) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        byte ^ (1 + ((self.0 >> 33) % 255) as u8)
    }
}

/// Outcomes by code; `None` is a shader that decodes.
type Outcomes = BTreeMap<Option<rx_translate::Code>, u32>;

fn note<T>(outcomes: &mut Outcomes, result: Result<T, Error>) {
    *outcomes.entry(result.err().map(|e| e.code)).or_default() += 1;
}

/// Containers past this size are changed in fewer places: their work grows with size, what they show does not.
const LARGE: usize = 3 << 10;

/// One byte changed at each of 64 places (8 of a large container); what still decodes is printed too.
fn change_bytes(bytes: &[u8], outcomes: &mut Outcomes) {
    let mut changes = Changes(bytes.len() as u64);
    let places = if bytes.len() > LARGE { 8 } else { 64 };
    let mut changed = bytes.to_vec();
    for place in 0..places {
        let at = place * bytes.len() / places;
        changed[at] = changes.change(bytes[at]);
        let result = Shader::parse(&changed, false);
        if let (Ok(shader), true) = (&result, place % 8 == 0) {
            assert!(disasm::disassemble_exact(shader).len() <= 64 * bytes.len().max(1 << 14));
        }
        note(outcomes, result.map(|_| ()));
        changed[at] = bytes[at];
    }
}

/// Cut at every 16th byte: as it is, and with the header's size cut too, so that what follows is reached.
fn cut_container(bytes: &[u8], outcomes: &mut Outcomes) {
    for end in (0..bytes.len()).step_by(16) {
        assert!(Shader::parse(&bytes[..end], false).is_err(), "cut at {end}");
        let mut cut = bytes[..end].to_vec();
        if end >= 32 {
            cut[24..28].copy_from_slice(&(end as u32).to_le_bytes());
        }
        note(outcomes, Shader::parse(&cut, false).map(|_| ()));
    }
}

/// The code cut at every 16th byte (fewer places in a large one), with its length cut too.
fn cut_code(bytes: &[u8], outcomes: &mut Outcomes) {
    let container = Container::parse(bytes).unwrap();
    let Some(code) = container.find(&[b"SHEX", b"SHDR"]) else { return };
    let step = if code.data.len() > LARGE { code.data.len() / 16 } else { 16 };
    for end in (8..code.data.len()).step_by(step) {
        let mut cut = code.data[..end].to_vec();
        cut[4..8].copy_from_slice(&(end as u32 / 4).to_le_bytes());
        note(outcomes, tokens::decode(&cut, code.offset as usize).map(|_| ()));
    }
}

/// Every container under each kind of damage, on all processors.
fn damage(samples: &[Sample]) -> Outcomes {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts = samples.chunks(samples.len().div_ceil(4 * threads));
    let mut outcomes = Outcomes::new();
    std::thread::scope(|scope| {
        let work: Vec<_> = parts.map(|part| scope.spawn(move || damage_part(part))).collect();
        for part in work {
            for (code, count) in part.join().unwrap() {
                *outcomes.entry(code).or_default() += count;
            }
        }
    });
    outcomes
}

fn damage_part(samples: &[Sample]) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for sample in samples {
        let bytes = std::fs::read(&sample.container).unwrap();
        change_bytes(&bytes, &mut outcomes);
        cut_container(&bytes, &mut outcomes);
        cut_code(&bytes, &mut outcomes);
    }
    outcomes
}

/// Nothing panics, and what is refused is refused as malformed, or for a reason that the ledger has.
fn check_damage(samples: &[Sample]) {
    let outcomes = damage(samples);
    println!("{outcomes:?}");
    for code in outcomes.keys().flatten() {
        assert!(rx_translate::ledger::find(*code).is_some(), "{code} is not in the ledger");
    }
}

#[test]
fn own_shaders_survive_damage() {
    check_damage(&own_samples());
}

#[test]
fn corpus_survives_damage() {
    if let Some(samples) = corpus_samples() {
        check_damage(&samples);
    }
}
