//! The solution of the game: a strategy for both players, made by the regrets of each in turn.

use crate::hand::Bets;
use crate::{Action, Card};

const CARDS: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

/// A number for each card that a player may have.
type ByCard = [f64; 3];

/// The bets so far, what may follow them, and how they are played.
pub struct Node {
    bets: Bets,
    actions: Vec<Action>,
    /// The node after each action; or, before the card on the table is shown, after each card.
    next: Vec<Node>,
    /// What player 0 wins at the end by the cards of both, each time as often as they are dealt.
    pays: [ByCard; 3],
    /// For each action: how much better it would have been than what was played, so far.
    regrets: [ByCard; 3],
    /// For each action: how often it was played, of which later times count more.
    played: [ByCard; 3],
}

impl Node {
    /// The game, solved in this number of iterations. Player 0 opens it.
    pub fn solved(iterations: u32) -> Self {
        let mut root = Self::new(Bets::new(0), None);
        for iteration in 1..=iterations {
            for learner in [0, 1] {
                root.learn(learner, [[1.0; 3]; 2], iteration.into());
            }
        }
        root
    }

    fn new(bets: Bets, table: Option<Card>) -> Self {
        let is_dealt = bets.round == 0 || table.is_some();
        let actions = if is_dealt { bets.legal() } else { Vec::new() };
        let after = |&action: &Action| {
            let mut bets = bets.clone();
            bets.bet(action);
            Self::new(bets, table)
        };
        let next = match is_dealt {
            true => actions.iter().map(after).collect(),
            false => CARDS.iter().map(|&card| Self::new(bets.clone(), Some(card))).collect(),
        };
        let pays = CARDS.map(|first| CARDS.map(|second| pay(&bets, [first, second], table)));
        Self { bets, actions, next, pays, regrets: [[0.0; 3]; 3], played: [[0.0; 3]; 3] }
    }

    /// The node after these actions and this card on the table.
    pub fn after(&self, first: &[Action], table: Option<Card>, second: &[Action]) -> &Self {
        let node = self.after_all(first);
        table.map_or(node, |card| node.next[card as usize].after_all(second))
    }

    fn after_all(&self, actions: &[Action]) -> &Self {
        actions.iter().fold(self, |node, action| {
            let at = node.actions.iter().position(|it| it == action);
            &node.next[at.expect("only legal actions were played")]
        })
    }

    /// An action with a card, by a random number from 0 to 1.
    pub fn draw(&self, card: Card, mut random: f64) -> Action {
        let shares = shares(&self.played, self.actions.len()).map(|share| share[card as usize]);
        let drawn = shares.into_iter().zip(&self.actions).find(|(share, _)| {
            random -= share;
            random <= 0.0
        });
        drawn.map_or(Action::Call, |(_, &action)| action)
    }

    /// Plays all hands from here, and learns. `reach` has the chances that the players have played so far, with each card. Returns what
    /// the learner wins with each card.
    fn learn(&mut self, learner: usize, reach: [ByCard; 2], iteration: f64) -> ByCard {
        if self.bets.is_over() {
            return self.won(learner, &reach[1 - learner]);
        }
        let mut total = [0.0; 3];
        if self.actions.is_empty() {
            for next in &mut self.next {
                add(&mut total, next.learn(learner, reach, iteration), [1.0; 3]);
            }
            return total;
        }
        let player = self.bets.player;
        let shares = shares(&self.regrets, self.actions.len());
        let mut values = [[0.0; 3]; 3];
        for (at, next) in self.next.iter_mut().enumerate() {
            let mut reach = reach;
            (0..3).for_each(|card| reach[player][card] *= shares[at][card]);
            values[at] = next.learn(learner, reach, iteration);
            add(&mut total, values[at], if player == learner { shares[at] } else { [1.0; 3] });
        }
        if player == learner {
            for at in 0..self.actions.len() {
                for card in 0..3 {
                    let regret = &mut self.regrets[at][card];
                    *regret = (*regret + values[at][card] - total[card]).max(0.0);
                    self.played[at][card] += iteration * reach[player][card] * shares[at][card];
                }
            }
        }
        total
    }

    /// What a player wins with each card at the end, if the opponent plays each of its cards this often.
    fn won(&self, player: usize, reach: &ByCard) -> ByCard {
        [0, 1, 2].map(|mine| match player {
            0 => (0..3).map(|theirs| reach[theirs] * self.pays[mine][theirs]).sum(),
            _ => (0..3).map(|theirs| -reach[theirs] * self.pays[theirs][mine]).sum(),
        })
    }
}

/// What player 0 wins with these cards of both players, over all cards that may lie on the table, each as often as it is dealt.
fn pay(bets: &Bets, cards: [Card; 2], table: Option<Card>) -> f64 {
    // Of the two cards of each kind, others are dealt already.
    let left = |of: Card, dealt: &[Card]| 2.0 - dealt.iter().filter(|&&card| card == of).count() as f64;
    let ways = left(cards[1], &cards[..1]);
    let tables = CARDS.into_iter().filter(|&card| table.is_none_or(|table| table == card));
    tables.map(|card| ways * left(card, &cards) * bets.won(0, cards, card) as f64).sum()
}

fn add(total: &mut ByCard, value: ByCard, factor: ByCard) {
    (0..3).for_each(|card| total[card] += value[card] * factor[card]);
}

/// The share that each of the first rows has of the sum of all, or the same share for each row of nothing.
fn shares(rows: &[ByCard; 3], number: usize) -> [ByCard; 3] {
    let sums = [0, 1, 2].map(|card| rows[0][card] + rows[1][card] + rows[2][card]);
    rows.map(|row| {
        [0, 1, 2].map(|card| if sums[card] > 0.0 { row[card] / sums[card] } else { 1.0 / number as f64 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a player wins with each card, if the players play the solution; or if this one plays its best answer to it.
    fn value(node: &Node, player: usize, reach: [ByCard; 2], is_best: bool) -> ByCard {
        if node.bets.is_over() {
            return node.won(player, &reach[1 - player]);
        }
        let moves = node.bets.player == player && !node.actions.is_empty();
        let mut total = [if moves && is_best { f64::MIN } else { 0.0 }; 3];
        let shares = shares(&node.played, node.actions.len());
        for (at, next) in node.next.iter().enumerate() {
            let share = if node.actions.is_empty() { [1.0; 3] } else { shares[at] };
            let mut reach = reach;
            (0..3).for_each(|card| reach[node.bets.player][card] *= share[card]);
            let value = value(next, player, reach, is_best);
            match moves && is_best {
                true => (0..3).for_each(|card| total[card] = total[card].max(value[card])),
                false => add(&mut total, value, if moves { share } else { [1.0; 3] }),
            }
        }
        total
    }

    #[test]
    fn the_solution_has_the_known_value_of_the_game_and_nearly_no_better_answer() {
        let solution = Node::solved(crate::ITERATIONS);
        // Each card is there twice, in 120 deals.
        let value = |player, is_best| {
            value(&solution, player, [[1.0; 3]; 2], is_best).iter().sum::<f64>() * 2.0 / 120.0
        };
        assert!((value(0, false) + 0.0856).abs() < 0.002, "{}", value(0, false));
        let gains = [0, 1].map(|player| value(player, true) - value(player, false));
        assert!(gains.iter().all(|gain| (0.0..0.02).contains(gain)), "{gains:?}");
    }
}
