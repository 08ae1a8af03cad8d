//! Processes that lie, send nonsense or crash are caught: no lie becomes a result, and the games that they do not spoil equal those of
//! honest processes.
//!
//! The liars are this program, started like a sandbox's processes under names that describe what each does. So it has its own `main`.

use arena_engine::{Error, Roster};
use arena_experiments::trial::{self, TrialGame};
use arena_league::{Fixture, match_games};
use arena_players::{
    CalledBots, Connection, Contestant, LimitOptions, Order, Plan, Played, Processes, ProtocolError, Queue,
    Runner, Session, WATCHDOG_TRIES_MAX,
};
use arena_record::Seed;
use arena_referee::{FaultClass, HostError};
use arena_rules::GameRules;
use arena_sandbox::{Bot, CompileOptions, Compiler, MessageError, Sandbox, SandboxLimits, Wire};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, abort};
use std::{env, fs, hint};

const GAMES: u32 = 12;

/// A violation of the protocol.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Violation {
    Message(MessageError),
    Answer(ProtocolError),
}

/// Each liar, and the protocol violation with which its games fail; `None` when the process ends.
const LIARS: [(&str, Lie, Option<Violation>); 6] = [
    ("ends", |_, _| abort(), None),
    ("leaves", |_, _| Ok(()), None),
    ("breaks-out", |_, _| fs::read("/etc/passwd").map(drop).map_err(|error| error.to_string()), None),
    (
        "sends-nonsense",
        |bots, wire| send(&[0xff; 64], bots, wire),
        Some(Violation::Message(MessageError::Invalid)),
    ),
    // The fifth kind of message: the game is over, with two empty logs.
    (
        "ends-a-game-early",
        |bots, wire| send(&[4, 0, 0], bots, wire),
        Some(Violation::Answer(ProtocolError::OtherAnswer)),
    ),
    // The fourth kind: it failed, and the reason is a text of 2^28 bytes.
    (
        "sends-too-much",
        |bots, wire| send(&[&[3, 0x80, 0x80, 0x80, 0x80, 1], &[b'x'; 3 << 20][..]].concat(), bots, wire),
        Some(Violation::Message(MessageError::Invalid)),
    ),
];

/// A liar that is driven call by call instead of playing whole games. It answers the first call with a legal fleet under the `guide` rules
/// and a different amount of fuel in each process, and aborts at the second call.
const CHANGES_ITS_MIND: (&str, Lie, Option<Violation>) =
    ("changes-its-mind", change_its_mind, Some(Violation::Answer(ProtocolError::OtherAnswers)));

/// The name of a process taken over by a bot. Where both bots play, it claims that the watchdog stopped the side asked first, in all
/// attempts. Where its bot is alone, it can only answer for itself.
const CLAIMS_THE_CLOCK: &str = "claims-the-clock";

fn claim_the_clock(bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    if bots.len() == 1 {
        return arena_players::serve(bots, wire);
    }
    // The third kind of message: a fault of this class, a text of two bytes, and no stack. The first kind: a fleet and no fuel.
    let class = u8::try_from(FaultClass::WallClock as usize).expect("there are few");
    let fault = [2, class, 2, b'3', b's', 0].repeat(WATCHDOG_TRIES_MAX as usize);
    let fleet =
        [&[0, 5][..], &[[0, 0, 1], [2, 0, 1], [4, 0, 1], [6, 0, 1], [8, 0, 1]].concat(), &[0]].concat();
    // The first frame is the session, and after the end of a game comes its order.
    read(wire)?;
    while let Some(order) = wire.read_frame()? {
        write(&[&fault[..], &fleet, &[4, 0, 0], &order].concat(), wire)?;
    }
    Ok(())
}

/// The name of a process that plays the games of other orders: both bots fail to place a fleet, and the order after that is the first one.
const PLAYS_OTHERS: &str = "plays-others";

fn play_others(_: &[Bot], wire: &mut Wire) -> Result<(), String> {
    let class = u8::try_from(FaultClass::Trap as usize).expect("there are few");
    let faults = [2, class, 2, b'n', b'o', 0].repeat(2);
    read(wire)?;
    let first = wire.read_frame()?.unwrap_or_default();
    write(&[&faults[..], &[4, 0, 0], &first].concat(), wire)?;
    while wire.read_frame()?.is_some() {
        write(&[&faults[..], &[4, 0, 0], &first].concat(), wire)?;
    }
    Ok(())
}

