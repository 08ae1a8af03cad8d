//! The contests of a club's seasons, as their pages have them.

use crate::announcements::closed_and_notices;
use crate::clock::Clock;
use crate::error::ClubError;
use crate::folder::Folder;
use arena_engine::internals::logs::Logs;
use arena_pages::{Contest, Downloads, Page, Replays, SiteError, SiteOptions, StoredContest};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of games with a replay in the pages. Chosen: as in `arena report`.
const REPLAYS: usize = 200;

/// The contests of a club's seasons.
pub(crate) struct Pages {
    title: String,
    folder: Folder,
    /// The number of the season that is played.
    season: u32,
    clock: Clock,
    /// True if visitors may play against the bots.
    has_visitors: bool,
    /// The contest of the latest pages, and of the season before it that was asked for last: replays are made from them.
    kept: Mutex<Vec<(u32, Arc<StoredContest>)>>,
}

impl Folder {
    /// The title of the club's pages: this one, or the name of the folder.
    pub(crate) fn title(&self, title: Option<&str>) -> String {
        let whole = self.path().canonicalize().unwrap_or_else(|_| self.path().to_owned());
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        title.map_or(name, str::to_owned)
    }

    /// Writes the pages of the season that is played, for readers without a club.
    ///
    /// # Errors
    /// The journal or the register cannot be read, or the pages cannot be written.
    pub fn write_site(&self, title: Option<&str>) -> Result<(), ClubError> {
        let contest = self.contest(&self.title(title), &self.journal(), None)?;
        Ok(write(&contest, &self.site(), &|| false)?)
    }

    /// Reads the journal of a season, with its number if the club serves its pages.
    fn contest(&self, title: &str, journal: &Path, served: Option<u32>) -> Result<StoredContest, ClubError> {
        let register = self.register()?;
        let read = || Ok((register.published()?.into_iter().collect(), register.shown_names()?));
        let (published, names): (HashSet<String>, _) = read().map_err(|error| self.failure(error))?;
        let options = SiteOptions {
            title: Some(title.to_owned()),
            downloads: Downloads::All,
            names,
            ..SiteOptions::default()
        };
        let mut stored = StoredContest::read(journal, &options)?;
        let contest = Arc::make_mut(&mut stored.contest);
        contest.served = served;
        // Before the season is over, a component would help its author's opponents, and without the seed, it verifies nothing.
        let (is_closed, bots) = (contest.is_closed, &contest.bots);
        contest.components.retain(|&bot| is_closed && published.contains(bots[bot].sha256.as_str()));
        Ok(stored)
    }
}

/// Writes the pages of a season.
fn write(season: &StoredContest, site: &Path, is_over: &(dyn Fn() -> bool + Sync)) -> Result<(), SiteError> {
    // The games have the other cores.
    season.write_site(site, Replays::Most(REPLAYS), 1, is_over, || {}).map(drop)
}

impl Pages {
    /// The pages of the club in a folder with this season, which have this title or the folder's name.
    pub(crate) fn new(
        folder: &Folder,
        season: u32,
        title: Option<&str>,
        clock: Clock,
        has_visitors: bool,
    ) -> Self {
        let title = folder.title(title);
        Self { title, folder: folder.clone(), season, clock, has_visitors, kept: Mutex::default() }
    }

    /// Writes the pages of a season, and returns the contest that they are about. It may end early when `is_over` returns true.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn write(
        &self,
        season: u32,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Arc<Contest>, ClubError> {
        let site = if season == self.season { self.folder.site() } else { self.folder.past_site(season) };
        let stored = self.read(season)?;
        write(&stored, &site, is_over)?;
        self.keep(season, &stored);
        Ok(Arc::clone(&stored.contest))
    }

    /// The contest of a season, as it was read last. That of a season that is over never changes.
    ///
    /// # Errors
    /// Its journal cannot be read.
    pub(crate) fn contest(&self, season: u32) -> Result<Arc<Contest>, ClubError> {
        Ok(Arc::clone(&self.stored(season)?.contest))
    }

    /// The page with the replay of a game of a season, by its number in the contest, and its picture, with these logs. `None` when
    /// there is no such game, or it was not played.
    ///
    /// # Errors
    /// Its recording cannot be read.
    pub(crate) fn replay(
        &self,
        season: u32,
        number: usize,
        logs: Logs,
    ) -> Result<Option<[Page; 2]>, ClubError> {
        Ok(self.stored(season)?.replay(number, logs)?)
    }

    /// Closes the journals.
    pub(crate) fn close(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(u32, Arc<StoredContest>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the journal of a season.
    fn read(&self, season: u32) -> Result<Arc<StoredContest>, ClubError> {
        let (journal, title) = match season == self.season {
            true => (self.folder.journal(), self.title.clone()),
            false => (self.folder.past_journal(season), format!("{}, season {season}", self.title)),
        };
        let mut stored = self.folder.contest(&title, &journal, Some(season))?;
        let contest = Arc::make_mut(&mut stored.contest);
        // A season that is over takes no bots anyway.
        if season == self.season && !contest.is_closed {
            contest.has_visitors = self.has_visitors;
            let register = self.folder.register()?;
            let read = closed_and_notices(&register, self.clock.now());
            (contest.frozen_at, contest.notices) = read.map_err(|error| self.folder.failure(error))?;
        }
        Ok(Arc::new(stored))
    }

    fn keep(&self, season: u32, stored: &Arc<StoredContest>) {
        let mut kept = self.kept();
        kept.retain(|(other, _)| (*other == self.season) != (season == self.season));
        kept.push((season, Arc::clone(stored)));
    }

    /// The contest of a season as it was read last. If it was not read yet, because the pages are those of an earlier process or of another
    /// season, it is read now.
    fn stored(&self, season: u32) -> Result<Arc<StoredContest>, ClubError> {
        let kept = self.kept().iter().find(|(kept, _)| *kept == season).map(|(_, kept)| Arc::clone(kept));
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let stored = self.read(season)?;
        self.keep(season, &stored);
        Ok(stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::played_club;
    use arena_engine::close_season;

    #[test]
    fn the_games_of_a_season_have_replays_and_only_an_open_season_has_visitors() {
        let it = played_club();
        let replay = |number| it.club.pages.replay(1, number, Logs::default()).expect("it can be read");
        let [page, picture] = replay(1).expect("it was played");
        assert_eq!([page.path, picture.path], ["games/1.html", "games/1.gif"]);
        assert!(replay(4).is_some() && replay(5).is_none());
        let has_visitors = |folder: &Folder, may_come| {
            let pages = Pages::new(folder, 1, None, Clock::default(), may_come);
            pages.contest(1).expect("it can be read").has_visitors
        };
        assert!(has_visitors(&it.folder, true) && !has_visitors(&it.folder, false));
        it.between(|folder| {
            close_season(&folder.journal(), true).expect("it can be closed");
            assert!(!has_visitors(folder, true));
        });
    }
}
