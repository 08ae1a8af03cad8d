//! The facts about bots that only recordings have: each recording is read once, and added up.

use crate::{Contest, Reported};
use arena_record::{Event, Problem, Transcript};
use arena_referee::{Detail, FaultClass, Verdict};
use arena_rules::{Rules, Seat, Size};
use serde::{Deserialize, Serialize};

/// The number of a side's first turns whose shots count as early. Chosen: before most bots have hit anything.
pub(crate) const EARLY_TURNS: u32 = 10;

/// The largest number of turns with a figure of their own for fuel. Chosen: five times the longest game on the usual board;
/// later turns are left out of the plot.
const FUEL_TURNS_MAX: usize = 500;

/// The largest number of faults of a bot that its page lists. Chosen: more would not be read.
pub(crate) const FAULTS_LISTED_MAX: usize = 200;

/// The facts about one game.
#[derive(Clone, Debug, Default)]
pub struct GameFacts {
    sides: [SideFacts; 2],
    faults: Vec<FaultMoment>,
}

/// The facts about a side in one game.
#[derive(Clone, Debug, Default)]
struct SideFacts {
    /// The cells that it shot at early.
    shots: Vec<usize>,
    /// The cells on which it placed its ships; empty if the rules placed them.
    ships: Vec<usize>,
    /// The fuel of its turns, with the number of each; 0 is the deployment.
    fuel: Vec<(u32, u64)>,
}

/// A fault in a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FaultMoment {
    pub seat: Seat,
    /// The turn; 0 is the deployment.
    pub turn: u32,
    pub class: FaultClass,
    pub detail: Detail,
    pub verdict: Verdict,
}

/// The facts about a recorded game. That the rules allow its turns was checked before, as for each game that is read from a journal.
///
/// # Errors
/// The recording is of another game, or has a deployment that the rules do not allow.
pub fn facts<G: Reported>(transcript: &Transcript<G>) -> Result<GameFacts, Problem> {
    let rules = G::rules(&transcript.header.conditions.rules).ok_or("its rules are of another game")?;
    let size = rules.size().unwrap_or(Size::EMPTY);
    let mut facts = GameFacts::default();
    facts.sides.iter_mut().for_each(|side| side.fuel.reserve(transcript.events.len() / 2));
    for event in &transcript.events {
        let Some(seat) = event.seat() else { continue };
        let side = &mut facts.sides[seat.index()];
        if let (Some(turn), Some(fuel)) = (event.turn(), event.fuel()) {
            side.fuel.push((turn, fuel));
        }
        match event {
            Event::Placed { fuel: Some(_), deployment, .. } => {
                let setup = G::setup(rules, deployment).map_err(|error| error.to_string())?;
                let cells = G::ship_cells(&setup);
                side.ships = cells.into_iter().filter_map(|at| size.index(at)).collect();
            }
            Event::Acted { turn: ..=EARLY_TURNS, action, .. } => {
                // A cell counts once a game.
                let cell = G::shot(action).and_then(|at| size.index(at));
                side.shots.extend(cell.filter(|cell| !side.shots.contains(cell)));
            }
            Event::Faulted { turn, fault, verdict, .. } => facts.faults.push(FaultMoment {
                seat,
                turn: *turn,
                class: fault.class,
                detail: fault.detail.clone(),
                verdict: *verdict,
            }),
            _ => {}
        }
    }
    Ok(facts)
}

/// The facts about all bots of a contest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Facts {
    pub(crate) bots: Vec<BotFacts>,
}

/// The facts about a bot in all of its games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BotFacts {
    /// The number of its games that were read.
    pub games: u64,
    /// The number of games in which it shot early at each cell.
    pub shots: Vec<u64>,
    /// The number of games in which a ship was placed on each cell.
    pub ships: Vec<u64>,
    /// The number of games in which it placed its ships itself.
    pub games_placed: u64,
    /// The fuel by turn, from 0, the deployment.
    pub fuel: Vec<TurnFuel>,
    /// The first faults, each with the index of its game.
    pub faults: Vec<(usize, FaultMoment)>,
    /// The number of all faults.
    pub fault_count: u64,
}

