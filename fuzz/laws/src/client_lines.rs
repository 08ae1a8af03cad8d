//! The lines of clients over a socket.

use arena_net::wire::{self, ActionKind, Orders, Placed};
use arena_rules::submarine::{Action, Positions, Rules, SIZE, Ship, Submarine};
use arena_rules::{Coord, Game, Ruling, Seat};
use serde_json::Value;

/// Any bytes are lines. Any line is a message, or is refused with a complaint that is safe to print and repeats no text
/// of the line. A message means the same in its plain form. A game of two placements and any actions after them is reported to
/// both sides in lines of JSON.
pub fn client_lines_survive_any_bytes(data: &[u8]) {
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
    for line in &lines {
        check_placement(line);
        check_action(line);
    }
    let [first, second, actions @ ..] = &lines[..] else { return };
    if let (Ok(first), Ok(second)) = (wire::placement(first), wire::placement(second)) {
        play([first, second], actions);
    }
}

fn check_placement(line: &[u8]) {
    match wire::placement(line) {
        Ok(placed) => {
            assert!(placed.cells.iter().all(|&at| SIZE.contains(at)), "{placed:?}");
            let mut order = placed.order;
            order.sort_unstable();
            assert_eq!(order, Ship::ALL, "each ship is there once");
            let plain = placed.order.map(|ship| {
                let at = placed.cells[ship.index()];
                format!("\"{}\":[{},{}]", wire::letter(ship), at.column, at.row)
            });
            assert_eq!(wire::placement(format!("{{{}}}", plain.join(",")).as_bytes()), Ok(placed));
        }
        Err(error) => check_complaint(&error.to_string()),
    }
}

fn check_action(line: &[u8]) {
    let xy = |at: Coord| format!("[{},{}]", at.column, at.row);
    match wire::action(line) {
        Ok(action) => {
            let plain = match action {
                Action::Attack(at) => format!(r#"{{"attack":{{"to":{}}}}}"#, xy(at)),
                Action::Move(ship, to) => {
                    format!(r#"{{"move":{{"ship":"{}","to":{}}}}}"#, wire::letter(ship), xy(to))
                }
            };
            assert_eq!(wire::action(plain.as_bytes()), Ok(action), "{plain}");
        }
        Err(error) => check_complaint(&error.to_string()),
    }
}

/// Checks that a complaint is short and ASCII, so that no text of a client is in it.
fn check_complaint(text: &str) {
    assert!(!text.is_empty() && text.len() < 100 && text.is_ascii(), "{text:?}");
    assert!(!text.chars().any(char::is_control), "{text:?}");
}

fn play(placed: [Placed; 2], actions: &[&[u8]]) {
    let [Ok(first), Ok(second)] = placed.map(|side| Positions::new(side.cells)) else { return };
    let mut game = Submarine::new(&Rules::default(), [first, second], Seat::First);
    for line in actions {
        let Some(seat) = game.to_move() else { break };
        let Ok(action) = wire::action(line) else { break };
        let ruling = game.act(seat, &action);
        let effect = if let Ruling::Done(report) = &ruling { Some(report) } else { None };
        for me in Seat::BOTH {
            let orders = Orders { me: placed[me.index()].order, enemy: placed[me.other().index()].order };
            let line = wire::acted(me, seat, Some(ActionKind::of(&action)), effect, &game, orders);
            check_report(&line, me, &game);
        }
    }
    if let Some((outcome, _)) = game.end() {
        let words = Seat::BOTH.map(|seat| wire::end(seat, outcome));
        let even = [wire::EVEN; 2];
        assert!(words == even || words.contains(&wire::YOU_WIN) && words.contains(&wire::YOU_LOSE));
    }
}

/// Checks that a line is JSON, and that its condition is that of the game.
fn check_report(line: &str, me: Seat, game: &Submarine) {
    assert!(!line.contains('\n'));
    let report: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    for (side, seat) in [("me", me), ("enemy", me.other())] {
        let ships = report["condition"][side].as_object().unwrap_or_else(|| panic!("{line}"));
        assert_eq!(ships.len(), game.ships(seat).len(), "{line}");
        for own in game.ships(seat) {
            let ship = &ships[wire::letter(own.ship)];
            assert_eq!(ship["hp"], own.hit_points, "{line}");
            // No line has the position of an enemy's ship.
            let position = (side == "me").then(|| serde_json::json!([own.at.column, own.at.row]));
            assert_eq!(ship.get("position"), position.as_ref(), "{line}");
        }
    }
}
