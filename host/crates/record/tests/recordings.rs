//! Recordings of the format, one of each game, in `data/recordings`.
//!
//! This arena reads them, its rules agree with them, and every field has the value that it had.

use arena_record::{BotId, Conditions, Event, FORMAT, Header, Limits, Seated, Transcript};
use arena_referee::{Attempts, Fault, FaultClass, Verdict};
use arena_rules::battleship::{
    Action, Battleship, Effect, FLEET_SUNK, Invalid, OnInvalid, OnOverrun, OnSkip, Placing, Rounds, Ruleset,
    ShotResult, Starts,
};
use arena_rules::submarine::{self, Report, Ship, Submarine};
use arena_rules::{Coord, Direction, GameRules, Listed, Outcome, Placement, Reason, Seat};
use std::fs;

/// Checks that a recording is read, that the rules agree with it, and that it is the expected one.
fn check<G: Listed>(name: &str, expected: &Transcript<G>) {
    let file = fs::read(format!("tests/data/recordings/{name}.jsonl")).unwrap();
    let read = Transcript::<G>::read(&file[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(read.header, expected.header, "{name}");
    assert_eq!(read.events, expected.events, "{name}");
    let replay = read.replay().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(replay.end(), read.end(), "{name}");
}

/// The hash of a component in the recordings.
fn sha256(digit: &str) -> String {
    digit.repeat(64)
}

/// A game of Battleship by rules of its own: fleets drawn by the engine, invalid attempts, a wasted turn, a skip, an overrun
/// and a verdict from the clock.
#[test]
fn battleship_of_format_1_0_is_read() {
    let rules = Ruleset {
        name: "ours".into(),
        width: 4,
        height: 3,
        fleet: vec![2, 1],
        may_touch: false,
        placing: Placing::Engine,
        starts: Starts::Drawn,
        rounds: Rounds::EachShot,
        off_board: OnInvalid::Retry,
        repeat: OnInvalid::Waste,
        skip: OnSkip::Skip,
        two_skips_draw: false,
        overrun: OnOverrun::Skip,
        sinkings_announced: true,
        turn_budget_ms: 1_000,
        turns_max: 20,
    };
    let header = Header {
        arena_transcript: FORMAT,
        conditions: Conditions {
            arena: "1.0.0".into(),
            wasmtime: "48.0.8".into(),
            engine: "6b8a6fc445158e8a".into(),
            rules: GameRules::Battleship(rules),
            limits: Limits { fuel_per_turn: 100_000_000, memory_bytes: 64 << 20 },
            seed: 18_446_744_073_709_551_615.into(),
        },
        contract: "arena:battleship@0.1.0".into(),
        game: 2,
        bots: [
            Seated {
                bot: BotId {
                    label: "eager".into(),
                    name: "Eager \"Ed\" \u{2693}".into(),
                    sha256: sha256("a").into(),
                },
                seed: 0xcf82_2500_6a9b_4a20,
            },
            Seated {
                bot: BotId { label: "slow-2".into(), name: "slow".into(), sha256: sha256("0").into() },
                seed: 1,
            },
        ],
        fleet_seed: 7,
        starter: Seat::Second,
    };
    let (first, second) = (Seat::First, Seat::Second);
    let shot = |row, column| Action::Shot(Coord::new(row, column));
    let placed = |seat, ships: [(u8, u8, Direction); 2]| Event::Placed {
        seat,
        deployment: ships.map(Placement::from).to_vec(),
        fuel: None,
    };
    let acted =
        |seat, turn, action, effect, fuel| Event::Acted { seat, turn, action, effect, fuel, attempts: None };
    let (miss, hit, sunk) = (ShotResult::Miss, ShotResult::Hit, ShotResult::Sunk);
    let events = vec![
        placed(first, [(0, 0, Direction::South), (0, 3, Direction::East)]),
        placed(second, [(0, 2, Direction::East), (2, 2, Direction::East)]),
        acted(second, 1, Action::Skip, Effect::Skipped, 6_395),
        Event::Acted {
            seat: first,
            turn: 1,
            action: shot(0, 2),
            effect: Effect::Shot(hit),
            fuel: 204,
            attempts: Some(Attempts { invalid: 2, first: shot(200, 200), why: Invalid::OffBoard }),
        },
        Event::Faulted {
            seat: second,
            turn: 2,
            fault: Fault::new(FaultClass::OutOfFuel, "used up its fuel"),
            verdict: Verdict::TurnSkipped,
            attempts: None,
        },
        acted(first, 2, shot(0, 2), Effect::Wasted { why: Invalid::Repeat, result: Some(hit) }, 219),
        acted(second, 3, shot(0, 0), Effect::Shot(hit), 0),
        acted(first, 3, shot(1, 1), Effect::Shot(miss), 100_000_000),
        Event::Faulted {
            seat: second,
            turn: 4,
            fault: Fault::new(FaultClass::WallClock, "no answer after 30 s"),
            verdict: Verdict::TurnSkipped,
            attempts: Some(Attempts { invalid: 999, first: shot(3, 0), why: Invalid::OffBoard }),
        },
        acted(first, 4, shot(0, 3), Effect::Shot(sunk), 219),
        acted(second, 5, shot(1, 0), Effect::Shot(sunk), 8_337),
        acted(first, 5, shot(2, 2), Effect::Shot(sunk), 219),
        Event::Ended {
            outcome: Outcome::Win(first),
            reason: FLEET_SUNK,
            scores: Some([15, 0]),
            reproducible: false,
        },
    ];
    check("1.0-battleship", &Transcript::<Battleship> { header, events });
}

/// A game of submarine between a bot and a person, who has no component and no fuel: a miss, moves, a hit that sinks, and an
/// illegal action.
#[test]
fn submarine_of_format_1_0_is_read() {
    let rules = submarine::Rules { name: "long".into(), turn_budget_ms: 3_000, actions_max: 20_000 };
    let header = Header {
        arena_transcript: FORMAT,
        conditions: Conditions {
            arena: "1.0.0".into(),
            wasmtime: "48.0.8".into(),
            engine: "6b8a6fc445158e8a".into(),
            rules: GameRules::Submarine(rules),
            limits: Limits { fuel_per_turn: 300_000_000, memory_bytes: 64 << 20 },
            seed: "0123456789abcdef".repeat(4).parse().unwrap(),
        },
        contract: "arena:submarine@0.1.0".into(),
        game: 1,
        bots: [
            Seated {
                bot: BotId {
                    label: "tracker".into(),
                    name: "sub-tracker".into(),
                    sha256: sha256("7").into(),
                },
                seed: u64::MAX,
            },
            Seated { bot: BotId { label: "you".into(), name: "you".into(), sha256: "".into() }, seed: 0 },
        ],
        fleet_seed: 0x5c1a_0b13_04a5_b70a,
        starter: Seat::First,
    };
    let (first, second) = (Seat::First, Seat::Second);
    let at = Coord::new;
    let acted =
        |seat, turn, action, effect, fuel| Event::Acted { seat, turn, action, effect, fuel, attempts: None };
    let attacked = |at, hit, near| Report::Attacked { at, hit, near };
    let moved = |ship, down, right| Report::Moved { ship, down, right };
    use submarine::Action::{Attack, Move};
    let events = vec![
        Event::Placed { seat: first, deployment: [at(0, 0), at(0, 1), at(1, 0)], fuel: Some(5_830) },
        Event::Placed { seat: second, deployment: [at(2, 2), at(2, 3), at(4, 4)], fuel: Some(0) },
        acted(first, 1, Attack(at(1, 1)), attacked(at(1, 1), None, vec![Ship::Battleship]), 52_021_664),
        acted(second, 1, Move(Ship::Submarine, at(4, 0)), moved(Ship::Submarine, 0, -4), 0),
        acted(first, 2, Move(Ship::Battleship, at(3, 0)), moved(Ship::Battleship, 3, 0), 43_373),
        acted(second, 2, Attack(at(3, 1)), attacked(at(3, 1), None, vec![Ship::Battleship]), 0),
        acted(first, 3, Attack(at(4, 0)), attacked(at(4, 0), Some(Ship::Submarine), vec![]), 42_630),
        Event::Faulted {
            seat: second,
            turn: 3,
            fault: Fault::new(
                FaultClass::IllegalAction,
                "the move of the submarine to (4, 1) is a move of a ship that is sunk",
            ),
            verdict: Verdict::Loses,
            attempts: None,
        },
        Event::Ended {
            outcome: Outcome::Win(first),
            reason: Reason::Forfeit,
            scores: None,
            reproducible: true,
        },
    ];
    check("1.0-submarine", &Transcript::<Submarine> { header, events });
}
