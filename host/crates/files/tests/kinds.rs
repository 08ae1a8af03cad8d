//! Everything that a path can name, opened without waiting for anything.

use arena_files::{
    FileError, FileKind, check, create, make_folder, open, open_or_create, read, read_text, reason,
};
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
fn a_text_is_read_without_its_byte_order_mark_and_other_bytes_are_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("token");
    let read_bytes = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        read_text(&path, 8).map_err(|error| (error.as_wanted("token"), error.to_string()))
    };
    assert_eq!(read_bytes(b"\xef\xbb\xbfab\r\n"), Ok("ab\r\n".into()));
    assert_eq!(read_bytes(b"ab"), Ok("ab".into()));
    let refused = |phrase: &str, text: &str| Err((phrase.to_owned(), text.to_owned()));
    let utf_16 = refused("is UTF-16; save it as UTF-8", "it is UTF-16; save it as UTF-8");
    assert_eq!(read_bytes(b"\xff\xfea\0b\0"), utf_16);
    let other = refused("is not UTF-8 text, so it is not a token", "it is not UTF-8 text");
    assert_eq!(read_bytes(b"\xff"), other);
    // The mark counts for the size.
    assert!(read_bytes(b"\xef\xbb\xbf123456").is_err());
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
fn a_folder_that_takes_no_files_is_not_called_missing() {
    let folder = TempDir::new().unwrap();
    let created = |path: &Path| {
        let opened = open_or_create(path).map(drop).map_err(std::io::Error::from);
        let made = make_folder(path);
        [opened, create(path).map(drop), made].map(|result| reason(&result.unwrap_err()))
    };
    assert_eq!(created(Path::new("/proc/arena.db")), ["nothing can be created in its folder"; 3]);
    let gone = folder.path().join("gone/arena.db");
    let missing = "there is no such file or folder";
    assert_eq!(open_or_create(&gone).map_err(|error| reason(&error.into())).unwrap_err(), missing);
    assert_eq!(create(&gone).map_err(|error| reason(&error)).unwrap_err(), missing);
    // The folder of a link is there, and that of its target is not.
    symlink(&gone, folder.path().join("link")).unwrap();
    let linked = open_or_create(&folder.path().join("link"));
    assert_eq!(linked.map_err(|error| reason(&error.into())).unwrap_err(), missing);
}

#[test]
fn an_error_of_the_system_is_kept() {
    let error = open(Path::new("/dev/null/file")).unwrap_err();
    assert!(matches!(&error, FileError::Io(error) if error.kind() == ErrorKind::NotADirectory), "{error}");
    assert!(error.as_wanted("bot").starts_with("cannot be read: "));
}
