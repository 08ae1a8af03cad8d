//! The folder of a bot or a game, with its `arena.toml`: the file that has the build command.

mod build;
mod sources;

pub use build::BuildEnd;
pub use sources::Sources;

use crate::error::{ExperimentError, HOW};
use arena_engine::Error;
use arena_files::FileError;
use arena_starter::MANIFEST;
use arena_text::shown;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The largest `arena.toml` that is read, in bytes. Chosen: it has three lines.
const MANIFEST_BYTES_MAX: u64 = 64 << 10;

/// The folder of the kept build, inside the bot's folder.
const KEPT_FOLDER: &str = ".arena";

/// The contents of `arena.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    build: String,
    #[serde(alias = "game")]
    bot: PathBuf,
    #[serde(default)]
    ignore: Vec<String>,
}

/// The folder of a bot, or of a game, and its build.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder.
    pub folder: PathBuf,
    /// The command that builds the bot, a line for `sh`.
    pub build: String,
    /// The component that it writes.
    pub bot: PathBuf,
    /// The names of more files and folders whose changes are ignored.
    pub ignored: Vec<String>,
}

impl Project {
    /// Reads the `arena.toml` of a folder.
    ///
    /// # Errors
    /// The file is missing or not valid.
    pub fn read(folder: &Path) -> Result<Self, ExperimentError> {
        let file = folder.join(MANIFEST);
        let text = match arena_files::read_text(&file, MANIFEST_BYTES_MAX) {
            Ok(text) => text,
            Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound && folder.is_dir() => {
                return Err(ExperimentError::NoManifest { folder: folder.to_owned() });
            }
            Err(_) if !folder.is_dir() => {
                return Err(ExperimentError::NoFolder { folder: folder.to_owned() });
            }
            Err(error) => return Err(Error::unreadable(shown(&file), error, "manifest", HOW).into()),
        };
        let parsed = toml::from_str(&text).map_err(|error| error.message().to_owned());
        let manifest: Manifest = match parsed {
            Ok(Manifest { build, .. }) if build.trim().is_empty() => Err("`build` is empty".to_owned()),
            parsed => parsed,
        }
        .map_err(|why| ExperimentError::WrongManifest { file, why })?;
        Ok(Self {
            bot: folder.join(&manifest.bot),
            folder: folder.to_owned(),
            build: manifest.build,
            ignored: manifest.ignore,
        })
    }

    /// The file of the kept build.
    pub fn kept(&self) -> PathBuf {
        let mut name = self.bot.file_stem().unwrap_or_default().to_owned();
        name.push("-kept.wasm");
        self.folder.join(KEPT_FOLDER).join(name)
    }

    /// Keeps a build. It replaces the one that was kept before.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, component: &[u8]) -> Result<(), Error> {
        let (kept, folder) = (self.kept(), self.folder.join(KEPT_FOLDER));
        let write = || {
            fs::create_dir_all(&folder)?;
            // The kept build does not belong into the author's repository.
            arena_files::write_whole(&folder.join(".gitignore"), b"*\n")?;
            arena_files::write_whole(&kept, component)
        };
        write().map_err(|error| {
            Error::machine(
                format!("cannot write {}", shown(&kept)),
                error,
                "check the permissions of the folder",
            )
        })
    }
}
