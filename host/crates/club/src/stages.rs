//! Playing without end: one stage of the season after the other, each a run of the engine.

use crate::club::Club;
use crate::error::ClubError;
use crate::logs::Logs;
use crate::metrics::Metrics;
use crate::played_games::{
    CountedGame, FAULTS_TO_PAUSE, GAMES_TO_PAUSE, InPlay, LatestFaults, Planned, PlayedGames,
};
use crate::requests::Standing;
use crate::uploads::Refusal;
use crate::{admission, workers};
use arena_cluster::Remote;
use arena_engine::internals::open_season::OpenSeason;
use arena_engine::{
    Control, Error, FormatKind, GameSummary, HostError, Local, Observer, Played, Ranking, Results, Roster,
    Sandbox, TournamentOptions,
};
use arena_league::Format;
use arena_players::Contestant;
use arena_store::{Version, VersionState};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// The longest stage, unless its games in progress take longer. Chosen: so long the pages may be old while slow bots play.
const STAGE_TIME: Duration = Duration::from_secs(15);

/// The time between two looks at the register if nothing is to be played, and before a stage that failed is tried again. Chosen:
/// another process may have invited or revoked somebody.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The time before a stage is tried again in which the game itself has failed. Chosen: the same code most likely fails again, so the log has a
/// line in each of these.
const GAME_FAILED_PAUSE: Duration = Duration::from_secs(60);

/// The bytes of a side of a game in the journal besides what it has written. Measured: 2,000 games of house bots take 608 bytes each, of which
/// 387 are what the bots have written.
const ROW_BYTES: u64 = 111;

/// The season of a club so far.
pub(crate) struct SoFar {
    pub(crate) past: PlayedGames,
    /// The season, open for the next stage; `None` when the journal has to be read again.
    season: Option<OpenSeason>,
}

/// Reads the games that were played so far.
///
/// # Errors
/// The journal cannot be read.
pub(crate) fn recall(club: &Club) -> Result<SoFar, Error> {
    let season = OpenSeason::read(club.run_options())?;
    let past = season.stored().map_or_else(PlayedGames::default, |stored| {
        club.state.set_standings(standings(&stored.ranking()));
        club.state.outdate_site();
        PlayedGames::of(&stored)
    });
    Ok(SoFar { past, season: Some(season) })
}

/// Plays stages until the club is ended. A failure is noted, and the stage tried again.
pub(crate) fn play_all(club: &Club, sandbox: &Sandbox, so_far: &mut SoFar) {
    let state = &club.state;
    while !state.is_over() {
        let changes = state.changes();
        match play_next(club, sandbox, so_far, state.now()) {
            Ok(true) => {
                state.outdate_site();
                state.note_change();
            }
            Ok(false) => state.wait(changes, LOOK_EVERY),
            Err(error) => {
                let is_of_game = matches!(error, ClubError::Engine(Error::Host(HostError::Game(_))));
                state.note(error.to_string());
                state.pause(if is_of_game { GAME_FAILED_PAUSE } else { LOOK_EVERY });
            }
        }
    }
}

