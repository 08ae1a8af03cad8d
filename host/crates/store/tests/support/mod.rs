//! Real games to keep: played by the referee between players that shoot by their seed.
#![allow(dead_code, reason = "each test file uses its part")]

use arena_record::{Contestant, FORMAT, GameResult, Header, Limits, Transcript};
use arena_referee::{Fault, FaultClass, GamePlan, HostError, NoReply, Player, Reply, play_game};
use arena_rules::{Coord, GameInfo, GameRules, Mark, Placement, Ruleset, Seat, View, random, scatter};
use arena_store::{Conditions, Entrant, GameKey};
use rand::RngExt;

/// Shoots at random at what it has not shot at, and now and then has a fault.
struct Shooter(random::SeededRng);

impl Player for Shooter {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fleet = scatter(&game.fleet_spec(), &mut self.0).expect("it fits");
        Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: self.0.random_range(0..5_000) })
    }

    fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
        if self.0.random_range(0..60) == 0 {
            return Err(Fault::new(FaultClass::OutOfFuel, "it \"dawdled\"\nfor long").into());
        }
        let open: Vec<usize> =
            (0..view.attacks.len()).filter(|&cell| view.attacks[cell] == Mark::Unknown).collect();
        let cell = open[self.0.random_range(0..open.len())];
        Ok(Reply { answer: Some(game.size.coord(cell)), fuel_used: self.0.random_range(0..5_000) })
    }

    fn restart(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

/// The conditions of a tournament of so many.
pub fn conditions(contestants: usize) -> Conditions {
    let entrant = |index: usize| Entrant {
        label: format!("bot-{index}"),
        name: format!("Bot Nº {index}"),
        sha256: format!("{index:064x}"),
    };
    Conditions {
        arena: "0.1.0".into(),
        wasmtime: "48.0.8".into(),
        engine: "00ff".into(),
        rules: GameRules::Battleship(Ruleset::guide()),
        limits: Limits { fuel_per_turn: u64::MAX, memory_bytes: 64 << 20 },
        seed: u64::MAX - 1,
        contestants: (0..contestants).map(entrant).collect(),
    }
}

/// A game between two of them, by its number in their match.
pub fn game(conditions: &Conditions, seats: [usize; 2], game: u32) -> (GameKey, GameResult, Transcript) {
    let GameRules::Battleship(rules) = &conditions.rules else { unreachable!() };
    let seed = u64::from(game) * 100 + seats[0] as u64 * 10 + seats[1] as u64;
    let side_seeds = [seed, seed + 1_000_000];
    let starter = Seat::First;
    let mut players = side_seeds.map(|seed| Shooter(random::seeded(seed)));
    let [first, second] = &mut players;
    let mut events = Vec::new();
    let fuel_per_turn = conditions.limits.fuel_per_turn;
    let plan = GamePlan { rules, fuel_per_turn, side_seeds, fleet_seed: 5, starter, score_wall_clock: false };
    play_game(&plan, [first, second], &mut |event| events.push(event)).expect("nothing of ours fails");
    let bot = |seat: usize| {
        let Entrant { label, name, sha256 } = conditions.contestants[seats[seat]].clone();
        Contestant { label, name, sha256, seed: side_seeds[seat] }
    };
    let header = Header {
        arena_transcript: FORMAT,
        arena: conditions.arena.clone(),
        wasmtime: conditions.wasmtime.clone(),
        engine: conditions.engine.clone(),
        contract: "arena:battleship@0.1.0".into(),
        rules: conditions.rules.clone(),
        limits: conditions.limits,
        seed: conditions.seed,
        game,
        bots: [bot(0), bot(1)],
        fleet_seed: 5,
        starter,
    };
    let result = GameResult::of(&events).expect("it has an end");
    (GameKey { seats, pair: (game - 1) / 2, game }, result, Transcript { header, events })
}

/// A transcript as a file has it.
pub fn bytes(transcript: &Transcript) -> Vec<u8> {
    let mut bytes = Vec::new();
    transcript.write(&mut bytes).expect("memory takes it");
    bytes
}
