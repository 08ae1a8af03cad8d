//! A bot for Leduc poker that is near an equilibrium: at its first turn, it solves the game by CFR+ (Tammelin 2014), and then it draws its
//! actions from the solution.

#[path = "../../../src/hand.rs"]
#[allow(dead_code, reason = "the bot needs the bets of the rules only")]
mod hand;
mod solution;

use exports::games::leduc_poker::bot::{Action, Guest, Observation};
use games::leduc_poker::types::Card;
use solution::Node;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

wit_bindgen::generate!({ path: "../../wit", world: "player" });

struct Component;
export!(Component);

/// Chosen: they take half of the fuel of a turn, and the best opponent wins some 0.015 chips a hand more than from an equilibrium.
const ITERATIONS: u32 = 100;

static SOLUTION: LazyLock<Node> = LazyLock::new(|| Node::solved(ITERATIONS));

impl Guest for Component {
    fn name() -> String {
        "solver".into()
    }

    fn play(seen: Observation) -> Action {
        let node = SOLUTION.after(&seen.first_round, seen.table, &seen.second_round);
        // The standard library draws the key of a hasher from the random numbers that the arena gives a bot.
        let random = RandomState::new().hash_one(()) as f64 / u64::MAX as f64;
        node.draw(seen.mine, random)
    }
}
