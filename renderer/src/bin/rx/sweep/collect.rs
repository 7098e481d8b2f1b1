//! Finding shaders under folders.
//!
//! Owns which files are shaders and what they are called in results: by their path below the folder given, so that a
//! baseline holds on every machine.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::input::Kind;

/// A shader that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// What results call it: its path below the folder, with `/`.
    pub name: String,
}

/// Every shader under the folders, in order of the folders and then of the names. Of several folders each name begins
/// with its folder's.
pub fn collect(folders: &[PathBuf]) -> Result<Vec<Found>, Failure> {
    let labels = labels(folders);
    let mut found = Vec::new();
    for (folder, label) in folders.iter().zip(labels) {
        if folder.is_file() {
            let own = folder.file_name().unwrap_or_default().to_string_lossy();
            found.push(Found { path: folder.clone(), name: format!("{label}{own}") });
            continue;
        }
        let mut own = Vec::new();
        walk(folder, &label, &mut own)?;
        own.sort_by(|a, b| a.name.cmp(&b.name));
        found.extend(own);
    }
    Ok(found)
}

/// What stands before the names of each folder: nothing for one folder, else as many of its last components as make
/// them distinct.
fn labels(folders: &[PathBuf]) -> Vec<String> {
    if folders.len() < 2 {
        return vec![String::new(); folders.len()];
    }
    let parts = |path: &Path| -> Vec<String> {
        let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
        let normal = folder.components().filter(|part| matches!(part, std::path::Component::Normal(_)));
        normal.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let parts: Vec<Vec<String>> = folders.iter().map(|path| parts(path)).collect();
    let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let last = |n: usize| -> Vec<String> {
        let tail =
            |own: &Vec<String>| own[own.len().saturating_sub(n)..].iter().map(|part| format!("{part}/")).collect();
        parts.iter().map(tail).collect()
    };
    let distinct = |labels: &Vec<String>| {
        let mut sorted = labels.clone();
        sorted.sort();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    (1..=longest).map(last).find(distinct).unwrap_or_else(|| last(longest))
}

/// Goes down a folder. Links to folders are not followed: they could lead in circles.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<Found>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::read(folder, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| Failure::read(folder, &error))?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(|error| Failure::read(folder, &error))?);
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if kind.is_dir() {
            walk(&path, &format!("{name}/"), found)?;
        } else if path.is_file() && is_shader(&path) {
            found.push(Found { path, name });
        }
    }
    Ok(())
}

/// Whether a file is a shader by its extension, else by its first bytes. One that cannot be read is one by its
/// extension alone, and is then counted as failed.
fn is_shader(path: &Path) -> bool {
    let magic = || -> Option<Kind> {
        let mut first = [0; 4];
        fs::File::open(path).ok()?.read_exact(&mut first).ok()?;
        Kind::by_magic(&first)
    };
    Kind::by_extension(path).or_else(magic).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_folders_are_told_apart_by_their_last_components() {
        let labels = |folders: &[&str]| labels(&folders.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(labels(&["/a/b"]), [""]);
        assert_eq!(labels(&["/a/b", "c/d"]), ["b/", "d/"]);
        assert_eq!(labels(&["a/x", "./b/x"]), ["a/x/", "b/x/"]);
        assert_eq!(labels(&["x", "x"]), ["x/", "x/"]);
    }
}
