//! Opening and creating files: without waiting, for the user alone, from memory.

use std::fmt;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// A kind of file that a path may name instead of a regular one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A folder.
    Folder,
    /// A named pipe, or an end of a pipe that has a path.
    Pipe,
    /// A device that is read byte by byte, such as a terminal.
    CharacterDevice,
    /// A device that is read in blocks, such as a disk.
    BlockDevice,
    /// A socket.
    Socket,
    /// A kind that is not known.
    Other,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "a folder",
            Self::Pipe => "a named pipe",
            Self::CharacterDevice => "a character device",
            Self::BlockDevice => "a block device",
            Self::Socket => "a socket",
            Self::Other => "of an unknown kind",
        })
    }
}

/// The kind of what a path names, with links followed, without opening it; `None` for a file.
///
/// # Errors
/// The path names nothing, or cannot be followed.
pub fn kind_at(path: &Path) -> io::Result<Option<FileKind>> {
    Ok(kind(fs::metadata(path)?.file_type()))
}

/// The kind of what was opened; `None` for a file.
///
/// # Errors
/// The system cannot say it.
pub fn kind_of(opened: &File) -> io::Result<Option<FileKind>> {
    // Windows has no metadata of a device, such as `NUL`.
    #[cfg(windows)]
    match winapi_util::file::typ(opened)? {
        it if it.is_char() => return Ok(Some(FileKind::CharacterDevice)),
        it if it.is_pipe() => return Ok(Some(FileKind::Pipe)),
        _ => {}
    }
    Ok(kind(opened.metadata()?.file_type()))
}

fn kind(found: FileType) -> Option<FileKind> {
    if found.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kinds = [
            (found.is_fifo(), FileKind::Pipe),
            (found.is_char_device(), FileKind::CharacterDevice),
            (found.is_block_device(), FileKind::BlockDevice),
            (found.is_socket(), FileKind::Socket),
        ];
        if let Some((_, kind)) = kinds.into_iter().find(|(is_it, _)| *is_it) {
            return Some(kind);
        }
    }
    Some(if found.is_dir() { FileKind::Folder } else { FileKind::Other })
}

/// Makes opening a file never wait, and no terminal the program's.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
    }
    options
}

/// Makes a file that is created one that only its user can read. On Windows, it has the permissions of its folder: those in a user's own
/// folders are for the user alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Opens and reads a file of at most `bytes_max` bytes that the system has in memory; `None` when it would have to wait for a disk, or
/// cannot say so. Only Linux can.
#[cfg(target_os = "linux")]
pub fn read_from_memory(path: &Path, bytes_max: u64) -> Option<(Metadata, Vec<u8>)> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::{ReadWriteFlags, preadv2};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = File::from(openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED).ok()?);
    let metadata = file.metadata().ok().filter(|it| it.is_file() && it.len() <= bytes_max)?;
    let mut bytes = vec![0; metadata.len() as usize];
    let mut parts = [io::IoSliceMut::new(&mut bytes)];
    let read = preadv2(&file, &mut parts, 0, ReadWriteFlags::NOWAIT).ok()?;
    (read == bytes.len()).then_some((metadata, bytes))
}

/// `None`: this system cannot say what it has in memory.
#[cfg(not(target_os = "linux"))]
pub fn read_from_memory(_path: &Path, _bytes_max: u64) -> Option<(Metadata, Vec<u8>)> {
    None
}