/// Plays the next stage at this time, in seconds since 1970. Returns false if there is nothing to play.
pub(crate) fn play_next(
    club: &Club,
    sandbox: &Sandbox,
    so_far: &mut SoFar,
    now: i64,
) -> Result<bool, ClubError> {
    let state = &club.state;
    if !so_far.season.as_ref().is_some_and(OpenSeason::is_current) {
        // The journal is given back first.
        so_far.season = None;
        *so_far = recall(club)?;
    }
    let in_play = state.register(|register| register.in_play())?;
    let playing: HashSet<&str> = in_play.iter().map(|version| version.sha256.as_str()).collect();
    state.keep_admitted(|sha256| playing.contains(sha256));
    let mut field: Vec<(Contestant, u64)> = Vec::with_capacity(in_play.len());
    for version in &in_play {
        match contestant(club, sandbox, version) {
            Ok(contestant) => field.extend(contestant.map(|contestant| (contestant, version.game_fuel))),
            // It costs this bot, and not the others.
            Err(error) => state.note(format!("{}, version {}: {error}", version.author, version.number)),
        }
    }
    let field_in_play: Vec<InPlay<'_>> = field
        .iter()
        .map(|(contestant, game_fuel)| InPlay {
            sha256: contestant.id.sha256.as_str(),
            author: contestant.id.label.as_str(),
            game_fuel: *game_fuel,
        })
        .collect();
    let plays = state.register(|register| register.season())?.plays(now);
    let planned = plays.then(|| so_far.past.plan(&field_in_play, &club.options, now)).flatten();
    let Some(planned) = planned else {
        state.set_played_out(in_play.into_iter().map(|version| version.sha256).collect());
        return Ok(false);
    };
    state.set_played_out(HashSet::new());
    let contestants: Vec<Contestant> =
        planned.stage.field.iter().map(|&index| field[index].0.clone()).collect();
    let begins: Vec<&str> = contestants.iter().map(|contestant| contestant.id.sha256.as_str()).collect();
    if !state.register(|register| register.begin_to_play(state.season, &begins))? {
        // A bot was deleted just now: there is another stage without it.
        return Ok(true);
    }
    for version in in_play.iter().filter(|version| !version.has_played) {
        // A copy of it is kept next to the journal.
        state.add_taken(&version.author, version.size as i64);
    }
    let played = play(club, sandbox, &planned, contestants, so_far, now)?;
    for version in &in_play {
        let Added { replays, logs } = played.added.get(&version.sha256).copied().unwrap_or_default();
        state.add_taken(&version.author, replays as i64 + logs);
        if played.disqualified.contains(&version.sha256) {
            let reason = format!("version {} was at fault in too many games", version.number);
            state.register(|register| register.disqualify(&version.author, Some(&reason)))?;
            state.note(format!("{} is disqualified: {reason}", version.author));
        } else if so_far.past.take_pause(&version.sha256) {
            let why = format!("it was at fault in {FAULTS_TO_PAUSE} of its latest {GAMES_TO_PAUSE} games");
            let next = "test it with `arena check`, and submit a new version, or the same file again";
            pause(club, version, &why, next)?;
        } else if let Some(Refusal { what, next, .. }) = state.refuse_without_room(&version.author)? {
            pause(club, version, &what, &next)?;
        }
    }
    // Only now, so that an author who waits for games sees what they have led to.
    state.set_standings(played.standings);
    played.ended?;
    Ok(played.games > 0)
}

/// Pauses a version, and tells its author what to do next.
fn pause(club: &Club, version: &Version, why: &str, next: &str) -> Result<(), ClubError> {
    let reason = format!("{why}\n  next: {next}");
    club.state.register(|register| register.pause(version.id, &reason))?;
    club.state.note(format!("{}, version {} is paused: {why}", version.author, version.number));
    Ok(())
}

/// Gives a bot the label of its author and takes its own name away, so that the journal, which only grows, has no names.
pub(crate) fn name(contestant: &mut Contestant, version: &Version) {
    contestant.id.label = version.label.as_str().into();
    contestant.id.name = "".into();
}

/// The bot of a version that plays; `None` if it is refused now, which happens with another version of the arena.
pub(crate) fn contestant(
    club: &Club,
    sandbox: &Sandbox,
    version: &Version,
) -> Result<Option<Contestant>, ClubError> {
    let state = &club.state;
    if let Some(contestant) = state.admitted(&version.sha256) {
        return Ok(Some(contestant));
    }
    let mut roster = Roster::admit(sandbox, &[state.folder.bot(&version.sha256)], 1, || {})?;
    roster.require_no_failure()?;
    roster.contestants.iter_mut().for_each(|contestant| name(contestant, version));
    match roster.contestants.pop().filter(|contestant| contestant.bot.kind() == club.rules.kind()) {
        Some(contestant) => {
            state.admit(contestant.clone());
            Ok(Some(contestant))
        }
        None => {
            let finding = admission::finding(&roster, None);
            state.note(format!("{}, version {}: is refused now", version.author, version.number));
            state.register(|register| register.judge(version.id, VersionState::Refused, &finding))?;
            state.note_change();
            Ok(None)
        }
    }
}

