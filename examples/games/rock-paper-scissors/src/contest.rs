//! The rules, in plain Rust: this file knows nothing of the arena but the type of a choice, and its tests run without WebAssembly.

use crate::Choice;
use crate::simultaneous::Both;

/// A contest in rounds. Players are 0 and 1.
#[derive(Clone, PartialEq, Eq)]
pub struct Contest {
    /// The choices of players 0 and 1 in each round.
    pub rounds: Vec<[Choice; 2]>,
    pub choices: Both<Choice>,
    rounds_max: usize,
}

impl Contest {
    pub fn new(rounds_max: usize, first: usize) -> Self {
        Self { rounds: Vec::new(), choices: Both::new(first), rounds_max }
    }

    pub fn is_over(&self) -> bool {
        self.rounds.len() == self.rounds_max
    }

    /// Takes the choice of the player to choose. The second one ends the round, and returns the choices of both.
    pub fn choose(&mut self, choice: Choice) -> Option<[Choice; 2]> {
        let both = self.choices.choose(choice);
        self.rounds.extend(both);
        both
    }

    /// The number of rounds that a player has won, less those that it has lost.
    pub fn lead(&self, player: usize) -> i64 {
        let score = |round: &[Choice; 2]| match (3 + round[player] as i64 - round[1 - player] as i64) % 3 {
            // Paper follows rock and beats it; scissors follow paper, and rock follows scissors.
            1 => 1,
            2 => -1,
            _ => 0,
        };
        self.rounds.iter().map(score).sum()
    }
}
