//! One game between two contestants, from fresh instances to a transcript.

use crate::plan::Plan;
use crate::roster::Contestant;
use arena_league::Fixture;
use arena_record::{Contestant as Entry, FORMAT, Header, Limits, MatchSeed, PairSeeds, Transcript};
use arena_referee::{
    Event, GamePlan, HostError, Player, Stopped, SubmarinePlan, SubmarinePlayer, play_game, play_submarine,
};
use arena_rules::{GameRules, Ruleset, Seat, Starts};
use arena_sandbox::{Bot, WASMTIME_VERSION};

/// Times a game is begun, or a board that a bot clears alone, that the watchdog stops. Chosen: a machine that stalls does it once or twice; at the third time
/// it is scored by the rules, and its transcript says that a clock decided.
pub(crate) const WATCHDOG_TRIES_MAX: u32 = 3;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// What happened.
    pub transcript: Transcript,
    /// What the bots printed, by seat: safe to print, and bounded.
    pub logs: [String; 2],
}

/// Everything that the games of a tournament have in common.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    /// What to play.
    pub plan: &'a Plan,
    /// The engine's identity, for the transcripts.
    pub engine: &'a str,
    /// Who plays.
    pub contestants: &'a [Contestant],
}

impl Table<'_> {
    /// Plays one game.
    ///
    /// # Errors
    /// A failure of ours: the game has no result.
    pub fn play(&self, fixture: Fixture) -> Result<Played, HostError> {
        self.play_before(fixture, &mut Nobody)
    }

    /// Plays one game before an onlooker.
    ///
    /// # Errors
    /// A failure of ours: the game has no result.
    pub fn play_before(&self, fixture: Fixture, onlooker: &mut dyn Onlooker) -> Result<Played, HostError> {
        let bots = fixture.seats.map(|index| &self.contestants[index].bot);
        play_before(&self.header(fixture), bots, onlooker)
    }

    /// Everything the game depends on: all of it follows from the plan and the two components.
    pub fn header(&self, fixture: Fixture) -> Header {
        let Plan { rules, seed, .. } = self.plan;
        let [first, second] = fixture.seats.map(|index| &self.contestants[index]);
        let draw = Draw::of(rules, *seed, fixture.pair, [first.bot.hash(), second.bot.hash()]);
        let bots = [first.entry(draw.sides[0]), second.entry(draw.sides[1])];
        self.header_of(fixture.game, first.contract(), bots, draw)
    }

    /// The header of a game at this table, whoever the sides are.
    pub fn header_of(&self, game: u32, contract: String, bots: [Entry; 2], draw: Draw) -> Header {
        let plan = self.plan;
        Header {
            arena_transcript: FORMAT,
            arena: env!("CARGO_PKG_VERSION").into(),
            wasmtime: WASMTIME_VERSION.into(),
            engine: self.engine.into(),
            contract,
            rules: plan.rules.clone(),
            limits: plan.limits,
            seed: plan.seed,
            game,
            bots,
            fleet_seed: draw.fleets,
            starter: draw.starter,
        }
    }
}

/// What chance decides of a game before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// What each seat is given as its own seed.
    pub sides: [u64; 2],
    /// For the fleets, where the engine places them.
    pub fleets: u64,
    /// Who shoots first.
    pub starter: Seat,
}

impl Draw {
    /// The draw for a pair of games between two components, by their hashes.
    pub fn of(rules: &GameRules, tournament_seed: u64, pair: u32, hashes: [&str; 2]) -> Self {
        let seed = MatchSeed::new(rules, tournament_seed, hashes);
        let PairSeeds { sides, fleets } = seed.pair(pair);
        let starter = match rules {
            GameRules::Battleship(Ruleset { starts: Starts::Drawn, .. }) => seed.drawn_starter(),
            GameRules::Battleship(_) | GameRules::Submarine(_) => Seat::First,
        };
        Self { sides, fleets, starter }
    }
}

/// Somebody who looks on while a game is played.
pub trait Onlooker {
    /// It begins, or begins again, if the watchdog has stopped it.
    fn begin(&mut self, header: &Header);

    /// Something happened in it.
    fn event(&mut self, event: &Event);
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Onlooker for Nobody {
    fn begin(&mut self, _header: &Header) {}

    fn event(&mut self, _event: &Event) {}
}

/// Plays the game that a header describes, between fresh players of these bots, by seat.
///
/// Of the header it uses the rules, the limits and what was drawn: the sandbox of the bots has to have its memory limit.
///
/// # Errors
/// A failure of ours: the game has no result.
pub fn play(header: &Header, bots: [&Bot; 2]) -> Result<Played, HostError> {
    play_before(header, bots, &mut Nobody)
}

fn play_before(header: &Header, bots: [&Bot; 2], onlooker: &mut dyn Onlooker) -> Result<Played, HostError> {
    for attempt in 1..=WATCHDOG_TRIES_MAX {
        onlooker.begin(header);
        let side_seeds = [header.bots[0].seed, header.bots[1].seed];
        let [mut first, mut second] = [bots[0].player(side_seeds[0]), bots[1].player(side_seeds[1])];
        let mut events = Vec::new();
        let mut tell = |event: Event| {
            onlooker.event(&event);
            events.push(event);
        };
        let is_last = attempt == WATCHDOG_TRIES_MAX;
        match referee(header, (&mut first, &mut second), is_last, &mut tell) {
            Ok(()) => {
                let transcript = Transcript { header: header.clone(), events };
                return Ok(Played { transcript, logs: [first.log(), second.log()] });
            }
            Err(Stopped::Host(error)) => return Err(error),
            Err(Stopped::WallClock { .. }) => {}
        }
    }
    unreachable!("the last attempt scores what the watchdog stops")
}

/// A player of either game.
pub trait AnyPlayer: Player + SubmarinePlayer {}

impl<P: Player + SubmarinePlayer> AnyPlayer for P {}

/// Referees the game that a header describes, once, between players of any kind.
///
/// # Errors
/// Why it has no result.
pub fn referee<A: AnyPlayer, B: AnyPlayer>(
    header: &Header,
    (first, second): (&mut A, &mut B),
    score_wall_clock: bool,
    tell: &mut dyn FnMut(Event),
) -> Result<(), Stopped> {
    let side_seeds = [header.bots[0].seed, header.bots[1].seed];
    let &Header { limits: Limits { fuel_per_turn, .. }, fleet_seed, starter, .. } = header;
    match &header.rules {
        GameRules::Battleship(rules) => {
            let plan = GamePlan { rules, fuel_per_turn, side_seeds, fleet_seed, starter, score_wall_clock };
            play_game(&plan, [first, second], tell)?;
        }
        GameRules::Submarine(rules) => {
            let plan = SubmarinePlan { rules, fuel_per_turn, side_seeds, starter, score_wall_clock };
            play_submarine(&plan, [first, second], tell)?;
        }
    }
    Ok(())
}
