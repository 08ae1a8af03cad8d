//! Liar's dice for the arena: a game with hidden information and chance. The rules are in `round.rs`. This file gives them to the arena,
//! by the contract in `wit/`.

mod round;
#[cfg(test)]
mod tests;

use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Parameter, Penalty, Refusal, Seat, Setting, State,
    StateBorrow,
};
use exports::games::liars_dice::moves::{Action, Effect, Guest as Moves, Observation};
use games::liars_dice::types::Bid;
use round::{Claim, Round};
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play(RefCell<Round>);

fn seat(player: usize) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

fn player(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
}

fn bid(&(count, face): &Claim) -> Bid {
    Bid { count, face }
}

impl Rules for Component {
    type State = Play;

    fn describe() -> About {
        About {
            name: "liars-dice".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: vec![Parameter {
                name: "dice".into(),
                help: "the number of dice of each player".into(),
                default: 5,
                minimum: 1,
                maximum: 6,
            }],
            endings: vec![Ending { name: "challenged".into(), text: "the last bid was doubted".into() }],
            // Each bid is higher than the one before, and the last turn is a challenge.
            max_game_length: 2 * 6 * 6 + 1,
            turn_milliseconds: 1_000,
            scores: None,
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(settings: Vec<Setting>, seed: u64, starter: Seat) -> Result<State, String> {
        // The arena has checked the value.
        let round = Round::new(settings[0].value as usize, player(starter), seed);
        Ok(State::new(Play(RefCell::new(round))))
    }

    fn current_player(&self) -> Option<Seat> {
        let round = self.0.borrow();
        round.winner.is_none().then(|| seat(round.player))
    }

    fn outcome(&self) -> Outcome {
        Outcome { winner: self.0.borrow().winner.map(seat), reason: "challenged".into(), scores: None }
    }

    fn overrun(&self) -> Penalty {
        Penalty::Game
    }

    fn picture(&self, viewer: Option<Seat>) -> String {
        let round = self.0.borrow();
        let is_shown = |of: usize| round.winner.is_some() || viewer.is_none_or(|viewer| player(viewer) == of);
        let dice = |of: usize| match is_shown(of) {
            true => round.dice[of].iter().map(|die| format!(" {die}")).collect(),
            false => " ?".repeat(round.dice[of].len()),
        };
        let bids = round.bids.iter().map(|(count, face)| format!(" {count}x{face}")).collect::<String>();
        format!("seat 1:{}\nseat 2:{}\nbids:{bids}", dice(0), dice(1))
    }
}

impl Moves for Component {
    fn observe(of: StateBorrow<'_>, viewer: Seat) -> Observation {
        let round = of.get::<Play>().0.borrow();
        Observation { mine: round.dice[player(viewer)].clone(), bids: round.bids.iter().map(bid).collect() }
    }

    fn apply_action(to: StateBorrow<'_>, action: Action) -> Result<Effect, Refusal> {
        let mut round = to.get::<Play>().0.borrow_mut();
        match action {
            Action::Raise(Bid { count, face }) => match round.raise((count, face)) {
                true => Ok(Effect::Raised),
                false => Err(Refusal::Retry(format!("{count} dice of face {face} cannot be bid now"))),
            },
            Action::Challenge => match round.challenge() {
                Some(found) => Ok(Effect::Counted(found)),
                None => Err(Refusal::Retry("there is no bid to doubt".into())),
            },
        }
    }

    fn random_action(of: StateBorrow<'_>, seed: u64) -> Action {
        let legal = Self::legal_actions(of);
        legal[(seed % legal.len() as u64) as usize]
    }

    fn legal_actions(of: StateBorrow<'_>) -> Vec<Action> {
        let round = of.get::<Play>().0.borrow();
        let challenge = round.bids.last().map(|_| Action::Challenge);
        challenge.into_iter().chain(round.higher().iter().map(|claim| Action::Raise(bid(claim)))).collect()
    }

    fn resample_from_infostate(of: StateBorrow<'_>, viewer: Seat, seed: u64) -> State {
        let other = of.get::<Play>().0.borrow().rolled_again(player(viewer), seed);
        State::new(Play(RefCell::new(other)))
    }
}
