//! The sources in a folder. Changes are found by their contents, since many editors also write files that they did not change.
//!
//! The folder is polled. The system's notifications need a watch for each folder, miss changes on network file systems, and also come
//! for everything that a build writes. Polling the hundred files of a bot takes a millisecond.

use super::Project;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folders of build tools.
const TOOLS: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// The largest number of files that are watched. Chosen: a bot in Rust has a hundred, with its SDK.
const FILES_MAX: usize = 5_000;

/// The largest file whose contents are compared, in bytes. Chosen: larger files are not sources. A change of their time counts.
const COMPARED_BYTES_MAX: u64 = 4 << 20;

/// A file as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    modified: Option<SystemTime>,
    bytes: u64,
    digest: u64,
}

/// The sources of a folder as they were last seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(BTreeMap<PathBuf, Seen>);

impl Project {
    /// The sources as they are now. `before` is the last result: a file with the same time and size is not read again.
    pub fn sources(&self, before: &Sources) -> Sources {
        Sources::of(&self.folder, &self.ignored, before)
    }
}

impl Sources {
    fn of(folder: &Path, ignored: &[String], before: &Self) -> Self {
        let mut files = Self::default();
        files.add(folder, ignored, before);
        files
    }

    /// A source that was written after a time. Texts for readers and recorded games are none.
    pub(super) fn newer_than(&self, time: SystemTime) -> Option<&Path> {
        let is_other = |path: &Path| {
            let ends = |extension| ["md", "txt", "jsonl", "log"].iter().any(|it| extension == *it);
            path.extension().is_none_or(ends)
        };
        let mut files = self.0.iter().filter(|(path, _)| !is_other(path));
        files.find(|(_, seen)| seen.modified.is_some_and(|it| it > time)).map(|(path, _)| &**path)
    }

    /// True if there are the same files with the same contents.
    pub fn is_same(&self, other: &Self) -> bool {
        let contents = |(path, seen): (&PathBuf, &Seen)| (path.clone(), seen.digest);
        self.0.iter().map(contents).eq(other.0.iter().map(contents))
    }

    fn add(&mut self, folder: &Path, ignored: &[String], before: &Self) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let name = name.to_string_lossy();
            let is_ignored = name.starts_with('.')
                || name.ends_with(".wasm")
                || name.ends_with('~')
                || TOOLS.contains(&&*name)
                || ignored.iter().any(|other| *other == name);
            if is_ignored || self.0.len() >= FILES_MAX {
                continue;
            }
            // A link to a folder is not followed: it may lead to a folder that contains it.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.add(&path, ignored, before),
                Ok(_) => {
                    if let Ok(data) = fs::metadata(&path)
                        && data.is_file()
                    {
                        let seen = Seen::of(&path, &data, before.0.get(&path));
                        self.0.insert(path, seen);
                    }
                }
                Err(_) => {}
            }
        }
    }
}

impl Seen {
    fn of(path: &Path, data: &Metadata, before: Option<&Self>) -> Self {
        let (modified, bytes) = (data.modified().ok(), data.len());
        if let Some(before) = before
            && (before.modified, before.bytes) == (modified, bytes)
        {
            return before.clone();
        }
        let mut hasher = DefaultHasher::new();
        match fs::read(path) {
            Ok(contents) if bytes <= COMPARED_BYTES_MAX => hasher.write(&contents),
            _ => std::hash::Hash::hash(&(modified, bytes), &mut hasher),
        }
        Self { modified, bytes, digest: hasher.finish() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_sources_count_and_files_written_by_tools_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("src/bot.c", "int a;");
        write("out.txt", "1");
        let look = |before: &Sources| Sources::of(folder.path(), &["out.txt".to_owned()], before);
        let first = look(&Sources::default());
        for name in ["bot.wasm", "target/x", ".venv/x", "src/__pycache__/x", "out.txt", "src/bot.c~"] {
            write(name, "written by a tool");
        }
        write("src/bot.c", "int a;");
        assert!(look(&first).is_same(&first));
        write("src/bot.c", "int b;");
        assert!(!look(&first).is_same(&first));
        write("src/bot.c", "int a;");
        write("src/other.c", "");
        assert!(!look(&first).is_same(&first));
    }
}
