//! The same games with the bots on threads of one process, by the engine: what the confined processes of `arena run` are compared with.
//! It runs as a process of this benchmark, since a start takes time, too.

use crate::{SEED, child};
use arena_benches::setting::house_bot;
use arena_engine::{
    Control, GameOptions, GameSummary, Local, Observer, PreparedRun, Results, Roster, RunOptions, SeedChoice,
    TournamentOptions,
};
use arena_players::Played;
use arena_sandbox::{CacheOptions, CompileOptions, Compiler, Sandbox};
use std::ffi::OsString;
use std::io::{BufWriter, Stdout, Write, stdout};
use std::ops::ControlFlow;

/// The first argument of the process.
const ASK: &str = "play-on-threads";

/// The arguments of a process that plays this number of games of a bot against itself.
pub fn args(bot: &str, games: u32, jobs: &str) -> [OsString; 4] {
    [ASK.into(), bot.into(), games.to_string().into(), jobs.into()]
}

/// Plays, if this process was started with [`args`]. Returns true if it was.
pub fn played(args: &[String]) -> bool {
    let [ask, bot, games, jobs, cache_option, cache] = args else { return false };
    if ask != ASK {
        return false;
    }
    assert_eq!(cache_option, "--cache", "the harness adds it");
    let options = RunOptions {
        seed: Some(SeedChoice::Given(SEED.parse().expect("it is a seed"))),
        tournament: TournamentOptions {
            games_per_match: Some(games.parse().expect("a number")),
            ..TournamentOptions::default()
        },
        game: GameOptions { jobs: Some(jobs.parse().expect("a number")), ..GameOptions::default() },
        ..RunOptions::default()
    };
    let prepared = PreparedRun::new(options).expect("they are right");
    let compiler = Compiler::Child { program: child::program(), args: Vec::new() };
    let compiling = CompileOptions { compiler, cache: Some(CacheOptions::at(cache)) };
    let sandbox = Sandbox::with_compiling(prepared.sandbox_limits(), compiling).expect("there is room");
    let path = house_bot(bot);
    let roster =
        Roster::admit(&sandbox, &[path.clone(), path], prepared.jobs(), || {}).expect("they are built");
    let planned = prepared.plan(&sandbox, roster).expect("they can play each other");
    let mut run = planned.open().expect("it writes nothing");
    let local = Local::start(&sandbox, &run, false).expect("there are no processes to start");
    let mut lines = Lines(BufWriter::new(stdout()));
    run.play(&local, &|_| None, &Control::default(), &mut lines).expect("it writes nothing");
    true
}

/// Prints a line for each game, as the program does.
struct Lines(BufWriter<Stdout>);

impl Observer for Lines {
    fn game(&mut self, game: &GameSummary, _: Option<&Played>, _: &Results) -> ControlFlow<()> {
        writeln!(self.0, "{:?}", game.result).expect("it is read");
        ControlFlow::Continue(())
    }
}
