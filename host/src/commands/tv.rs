//! `arena watch --tv`: standings and the best games of a journal, in turn, for a projector. Another process may be writing it.

use crate::args::ScreenArgs;
use crate::dashboard::{faults, game_line, standings_of};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::screen::{self, Playable};
use arena_engine::StoredSeason;
use arena_engine::internals::recordings;
use arena_resources::NewThread;
use arena_rules::with_game;
use arena_text::shown;
use arena_tui::{DashboardScreen, DashboardState, Model, Options};
use std::collections::HashSet;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// The shortest time between two looks into the journal. Chosen: a reader of the screen sees no difference.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The time between two looks, as a multiple of the time that one takes. Chosen: looks take a twentieth of a core at most.
const LOOK_SHARE: u32 = 20;

/// The time between two checks if the screen has ended or wants a game. Chosen: too short to notice.
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// The number of the best games of each kind. Chosen: they take some ten minutes.
const BEST: usize = 6;

/// The next step without a terminal.
const ELSEWHERE: &str = "print the table with `arena standings`";

/// Shows the journal until the user quits.
pub fn tv(path: &Path, args: ScreenArgs) -> Result<(), Failure> {
    let read = stamp(path);
    let (kept, _) = StoredSeason::read(path)?;
    with_game!(kept.content.tournament.conditions.rules.kind(), G => show::<G>(path, read, &kept, args))
}

/// The sizes and the times of a journal's file and of its write-ahead log, which change when there is something new.
type Stamp = [Option<(u64, SystemTime)>; 2];

fn show<G: Playable>(path: &Path, read: Stamp, kept: &StoredSeason, args: ScreenArgs) -> Result<(), Failure> {
    let interrupt = Interrupt::listen()?;
    let shared = DashboardState::<G>::new(Model::default());
    let mut programme =
        TvContent { path, read, shared: &shared, best: Vec::new(), seen: HashSet::new(), listed: 0 };
    programme.take(kept);
    let find = |number| recordings::game::<G>(path, number).map_err(|error| error.what());
    let options = Options { find: Some(Box::new(find)), ..screen::options(args, &interrupt) };
    let has_ended = AtomicBool::new(false);
    let ended = thread::scope(|scope| {
        let reader = NewThread::named("journal").start_in(scope, || programme.follow(&has_ended))?;
        let ended = arena_tui::dashboard(DashboardScreen::new(Arc::clone(&shared)).rotating(), options);
        has_ended.store(true, Ordering::SeqCst);
        reader.join().unwrap_or_else(|panic| resume_unwind(panic));
        ended.map_err(|error| screen::failure(error, ELSEWHERE))
    });
    screen::verdict(ended?)
}

/// The content of the screen, as far as the journal has it.
struct TvContent<'a, G: Playable> {
    path: &'a Path,
    /// The journal as it was read last.
    read: Stamp,
    shared: &'a Arc<DashboardState<G>>,
    /// The numbers of the best games, best first.
    best: Vec<u64>,
    /// The games that were shown since the list began.
    seen: HashSet<u64>,
    /// The number of games in the screen's list.
    listed: usize,
}

impl<G: Playable> TvContent<'_, G> {
    /// Follows the journal until the screen has ended.
    fn follow(&mut self, has_ended: &AtomicBool) {
        let mut next = Instant::now() + LOOK_EVERY;
        while !has_ended.load(Ordering::SeqCst) {
            if self.shared.wants_game() {
                self.offer();
            }
            let now = stamp(self.path);
            if Instant::now() >= next && now != self.read {
                self.read = now;
                let begun = Instant::now();
                match StoredSeason::read(self.path) {
                    Ok((kept, _)) => self.take(&kept),
                    // What is on the screen stays there.
                    Err(failure) => {
                        let why = failure.to_string().lines().next().unwrap_or_default().to_owned();
                        self.shared.update(|model| model.note = Some(why));
                    }
                }
                next = Instant::now() + LOOK_EVERY.max(begun.elapsed() * LOOK_SHARE);
            }
            thread::sleep(CHECK_EVERY);
        }
    }

    /// Takes in what the journal has now.
    fn take(&mut self, kept: &StoredSeason) {
        let (results, tournament) = (&kept.results, &kept.content.tournament);
        let labels: Vec<String> = tournament.bots.iter().map(|bot| bot.label.as_str().to_owned()).collect();
        let standings = standings_of(&kept.ranking());
        let title = format!("{}, rules `{}`", shown(self.path), tournament.conditions.rules.name());
        self.shared.update(|model| {
            model.title = title;
            model.seed = tournament.conditions.seed.to_string();
            model.games_done = results.sums.delivered as u64;
            model.games_planned = results.games_planned as u64;
            model.standings = standings;
            model.is_over = results.complete;
            model.note = (!kept.notes.is_empty()).then(|| kept.notes.join("; "));
            model.faults.clear();
            results
                .games
                .iter()
                .flat_map(|game| faults(&labels, game))
                .for_each(|notice| model.fault(notice));
        });
        let new = results.games.iter().skip(self.listed).filter_map(|game| game_line(&labels, game));
        new.for_each(|line| self.shared.add_game(line));
        self.listed = results.games.len();
        self.best = kept.best_games(BEST);
    }

    /// Offers the best game that has not been shown yet to the screen; after the last one, it starts again.
    fn offer(&mut self) {
        let mut unseen = self.best.iter().copied().filter(|number| !self.seen.contains(number));
        let Some(number) = unseen.next().or_else(|| {
            self.seen.clear();
            self.best.first().copied()
        }) else {
            return;
        };
        self.seen.insert(number);
        if let Ok(transcript) = recordings::game::<G>(self.path, number) {
            self.shared.offer(number, transcript);
        }
    }
}

/// The stamp of a journal as it is now.
fn stamp(path: &Path) -> Stamp {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let stamp = |path: &Path| {
        let found = std::fs::metadata(path).ok()?;
        Some((found.len(), found.modified().ok()?))
    };
    [stamp(path), stamp(Path::new(&log))]
}
