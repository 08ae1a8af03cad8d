//! A bot for rock, paper, scissors that expects what the opponent has chosen most often after a round like the last one, and beats it. In
//! the first rounds, it chooses at random.

use exports::games::rock_paper_scissors::bot::{Choice, Guest, Observation};
use std::hash::{BuildHasher, RandomState};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

const CHOICES: [Choice; 3] = [Choice::Rock, Choice::Paper, Choice::Scissors];

impl Guest for Component {
    fn name() -> String {
        "pattern".into()
    }

    fn play(seen: Observation) -> Choice {
        let mut times = [0; 3];
        if let Some(last) = seen.rounds.last() {
            for pair in seen.rounds.windows(2) {
                if (pair[0].mine, pair[0].theirs) == (last.mine, last.theirs) {
                    times[pair[1].theirs as usize] += 1;
                }
            }
        }
        // The standard library draws the key of a hasher from the random numbers that the arena gives a bot.
        let random = RandomState::new().hash_one(()) as usize;
        // Of those as frequent, one at random.
        let expected = (0..3).map(|at| (random + at) % 3).max_by_key(|&choice| times[choice]).unwrap_or(0);
        CHOICES[(expected + 1) % 3]
    }
}
