//! The parser of lines, on any bytes.

use arena_net::wire::{self, ActionKind, WireError, action, placement};
use arena_rules::Coord;
use arena_rules::submarine::{Action, Ship};
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(line in proptest::collection::vec(any::<u8>(), 0..1024)) {
        let _ = placement(&line);
        let _ = action(&line);
    }

    #[test]
    fn any_line_that_looks_like_a_message_is_read_or_refused(
        line in r#"(\{|\[|\}|\]|:|,| |"w"|"c"|"s"|"attack"|"move"|"ship"|"to"|-?[0-9]{1,20}|1\.5|1e9|null|true){0,40}"#
    ) {
        let _ = placement(line.as_bytes());
        let _ = action(line.as_bytes());
    }

    #[test]
    fn a_message_that_is_cut_anywhere_is_refused(cut in 0..31_usize) {
        prop_assert_eq!(placement(&br#"{"w":[0,1],"c":[0,0],"s":[1,1]}"#[..cut]), Err(WireError::NotJson));
    }

    #[test]
    fn placements_are_read_in_any_order(
        order in Just(Ship::ALL.to_vec()).prop_shuffle(),
        at in prop::array::uniform3((0..5_u8, 0..5_u8)),
    ) {
        let entry = |ship: &Ship| {
            let (x, y) = at[ship.index()];
            format!(r#""{}":[{x},{y}]"#, wire::letter(*ship))
        };
        let line = format!("{{{}}}", order.iter().map(entry).collect::<Vec<_>>().join(","));
        let placed = placement(line.as_bytes()).unwrap();
        prop_assert_eq!(placed.order.to_vec(), order);
        prop_assert_eq!(placed.cells, at.map(|(x, y)| Coord::new(y, x)));
    }

    #[test]
    fn whole_numbers_are_positions_and_those_far_off_the_board_are_refused_as_they_are(
        x in prop_oneof![any::<i64>(), -2..260_i64],
        y in prop_oneof![any::<u64>(), 0..260_u64],
    ) {
        let line = format!(r#"{{"attack":{{"to":[{x},{y}]}}}}"#);
        let expected = match (u8::try_from(x), u8::try_from(y)) {
            (Ok(column), Ok(row)) => Ok(Action::Attack(Coord::new(row, column))),
            _ => Err(WireError::FarOff(x.into(), y.into())),
        };
        prop_assert_eq!(action(line.as_bytes()), expected);
    }
}

#[test]
fn with_an_attack_and_a_move_the_attack_counts() {
    let line = br#"{"move":{"ship":"w","to":[0,4]},"attack":{"to":[3,4]}}"#;
    assert_eq!(action(line), Ok(Action::Attack(Coord::new(4, 3))));
}

#[test]
fn a_whole_number_is_one_however_it_is_written() {
    let at = |number: &str| action(format!(r#"{{"attack":{{"to":[{number},0]}}}}"#).as_bytes());
    for (number, column) in [
        ("0", 0),
        ("-0", 0),
        ("0.0", 0),
        ("-0.0", 0),
        ("0e0", 0),
        ("0E5", 0),
        ("1.0", 1),
        ("1e0", 1),
        ("10e-1", 1),
        ("0.4e1", 4),
        ("4.000", 4),
    ] {
        assert_eq!(at(number), Ok(Action::Attack(Coord::new(0, column))), "{number}");
    }
    let placed = placement(br#"{"w":[1.0,0e0],"c":[-0,1],"s":[2,2]}"#).unwrap();
    assert_eq!(placed.cells, [Coord::new(0, 1), Coord::new(1, 0), Coord::new(2, 2)]);
}

#[test]
fn of_equal_keys_the_last_value_counts_in_the_place_of_the_first() {
    let placed = placement(br#"{"w":[9,9],"c":[1,0],"s":[2,0],"w":[0,0],"x":{"y":1,"y":2}}"#).unwrap();
    assert_eq!(placed.order, [Ship::Battleship, Ship::Cruiser, Ship::Submarine]);
    assert_eq!(placed.cells[Ship::Battleship.index()], Coord::new(0, 0));
    let attack = action(br#"{"attack":{"to":[0,0]},"x":1,"attack":{"to":[1,1],"to":[3,2]},"x":2}"#);
    assert_eq!(attack, Ok(Action::Attack(Coord::new(2, 3))));
    let sail = action(br#"{"move":{"ship":"w","ship":"c","to":[0,4]}}"#);
    assert_eq!(sail, Ok(Action::Move(Ship::Cruiser, Coord::new(4, 0))));
}

#[test]
fn a_refused_placement_has_a_reason() {
    let cases = [
        ("", WireError::NotJson),
        ("null", WireError::NotObject),
        (r#"[[0,0],[1,0],[2,0]]"#, WireError::NotObject),
        (r#"{"w":[0,0],"c":[1,0]}"#, WireError::NotPlaced("s")),
        // Of equal keys, the last value counts.
        (r#"{"w":[0,0],"c":[1,0],"s":[2,0],"c":[5,0]}"#, WireError::OffBoard("c")),
        (r#"{"w":[0,0],"c":[1,0],"s":[2,0],"c":null}"#, WireError::NotPosition("c")),
        // Comments are no JSON.
        (r#"/* fleet */ {"w":[0,0],"c":[1,0],"s":[2,0]}"#, WireError::NotJson),
        ("{\"w\":[0,0],\"c\":[1,0],\"s\":[2,0]} // fleet", WireError::NotJson),
        (r#"{"w":[0,0],"c":[1,0],"s":[2,0],}"#, WireError::NotJson),
        (r#"{"w":[0,0],"c":[1,0],"s":[NaN,0]}"#, WireError::NotJson),
        (r#"{"w":[01,0],"c":[1,0],"s":[2,0]}"#, WireError::NotJson),
        (r#"{"w":[1.,0],"c":[1,0],"s":[2,0]}"#, WireError::NotJson),
        (r#"{"w":[0,0],"c":[1,0],"s":[5,0]}"#, WireError::OffBoard("s")),
        (r#"{"w":[0,0],"c":[-1,0],"s":[2,0]}"#, WireError::OffBoard("c")),
        (r#"{"w":[0,0,0],"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
        (r#"{"w":[0],"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
        (r#"{"w":[0.5,0],"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
        (r#"{"w":[1e-1,0],"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
        (r#"{"w":[5.0,0],"c":[1,0],"s":[2,0]}"#, WireError::OffBoard("w")),
        (r#"{"w":[18446744073709551616,0],"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
        (r#"{"w":["0","0"],"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
        (r#"{"w":{"x":0,"y":0},"c":[1,0],"s":[2,0]}"#, WireError::NotPosition("w")),
    ];
    for (line, error) in cases {
        assert_eq!(placement(line.as_bytes()), Err(error), "{line}");
    }
}

#[test]
fn a_refused_action_has_a_reason() {
    let cases = [
        ("{}", WireError::NoAction),
        (r#"{"attack":{}}"#, WireError::NotPosition("to")),
        (r#"{"attack":null}"#, WireError::NotAction("attack")),
        (r#"{"attack":{"to":[0,0]},"attack":null}"#, WireError::NotAction("attack")),
        (r#"{"attack":{"to":[0,0],"to":[0,-1]}}"#, WireError::FarOff(0, -1)),
        (r#"{"move":{"ship":"w","ship":"x","to":[0,4]}}"#, WireError::NotShip),
        (r#"{"attack":{"to":[18446744073709551616,0]}}"#, WireError::NotPosition("to")),
        (r#"{"attack":{"to":[-9223372036854775809,0]}}"#, WireError::NotPosition("to")),
        (r#"{"attack":{"to":[0,-1]}}"#, WireError::FarOff(0, -1)),
        (r#"{"move":{"ship":"w","to":[256,0]}}"#, WireError::FarOff(256, 0)),
        (r#"{"attack":{"to":[18446744073709551615,0]}}"#, WireError::FarOff(u64::MAX.into(), 0)),
        (r#"{"attack":{"to":[1.5,0]}}"#, WireError::NotPosition("to")),
        (r#"{"attack":{"to":[-1.0,0]}}"#, WireError::FarOff(-1, 0)),
        (r#"{"attack":{"to":[9007199254740992.0,0]}}"#, WireError::FarOff(1 << 53, 0)),
        (r#"{"attack":{"to":[9007199254740994.0,0]}}"#, WireError::NotPosition("to")),
        (r#"{"move":"w"}"#, WireError::NotAction("move")),
        (r#"{"move":{"to":[0,0]}}"#, WireError::NotShip),
        (r#"{"move":{"ship":"W","to":[0,0]}}"#, WireError::NotShip),
        (r#"{"move":{"ship":"w"}}"#, WireError::NotPosition("to")),
        (r#"{"move":{"ship":"w","to":[1e400,0]}}"#, WireError::NotJson),
    ];
    for (line, error) in cases {
        assert_eq!(action(line.as_bytes()), Err(error), "{line}");
    }
}

#[test]
fn a_line_names_a_kind_of_action_by_its_key_even_if_it_is_not_an_action() {
    for (line, kind) in [
        (r#"{"attack":{"to":[0,0]}}"#, Some(ActionKind::Attack)),
        (r#"{"attack":null,"move":null}"#, Some(ActionKind::Attack)),
        (r#"{"move":{"ship":"x"}}"#, Some(ActionKind::Move)),
        (r#"{"to":[0,0]}"#, None),
        (r#"{"move":{},"move":{}}"#, Some(ActionKind::Move)),
        (r#"["move"]"#, None),
        ("move", None),
    ] {
        assert_eq!(ActionKind::named(line.as_bytes()), kind, "{line}");
    }
}