fn a_game_counts_only_for_the_order_that_its_process_has_played() {
    let games = Setting::new(PLAYS_OTHERS, true).play_by(GAMES as usize);
    let [Err(failure)] = &games[..] else { panic!("{games:?}") };
    expect_violation(PLAYS_OTHERS, failure.clone(), Some(Violation::Answer(ProtocolError::OtherGame)));
    // The first game of each process is the one that was ordered.
    let alone = Setting::new(PLAYS_OTHERS, true).play_by(1);
    assert!(alone[0].is_ok() && alone.len() == GAMES as usize, "{alone:?}");
}

fn a_process_cannot_say_that_the_clock_has_stopped_a_bot() {
    let here = Setting::new("arena", false).play();
    let claimed = Setting::new(CLAIMS_THE_CLOCK, true).play();
    assert_eq!(claimed.len(), GAMES as usize);
    assert!(here == claimed);
}

/// All liars.
fn liars() -> impl Iterator<Item = (&'static str, Lie, Option<Violation>)> {
    LIARS.into_iter().chain([CHANGES_ITS_MIND])
}

type Lie = fn(&[Bot], &mut Wire) -> Result<(), String>;

fn main() -> ExitCode {
    arena_sandbox::compiler_main_if_asked();
    let name = env::args().next().unwrap_or_default();
    let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    match liars().find(|(liar, ..)| *liar == name) {
        Some((_, lie, _)) => arena_sandbox::player_main_if_asked(lie),
        None if name == CLAIMS_THE_CLOCK => arena_sandbox::player_main_if_asked(claim_the_clock),
        None if name == PLAYS_OTHERS => arena_sandbox::player_main_if_asked(play_others),
        None if name == COUNTS => arena_sandbox::player_main_if_asked(count),
        None => arena_sandbox::player_main_if_asked(arena_players::serve),
    }
    test(
        "honest_processes_play_the_same_games_as_the_program",
        honest_processes_play_the_same_games_as_the_program,
    );
    test("a_process_that_lies_has_no_games", a_process_that_lies_has_no_games);
    test(
        "a_process_cannot_say_that_the_clock_has_stopped_a_bot",
        a_process_cannot_say_that_the_clock_has_stopped_a_bot,
    );
    test(
        "a_game_counts_only_for_the_order_that_its_process_has_played",
        a_game_counts_only_for_the_order_that_its_process_has_played,
    );
    test("a_failed_game_is_not_mistaken_for_the_next_one", a_failed_game_is_not_mistaken_for_the_next_one);
    test(
        "honest_processes_play_the_same_trial_games_as_the_program",
        honest_processes_play_the_same_trial_games_as_the_program,
    );
    test("a_process_that_lies_has_no_trial_games", a_process_that_lies_has_no_trial_games);
    test(
        "a_process_that_replaces_another_must_give_the_same_answers",
        a_process_that_replaces_another_must_give_the_same_answers,
    );
    ExitCode::SUCCESS
}

#[expect(clippy::disallowed_macros, reason = "the names of tests, as a test harness prints them")]
fn test(name: &str, test: fn()) {
    test();
    println!("test {name} ... ok");
}

/// Answers each order with these bytes instead of a game.
fn send(bytes: &[u8], _: &[Bot], wire: &mut Wire) -> Result<(), String> {
    while read(wire)? {
        write(bytes, wire)?;
    }
    Ok(())
}

/// The name of a process that fails every game, with the number of the game as the reason.
const COUNTS: &str = "counts";

fn count(_: &[Bot], wire: &mut Wire) -> Result<(), String> {
    for game in b'1'.. {
        // The first frame is the session.
        for _ in 0..if game == b'1' { 2 } else { 1 } {
            if !read(wire)? {
                return Ok(());
            }
        }
        // The fourth kind of message: the game failed, and the reason is a text of six bytes.
        write(&[3, 6, b'g', b'a', b'm', b'e', b' ', game], wire)?;
    }
    Ok(())
}

