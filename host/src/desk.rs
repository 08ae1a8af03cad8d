//! The desk of `arena run`, where games are kept, shown and counted.

use crate::console::Console;
use crate::dashboard::Dashboard;
use crate::failure::Failure;
use crate::remote::Remote;
use crate::report;
use arena_engine::archive::Archive;
use arena_engine::faults::Faults;
use arena_engine::journal::Keeper;
use arena_engine::roster::Roster;
use arena_engine::season::Season;
use arena_engine::tournament::{Delivery, GameSummary, Receiver, Results};
use arena_players::Played;

/// The reason why the games of a run end early.
pub(crate) enum Halt {
    /// They cannot be kept or shown.
    Failed(Failure),
    /// A worker did not bring a game, and what comes after it is not kept.
    Remote,
}

impl<E: Into<Failure>> From<E> for Halt {
    fn from(failure: E) -> Self {
        Self::Failed(failure.into())
    }
}

/// The desk where games are kept and shown.
pub(crate) struct Desk<'a> {
    pub archive: &'a Archive,
    pub faults: &'a mut Faults,
    pub roster: &'a Roster,
    pub season: &'a Season,
    pub keeper: &'a mut Keeper,
    /// The lines of games, if they are to be printed.
    pub lines: Option<&'a report::Lines>,
    pub dashboard: Option<&'a dyn Dashboard>,
    pub console: &'a mut Console,
    /// The number of the games that were shown, and of all games on the schedule.
    pub progress: (usize, usize),
    /// The number of disqualifications that were shown.
    pub disqualified: usize,
    pub remote: Option<&'a Remote>,
}

impl Desk<'_> {
    /// Keeps games in the folders and the journal.
    fn keep_all(&mut self, games: &[Delivery]) -> (usize, Result<(), Halt>) {
        let (archive, faults, roster, season) = (self.archive, &mut *self.faults, self.roster, self.season);
        let file = |game: &Delivery| match &game.played {
            Some(played) => archive.keep(&game.summary, played).and_then(|()| {
                let name = archive.number(game.summary.number);
                let file = |bot| roster.contestants[season.contestant(bot)].file.as_str();
                let files = game.summary.fixture.seats.map(file);
                faults.keep(&name, played, files)
            }),
            None => Ok(()),
        };
        let filed = games.iter().map(file).enumerate().find_map(|(place, filed)| Some((place, filed.err()?)));
        let of_files = filed.as_ref().map_or(games.len(), |(place, _)| *place);
        match self.keeper.keep(&games[..of_files]) {
            (kept, Ok(())) => (kept, filed.map_or(Ok(()), |(_, failure)| Err(failure.into()))),
            (kept, Err(failure)) => (kept, Err(failure.into())),
        }
    }
}

impl Receiver for Desk<'_> {
    type Error = Halt;

    fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), Halt>) {
        let Some(remote) = self.remote else { return self.keep_all(games) };
        let before = remote.kept_before();
        let wanted = games.iter().take_while(|game| game.summary.number < before).count();
        let (kept, keeping) = self.keep_all(&games[..wanted]);
        if let Some(last) = kept.checked_sub(1) {
            remote.kept(games[last].summary.number);
        }
        (kept, keeping.and(if wanted < games.len() { Err(Halt::Remote) } else { Ok(()) }))
    }

    fn show(&mut self, game: &GameSummary, played: Option<&Played>, results: &Results) -> Result<(), Halt> {
        if let Some(lines) = self.lines.filter(|_| !arena_tui::is_on()) {
            for it in results.disqualified.iter().skip(self.disqualified) {
                self.console.hold(lines.disqualified(it));
            }
            self.disqualified = results.disqualified.len();
            // Games that an earlier run has played were shown by it, and those that a disqualified bot loses without playing are
            // told above: a night has thousands.
            if played.is_some() || game.result.is_err() {
                self.console.hold(lines.game(game));
            }
        }
        if let Some(dashboard) = self.dashboard {
            dashboard.game(game, played.is_some(), results);
        }
        self.progress = (results.sums.delivered + 1, results.games_planned);
        Ok(())
    }

    fn shown(&mut self) -> Result<(), Halt> {
        self.console.flush().map_err(Failure::from)?;
        let (done, planned) = self.progress;
        self.console.advance_to(done, planned);
        Ok(())
    }
}
