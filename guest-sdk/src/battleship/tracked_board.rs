//! A shot board that is kept up to date from view to view.

use super::{Chart, Game, Mark, View};
use crate::shot_board::{Shot, ShotBoard, Sunken};
use crate::{CellSet, Grid};
use arena_rules::Coord;

/// A [`ShotBoard`] that is kept up to date. If the rules announce sinkings, it knows which hits belong to sunk ships.
///
/// A view says which ships are afloat, but not where the sunk ones are. A tracked board compares each view with the previous
/// one, so it knows which shot sank a ship of which length. The shot board infers from this as much as possible. Keep one
/// in the bot's value, and update it in each turn.
///
/// ```
/// use arena_sdk::battleship::TrackedBoard;
/// use arena_sdk::shot_board::Shot;
/// use arena_sdk::{Bot, Coord, Game, View};
///
/// /// Shoots next to the hits of ships that may be afloat.
/// #[derive(Default)]
/// struct Chaser {
///     tracked: TrackedBoard,
/// }
///
/// impl Bot for Chaser {
///     const NAME: &'static str = "chaser";
///
///     fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
///         let board = self.tracked.update(game, view);
///         let wounds = board.cells().filter(|&(_, shot)| shot == Shot::Hit).map(|(at, _)| at);
///         let mut around = wounds.flat_map(|at| game.size.edge_neighbours(at));
///         around.find(|&at| view.is_legal(at)).or_else(|| game.rng(view.turn).pick(view.targets()))
///     }
/// }
/// # use arena_sdk::practice::{Ruleset, solo};
/// # assert!(solo::<Chaser>(&Ruleset::classic(), 50, 7)?.mean_shots < 80.0);
/// # Ok::<(), arena_sdk::practice::Foul>(())
/// ```
///
/// A tracked board that begins in the middle of a game, for example after an overrun, does not know earlier sinkings. Its board is
/// still correct: it treats hits of those ships as hits of ships that may be afloat or sunk.
#[derive(Clone, Debug, Default)]
pub struct TrackedBoard {
    known: Option<Known>,
}

/// The knowledge after a view.
#[derive(Clone, Debug)]
struct Known {
    attacks: Grid<Mark>,
    /// The lengths of the ships that were afloat; `None` before the first view, and if sinkings are not announced.
    afloat: Option<Vec<u8>>,
    board: ShotBoard<Sunken>,
}

impl TrackedBoard {
    /// Updates the board from a view, and returns it. Repeating a view, as in a retry, changes nothing.
    ///
    /// ```
    /// use arena_sdk::battleship::TrackedBoard;
    /// use arena_sdk::practice::Ruleset;
    /// use arena_sdk::shot_board::Shot;
    /// use arena_sdk::{Coord, Game, Mark, View};
    ///
    /// let game = Game::of(&Ruleset::classic(), 7);
    /// let mut view = View::first(&game);
    /// let mut tracked = TrackedBoard::default();
    /// tracked.update(&game, &view);
    /// view.attacks[Coord::new(0, 0)] = Mark::Hit;
    /// assert_eq!(tracked.update(&game, &view).cell(Coord::new(0, 0)), Shot::Hit);
    /// ```
    pub fn update(&mut self, game: &Game, view: &View) -> &ShotBoard<Sunken> {
        let begin = || Known {
            attacks: Grid::filled(game.size, Mark::Unknown),
            afloat: None,
            board: ShotBoard::new(game.size),
        };
        let Known { attacks, afloat, board } = self.known.get_or_insert_with(begin);
        let mut hits = Vec::new();
        for at in changed(attacks, &view.attacks) {
            attacks[at] = view.attacks[at];
            match attacks[at] {
                Mark::Unknown => {}
                Mark::Miss => board.miss(at),
                Mark::Hit => hits.push(at),
            }
        }
        let sunk = match (&*afloat, &view.ships_remaining) {
            (Some(before), Some(after)) if before != after => missing(before, after),
            _ => Vec::new(),
        };
        afloat.clone_from(&view.ships_remaining);
        match (&hits[..], &sunk[..]) {
            (&[at], &[length]) => drop(board.sank_length(at, length)),
            // With more than one shot since the last view, it is unknown which of them sank a ship.
            (hits, _) => hits.iter().for_each(|&at| board.hit(at)),
        }
        board
    }

