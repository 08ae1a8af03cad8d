//! Leduc poker for the arena: a game with hidden cards and chance, in two rounds of bets. The rules are in `hand.rs`. This file gives them
//! to the arena, by the contract in `wit/`.

mod hand;
#[cfg(test)]
mod tests;

use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Penalty, Refusal, ScoreRange, Scores, Seat, Setting,
    State, StateBorrow,
};
use exports::games::leduc_poker::moves::{Effect, Guest as Moves, Observation};
use games::leduc_poker::types::{Action, Card};
use hand::Hand;
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play(RefCell<Hand>);

fn seat(player: usize) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

fn player(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
}

/// The name of a card or an action: `Card::Jack` is `jack`.
fn word(of: impl std::fmt::Debug) -> String {
    format!("{of:?}").rsplit("::").next().unwrap_or_default().to_lowercase()
}

impl Rules for Component {
    type State = Play;

    fn describe() -> About {
        let ending = |name: &str, text: &str| Ending { name: name.into(), text: text.into() };
        About {
            name: "leduc-poker".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: Vec::new(),
            endings: vec![ending("fold", "a player folded"), ending("showdown", "the cards were compared")],
            // In each round, a check, two raises and a call.
            max_game_length: 2 * 4,
            turn_milliseconds: 1_000,
            // The chips that each player has won or lost.
            scores: Some(ScoreRange { minimum: -13, maximum: 13 }),
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(_settings: Vec<Setting>, seed: u64, starter: Seat) -> Result<State, String> {
        Ok(State::new(Play(RefCell::new(Hand::new(player(starter), seed)))))
    }

    /// The player that opens the second round may have ended the first one.
    fn current_player(&self) -> Option<Seat> {
        let hand = self.0.borrow();
        (!hand.bets.is_over()).then(|| seat(hand.bets.player))
    }

    fn outcome(&self) -> Outcome {
        let hand = self.0.borrow();
        let reason = if hand.bets.round == 2 { "showdown" } else { "fold" };
        let winner = [0, 1].into_iter().find(|&player| hand.won(player) > 0).map(seat);
        let scores = Scores { one: hand.won(0), two: hand.won(1) };
        Outcome { winner, reason: reason.into(), scores: Some(scores) }
    }

    fn overrun(&self) -> Penalty {
        Penalty::Game
    }

    fn picture(&self, viewer: Option<Seat>) -> String {
        let hand = self.0.borrow();
        let row = |of: usize| {
            let is_shown = hand.bets.round == 2 || viewer.is_none_or(|viewer| player(viewer) == of);
            let card = if is_shown { word(hand.cards[of]) } else { "?".into() };
            format!("seat {}: {} chips, {card}", of + 1, hand.bets.chips[of])
        };
        let table = hand.table().map_or("?".into(), word);
        let round =
            |at: usize| hand.bets.rounds[at].iter().map(|it| format!(" {}", word(it))).collect::<String>();
        format!("{}\n{}\ntable: {table}\nround 1:{}\nround 2:{}", row(0), row(1), round(0), round(1))
    }
}

impl Moves for Component {
    fn observe(of: StateBorrow<'_>, viewer: Seat) -> Observation {
        let (hand, viewer) = (of.get::<Play>().0.borrow(), player(viewer));
        let [first_round, second_round] = hand.bets.rounds.clone();
        Observation {
            mine: hand.cards[viewer],
            table: hand.table(),
            first_round,
            second_round,
            my_chips: hand.bets.chips[viewer],
            their_chips: hand.bets.chips[1 - viewer],
        }
    }

    fn apply_action(to: StateBorrow<'_>, action: Action) -> Result<Effect, Refusal> {
        let added = to.get::<Play>().0.borrow_mut().bets.bet(action);
        added.ok_or_else(|| {
            Refusal::Retry("there is nothing to fold for, or no raise is left in this round".into())
        })
    }

    fn random_action(of: StateBorrow<'_>, seed: u64) -> Action {
        let legal = Self::legal_actions(of);
        legal[(seed % legal.len() as u64) as usize]
    }

    fn legal_actions(of: StateBorrow<'_>) -> Vec<Action> {
        of.get::<Play>().0.borrow().bets.legal()
    }

    fn resample_from_infostate(of: StateBorrow<'_>, viewer: Seat, seed: u64) -> State {
        let other = of.get::<Play>().0.borrow().resampled(player(viewer), seed);
        State::new(Play(RefCell::new(other)))
    }
}
