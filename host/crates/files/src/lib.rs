//! Files at untrusted paths: bots, journals, rules, recordings.
//!
//! A path may name something that is not a file: opening a named pipe waits for a writer, and reading a device may never
//! end. All functions here open a path without waiting, and check the open descriptor, so that the file cannot be
//! replaced in between. Everything except a regular file, or a symbolic link to one, is refused with its kind.
//!
//! ```
//! use arena_files::{FileError, FileKind};
//! use std::path::Path;
//!
//! let error = arena_files::read(Path::new("/dev/zero"), 1024).unwrap_err();
//! assert!(matches!(error, FileError::NotAFile(FileKind::CharacterDevice)));
//! assert_eq!(error.as_wanted("bot"), "is a character device, not a bot");
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]

use arena_platform::files::{kind_at, kind_of, private, without_waiting};
use arena_text::NotText;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

mod whole;

pub use arena_platform::files::FileKind;
pub use whole::{create, file_word, write_whole};

/// The reason why there is nothing below a path.
const NOT_A_FOLDER: &str = "a part of the path is a file and not a folder";

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path names something else.
    #[error("it is {0}, not a file")]
    NotAFile(FileKind),
    /// The file is larger than the caller reads.
    #[error("it is larger than {bytes_max} bytes")]
    TooLarge {
        /// The largest size that is read.
        bytes_max: u64,
    },
    /// The file is not text.
    #[error("it {0}")]
    NotText(NotText),
    /// The system refuses the file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FileError {
    /// The error of a path that should name a `wanted` file, such as a journal. It is a sentence that begins with the
    /// file's name.
    pub fn as_wanted(&self, wanted: &str) -> String {
        match self {
            Self::NotAFile(kind) => format!("is {kind}, not a {wanted}"),
            Self::TooLarge { bytes_max } => {
                format!("is larger than {bytes_max} bytes, so it is not a {wanted}")
            }
            Self::NotText(NotText::Utf16) => NotText::Utf16.to_string(),
            Self::NotText(why) => format!("{why}, so it is not a {wanted}"),
            Self::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => "no such file".into(),
                _ => format!("cannot be read: {}", reason(error)),
            },
        }
    }
}

/// The reason why the system refuses something, in plain words and without its number.
///
/// ```
/// use std::io;
///
/// assert_eq!(arena_files::reason(&io::Error::from_raw_os_error(28)), "no space is left on the disk");
/// ```
pub fn reason(error: &io::Error) -> String {
    use io::ErrorKind;
    let words = match error.kind() {
        // A program's own error has its own text.
        _ if error.raw_os_error().is_none() => return error.to_string(),
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "you have no permission",
        ErrorKind::NotADirectory => NOT_A_FOLDER,
        ErrorKind::AlreadyExists => "something else has this name",
        ErrorKind::StorageFull => "no space is left on the disk",
        ErrorKind::QuotaExceeded => "your share of the disk is used up",
        ErrorKind::ReadOnlyFilesystem => "the disk can only be read",
        ErrorKind::AddrInUse => "another program uses the port",
        ErrorKind::AddrNotAvailable => "this machine does not have the address",
        _ => {
            let text = error.to_string();
            return text.split(" (os error ").next().unwrap_or_default().to_owned();
        }
    };
    words.to_owned()
}

/// Makes a folder, and those above it that are missing.
///
/// # Errors
/// The system refuses it, or there is a file of this name.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::Error::new(io::ErrorKind::NotADirectory, NOT_A_FOLDER),
        _ => of_creation(path, error),
    })
}

/// The error of a path at which nothing can be created. Some folders, as those in `/proc`, take no files, and the system then says
/// that there is no such file or folder.
fn of_creation(path: &Path, error: io::Error) -> io::Error {
    let is_folder_there =
        path.parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir());
    if error.kind() == io::ErrorKind::NotFound && is_folder_there && !path.is_symlink() {
        return io::Error::new(io::ErrorKind::Unsupported, "nothing can be created in its folder");
    }
    error
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Io(error) => error,
            FileError::NotAFile(_) => Self::new(io::ErrorKind::InvalidInput, error),
            FileError::NotText(_) => Self::new(io::ErrorKind::InvalidData, error),
            FileError::TooLarge { .. } => Self::new(io::ErrorKind::FileTooLarge, error),
        }
    }
}

/// Opens a file for reading.
///
/// # Errors
/// The path names something else than a file, or a file that cannot be read.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_with(path, OpenOptions::new().read(true))
}

/// Opens a file for reading and writing, or creates an empty one if there is none.
///
/// # Errors
/// The path names something else than a file, or a file that cannot be written.
pub fn open_or_create(path: &Path) -> Result<File, FileError> {
    create_with(path, OpenOptions::new().read(true).write(true).create(true))
}

/// The same as [`open_or_create`], but only the user can read a file that is created.
///
/// # Errors
/// As there.
pub fn open_or_create_private(path: &Path) -> Result<File, FileError> {
    create_with(path, private(OpenOptions::new().read(true).write(true).create(true)))
}

/// Reads a whole file of at most `bytes_max` bytes. A larger one is read up to that limit.
///
/// # Errors
/// The path names something else than a file, or a file that is too large or cannot be read.
pub fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(FileError::TooLarge { bytes_max });
    }
    Ok(bytes)
}

/// Reads a text that people write or download, of at most `bytes_max` bytes: UTF-8, without the byte order mark that some
/// editors write before it.
///
/// # Errors
/// As of [`read`], and a file that is not UTF-8.
pub fn read_text(path: &Path, bytes_max: u64) -> Result<String, FileError> {
    let bytes = read(path, bytes_max)?;
    arena_text::written(&bytes).map(str::to_owned).map_err(FileError::NotText)
}

/// Checks that a path names a file, without opening it. It is for a file that a library opens by its path.
///
/// # Errors
/// The path names something else than a file, or nothing, or cannot be followed.
pub fn check(path: &Path) -> Result<(), FileError> {
    must_be_file(kind_at(path)?)
}

fn must_be_file(found: Option<FileKind>) -> Result<(), FileError> {
    found.map_or(Ok(()), |kind| Err(FileError::NotAFile(kind)))
}

fn create_with(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
    open_with(path, options).map_err(|error| match error {
        FileError::Io(error) => of_creation(path, error).into(),
        kind => kind,
    })
}

fn open_with(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
    // Sockets, and devices that are not there, cannot be opened at all. Their kind says more than the error.
    let file = without_waiting(options).open(path).map_err(|error| match check(path) {
        Err(kind @ FileError::NotAFile(_)) => kind,
        _ => error.into(),
    })?;
    must_be_file(kind_of(&file)?)?;
    Ok(file)
}
