//! Connect Four as code that is loaded at run time: the same game as natively, other turns, and the failures of such code.

mod failures;

use arena_connect_four::{Column, ConnectFour, Invalid, LINE, Row};
use arena_record::{PackedEvents, Replay, UnpackError};
use arena_referee::{
    End, Event, GamePlan, HostError, NoReply, Player, RandomPlayer, Reply, Stopped, play_game,
};
use arena_rules::loaded::{
    About, AnyState, Applied, BoardResult, Code, Ending, Loaded, Observation, Observed, Parameter, Rules,
    SIDE_TEXT_BYTES_MAX, State,
};
use arena_rules::random::seeded;
use arena_rules::{Failure, Game, Outcome, Reason, Rules as _, Ruling, Seat};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the code does otherwise than the native game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    /// No mistake: each side has two turns at a time, but the first time three, and an overrun costs one of them.
    Doubled,
    /// No mistake: the seat that does not begin moves first.
    OtherStarter,
    /// A call fails: its name, and the number of turns after which it does.
    Fails(&'static str, u32),
    /// The machine fails in a call to apply an action, after this number of turns.
    Lost(u32),
    /// It ends for another reason than it lists.
    OtherReason,
    /// It is over when it begins.
    OverAtStart,
    /// Its effects have a megabyte.
    Loud,
}

/// The code: the native game behind text.
#[derive(Clone, Copy, Debug)]
struct Native(Mistake);

/// The side that moves after so many discs if each side has two turns at a time, but the first time three.
fn doubled(discs: u32) -> Seat {
    if discs == 0 || ((discs - 1) / 2).is_multiple_of(2) { Seat::First } else { Seat::Second }
}

#[derive(Clone)]
struct NativeState {
    mistake: Mistake,
    game: ConnectFour,
}

impl NativeState {
    fn call(&self, name: &str) -> Result<(), Failure> {
        let turns = self.game.turns(Seat::First) + self.game.turns(Seat::Second);
        match self.mistake {
            Mistake::Fails(call, after) if call == name && turns >= after => {
                Err(format!("{name} trapped in the code").into())
            }
            Mistake::Lost(after) if name == "apply" && turns >= after => {
                Err(Failure::Arena("its process was killed".into()))
            }
            _ => Ok(()),
        }
    }
}

impl Code for Native {
    fn begin(&self, settings: &BTreeMap<String, i64>, seed: u64, starter: Seat) -> Result<AnyState, Failure> {
        let value = |name: &str| settings[name] as u8;
        let rules = arena_connect_four::Rules {
            neutral: value("neutral"),
            line: value("line"),
            ..Default::default()
        };
        let setups = ConnectFour::without_deployment(&rules, seed).expect("it has no deployment");
        let starter = if self.0 == Mistake::OtherStarter { starter.other() } else { starter };
        let state = NativeState { mistake: self.0, game: ConnectFour::new(&rules, setups, starter) };
        state.call("begin")?;
        Ok(Arc::new(state))
    }
}

impl State for NativeState {
    fn to_move(&self) -> Result<Option<Seat>, Failure> {
        self.call("to-move")?;
        let mover = self.game.to_move();
        Ok(match self.mistake {
            Mistake::OverAtStart => None,
            Mistake::Doubled => {
                mover.map(|_| doubled(self.game.turns(Seat::First) + self.game.turns(Seat::Second)))
            }
            _ => mover,
        })
    }

    fn outcome(&self) -> Result<BoardResult, Failure> {
        self.call("outcome")?;
        if self.mistake == Mistake::OverAtStart {
            return Ok(BoardResult { winner: None, reason: "board-full".into(), scores: None });
        }
        let (outcome, reason) = self.game.end().expect("it has ended");
        let winner = if let Outcome::Win(seat) = outcome { Some(seat) } else { None };
        let reason = if self.mistake == Mistake::OtherReason { "boredom".into() } else { reason.into() };
        Ok(BoardResult { winner, reason, scores: None })
    }

    fn observe(&self, viewer: Seat) -> Result<Box<dyn Observed>, Failure> {
        self.call("observe")?;
        Ok(Box::new(format!("{:?}", self.game.view(viewer))))
    }