/// The bytes that the games of a stage have added for a bot.
#[derive(Clone, Copy, Default)]
struct Added {
    /// To the journal, by its side of the games.
    replays: u64,
    /// To the logs, from which older ones are removed.
    logs: i64,
}

/// A stage that was played.
struct PlayedStage {
    /// The number of games that were played in it.
    games: usize,
    /// The standings after it.
    standings: HashMap<String, Standing>,
    /// The bots of the season that are disqualified, by their SHA-256.
    disqualified: HashSet<String>,
    /// The bytes that it has added for each bot, by its SHA-256.
    added: HashMap<String, Added>,
    /// The failure that has ended it, if it was one.
    ended: Result<(), Error>,
}

/// Plays a stage, and adds it to the past. If it fails, the journal is read again.
fn play(
    club: &Club,
    sandbox: &Sandbox,
    Planned { stage, full_round }: &Planned,
    contestants: Vec<Contestant>,
    so_far: &mut SoFar,
    now: i64,
) -> Result<PlayedStage, ClubError> {
    let state = &club.state;
    let SoFar { past, season } = so_far;
    let mut tournament = TournamentOptions {
        games_per_match: Some(stage.games_per_match),
        resting: u32::try_from(stage.resting).ok(),
        games_before: Some(stage.games_before),
        full_round: *full_round,
        max_faults: club.options.max_faults,
        ..TournamentOptions::default()
    };
    match stage.format {
        Format::Gauntlet { challengers } => {
            tournament.format = Some(FormatKind::Gauntlet);
            tournament.challengers = Some(challengers);
        }
        Format::Neighbours { neighbours } => {
            tournament.format = Some(FormatKind::Neighbours);
            tournament.neighbours = Some(neighbours);
        }
        _ => tournament.format = Some(FormatKind::RoundRobin),
    }
    let open = season.take().map_or_else(|| OpenSeason::read(club.run_options()), Ok)?;
    let prepared = open.stage(tournament)?;
    let roster = Roster { contestants, refused: Vec::new(), failed: Vec::new() };
    let planned = prepared.plan(sandbox, roster)?;
    // Before the stage is in the journal: it is not needed if the workers are missing.
    let start = |options| Remote::start(options, &planned, sandbox);
    let remote = match club.options.workers.as_ref().map(start).transpose() {
        Ok(remote) => remote,
        Err(error) => {
            *season = Some(planned.into_season());
            return Err(error.into());
        }
    };
    let mut run = planned.open()?;
    let control = Control::default();
    state.begin_stage(Some(control.clone()));
    state.metrics.playing.set(stage.field.len() as i64);
    let begun = Instant::now();
    let mut observer = Observed {
        logs: &state.logs,
        until: begun + STAGE_TIME,
        control: control.clone(),
        games: Vec::new(),
        latest_faults: past.latest_faults(),
        pauses: false,
        failures: Vec::new(),
        added: HashMap::new(),
        game_failed: None,
        metrics: &state.metrics,
    };
    let played = match &remote {
        Some(remote) => workers::play(remote, &club.noted, &mut run, &control, &mut observer),
        None => Local::start(sandbox, &run, false)
            .and_then(|local| run.play(&local, &|_| None, &control, &mut observer)),
    };
    state.begin_stage(None);
    state.metrics.playing.set(0);
    state.metrics.stages.inc();
    let milliseconds = begun.elapsed().as_millis() as u64;
    tracing::info!(bots = stage.field.len(), games = observer.games.len(), milliseconds, "stage played");
    let played = match observer.game_failed {
        Some(error) => played.and(Err(error.into())),
        None => played,
    };
    observer.failures.into_iter().for_each(|failure| state.note(failure));
    let added = observer.added;
    let replays = added.iter().map(|(sha256, added)| (sha256.as_str(), added.replays));
    state.register(|register| register.add_played(state.season, replays))?;
    // The games before a failure are kept, and count.
    let ranking = run.ranking();
    past.add(&ranking, &run.planned().season.stage.field, *full_round, now, &observer.games);
    let disqualified = &run.results().disqualified;
    let disqualified = disqualified.iter().map(|it| run.bots()[it.contestant].sha256.to_string()).collect();
    let games = observer.games.len();
    if let Some(head) = run.head().filter(|_| games > 0)
        && let Err(error) = state.folder.add_head(run.planned().season.number, &head)
    {
        // The next one shows as much.
        state.note(error.to_string());
    }
    let standings = standings(&ranking);
    *season = if played.is_ok() { run.into_season() } else { None };
    Ok(PlayedStage { games, standings, disqualified, added, ended: played })
}