impl BotFacts {
    /// Nothing yet about a bot of a contest.
    fn none(contest: &Contest) -> Self {
        let cells = contest.conditions.rules.size().unwrap_or(Size::EMPTY).cells();
        Self {
            games: 0,
            shots: vec![0; cells],
            ships: vec![0; cells],
            games_placed: 0,
            fuel: Vec::new(),
            faults: Vec::new(),
            fault_count: 0,
        }
    }
}

/// The fuel of one turn in all games of a bot.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TurnFuel {
    pub games: u64,
    pub sum: u128,
    pub most: u64,
}

impl TurnFuel {
    /// The mean; `None` when no game had that turn.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / self.games as f64)
    }
}

impl Facts {
    /// No facts yet about the bots of a contest.
    pub fn new(contest: &Contest) -> Self {
        Self { bots: vec![BotFacts::none(contest); contest.bots.len()] }
    }

    /// The same facts, which were worked out from the first games of a contest, with those about the bots that have come since: nothing
    /// yet. `None` if they cannot be about these games.
    pub(crate) fn of_more_bots(mut self, contest: &Contest, games: usize) -> Option<Self> {
        let none = BotFacts::none(contest);
        let is_sound = |(number, bot): (usize, &BotFacts)| {
            let of_bot = |(index, fault): &(usize, FaultMoment)| {
                *index < games && contest.games[*index].seats[fault.seat.index()] == number
            };
            // Adding further games to larger numbers could overflow.
            let is_count = |count: &u64| *count <= games as u64;
            [&bot.shots, &bot.ships]
                .iter()
                .all(|cells| cells.len() == none.shots.len() && cells.iter().all(is_count))
                && [&bot.games, &bot.games_placed].into_iter().all(is_count)
                && bot.fuel.iter().all(|fuel| is_count(&fuel.games) && fuel.sum >> 64 <= games as u128)
                && bot.fault_count < u64::MAX / 2
                && bot.fuel.len() <= FUEL_TURNS_MAX + 1
                && bot.faults.len() <= FAULTS_LISTED_MAX
                && bot.faults.iter().all(of_bot)
        };
        if games > contest.games.len()
            || self.bots.len() > contest.bots.len()
            || !self.bots.iter().enumerate().all(is_sound)
        {
            return None;
        }
        self.bots.resize(contest.bots.len(), none);
        Some(self)
    }

    /// Adds the facts about a game, by its index in the contest. Games have to be added in order.
    pub fn add(&mut self, contest: &Contest, index: usize, game: GameFacts) {
        let entry = &contest.games[index];
        let seats = entry.seats;
        if entry.played().is_none() {
            return;
        }
        for (bot, side) in seats.into_iter().zip(&game.sides) {
            let bot = &mut self.bots[bot];
            bot.games += 1;
            side.shots.iter().for_each(|&cell| bot.shots[cell] += 1);
            side.ships.iter().for_each(|&cell| bot.ships[cell] += 1);
            bot.games_placed += u64::from(!side.ships.is_empty());
            for &(turn, fuel) in &side.fuel {
                let turn = turn as usize;
                if turn > FUEL_TURNS_MAX {
                    break;
                }
                if bot.fuel.len() <= turn {
                    bot.fuel.resize(turn + 1, TurnFuel::default());
                }
                let of_turn = &mut bot.fuel[turn];
                of_turn.games += 1;
                of_turn.sum += u128::from(fuel);
                of_turn.most = of_turn.most.max(fuel);
            }
        }
        for fault in game.faults {
            let bot = &mut self.bots[seats[fault.seat.index()]];
            bot.fault_count += 1;
            if bot.faults.len() < FAULTS_LISTED_MAX {
                bot.faults.push((index, fault));
            }
        }
    }
}
