//! A bot for Goofspiel that bids the worth of each prize: the best answer to an opponent that bids at random.

use exports::games::goofspiel::bot::{Guest, Observation};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "matching".into()
    }

    fn play(seen: Observation) -> u8 {
        seen.prize
    }
}
