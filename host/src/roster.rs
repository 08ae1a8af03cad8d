//! From paths to contestants: who may play, under which label, and who was refused.

use crate::failure::Failure;
use crate::workers;
use arena_referee::HostError;
use arena_sandbox::{AdmitError, Bot, Sandbox, sanitize};
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The longest label, in characters. Chosen: two of them and a result fit a line of 80.
const LABEL_CHARS_MAX: usize = 24;

/// The longest part of a path that is shown, in characters. Chosen: a line and a half of 80.
const PATH_CHARS_MAX: usize = 120;

/// A bot that may play.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What tables call it: from its file's name, which the organiser gave it, and different from all others'.
    pub label: String,
    /// Where it came from, safe to print.
    pub file: String,
    /// The admitted component.
    pub bot: Bot,
}

impl Contestant {
    /// Its entry in the header of a transcript, with the seed it was given for the game.
    pub fn entry(&self, seed: u64) -> arena_record::Contestant {
        arena_record::Contestant {
            label: self.label.clone(),
            name: self.bot.name().to_owned(),
            sha256: self.bot.hash().to_owned(),
            seed,
        }
    }

    /// The contract it was built against: `arena:battleship@0.1.0`.
    pub fn contract(&self) -> String {
        contract_of(&self.bot)
    }
}

/// The contract that a component was built against: `arena:battleship@0.1.0`.
pub fn contract_of(bot: &Bot) -> String {
    format!("arena:{}@{}", bot.game(), bot.contract_version())
}

/// A file that may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Which, safe to print.
    pub file: String,
    /// The kind of refusal.
    pub kind: &'static str,
    /// What was found.
    pub message: String,
    /// What its author can do.
    pub next: String,
}

/// Who plays and who does not.
#[derive(Debug)]
pub struct Roster {
    /// Those who play, in the order in which they are named.
    pub contestants: Vec<Contestant>,
    /// Those who do not, in that order too.
    pub refused: Vec<Refused>,
}

/// A path, made safe to print.
pub fn shown(path: &Path) -> String {
    sanitize::line(&path.to_string_lossy(), PATH_CHARS_MAX)
}

/// Whether a path names a file that can be read.
///
/// # Errors
/// What is wrong with it, and what to name instead.
pub fn check_path(path: &Path) -> Result<(), Failure> {
    let file = shown(path);
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(Failure::input(
            format!("{file}: is a folder, not a bot"),
            format!("name the components in it: {}/*.wasm", file.trim_end_matches('/')),
        )),
        Ok(found) if !found.is_file() => {
            Err(Failure::input(format!("{file}: is not a file"), "name the component of a bot, a .wasm file"))
        }
        Ok(_) => fs::File::open(path).map(drop).map_err(|error| unreadable(&file, &error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::input(
            format!("{file}: there is no such file"),
            if file.contains(['*', '?']) {
                "no file matches the pattern: build the house bots with `cargo xtask bots`, or name others"
            } else {
                "check the path, or build the bot first"
            },
        )),
        Err(error) => Err(unreadable(&file, &error)),
    }
}

/// The components that paths name: a file is itself, a folder stands for the `.wasm` files in it, by name.
///
/// # Errors
/// A path that cannot be read, or a folder without components.
pub fn components(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let inside = components_in(path).map_err(|error| unreadable(&shown(path), &error))?;
            if inside.is_empty() {
                return Err(Failure::input(
                    format!("{}: no component is in this folder", shown(path)),
                    "name a folder with .wasm files, or the files themselves",
                ));
            }
            inside.iter().try_for_each(|file| check_path(file))?;
            found.extend(inside);
        } else {
            check_path(path)?;
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn components_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut inside = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") && path.is_file() {
            inside.push(path);
        }
    }
    inside.sort();
    Ok(inside)
}

fn unreadable(file: &str, error: &std::io::Error) -> Failure {
    Failure::input(format!("{file}: cannot be read: {error}"), "check who may read it")
}

impl Roster {
    /// Admits the bots at these paths, several at a time, and says of each when it has. That they can be read is for
    /// [`check_path`] to say before.
    ///
    /// Two bots of one component are self-play where they are the only two. Among more, the second is refused: it would
    /// score twice.
    ///
    /// # Errors
    /// A file that cannot be read after all, or a failure of ours. Then the sandbox compiles no further bots.
    pub fn admit(
        sandbox: &Sandbox,
        paths: &[PathBuf],
        jobs: usize,
        mut advance: impl FnMut(),
    ) -> Result<Self, Failure> {
        let mut roster = Self { contestants: Vec::new(), refused: Vec::new() };
        let mut failed = None;
        workers::in_order(
            jobs,
            paths.len(),
            || false,
            |index| sandbox.admit_file(&paths[index]),
            |index, admitted| {
                advance();
                let admitted = admitted.unwrap_or_else(|panic| Err(HostError(panic).into()));
                match roster.enter(&paths[index], paths.len(), admitted) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(failure) => {
                        // Nobody waits for the others any more.
                        sandbox.stop_compiling();
                        failed = Some(failure);
                        ControlFlow::Break(())
                    }
                }
            },
        );
        roster.label();
        failed.map_or(Ok(roster), Err)
    }

    fn enter(
        &mut self,
        path: &Path,
        entrants: usize,
        admitted: Result<Bot, AdmitError>,
    ) -> Result<(), Failure> {
        let file = shown(path);
        match admitted {
            Ok(bot) => match self.contestants.iter().find(|other| other.bot.hash() == bot.hash()) {
                Some(twin) if entrants > 2 => self.refused.push(Refused {
                    message: format!("is the same component as {}", twin.file),
                    file,
                    kind: "same-component",
                    next: "name each bot once; two bots alone may be the same, for self-play".into(),
                }),
                _ => self.contestants.push(Contestant { label: label_of(path), file, bot }),
            },
            Err(AdmitError::Refused(refusal)) => self.refused.push(Refused {
                file,
                kind: refusal.kind.name(),
                message: refusal.message,
                next: refusal.next_step,
            }),
            Err(AdmitError::Unreadable(error)) => return Err(unreadable(&file, &error)),
            Err(AdmitError::Host(error)) => return Err(error.into()),
        }
        Ok(())
    }

    /// Makes the labels differ: two files may have the same name in different folders.
    fn label(&mut self) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let labels: Vec<String> =
            self.contestants.iter().map(|contestant| contestant.label.clone()).collect();
        for contestant in &mut self.contestants {
            let number = seen.entry(contestant.label.clone()).or_insert(0);
            *number += 1;
            let base = contestant.label.clone();
            while *number > 1 {
                contestant.label = format!("{base}#{number}");
                if !labels.contains(&contestant.label) {
                    break;
                }
                *number += 1;
            }
        }
    }
}

fn label_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let label = sanitize::line(&stem, LABEL_CHARS_MAX);
    if label.trim().is_empty() { "unnamed".into() } else { label }
}
