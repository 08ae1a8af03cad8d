//! A bot for Leduc poker that plays its card: it raises with a pair or a king, calls with a queen, and folds a jack.

use exports::games::leduc_poker::bot::{Action, Guest, Observation};
use games::leduc_poker::types::Card;

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

impl Guest for Component {
    fn name() -> String {
        "card".into()
    }

    fn play(seen: Observation) -> Action {
        let round = if seen.table.is_none() { &seen.first_round } else { &seen.second_round };
        let may_raise = round.iter().filter(|&&action| action == Action::Raise).count() < 2;
        let owes = seen.my_chips < seen.their_chips;
        match seen.mine {
            mine if may_raise && (mine == Card::King || seen.table == Some(mine)) => Action::Raise,
            mine if owes && mine == Card::Jack && seen.table != Some(mine) => Action::Fold,
            _ => Action::Call,
        }
    }
}
