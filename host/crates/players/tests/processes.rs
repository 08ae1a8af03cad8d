//! Games in processes: they are those that are played here, whatever becomes of a process. The program starts itself again for bots, so it
//! has its own `main`.

use arena_league::Fixture;
use arena_players::{
    Board, CalledBots, Connection, Contestant, LimitOptions, Order, Plan, Played, Processes, ProtocolError,
    Queue, Replayer, Runner, Session, SoloBots, serve,
};
use arena_record::{BotId, Seed};
use arena_referee::{Detail, FaultClass, Frame, HostError, Player, play_solo};
use arena_rules::battleship::{Battleship, View};
use arena_rules::{Game, GameRules};
use arena_sandbox::{Bot, CompileOptions, Compiler, Sandbox, SandboxLimits, Wire};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

fn main() {
    arena_sandbox::compiler_main_if_asked();
    arena_sandbox::player_main_if_asked(serve_or_lie);
    // On other systems, bots are not in processes.
    if !cfg!(target_os = "linux") {
        return;
    }
    let places = Places::new();
    for (name, test) in [
        ("a_game_in_a_process_is_the_one_that_is_played_here", the_same as fn(&Places)),
        ("a_recorded_game_is_played_again_in_processes", played_again),
        ("a_board_in_a_process_is_the_one_that_is_cleared_here", boards),
        ("the_processor_time_of_a_call_is_that_of_the_thread_that_plays", times),
        ("a_game_that_loses_its_process_is_played_again_and_fails_at_the_third", lost_processes),
        ("a_game_that_a_clock_decides_is_played_with_each_bot_in_a_process_of_its_own", by_clock),
        ("after_the_end_no_game_is_begun_and_those_given_ahead_are_left", over),
        ("a_process_that_plays_another_game_than_the_one_ordered_is_not_believed", liars),
    ] {
        test(&places);
        passed(name);
    }
}

#[expect(clippy::disallowed_macros, reason = "the names of tests, as a test harness prints them")]
fn passed(name: &str) {
    println!("test {name} ... ok");
}

/// The number of bots of a process that lies, as if a bot had taken it over.
const BOTS_OF_LIAR: usize = 3;

/// The work of a process.
fn serve_or_lie(bots: &[Bot], wire: &mut Wire) -> Result<(), String> {
    if bots.len() != BOTS_OF_LIAR {
        return serve(bots, wire);
    }
    wire.read_frame()?;
    while let Some(order) = wire.read_frame()? {
        let order = Order::from_bytes(&order).map_err(|error| error.to_string())?;
        // Both sides fault at their deployment, and the game is over.
        let (fault, over) = (2_u8, 4_u8);
        for _ in 0..2 {
            wire.send(&(fault, FaultClass::Trap, Detail::from("unreachable"), Vec::<Frame>::new()))?;
        }
        wire.send(&(over, [String::new(), String::new()]))?;
        // Of the pairs of games, the first has the order that was sent.
        let is_true = order.seats == [0, 1];
        wire.send(&if is_true { order } else { Order { fleet_seed: order.fleet_seed ^ 1, ..order } })?;
    }
    Ok(())
}

/// The same bots in a sandbox of this process and in one with processes.
struct Places {
    plan: Plan,
    here: (Sandbox, Vec<Contestant>),
    processes: (Sandbox, Vec<Contestant>),
}

impl Places {
    fn new() -> Self {
        let compiler = Compiler::this_program().expect("it has asked");
        let compiling = CompileOptions { compiler, cache: None };
        let here = Sandbox::new(SandboxLimits::default()).expect("there is room");
        let processes = Sandbox::with_processes(SandboxLimits::default(), compiling).expect("there is room");
        let rules = GameRules::named("guide").expect("they are built in");
        let plan = Plan::of(rules, here.engine_hash(), Seed::from(1).into(), &LimitOptions::default(), 1);
        let admitted = |sandbox: Sandbox| {
            let bots = ["log-half-lines", "shoots-at-random", "off-board-once", "loops-on-third-play"]
                .map(|name| contestant(&sandbox, name));
            (sandbox, bots.into())
        };
        Self { plan, here: admitted(here), processes: admitted(processes) }
    }

    fn runner<'a>(&'a self, contestants: &'a [Contestant]) -> Runner<'a> {
        Runner { plan: &self.plan, contestants, keeps_transcripts: true, keeps_journal: true }
    }

    /// A game as it is played here.
    fn played_here(&self, fixture: Fixture) -> Played {
        self.runner(&self.here.1).play(fixture, None).expect("the arena does not fail")
    }

    /// Plays the games of a queue between the first bots, up to this number of them, by one worker with a process.
    fn work(&self, bots: usize, games: &Games<'_>) {
        let (sandbox, contestants) = &self.processes;
        let bots = contestants[..bots].iter().map(|contestant| contestant.bot.clone()).collect();
        let processes = Processes::start(sandbox, bots, &Session::of(&self.plan, false), 1);
        let processes = processes.expect("there is room").expect("the sandbox has processes");
        assert!(processes.work_if_there_is_room(games));
    }

