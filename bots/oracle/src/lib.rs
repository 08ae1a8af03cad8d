//! Before each shot, `oracle` plays out the rest of the game against all possible fleets, and shoots where that takes the fewest
//! shots.
//!
//! - **Know.** Like `posterior`, it asks for the fleets that agree with all that it knows: all of them if they are few, or else a
//!   sample ([`Game::possible_fleets`]).
//! - **Look ahead.** A cell is judged by the games that begin with it. The games against all fleets are played at once: a shot
//!   splits the fleets by what it would show, and each part continues separately, at the most likely cell of that part
//!   (`tree.rs`). The cell with the smallest sum of shots is the best of the few most likely ones. In the end game, where all
//!   fleets are listed, the following shots are compared in the same way, and the search comes close to the perfect one.
//! - **Search.** Where no sinking is announced and ships may not touch, as under `guide`, it plays out games in the end game
//!   only. Before, it shoots at a likely cell, and prefers open sea and new long ships to the water next to hits
//!   (`search.rs`).
//! - **Use the turn.** The fewer fleets are left, the more cells and shots are compared, within two fifths of the turn's
//!   fuel (`effort.rs`). Together with all else, no turn of the trial games of `arena check` took more than four fifths.
//! - **Hide.** It places as `posterior` does.
//!
//! The figures over 2,000 uniformly drawn boards are in `bots/README.md`.
//!
//! The changes that were tried, in shots saved against `posterior` on common boards, ± half the 95 % interval:
//!
//! | rules | change | boards | saved |
//! | --- | --- | ---: | ---: |
//! | `pirates` | games against up to 1,000 fleets of a sample, and lists in the end game | 4,000 | 0.45 ± 0.23 |
//! | `classic` | the same with up to 1,500 fleets | 3,000 | 0.79 ± 0.42 |
//! | `guide` | games against lists of up to 5,000 fleets in the end game | 4,000 | 0.0 ± 0.2 |
//! | `guide` | the same with lists of up to 20,000 | 4,000 | 0.2 ± 0.2 |
//! | `guide` | games against a sample from the first shot | 1,500 | -0.3 ± 0.3 |
//! | `guide` | the same, with 2 shots for each cell of a fleet that would be known | 4,000 | 0.1 ± 0.2 |
//! | `guide` | games against a sample once a bound says that at most 300,000 fleets are left | 4,000 | 0.1 ± 0.2 |
//! | `guide` | 40 % more weight for ships that were not found yet | 4,000 | 0.1 ± 0.2 |
//! | `guide` | 15 % more weight for each cell that finding a ship rules out | 3,000 | -0.5 ± 0.2 |
//! | `guide` | 4,000 fleets instead of 1,000 | 1,500 | -0.2 ± 0.3 |
//! | `guide` | the cell after which a value fitted to played games expects the fewest shots | 6,000 | -1.0 ± 0.2 |
//! | `guide` | this bot: the preferences of `search.rs`, and games against the first such lists | 30,000 | 0.15 ± 0.07 |
//!
//! So it is better than `posterior` under all three of the rules. Under `guide` the gain is small, and 2,000 boards do not show it:
//! the number of shots hardly depends on single choices. With two in five of them changed by random preferences among the likely
//! cells, a game is 0.2 shots longer. A sample is too thin there to play the game out: no announcement shows that a ship is
//! complete, and after a dozen shots each of its fleets is alone and seems known, while the real search goes on for forty more.
//! A better way to judge those forty shots is the next step.
//!
//! For your own bot: like the others, this bot is a function of the view, with a tracked board as its only state.
#![warn(missing_docs)]

mod effort;
mod search;
mod tally;
mod tree;

use arena_sdk::battleship::{Fleets, TrackedBoard};
use arena_sdk::shot_board::{ShotBoard, Sunken};
use arena_sdk::{Bot, CellSet, Coord, Game, Placement, Rng, View, for_board};
use effort::Looks;
use tree::{Group, Member, Tree};

/// The bot. Its state is the board with the ships that it saw sink.
#[derive(Default)]
pub struct Oracle {
    tracked: TrackedBoard,
}

impl Bot for Oracle {
    const NAME: &'static str = "oracle";

    fn deploy(&mut self, game: &Game) -> Vec<Placement> {
        game.unlikely_fleet(10, &mut game.rng(0))
    }

    fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
        let board = self.tracked.update(game, view);
        for_board!(game.size, WORDS => foresee::<WORDS>(game, view, board))
    }
}

arena_sdk::export!(Oracle);

/// The shot after which the rest of the game is shortest. `None` only if every cell was shot at.
fn foresee<const WORDS: usize>(game: &Game, view: &View, board: &ShotBoard<Sunken>) -> Option<Coord> {
    let mut rng = game.rng(view.turn);
    let looks = Looks::of::<WORDS>(game);
    let fleets = game.possible_fleets::<WORDS>(board, view, looks.effort::<WORDS>(game), &mut rng);
    let mut members = equally_likely(&fleets, &mut rng);
    let (candidates, compared) = looks.search(members.len());
    if compared == 0 || (!fleets.is_exact() && !game.sinkings_announced) {
        let is_search = !fleets.is_exact() && search::is_on(game, &fleets);
        return rng.pick(if is_search {
            search::worthiest(game, view, &fleets)
        } else {
            view.likeliest(&fleets)
        });
    }
    let left = fleets.cells(0).len();
    let tree = Tree {
        fleets: &fleets,
        board: CellSet::board(game.size),
        is_announced: game.sinkings_announced,
        candidates,
        looks_left: looks.count().into(),
    };
    tree.best(Group { members: &mut members, shot: CellSet::EMPTY, left }, compared).0
}

/// The fleets that are equally likely: those of a list, or as many draws from a sample by weight.
fn equally_likely<const WORDS: usize>(fleets: &Fleets<WORDS>, rng: &mut Rng) -> Vec<Member<WORDS>> {
    let count = fleets.len();
    let total: f64 = (0..count).map(|fleet| fleets.weight(fleet)).sum();
    // One draw in each of equal parts, at the same place of each: systematic resampling.
    let offset = rng.below(1 << 16) as f64 / f64::from(1 << 16);
    let (mut drawn, mut sum) = (Vec::with_capacity(count), 0.0);
    for fleet in 0..count {
        sum += fleets.weight(fleet);
        while drawn.len() < count && (drawn.len() as f64 + offset) * total < sum * count as f64 {
            drawn.push(Member::of(fleets, fleet));
        }
    }
    drawn
}

#[cfg(test)]
mod tests;
