//! The rules, in plain Rust: this file knows nothing of the arena, and its tests run without WebAssembly.

/// The claim that this many dice show a face.
pub type Claim = (u8, u8);

/// A round. Players are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The dice of both players, sorted.
    pub dice: [Vec<u8>; 2],
    pub bids: Vec<Claim>,
    pub player: usize,
    pub winner: Option<usize>,
}

impl Round {
    pub fn new(number: usize, player: usize, seed: u64) -> Self {
        let mut seed = seed;
        Self { dice: [(); 2].map(|()| roll(number, &mut seed)), bids: Vec::new(), player, winner: None }
    }

    /// The same round, with the dice that this player cannot see rolled again.
    pub fn rolled_again(&self, viewer: usize, mut seed: u64) -> Self {
        let mut other = self.clone();
        other.dice[1 - viewer] = roll(self.dice[0].len(), &mut seed);
        other
    }

    /// All claims that are higher than the last one.
    pub fn higher(&self) -> Vec<Claim> {
        let all = (1..=2 * self.dice[0].len() as u8).flat_map(|count| (1..=6).map(move |face| (count, face)));
        all.filter(|claim| self.bids.last().is_none_or(|last| claim > last)).collect()
    }

    /// Bids; false if the claim is not higher, or impossible.
    pub fn raise(&mut self, claim: Claim) -> bool {
        let is_legal = self.higher().contains(&claim);
        if is_legal {
            self.bids.push(claim);
            self.player = 1 - self.player;
        }
        is_legal
    }

    /// Doubts the last bid, and returns the number of dice that show its face; `None` when there is no bid.
    pub fn challenge(&mut self) -> Option<u8> {
        let &(count, face) = self.bids.last()?;
        let found = self.dice.iter().flatten().filter(|&&die| die == face).count() as u8;
        self.winner = Some(if found >= count { 1 - self.player } else { self.player });
        Some(found)
    }
}

fn roll(number: usize, seed: &mut u64) -> Vec<u8> {
    let mut dice: Vec<u8> = (0..number).map(|_| (random(seed) % 6) as u8 + 1).collect();
    dice.sort_unstable();
    dice
}

/// The next number of the generator SplitMix64 (Steele, Lea and Flood 2014).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
