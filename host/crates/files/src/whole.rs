//! Files that are written as a whole, and texts for their names.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// A label as a part of a file's name.
pub fn file_word(label: &str) -> String {
    label.chars().map(|c| if c.is_alphanumeric() || "-_.#".contains(c) { c } else { '_' }).collect()
}

/// Creates a file. A file of this name, for example of a stopped process, is removed first. So is a link or a named pipe,
/// so that nothing is written through it.
///
/// # Errors
/// The error of the file system.
pub fn create(path: &Path) -> io::Result<File> {
    match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            File::create_new(path)
        }
        created => created.map_err(|error| crate::of_creation(path, error)),
    }
}

/// Writes a file under another name first, so that it is complete or does not exist, whenever the machine stops.
///
/// # Errors
/// The error of the file system. No incomplete file is left.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_added_extension("part");
    let written =
        create(&partial).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // The disk may be full because of this file. A second error here would add nothing to the first.
        let _ = fs::remove_file(&partial);
    }
    written
}
