//! A bot for liar's dice that plays by the odds: it doubts a bid that is less likely than not, and otherwise makes the bid that is most
//! likely to be true.

use exports::games::liars_dice::bot::{Action, Guest, Observation};
use games::liars_dice::types::Bid;

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "odds".into()
    }

    fn play(seen: Observation) -> Action {
        let dice = seen.mine.len() as u8;
        let last = seen.bids.last().map_or((0, 6), |bid| (bid.count, bid.face));
        let higher = (1..=2 * dice).flat_map(|count| (1..=6).map(move |face| (count, face))).filter(|bid| *bid > last);
        let best = higher.map(|bid| (chance(&seen.mine, bid), bid)).max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            // The first bid cannot be doubted.
            Some((_, (count, face))) if seen.bids.is_empty() => Action::Raise(Bid { count, face }),
            Some((likely, (count, face))) if likely > 1.0 - chance(&seen.mine, last) => {
                Action::Raise(Bid { count, face })
            }
            _ => Action::Challenge,
        }
    }
}

/// The chance that a bid is true: that the opponent's hidden dice have the rest of it.
fn chance(mine: &[u8], (count, face): (u8, u8)) -> f64 {
    let own = mine.iter().filter(|&&die| die == face).count();
    let missing = usize::from(count).saturating_sub(own);
    (missing..=mine.len()).map(|hits| exactly(hits, mine.len())).sum()
}

/// The chance that this number of dice, of all of them, show a face.
fn exactly(hits: usize, dice: usize) -> f64 {
    let ways: f64 = (0..hits).map(|it| (dice - it) as f64 / (it + 1) as f64).product();
    ways * (1.0 / 6.0_f64).powi(hits as i32) * (5.0 / 6.0_f64).powi((dice - hits) as i32)
}
