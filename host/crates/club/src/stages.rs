//! Playing without end: one stage of the season after the other, each a run of the engine.

use crate::club::{Club, House};
use crate::logs::Logs;
use crate::metrics::Metrics;
use crate::requests::Standing;
use arena_engine::ranking::Ranking;
use arena_engine::roster::Roster;
use arena_engine::stored::JournalContent;
use arena_engine::{
    Control, Error, FormatKind, GameSummary, Local, Observer, Opening, Played, Results, RunOptions, Sandbox,
    StoredSeason, TournamentOptions,
};
use arena_league::{EndlessLimits, Format, NextStage, Standings, next_stage};
use arena_players::Contestant;
use arena_record::BotId;
use arena_store::{Version, VersionState};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The games that a new version plays against each other bot first. Chosen: ten pairs, after which the arena compares two bots.
const FIRST_GAMES: u32 = 20;

/// The most games of a stage. Chosen: some seconds of quick bots.
const STAGE_GAMES: u32 = 400;

/// The longest stage, unless its games in progress take longer. Chosen: so long the pages may be old while slow bots play.
const STAGE_TIME: Duration = Duration::from_secs(15);

/// The time between two looks at the register if nothing is to be played, and before a stage that failed is tried again. Chosen:
/// another process may have invited or revoked somebody.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The games that were played so far.
#[derive(Default)]
pub(crate) struct Past {
    /// The numbers of the bots by their SHA-256.
    numbers: HashMap<String, usize>,
    standings: Option<Standings>,
}

impl Past {
    fn new(bots: &[BotId], results: &Results) -> Self {
        let numbers = bots.iter().enumerate().map(|(number, bot)| (bot.sha256.to_string(), number)).collect();
        Self { numbers, standings: Some(results.standings.clone()) }
    }

    /// The number of games between two components.
    fn met(&self, one: &str, other: &str) -> u32 {
        let numbers = self.numbers.get(one).zip(self.numbers.get(other));
        let games = |(&one, &other)| Some(self.standings.as_ref()?.against(one, other)?.1);
        numbers.and_then(games).unwrap_or(0)
    }
}

/// Reads the games that were played before the club was served.
///
/// # Errors
/// The journal cannot be read.
pub(crate) fn recall(club: &Club) -> Result<Past, Error> {
    let state = &club.state;
    let journal = state.folder.journal();
    if JournalContent::read_begun(&journal)?.is_none_or(|season| season.stages.is_empty()) {
        return Ok(Past::default());
    }
    let (season, _) = StoredSeason::read(&journal)?;
    state.set_standings(standings(&season.ranking()));
    state.outdate_site();
    Ok(Past::new(&season.tournament.bots, &season.results))
}

/// Plays stages until the club is ended. A failure is noted, and the stage tried again.
pub(crate) fn play_all(club: &Club, sandbox: &Sandbox, house: &dyn House, mut past: Past) {
    let state = &club.state;
    while !state.is_over() {
        let changes = state.changes();
        match play_next(club, sandbox, house, &mut past) {
            Ok(true) => {
                state.outdate_site();
                state.note_change();
            }
            Ok(false) => state.wait(changes, LOOK_EVERY),
            Err(error) => {
                house.note(error.to_string());
                state.pause(LOOK_EVERY);
            }
        }
    }
}

/// Plays the next stage. Returns false if there is nothing to play.
fn play_next(club: &Club, sandbox: &Sandbox, house: &dyn House, past: &mut Past) -> Result<bool, Error> {
    let state = &club.state;
    let in_play = state.register(|register| register.in_play())?;
    let playing: HashSet<&str> = in_play.iter().map(|version| version.sha256.as_str()).collect();
    state.keep_admitted(|sha256| playing.contains(sha256));
    let mut field: Vec<Contestant> = Vec::with_capacity(in_play.len());
    for version in &in_play {
        match contestant(club, sandbox, house, version) {
            Ok(contestant) => field.extend(contestant),
            // It costs this bot, and not the others.
            Err(error) => house.note(format!("{}, version {}: {error}", version.author, version.number)),
        }
    }
    let limits = EndlessLimits {
        first_games: FIRST_GAMES,
        games_max: club.options.games_max,
        stage_games: STAGE_GAMES,
    };
    let met = |one: usize, other: usize| past.met(&field[one].id.sha256, &field[other].id.sha256);
    let Some(stage) = next_stage(field.len(), met, &limits) else { return Ok(false) };
    let contestants = stage.field.iter().map(|&index| field[index].clone()).collect();
    let played = play(club, sandbox, house, &stage, contestants)?;
    for bot in played.disqualified {
        for version in in_play.iter().filter(|version| version.sha256 == bot) {
            let reason = format!("version {} was at fault in too many games", version.number);
            state.register(|register| register.disqualify(&version.author, Some(&reason)))?;
            house.note(format!("{} is disqualified: {reason}", version.author));
        }
    }
    *past = played.past;
    Ok(played.games > 0)
}

