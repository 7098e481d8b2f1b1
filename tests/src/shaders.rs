//! Where Direct3D shaders lie: the project's own in the repository, other projects' in the corpus.
//!
//! The corpus is found through [`crate::shared`], and is not there on every machine.

use rx_translate::dxbc::container::Container;
use rx_translate::interface::Stage;
use std::path::{Path, PathBuf};

/// A container and where it lies.
#[derive(Clone, Debug)]
pub struct ShaderFile {
    /// Path below the folder that was searched, with `/` between its parts: the same on every machine.
    pub name: String,
    /// Where it can be read.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl ShaderFile {
    /// The stage that the version token names; none where there is no code.
    pub fn stage(&self) -> Option<Stage> {
        let container = Container::parse(&self.bytes).ok()?;
        let code = container.find(&[b"SHEX", b"SHDR"])?;
        match u16::from_le_bytes(code.data.get(2..4)?.try_into().ok()?) {
            0 => Some(Stage::Fragment),
            1 => Some(Stage::Vertex),
            2 => Some(Stage::Geometry),
            3 => Some(Stage::TessellationControl),
            4 => Some(Stage::TessellationEvaluation),
            5 => Some(Stage::Compute),
            _ => None,
        }
    }
}

/// The repository's root.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_path_buf()
}

/// The project's own shaders: what the main job loads, and the tests' variants and features.
pub fn own() -> Vec<ShaderFile> {
    let root = repository();
    let mut files = below(&root, &root.join("renderer/assets/dxbc"));
    files.extend(below(&root, &root.join("tests/assets/dxbc")));
    files
}

/// The corpus of other projects' shaders, when there is one.
pub fn corpus() -> Option<Vec<ShaderFile>> {
    let root = crate::shared::folder("corpus")?;
    Some(below(&root, &root))
}

/// Every container below a folder, in the order of its name.
pub fn below(root: &Path, folder: &Path) -> Vec<ShaderFile> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.map(|entry| entry.expect("a folder's entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "dxbc") {
                files.push(read(root, path));
            }
        }
    }
    assert!(!files.is_empty(), "no containers under {}", folder.display());
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn read(root: &Path, path: PathBuf) -> ShaderFile {
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let below = path.strip_prefix(root).expect("a path below its root");
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    ShaderFile { name: parts.join("/"), bytes, path }
}

/// What `work` makes of each item, in the items' order, on all processors.
pub fn on_all_processors<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    on_threads(threads, items, work)
}

/// What `work` makes of each item, in the items' order, on a number of threads that take one item at a time.
pub fn on_threads<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(item) = items.get(at) else { return made };
            made.push((at, work(item)));
        }
    };
    let mut made: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker's thread")).collect()
    });
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, made)| made).collect()
}
