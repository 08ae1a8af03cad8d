//! Real games to store: played by the referee between players that shoot by their seed.
#![allow(dead_code, reason = "each test file uses its part")]

use arena_record::{BotId, Conditions, FORMAT, GameResult, Header, Limits, PackedEvents, Seated, Transcript};
use arena_referee::{Fault, FaultClass, GamePlan, NoReply, Player, Reply, play_game};
use arena_rules::battleship::{Action, Battleship, GameInfo, Mark, Ruleset, View, scatter};
use arena_rules::{GameRules, Placement, Seat, random};
use arena_store::{GameKey, JournalError, NewGame, Stage, Tournament, Unkept, Writer};
use rand::RngExt;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A player that shoots at random at unknown cells, and faults now and then.
struct Shooter(random::SeededRng);

impl Player<Battleship> for Shooter {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let fleet = scatter(&game.fleet_spec(), &mut self.0).expect("it fits");
        Ok(Reply { answer: fleet.placements().to_vec(), fuel_used: self.0.random_range(0..5_000) })
    }

    fn play(&mut self, game: &GameInfo, view: &View, _fuel: u64) -> Result<Reply<Action>, NoReply> {
        if self.0.random_range(0..60) == 0 {
            return Err(Fault::new(FaultClass::OutOfFuel, "it \"dawdled\"\nfor long").into());
        }
        let open: Vec<usize> =
            (0..view.attacks.len()).filter(|&cell| view.attacks[cell] == Mark::Unknown).collect();
        let cell = open[self.0.random_range(0..open.len())];
        Ok(Reply { answer: Action::Shot(game.size.coord(cell)), fuel_used: self.0.random_range(0..5_000) })
    }
}

/// A tournament of this number of bots.
pub fn tournament(bots: usize) -> Tournament {
    let bot = |index: usize| BotId {
        label: format!("bot-{index}").into(),
        name: format!("Bot Nº {index}").into(),
        sha256: format!("{index:08x}").repeat(8).into(),
    };
    let conditions = Conditions {
        arena: "0.1.0".into(),
        wasmtime: "48.0.8".into(),
        engine: "00ff".into(),
        rules: GameRules::Battleship(Ruleset::guide()),
        limits: Limits { fuel_per_turn: u64::MAX, memory_bytes: 64 << 20 },
        seed: (u64::MAX - 1).into(),
    };
    Tournament { conditions, bots: (0..bots).map(bot).collect() }
}

/// A game as a journal takes it.
pub struct Played {
    pub key: GameKey,
    pub result: GameResult,
    pub header: Header,
    /// The file of the transcript.
    pub transcript: Vec<u8>,
    /// The packed events.
    pub events: PackedEvents,
}

impl Played {
    /// The game as a writer takes it.
    pub fn new_game(&self) -> NewGame<'_> {
        NewGame { key: self.key, result: &self.result, header: &self.header, events: &self.events }
    }

    /// Adds the game to a journal. Returns its number there.
    pub fn add_to(&self, writer: &mut Writer) -> Result<u64, JournalError> {
        add(writer, &[self])?;
        let games = writer.reader().games()?;
        Ok(games.iter().find(|game| game.key == self.key).expect("it has been added").number)
    }
}

/// Adds games to a journal, all in one transaction.
pub fn add(writer: &mut Writer, games: &[&Played]) -> Result<(), JournalError> {
    try_adding(writer, games).map_err(|unkept| unkept.error)
}

/// The same as [`add`], with the number of games that could be added if not all could.
pub fn try_adding(writer: &mut Writer, games: &[&Played]) -> Result<(), Unkept> {
    writer.append(&games.iter().map(|game| game.new_game()).collect::<Vec<_>>())
}

/// A game between two bots of a tournament, by its number in their match.
pub fn game(tournament: &Tournament, seats: [usize; 2], game: u32) -> Played {
    let Tournament { conditions, bots } = tournament;
    let GameRules::Battleship(rules) = &conditions.rules else { unreachable!() };
    let seed = u64::from(game) * 100 + seats[0] as u64 * 10 + seats[1] as u64;
    let side_seeds = [seed, seed + 1_000_000];
    let starter = Seat::First;
    let mut players = side_seeds.map(|seed| Shooter(random::seeded(seed)));
    let [first, second] = &mut players;
    let mut events = Vec::new();
    let fuel_per_turn = conditions.limits.fuel_per_turn;
    let plan = GamePlan { rules, fuel_per_turn, side_seeds, fleet_seed: 5, starter, score_wall_clock: false };
    play_game::<Battleship>(&plan, [first, second], &mut |event| events.push(event))
        .expect("the arena does not fail");
    let packed = PackedEvents::of(&events).expect("it is a game between bots");
    let seated = |seat: usize| Seated { bot: bots[seats[seat]].clone(), seed: side_seeds[seat] };
    let header = Header {
        arena_transcript: FORMAT,
        conditions: conditions.clone(),
        contract: "arena:battleship@0.1.0".into(),
        game,
        bots: [seated(0), seated(1)],
        fleet_seed: 5,
        starter,
    };
    let result = GameResult::of(&events).expect("it has an end");
    let transcript = Transcript { header: header.clone(), events }.to_bytes();
    Played { key: GameKey { seats, pair: (game - 1) / 2, game }, result, header, transcript, events: packed }
}

/// A temporary folder, and the path of a journal in it.
pub fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("arena.db");
    (folder, path)
}

/// Opens or makes a journal, in a stage in which all bots of the tournament play.
pub fn open(path: &Path, tournament: &Tournament) -> Result<Writer, JournalError> {
    Writer::open(path, tournament, &Stage::of_all("{}", &tournament.bots))
}

/// A journal with some games of a tournament of three bots.
pub fn with_games(path: &Path, games: u32) -> Tournament {
    let tournament = tournament(3);
    let mut writer = open(path, &tournament).unwrap();
    for number in 1..=games {
        add(&mut writer, &[&game(&tournament, [0, 1], number)]).unwrap();
    }
    tournament
}

/// All rows of a journal as text, except for the time and the chain, which has it.
pub fn rows(path: &Path) -> String {
    let connection = Connection::open(path).unwrap();
    let mut rows = Vec::new();
    for table in ["conditions", "bot", "stage", "entrant", "draw", "game"] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            (0..columns)
                .map(|column| row.get::<_, rusqlite::types::Value>(column))
                .collect::<Result<Vec<_>, _>>()
        };
        rows.extend(statement.query_map([], row).unwrap().map(Result::unwrap));
    }
    format!("{rows:?}")
}
