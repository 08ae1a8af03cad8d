//! Players for games that tests and examples play, and what such a game is.

use arena_record::{Contestant, FORMAT, Header, Limits};
use arena_referee::{HostError, NoReply, Player, Reply, SubmarineInfo, SubmarinePlayer};
use arena_rules::submarine::{Action, SIZE, View as SubmarineView};
use arena_rules::{Coord, GameInfo, GameRules, Mark, Placement, Seat, View, random, scatter};

/// Shoots at the first cell that it has not shot at; in submarine, attacks beside its first ship, round and round.
#[derive(Debug)]
pub struct Sweeper;

impl Player for Sweeper {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fleet = scatter(&game.fleet_spec(), &mut random::seeded(game.seed))
            .ok_or_else(|| HostError("no fleet was found".into()))?;
        Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: 1_000 })
    }

    fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
        let open = view.attacks.iter().position(|&mark| mark == Mark::Unknown);
        Ok(Reply { answer: open.map(|cell| game.size.coord(cell)), fuel_used: 100 + u64::from(view.turn) })
    }

    fn restart(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

impl SubmarinePlayer for Sweeper {
    fn deploy(&mut self, _game: &SubmarineInfo, _fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        Ok(Reply { answer: [Coord::new(1, 1), Coord::new(1, 3), Coord::new(3, 2)], fuel_used: 1_000 })
    }

    fn play(
        &mut self,
        _game: &SubmarineInfo,
        view: &SubmarineView,
        _fuel: u64,
    ) -> Result<Reply<Action>, NoReply> {
        let own = view.own.first().map_or(Coord::new(0, 0), |own| own.at);
        let around: Vec<Coord> = SIZE.neighbours(own).collect();
        let at = around[view.turn as usize % around.len()];
        Ok(Reply { answer: Action::Attack(at), fuel_used: 100 })
    }
}

/// What a game by these rules depends on, between contestants with these labels.
pub fn header(rules: &GameRules, labels: [&str; 2]) -> Header {
    Header {
        arena_transcript: FORMAT,
        arena: "0.1.0".into(),
        wasmtime: "0".into(),
        engine: "none".into(),
        contract: format!("arena:{}@0.1.0", rules.game()),
        rules: rules.clone(),
        limits: Limits { fuel_per_turn: 300_000_000, memory_bytes: 0 },
        seed: 1,
        game: 1,
        bots: [(labels[0], 11), (labels[1], 22)].map(|(label, seed)| Contestant {
            label: label.into(),
            name: label.into(),
            sha256: "0".repeat(64),
            seed,
        }),
        fleet_seed: 3,
        starter: Seat::First,
    }
}