fn a_failed_game_is_not_mistaken_for_the_next_one() {
    for games in [1, 2] {
        let items = Setting::new(COUNTS, true).play_by(games);
        assert_eq!(items.len(), GAMES as usize / games);
        for item in items {
            // Each game is the first one of another process.
            assert_eq!(item.expect_err("it fails"), HostError::Process("game 1".into()));
        }
    }
}

/// Reads a frame and ignores its content; false at the end.
fn read(wire: &mut Wire) -> Result<bool, String> {
    Ok(wire.read_frame()?.is_some())
}

fn write(bytes: &[u8], wire: &mut Wire) -> Result<(), String> {
    wire.buffer().extend_from_slice(hint::black_box(bytes));
    wire.written().map_err(|error| error.to_string())
}

fn change_its_mind(_: &[Bot], wire: &mut Wire) -> Result<(), String> {
    // The session, the seat, and the call for a deployment.
    for _ in 0..3 {
        read(wire)?;
    }
    let fleet = [[0, 0, 1], [2, 0, 1], [4, 0, 1], [6, 0, 1], [8, 0, 1]].concat();
    let fuel = u8::try_from(std::process::id() % 100).expect("it is below 100");
    // The first kind of message, and the figures: no log, no memory and no time.
    write(&[&[0, 5], &fleet[..], &[fuel, 0, 0, 0, 0]].concat(), wire)?;
    read(wire)?;
    abort()
}

fn honest_processes_play_the_same_games_as_the_program() {
    let here = Setting::new("arena", false).play();
    let elsewhere = Setting::new("arena", true).play();
    assert_eq!(here.len(), GAMES as usize);
    assert!(here.iter().all(Result::is_ok));
    assert!(here == elsewhere);
}

fn a_process_that_lies_has_no_games() {
    for (name, _, violation) in LIARS {
        let games = Setting::new(name, true).play();
        assert_eq!(games.len(), GAMES as usize, "{name}");
        for game in games {
            expect_violation(name, game.expect_err("a lie is no result"), violation);
        }
    }
}

fn honest_processes_play_the_same_trial_games_as_the_program() {
    let [here, elsewhere] = [false, true].map(|has_processes| {
        let games = Setting::new("arena", has_processes).try_out().expect("they are played");
        let compared =
            |game: TrialGame| (game.played, game.fuel_of_turns, game.memory_bytes_peak, game.differs);
        games.into_iter().map(compared).collect::<Vec<_>>()
    });
    assert!(here.len() == 6 && here.iter().all(|(.., differs)| differs.is_none()));
    assert!(here == elsewhere);
}

fn a_process_that_lies_has_no_trial_games() {
    for (name, _, violation) in LIARS {
        expect_violation(name, failed_trial(name), violation);
    }
}

fn a_process_that_replaces_another_must_give_the_same_answers() {
    let (name, _, violation) = CHANGES_ITS_MIND;
    expect_violation(name, failed_trial(name), violation);
}

/// The failure of the trial games in the processes of a liar.
fn failed_trial(liar: &str) -> HostError {
    match Setting::new(liar, true).try_out().expect_err("a lie is no result") {
        Error::Host(failure) => failure,
        other => panic!("{liar}: {other}"),
    }
}

fn expect_violation(liar: &str, failure: HostError, expected: Option<Violation>) {
    let HostError::Process(trouble) = &failure else { panic!("{liar}: {failure:?}") };
    let violation = trouble.cause().and_then(|cause| {
        let answer = cause.downcast_ref().map(|error| Violation::Answer(*error));
        answer.or_else(|| cause.downcast_ref().map(|error| Violation::Message(*error)))
    });
    assert_eq!(violation, expected, "{liar}: {failure:?}");
}

/// Two bots and their sandbox.
struct Setting {
    // Keeps the folder alive, since it has the program of the processes.
    _folder: tempfile::TempDir,
    sandbox: Sandbox,
    contestants: Vec<Contestant>,
    plan: Plan,
}