    fn picture(&self, viewer: Option<Seat>) -> Result<String, Failure> {
        Ok(format!("{viewer:?}"))
    }

    fn legal_actions(&self) -> Result<Option<Vec<String>>, Failure> {
        Ok(None)
    }

    fn apply(&self, action: &str) -> Result<Applied<(String, AnyState)>, Failure> {
        self.call("apply")?;
        let mut next = self.clone();
        let seat = self.game.to_move().expect("a side is to move");
        // Spaces behind a column are text that the game ignores.
        let Ok(column) = action.trim_end().parse() else {
            return Ok(Applied::Lost(format!("{action} is no column")));
        };
        Ok(match next.game.act(seat, &Column(column)) {
            Ruling::Done(_) if self.mistake == Mistake::Loud => {
                Applied::Done(("!".repeat(1 << 20), Arc::new(next)))
            }
            Ruling::Done(Row(row)) => Applied::Done((row.to_string(), Arc::new(next))),
            Ruling::Retry(why) => Applied::Retry(why.to_string()),
            Ruling::Lost(why) => Applied::Lost(why.to_string()),
        })
    }

    fn overrun(&self) -> Result<Option<AnyState>, Failure> {
        self.call("overrun")?;
        Ok(if self.mistake == Mistake::Doubled { Some(Arc::new(self.clone())) } else { None })
    }

    fn random_action(&self, seed: u64) -> Result<String, Failure> {
        self.call("random-action")?;
        let seat = self.game.to_move().expect("a side is to move");
        let info = ConnectFour::info(&Default::default(), 0, 0);
        Ok(ConnectFour::any_action(&info, self.game.view(seat), &mut seeded(seed))?.0.to_string())
    }
}

fn parameter(name: &str, default: i64, minimum: i64, maximum: i64) -> Parameter {
    Parameter { name: name.into(), help: "a number of discs".into(), default, minimum, maximum }
}

fn ending(name: &str, text: &str) -> Ending {
    Ending { name: name.into(), text: text.into() }
}

fn about(max_game_length: u32) -> About {
    About {
        name: "connect-four".into(),
        version: "1.0.0".into(),
        parameters: vec![parameter("line", 4, 2, 6), parameter("neutral", 0, 0, 6)],
        endings: vec![ending("line", "a line of four"), ending("board-full", "no cell is empty")],
        max_game_length,
        turn_milliseconds: 50,
        scores: None,
    }
}

/// The rules of code with a mistake.
fn rules(mistake: Mistake) -> Rules {
    Rules::new(about(42), "c4").with_code(Arc::new(Native(mistake)))
}

/// A player that looks at each observation before it answers at random.
struct Looking(RandomPlayer<Loaded>);

impl Player<Loaded> for Looking {
    fn deploy(&mut self, info: &<Loaded as Game>::Info, fuel: u64) -> Result<Reply<()>, NoReply> {
        self.0.deploy(info, fuel)
    }

    fn play(
        &mut self,
        info: &<Loaded as Game>::Info,
        view: &Observation,
        fuel: u64,
    ) -> Result<Reply<String>, NoReply> {
        view.text().map_err(HostError::from)?;
        self.0.play(info, view, fuel)
    }
}

/// A game between two random players, with this seed for chance.
fn play(rules: &Rules, fleet_seed: u64) -> (Result<End, Stopped>, Vec<Event<Loaded>>) {
    rules.validate().expect("they are playable");
    let (fuel_per_turn, side_seeds, starter) = (1_000, [1, 2], Seat::Second);
    let plan = GamePlan { rules, fuel_per_turn, side_seeds, fleet_seed, starter, score_wall_clock: false };
    let mut players = [fleet_seed, 2].map(|seed| Looking(RandomPlayer::<Loaded>::new(rules, seed)));
    let [first, second] = &mut players;
    let mut events = Vec::new();
    let end = play_game(&plan, [first, second], &mut |event| events.push(event));
    (end, events)
}

/// The failure of a game that goes on after its six turns.
const ENDLESS: &str = "`apply-action` has not ended the game after 6 turns, its `max-game-length`";

