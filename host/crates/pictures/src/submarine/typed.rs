//! Actions of Submarine as a person writes them.

use super::letter;
use crate::spot;
use arena_rules::submarine::{Action, Illegal, SIZE, Ship};

/// The reason why an action is not legal, for the person who would take it.
pub(super) fn why(illegal: Illegal) -> &'static str {
    match illegal {
        Illegal::OffBoard => "that is off the board",
        Illegal::OutOfReach => "none of your ships is within one step of it",
        Illegal::Sunk => "that ship is sunk",
        Illegal::NoDistance => "it is there already",
        Illegal::NotStraight => "a ship moves along a row or a column",
        Illegal::Occupied => "another ship of yours is there",
    }
}

/// The action that was typed: `b3` or `a 3,1` to attack, `m w b3` or `m w 3,1` to move.
pub(super) fn parse(typed: &str) -> Result<Action, String> {
    let text = typed.trim().to_ascii_lowercase();
    if let Some(rest) = text.strip_prefix('m') {
        let rest = rest.trim_start();
        let ship = Ship::ALL.into_iter().find(|&ship| rest.starts_with(letter(ship)));
        let ship = ship.ok_or("which ship? m w, m c or m s, then where to, like m w b3")?;
        return Ok(Action::Move(ship, spot::parse(SIZE, &rest[1..])?));
    }
    // A spot may follow after `a `, but `a 3` is a spot itself.
    let after = text.strip_prefix("a ").map(|rest| spot::parse(SIZE, rest));
    match after {
        Some(Ok(at)) => Ok(Action::Attack(at)),
        _ => spot::parse(SIZE, &text).map(Action::Attack),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Coord;

    fn check(typed: &str, expected: Result<Action, &str>) {
        match (parse(typed), expected) {
            (Ok(action), Ok(expected)) => assert_eq!(action, expected, "{typed:?}"),
            (Err(text), Err(expected)) => assert!(text.contains(expected), "{typed:?}: {text}"),
            (parsed, _) => panic!("{typed:?}: {parsed:?}"),
        }
    }

    #[test]
    fn an_action_is_typed_in_a_few_ways() {
        let at = Coord::new(3, 1);
        for typed in ["b3", "3,1", "a 3,1", "a b3", "A B3", " a (3, 1) "] {
            check(typed, Ok(Action::Attack(at)));
        }
        check("a 3", Ok(Action::Attack(Coord::new(3, 0))));
        for typed in ["m w b3", "m w 3,1", "mw3,1", "M W B3"] {
            check(typed, Ok(Action::Move(Ship::Battleship, at)));
        }
        check("m s a0", Ok(Action::Move(Ship::Submarine, Coord::new(0, 0))));
    }

    #[test]
    fn text_that_is_not_an_action_is_explained() {
        check("m", Err("which ship?"));
        check("m x b3", Err("which ship?"));
        check("m w", Err("type a spot"));
        check("m w é", Err("not a spot"));
        check("f1", Err("columns are a to e"));
        check("a 9,9", Err("not a spot"));
        check("w b3", Err("not a spot"));
    }
}
