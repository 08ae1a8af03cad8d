//! Rock, paper, scissors for the arena, in rounds: both players choose at once.
//!
//! The rules are in `contest.rs`, and `simultaneous.rs` keeps the first choice hidden until the second is made. This file gives them to the
//! arena, by the contract in `wit/`.

mod contest;
mod simultaneous;
#[cfg(test)]
mod tests;

use contest::Contest;
use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Parameter, Penalty, Refusal, ScoreRange, Scores,
    Seat, Setting, State, StateBorrow,
};
use exports::games::rock_paper_scissors::moves::{Effect, Guest as Moves, Observation};
use games::rock_paper_scissors::types::{Choice, Round};
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play(RefCell<Contest>);

const CHOICES: [Choice; 3] = [Choice::Rock, Choice::Paper, Choice::Scissors];

fn seat(player: usize) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

fn player(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
}

/// A round as a player sees it.
fn round(choices: &[Choice; 2], viewer: usize) -> Round {
    Round { mine: choices[viewer], theirs: choices[1 - viewer] }
}

impl Rules for Component {
    type State = Play;

    fn describe() -> About {
        About {
            name: "rock-paper-scissors".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: vec![Parameter {
                name: "rounds".into(),
                help: "the number of rounds".into(),
                default: 20,
                minimum: 1,
                maximum: 50,
            }],
            endings: vec![Ending { name: "counted".into(), text: "all rounds are played".into() }],
            // Two choices in each round.
            max_game_length: 2 * 50,
            turn_milliseconds: 1_000,
            // Rounds won, less rounds lost.
            scores: Some(ScoreRange { minimum: -50, maximum: 50 }),
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(settings: Vec<Setting>, _seed: u64, starter: Seat) -> Result<State, String> {
        // The arena has checked the value.
        let contest = Contest::new(settings[0].value as usize, player(starter));
        Ok(State::new(Play(RefCell::new(contest))))
    }

    fn current_player(&self) -> Option<Seat> {
        let contest = self.0.borrow();
        (!contest.is_over()).then(|| seat(contest.choices.player()))
    }

    fn outcome(&self) -> Outcome {
        let [one, two] = [0, 1].map(|player| self.0.borrow().lead(player));
        let winner = [(one, Seat::One), (two, Seat::Two)].into_iter().find(|&(lead, _)| lead > 0);
        let scores = Some(Scores { one, two });
        Outcome { winner: winner.map(|(_, seat)| seat), reason: "counted".into(), scores }
    }

    fn overrun(&self) -> Penalty {
        Penalty::Game
    }

    /// A choice that is not revealed is shown to its player, and to an observer of both.
    fn picture(&self, viewer: Option<Seat>) -> String {
        let contest = self.0.borrow();
        let row = |of: usize| {
            let revealed = contest.rounds.iter().map(|round| round[of]);
            let is_shown = viewer.is_none_or(|viewer| player(viewer) == of);
            let signs = revealed.chain(contest.choices.own(of).copied().filter(|_| is_shown));
            let signs: String = signs.map(|choice| ['R', 'P', 'S'][choice as usize]).collect();
            format!("seat {}: {:3}  {signs}", of + 1, contest.lead(of))
        };
        format!("{}\n{}", row(0), row(1))
    }
}

impl Moves for Component {
    fn observe(of: StateBorrow<'_>, viewer: Seat) -> Observation {
        let contest = of.get::<Play>().0.borrow();
        Observation { rounds: contest.rounds.iter().map(|it| round(it, player(viewer))).collect() }
    }

    fn apply_action(to: StateBorrow<'_>, action: Choice) -> Result<Effect, Refusal> {
        let mut contest = to.get::<Play>().0.borrow_mut();
        let chooser = contest.choices.player();
        let revealed = contest.choose(action);
        Ok(revealed.map_or(Effect::Hidden, |both| Effect::Revealed(round(&both, chooser))))
    }

    fn random_action(_of: StateBorrow<'_>, seed: u64) -> Choice {
        CHOICES[(seed % 3) as usize]
    }

    fn legal_actions(_of: StateBorrow<'_>) -> Vec<Choice> {
        CHOICES.to_vec()
    }

    fn resample_from_infostate(of: StateBorrow<'_>, viewer: Seat, seed: u64) -> State {
        let mut other = of.get::<Play>().0.borrow().clone();
        other.choices.resample(player(viewer), || CHOICES[(seed % 3) as usize]);
        State::new(Play(RefCell::new(other)))
    }
}
