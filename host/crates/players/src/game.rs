//! One game between two contestants, from fresh instances to a transcript.

use crate::contestant::Contestant;
use crate::plan::Plan;
use arena_league::Fixture;
use arena_record::{
    BotId, Conditions, Event, FORMAT, GameResult, Header, MatchSeed, PackedEvents, PairSeeds, Seated,
    Transcript,
};
use arena_referee::{GamePlan, HostError, Player, Stopped, Trouble, play_game, play_game_of_equals};
use arena_rules::{Game, GameRules, Listed, Seat, with_game};
use arena_sandbox::{Bot, Sandboxed, TimeLimits};
use std::any::Any;

/// The number of times a game, or a board that a bot clears alone, is started before a turn that the watchdog stops is
/// scored. Chosen: a machine that stalls does it once or twice; at the third time the rules score it, and its transcript
/// says that a clock decided.
pub const WATCHDOG_TRIES_MAX: u32 = 3;

/// The number of events for which there is room when a game begins. Chosen: most games have fewer.
const EVENTS: usize = 256;

/// A game that was played, of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Everything it depended on.
    pub header: Header,
    /// Its result.
    pub result: GameResult,
    /// The transcript as a file, if it is kept as one.
    pub transcript: Option<Vec<u8>>,
    /// The events as a journal keeps them, if they are kept in one.
    pub packed: Option<PackedEvents>,
    /// The text that the bots printed, by seat: safe to print, and bounded.
    pub logs: [String; 2],
}

impl Played {
    /// The transcript, if it is kept as a file.
    ///
    /// # Errors
    /// A defect of the arena: it is not one of this game.
    pub fn recording<G: Game>(&self) -> Result<Option<Transcript<G>>, HostError> {
        let Some(bytes) = &self.transcript else { return Ok(None) };
        let Transcript { events, .. } = Transcript::read(&bytes[..]).map_err(|error| {
            HostError::Defect(Trouble::from("the arena cannot read its own transcript").because(error))
        })?;
        // This header has the code of a loaded game, and that in the file has not.
        Ok(Some(Transcript { header: self.header.clone(), events }))
    }
}

/// A runner of the games of a tournament: everything that they have in common.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The contestants.
    pub contestants: &'a [Contestant],
    /// True if transcripts are kept as files.
    pub keeps_transcripts: bool,
    /// True if they are kept in a journal.
    pub keeps_journal: bool,
}

impl Runner<'_> {
    /// Plays one game in this process, before a watcher if there is one.
    ///
    /// # Errors
    /// A failure of the arena: the game has no result.
    pub fn play(
        &self,
        fixture: Fixture,
        watcher: Option<&mut (dyn Watcher + '_)>,
    ) -> Result<Played, HostError> {
        let bots = fixture.seats.map(|index| &self.contestants[index].bot);
        let header = self.header(fixture);
        with_game!(header.conditions.rules.kind(), G => {
            let (transcript, logs) = play_before::<G>(header, bots, self.plan.times, watcher)?;
            self.played(transcript, logs)
        })
    }

    /// A game that was played, as it is kept.
    ///
    /// # Errors
    /// A failure of the arena: the game has no end.
    pub fn played<G: Game>(&self, transcript: Transcript<G>, logs: [String; 2]) -> Result<Played, HostError> {
        let packed = || {
            let defect = || HostError::Defect("the events of a game between bots have no packed form".into());
            PackedEvents::of(&transcript.events).ok_or_else(defect)
        };
        Ok(Played {
            result: GameResult::of(&transcript.events)?,
            transcript: self.keeps_transcripts.then(|| transcript.to_bytes()),
            packed: self.keeps_journal.then(packed).transpose()?,
            header: transcript.header,
            logs,
        })
    }

    /// Everything the game depends on, which follows from the plan and the two components.
    pub fn header(&self, fixture: Fixture) -> Header {
        let [first, second] = fixture.seats.map(|index| &self.contestants[index]);
        let draw = Draw::of(self.plan, fixture.pair, [&first.id.sha256, &second.id.sha256]);
        let bots = [first.id.clone(), second.id.clone()];
        header(self.plan, fixture.game, first.bot.contract(), bots, draw)
    }
}

/// The header of a game under a plan.
pub fn header(plan: &Plan, game: u32, contract: String, bots: [BotId; 2], draw: Draw) -> Header {
    let [first, second] = bots;
    Header {
        arena_transcript: FORMAT,
        conditions: plan.conditions.clone(),
        contract: contract.into(),
        game,
        bots: [Seated { bot: first, seed: draw.sides[0] }, Seated { bot: second, seed: draw.sides[1] }],
        fleet_seed: draw.fleets,
        starter: draw.starter,
    }
}

/// The random choices of a game before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The random seed that each seat gets.
    pub sides: [u64; 2],
    /// The random seed for fleets that the engine places.
    pub fleets: u64,
    /// The seat that moves first.
    pub starter: Seat,
}

impl Draw {
    /// The draw for a pair of games, numbered from 0, between two components, by their hashes.
    pub fn of(plan: &Plan, pair: u32, hashes: [&str; 2]) -> Self {
        let seed = MatchSeed::new(plan.digest, plan.seed.seed, hashes);
        Self::from_seed(&plan.conditions.rules, seed, pair)
    }

    /// The draw for a pair of games, numbered from 0, of the match with this seed.
    pub fn from_seed(rules: &GameRules, seed: MatchSeed, pair: u32) -> Self {
        let PairSeeds { sides, fleets } = seed.pair(pair);
        let starter = if rules.starter_is_drawn() { seed.drawn_starter() } else { Seat::First };
        Self { sides, fleets, starter }
    }
}

