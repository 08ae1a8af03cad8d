//! A bot for rock, paper, scissors that expects the choice that the opponent has made most often, and beats it.

use exports::games::rock_paper_scissors::bot::{Choice, Guest, Observation};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "often".into()
    }

    fn play(seen: Observation) -> Choice {
        let times = |choice| seen.rounds.iter().filter(|round| round.theirs == choice).count();
        match [Choice::Rock, Choice::Paper, Choice::Scissors].into_iter().max_by_key(|&choice| times(choice))
        {
            Some(Choice::Rock) => Choice::Paper,
            Some(Choice::Paper) => Choice::Scissors,
            _ => Choice::Rock,
        }
    }
}
