//! The seasons of a club: the one that is played, and those before it, each with its journal.
//!
//! The season that is played has its files in the club's folder; a season that is over has them in `seasons/NUMBER`. The register has the
//! number of the season that is played, which is the last step of a new one: what a stopped process has left is finished by the next.

use crate::error::ClubError;
use crate::folder::{Folder, JOURNAL, LOGS, REGISTER, SITE};
use arena_engine::{JournalContent, StoredSeason, close_season};
use arena_store::{ChainHead, Dates, Season};
use serde::Serialize;
use std::fs;
use std::io;
use std::path::PathBuf;

/// The state of a season.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeasonState {
    /// Bots are taken.
    Open,
    /// No bots are taken, and those that play go on.
    Frozen,
    /// Its seed is revealed, and no game follows.
    Revealed,
}

/// A season, as [`Folder::seasons`] lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeasonSummary {
    /// The number, from 1.
    pub number: u32,
    /// The state.
    pub state: SeasonState,
    /// The dates that its organiser has set; those of a season that is over are not kept.
    #[serde(flatten)]
    pub dates: Dates,
    /// The time at which its first stage began, in UTC; `None` before.
    pub begun: Option<String>,
    /// The time of the latest games, in UTC; `None` before the first.
    pub latest: Option<String>,
    /// The number of games.
    pub games: usize,
    /// The number of components that have played.
    pub bots: usize,
    /// The number of links of its journal's chain; 0 before the first game.
    pub links: u64,
    /// The head of the chain; `None` before the first game.
    pub head: Option<String>,
}

impl Folder {
    /// The folder of a season that is over.
    pub fn past_season(&self, number: u32) -> PathBuf {
        self.path().join("seasons").join(number.to_string())
    }

    /// The journal of a season that is over.
    pub fn past_journal(&self, number: u32) -> PathBuf {
        self.past_season(number).join(JOURNAL)
    }

    /// The folder of what bots have printed in the games of a season that is over: the only one in it, named by the season's commitment.
    pub(crate) fn past_logs(&self, number: u32) -> PathBuf {
        let logs = self.past_season(number).join(LOGS);
        let of_season = fs::read_dir(&logs).into_iter().flatten().flatten().next();
        of_season.map_or(logs, |of_season| of_season.path())
    }

    /// The pages of a season that is over.
    pub fn past_site(&self, number: u32) -> PathBuf {
        self.past_season(number).join(SITE)
    }

    /// The season that is played, by the register.
    ///
    /// # Errors
    /// There is no club.
    pub fn season(&self) -> Result<Season, ClubError> {
        self.register()?.season().map_err(|error| self.failure(error))
    }

    /// All seasons, the first one first. The club may be served meanwhile.
    ///
    /// # Errors
    /// There is no club, or a journal cannot be read.
    pub fn seasons(&self) -> Result<Vec<SeasonSummary>, ClubError> {
        let latest = self.season()?;
        let earlier = (1..latest.number).map(|number| {
            self.summary(
                &Season { number, frozen_at: None, dates: Dates::default() },
                self.past_journal(number),
            )
        });
        earlier.chain([self.summary(&latest, self.journal())]).collect()
    }

    fn summary(&self, season: &Season, journal: PathBuf) -> Result<SeasonSummary, ClubError> {
        let content = JournalContent::read_begun(&journal)?;
        let is_revealed = content.as_ref().is_some_and(|content| content.revealed_seed.is_some());
        let state = match (is_revealed, &season.frozen_at) {
            (true, _) => SeasonState::Revealed,
            (false, Some(_)) => SeasonState::Frozen,
            (false, None) => SeasonState::Open,
        };
        let moments = content.as_ref().map_or(&[][..], |content| &content.moments);
        let head = content.as_ref().and_then(|content| content.head.clone());
        Ok(SeasonSummary {
            number: season.number,
            state,
            dates: season.dates,
            begun: moments.first().map(|moment| moment.at.clone()),
            latest: moments.last().map(|moment| moment.at.clone()),
            games: content.as_ref().map_or(0, |content| content.known.len()),
            bots: content.as_ref().map_or(0, |content| content.tournament.bots.len()),
            links: head.as_ref().map_or(0, |head| head.links),
            head: head.map(|ChainHead { sha256, .. }| sha256.to_string()),
        })
    }