impl Setting {
    /// Creates a sandbox whose processes are this program under a name.
    fn new(name: &str, has_processes: bool) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = folder.path().join(name);
        fs::copy(env::current_exe().expect("it runs"), &program).expect("it can be copied");
        let bots = ["sweeper", "shoots-at-random"].map(|bot| {
            let path = folder.path().join(bot).with_extension("wasm");
            fs::write(&path, arena_testkit::zoo(bot)).expect("it can be written");
            path
        });
        let limits = SandboxLimits { workers: 2, ..SandboxLimits::default() };
        let compiling =
            CompileOptions { compiler: Compiler::Child { program, args: Vec::new() }, cache: None };
        let sandbox = match has_processes {
            true => Sandbox::with_processes(limits, compiling),
            false => Sandbox::with_compiling(limits, compiling),
        };
        let sandbox = sandbox.expect("there is room");
        let contestants = admit(&sandbox, &bots);
        let rules = GameRules::named("guide").expect("they are built in");
        let limits = LimitOptions::default();
        let plan = Plan::of(rules, sandbox.engine_hash(), Seed::from(1).into(), &limits, 2);
        Self { _folder: folder, sandbox, contestants, plan }
    }

    /// The trial games of the second bot.
    fn try_out(&self) -> Result<Vec<TrialGame>, Error> {
        trial::play(&self.contestants[1], &self.sandbox, &trial::TrialOptions::default(), || true)
    }

    /// The games, or the failure of each.
    fn play(&self) -> Vec<Result<Vec<Played>, HostError>> {
        self.play_by(1)
    }

    /// The games in items of several, or the failure of each item.
    fn play_by(&self, games: usize) -> Vec<Result<Vec<Played>, HostError>> {
        let runner = Runner {
            plan: &self.plan,
            contestants: &self.contestants,
            keeps_transcripts: true,
            keeps_journal: false,
        };
        let fixtures: Vec<Fixture> = match_games(0, 1, GAMES).collect();
        let games = Games {
            runner,
            left: RefCell::new(fixtures.chunks(games).map(<[_]>::to_vec).collect()),
            played: RefCell::default(),
            next: Cell::new(0),
        };
        let session = Session::of(&self.plan, false);
        match Processes::start(&self.sandbox, runner.bots(), &session, 1).expect("they start") {
            Some(processes) => processes.work(&games),
            None => {
                for fixture in fixtures {
                    let played = runner.play(fixture, None).map(|played| vec![played]);
                    games.played.borrow_mut().push(played);
                }
            }
        }
        games.played.into_inner()
    }
}

fn admit(sandbox: &Sandbox, bots: &[PathBuf]) -> Vec<Contestant> {
    let roster = Roster::admit(sandbox, bots, 2, || {}).expect("they can be read");
    assert!(roster.refused.is_empty() && roster.failed.is_empty(), "{roster:?}");
    roster.contestants
}

/// The games of a match. They come back in their order.
struct Games<'a> {
    runner: Runner<'a>,
    left: RefCell<VecDeque<Vec<Fixture>>>,
    played: RefCell<Vec<Result<Vec<Played>, HostError>>>,
    next: Cell<usize>,
}

impl Queue for Games<'_> {
    type Item = (usize, Vec<Fixture>);
    type Game = Played;

    fn take(&self, _: bool) -> Option<(Self::Item, Vec<Order>)> {
        let fixtures = self.left.borrow_mut().pop_front()?;
        let item = self.next.replace(self.next.get() + 1);
        let orders = fixtures.iter().map(|&game| self.runner.order(game).1).collect();
        Some(((item, fixtures), orders))
    }

    fn referee(
        &self,
        (_, games): &Self::Item,
        game: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Played, HostError> {
        self.runner.referee(self.runner.order(games[game]), connection, None)
    }

    fn is_by_clock(&self, game: &Played) -> bool {
        !game.result.reproducible
    }

    fn play_by_calls(
        &self,
        (_, games): &Self::Item,
        game: usize,
        seats: &CalledBots,
    ) -> Result<Played, HostError> {
        self.runner.play_by_calls(games[game], seats, None)
    }

    fn put(&self, (item, _): Self::Item, played: Result<Vec<Played>, HostError>) {
        let mut all = self.played.borrow_mut();
        assert_eq!(all.len(), item, "games come back in their order");
        all.push(played);
    }
}
