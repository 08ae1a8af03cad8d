//! The work that a turn's fuel pays for.

use arena_sdk::Game;
use arena_sdk::battleship::Effort;

/// The fuel of a look, for each word of a set. Measured: 120 on a board of 10 by 10 cells, under `classic` and `pirates`, when a load cost
/// 12 units; at 24, a game takes 1.4 times as much. Chosen: a fifth more than that.
const FUEL_PER_LOOK: u64 = 215;

/// The most looks in a turn. Chosen: about as many as the default budget of `guide` and `classic` pays for; they take some
/// milliseconds.
const LOOKS_MAX: u64 = 500_000;

/// The most fleets to draw. Chosen: under `classic` and `pirates`, 500 bring no gain over `posterior`, 1,000 to 1,500 do, and no
/// further gain of more was seen.
const DRAWN_MAX: usize = 2_500;

/// The fleets to draw if they are not played out, as many as `posterior` draws.
const DRAWN_FOR_CHANCES: usize = 600;

/// The number of looks at a fleet that a turn pays for. A look is one fleet at one shot of a game that is played out.
#[derive(Clone, Copy, Debug)]
pub struct Looks(usize);

/// The number of candidates, and the number of shots for which they are compared: the most work first.
const SEARCHES: [(usize, u32); 7] = [(5, 3), (8, 2), (5, 2), (8, 1), (5, 1), (3, 1), (2, 1)];

impl Looks {
    /// The looks that two fifths of a turn's fuel pay for. A smaller part draws the fleets, and the rest is a reserve: a look may
    /// take half as much fuel again.
    pub fn of<const WORDS: usize>(game: &Game) -> Self {
        let looks = game.fuel_per_turn / 5 * 2 / (FUEL_PER_LOOK * WORDS as u64);
        Self(looks.min(LOOKS_MAX) as usize)
    }

    /// The number of looks.
    pub fn count(self) -> usize {
        self.0
    }

    /// The numbers of fleets to ask for.
    pub fn effort<const WORDS: usize>(self, game: &Game) -> Effort {
        let paid = game.fleets_for_fuel::<WORDS>(game.fuel_per_turn / 6);
        // The games of as many fleets are played out for five candidates, and those of a list for two.
        let drawn = if game.sinkings_announced { DRAWN_MAX.min(self.0 / 80) } else { DRAWN_FOR_CHANCES };
        Effort { listed_max: (self.0 / 40).min(paid), drawn_max: drawn.clamp(1, paid.max(1)) }
    }

    /// The number of cells to compare, and the number of shots for which they are compared: 0 if no search is paid for.
    pub fn search(self, fleets: usize) -> (usize, u32) {
        // A game of n fleets splits them log n times and some more, since most splits are not even.
        let of_game = fleets * (5 + fleets.max(1).ilog2() as usize);
        let is_paid = |&(candidates, compared): &(usize, u32)| of_game * candidates.pow(compared) <= self.0;
        if fleets == 0 { (1, 0) } else { SEARCHES.into_iter().find(is_paid).unwrap_or((1, 0)) }
    }
}