    /// The bots of one of these places, to be called.
    fn called(&self, (sandbox, contestants): &(Sandbox, Vec<Contestant>)) -> CalledBots {
        let bots = contestants.iter().map(|contestant| contestant.bot.clone()).collect();
        CalledBots::new(sandbox, bots, &self.plan.conditions, self.plan.times).expect("there is room")
    }
}

fn contestant(sandbox: &Sandbox, name: &str) -> Contestant {
    let bot = sandbox.admit(&arena_testkit::zoo(name)).expect("it is a bot");
    let id = BotId { label: name.into(), name: name.into(), sha256: bot.hash().into() };
    Contestant { id, file: arena_text::shown(&PathBuf::new()), path: PathBuf::new(), bot }
}

fn fixture(pair: usize, game: usize) -> Fixture {
    let seats = if game == 0 { [0, 1] } else { [1, 0] };
    let number = |number: usize| u32::try_from(number).expect("there are few");
    Fixture { seats, pair: number(pair), game: number(2 * pair + game + 1) }
}

/// The games of a pair, or the failure of the arena with one of them.
type PlayedPair = Result<Vec<Played>, HostError>;

/// A queue of pairs of games.
struct Games<'a> {
    runner: Runner<'a>,
    pairs: usize,
    /// The number of times that the process of a game ends, by its pair and its place in it.
    losses: RefCell<BTreeMap<(usize, usize), u32>>,
    /// The game that a clock decides.
    by_clock: Option<(usize, usize)>,
    /// The number of pairs after which no further game is wanted.
    enough: usize,
    taken: Cell<usize>,
    /// The games that were played with each bot in a separate process.
    called: RefCell<Vec<(usize, usize)>>,
    put: RefCell<Vec<(usize, PlayedPair)>>,
    left: RefCell<Vec<usize>>,
}

impl<'a> Games<'a> {
    fn new(places: &'a Places, pairs: usize) -> Self {
        Self {
            runner: places.runner(&places.processes.1),
            pairs,
            losses: RefCell::default(),
            by_clock: None,
            enough: pairs,
            taken: Cell::default(),
            called: RefCell::default(),
            put: RefCell::default(),
            left: RefCell::default(),
        }
    }

    /// Checks that all pairs were put in their order, and that all but these are the ones that are played here.
    #[track_caller]
    fn check_all_but(self, places: &Places, failed: &[usize]) -> Vec<String> {
        let put = self.put.into_inner();
        assert!(put.iter().map(|(pair, _)| *pair).eq(0..self.pairs));
        let mut errors = Vec::new();
        for (pair, played) in put {
            match played {
                Ok(played) if !failed.contains(&pair) => {
                    assert_eq!(played, [0, 1].map(|game| places.played_here(fixture(pair, game))), "{pair}");
                }
                Err(error) if failed.contains(&pair) => errors.push(error.to_string()),
                other => panic!("{pair}: {other:?}"),
            }
        }
        errors
    }
}

impl Queue for Games<'_> {
    type Item = usize;
    type Game = ((usize, usize), Played);

    fn take(&self, _: bool) -> Option<(usize, Vec<Order>)> {
        let pair = self.taken.get();
        (pair < self.pairs && !self.is_over()).then(|| {
            self.taken.set(pair + 1);
            (pair, [0, 1].map(|game| self.runner.order(fixture(pair, game)).1).into())
        })
    }

    fn referee(
        &self,
        pair: &usize,
        game: usize,
        connection: &RefCell<Connection>,
    ) -> Result<Self::Game, HostError> {
        if let Some(losses) = self.losses.borrow_mut().get_mut(&(*pair, game)).filter(|losses| **losses > 0) {
            *losses -= 1;
            return Err(connection.borrow_mut().broken(ProtocolError::OtherAnswers));
        }
        let played = self.runner.referee(self.runner.order(fixture(*pair, game)), connection, None)?;
        Ok(((*pair, game), played))
    }

    fn is_by_clock(&self, (game, _): &Self::Game) -> bool {
        self.by_clock == Some(*game)
    }

    fn play_by_calls(&self, pair: &usize, game: usize, seats: &CalledBots) -> Result<Self::Game, HostError> {
        self.called.borrow_mut().push((*pair, game));
        Ok(((*pair, game), self.runner.play_by_calls(fixture(*pair, game), seats, None)?))
    }

    fn put(&self, pair: usize, played: Result<Vec<Self::Game>, HostError>) {
        let played = played.map(|games| games.into_iter().map(|(_, played)| played).collect());
        self.put.borrow_mut().push((pair, played));
    }

    fn is_over(&self) -> bool {
        self.put.borrow().len() >= self.enough
    }

    fn leave(&self, pair: usize) {
        self.left.borrow_mut().push(pair);
    }
}

