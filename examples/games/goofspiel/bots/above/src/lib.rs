//! A bot for Goofspiel that bids as little as it needs: it expects the opponent to bid above or below each prize by as much as so far, and
//! bids the lowest card above that. A prize that it cannot win, it gives away for its lowest card.

use exports::games::goofspiel::bot::{Guest, Observation};

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "above".into()
    }

    fn play(seen: Observation) -> u8 {
        let distance = |card: u8, prize: u8| i32::from(card) - i32::from(prize);
        let mut usual: Vec<i32> = seen.sales.iter().map(|sale| distance(sale.theirs, sale.prize)).collect();
        usual.sort_unstable();
        let usual = usual.get(usual.len() / 2).copied().unwrap_or(0);
        let expected = seen.theirs.iter().min_by_key(|&&card| (distance(card, seen.prize) - usual).abs());
        let higher = seen.mine.iter().find(|card| Some(card) > expected.as_ref());
        *higher.unwrap_or(&seen.mine[0])
    }
}