/// The reason why a game has failed.
fn failure(game: &Loaded) -> String {
    game.failure().expect("it has failed").to_string()
}

#[test]
fn a_loaded_game_is_refereed_recorded_and_replayed_as_the_native_one() {
    for seed in 0..40 {
        let rules = rules(Mistake::None).with("neutral", 3);
        let (end, events) = play(&rules, seed);
        assert_eq!(play(&rules, seed), (end.clone(), events.clone()));

        let by = arena_connect_four::Rules { neutral: 3, ..Default::default() };
        let setups = ConnectFour::without_deployment(&by, seed).unwrap();
        let mut native = ConnectFour::new(&by, setups, Seat::Second);
        for event in &events {
            let Event::Acted { seat, action, effect, .. } = event else { continue };
            let ruling = native.act(*seat, &Column(action.parse().unwrap()));
            assert_eq!(ruling, Ruling::Done(Row(effect.parse().unwrap())));
        }
        assert_eq!(end.clone().ok(), native.end());

        let mut replay = Replay::<Loaded>::new(&rules, Seat::Second, seed);
        events.iter().try_for_each(|event| replay.step(event)).unwrap();
        assert_eq!(replay.end(), native.end());
        let packed = PackedEvents::of(&events).unwrap();
        assert_eq!(packed.unpack::<Loaded>(&rules, Seat::Second, seed), Ok(events));
    }
}

#[test]
fn the_game_decides_who_moves_first_and_who_moves_next() {
    for (mistake, mover) in [
        (Mistake::Doubled, doubled as fn(u32) -> Seat),
        (
            Mistake::OtherStarter,
            |turns: u32| if turns.is_multiple_of(2) { Seat::First } else { Seat::Second },
        ),
    ] {
        for seed in 0..20 {
            let rules = rules(mistake);
            // Seat 2 is the starter.
            let (end, events) = play(&rules, seed);
            let mut turns = [0; 2];
            for (number, event) in (0..).zip(&events[..events.len() - 1]) {
                let Event::Acted { seat, turn, .. } = event else { panic!("{event:?}") };
                turns[seat.index()] += 1;
                assert_eq!((*seat, *turn), (mover(number), turns[seat.index()]), "{mistake:?}, {seed}");
            }
            let mut replay = Replay::<Loaded>::new(&rules, Seat::Second, seed);
            events.iter().try_for_each(|event| replay.step(event)).unwrap();
            assert_eq!(replay.end(), end.ok());
            let packed = PackedEvents::of(&events).unwrap();
            assert_eq!(packed.unpack::<Loaded>(&rules, Seat::Second, seed), Ok(events));
        }
    }
}

#[test]
fn a_side_that_overruns_may_be_to_move_again() {
    let mut game = Loaded::new(&rules(Mistake::Doubled), [3; 2], Seat::First);
    assert!(game.overrun(Seat::First) && game.overrun(Seat::First));
    assert_eq!((game.to_move(), game.turns(Seat::First)), (Some(Seat::First), 2));
    assert_eq!(game.act(Seat::First, &"3".into()), Ruling::Done("0".into()));
    assert_eq!((game.turns(Seat::First), game.turns(Seat::Second)), (3, 0));
    assert_eq!(game.failure(), None);
    // The largest number of turns bounds them.
    for _ in 3..41 {
        assert!(game.failure().is_none() && game.overrun(Seat::First));
    }
    assert_eq!(game.failure(), None);
    assert!(game.overrun(Seat::First));
    assert_eq!(failure(&game), ENDLESS.replace('6', "42"));
}

