//! Players for games that tests and examples play, and the header of such a game.

use arena_record::{BotId, Conditions, FORMAT, Header, Limits, Seated};
use arena_referee::{HostError, NoReply, Player, Reply};
use arena_rules::battleship::{self, Battleship, Mark, scatter};
use arena_rules::loaded::{Loaded, Observation};
use arena_rules::submarine::{self, SIZE, Submarine};
use arena_rules::{Coord, Game, GameRules, Placement, Seat, random};

/// Shoots at the first cell that it has not shot at; in Submarine, attacks around its first ship, in a circle.
#[derive(Debug)]
pub struct Sweeper;

impl Player<Battleship> for Sweeper {
    fn deploy(&mut self, game: &battleship::GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fleet = scatter(&game.fleet_spec(), &mut random::seeded(game.seed))
            .ok_or_else(|| HostError::Defect("no fleet was found".into()))?;
        Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: 1_000 })
    }

    fn play(
        &mut self,
        game: &battleship::GameInfo,
        view: &battleship::View,
        _fuel: u64,
    ) -> Result<Reply<battleship::Action>, NoReply> {
        let open = view.attacks.iter().position(|&mark| mark == Mark::Unknown);
        let answer = open.map(|cell| game.size.coord(cell)).into();
        Ok(Reply { answer, fuel_used: 100 + u64::from(view.turn) })
    }
}

impl Player<Submarine> for Sweeper {
    fn deploy(&mut self, _game: &submarine::GameInfo, _fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        Ok(Reply { answer: [Coord::new(1, 1), Coord::new(1, 3), Coord::new(3, 2)], fuel_used: 1_000 })
    }

    fn play(
        &mut self,
        _game: &submarine::GameInfo,
        view: &submarine::View,
        _fuel: u64,
    ) -> Result<Reply<submarine::Action>, NoReply> {
        let own = view.own.first().map_or(Coord::new(0, 0), |own| own.at);
        let around: Vec<Coord> = SIZE.neighbours(own).collect();
        let at = around[view.turn as usize % around.len()];
        Ok(Reply { answer: submarine::Action::Attack(at), fuel_used: 100 })
    }
}

/// In the loaded game of the tests, takes one.
impl Player<Loaded> for Sweeper {
    fn deploy(&mut self, _game: &<Loaded as Game>::Info, _fuel: u64) -> Result<Reply<()>, NoReply> {
        Err(HostError::Defect("the game has no deployment".into()).into())
    }

    fn play(
        &mut self,
        _game: &<Loaded as Game>::Info,
        _view: &Observation,
        _fuel: u64,
    ) -> Result<Reply<String>, NoReply> {
        Ok(Reply { answer: "take(1)".into(), fuel_used: 100 })
    }
}

/// The header of a game by these rules between bots with these labels.
pub fn header(rules: &GameRules, labels: [&str; 2]) -> Header {
    Header {
        arena_transcript: FORMAT,
        conditions: Conditions {
            arena: "0.1.0".into(),
            wasmtime: "0".into(),
            engine: "none".into(),
            rules: rules.clone(),
            limits: Limits { fuel_per_turn: 300_000_000, memory_bytes: 0 },
            seed: 1.into(),
        },
        contract: format!("arena:{}@0.1.0", rules.kind()).into(),
        game: 1,
        bots: [(labels[0], 11), (labels[1], 22)].map(|(label, seed)| Seated {
            bot: BotId { label: label.into(), name: label.into(), sha256: "0".repeat(64).into() },
            seed,
        }),
        fleet_seed: 3,
        starter: Seat::First,
    }
}
