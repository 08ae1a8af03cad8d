//! The folder of a bot or a game, and its build: in the way of its language, or by the command in its `arena.toml`.

mod build;
mod languages;
mod sources;

pub use build::BuildEnd;
pub(crate) use languages::WANTED;
pub use sources::Sources;

use crate::error::{ExperimentError, HOW};
use arena_engine::Error;
use arena_files::FileError;
use arena_platform::groups::shell;
use arena_starter::{Language, MANIFEST};
use arena_text::shown;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{fs, io};

/// The largest `arena.toml` that is read, in bytes. Chosen: it has three lines.
const MANIFEST_BYTES_MAX: u64 = 64 << 10;

/// The folder of the kept build, inside the bot's folder.
const KEPT_FOLDER: &str = ".arena";

/// The folder of the contract, inside the bot's folder.
const WIT_FOLDER: &str = "wit";

/// The contents of `arena.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    build: Option<String>,
    bot: Option<PathBuf>,
    game: Option<PathBuf>,
    wit: Option<PathBuf>,
    world: Option<String>,
    #[serde(default)]
    ignore: Vec<String>,
}

impl Manifest {
    /// Checks the values. Without a language in the folder, it needs a command.
    fn checked(self, has_language: bool) -> Result<Self, String> {
        match &self.build {
            Some(command) if command.trim().is_empty() => return Err("`build` is empty".to_owned()),
            None if !has_language => return Err("missing field `build`".to_owned()),
            _ => {}
        }
        match (&self.bot, &self.game) {
            (None, None) => Err("missing field `bot`, or `game`".to_owned()),
            (Some(_), Some(_)) => Err("`bot` and `game` are both there".to_owned()),
            _ => Ok(self),
        }
    }
}

/// The folder of a bot, or of a game, and its build.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder.
    pub folder: PathBuf,
    /// The author's own command that builds it, a line for a shell.
    pub command: Option<String>,
    /// The language that it is built in without such a command.
    pub language: Option<Language>,
    /// The component that is built.
    pub component: PathBuf,
    /// True if that is a game.
    pub is_game: bool,
    /// The folder of the contract, from inside the folder. For builds in Python.
    pub wit: PathBuf,
    /// The world of the contract, if it has several. For builds in Python.
    pub world: Option<String>,
    /// The names of more files and folders whose changes are ignored.
    pub ignored: Vec<String>,
}

/// A program that a folder runs without WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Native {
    /// Its tests.
    Tests,
    /// Its practice program.
    Practice,
}

/// The commands of a build, as they are run.
pub trait Steps {
    /// Announces a step that takes long.
    fn note(&mut self, text: &str);

    /// Runs a command to its end. Its output is shown or kept.
    ///
    /// # Errors
    /// It cannot be started, or was stopped.
    fn run(&mut self, command: &mut Command) -> Result<ExitStatus, BuildFailure>;
}

/// The reason why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildFailure {
    /// A program or a file is missing.
    #[error("{what}")]
    Missing {
        /// What is missing.
        what: String,
        /// How to get it.
        next: String,
    },
    /// A command failed. Its output has the reason.
    #[error("{command} failed with {}", .status.code().map_or("a signal".into(), |code| format!("exit code {code}")))]
    Failed {
        /// What it is.
        command: String,
        /// Its exit status.
        status: ExitStatus,
    },
    /// The build has not written its component.
    #[error("the build has not written {}", shown(.component))]
    NotWritten {
        /// The component.
        component: PathBuf,
        /// True if it is that of a game.
        is_game: bool,
    },
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// The machine refuses something.
    #[error(transparent)]
    Engine(#[from] Error),
}

impl BuildFailure {
    /// A command that the machine does not start.
    pub fn not_started(command: &Command, error: io::Error) -> Self {
        let what = format!("cannot start {}", shown(Path::new(command.get_program())));
        Error::machine(what, error, "check that it is installed, and that you may run it").into()
    }