/// Counts the games of a stage, and ends it in time, or when a bot is to be paused.
struct Observed<'a> {
    logs: &'a Logs,
    until: Instant,
    control: Control,
    games: Vec<CountedGame>,
    latest_faults: LatestFaults,
    /// True if a bot is to be paused.
    pauses: bool,
    /// The games without a result.
    failures: Vec<String>,
    /// As in [`PlayedStage`].
    added: HashMap<String, Added>,
    /// The failure of the game itself, which ends the stage: each further game could fail like it, or be decided by a game that is wrong.
    game_failed: Option<HostError>,
    metrics: &'a Metrics,
}

impl Observer for Observed<'_> {
    fn game(&mut self, game: &GameSummary, played: Option<&Played>, _: &Results) -> ControlFlow<()> {
        if let Some(played) = played {
            let (logs, note) = self.logs.keep(game.number, played);
            self.failures.extend(note);
            // The packed events do not say which side they are of.
            let bytes = played.packed.as_ref().map_or(0, |events| events.as_bytes().len() as u64);
            let sides = [bytes / 2, bytes - bytes / 2];
            for ((seated, replay), logs) in played.header.bots.iter().zip(sides).zip(logs) {
                let added = self.added.entry(seated.bot.sha256.to_string()).or_default();
                added.replays += replay + ROW_BYTES;
                added.logs += logs;
            }
        }
        match &game.result {
            Ok(result) if played.is_some() => {
                let game = CountedGame::new(game.fixture.seats, result);
                self.pauses |= self.latest_faults.add(&game);
                self.games.push(game);
                self.metrics.games.inc();
            }
            Ok(_) => {}
            Err(error @ HostError::Game(_)) => {
                self.game_failed = Some(error.clone());
                return ControlFlow::Break(());
            }
            Err(error) => self.failures.push(format!("game {} has no result: {error}", game.number)),
        }
        ControlFlow::Continue(())
    }

    fn after_batch(&mut self) -> ControlFlow<()> {
        if Instant::now() >= self.until {
            // The games in progress are kept, or slow bots would play them for nothing.
            self.control.cancel();
        }
        if self.pauses { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The standings of all bots of a season that have played, by their SHA-256.
pub(crate) fn standings(ranking: &Ranking<'_>) -> HashMap<String, Standing> {
    let rows = ranking.rows();
    let row = rows.iter().zip(ranking.places()).map(|(row, place)| {
        let bot = row.score.contestant;
        let standing = Standing {
            place,
            games: row.score.games,
            points: row.points,
            faults: row.score.faults,
            rating: row.rating,
        };
        (ranking.bots[bot].sha256.to_string(), standing)
    });
    row.collect()
}
