//! A set of games.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// A set of games of a tournament, each by the bots in its seats and its number among the games of these two. It has a bit for each game:
/// a set of single games takes a hundred times the memory for long matches.
#[derive(Clone, Debug, Default)]
pub struct GameSet {
    /// The games of two bots in blocks of 128.
    blocks: HashMap<([usize; 2], u32), u128, RandomState>,
    len: usize,
}

impl GameSet {
    /// Adds a game. Returns false if it was there.
    pub fn insert(&mut self, seats: [usize; 2], game: u32) -> bool {
        let (block, bit) = place(game);
        let games = self.blocks.entry((seats, block)).or_default();
        let is_new = *games & bit == 0;
        *games |= bit;
        self.len += usize::from(is_new);
        is_new
    }

    /// True if a game is in the set.
    pub fn contains(&self, seats: [usize; 2], game: u32) -> bool {
        let (block, bit) = place(game);
        self.blocks.get(&(seats, block)).is_some_and(|games| games & bit != 0)
    }

    /// Adds the games of another set.
    pub fn extend(&mut self, other: Self) {
        for (place, others) in other.blocks {
            let games = self.blocks.entry(place).or_default();
            self.len += (others & !*games).count_ones() as usize;
            *games |= others;
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if the set has no games.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The block of a game, and its bit.
fn place(game: u32) -> (u32, u128) {
    (game / u128::BITS, 1 << (game % u128::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_each_of_its_games_once() {
        let numbers = [1, 2, 127, 128, 129, 1_000];
        let set = |games: &[u32]| {
            let mut set = GameSet::default();
            games.iter().for_each(|&game| assert!(set.insert([0, 1], game)));
            set
        };
        let (mut all, others) = (set(&numbers[..4]), set(&numbers[2..]));
        assert!(!all.insert([0, 1], 127) && !all.contains([1, 0], 127) && !all.contains([0, 1], 129));
        all.extend(others);
        assert_eq!(all.len(), numbers.len());
        let inside: Vec<u32> = (0..2_000).filter(|&game| all.contains([0, 1], game)).collect();
        assert_eq!(inside, numbers);
    }
}
