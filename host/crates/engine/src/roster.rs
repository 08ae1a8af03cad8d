//! From paths to contestants: the bots that may play, their labels, and the refused files.

use crate::builtin;
use crate::error::Error;
use crate::kept_bots::KeptBots;
use crate::mistake::{BUILD_AGAINST_THE_GAME, Mistake};
use crate::plan;
use crate::stored::JournalContent;
use arena_files::{FileError, FileKind};
use arena_players::{Contestant, worker_pool};
use arena_record::{BotId, Label};
use arena_referee::HostError;
use arena_rules::GameRules;
use arena_sandbox::{AdmitError, Bot, RefusalKind, Sandbox};
use arena_text::{Line, ShownPath, shown};
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The longest label, in characters, without the number of a namesake. Chosen: two of them and a result fit a line of 80.
pub const LABEL_CHARS_MAX: usize = 24;

/// The finding about a file that is refused, in at most 300 characters. Chosen: a refusal of the sandbox fits.
pub type Finding = Line<300>;

/// The number of admissions that may have yielded to others because they are slow. Chosen: this number of bombs among
/// honest bots does not delay others.
const ADMISSIONS_ASIDE_MAX: usize = 64;

/// A file that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFile {
    /// The file.
    pub file: ShownPath,
    /// The label that its bot would have had.
    pub label: Label,
    /// The kind of refusal.
    pub kind: &'static str,
    /// The finding.
    pub message: Finding,
    /// The next step for its author.
    pub next: String,
}

/// A file without a verdict, because the arena or the machine failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedFile {
    /// The file.
    pub file: ShownPath,
    /// The label that its bot would have had.
    pub label: Label,
    /// The failure.
    pub cause: HostError,
}

/// The bots that play, and the files that were not admitted.
#[derive(Debug)]
pub struct Roster {
    /// The bots that play, in the order in which they are named.
    pub contestants: Vec<Contestant>,
    /// The files that were refused, in that order too.
    pub refused: Vec<RefusedFile>,
    /// The files that were not admitted because the arena failed, in that order too.
    pub failed: Vec<FailedFile>,
}

/// Checks that a path names a built-in opponent or a file that can be read.
///
/// # Errors
/// The problem with it, and what to name instead.
pub fn check_path(path: &Path) -> Result<(), Error> {
    if builtin::component(path)?.is_some() {
        return Ok(());
    }
    let file = shown(path);
    let Err(error) = arena_files::open(path) else { return Ok(()) };
    let is_missing = matches!(&error, FileError::Io(error) if error.kind() == ErrorKind::NotFound);
    let next = match &error {
        FileError::NotAFile(FileKind::Folder) => {
            &format!("name the components in it: {}/*.wasm", file.trim_end_matches('/'))
        }
        FileError::NotAFile(_) => "name the component of a bot, a .wasm file",
        _ if is_missing && file.contains(['*', '?']) => {
            "no file matches the pattern: build the house bots with `cargo xtask bots`, or name others"
        }
        _ if is_missing => "check the path, or build the bot first",
        _ => CHECK_THE_PATH,
    };
    Err(Error::unreadable(file, error, "bot", next))
}