    /// What the author can do.
    pub fn next_step(&self) -> String {
        match self {
            Self::Missing { next, .. } => next.clone(),
            Self::NotWritten { is_game, .. } => {
                format!("correct `{}` or `build` in arena.toml", if *is_game { "game" } else { "bot" })
            }
            Self::Failed { .. } | Self::Stopped | Self::Engine(_) => "repair the errors above".to_owned(),
        }
    }
}

impl Project {
    /// Reads a folder and its `arena.toml`, which it may do without if its files name a language.
    ///
    /// # Errors
    /// The file is not valid, or the folder cannot be built.
    pub fn read(folder: &Path) -> Result<Self, ExperimentError> {
        let file = folder.join(MANIFEST);
        let language = languages::language_of(folder);
        let manifest = match arena_files::read_text(&file, MANIFEST_BYTES_MAX) {
            Ok(text) => {
                let parsed = toml::from_str(&text).map_err(|error| error.message().to_owned());
                let manifest = parsed.and_then(|manifest: Manifest| manifest.checked(language.is_some()));
                manifest.map_err(|why| ExperimentError::WrongManifest { file, why })?
            }
            Err(_) if !folder.is_dir() => {
                return Err(ExperimentError::NoFolder { folder: folder.to_owned() });
            }
            Err(FileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                if language.is_none() {
                    return Err(ExperimentError::NoManifest { folder: folder.to_owned() });
                }
                Manifest::default()
            }
            Err(error) => return Err(Error::unreadable(shown(&file), error, "manifest", HOW).into()),
        };
        let is_game = manifest.game.is_some();
        let named = manifest.game.or(manifest.bot);
        Ok(Self {
            component: folder.join(named.unwrap_or_else(|| languages::name_of(folder).into())),
            folder: folder.to_owned(),
            command: manifest.build,
            language,
            is_game,
            wit: manifest.wit.unwrap_or_else(|| WIT_FOLDER.into()),
            world: manifest.world,
            ignored: manifest.ignore,
        })
    }

    /// What builds the folder, in a few words.
    pub fn how(&self) -> &str {
        self.command.as_deref().unwrap_or("arena build")
    }

    /// Builds the component: by the author's command, or else in the way of the language.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn build(&self, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
        match (&self.command, self.language) {
            (Some(command), _) => {
                let status = steps.run(shell(command).current_dir(&self.folder))?;
                if !status.success() {
                    return Err(BuildFailure::Failed { command: "the build command".to_owned(), status });
                }
            }
            (None, Some(language)) => languages::build(self, language, false, steps)?,
            (None, None) => {}
        }
        match self.component.is_file() {
            true => Ok(()),
            false => {
                let (component, is_game) = (self.component.clone(), self.is_game);
                Err(BuildFailure::NotWritten { component, is_game })
            }
        }
    }

    /// Installs the tools that the build needs in the folder, and builds nothing.
    ///
    /// # Errors
    /// The reason why they are not there.
    pub fn install_tools(&self, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
        self.language.map_or(Ok(()), |language| languages::build(self, language, true, steps))
    }

    /// Runs the tests or the practice program of the folder, with these arguments, and returns how it ended.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn run_native(
        &self,
        what: Native,
        args: &[OsString],
        steps: &mut dyn Steps,
    ) -> Result<ExitStatus, BuildFailure> {
        let language = self.language.ok_or_else(|| BuildFailure::Missing {
            what: format!("the folder has no {}", languages::WANTED),
            next: "run your own tests".to_owned(),
        })?;
        languages::run_native(self, language, what, args, steps)
    }

    /// A source in the folder of a component that was written after it, if the component is what that folder builds.
    pub fn newer_source(component: &Path) -> Option<PathBuf> {
        let folder = component.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let project = Self::read(folder).ok()?;
        if project.component.file_name() != component.file_name() {
            return None;
        }
        let written = fs::metadata(component).and_then(|data| data.modified()).ok()?;
        project.sources(&Sources::default()).newer_than(written).map(Path::to_owned)
    }

    /// The file of the kept build.
    pub fn kept(&self) -> PathBuf {
        let mut name = self.component.file_stem().unwrap_or_default().to_owned();
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
