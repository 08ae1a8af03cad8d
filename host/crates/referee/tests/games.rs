//! Whole games between players that do as they are told, and what the referee makes of it.

use arena_referee::{
    Attempts, Event, Fault, FaultClass, GamePlan, HostError, NoReply, OVERRUNS_BY_CLOCK_MAX, Player, Reply,
    Solo, Stopped, Verdict, play_game, play_solo,
};
use arena_rules::{
    Coord, Direction, FleetSpec, GameInfo, Invalid, Mark, OnOverrun, Outcome, Placement, Placing, Reason,
    Ruleset, Seat, View, random, scatter,
};

const FUEL_PER_TURN: u64 = 10_000;
const FUEL_PER_CALL: u64 = 7;

/// What a player does at a call of `play`, before it goes back to sweeping.
#[derive(Clone)]
enum Act {
    Shoot(u8, u8),
    Skip,
    Fault(FaultClass),
    HostFails,
}

/// Sweeps row by row, unless the script says otherwise. After the script's end its last act is repeated if `for_ever`.
struct Scripted {
    script: Vec<Act>,
    for_ever: bool,
    fleet: Result<Option<Vec<Placement>>, FaultClass>,
    calls: usize,
    turns: usize,
    restarts: usize,
    fuels: Vec<u64>,
}

fn sweeper() -> Scripted {
    Scripted {
        script: vec![],
        for_ever: false,
        fleet: Ok(None),
        calls: 0,
        turns: 0,
        restarts: 0,
        fuels: vec![],
    }
}

fn acting(script: &[Act]) -> Scripted {
    Scripted { script: script.to_vec(), ..sweeper() }
}

fn always(act: Act) -> Scripted {
    Scripted { script: vec![act], for_ever: true, ..sweeper() }
}

fn deploying(fleet: Result<Option<Vec<Placement>>, FaultClass>) -> Scripted {
    Scripted { fleet, ..sweeper() }
}

impl Player for Scripted {
    fn deploy(&mut self, game: &GameInfo, _fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        let answer = match self.fleet.clone() {
            Ok(Some(fleet)) => fleet,
            Ok(None) => {
                scatter(&game.fleet_spec(), &mut random::seeded(game.seed)).unwrap().placements().to_vec()
            }
            Err(class) => return Err(Fault::new(class, "as scripted").into()),
        };
        Ok(Reply { answer, fuel_used: FUEL_PER_CALL })
    }

    fn play(&mut self, game: &GameInfo, view: &View, fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
        let last = self.script.len().saturating_sub(1);
        let step = if self.for_ever { self.calls.min(last) } else { self.calls };
        self.calls += 1;
        self.fuels.push(fuel);
        let answer = match self.script.get(step) {
            Some(Act::Shoot(row, column)) => Some(Coord::new(*row, *column)),
            Some(Act::Skip) => None,
            Some(Act::Fault(class)) => return Err(Fault::new(*class, "as scripted").into()),
            Some(Act::HostFails) => return Err(HostError("no memory for it".into()).into()),
            None => {
                view.attacks.iter().position(|&mark| mark == Mark::Unknown).map(|cell| game.size.coord(cell))
            }
        };
        Ok(Reply { answer, fuel_used: FUEL_PER_CALL })
    }

    fn begin_turn(&mut self) {
        self.turns += 1;
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.restarts += 1;
        Ok(())
    }
}

/// Plays a game by rules that differ from `guide` by a change.
fn play(
    change: impl Fn(&mut Ruleset),
    score_wall_clock: bool,
    [first, second]: [&mut Scripted; 2],
) -> (Result<(Outcome, Reason), Stopped>, Vec<Event>) {
    let mut rules = Ruleset::guide();
    change(&mut rules);
    let plan = GamePlan {
        rules: &rules,
        fuel_per_turn: FUEL_PER_TURN,
        side_seeds: [1, 2],
        fleet_seed: 3,
        starter: Seat::First,
        score_wall_clock,
    };
    let mut events = Vec::new();
    let end = play_game(&plan, [first, second], &mut |event| events.push(event));
    (end, events)
}

fn guide(players: [&mut Scripted; 2]) -> (Result<(Outcome, Reason), Stopped>, Vec<Event>) {
    play(|_| {}, false, players)
}

fn faults(events: &[Event]) -> Vec<(FaultClass, Verdict, u32)> {
    let fault = |event: &Event| match event {
        Event::Fault { fault, verdict, turn, .. } => Some((fault.class, *verdict, *turn)),
        _ => None,
    };
    events.iter().filter_map(fault).collect()
}