/// The components that paths name: a file or a built-in opponent is itself, a folder stands for the `.wasm` files in it, by name.
///
/// # Errors
/// A path that cannot be read, or a folder without components.
pub fn components(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let inside = components_in(path).map_err(|error| unreadable(&shown(path), error.into()))?;
            if inside.is_empty() {
                return Err(Mistake::NoComponents { folder: shown(path) }.into());
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

/// The next step after most errors of files.
const CHECK_THE_PATH: &str = "check the path and its permissions";

fn unreadable(file: &str, error: FileError) -> Error {
    Error::unreadable(file, error, "bot", CHECK_THE_PATH)
}

impl Roster {
    /// Admits the bots at these paths, several at a time, and calls `advance` after each. [`check_path`] has checked that
    /// they can be read.
    ///
    /// Two bots of one component are self-play if they are the only two. Among more, the second is refused: it would score
    /// twice. A failure of the arena with one bot costs that bot and not the others.
    ///
    /// # Errors
    /// A file that cannot be read after all. The sandbox then compiles no further bots.
    pub fn admit(
        sandbox: &Sandbox,
        paths: &[PathBuf],
        jobs: usize,
        mut advance: impl FnMut(),
    ) -> Result<Self, Error> {
        let mut roster = Self { contestants: Vec::new(), refused: Vec::new(), failed: Vec::new() };
        let mut failed = None;
        worker_pool::in_order(
            // The sandbox limits how many of them work at the same time.
            jobs.saturating_add(ADMISSIONS_ASIDE_MAX),
            paths.len(),
            || false,
            |index| match builtin::component(&paths[index]) {
                Ok(Some(component)) => sandbox.admit(component),
                _ => sandbox.admit_file(&paths[index]),
            },
            |index, admitted| {
                advance();
                let admitted = admitted.unwrap_or_else(|panic| Err(HostError::Panic(panic.into()).into()));
                match roster.enter(&paths[index], paths.len(), admitted) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(failure) => {
                        // The others are of no interest now.
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

    /// Keeps the last version of a bot in play if its new file was refused, or if the arena failed to admit it, from the
    /// kept components. Returns a note for each such bot of the season.
    ///
    /// # Errors
    /// A component that was kept and cannot be read.
    pub fn restore(
        &mut self,
        sandbox: &Sandbox,
        journal_content: &JournalContent,
        kept: &KeptBots,
    ) -> Result<Vec<String>, Error> {
        let Some(latest) = journal_content.entries.last() else { return Ok(Vec::new()) };
        let mut notes = Vec::new();
        let refused = self.refused.iter().map(|refused| (refused.label.clone(), "is refused"));
        let failed = self.failed.iter().map(|failed| (failed.label.clone(), "was not admitted"));
        for (label, why) in refused.chain(failed).collect::<Vec<_>>() {
            let Some(entrant) = latest.entrants.iter().find(|entrant| entrant.label == label) else {
                continue;
            };
            let sha256 = &journal_content.tournament.bots[entrant.bot].sha256;
            let is_there = |other: &Contestant| other.id.label == label || other.id.sha256 == *sha256;
            if self.contestants.iter().any(is_there) {
                continue;
            }
            let mut before = match kept.find(sha256) {
                Some(path) => Self::admit(sandbox, &[path], 1, || {})?.contestants,
                None => Vec::new(),
            };
            match before.pop().filter(|before| before.id.sha256 == *sha256) {
                Some(mut contestant) => {
                    notes.push(format!(
                        "{}: its new file {why}, so its last version plays on",
                        label.as_str()
                    ));
                    contestant.id.label = label;
                    self.contestants.push(contestant);
                }
                None => notes.push(format!(
                    "{}: its new file {why}, and its last version is not kept: it does not play",
                    label.as_str()
                )),
            }
        }
        Ok(notes)
    }

    /// Refuses the bots for a loaded game whose types are not those of this one.
    ///
    /// # Errors
    /// The game cannot be loaded, or a failure of the arena.
    pub fn refuse_other_types(&mut self, rules: &GameRules) -> Result<(), Error> {
        if self.contestants.iter().any(|contestant| contestant.bot.kind() != rules.kind()) {
            return Ok(());
        }
        let bots: Vec<&Bot> = self.contestants.iter().map(|contestant| &contestant.bot).collect();
        let mut checked = plan::check_types(rules, &bots)?.into_iter();
        let refused = &mut self.refused;
        self.contestants.retain(|Contestant { file, id, .. }| match checked.next() {
            Some(Err(differs)) => {
                refused.push(RefusedFile {
                    file: file.clone(),
                    label: id.label.clone(),
                    kind: RefusalKind::OtherGame.name(),
                    message: differs.into(),
                    next: BUILD_AGAINST_THE_GAME.into(),
                });
                false
            }
            _ => true,
        });
        Ok(())
    }

    /// A note on each bot that has a number in its label, because another file has the same name.
    pub fn note_namesakes(&self) -> Vec<String> {
        let numbered = |contestant: &&Contestant| {
            let start = format!("{}#", label_of(&contestant.path).as_str());
            contestant.id.label.starts_with(&start)
        };
        let note = |contestant: &Contestant| {
            let (label, file) = (contestant.id.label.as_str(), contestant.file.as_str());
            format!("{label} is {file}: another file has the same name; rename one of them to name its bot")
        };
        self.contestants.iter().filter(numbered).map(note).collect()
    }

    /// Requires that every file was either admitted or refused.
    ///
    /// # Errors
    /// The first failure of the arena.
    pub fn require_no_failure(&self) -> Result<(), Error> {
        match self.failed.first() {
            Some(FailedFile { file, cause, .. }) => Err(cause.clone().with_file(file).into()),
            None => Ok(()),
        }
    }

    /// Requires enough bots for a match, and with `strict` that no bot was refused.
    ///
    /// # Errors
    /// Bots that are missing, or the first failure of the arena if more bots might play without it.
    pub fn require_a_match(&self, strict: bool) -> Result<(), Error> {
        let (playing, refused) = (self.contestants.len(), self.refused.len());
        if strict && refused > 0 {
            return Err(Mistake::BotsRefused { refused }.into());
        }
        if strict || playing < 2 {
            self.require_no_failure()?;
        }
        if playing < 2 { Err(Mistake::TooFewBotsLeft { playing }.into()) } else { Ok(()) }
    }

    fn enter(
        &mut self,
        path: &Path,
        entrants: usize,
        admitted: Result<Bot, AdmitError>,
    ) -> Result<(), Error> {
        let file = shown(path);
        match admitted {
            Ok(bot) => match self.contestants.iter().find(|other| other.bot.hash() == bot.hash()) {
                Some(twin) if entrants > 2 => self.refused.push(RefusedFile {
                    message: format!("is the same component as {}", twin.file.as_str()).into(),
                    file,
                    label: label_of(path),
                    kind: "same-component",
                    next: "name each bot once; two bots alone may be the same, for self-play".into(),
                }),
                _ => {
                    let name = bot.name().into();
                    let id = BotId { label: label_of(path), name, sha256: bot.hash().into() };
                    self.contestants.push(Contestant { id, file, path: path.to_owned(), bot });
                }
            },
            Err(AdmitError::Refused(refusal)) => self.refused.push(RefusedFile {
                file,
                label: label_of(path),
                kind: refusal.kind.name(),
                message: refusal.message.into(),
                next: refusal.next_step,
            }),
            Err(AdmitError::Unreadable(error)) => return Err(unreadable(&file, error.into())),
            Err(AdmitError::Host(cause)) => {
                self.failed.push(FailedFile { file, label: label_of(path), cause });
            }
        }
        Ok(())
    }

    /// Makes the labels differ: files in different folders may have the same name.
    fn label(&mut self) {
        let labels: Vec<Label> =
            self.contestants.iter().map(|contestant| contestant.id.label.clone()).collect();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (label, contestant) in labels.iter().zip(&mut self.contestants) {
            let number = numbers.entry(label).or_insert(0);
            *number += 1;
            while *number > 1 {
                contestant.id.label = format!("{}#{number}", label.as_str()).into();
                if !labels.contains(&contestant.id.label) {
                    break;
                }
                *number += 1;
            }
        }
    }
}

fn label_of(path: &Path) -> Label {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let label = arena_text::line(&stem, LABEL_CHARS_MAX);
    if label.is_empty() { "unnamed".into() } else { label.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_sandbox::SandboxLimits;

    /// Admits the bots of these names in the zoo, each from the file before it: the labels, and the refused files with the reasons.
    #[track_caller]
    fn check(files: &[(&str, &str)], labels: &[&str], refused: &[(&str, &str)]) {
        let place = tempfile::tempdir().unwrap();
        let paths = files.iter().map(|(file, name)| {
            let path = place.path().join(file).with_extension("wasm");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, arena_testkit::zoo(name)).unwrap();
            path
        });
        let sandbox = Sandbox::new(SandboxLimits::default()).unwrap();
        let mut admitted = 0;
        let roster = Roster::admit(&sandbox, &paths.collect::<Vec<_>>(), 2, || admitted += 1).unwrap();
        assert_eq!(admitted, files.len());
        assert!(roster.contestants.iter().map(|it| it.id.label.as_str()).eq(labels.iter().copied()));
        assert!(roster.refused.iter().map(|it| (it.label.as_str(), it.kind)).eq(refused.iter().copied()));
        roster.require_no_failure().unwrap();
    }

    #[test]
    fn two_bots_alone_may_be_the_same_and_of_more_each_plays_once() {
        check(&[("mine", "sweeper"), ("again", "sweeper")], &["mine", "again"], &[]);
        check(
            &[("mine", "sweeper"), ("other", "shoots-at-random"), ("again", "sweeper")],
            &["mine", "other"],
            &[("again", "same-component")],
        );
    }

    #[test]
    fn a_folder_stands_for_the_components_in_it_by_name_and_a_file_for_itself() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for folder in ["bots", "bots/folder.wasm", "empty"] {
            std::fs::create_dir(path(folder)).unwrap();
        }
        for file in ["bots/b.wasm", "bots/a.wasm", "bots/notes.txt", "bots/folder.wasm/c.wasm", "d"] {
            std::fs::write(path(file), "").unwrap();
        }
        let named = [path("d"), path("bots"), "builtin:random".into()];
        let found = components(&named).unwrap();
        assert_eq!(found, [path("d"), path("bots/a.wasm"), path("bots/b.wasm"), "builtin:random".into()]);
        let why = components(&[path("empty")]).unwrap_err();
        assert!(matches!(&why, Error::Mistake(Mistake::NoComponents { .. })), "{why}");
        components(&[path("bots"), path("gone.wasm")]).unwrap_err();
    }

    #[test]
    fn files_of_the_same_name_get_different_labels() {
        let files = [("a/bot", "sweeper"), ("b/bot", "shoots-at-random"), ("bot#2", "off-board-once")];
        check(&files, &["bot", "bot#3", "bot#2"], &[]);
    }
}