/// A watcher of a game while it is played.
pub trait Watcher {
    /// The game begins, or is restarted because the watchdog has stopped it.
    fn begin(&mut self, header: &Header);

    /// An event happens: an [`Event`] of the game whose rules the header has.
    fn event(&mut self, event: &dyn Any);
}

/// A listener that hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

/// Plays the game that a header describes, between fresh players of these bots, by seat.
///
/// Of the header it uses the rules, the limits and the draw: the sandbox of the bots has to have its memory limit.
///
/// # Errors
/// A failure of the arena: the game has no result.
pub fn play<G: Sandboxed>(
    header: Header,
    bots: [&Bot; 2],
    times: TimeLimits,
) -> Result<Transcript<G>, HostError> {
    play_before(header, bots, times, None).map(|(transcript, _)| transcript)
}

fn play_before<G: Sandboxed>(
    header: Header,
    bots: [&Bot; 2],
    times: TimeLimits,
    watcher: Option<&mut (dyn Watcher + '_)>,
) -> Result<(Transcript<G>, [String; 2]), HostError> {
    let seeds = header.bots.each_ref().map(|seated| seated.seed);
    let seat = || Ok([bots[0].player(seeds[0], times)?, bots[1].player(seeds[1], times)?]);
    let (transcript, players) = play_between(header, seat, watcher)?;
    Ok((transcript, players.map(|player| player.log())))
}

/// Plays the game that a header describes, between players that are seated again for each attempt, by seat. Returns those of the
/// last attempt, too.
///
/// # Errors
/// A failure of the arena: the game has no result.
pub fn play_between<G: Listed, P: Player<G>>(
    header: Header,
    seat: impl FnMut() -> Result<[P; 2], HostError>,
    watcher: Option<&mut (dyn Watcher + '_)>,
) -> Result<(Transcript<G>, [P; 2]), HostError> {
    let mut recorder = Recorder { header: &header, watcher, events: Vec::with_capacity(EVENTS) };
    let players = play_out(&game_plan(&header)?, seat, &mut recorder)?;
    let events = recorder.events;
    Ok((Transcript { header, events }, players))
}

impl<G: Game> Listener<G> for Silent {
    fn begin(&mut self) {}

    fn event(&mut self, _event: Event<G>) {}
}

/// A listener to a game that may be restarted.
pub trait Listener<G: Game> {
    /// The game begins, or is restarted because the watchdog has stopped it.
    fn begin(&mut self);

    /// An event happens.
    fn event(&mut self, event: Event<G>);
}

/// A listener that keeps the events of the last attempt, and passes them to a watcher.
struct Recorder<'a, 'w, G: Game> {
    header: &'a Header,
    watcher: Option<&'a mut (dyn Watcher + 'w)>,
    events: Vec<Event<G>>,
}

impl<G: Game> Listener<G> for Recorder<'_, '_, G> {
    fn begin(&mut self) {
        if let Some(watcher) = &mut self.watcher {
            watcher.begin(self.header);
        }
        self.events.clear();
    }

    fn event(&mut self, event: Event<G>) {
        if let Some(watcher) = &mut self.watcher {
            watcher.event(&event);
        }
        self.events.push(event);
    }
}

/// Plays a game to its end between players that are seated again for each attempt: a game that the watchdog has stopped is
/// restarted, and the third time the rules score it. Returns the players of the last attempt.
///
/// # Errors
/// A failure of the arena: the game has no result.
pub fn play_out<G: Game, P: Player<G>>(
    plan: &GamePlan<'_, G>,
    mut seat: impl FnMut() -> Result<[P; 2], HostError>,
    listener: &mut dyn Listener<G>,
) -> Result<[P; 2], HostError> {
    for attempt in 1..=WATCHDOG_TRIES_MAX {
        listener.begin();
        let [mut first, mut second] = seat()?;
        let plan = GamePlan { score_wall_clock: attempt == WATCHDOG_TRIES_MAX, ..*plan };
        match play_game_of_equals(&plan, [&mut first, &mut second], &mut |event| listener.event(event)) {
            Ok(_) => return Ok([first, second]),
            Err(Stopped::WallClock { .. }) => {}
            Err(Stopped::Host(error)) => return Err(error),
            Err(stopped @ Stopped::Left) => return Err(HostError::defect(stopped)),
        }
    }
    unreachable!("the last attempt scores what the watchdog stops")
}

/// The plan of the game that a header describes, which does not score what the watchdog stops.
///
/// # Errors
/// The rules are of another game: a failure of the caller.
pub fn game_plan<G: Listed>(header: &Header) -> Result<GamePlan<'_, G>, HostError> {
    Ok(GamePlan {
        rules: rules::<G>(&header.conditions)?,
        fuel_per_turn: header.conditions.limits.fuel_per_turn,
        side_seeds: [header.bots[0].seed, header.bots[1].seed],
        fleet_seed: header.fleet_seed,
        starter: header.starter,
        score_wall_clock: false,
    })
}

/// The rules of games under these conditions.
///
/// # Errors
/// They are of another game: a failure of the caller.
pub fn rules<G: Listed>(conditions: &Conditions) -> Result<&G::Rules, HostError> {
    G::rules(&conditions.rules)
        .ok_or_else(|| HostError::Defect("the conditions have rules of another game".into()))
}

/// Referees the game that a header describes, once, between players of any kind.
///
/// # Errors
/// The reason why it has no result.
pub fn referee<G: Listed>(
    header: &Header,
    players: [&mut dyn Player<G>; 2],
    score_wall_clock: bool,
    tell: &mut dyn FnMut(Event<G>),
) -> Result<(), Stopped> {
    let plan = GamePlan { score_wall_clock, ..game_plan(header)? };
    play_game(&plan, players, tell).map(drop)
}