#[test]
fn a_game_is_two_deployments_then_turns_in_turn_then_its_end() {
    let (end, events) = guide([&mut sweeper(), &mut sweeper()]);
    let (outcome, reason) = end.unwrap();
    assert_eq!(reason, Reason::FleetSunk);
    assert!(matches!(&events[0], Event::Deployed { seat: Seat::First, fuel: Some(FUEL_PER_CALL), .. }));
    assert!(matches!(&events[1], Event::Deployed { seat: Seat::Second, .. }));
    for (index, event) in events[2..events.len() - 1].iter().enumerate() {
        let Event::Shot { seat, turn, fuel, attempts: None, .. } = event else {
            panic!("{event:?} is no shot")
        };
        assert_eq!((seat.index(), *turn as usize, *fuel), (index % 2, index / 2 + 1, FUEL_PER_CALL));
    }
    assert_eq!(events.last(), Some(&Event::End { outcome, reason, reproducible: true }));
}

#[test]
fn a_spot_that_is_not_valid_is_asked_for_again_within_the_turn_and_its_budget() {
    let mut eager = acting(&[Act::Shoot(200, 200), Act::Shoot(10, 0)]);
    let (_, events) = guide([&mut eager, &mut sweeper()]);
    let attempts = Attempts { invalid: 2, first: Coord::new(200, 200), why: Invalid::OffBoard };
    assert!(matches!(
        events[2],
        Event::Shot { turn: 1, at: Coord { row: 0, column: 0 }, attempts: Some(found), fuel: 21, .. } if found == attempts
    ));
    // Each attempt is charged a thousandth of the budget, although it used less.
    assert_eq!(eager.fuels[..3], [FUEL_PER_TURN, FUEL_PER_TURN - 10, FUEL_PER_TURN - 20]);
    assert_eq!(eager.turns, 1 + eager.calls - 2, "the deployment, and a turn for every call but the retries");
}

#[test]
fn a_bot_that_answers_invalid_spots_for_ever_has_a_thousand_attempts_a_turn_and_loses_only_its_turns() {
    let mut stubborn = always(Act::Shoot(200, 200));
    let (end, events) = guide([&mut stubborn, &mut sweeper()]);
    assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::FleetSunk)));
    let turns = faults(&events).len();
    assert_eq!(stubborn.calls, turns * 1_000);
    assert_eq!(stubborn.restarts, turns);
    assert!(matches!(
        &events[2],
        Event::Fault {
            fault: Fault { class: FaultClass::OutOfFuel, .. },
            attempts: Some(Attempts { invalid: 1_000, .. }),
            ..
        }
    ));
}

#[test]
fn a_bot_that_overran_goes_on_afresh_with_its_fleet() {
    let mut slow = acting(&[Act::Fault(FaultClass::OutOfFuel)]);
    let (end, events) = guide([&mut slow, &mut always(Act::Shoot(0, 0))]);
    assert_eq!(faults(&events)[0], (FaultClass::OutOfFuel, Verdict::TurnSkipped, 1));
    assert_eq!(slow.restarts, 1);
    assert_eq!(end, Ok((Outcome::Win(Seat::First), Reason::FleetSunk)));
}

#[test]
fn two_bots_that_overrun_in_a_row_draw() {
    let slow = || always(Act::Fault(FaultClass::OutOfFuel));
    let (end, _) = guide([&mut slow(), &mut slow()]);
    assert_eq!(end, Ok((Outcome::Draw, Reason::BothSkipped)));
}

#[test]
fn two_bots_that_skip_in_a_row_draw() {
    let (end, events) = guide([&mut always(Act::Skip), &mut always(Act::Skip)]);
    assert_eq!(end, Ok((Outcome::Draw, Reason::BothSkipped)));
    assert!(matches!(events[3], Event::Skipped { seat: Seat::Second, turn: 1, fuel: FUEL_PER_CALL, .. }));
}

#[test]
fn every_fault_but_an_overrun_loses_at_once() {
    use FaultClass::{BadResult, InitError, OutOfMemory, StackOverflow, Trap};
    for class in [BadResult, InitError, OutOfMemory, StackOverflow, Trap] {
        let (end, events) = guide([&mut sweeper(), &mut acting(&[Act::Shoot(0, 0), Act::Fault(class)])]);
        assert_eq!(end, Ok((Outcome::Win(Seat::First), Reason::Forfeit)), "{class}");
        assert_eq!(faults(&events), [(class, Verdict::Loses, 2)], "{class}");
    }
}

#[test]
fn where_the_rules_say_so_an_overrun_loses_and_so_does_a_skip() {
    let strict = |rules: &mut Ruleset| {
        rules.overrun = OnOverrun::Lose;
        rules.skip = arena_rules::OnSkip::Lose;
    };
    let mut slow = always(Act::Fault(FaultClass::OutOfFuel));
    let (end, events) = play(strict, false, [&mut slow, &mut sweeper()]);
    assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)));
    assert_eq!(faults(&events), [(FaultClass::OutOfFuel, Verdict::Loses, 1)]);
    let (_, events) = play(strict, false, [&mut sweeper(), &mut always(Act::Skip)]);
    assert_eq!(faults(&events), [(FaultClass::IllegalAction, Verdict::Loses, 1)]);
}

