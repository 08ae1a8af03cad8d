//! Whole games of submarine between players that do as they are told.

use arena_referee::{
    Event, Fault, FaultClass, HostError, News, NoReply, Reply, Stopped, SubmarineInfo, SubmarinePlan,
    SubmarinePlayer, Verdict, play_submarine,
};
use arena_rules::submarine::{Action, Rules, Ship, View};
use arena_rules::{Coord, Outcome, Reason, Seat};

/// Attacks the cell of its own first ship, but for what the script says of a turn.
#[derive(Default)]
struct Scripted {
    cells: Option<Result<[Coord; 3], FaultClass>>,
    script: Vec<Result<Action, NoReply>>,
    heard: Vec<String>,
}

fn sitter() -> Scripted {
    Scripted::default()
}

fn acting(act: Result<Action, NoReply>) -> Scripted {
    Scripted { script: vec![act], ..sitter() }
}

fn deploying(cells: Result<[(u8, u8); 3], FaultClass>) -> Scripted {
    Scripted { cells: Some(cells.map(|cells| cells.map(Coord::from))), ..sitter() }
}

impl SubmarinePlayer for Scripted {
    fn deploy(&mut self, _game: &SubmarineInfo, _fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        let here = [(0, 0), (0, 1), (1, 0)].map(Coord::from);
        match self.cells.take().unwrap_or(Ok(here)) {
            Ok(answer) => Ok(Reply { answer, fuel_used: 5 }),
            Err(class) => Err(Fault::new(class, "as scripted").into()),
        }
    }

    fn play(&mut self, _game: &SubmarineInfo, view: &View, _fuel: u64) -> Result<Reply<Action>, NoReply> {
        let act =
            if self.script.is_empty() { Ok(Action::Attack(view.own[0].at)) } else { self.script.remove(0) };
        act.map(|answer| Reply { answer, fuel_used: 7 })
    }

    fn hear(&mut self, news: &News<'_>) {
        self.heard.push(match news {
            News::Turn { mine } => if *mine { "mine" } else { "theirs" }.into(),
            News::Acted { me, mover, effect, .. } => {
                let whose = if me == mover { "I" } else { "they" };
                format!("{whose} {}", if effect.is_some() { "acted" } else { "faulted" })
            }
            News::End { outcome, .. } => format!("{outcome:?}"),
        });
    }
}

type End = Result<(Outcome, Reason), Stopped>;

fn play(score_wall_clock: bool, [first, second]: [&mut Scripted; 2]) -> (End, Vec<Event>) {
    let rules = Rules { actions_max: 4, ..Rules::default() };
    let plan = SubmarinePlan {
        rules: &rules,
        fuel_per_turn: 1_000,
        side_seeds: [1, 2],
        starter: Seat::First,
        score_wall_clock,
    };
    let mut events = Vec::new();
    let end = play_submarine(&plan, [first, second], &mut |event| events.push(event));
    (end, events)
}

fn faults(events: &[Event]) -> Vec<(FaultClass, Verdict, u32)> {
    let fault = |event: &Event| match event {
        Event::Fault { fault, verdict, turn, .. } => Some((fault.class, *verdict, *turn)),
        _ => None,
    };
    events.iter().filter_map(fault).collect()
}

const FAR: [(u8, u8); 3] = [(4, 4), (4, 3), (3, 4)];

#[test]
fn a_game_is_two_deployments_then_actions_in_turn_then_its_end() {
    let (end, events) = play(false, [&mut sitter(), &mut deploying(Ok(FAR))]);
    assert_eq!(end, Ok((Outcome::Draw, Reason::TurnsMax)));
    assert!(matches!(&events[0], Event::Positioned { seat: Seat::First, fuel: 5, .. }));
    assert!(matches!(&events[1], Event::Positioned { seat: Seat::Second, .. }));
    for (index, event) in events[2..6].iter().enumerate() {
        let Event::Acted { seat, turn, fuel: 7, .. } = event else { panic!("{event:?} is no action") };
        assert_eq!((seat.index(), *turn as usize), (index % 2, index / 2 + 1));
    }
    assert!(matches!(events[6], Event::End { outcome: Outcome::Draw, reproducible: true, .. }));
}

#[test]
fn every_fault_loses_at_once_an_overrun_too() {
    for class in [FaultClass::OutOfFuel, FaultClass::Trap, FaultClass::BadResult, FaultClass::Disconnected] {
        let faulty = || acting(Err(Fault::new(class, "as scripted").into()));
        let (end, events) = play(false, [&mut faulty(), &mut deploying(Ok(FAR))]);
        assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)), "{class}");
        assert_eq!(faults(&events), [(class, Verdict::Loses, 1)], "{class}");
    }
}

#[test]
fn an_action_that_is_not_legal_loses_at_once() {
    let (end, events) =
        play(false, [&mut acting(Ok(Action::Move(Ship::Cruiser, Coord::new(0, 0)))), &mut sitter()]);
    assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)));
    let Event::Fault { fault, .. } = &events[2] else { panic!("{events:?}") };
    assert_eq!(fault.detail, "the move of the cruiser to (0, 0) is a move onto another own ship");
}

#[test]
fn positions_that_are_not_legal_lose_and_two_of_them_are_no_contest() {
    let bad = || deploying(Ok([(0, 0), (0, 0), (1, 0)]));
    let (end, events) = play(false, [&mut bad(), &mut sitter()]);
    assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::BadDeploy)));
    assert_eq!(faults(&events), [(FaultClass::BadDeploy, Verdict::NoFleet, 0)]);
    let (end, _) = play(false, [&mut bad(), &mut deploying(Err(FaultClass::Trap))]);
    assert_eq!(end, Ok((Outcome::NoContest, Reason::BothBadDeploy)));
}

#[test]
fn a_failure_of_ours_is_no_result_and_the_clock_is_none_unless_it_is_to_be_scored() {
    let (end, _) = play(false, [&mut acting(Err(HostError("no memory".into()).into())), &mut sitter()]);
    assert_eq!(end, Err(Stopped::Host(HostError("no memory".into()))));
    let stalled = || acting(Err(Fault::new(FaultClass::WallClock, "as scripted").into()));
    let (end, _) = play(false, [&mut stalled(), &mut sitter()]);
    assert!(matches!(end, Err(Stopped::WallClock { seat: Seat::First, .. })));
    let (end, events) = play(true, [&mut stalled(), &mut sitter()]);
    assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)));
    assert!(matches!(events.last(), Some(Event::End { reproducible: false, .. })));
}

#[test]
fn both_sides_hear_of_each_turn_and_of_the_end() {
    let mut first = sitter();
    let mut second = acting(Err(Fault::new(FaultClass::Trap, "as scripted").into()));
    play(false, [&mut first, &mut second]).0.unwrap();
    assert_eq!(first.heard, ["mine", "I acted", "theirs", "they faulted", "Win(First)"]);
    assert_eq!(second.heard, ["theirs", "they acted", "mine", "I faulted", "Win(First)"]);
}
