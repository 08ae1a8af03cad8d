//! Everything that a path can name, opened without waiting for anything.

use arena_files::{
    FileError, FileKind, check, create, file_word, make_folder, open, open_or_create, open_or_create_private,
    read, read_text, reason, write_whole,
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::io::Errno;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
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

#[test]
fn the_kinds_of_files_and_the_reasons_of_the_system_are_in_plain_words() {
    for (kind, words) in [
        (FileKind::Folder, "a folder"),
        (FileKind::Pipe, "a named pipe"),
        (FileKind::CharacterDevice, "a character device"),
        (FileKind::BlockDevice, "a block device"),
        (FileKind::Socket, "a socket"),
        (FileKind::Other, "of an unknown kind"),
    ] {
        assert_eq!(FileError::NotAFile(kind).as_wanted("journal"), format!("is {words}, not a journal"));
    }
    for (number, words) in [
        (Errno::NOENT, "there is no such file or folder"),
        (Errno::ACCESS, "you have no permission"),
        (Errno::NOTDIR, "a part of the path is a file and not a folder"),
        (Errno::EXIST, "something else has this name"),
        (Errno::NOSPC, "no space is left on the disk"),
        (Errno::DQUOT, "your share of the disk is used up"),
        (Errno::ROFS, "the disk can only be read"),
        (Errno::ADDRINUSE, "another program uses the port"),
        (Errno::ADDRNOTAVAIL, "this machine does not have the address"),
        (Errno::LOOP, "Too many levels of symbolic links"),
    ] {
        assert_eq!(reason(&number.into()), words);
    }
    // A program's own error has its own text.
    assert_eq!(reason(&std::io::Error::other("it is full")), "it is full");
    assert_eq!(FileError::from(std::io::Error::from(Errno::NOENT)).as_wanted("bot"), "no such file");
}

#[test]
fn a_file_is_written_as_a_whole_over_another_one_and_a_failure_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("page.html");
    for text in ["old", "new"] {
        write_whole(&path, text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // A stopped process has left this one.
    fs::write(folder.path().join("page.html.part"), "half").unwrap();
    write_whole(&path, b"newer").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
    let taken = folder.path().join("folder");
    fs::create_dir(&taken).unwrap();
    write_whole(&taken, b"text").unwrap_err();
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "the file and the folder");
}

#[test]
fn a_private_file_can_be_read_by_its_user_only() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secret");
    open_or_create_private(&path).unwrap().write_all(b"text").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    open_or_create_private(&path).unwrap();
    assert_eq!(read(&path, 4).unwrap(), b"text", "it stays when it is opened again");
}

#[test]
fn a_folder_is_made_with_those_above_it_unless_a_file_is_in_its_place() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a/b");
    make_folder(&path).unwrap();
    make_folder(&path).unwrap();
    fs::write(path.join("c"), "").unwrap();
    for file in ["c", "c/d"] {
        let error = make_folder(&path.join(file)).unwrap_err();
        assert_eq!(reason(&error), "a part of the path is a file and not a folder", "{file}");
    }
}

#[test]
fn a_label_in_the_name_of_a_file_keeps_letters_digits_and_some_signs() {
    assert_eq!(file_word("Mein-Bot_2.0#1 é/..\\x"), "Mein-Bot_2.0#1_é_.._x");
}