    /// Freezes the season that is played, also while it is served: no bots are taken, and those that play go on. With `false`, bots are
    /// taken again.
    ///
    /// # Errors
    /// It is in that state already, or over, or the register cannot be written.
    pub(crate) fn freeze(&self, is_frozen: bool) -> Result<Season, ClubError> {
        let mut register = self.register()?;
        let Season { number: season, frozen_at, .. } =
            register.season().map_err(|error| self.failure(error))?;
        let revealed =
            JournalContent::read_begun(&self.journal())?.is_some_and(|it| it.revealed_seed.is_some());
        let folder = self.path().to_owned();
        match (revealed, frozen_at.is_some(), is_frozen) {
            (true, ..) => return Err(ClubError::SeasonOver { folder, season }),
            (_, true, true) => return Err(ClubError::Frozen { folder, season }),
            (_, false, false) => return Err(ClubError::NotFrozen { folder, season }),
            _ => {}
        }
        register.freeze(is_frozen).map_err(|error| self.failure(error))?;
        register.season().map_err(|error| self.failure(error))
    }

    /// Ends the season that is played: reveals its secret seed. No game can be played after that.
    ///
    /// # Errors
    /// The club is served, or its season has no games or is over already.
    pub fn reveal(&self) -> Result<(Season, StoredSeason), ClubError> {
        drop(self.register()?);
        let _lock = self.lock()?;
        self.settle()?;
        self.require_journal()?;
        let revealed = close_season(&self.journal(), true)?;
        // Of a season that is over, the head is the one after its seed.
        self.note_head()?;
        Ok((self.season()?, revealed))
    }

    /// Begins another season between the same authors. The files of the one before are moved.
    ///
    /// # Errors
    /// The club is served, the seed of its season is not revealed, or the files cannot be moved.
    pub fn new_season(&self) -> Result<Season, ClubError> {
        drop(self.register()?);
        let _lock = self.lock()?;
        if self.settle()? {
            return self.season();
        }
        self.require_journal()?;
        let (folder, season) = (self.path().to_owned(), self.season()?.number);
        match JournalContent::read_begun(&self.journal())? {
            Some(content) if content.revealed_seed.is_some() => {
                self.move_season(season)?;
                self.season()
            }
            Some(content) => Err(ClubError::SeasonGoesOn { folder, season, games: content.known.len() }),
            None => Err(ClubError::NoGames { folder, season }),
        }
    }

    /// Finishes what a stopped process has begun. Returns true if a season was begun. It needs the lock.
    ///
    /// # Errors
    /// The files cannot be moved.
    pub(crate) fn settle(&self) -> Result<bool, ClubError> {
        let number = self.season()?.number;
        let is_half_moved = self.past_season(number).exists();
        if is_half_moved {
            self.move_season(number)?;
        }
        Ok(is_half_moved)
    }

    /// The names of the files and folders of the season that is played; that of the journal is the last one.
    fn names_of_season(&self) -> io::Result<Vec<String>> {
        let is_of_season = |name: &String| {
            let of_journal = name.strip_prefix(JOURNAL);
            let is_of_journal =
                of_journal.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']));
            name == SITE || name == LOGS || is_of_journal
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path())? {
            names.extend(entry?.file_name().into_string().ok().filter(is_of_season));
        }
        names.sort_by_key(|name| name == JOURNAL);
        Ok(names)
    }

    fn move_season(&self, number: u32) -> Result<(), ClubError> {
        let to = self.past_season(number);
        let names = self.names_of_season().map_err(|error| self.unwritable(&to, error))?;
        // The journal is moved last. If it is there already, a journal or a secret seed here is of a later season: the register is that of
        // an earlier time, and to move a file would replace one of another season.
        let is_later = to.join(JOURNAL).exists() && names.iter().any(|name| name.starts_with(JOURNAL));
        if is_later || names.iter().any(|name| to.join(name).exists()) {
            let register = self.path().join(REGISTER);
            return Err(ClubError::OldRegister { register, season: number, moved_to: to });
        }
        let moved = || -> io::Result<()> {
            fs::create_dir_all(&to)?;
            for name in names {
                fs::rename(self.path().join(&name), to.join(&name))?;
            }
            fs::File::open(&to)?.sync_all()?;
            fs::File::open(self.path())?.sync_all()
        };
        moved().map_err(|error| self.unwritable(&to, error))?;
        self.register()?.begin_season(number + 1).map_err(|error| self.failure(error))
    }
}
