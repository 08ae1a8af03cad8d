//! The dashboard of `arena run --watch`: the tournament on the whole terminal. Nothing waits for it.

use crate::args::DashboardArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::screen;
use arena_engine::internals::season::Season;
use arena_engine::internals::{ranking, recordings};
use arena_engine::{GameSummary, PlannedRun, Ranking, Results, Roster, Settings};
use arena_league::Ratings;
use arena_players::{Plan, Watcher};
use arena_record::{BotId, Header};
use arena_referee::Event;
use arena_rules::{Seat, with_game};
use arena_tui::{
    DashboardScreen, DashboardState, Ended, FaultNotice, Find, GameLine, Model, OnScreen, Options,
    RefusedBot, Slot, StandingsLine, WorkersState,
};
use std::any::Any;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time between two changes of the figures. Chosen: a screen is drawn ten times a second at most.
const REFRESH: Duration = Duration::from_millis(100);

/// The time between two ratings, as a multiple of the time that one takes. Chosen: they take a fiftieth of a core at most.
const RATING_SHARE: u32 = 50;

/// A tournament's dashboard, whatever its game is.
pub trait Dashboard: Sync {
    /// Puts it on the terminal, and returns when its user leaves it. Ctrl-C on it asks the tournament to stop.
    ///
    /// # Errors
    /// There is no terminal for it.
    fn show(&self, interrupt: &Interrupt, journal: Option<&Path>, args: DashboardArgs)
    -> Result<(), Failure>;

    /// Shows the workers on other machines.
    fn workers(&self, state: WorkersState);

    /// A watcher that shows a game, by its number.
    fn watcher(&self, number: usize) -> Box<dyn Watcher>;

    /// Shows a game that has been kept, with the results before it.
    fn game(&self, game: &GameSummary, is_new: bool, results: &Results);

    /// Shows the end of the tournament, and whether an error has stopped it.
    fn end(&self, results: &Results, has_failed: bool);
}

/// The dashboard of a tournament of this game.
pub fn dashboard(planned: &PlannedRun, games_planned: usize) -> Box<dyn Dashboard> {
    let PlannedRun { plan, season, roster, .. } = planned;
    with_game!(plan.conditions.rules.kind(), G => Box::new(GameDashboard::<G>::new(plan, season, roster, games_planned)))
}

/// The dashboard of a tournament of one game.
pub struct GameDashboard<G: OnScreen> {
    shared: Arc<DashboardState<G>>,
    labels: Vec<String>,
    bots: Vec<BotId>,
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
    rated: Option<(Ratings, RatingTexts)>,
    rate_next: Instant,
}

/// The rating of each bot in words, by the bots' numbers; `None` for one without a rating.
type RatingTexts = Vec<Option<String>>;

impl<G: OnScreen> GameDashboard<G> {
    /// The dashboard of a tournament that is about to begin.
    pub fn new(plan: &Plan, season: &Season, roster: &Roster, games_planned: usize) -> Self {
        let labels: Vec<String> = season.bots.iter().map(|bot| bot.label.as_str().to_owned()).collect();
        let refused = |refused: &arena_engine::RefusedFile| RefusedBot {
            label: refused.file.as_str().to_owned(),
            why: refused.message.as_str().to_owned(),
        };
        let standing = |(bot, label): (usize, &String)| StandingsLine {
            label: label.clone(),
            has_left: !season.stage.field.contains(&bot),
            ..StandingsLine::default()
        };
        let model = Model {
            title: format!(
                "rules `{}`, seed {}",
                plan.conditions.rules.name(),
                arena_pictures::sentences::short_seed(&plan.conditions.seed)
            ),
            games_planned: games_planned as u64,
            seed: plan.conditions.seed.to_string(),
            standings: labels.iter().enumerate().map(standing).collect(),
            refused: roster.refused.iter().map(refused).collect(),
            ..Model::default()
        };
        let now = Instant::now();
        let progress = Progress { begun: now, taken: 0, shown: None, rated: None, rate_next: now };
        Self {
            shared: DashboardState::new(model),
            labels,
            bots: season.bots.clone(),
            settings: season.stage.settings,
            progress: Mutex::new(progress),
        }
    }

    fn refresh(&self, progress: &mut Progress, done: usize, results: &Results) {
        let begun = Instant::now();
        let ranking = match progress.rated.take().filter(|_| begun < progress.rate_next) {
            Some((ratings, texts)) => {
                (Ranking::with_ratings(&self.settings, &self.bots, results, ratings), texts)
            }
            None => {
                let ranking = Ranking::new(&self.settings, &self.bots, results);
                let texts = rating_texts(&ranking);
                progress.rate_next = Instant::now() + begun.elapsed() * RATING_SHARE;
                (ranking, texts)
            }
        };
        let standings = standings(&ranking.0, &ranking.1);
        progress.rated = Some((ranking.0.ratings, ranking.1));
        let seconds = progress.begun.elapsed().as_secs_f64();
        let rate = done.saturating_sub(progress.taken) as f64 / seconds;
        let left = results.games_planned.saturating_sub(done) as f64;
        self.shared.update(|model| {
            model.games_done = done as u64;
            model.games_planned = results.games_planned as u64;
            model.games_per_second = (rate > 0.0).then_some(rate);
            model.time_left = (rate > 0.0).then(|| Duration::from_secs_f64((left / rate).min(1e9)));
            model.standings = standings;
        });
    }
}