#[test]
fn a_clone_goes_on_by_itself_from_the_same_position() {
    let rules = rules(Mistake::None);
    let mut game = Loaded::new(&rules, [3; 2], Seat::First);
    for column in ["3", "3", "2"] {
        let seat = game.to_move().unwrap();
        assert!(matches!(game.act(seat, &column.into()), Ruling::Done(_)));
    }
    let mut copy = game.clone();
    assert_eq!(copy, game);
    for seat in Seat::BOTH {
        assert_eq!(copy.view(seat), game.view(seat));
        assert_eq!(copy.turns(seat), game.turns(seat));
    }
    assert_eq!(copy.act(Seat::Second, &"3".into()), Ruling::Done("2".into()));
    assert_ne!(copy, game);
    assert_ne!(copy.view(Seat::First), game.view(Seat::First));
    // What was refused with a retry has changed nothing.
    let full = ["0"; 6].map(String::from);
    full.iter().for_each(|action| drop(game.act(game.to_move().unwrap(), action)));
    let before = game.clone();
    assert_eq!(game.act(Seat::Second, &"0".into()), Ruling::Retry(Invalid::Full.to_string()));
    assert_eq!(game, before);
    assert_eq!(game.act(Seat::Second, &"north".into()), Ruling::Lost("north is no column".into()));
    assert_eq!(game.end(), Some((Outcome::Win(Seat::First), Reason::Forfeit)));
    assert_eq!(game.clone().end(), game.end());
    assert_eq!(game.failure(), None);
}

#[test]
fn an_overrun_costs_what_the_code_says() {
    let mut game = Loaded::new(&rules(Mistake::None), [3; 2], Seat::First);
    assert!(!game.overrun(Seat::First));
    assert_eq!(game.end(), Some((Outcome::Win(Seat::Second), Reason::Forfeit)));
    assert_eq!(game.clone(), game);
}

#[test]
fn rules_are_valid_with_the_code_that_they_name_and_values_in_range() {
    let sound = rules(Mistake::None);
    let wrong =
        |rules: Rules| rules.validate().map_err(|error| (error.switch.to_string(), error.to_string()));
    let error = |switch: &str, text: &str| Err((switch.to_owned(), text.to_owned()));
    assert_eq!(wrong(sound.clone()), Ok(()));
    assert_eq!(
        wrong(sound.clone().with("line", 7)),
        error("line", "line must be a whole number from 2 to 6")
    );
    assert_eq!(wrong(sound.clone().with("fog", 1)), error("fog", "connect-four has no option fog"));

    let text = serde_json::to_string(&sound.clone().with("line", 5)).unwrap();
    assert!(text.contains(r#""settings":{"line":5,"neutral":0}"#), "{text}");
    let read: Rules = serde_json::from_str(&text).unwrap();
    assert_eq!(read, sound.clone().with("line", 5), "with or without the code");
    assert_eq!(wrong(read.clone()), Ok(()));
    assert_ne!(read, Rules::new(about(42), "c5").with("line", 5));
    // Nothing panics without the code.
    let game = Loaded::new(&read, [3; 2], Seat::First);
    assert_eq!((game.to_move(), failure(&game).as_str()), (None, "its code is not loaded"));
}

#[test]
fn the_endings_of_the_code_have_its_sentences_and_shared_reasons_keep_theirs() {
    let rules = rules(Mistake::None);
    assert_eq!(rules.reasons()[0], LINE);
    assert_eq!(rules.reason_sentence(LINE, "ada"), "a line of four");
    assert_eq!(rules.reason_sentence(Reason::Forfeit, "ada"), "ada lost by a fault");
    let wrong = |change: fn(&mut About)| {
        let mut about = about(42);
        change(&mut about);
        about.check().unwrap_err().to_string()
    };
    for name in ["forfeit", "turns-max", "Line", "a--b", "", "a-name-that-is-longer-than-any-other"] {
        let ending = about(42).endings.into_iter().map(|it| Ending { name: name.into(), ..it }).take(1);
        let error = About { endings: ending.collect(), ..about(42) }.check().unwrap_err().to_string();
        assert!(error.contains(&format!("`{name}`")), "{error}");
    }
    assert!(wrong(|it| it.endings[1].name = "line".into()).contains("two endings with the name `line`"));
    assert!(
        wrong(|it| it.parameters[1].name = "line".into()).contains("two parameters with the name `line`")
    );
    assert!(wrong(|it| it.parameters[0].default = 1).contains("outside of 2 to 6"));
    assert!(wrong(|it| it.max_game_length = 0).contains("`max-game-length` 0"));
    assert!(wrong(|it| it.turn_milliseconds = 0).contains("`turn-milliseconds` 0"));
    assert!(wrong(|it| it.endings[0].text = "a\nb".into()).contains("control character"));
}
