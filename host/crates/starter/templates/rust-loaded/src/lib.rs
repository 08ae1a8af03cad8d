//! A bot for first-game.

mod any;

use exports::first_path::bot as game;
use game::{FirstAction, FirstObservation, Guest};

wit_bindgen::generate!({ path: "wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "first-bot".into()
    }

    /// Returns the action of this bot, whose turn it is.
    ///
    /// Replace the body: look at the observation, and choose. As it stands, the bot answers anything. A game that refuses an illegal
    /// action with `retry` asks again, until the fuel of the turn is used up.
    fn play(observation: FirstObservation) -> FirstAction {
        let _ = observation;
        any::any_first_action()
    }
}
