//! The chance to win over the turns, by a simple model.
//!
//! The model is Pascal's and Fermat's problem of points: each next hit is equally likely to be either side's. A side that
//! needs `a` more hits than it has, against one that needs `b`, is first with the probability that at least `a` of `a + b -
//! 1` fair coins show heads. The model ignores how well a side aims; the screen names it.

use crate::moment::Moment;
use crate::pictured::Pictured;
use arena_rules::{Outcome, Seat};

/// The probability that a side that needs `mine` more hits gets them before the other gets `theirs`. Both are at least 1,
/// or one of them is 0, which has won.
fn chance(mine: u32, theirs: u32) -> f64 {
    match (mine, theirs) {
        (0, 0) => return 0.5,
        (0, _) => return 1.0,
        (_, 0) => return 0.0,
        _ => {}
    }
    let coins = mine + theirs - 1;
    // The probability of each number of heads, from that of none. A fleet has 1,024 cells at most: the smallest power is
    // too small for a number, so the sum is taken in logarithms.
    let log_of_all = -f64::from(coins) * std::f64::consts::LN_2;
    let mut log_ways = 0.0_f64;
    let mut sum = 0.0;
    for heads in 0..=coins {
        if heads >= mine {
            sum += (log_ways + log_of_all).exp();
        }
        log_ways += f64::from(coins - heads).ln() - f64::from(heads + 1).ln();
    }
    // As long as the other side can win, the chance is not certain.
    sum.min(1.0 - f64::EPSILON)
}

/// The chance of seat 1 to win after each event of a game, from 0 to 1.
#[derive(Clone, Debug)]
pub struct Chances {
    of_first: Vec<f64>,
    /// The numbers of hits that each side needed at the last moment: most shots do not change them.
    needs: [u32; 2],
}

impl Chances {
    /// The chance before the first event.
    pub fn new<G: Pictured>(moment: &Moment<G>) -> Self {
        let needs = needs(moment);
        Self { of_first: vec![chance(needs[0], needs[1])], needs }
    }

    /// Adds the chance at the next moment.
    pub fn push<G: Pictured>(&mut self, moment: &Moment<G>) {
        let needs = needs(moment);
        let next = match (moment.replay.end(), self.of_first.last()) {
            (Some((Outcome::Win(winner), _)), _) => f64::from(u8::from(winner == Seat::First)),
            (Some(_), _) => 0.5,
            (None, Some(&last)) if needs == self.needs => last,
            (None, _) => chance(needs[0], needs[1]),
        };
        self.of_first.push(next);
        self.needs = needs;
    }

    /// The chance of seat 1 at a position; at the last one for a position after it.
    pub fn of_first(&self, position: usize) -> f64 {
        self.of_first[position.min(self.of_first.len() - 1)]
    }

    /// The chances of a seat at each position up to one.
    pub fn of(&self, seat: Seat, position: usize) -> impl ExactSizeIterator<Item = f64> {
        let of_first = self.of_first.iter().take(position + 1);
        of_first.map(move |&chance| if seat == Seat::First { chance } else { 1.0 - chance })
    }
}

/// The number of hits that each side still needs, by seat.
pub fn needs<G: Pictured>(moment: &Moment<G>) -> [u32; 2] {
    Seat::BOTH.map(|seat| {
        let (hit, all) = G::damage(moment, seat.other());
        all.saturating_sub(hit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mine: u32, theirs: u32, expected: f64) {
        assert!((chance(mine, theirs) - expected).abs() < 1e-9, "{mine} {theirs}: {}", chance(mine, theirs));
    }

    #[test]
    fn the_chance_is_that_of_the_problem_of_points() {
        check(1, 1, 0.5);
        // Pascal and Fermat's own case, of 1654: one player lacks 2 games, the other 3.
        check(2, 3, 11.0 / 16.0);
        check(3, 2, 5.0 / 16.0);
        check(1, 3, 7.0 / 8.0);
        check(20, 20, 0.5);
        check(1_000, 1_000, 0.5);
        assert!(chance(3, 1_000) < 1.0, "a lead is not a win");
        check(0, 5, 1.0);
        check(5, 0, 0.0);
    }

    #[test]
    fn the_chances_of_both_sides_make_a_whole() {
        for mine in 1..30 {
            for theirs in 1..30 {
                check(mine, theirs, 1.0 - chance(theirs, mine));
            }
        }
    }
}
