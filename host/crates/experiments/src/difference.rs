//! The difference between two runs of the same game.

use arena_referee::Event;
use arena_rules::Game;

/// The difference between two runs of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the first event that differs, from 1.
    pub event: usize,
    /// True if the clock decided something in one of them, so that they need not be the same.
    pub is_by_clock: bool,
}

impl Difference {
    /// The difference between the events of two runs; `None` when they are the same.
    pub(crate) fn of<G: Game>(first: &[Event<G>], again: &[Event<G>]) -> Option<Self> {
        let same = first.iter().zip(again).take_while(|(one, other)| one == other).count();
        let is_by_clock = [first, again]
            .iter()
            .any(|events| matches!(events.last(), Some(Event::Ended { reproducible: false, .. })));
        let is_same = same == first.len() && same == again.len();
        (!is_same).then_some(Self { event: same + 1, is_by_clock })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::battleship::{Action, Battleship, Effect};
    use arena_rules::{Coord, Outcome, Reason, Seat};

    /// A game of this number of turns, which the clock decided if `is_by_clock`.
    fn game(turns: u32, is_by_clock: bool) -> Vec<Event<Battleship>> {
        let acted = |turn| Event::Acted {
            seat: Seat::First,
            turn,
            action: Action::Shot(Coord::new(0, 0)),
            effect: Effect::Skipped,
            fuel: 1,
            attempts: None,
        };
        let (outcome, reason) = (Outcome::Draw, Reason::Forfeit);
        (1..=turns)
            .map(acted)
            .chain([Event::Ended { outcome, reason, scores: None, reproducible: !is_by_clock }])
            .collect()
    }

    #[track_caller]
    fn check(first: &[Event<Battleship>], again: &[Event<Battleship>], expected: Option<(usize, bool)>) {
        let expected = expected.map(|(event, is_by_clock)| Difference { event, is_by_clock });
        assert_eq!(Difference::of(first, again), expected);
    }

    #[test]
    fn a_difference_is_by_the_clock_if_it_decided_in_either_run() {
        check(&game(3, false), &game(2, false), Some((3, false)));
        check(&game(3, true), &game(2, false), Some((3, true)));
        check(&game(3, false), &game(2, true), Some((3, true)));
        check(&game(3, false), &game(3, true), Some((4, true)));
    }

    #[test]
    fn games_with_the_same_events_do_not_differ_and_one_that_goes_on_does() {
        check(&game(3, false), &game(3, false), None);
        check(&game(3, true), &game(3, true), None);
        check(&game(3, false)[..2], &game(3, false), Some((3, false)));
    }
}
