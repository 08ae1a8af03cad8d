//! Recorded games for tests.

use arena_record::{BotId, Conditions, Event, FORMAT, Header, Limits, Seated, Transcript};
use arena_referee::{GamePlan, NoReply, Player, Reply, play_game};
use arena_rules::battleship::{self, Battleship, Mark, Ruleset, scatter};
use arena_rules::submarine::{self, Submarine};
use arena_rules::{Coord, GameRules, Listed, Placement, Seat, random};

/// A header with these rules. Seat 1 moves first.
pub fn header(rules: GameRules) -> Header {
    let seated = |label: &str, seed| Seated {
        bot: BotId {
            label: label.into(),
            name: "Ada \u{202e} \"the bot\"".into(),
            sha256: "00".repeat(32).into(),
        },
        seed,
    };
    Header {
        arena_transcript: FORMAT,
        contract: format!("arena:{}@0.1.0", rules.kind()).into(),
        conditions: Conditions {
            arena: "1.0.0".into(),
            wasmtime: "48.0.8".into(),
            engine: "00ff".into(),
            rules,
            limits: Limits { fuel_per_turn: 1_000_000, memory_bytes: 1 << 26 },
            seed: 7.into(),
        },
        game: 1,
        bots: [seated("a", u64::MAX), seated("b", 2)],
        fleet_seed: 3,
        starter: Seat::First,
    }
}

/// The recording of a game between two honest players.
pub fn record<G: Listed>(rules: GameRules) -> Transcript<G>
where
    Honest: Player<G>,
{
    let header = header(rules);
    let plan = GamePlan {
        rules: G::rules(&header.conditions.rules).unwrap(),
        fuel_per_turn: header.conditions.limits.fuel_per_turn,
        side_seeds: header.bots.each_ref().map(|seated| seated.seed),
        fleet_seed: header.fleet_seed,
        starter: header.starter,
        score_wall_clock: false,
    };
    let mut events: Vec<Event<G>> = Vec::new();
    play_game(&plan, [&mut Honest, &mut Honest], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

/// A game of Battleship under `guide`.
pub fn battleship() -> Transcript<Battleship> {
    record(GameRules::named("guide").unwrap())
}

/// A game of submarine of ten actions.
pub fn submarine() -> Transcript<Submarine> {
    record(GameRules::Submarine(submarine::Rules { actions_max: 10, ..submarine::Rules::default() }))
}

/// A game of Battleship by rules that differ from `guide` by a change.
pub fn battleship_with(change: impl FnOnce(&mut Ruleset)) -> Transcript<Battleship> {
    let mut rules = Ruleset::guide();
    change(&mut rules);
    record(GameRules::Battleship(rules))
}

/// A player of legal actions: it shoots row by row, or attacks the cell of its own strongest ship.
pub struct Honest;

impl Player<Battleship> for Honest {
    fn deploy(&mut self, game: &battleship::GameInfo, _: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fleet = scatter(&game.fleet_spec(), &mut random::seeded(game.seed)).unwrap();
        Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: 5 })
    }

    fn play(
        &mut self,
        game: &battleship::GameInfo,
        view: &battleship::View,
        _: u64,
    ) -> Result<Reply<battleship::Action>, NoReply> {
        let unknown = view.attacks.iter().position(|&mark| mark == Mark::Unknown);
        Ok(Reply { answer: unknown.map(|cell| game.size.coord(cell)).into(), fuel_used: 7 })
    }
}

impl Player<Submarine> for Honest {
    fn deploy(&mut self, _: &submarine::GameInfo, _: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        Ok(Reply { answer: [(0, 0), (0, 1), (1, 0)].map(Coord::from), fuel_used: 5 })
    }

    fn play(
        &mut self,
        _: &submarine::GameInfo,
        view: &submarine::View,
        _: u64,
    ) -> Result<Reply<submarine::Action>, NoReply> {
        Ok(Reply { answer: submarine::Action::Attack(view.own[0].at), fuel_used: 7 })
    }
}