impl<G: OnScreen> Dashboard for GameDashboard<G> {
    fn show(
        &self,
        interrupt: &Interrupt,
        journal: Option<&Path>,
        args: DashboardArgs,
    ) -> Result<(), Failure> {
        let find = |journal: &Path| -> Box<Find<'_, G>> {
            let journal = journal.to_owned();
            Box::new(move |number| recordings::game::<G>(&journal, number).map_err(|error| error.what()))
        };
        let options = Options::<G> { find: journal.map(find), ..screen::options(args.screen, interrupt) };
        let dashboard = DashboardScreen::new(Arc::clone(&self.shared)).lingering(args.linger);
        let ended = arena_tui::dashboard(dashboard, options)
            .map_err(|error| screen::failure(error, "leave out --watch"))?;
        if ended == Ended::Interrupted {
            interrupt.request();
        }
        Ok(())
    }

    fn workers(&self, state: WorkersState) {
        self.shared.update(|model| model.workers = Some(state));
    }

    fn watcher(&self, number: usize) -> Box<dyn Watcher> {
        Box::new(Published { slot: self.shared.slot(), number: number as u64 })
    }

    fn game(&self, game: &GameSummary, is_new: bool, results: &Results) {
        if let Some(line) = game_line(&self.labels, game) {
            self.shared.add_game(line);
        }
        for notice in faults(&self.labels, game) {
            self.shared.update(|model| model.fault(notice));
        }
        let mut progress = self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        progress.taken += usize::from(!is_new);
        if progress.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        progress.shown = Some(Instant::now());
        self.refresh(&mut progress, results.sums.delivered + 1, results);
    }

    fn end(&self, results: &Results, has_failed: bool) {
        let mut progress = self.progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        progress.rate_next = Instant::now();
        self.refresh(&mut progress, results.sums.delivered, results);
        self.shared.update(|model| {
            model.is_over = true;
            if has_failed {
                model.note = Some("stopped by an error: close the screen to read it".into());
            }
        });
    }
}

/// The rating of each bot in words.
fn rating_texts(ranking: &Ranking<'_>) -> RatingTexts {
    let mut texts = vec![None; ranking.bots.len()];
    for row in ranking.rows().iter().filter(|row| !row.rating.is_unknown()) {
        texts[row.score.contestant] = Some(row.rating.to_string());
    }
    texts
}

/// The standings with these texts of the ratings, in the order of the ranking.
fn standings(ranking: &Ranking<'_>, texts: &RatingTexts) -> Vec<StandingsLine> {
    let Ranking { results, .. } = ranking;
    let standing = |(bot, is_tied): (usize, bool)| StandingsLine {
        label: ranking.label(bot).as_str().to_owned(),
        elo: texts[bot].clone(),
        // Rounded to tenths already.
        strength_tenths: ranking.strength(bot).map(|elo| (10.0 * elo).round() as i64),
        score: results.standings.rows()[bot].clone(),
        is_out: ranking::is_disqualified(results, bot),
        has_left: ranking::has_left(results, bot),
        is_tied,
    };
    let order = ranking.order();
    let ties = ranking.ties(&order);
    order.into_iter().zip(ties).map(standing).collect()
}

/// The standings of a journal as it is read.
pub fn standings_of(ranking: &Ranking<'_>) -> Vec<StandingsLine> {
    standings(ranking, &rating_texts(ranking))
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
pub fn faults(labels: &[String], game: &GameSummary) -> Vec<FaultNotice> {
    let Ok(result) = &game.result else { return Vec::new() };
    let notice = |(&(seat, class), fault): (&(Seat, _), &arena_record::FaultCount)| FaultNotice {
        game: game.number as u64,
        label: labels[game.fixture.seats[seat.index()]].clone(),
        turn: fault.first_turn,
        class,
        detail: fault.detail.as_str().to_owned(),
    };
    result.faults.iter().map(notice).collect()
}

/// The game of a worker, published to the dashboard.
struct Published<G: OnScreen> {
    slot: Slot<G>,
    number: u64,
}

impl<G: OnScreen> Watcher for Published<G> {
    fn begin(&mut self, header: &Header) {
        self.slot.begin(self.number, header);
    }

    fn event(&mut self, event: &dyn Any) {
        self.slot.event(event.downcast_ref::<Event<G>>().expect("all games have the same rules"));
    }
}