#[test]
fn a_bad_or_late_deployment_loses_before_a_shot_is_fired() {
    let off_board = vec![Placement::new(Coord::new(0, 0), Direction::North); 10];
    for fleet in [Ok(Some(vec![])), Ok(Some(off_board)), Err(FaultClass::OutOfFuel), Err(FaultClass::Trap)] {
        let (end, events) = guide([&mut deploying(fleet), &mut sweeper()]);
        assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::BadDeploy)));
        assert!(matches!(faults(&events)[..], [(_, Verdict::NoFleet, 0)]));
        assert_eq!(events.len(), 3, "a fault, the other's deployment, the end");
    }
}

#[test]
fn two_bad_deployments_are_no_contest() {
    let (end, events) = guide([&mut deploying(Ok(Some(vec![]))), &mut deploying(Err(FaultClass::Trap))]);
    assert_eq!(end, Ok((Outcome::NoContest, Reason::BothBadDeploy)));
    assert_eq!(faults(&events).len(), 2);
}

#[test]
fn a_failure_of_ours_is_no_result_and_no_fault() {
    let (end, events) = guide([&mut acting(&[Act::HostFails]), &mut sweeper()]);
    assert_eq!(end, Err(Stopped::Host(HostError("no memory for it".into()))));
    assert_eq!(faults(&events), []);
}

#[test]
fn a_turn_that_the_watchdog_stopped_is_no_result_unless_it_is_to_be_scored() {
    let stalled = || acting(&[Act::Fault(FaultClass::WallClock)]);
    let (end, _) = guide([&mut stalled(), &mut sweeper()]);
    assert!(matches!(end, Err(Stopped::WallClock { seat: Seat::First, .. })));

    let (end, events) = play(|_| {}, true, [&mut stalled(), &mut sweeper()]);
    assert!(matches!(end, Ok((Outcome::Win(_), Reason::FleetSunk))));
    assert_eq!(faults(&events), [(FaultClass::WallClock, Verdict::TurnSkipped, 1)]);
    assert!(matches!(events.last(), Some(Event::End { reproducible: false, .. })));
}

#[test]
fn a_bot_that_stalls_turn_after_turn_loses_rather_than_hold_up_the_tournament() {
    let (end, events) = play(|_| {}, true, [&mut always(Act::Fault(FaultClass::WallClock)), &mut sweeper()]);
    assert_eq!(end, Ok((Outcome::Win(Seat::Second), Reason::Forfeit)));
    let verdicts: Vec<_> = faults(&events).into_iter().map(|(_, verdict, _)| verdict).collect();
    assert_eq!(verdicts.len() as u32, OVERRUNS_BY_CLOCK_MAX + 1);
    assert_eq!(verdicts.last(), Some(&Verdict::Loses));
}

#[test]
fn where_the_engine_places_no_bot_is_asked_and_the_fleets_come_from_the_seed() {
    let engine = |rules: &mut Ruleset| {
        rules.placing = Placing::Engine;
        rules.fleet = vec![5, 4, 3, 3, 2];
    };
    let never = || deploying(Err(FaultClass::Trap));
    let (end, events) = play(engine, false, [&mut never(), &mut never()]);
    assert!(matches!(end, Ok((Outcome::Win(_), Reason::FleetSunk))));
    assert!(matches!(&events[0], Event::Deployed { fuel: None, .. }));
    let (_, again) = play(engine, false, [&mut never(), &mut never()]);
    assert_eq!(events, again);
}

#[test]
fn a_solo_game_counts_the_shots_until_the_fleet_is_sunk() {
    let rules = Ruleset::guide();
    let fleet = scatter(&FleetSpec::of(&rules), &mut random::seeded(4)).unwrap();
    let last_cell =
        fleet.ships().iter().flat_map(|ship| &ship.cells).filter_map(|&at| rules.size().index(at)).max();
    let solo =
        |player: &mut Scripted| play_solo(&rules, FUEL_PER_TURN, 1, player, [fleet.clone(), fleet.clone()]);
    let shots = last_cell.unwrap() as u32 + 1;
    assert_eq!(solo(&mut sweeper()), Ok(Solo::Cleared { shots, fuel: u64::from(shots) * FUEL_PER_CALL }));
    for act in [Act::Skip, Act::Shoot(99, 99), Act::Fault(FaultClass::Trap)] {
        assert!(matches!(solo(&mut acting(&[act])), Ok(Solo::Failed(_))));
    }
}
