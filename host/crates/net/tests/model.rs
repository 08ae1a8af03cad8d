//! Random games over the wire, in which every line of both sides is compared with a second referee, written from the
//! protocol's text alone.

use crate::support::{GREETING, Served, Socket, options, patient};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

type At = (i32, i32);

/// A ship afloat: its letter, its hit points and its position.
#[derive(Clone, Debug)]
struct Ship(char, u32, At);

/// The ships afloat of both sides, each in the order of its placement message.
struct Model([Vec<Ship>; 2]);

/// The lines to both sides after a turn, and the winner.
struct Turn {
    lines: [String; 2],
    winner: Option<usize>,
}

fn near(a: At, b: At) -> bool {
    (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
}

fn on_board(cell: At) -> bool {
    (0..5).contains(&cell.0) && (0..5).contains(&cell.1)
}

fn array((x, y): At) -> String {
    format!("[{x},{y}]")
}

impl Model {
    fn attack(&mut self, mover: usize, to: At) -> Turn {
        if !on_board(to) || !self.0[mover].iter().any(|ship| near(ship.2, to)) {
            let result = r#""result":{"attacked":false},"#;
            return self.turn(result, result, mover, Some(1 - mover));
        }
        let target = &mut self.0[1 - mover];
        let close = target.iter().filter(|ship| ship.2 != to && near(ship.2, to));
        let close: Vec<_> = close.map(|ship| format!("\"{}\"", ship.0)).collect();
        let mut hit = String::new();
        if let Some(ship) = target.iter_mut().find(|ship| ship.2 == to) {
            ship.1 -= 1;
            hit = format!(r#""hit":"{}","#, ship.0);
        }
        target.retain(|ship| ship.1 > 0);
        let winner = target.is_empty().then_some(mover);
        let result = format!(
            r#""result":{{"attacked":{{"position":{},{hit}"near":[{}]}}}},"#,
            array(to),
            close.join(",")
        );
        self.turn(&result, &result, mover, winner)
    }

    fn sail(&mut self, mover: usize, letter: char, to: At) -> Turn {
        let taken = self.0[mover].iter().any(|ship| ship.2 == to);
        let ship = self.0[mover].iter_mut().find(|ship| ship.0 == letter);
        let Some(ship) = ship.filter(|ship| on_board(to) && !taken && (ship.2.0 == to.0 || ship.2.1 == to.1))
        else {
            return self.turn("", r#""result":{"moved":false},"#, mover, Some(1 - mover));
        };
        let far = (to.0 - ship.2.0, to.1 - ship.2.1);
        ship.2 = to;
        let result = format!(r#""result":{{"moved":{{"ship":"{letter}","distance":{}}}}},"#, array(far));
        self.turn("", &result, mover, None)
    }

    /// An attack or a move with an invalid value.
    fn foul(&self, mover: usize, key: &str) -> Turn {
        if key == "attack" {
            let result = r#""result":{"attacked":false},"#;
            return self.turn(result, result, mover, Some(1 - mover));
        }
        self.turn("", r#""result":{"moved":false},"#, mover, Some(1 - mover))
    }

    fn turn(&self, to_mover: &str, to_other: &str, mover: usize, winner: Option<usize>) -> Turn {
        let lines = [0, 1].map(|side: usize| {
            let result = if side == mover { to_mover } else { to_other };
            let outcome = winner.map(|winner| format!("\"outcome\":{},", winner == side)).unwrap_or_default();
            let me: Vec<_> = self.0[side]
                .iter()
                .map(|ship| format!(r#""{}":{{"hp":{},"position":{}}}"#, ship.0, ship.1, array(ship.2)))
                .collect();
            let enemy: Vec<_> =
                self.0[1 - side].iter().map(|ship| format!(r#""{}":{{"hp":{}}}"#, ship.0, ship.1)).collect();
            let (me, enemy) = (me.join(","), enemy.join(","));
            format!(r#"{{{result}{outcome}"condition":{{"me":{{{me}}},"enemy":{{{enemy}}}}}}}"#)
        });
        Turn { lines, winner }
    }
}

/// An attempt of a side: an attack or a move of a ship, by numbers that are valid in any position.
#[derive(Clone, Debug)]
enum Try {
    /// Attack next to the ship with this index.
    Beside(usize, At),
    /// Move the ship with this index along its row or its column.
    Along(usize, bool, i32),
    /// Attack any cell.
    Attack(At),
    /// Move any ship to any cell.
    Sail(char, At),
    /// Attack or move, by this key, with an invalid value.
    Foul(&'static str, &'static str),
}

fn tries() -> impl Strategy<Value = Try> {
    prop_oneof![
        60 => (0..3_usize, (-1..=1, -1..=1)).prop_map(|(ship, by)| Try::Beside(ship, by)),
        40 => (0..3_usize, any::<bool>(), 0..5).prop_map(|(ship, row, to)| Try::Along(ship, row, to)),
        1 => (-2..8, -2..8).prop_map(Try::Attack),
        1 => (
            prop::sample::select(vec!["attack", "move"]),
            prop::sample::select(vec!["null", "{}", r#"{"ship":"x","to":[0]}"#, r#"{"ship":"w","to":[0.5,1]}"#]),
        ).prop_map(|(key, value)| Try::Foul(key, value)),
        1 => (prop::sample::select(vec!['w', 'c', 's']), (-2..8, -2..8)).prop_map(|(ship, to)| Try::Sail(ship, to)),
    ]
}

fn placements() -> impl Strategy<Value = Vec<Ship>> {
    let cells: Vec<At> = (0..25).map(|cell| (cell % 5, cell / 5)).collect();
    let ships = Just(vec![('w', 3), ('c', 2), ('s', 1)]).prop_shuffle();
    (ships, prop::sample::subsequence(cells, 3).prop_shuffle()).prop_map(|(ships, cells)| {
        ships.into_iter().zip(cells).map(|((letter, hp), at)| Ship(letter, hp, at)).collect()
    })
}

/// Plays the attempts. Returns true if the game ended.
fn play(model: &mut Model, sockets: &mut [Socket; 2], tries: &[Try]) -> bool {
    for (number, drawn) in tries.iter().enumerate() {
        let mover = number % 2;
        sockets[mover].hears("your turn");
        sockets[1 - mover].hears("waiting");
        let own = &model.0[mover];
        let (line, turn) = match *drawn {
            Try::Beside(ship, by) => {
                let from = own[ship % own.len()].2;
                let to = ((from.0 + by.0).clamp(0, 4), (from.1 + by.1).clamp(0, 4));
                (format!(r#"{{"attack":{{"to":{}}}}}"#, array(to)), model.attack(mover, to))
            }
            Try::Along(ship, row, number) => {
                let Ship(letter, _, from) = own[ship % own.len()];
                let mut to = if row { (number, from.1) } else { (from.0, number) };
                // Moving onto an own ship would end most games: then it attacks its own cell instead.
                if own.iter().any(|ship| ship.2 == to) {
                    to = from;
                    (format!(r#"{{"attack":{{"to":{}}}}}"#, array(to)), model.attack(mover, to))
                } else {
                    let line = format!(r#"{{"move":{{"ship":"{letter}","to":{}}}}}"#, array(to));
                    (line, model.sail(mover, letter, to))
                }
            }
            Try::Attack(to) => (format!(r#"{{"attack":{{"to":{}}}}}"#, array(to)), model.attack(mover, to)),
            Try::Foul(key, value) => (format!(r#"{{"{key}":{value}}}"#), model.foul(mover, key)),
            Try::Sail(letter, to) => {
                let line = format!(r#"{{"move":{{"ship":"{letter}","to":{}}}}}"#, array(to));
                (line, model.sail(mover, letter, to))
            }
        };
        sockets[mover].says(&line);
        for (socket, expected) in sockets.iter_mut().zip(&turn.lines) {
            socket.hears(expected);
        }
        if let Some(winner) = turn.winner {
            sockets[winner].hears("you win");
            sockets[1 - winner].hears("you lose");
            sockets.iter_mut().for_each(Socket::hears_end);
            return true;
        }
    }
    false
}

#[test]
fn random_games_agree_with_a_second_referee() {
    let served = Served::start(options(patient()));
    let ended = Cell::new(0);
    let drawn = (prop::array::uniform2(placements()), prop::collection::vec(tries(), 200));
    let played =
        TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) }).run(
            &drawn,
            |(fleets, tries)| {
                let mut sockets = [served.connect(), served.connect()];
                for (socket, fleet) in sockets.iter_mut().zip(&fleets) {
                    socket.hears(GREETING);
                    let ship = |ship: &Ship| format!("\"{}\":{}", ship.0, array(ship.2));
                    socket.says(&format!("{{{}}}", fleet.iter().map(ship).collect::<Vec<_>>().join(",")));
                }
                if play(&mut Model(fleets), &mut sockets, &tries) {
                    ended.set(ended.get() + 1);
                }
                drop(sockets);
                served.game();
                Ok(())
            },
        );
    played.unwrap();
    assert!(ended.get() > 64, "{} games ended by the rules", ended.get());
    served.stop();
}