fn the_same(places: &Places) {
    let games = Games::new(places, 10);
    places.work(2, &games);
    games.check_all_but(places, &[]);
    // The third bot answers an invalid action first. The last one is started anew after each third turn.
    let called = places.called(&places.processes);
    let runner = places.runner(&places.processes.1);
    for seats in [[0, 1], [2, 0], [1, 2], [3, 1]] {
        let fixture = Fixture { seats, pair: 3, game: 7 };
        let played = runner.play_by_calls(fixture, &called, None).expect("the arena does not fail");
        assert_eq!(played, places.played_here(fixture), "{seats:?}");
    }
}

fn played_again(places: &Places) {
    let (sandbox, contestants) = &places.processes;
    let bots: Vec<Bot> = contestants.iter().map(|contestant| contestant.bot.clone()).collect();
    let replayer = Replayer::new(sandbox.clone(), bots[..2].to_vec());
    let played = places.played_here(fixture(0, 1));
    let recorded = played.recording::<Battleship>().expect("it can be read").expect("it was kept");
    let again = |bots| replayer.play::<Battleship>(recorded.header.clone(), bots, places.plan.times);
    assert_eq!(again([&bots[1], &bots[0]]).expect("the arena does not fail"), recorded);
    assert_ne!(again([&bots[0], &bots[1]]).expect("the arena does not fail").events, recorded.events);
    let other = again([&bots[1], &bots[2]]).expect_err("it was not admitted for it");
    assert!(matches!(other, HostError::Defect(_)), "{other}");
}

fn boards(places: &Places) {
    let GameRules::Battleship(rules) = &places.plan.conditions.rules else { unreachable!() };
    let fuel = places.plan.conditions.limits.fuel_per_turn;
    let cleared = |(sandbox, contestants): &(Sandbox, Vec<Contestant>), bot: usize, board: Board| {
        let bot = &contestants[bot].bot;
        let solo = SoloBots::new(sandbox, bot, &places.plan.conditions, places.plan.times, 1);
        let info = Battleship::info(rules, fuel, board.seed);
        let game = Battleship::draw_solo(rules, board.fleets).expect("there are fleets");
        let done =
            solo.expect("there is room").ask(board, |player| play_solo(&info, game.clone(), fuel, player));
        format!("{:?}", done.expect("the arena does not fail"))
    };
    for (bot, seed) in [(0, 1), (1, 1), (1, 2), (2, 3)] {
        let board = Board { seed, fleets: 10 * seed };
        assert_eq!(
            cleared(&places.processes, bot, board),
            cleared(&places.here, bot, board),
            "{bot}, {seed}"
        );
    }
}

fn times(places: &Places) {
    let GameRules::Battleship(rules) = &places.plan.conditions.rules else { unreachable!() };
    let fuel = places.plan.conditions.limits.fuel_per_turn;
    let (info, view) = (Battleship::info(rules, fuel, 1), View::first(rules.size(), None));
    for place in [&places.here, &places.processes] {
        let called = places.called(place);
        // This thread has a small stack, so a bot that is here plays on another one.
        let mut player = called.seat::<Battleship>(3, 1).expect("there is room");
        player.deploy(&info, fuel).expect("it deploys");
        let answers = [1, 2, 3].map(|_| player.play(&info, &view, fuel).is_ok());
        assert_eq!(answers, [true, true, false], "it loops on its third");
        // A loop through 300 million fuel takes tens of milliseconds at least, and starting a thread some 0.1.
        assert!(player.took() > Duration::from_millis(5), "{:?}", player.took());
    }
}

fn lost_processes(places: &Places) {
    let games = Games {
        losses: RefCell::new([((1, 1), 1), ((4, 0), 2), ((4, 1), 2)].into()),
        ..Games::new(places, 8)
    };
    // The tries are those of a pair: its games are in one process.
    places.work(2, &games);
    let errors = games.check_all_but(places, &[4]);
    assert!(errors[0].contains("3 times"), "{errors:?}");
    let games = Games { losses: RefCell::new([((0, 0), 2), ((6, 1), 2)].into()), ..Games::new(places, 8) };
    places.work(2, &games);
    games.check_all_but(places, &[]);
}

fn by_clock(places: &Places) {
    let games = Games { by_clock: Some((2, 1)), ..Games::new(places, 4) };
    places.work(2, &games);
    assert_eq!(games.called.take(), [(2, 1)]);
    games.check_all_but(places, &[]);
}

fn over(places: &Places) {
    let games = Games { enough: 30, ..Games::new(places, 1_000) };
    places.work(2, &games);
    assert_eq!(games.put.borrow().len(), 30);
    let left = games.left.into_inner();
    assert!(left.iter().copied().eq(30..games.taken.get()), "{left:?}");
}

fn liars(places: &Places) {
    // In each pair, the second game is that of another order.
    let games = Games::new(places, 1);
    places.work(BOTS_OF_LIAR, &games);
    let (_, played) = games.put.borrow_mut().pop().expect("there is one");
    let error = played.expect_err("the second game is not believed").to_string();
    assert!(
        error.contains("another game than the one that was ordered") && error.contains("3 times"),
        "{error}"
    );
}