    /// Updates the board from a view, and returns what follows from it as sets of cells. Repeating a view changes
    /// nothing.
    ///
    /// ```
    /// use arena_sdk::battleship::TrackedBoard;
    /// use arena_sdk::{Bot, Coord, Game, View, for_board};
    ///
    /// /// Shoots next to the hits of ships that may be afloat.
    /// #[derive(Default)]
    /// struct Chaser {
    ///     tracked: TrackedBoard,
    /// }
    ///
    /// impl Bot for Chaser {
    ///     const NAME: &'static str = "chaser";
    ///
    ///     fn play(&mut self, game: &Game, view: &View) -> Option<Coord> {
    ///         let mut rng = game.rng(view.turn);
    ///         for_board!(game.size, WORDS => {
    ///             let chart = self.tracked.chart::<WORDS>(game, view);
    ///             rng.pick(chart.wounded.edge_neighbours(chart.open)).or_else(|| rng.pick(chart.open))
    ///         })
    ///     }
    /// }
    /// # use arena_sdk::practice::{Ruleset, solo};
    /// # assert!(solo::<Chaser>(&Ruleset::classic(), 50, 7)?.mean_shots < 80.0);
    /// # Ok::<(), arena_sdk::practice::Foul>(())
    /// ```
    ///
    /// # Panics
    /// If the board is larger than the sets allow; see [`CellSet::SIDE`].
    pub fn chart<const WORDS: usize>(&mut self, game: &Game, view: &View) -> Chart<WORDS> {
        let sunk = if game.sinkings_announced {
            self.update(game, view).set_of(|shot| matches!(shot, Shot::Sunk(_)))
        } else {
            CellSet::EMPTY
        };
        Chart::new(game, view, sunk)
    }
}

/// The cells in which two boards of the same size differ.
fn changed(before: &Grid<Mark>, after: &Grid<Mark>) -> Vec<Coord> {
    let size = after.size();
    let [before, after] = [before, after].map(|board| bytemuck::cast_slice::<Mark, u8>(board.as_slice()));
    // By eights, most of which are equal, since loops are what takes time in WebAssembly with fuel.
    let [(eights_before, _), (eights, rest)] = [before, after].map(<[u8]>::as_chunks::<8>);
    let differing =
        eights_before.iter().zip(eights).enumerate().filter(|(_, (before, after))| before != after);
    let in_eights = differing.flat_map(|(number, _)| 8 * number..8 * number + 8);
    let in_rest = after.len() - rest.len()..after.len();
    in_eights
        .chain(in_rest)
        .filter(|&index| before[index] != after[index])
        .map(|index| size.coord(index))
        .collect()
}

/// The lengths that are in the first list, but not in the second.
fn missing(before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut missing = before.to_vec();
    for length in after {
        if let Some(index) = missing.iter().position(|other| other == length) {
            missing.remove(index);
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::practice::Ruleset;

    /// The tracked board after these views, each with the lengths afloat. The board has four columns.
    fn after(views: &[(&str, &[u8])]) -> String {
        let game = Game::of(&Ruleset::classic().with_size(arena_rules::Size::new(4, 2)), 7);
        let mut tracked = TrackedBoard::default();
        for (attacks, afloat) in views {
            let attacks = attacks.replace('/', "\n").parse().unwrap();
            let view = View { attacks, ships_remaining: Some(afloat.to_vec()), ..View::first(&game) };
            tracked.update(&game, &view);
            tracked.update(&game, &View { retry: true, ..view });
        }
        let board = tracked.known.unwrap().board;
        let symbol = |(_, shot): (Coord, Shot<Sunken>)| match shot {
            Shot::Unshot => '.',
            Shot::Miss => 'o',
            Shot::Hit => 'X',
            Shot::Sunk(ship) => char::from(b'0' + ship.length),
        };
        board.cells().map(symbol).collect()
    }

    #[test]
    fn the_shot_that_took_a_length_off_the_list_sank_a_ship_of_that_length() {
        let afloat: &[u8] = &[3, 2, 2];
        let hit = ("X . . o / . . . .", afloat);
        assert_eq!(after(&[(". . . . / . . . .", afloat), hit]), "X..o....");
        assert_eq!(after(&[hit, ("X X . o / . . . .", &[3, 2])]), "22.o....");
        assert_eq!(after(&[hit, ("X X . o / X . . .", &[3, 2, 2])]), "XX.oX...");
    }

    #[test]
    fn ships_that_sank_before_its_first_view_are_hits() {
        let late = ("X X . o / . . . .", [3, 2].as_slice());
        assert_eq!(after(&[late]), "XX.o....");
        assert_eq!(after(&[late, ("X X X o / . . . .", &[3, 2])]), "XXXo....");
        assert_eq!(after(&[late, ("X X X o / X . . .", &[3])]), "XXXoX...", "two shots, one sinking");
    }
}
