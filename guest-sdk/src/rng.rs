//! Random numbers for bots.

use arena_rules::random::{SeededRng, seeded};
use rand::RngExt as _;

/// A small, fast, seeded source of random numbers, the same on every machine.
///
/// Within a game, use `game.rng(view.turn)`. Then a bot's choices depend only on the arguments of the call.
///
/// ```
/// use arena_sdk::Rng;
///
/// let mut rng = Rng::seeded(7);
/// assert!(rng.below(6) < 6);
/// assert!(rng.pick(["rock", "paper", "scissors"]).is_some());
/// assert_eq!(rng.pick([1, 2, 3].iter().filter(|&&n| n > 3)), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(SeededRng);

impl Rng {
    /// The source for a seed. The same seed always gives the same numbers.
    ///
    /// ```
    /// use arena_sdk::Rng;
    ///
    /// assert_eq!(Rng::seeded(7).bits(), Rng::seeded(7).bits());
    /// ```
    pub fn seeded(seed: u64) -> Self {
        Self(seeded(seed))
    }

    /// The source for one turn of a game. A deployment is turn 0.
    pub(crate) fn of_turn(seed: u64, turn: u32) -> Self {
        // The odd number nearest to 2^64 over the golden ratio: it spreads neighbouring turns over all 64 bits.
        Self::seeded(seed ^ u64::from(turn).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Returns a number from 0 to `bound - 1`, all equally likely.
    ///
    /// ```
    /// use arena_sdk::Rng;
    ///
    /// let mut rng = Rng::seeded(7);
    /// assert!((0..100).all(|_| rng.below(6) < 6));
    /// ```
    ///
    /// # Panics
    /// If the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        self.0.random_range(0..bound)
    }

    /// Returns one of the items of a list or an iterator, all equally likely. `None` when there are no items.
    ///
    /// ```
    /// use arena_sdk::Rng;
    ///
    /// let mut rng = Rng::seeded(7);
    /// let even = rng.pick((0..10).filter(|number| number % 2 == 0));
    /// assert!(even.is_some_and(|number| number % 2 == 0));
    /// assert_eq!(rng.pick(Vec::<u8>::new()), None);
    /// ```
    pub fn pick<T>(&mut self, items: impl IntoIterator<Item = T>) -> Option<T> {
        let mut items = items.into_iter();
        match items.size_hint() {
            (_, Some(0)) => None,
            // The number of items is known, so they need not be listed.
            (count, Some(most)) if count == most => items.nth(self.below(count)),
            _ => {
                let mut items: Vec<T> = items.collect();
                if items.is_empty() { None } else { Some(items.swap_remove(self.below(items.len()))) }
            }
        }
    }

    /// Shuffles a list. All orders are equally likely.
    ///
    /// ```
    /// use arena_sdk::Rng;
    ///
    /// let mut items = [1, 2, 3, 4];
    /// Rng::seeded(7).shuffle(&mut items);
    /// items.sort();
    /// assert_eq!(items, [1, 2, 3, 4]);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Returns 64 random bits.
    ///
    /// ```
    /// use arena_sdk::Rng;
    ///
    /// let mut rng = Rng::seeded(7);
    /// assert_ne!(rng.bits(), rng.bits());
    /// ```
    pub fn bits(&mut self) -> u64 {
        self.0.random()
    }

    /// The source that functions of the rules draw from.
    pub(crate) fn source(&mut self) -> &mut SeededRng {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_picked_about_as_often() {
        let mut rng = Rng::seeded(1);
        let mut picked = [0; 5];
        for _ in 0..10_000 {
            picked[rng.pick(0..5).unwrap()] += 1;
        }
        // Five standard deviations of a binomial with 10,000 draws at 1/5: 200.
        assert!(picked.iter().all(|&times| (1_800..2_200).contains(&times)), "{picked:?}");
    }

    #[test]
    fn a_shuffled_list_has_the_same_items_in_another_order() {
        let mut items: Vec<u8> = (0..100).collect();
        Rng::seeded(2).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let mut rng = Rng::seeded(42);
        let numbers: Vec<usize> = (0..8).map(|_| rng.below(100)).collect();
        assert_eq!(numbers, EXPECTED_OF_42);
    }

    /// Measured once. If these changed, every bot would play differently in its recorded games after it is rebuilt.
    const EXPECTED_OF_42: [usize; 8] = [79, 77, 11, 98, 36, 64, 84, 32];
}
