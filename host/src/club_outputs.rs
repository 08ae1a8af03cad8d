//! What a club needs of the program: findings in the words of `arena check`, its pages, and workers.

use arena_club::{Folder, House, Workers};
use arena_cluster::{Remote, RemoteOptions};
use arena_engine::logs::Logs;
use arena_engine::{Error, Planned, Roster, Sandbox, Supplier};
use arena_experiments::finding::{Finding, Trial};
use arena_experiments::trial::TrialGame;
use arena_pages::{Contest, Downloads, Page, Replays, SiteError, SiteOptions, StoredContest};
use arena_text::Line;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The number of games with a replay in the pages. Chosen: as in `arena report`.
const REPLAYS: usize = 200;

/// The outputs of a club.
pub struct Outputs {
    title: String,
    folder: Folder,
    /// The number of the season that is played.
    season: u32,
    /// The contest of the latest pages, and of the season before it that was asked for last: replays are made from them.
    kept: Mutex<Vec<(u32, Arc<StoredContest>)>>,
    remote: Option<RemoteOptions>,
    told: Arc<Mutex<HashMap<String, Instant>>>,
}

/// The time in which a line about workers is told once. Chosen: they join each stage, and an organiser reads of it once an hour.
const TELL_AGAIN_AFTER: Duration = Duration::from_secs(3_600);

/// The workers of a stage.
struct StageWorkers {
    remote: Remote,
    /// The lines about workers, with the time at which each was told.
    told: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Workers for StageWorkers {
    fn supplier(&self) -> &dyn Supplier {
        &self.remote
    }

    fn tell(&self) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, at| at.elapsed() < TELL_AGAIN_AFTER);
        for line in self.remote.update().messages {
            if told.insert(line.clone(), Instant::now()).is_none() {
                tracing::info!("{}", Line::<500>::from(line));
            }
        }
    }

    fn over(&self) {
        self.remote.over();
    }
}

/// Reads the journal of a season of a club, with its number if the club serves its pages.
///
/// # Errors
/// The journal or the register cannot be read.
pub fn read_season(
    title: &str,
    folder: &Folder,
    journal: &Path,
    served: Option<u32>,
) -> Result<StoredContest, Error> {
    let published: HashSet<String> = folder.published()?.into_iter().collect();
    let options =
        SiteOptions { title: Some(title.to_owned()), downloads: Downloads::All, ..SiteOptions::default() };
    let mut stored = StoredContest::read(&[journal.to_owned()], &options)?;
    let contest = Arc::make_mut(&mut stored.contest);
    contest.served = served;
    // A season that is over takes no bots anyway.
    if !contest.is_closed && *journal == folder.journal() {
        contest.frozen_at = folder.season()?.frozen_at;
    }
    // Before the season is over, a component would help its author's opponents, and without the seed, it verifies nothing.
    let (is_closed, bots) = (contest.is_closed, &contest.bots);
    contest.components.retain(|&bot| is_closed && published.contains(bots[bot].sha256.as_str()));
    Ok(stored)
}

/// Writes the pages of a season.
///
/// # Errors
/// They cannot be written.
pub fn write_season(
    season: &StoredContest,
    site: &Path,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<(), SiteError> {
    // The games have the other cores.
    season.write_site(site, Replays::Most(REPLAYS), 1, is_over, || {}).map(drop)
}

impl Outputs {
    /// The outputs of the club in a folder with this season, whose pages have this title and whose games are played by these workers, if
    /// any.
    pub fn new(title: String, folder: Folder, season: u32, remote: Option<RemoteOptions>) -> Self {
        Self { title, folder, season, kept: Mutex::default(), remote, told: Arc::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(u32, Arc<StoredContest>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the journal of a season.
    fn read(&self, season: u32) -> Result<Arc<StoredContest>, Error> {
        let (journal, title) = match season == self.season {
            true => (self.folder.journal(), self.title.clone()),
            false => (self.folder.past_journal(season), format!("{}, season {season}", self.title)),
        };
        Ok(Arc::new(read_season(&title, &self.folder, &journal, Some(season))?))
    }

    fn keep(&self, season: u32, reading: &Arc<StoredContest>) {
        let mut kept = self.kept();
        kept.retain(|(other, _)| (*other == self.season) != (season == self.season));
        kept.push((season, Arc::clone(reading)));
    }

    /// What was read of a season last.
    fn reading(&self, season: u32) -> Result<Arc<StoredContest>, String> {
        let kept =
            self.kept().iter().find(|(kept, _)| *kept == season).map(|(_, reading)| Arc::clone(reading));
        if let Some(kept) = kept {
            return Ok(kept);
        }
        // The pages are those of an earlier process, or of another season.
        let reading = self.read(season).map_err(|failure| failure.to_string())?;
        self.keep(season, &reading);
        Ok(reading)
    }
}

impl House for Outputs {
    fn finding(&self, roster: &Roster, games: Option<&[TrialGame]>) -> String {
        let contestant = roster.contestants.first();
        let trial = contestant.zip(games).map(|(contestant, games)| Trial { bot: &contestant.bot, games });
        Finding::of(roster).with_trial(trial).text().as_str().to_owned()
    }

    fn write_site(&self, season: u32, is_over: &(dyn Fn() -> bool + Sync)) -> Result<Arc<Contest>, String> {
        let site = if season == self.season { self.folder.site() } else { self.folder.past_site(season) };
        let reading = self.read(season).map_err(|error| error.to_string())?;
        write_season(&reading, &site, is_over).map_err(|error| error.to_string())?;
        self.keep(season, &reading);
        Ok(Arc::clone(&reading.contest))
    }

    fn contest(&self, season: u32) -> Result<Arc<Contest>, String> {
        Ok(Arc::clone(&self.reading(season)?.contest))
    }

    fn replay(&self, season: u32, number: usize, logs: Logs) -> Result<Option<[Page; 2]>, String> {
        self.reading(season)?.replay(number, logs).map_err(|error| error.to_string())
    }

    fn workers(&self, planned: &Planned, sandbox: &Sandbox) -> Result<Option<Box<dyn Workers>>, Error> {
        let Some(options) = &self.remote else { return Ok(None) };
        let remote = Remote::start(options, planned, sandbox)?;
        Ok(Some(Box::new(StageWorkers { remote, told: Arc::clone(&self.told) })))
    }
}
