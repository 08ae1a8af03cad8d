//! The helpers of the tests of the sandbox.

use arena_referee::{FaultClass, NoReply, Player, Reply};
use arena_rules::battleship::{Action, Battleship, GameInfo, Mark, Ruleset, View};
use arena_rules::{Coord, Game, Placement};
use arena_sandbox::{
    AdmitError, Bot, CompileLimits, CompileOptions, Compiler, Refusal, Sandbox, SandboxLimits,
    SandboxedPlayer, TimeLimits,
};
use std::sync::OnceLock;
use std::time::Duration;

/// A budget that no honest specimen uses up, and that a looping one does in a twentieth of a second. Chosen.
pub const FUEL: u64 = 100_000_000;

/// One sandbox for all tests of a file, since each reserves its own address space.
pub fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| {
        let limits = SandboxLimits { workers: 16, admission_fuel: FUEL, ..SandboxLimits::default() };
        Sandbox::new(limits).expect("a sandbox can be made")
    })
}

pub fn specimen(name: &str) -> Bot {
    admit(&arena_testkit::zoo(name)).unwrap_or_else(|refusal| panic!("{name} is refused: {refusal}"))
}

pub fn refused(name: &str) -> Refusal {
    admit(&arena_testkit::zoo(name)).err().unwrap_or_else(|| panic!("{name} is admitted"))
}

pub fn admit(bytes: &[u8]) -> Result<Bot, Refusal> {
    sandbox().admit(bytes).map_err(|error| match error {
        AdmitError::Refused(refusal) => refusal,
        other => panic!("the host failed: {other}"),
    })
}

pub fn game() -> GameInfo {
    Battleship::info(&Ruleset::guide(), FUEL, 7)
}

/// The view in this turn of a sweeper whose shots were all misses.
pub fn view(turn: u32) -> View {
    let mut view = View::first(game().size, None);
    view.attacks[..turn as usize - 1].fill(Mark::Miss);
    View { turn, my_last: Some(Coord::new(9, 9)), ..view }
}

/// A player with a watchdog that no test waits for.
pub fn player(bot: &Bot, side_seed: u64) -> SandboxedPlayer<Battleship> {
    let times = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(300) };
    bot.player(side_seed, times).expect("it plays Battleship")
}

pub fn deploy(player: &mut SandboxedPlayer<Battleship>, fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
    player.begin_turn();
    player.deploy(&game(), fuel)
}

pub fn play(
    player: &mut SandboxedPlayer<Battleship>,
    turn: u32,
    fuel: u64,
) -> Result<Reply<Option<Coord>>, NoReply> {
    player.begin_turn();
    let Reply { answer, fuel_used } = player.play(&game(), &view(turn), fuel)?;
    Ok(Reply { answer: spot(answer), fuel_used })
}

/// The cell that an action shoots at; `None` when it skips.
pub fn spot(action: Action) -> Option<Coord> {
    if let Action::Shot(at) = action { Some(at) } else { None }
}

/// The spots and fuel of a game's first turns, for a comparison of two runs.
pub fn spots(bot: &Bot, side_seed: u64, turns: u32) -> Vec<(Option<Coord>, u64)> {
    let mut player = player(bot, side_seed);
    (1..=turns)
        .map(|turn| play(&mut player, turn, FUEL).expect("it answers"))
        .map(|reply| (reply.answer, reply.fuel_used))
        .collect()
}

/// The class and line of a fault; a host error fails the test.
pub fn fault<T: std::fmt::Debug>(reply: Result<Reply<T>, NoReply>) -> (FaultClass, String) {
    match reply {
        Err(NoReply::Fault(fault)) => (fault.class, fault.detail.as_str().to_owned()),
        Err(no_reply) => panic!("the host failed: {no_reply:?}"),
        Ok(reply) => panic!("it answered: {reply:?}"),
    }
}

/// A sandbox with these options for compiling.
pub fn sandbox_with(compile: CompileLimits, options: CompileOptions) -> Sandbox {
    let limits = SandboxLimits { workers: 2, admission_fuel: FUEL, compile, ..SandboxLimits::default() };
    Sandbox::with_compiling(limits, options).expect("a sandbox can be made")
}

/// The compiler of this crate, as a program of its own.
pub fn child() -> Compiler {
    Compiler::Child { program: env!("CARGO_BIN_EXE_arena-compiler").into(), args: Vec::new() }
}

/// A compiler that is a shell script. The script has the compiler's program in `$0`, and the sandbox's arguments as its
/// own.
pub fn script(text: &str) -> Compiler {
    let args = ["-c", text, env!("CARGO_BIN_EXE_arena-compiler")].map(Into::into).to_vec();
    Compiler::Child { program: "/bin/sh".into(), args }
}

/// The refusal of a file.
pub fn refusal(admitted: Result<Bot, AdmitError>) -> Refusal {
    match admitted {
        Err(AdmitError::Refused(refusal)) => refusal,
        other => panic!("it is not refused: {other:?}"),
    }
}

/// The failure of the host.
pub fn failure(admitted: Result<Bot, AdmitError>) -> String {
    match admitted {
        Err(AdmitError::Host(error)) => error.to_string(),
        other => panic!("the host did not fail: {other:?}"),
    }
}
