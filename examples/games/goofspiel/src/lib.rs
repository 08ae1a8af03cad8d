//! Goofspiel for the arena: a blind auction, in which both players bid for each prize at once.
//!
//! The rules are in `auction.rs`, and `simultaneous.rs` keeps the first bid hidden until the second is made. This file gives them to the
//! arena, by the contract in `wit/`.

mod auction;
mod simultaneous;
#[cfg(test)]
mod tests;

use auction::Auction;
use exports::arena::game::rules::{
    About, Ending, Guest as Rules, GuestState, Outcome, Parameter, Penalty, Refusal, ScoreRange, Scores,
    Seat, Setting, State, StateBorrow,
};
use exports::games::goofspiel::moves::{Action, Effect, Guest as Moves, Observation};
use games::goofspiel::types::Sale;
use std::cell::RefCell;

wit_bindgen::generate!({ path: "wit", world: "game" });

struct Component;
export!(Component);

/// A game in progress, as the arena holds it.
struct Play(RefCell<Auction>);

fn seat(player: usize) -> Seat {
    if player == 0 { Seat::One } else { Seat::Two }
}

fn player(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
}

/// A sale as a player sees it.
fn sale(sale: &auction::Sale, viewer: usize) -> Sale {
    Sale { prize: sale.prize, mine: sale.bids[viewer], theirs: sale.bids[1 - viewer] }
}

impl Rules for Component {
    type State = Play;

    fn describe() -> About {
        About {
            name: "goofspiel".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            parameters: vec![Parameter {
                name: "cards".into(),
                help: "the number of prizes, and of the cards of each player".into(),
                default: 13,
                minimum: 1,
                maximum: 13,
            }],
            endings: vec![Ending { name: "sold".into(), text: "all prizes are sold".into() }],
            // Two bids for each prize.
            max_game_length: 2 * 13,
            turn_milliseconds: 1_000,
            // The points of all prizes.
            scores: Some(ScoreRange { minimum: 0, maximum: 13 * 14 / 2 }),
        }
    }
}

impl GuestState for Play {
    fn new_initial_state(settings: Vec<Setting>, seed: u64, starter: Seat) -> Result<State, String> {
        // The arena has checked the value.
        let auction = Auction::new(settings[0].value as u8, player(starter), seed);
        Ok(State::new(Play(RefCell::new(auction))))
    }

    fn current_player(&self) -> Option<Seat> {
        let auction = self.0.borrow();
        (!auction.is_over()).then(|| seat(auction.player()))
    }

    fn outcome(&self) -> Outcome {
        let auction = self.0.borrow();
        let scores = Scores { one: auction.points(0), two: auction.points(1) };
        Outcome { winner: auction.winner().map(seat), reason: "sold".into(), scores: Some(scores) }
    }

    fn overrun(&self) -> Penalty {
        Penalty::Game
    }

    /// A bid that is not revealed is shown to its player, and to an observer of both.
    fn picture(&self, viewer: Option<Seat>) -> String {
        let auction = self.0.borrow();
        let row = |of: usize| {
            let cards: String = auction.hands[of].iter().map(|card| format!(" {card}")).collect();
            let is_shown = viewer.is_none_or(|viewer| player(viewer) == of);
            let bid = auction
                .bids
                .own(of)
                .filter(|_| is_shown)
                .map_or(String::new(), |bid| format!(", bids {bid}"));
            format!("seat {}: {} points, cards{cards}{bid}\n", of + 1, auction.points(of))
        };
        let prize = auction.prizes.first().map_or("none".into(), u8::to_string);
        format!("prize: {prize}\n{}{}", row(0), row(1))
    }
}

impl Moves for Component {
    fn observe(of: StateBorrow<'_>, viewer: Seat) -> Observation {
        let (auction, viewer) = (of.get::<Play>().0.borrow(), player(viewer));
        Observation {
            prize: auction.prizes[0],
            mine: auction.hands[viewer].clone(),
            theirs: auction.hands[1 - viewer].clone(),
            sales: auction.sales.iter().map(|it| sale(it, viewer)).collect(),
        }
    }

    fn apply_action(to: StateBorrow<'_>, action: Action) -> Result<Effect, Refusal> {
        let mut auction = to.get::<Play>().0.borrow_mut();
        let (bidder, before) = (auction.player(), auction.sales.len());
        if !auction.bid(action) {
            return Err(Refusal::Retry(format!("there is no card {action} in the hand")));
        }
        Ok(match auction.sales.get(before) {
            Some(last) => Effect::Sold(sale(last, bidder)),
            None => Effect::Hidden,
        })
    }

    fn random_action(of: StateBorrow<'_>, seed: u64) -> Action {
        let cards = Self::legal_actions(of);
        cards[(seed % cards.len() as u64) as usize]
    }

    fn legal_actions(of: StateBorrow<'_>) -> Vec<Action> {
        let auction = of.get::<Play>().0.borrow();
        auction.hands[auction.player()].clone()
    }

    fn resample_from_infostate(of: StateBorrow<'_>, viewer: Seat, seed: u64) -> State {
        let other = of.get::<Play>().0.borrow().resampled(player(viewer), seed);
        State::new(Play(RefCell::new(other)))
    }
}
