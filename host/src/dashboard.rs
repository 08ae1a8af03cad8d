//! The dashboard of `arena run --watch`: the tournament on the whole terminal. Nothing waits for it.

use crate::cli::DashboardArgs;
use crate::failure::Failure;
use crate::game::Onlooker;
use crate::interrupt::Interrupt;
use crate::plan::Plan;
use crate::ranking;
use crate::recordings;
use crate::report::{Report, Row};
use crate::roster::Roster;
use crate::screen;
use crate::season::Season;
use crate::tournament::{GameSummary, Results, Settings};
use arena_record::{BotId, Conditions, Header};
use arena_referee::Event;
use arena_rules::Seat;
use arena_tui::{
    DashboardScreen, Ended, FaultNews, Find, GameLine, Model, OnScreen, Options, RefusedBot, Shared, Slot,
    Standing,
};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread::Scope;
use std::time::{Duration, Instant};

/// The time between two changes of the figures. Chosen: a screen is drawn ten times a second at most.
const REFRESH: Duration = Duration::from_millis(100);

/// The time between two ratings, as a multiple of the time that one takes. Chosen: they take a fiftieth of a core at most.
const RATING_SHARE: u32 = 50;

/// The host's side of a tournament's dashboard.
pub struct Dashboard<G: OnScreen> {
    shared: Arc<Shared<G>>,
    labels: Vec<String>,
    bots: Vec<BotId>,
    conditions: Conditions,
    settings: Settings,
    progress: Mutex<Progress>,
}

/// The start of its times, which are only for show.
struct Progress {
    begun: Instant,
    /// The number of games that were known before.
    taken: usize,
    shown: Option<Instant>,
    /// The ratings that are shown, and the time from which on they may be worked out again.
    elos: HashMap<String, String>,
    rate_next: Instant,
}

impl<G: OnScreen> Dashboard<G> {
    /// The dashboard of a tournament that is about to begin.
    pub fn new(plan: &Plan, season: &Season, roster: &Roster, games_planned: usize) -> Self {
        let labels: Vec<String> = season.bots.iter().map(|bot| bot.label.as_str().to_owned()).collect();
        let refused = |refused: &crate::roster::RefusedFile| RefusedBot {
            label: refused.file.as_str().to_owned(),
            why: refused.message.as_str().to_owned(),
        };
        let standing = |label: &String| Standing { label: label.clone(), ..Standing::default() };
        let model = Model {
            title: format!(
                "rules `{}`, seed {}",
                plan.conditions.rules.name(),
                arena_tui::short_seed(&plan.conditions.seed)
            ),
            games_planned: games_planned as u64,
            standings: labels.iter().map(standing).collect(),
            refused: roster.refused.iter().map(refused).collect(),
            ..Model::default()
        };
        let now = Instant::now();
        let progress = Progress { begun: now, taken: 0, shown: None, elos: HashMap::new(), rate_next: now };
        Self {
            shared: Shared::new(model),
            labels,
            bots: season.bots.clone(),
            conditions: plan.conditions.clone(),
            settings: season.stage.settings,
            progress: Mutex::new(progress),
        }
    }

