//! The rules, as those of OpenSpiel's `leduc_poker`, in plain Rust: this file knows nothing of the arena but the types of an action and a
//! card, and its tests run without WebAssembly.

use crate::{Action, Card};

/// The chips that a raise adds to a call, in each round.
const RAISES: [u8; 2] = [2, 4];
const RAISES_IN_A_ROUND_MAX: usize = 2;

/// The bets of a hand: all that both players see, except for the card on the table. Players are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bets {
    /// The actions of each round.
    pub rounds: [Vec<Action>; 2],
    /// The round that is played; 2 after both.
    pub round: usize,
    /// The chips that each player has put into the pot.
    pub chips: [u8; 2],
    pub player: usize,
    opener: usize,
    folded: Option<usize>,
}

impl Bets {
    /// The bets before the first action, of a player that opens both rounds. Each player has put in a chip.
    pub fn new(opener: usize) -> Self {
        let rounds = [Vec::new(), Vec::new()];
        Self { rounds, round: 0, chips: [1, 1], player: opener, opener, folded: None }
    }

    pub fn is_over(&self) -> bool {
        self.round == 2 || self.folded.is_some()
    }

    /// The chips that the player has to add for a call.
    fn owed(&self) -> u8 {
        self.chips[1 - self.player] - self.chips[self.player]
    }

    /// Only who owes chips may fold.
    pub fn legal(&self) -> Vec<Action> {
        if self.is_over() {
            return Vec::new();
        }
        let raises = self.rounds[self.round].iter().filter(|&&it| it == Action::Raise).count();
        let fold = (self.owed() > 0).then_some(Action::Fold);
        let raise = (raises < RAISES_IN_A_ROUND_MAX).then_some(Action::Raise);
        fold.into_iter().chain([Action::Call]).chain(raise).collect()
    }

    /// Bets, and returns the chips that the player adds; `None` if the action is not legal.
    pub fn bet(&mut self, action: Action) -> Option<u8> {
        if !self.legal().contains(&action) {
            return None;
        }
        let player = self.player;
        let added = match action {
            Action::Fold => 0,
            Action::Call => self.owed(),
            Action::Raise => self.owed() + RAISES[self.round],
        };
        self.chips[player] += added;
        let actions = &mut self.rounds[self.round];
        actions.push(action);
        match action {
            Action::Fold => self.folded = Some(player),
            // The same player may be next, after a raise, a raise and a call. A call as the first action of a round does not end it.
            Action::Call if actions.len() > 1 => (self.round, self.player) = (self.round + 1, self.opener),
            _ => self.player = 1 - player,
        }
        Some(added)
    }

    /// The chips that a player has won with these cards, or lost if fewer than 0, when the hand is over.
    pub fn won(&self, player: usize, cards: [Card; 2], table: Card) -> i64 {
        let strength = |of: usize| (self.folded != Some(of), cards[of] == table, cards[of]);
        match strength(player).cmp(&strength(1 - player)) {
            _ if !self.is_over() => 0,
            std::cmp::Ordering::Less => -i64::from(self.chips[player]),
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => self.chips[1 - player].into(),
        }
    }
}

/// A hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The card of each player.
    pub cards: [Card; 2],
    table: Card,
    pub bets: Bets,
}

impl Hand {
    pub fn new(opener: usize, seed: u64) -> Self {
        let [first, second, table] = dealt([None; 3], seed);
        Self { cards: [first, second], table, bets: Bets::new(opener) }
    }

    /// The card on the table, which is shown after the first round.
    pub fn table(&self) -> Option<Card> {
        (self.bets.round > 0).then_some(self.table)
    }

    /// The chips that a player has won, or lost if fewer than 0: -13 to 13.
    pub fn won(&self, player: usize) -> i64 {
        self.bets.won(player, self.cards, self.table)
    }

    /// The same hand, with the cards that this player cannot see dealt again.
    pub fn resampled(&self, viewer: usize, seed: u64) -> Self {
        let mut known = [None, None, self.table()];
        known[viewer] = Some(self.cards[viewer]);
        let [first, second, table] = dealt(known, seed);
        Self { cards: [first, second], table, bets: self.bets.clone() }
    }
}

/// Two cards for the players and one for the table: those that are known, and others drawn from the rest of the deck.
fn dealt(known: [Option<Card>; 3], mut seed: u64) -> [Card; 3] {
    let mut deck = vec![Card::Jack, Card::Jack, Card::Queen, Card::Queen, Card::King, Card::King];
    for card in known.into_iter().flatten() {
        let at = deck.iter().position(|&it| it == card).expect("a known card is in the deck");
        deck.remove(at);
    }
    known.map(|card| {
        card.unwrap_or_else(|| {
            let at = seed % deck.len() as u64;
            seed /= deck.len() as u64;
            deck.remove(at as usize)
        })
    })
}