/// The bot of a version that plays; `None` if it is refused now, which happens with another version of the arena.
fn contestant(
    club: &Club,
    sandbox: &Sandbox,
    house: &dyn House,
    version: &Version,
) -> Result<Option<Contestant>, Error> {
    let state = &club.state;
    if let Some(contestant) = state.admitted(&version.sha256) {
        return Ok(Some(contestant));
    }
    let mut roster = Roster::admit(sandbox, &[state.folder.bot(&version.sha256)], 1, || {})?;
    roster.require_no_failure()?;
    for contestant in &mut roster.contestants {
        contestant.id.label = version.author.as_str().into();
    }
    match roster.contestants.pop().filter(|contestant| contestant.bot.kind() == club.rules.kind()) {
        Some(contestant) => {
            state.admit(contestant.clone());
            Ok(Some(contestant))
        }
        None => {
            let finding = house.finding(&roster, None);
            house.note(format!("{}, version {}: is refused now", version.author, version.number));
            state.register(|register| register.judge(version.id, VersionState::Refused, &finding))?;
            state.note_change();
            Ok(None)
        }
    }
}

/// A stage that was played.
struct PlayedStage {
    past: Past,
    /// The number of games that were played in it.
    games: usize,
    /// The bots of the season that are disqualified, by their SHA-256.
    disqualified: Vec<String>,
}

fn play(
    club: &Club,
    sandbox: &Sandbox,
    house: &dyn House,
    stage: &NextStage,
    contestants: Vec<Contestant>,
) -> Result<PlayedStage, Error> {
    let state = &club.state;
    let (format, challengers) = match stage.format {
        Format::Gauntlet { challengers } => (FormatKind::Gauntlet, Some(challengers)),
        _ => (FormatKind::RoundRobin, None),
    };
    let tournament = TournamentOptions {
        games_per_match: Some(stage.games_per_match),
        format: Some(format),
        challengers,
        max_faults: club.options.max_faults,
        ..TournamentOptions::default()
    };
    let opening = Opening::new(RunOptions { tournament, ..club.run_options() })?;
    let roster = Roster { contestants, refused: Vec::new(), failed: Vec::new() };
    let mut run = opening.plan(sandbox, roster)?.open()?;
    let control = Control::default();
    state.begin_stage(Some(control.clone()));
    state.metrics.playing.set(stage.field.len() as i64);
    let begun = Instant::now();
    let mut observer = Observed {
        logs: &state.logs,
        until: begun + STAGE_TIME,
        games: 0,
        failures: Vec::new(),
        metrics: &state.metrics,
    };
    let played = Local::start(sandbox, &run, false)
        .and_then(|local| run.play(&local, &|_| None, &control, &mut observer));
    state.begin_stage(None);
    state.metrics.playing.set(0);
    state.metrics.stages.inc();
    let milliseconds = begun.elapsed().as_millis() as u64;
    tracing::info!(bots = stage.field.len(), games = observer.games, milliseconds, "stage played");
    observer.failures.into_iter().for_each(|failure| house.note(failure));
    // The games before a failure are kept, and count.
    let results = run.results();
    let disqualified =
        results.disqualified.iter().map(|it| run.bots()[it.contestant].sha256.to_string()).collect();
    let past = Past::new(run.bots(), results);
    state.set_standings(standings(&run.ranking()));
    played.map(|()| PlayedStage { past, games: observer.games, disqualified })
}

/// Counts the games of a stage, and ends it in time.
struct Observed<'a> {
    logs: &'a Logs,
    until: Instant,
    games: usize,
    /// The games without a result.
    failures: Vec<String>,
    metrics: &'a Metrics,
}

impl Observer for Observed<'_> {
    fn game(&mut self, game: &GameSummary, played: Option<&Played>, _: &Results) -> ControlFlow<()> {
        self.failures.extend(played.and_then(|played| self.logs.keep(game.number, played)));
        match &game.result {
            Ok(_) if played.is_some() => {
                self.games += 1;
                self.metrics.games.inc();
            }
            Ok(_) => {}
            Err(error) => self.failures.push(format!("game {} has no result: {error}", game.number)),
        }
        ControlFlow::Continue(())
    }

    fn after_batch(&mut self) -> ControlFlow<()> {
        if Instant::now() < self.until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The standings of all bots of a season that have played, by their SHA-256.
fn standings(ranking: &Ranking<'_>) -> HashMap<String, Standing> {
    let mut places = 0;
    let rows = ranking.rows();
    let row = rows.iter().map(|row| {
        let bot = row.score.contestant;
        let plays = ranking.results.field.contains(&bot);
        places += u32::from(plays);
        let standing = Standing {
            place: plays.then_some(places),
            games: row.score.games,
            points: row.points,
            faults: row.score.faults,
            elo: row.rating.elo,
            low: row.rating.low,
            high: row.rating.high,
        };
        (ranking.bots[bot].sha256.to_string(), standing)
    });
    row.collect()
}