    /// Puts it on the terminal, on a thread of its own. Ctrl-C on it asks the tournament to stop.
    pub fn show<'scope>(
        &self,
        scope: &'scope Scope<'scope, '_>,
        interrupt: &'scope Interrupt,
        journal: Option<&'scope Path>,
        args: DashboardArgs,
    ) -> std::thread::ScopedJoinHandle<'scope, Result<(), Failure>> {
        let shared = Arc::clone(&self.shared);
        scope.spawn(move || {
            let find = |journal: &'scope Path| -> Box<Find<'scope, G>> {
                Box::new(move |number| recordings::game::<G>(journal, number))
            };
            let options = Options::<G> { find: journal.map(find), ..screen::options(args.screen, interrupt) };
            let dashboard = DashboardScreen::new(shared).lingering(args.linger);
            let ended = arena_tui::dashboard(dashboard, options)
                .map_err(|error| screen::failure(error, "leave out --watch"))?;
            if ended == Ended::Interrupted {
                interrupt.request();
            }
            Ok(())
        })
    }

    /// Shows the state of the workers on other machines.
    pub fn workers(&self, state: &str) {
        self.shared.update(|model| model.workers = Some(state.to_owned()));
    }

    /// An onlooker that shows the game of a worker.
    pub fn onlooker(&self, number: usize) -> impl Onlooker<G> + use<G> {
        Published { slot: self.shared.slot(), number: number as u64 }
    }

    /// Shows a game that has been kept, with the results before it.
    pub fn game(&self, game: &GameSummary, is_new: bool, results: &Results) {
        if let Some(line) = game_line(&self.labels, game) {
            self.shared.add_game(line);
        }
        for news in faults(&self.labels, game) {
            self.shared.update(|model| model.fault(news));
        }
        let mut progress = self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        progress.taken += usize::from(!is_new);
        if progress.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        progress.shown = Some(Instant::now());
        self.refresh(&mut progress, results.sums.delivered + 1, results);
    }

    /// Shows the end of the tournament.
    pub fn end(&self, results: &Results) {
        let mut progress = self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        progress.rate_next = Instant::now();
        self.refresh(&mut progress, results.sums.delivered, results);
        self.shared.update(|model| model.is_over = true);
    }

    fn refresh(&self, progress: &mut Progress, done: usize, results: &Results) {
        let begun = Instant::now();
        if begun >= progress.rate_next {
            progress.elos = elos(&Report::new(&self.conditions, &self.settings, &self.bots, results));
            progress.rate_next = Instant::now() + begun.elapsed() * RATING_SHARE;
        }
        let seconds = progress.begun.elapsed().as_secs_f64();
        let rate = done.saturating_sub(progress.taken) as f64 / seconds;
        let left = results.games_planned.saturating_sub(done) as f64;
        let standings = standings(&self.labels, results, &progress.elos);
        self.shared.update(|model| {
            model.games_done = done as u64;
            model.games_planned = results.games_planned as u64;
            model.games_per_second = (rate > 0.0).then_some(rate);
            model.time_left = (rate > 0.0).then(|| Duration::from_secs_f64((left / rate).min(1e9)));
            model.standings = standings;
        });
    }
}

/// The ratings of a report's bots in words, by label.
pub fn elos(report: &Report<'_>) -> HashMap<String, String> {
    let elo = |row: &Row<'_>| Some((row.bot.as_str().to_owned(), row.rating_words()?));
    report.rows().iter().filter_map(elo).collect()
}

/// The standings of bots with these labels, best first, with their ratings by label.
pub fn standings(labels: &[String], results: &Results, elos: &HashMap<String, String>) -> Vec<Standing> {
    let standing = |row: &arena_league::Row| Standing {
        label: labels[row.contestant].clone(),
        elo: elos.get(&labels[row.contestant]).cloned(),
        half_points: row.half_points(),
        games: row.games,
        wins: row.wins,
        draws: row.draws,
        losses: row.losses,
        faults: row.faults,
        is_out: ranking::is_disqualified(results, row.contestant),
    };
    ranking::ranked(results).into_iter().map(standing).collect()
}

/// The line of a game between bots with these labels; none if it was not played.
pub fn game_line(labels: &[String], game: &GameSummary) -> Option<GameLine> {
    let result = game.result.as_ref().ok().filter(|_| game.is_played())?;
    Some(GameLine {
        number: game.number as u64,
        labels: game.fixture.seats.map(|contestant| labels[contestant].as_str().into()),
        outcome: result.outcome,
        reason: result.reason,
        turns: result.turns[0].max(result.turns[1]),
        faults: Seat::BOTH.map(|seat| result.fault_count(seat)),
    })
}

/// The faults of a game between bots with these labels.
pub fn faults(labels: &[String], game: &GameSummary) -> Vec<FaultNews> {
    let Ok(result) = &game.result else { return Vec::new() };
    let news = |(&(seat, class), fault): (&(Seat, _), &arena_record::FaultCount)| FaultNews {
        game: game.number as u64,
        label: labels[game.fixture.seats[seat.index()]].clone(),
        turn: fault.first_turn,
        class,
        detail: fault.detail.as_str().to_owned(),
    };
    result.faults.iter().map(news).collect()
}

/// The game of a worker, published to the dashboard.
struct Published<G: OnScreen> {
    slot: Slot<G>,
    number: u64,
}

impl<G: OnScreen> Onlooker<G> for Published<G> {
    fn begin(&mut self, header: &Header) {
        self.slot.begin(self.number, header);
    }

    fn event(&mut self, event: &Event<G>) {
        self.slot.event(event);
    }
}
