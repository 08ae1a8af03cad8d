//! Everything that a path can name, opened without waiting for anything.

use arena_files::{FileError, FileKind, check, open, open_or_create, read};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use tempfile::TempDir;

/// A folder with a file, and with a path and a link for each other kind.
fn kinds() -> (TempDir, Vec<(String, FileKind)>) {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "text").unwrap();
    fs::create_dir(at("folder")).unwrap();
    mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    drop(UnixListener::bind(at("socket")).unwrap());
    let mut paths: Vec<(String, FileKind)> = vec![
        ("folder".into(), FileKind::Folder),
        ("pipe".into(), FileKind::Pipe),
        ("socket".into(), FileKind::Socket),
        ("/dev/zero".into(), FileKind::CharacterDevice),
        ("/dev/tty".into(), FileKind::CharacterDevice),
    ];
    for (index, (target, kind)) in paths.clone().into_iter().enumerate() {
        symlink(at(&target), at(&format!("link-{index}"))).unwrap();
        paths.push((format!("link-{index}"), kind));
    }
    (folder, paths)
}

fn kind(error: FileError) -> FileKind {
    match error {
        FileError::NotAFile(kind) => kind,
        other => panic!("{other}"),
    }
}

#[test]
fn anything_but_a_file_is_refused_by_its_kind_however_it_is_opened() {
    let (folder, paths) = kinds();
    for (name, expected) in paths {
        let path = folder.path().join(&name);
        for refused in [
            open(&path).map(drop),
            open_or_create(&path).map(drop),
            read(&path, u64::MAX).map(drop),
            check(&path),
        ] {
            assert_eq!(kind(refused.unwrap_err()), expected, "{name}");
        }
    }
}

#[test]
fn a_file_and_a_link_to_it_are_read_up_to_a_size() {
    let (folder, _) = kinds();
    let path = folder.path().join("link");
    symlink(folder.path().join("file"), &path).unwrap();
    assert_eq!(read(&path, 4).unwrap(), b"text");
    let error = read(&path, 3).unwrap_err();
    assert_eq!(error.as_wanted("journal"), "is larger than 3 bytes, so it is not a journal");
}

#[test]
fn a_file_is_created_only_to_be_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("new");
    let error = std::io::Error::from(open(&path).unwrap_err());
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(check(&path).is_err());
    open_or_create(&path).unwrap();
    assert_eq!(read(&path, 0).unwrap(), b"");
}

#[test]
fn an_error_of_the_system_is_kept() {
    let error = open(Path::new("/dev/null/file")).unwrap_err();
    assert!(matches!(&error, FileError::Io(error) if error.kind() == ErrorKind::NotADirectory), "{error}");
    assert!(error.as_wanted("bot").starts_with("cannot be read: "));
}
