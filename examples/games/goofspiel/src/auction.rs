//! The rules, in plain Rust: this file knows nothing of the arena, and its tests run without WebAssembly.

use crate::simultaneous::Both;

/// A prize that both players have bid for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sale {
    pub prize: u8,
    /// The bids of players 0 and 1.
    pub bids: [u8; 2],
}

/// A game. Players are 0 and 1.
#[derive(Clone, PartialEq, Eq)]
pub struct Auction {
    /// The prizes that are not sold. The first one is on the table; the order of the others is hidden from both players.
    pub prizes: Vec<u8>,
    /// The cards of each player, sorted. A card that is bid stays here until both bids are revealed.
    pub hands: [Vec<u8>; 2],
    pub sales: Vec<Sale>,
    pub bids: Both<u8>,
}

impl Auction {
    pub fn new(cards: u8, first: usize, seed: u64) -> Self {
        let hand: Vec<u8> = (1..=cards).collect();
        let prizes = shuffled(hand.clone(), seed);
        Self { prizes, hands: [hand.clone(), hand], sales: Vec::new(), bids: Both::new(first) }
    }

    pub fn is_over(&self) -> bool {
        self.prizes.is_empty()
    }

    /// The player to bid.
    pub fn player(&self) -> usize {
        self.bids.player()
    }

    /// Bids a card; false if the player has not got it. The second bid sells the prize.
    pub fn bid(&mut self, card: u8) -> bool {
        let is_legal = self.hands[self.player()].contains(&card);
        if is_legal && let Some(bids) = self.bids.choose(card) {
            for (hand, bid) in self.hands.iter_mut().zip(bids) {
                hand.retain(|&card| card != bid);
            }
            self.sales.push(Sale { prize: self.prizes.remove(0), bids });
        }
        is_legal
    }

    /// The sum of the prizes that a player has won. Equal bids win nothing.
    pub fn points(&self, player: usize) -> i64 {
        let won = self.sales.iter().filter(|sale| sale.bids[player] > sale.bids[1 - player]);
        won.map(|sale| i64::from(sale.prize)).sum()
    }

    /// The player with more points.
    pub fn winner(&self) -> Option<usize> {
        [0, 1].into_iter().find(|&player| self.points(player) > self.points(1 - player))
    }

    /// The same auction, with all that is hidden from a player drawn again: a bid of the opponent, and the order of the prizes.
    pub fn resampled(&self, viewer: usize, seed: u64) -> Self {
        let mut other = self.clone();
        let hidden = &self.hands[1 - viewer];
        other.bids.resample(viewer, || hidden[(seed % hidden.len() as u64) as usize]);
        let later = other.prizes.split_off(1);
        other.prizes.extend(shuffled(later, seed / 13));
        other
    }
}

/// The cards in an order that is drawn from the seed: 13 cards have some 2³³ of them.
fn shuffled(mut cards: Vec<u8>, mut seed: u64) -> Vec<u8> {
    let mut order = Vec::new();
    while !cards.is_empty() {
        let count = cards.len() as u64;
        order.push(cards.remove((seed % count) as usize));
        seed /= count;
    }
    order
}
