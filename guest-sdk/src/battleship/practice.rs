//! Practice against a board that does not shoot back: measures the number of shots that a bot needs.
//!
//! It runs natively, so that a bot's own `cargo test` can check how good the bot is. Two thousand boards take a few
//! seconds with optimisation, and minutes without: put `opt-level = 2` into the bot's `[profile.dev]`, or test with
//! `--release`. Fuel is not measured here; `arena bench` does that.
//!
//! ```
//! use arena_sdk::practice::{Ruleset, solo};
//! use arena_sdk::{Bot, Coord, Game, View};
//!
//! /// Shoots row by row.
//! #[derive(Default)]
//! struct Sweeper;
//!
//! impl Bot for Sweeper {
//!     const NAME: &'static str = "sweeper";
//!
//!     fn play(&mut self, _game: &Game, view: &View) -> Option<Coord> {
//!         view.targets().next()
//!     }
//! }
//!
//! let score = solo::<Sweeper>(&Ruleset::guide(), 20, 7)?;
//! println!("{score}");
//! assert!(score.mean_shots > 80.0);
//! # Ok::<(), arena_sdk::practice::Foul>(())
//! ```

mod program;

use super::{Bot, Game, View};
use crate::Rng;
use crate::call::Call;
use arena_rules::battleship::{self, Action, Battleship, Fleet, FleetError, Placing, uniform};
use arena_rules::{Coord, Game as _, Ruling, Seat, Size};
use std::fmt;

pub use crate::call::NotACall;
pub use arena_rules::battleship::Ruleset;
pub use program::main;

/// The standard errors on each side of a mean in its 95 % interval: the 0.975 quantile of the normal distribution.
const Z_95: f64 = 1.96;

/// The number of shots that a bot needed.
///
/// It is printed like the results of `arena bench`: after `±` comes half of the 95 % interval of the mean.
///
/// ```
/// use arena_sdk::practice::{Ruleset, solo};
/// # use arena_sdk::{Bot, Coord, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
/// #         view.targets().next()
/// #     }
/// # }
/// let score = solo::<MyBot>(&Ruleset::guide(), 50, 7)?;
/// assert_eq!(score.boards, 50);
/// assert!(score.mean_shots <= f64::from(score.most_shots));
/// # Ok::<(), arena_sdk::practice::Foul>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The number of boards that it cleared.
    pub boards: u32,
    /// The mean number of shots per board.
    pub mean_shots: f64,
    /// The standard error of the mean, in shots; 1.96 times it is half of the 95 % interval. The means of two equal bots on
    /// different boards differ by less than 2.8 times it in 95 % of all cases.
    pub standard_error: f64,
    /// The number of shots for the board that took the most.
    pub most_shots: u32,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { boards, mean_shots, standard_error, most_shots } = self;
        let error = Z_95 * standard_error;
        write!(f, "{mean_shots:.2} ± {error:.2} shots a board over {boards} boards, at most {most_shots}")
    }
}

/// An action of a bot that is not legal under all rules, with the board and the turn.
///
/// ```
/// use arena_sdk::practice::{Ruleset, solo};
/// # use arena_sdk::{Bot, Coord, Game, View};
/// /// Shoots at the same cell again and again.
/// #[derive(Default)]
/// struct Stubborn;
///
/// impl Bot for Stubborn {
///     const NAME: &'static str = "stubborn";
///
///     fn play(&mut self, _: &Game, _: &View) -> Option<Coord> {
///         Some(Coord::new(0, 0))
///     }
/// }
///
/// let foul = solo::<Stubborn>(&Ruleset::guide(), 50, 7).unwrap_err();
/// assert_eq!(foul.to_string(), "board 0, turn 2: the shot at (0, 0) is off the board or repeated");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("board {board}, turn {turn}: {what}")]
pub struct Foul {
    /// The number of the board, from 0.
    pub board: u32,
    /// The number of the turn, from 1; 0 for the deployment.
    pub turn: u32,
    /// The action.
    pub what: Misplay,
}

/// An action of a bot that is not legal under all rules.
///
/// ```
/// use arena_sdk::practice::{Misplay, Ruleset, solo};
/// # use arena_sdk::{Bot, Coord, Game, View};
/// /// Shoots at the same cell again and again.
/// #[derive(Default)]
/// struct Stubborn;
///
/// impl Bot for Stubborn {
///     const NAME: &'static str = "stubborn";
///
///     fn play(&mut self, _: &Game, _: &View) -> Option<Coord> {
///         Some(Coord::new(0, 0))
///     }
/// }
///
/// let foul = solo::<Stubborn>(&Ruleset::guide(), 50, 7).unwrap_err();
/// assert_eq!(foul.what, Misplay::Shot(Coord::new(0, 0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplay {
    /// An illegal fleet.
    #[error("the deployment is not legal: {0}")]
    Deployed(FleetError),
    /// A shot off the board, or at a cell already shot at.
    #[error("the shot at {0} is off the board or repeated")]
    Shot(Coord),
    /// A skipped turn, although there are cells left to shoot at.
    #[error("the turn was skipped")]
    Skipped,
    /// Not the bot's fault: the rules allow no fleet, or so few that none was found.
    #[error("no legal fleet was found for these rules")]
    NoFleet,
}

/// Lets a bot clear boards, each with a fresh value of it, and returns the mean number of shots to sink a whole fleet.
///
/// The fleets are drawn uniformly from all legal ones. The same rules, number of boards and seed always give the same
/// boards, so that two versions of a bot can be compared on them.
///
/// ```
/// use arena_sdk::practice::{Ruleset, solo};
/// # use arena_sdk::{Bot, Coord, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
/// #         view.targets().next()
/// #     }
/// # }
/// let classic = solo::<MyBot>(&Ruleset::classic(), 50, 7)?;
/// assert_eq!(solo::<MyBot>(&Ruleset::classic(), 50, 7), Ok(classic), "the same boards");
/// # Ok::<(), arena_sdk::practice::Foul>(())
/// ```
///
/// # Errors
/// The first [`Foul`]: an illegal fleet, a shot off the board or at a cell already shot at, or a skipped turn. Some rules
/// forgive these, but no bot gains by them.
pub fn solo<B: Bot>(rules: &Ruleset, boards: u32, seed: u64) -> Result<Score, Foul> {
    practise::<B>(rules, boards, seed, false, || ()).map(|shots| Score::of(&shots))
}

/// Like [`solo`], but with a fresh value of the bot in each turn, as after an overrun. Shows what the bot's state is
/// worth, and that the bot works without it.
///
/// ```
/// use arena_sdk::practice::{Ruleset, solo, solo_forgetful};
/// # use arena_sdk::{Bot, Coord, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
/// #         view.targets().next()
/// #     }
/// # }
/// let rules = Ruleset::guide();
/// assert_eq!(solo_forgetful::<MyBot>(&rules, 50, 7)?, solo::<MyBot>(&rules, 50, 7)?, "it has no state");
/// # Ok::<(), arena_sdk::practice::Foul>(())
/// ```
///
/// # Errors
/// As [`solo`].
pub fn solo_forgetful<B: Bot>(rules: &Ruleset, boards: u32, seed: u64) -> Result<Score, Foul> {
    practise::<B>(rules, boards, seed, true, || ()).map(|shots| Score::of(&shots))
}

/// Reads the arguments of a recorded call: a line of `calls.jsonl` in a folder of `--faults`, or of what `arena replay --calls` writes. The
/// view is `None` if the call was `deploy`.
///
/// ```
/// use arena_sdk::Coord;
/// use arena_sdk::practice::recorded;
///
/// let text = r#"{"game": {"width":2,"height":1,"fleet":[1],"may-touch":true,"sinkings-announced":false,"turns-max":9,
///     "fuel-per-turn":99,"seed":7}, "view": {"turn":2,"board":[1,0],"attacks":[2,0],"last-spot":[0,1],"my-last":[0,0],
///     "retry":false,"ships-remaining":null}}"#;
/// let (game, view) = recorded(text)?;
/// let view = view.expect("it is a turn");
/// assert_eq!((game.seed, view.turn, view.my_last), (7, 2, Some(Coord::new(0, 0))));
/// assert_eq!(view.targets().collect::<Vec<_>>(), [Coord::new(0, 1)]);
/// # Ok::<(), arena_sdk::practice::NotACall>(())
/// ```
///
/// # Errors
/// The first name whose value is missing or of the wrong type.
pub fn recorded(text: &str) -> Result<(Game, Option<View>), NotACall> {
    let call = Call(text);
    let size = Size::new(call.number("width")?, call.number("height")?);
    if size.width == 0 || size.height == 0 {
        return Err(NotACall("width"));
    }
    let game = Game {
        size,
        fleet: call.list("fleet")?.ok_or(NotACall("fleet"))?,
        may_touch: call.flag("may-touch")?,
        sinkings_announced: call.flag("sinkings-announced")?,
        turns_max: call.number("turns-max")?,
        fuel_per_turn: call.number("fuel-per-turn")?,
        seed: call.number("seed")?,
    };
    if call.value("view")? == "null" {
        return Ok((game, None));
    }
    let view = battleship::View {
        turn: call.number("turn")?,
        board: call.cells("board", size)?,
        attacks: call.cells("attacks", size)?,
        last_spot: call.spot("last-spot")?,
        my_last: call.spot("my-last")?,
        retry: call.flag("retry")?,
        ships_remaining: call.list("ships-remaining")?,
    };
    Ok((game, Some(View::of(size, view))))
}

/// Returns the number of shots for each board. `cleared` is called after each of them.
fn practise<B: Bot>(
    rules: &Ruleset,
    boards: u32,
    seed: u64,
    forgetful: bool,
    mut cleared: impl FnMut(),
) -> Result<Vec<u32>, Foul> {
    let mut rng = Rng::seeded(seed);
    let mut shots = Vec::new();
    for board in 0..boards {
        let game = Game::of(rules, rng.bits());
        let foul = |(turn, what)| Foul { board, turn, what };
        let enemy = uniform(&game.fleet_spec(), rng.source()).ok_or_else(|| foul((0, Misplay::NoFleet)))?;
        shots.push(clear::<B>(rules, &game, enemy, forgetful).map_err(foul)?);
        cleared();
    }
    Ok(shots)
}

/// The number of shots that a bot needs for one board, or the turn and the kind of its foul.
fn clear<B: Bot>(rules: &Ruleset, game: &Game, enemy: Fleet, forgetful: bool) -> Result<u32, (u32, Misplay)> {
    let mut bot = B::default();
    let own = match rules.placing {
        Placing::Bot => bot.deploy(game),
        Placing::Engine => game.random_fleet(&mut game.rng(0)),
    };
    let own = Battleship::setup(rules, &own).map_err(|error| (0, Misplay::Deployed(error)))?;
    let mut board = Battleship::solo(rules, [own, enemy]);
    while let Some(seat) = board.to_move() {
        if seat == Seat::Second {
            board.overrun(seat);
            continue;
        }
        if forgetful {
            bot = B::default();
        }
        let view = View::of(game.size, board.view(seat).clone());
        let action = Action::from(bot.play(game, &view));
        match (board.act(seat, &action), action) {
            (Ruling::Done(_), _) => {}
            (_, Action::Shot(at)) => return Err((view.turn, Misplay::Shot(at))),
            (_, Action::Skip) => return Err((view.turn, Misplay::Skipped)),
        }
    }
    Ok(board.turns(Seat::First))
}

impl Score {
    fn of(shots: &[u32]) -> Self {
        let count = shots.len().max(1) as f64;
        let mean_shots = shots.iter().copied().map(f64::from).sum::<f64>() / count;
        let deviations = shots.iter().map(|&shots| (f64::from(shots) - mean_shots).powi(2)).sum::<f64>();
        Self {
            boards: shots.len() as u32,
            mean_shots,
            standard_error: (deviations / (count - 1.0).max(1.0) / count).sqrt(),
            most_shots: shots.iter().copied().max().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::Placement;

    /// A board of 2 by 2 with one ship of length 2.
    fn tiny() -> Ruleset {
        Ruleset { fleet: vec![2], sinkings_announced: true, ..Ruleset::guide() }.with_size(Size::new(2, 2))
    }

    /// Shoots row by row, and counts its turns in its state.
    #[derive(Default)]
    struct Counting {
        turns: u32,
    }

    impl Bot for Counting {
        const NAME: &'static str = "counting";

        fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
            self.turns += 1;
            assert_eq!(self.turns, view.turn, "the memory holds all turns");
            assert_eq!(view.my_last.is_none(), view.turn == 1);
            assert_eq!(view.ships_remaining.as_deref(), Some([2].as_slice()));
            view.targets().next()
        }
    }

    #[test]
    fn a_bot_keeps_its_memory_for_one_board_and_no_longer() {
        let score = solo::<Counting>(&tiny(), 50, 1).unwrap();
        assert_eq!(score.boards, 50);
        assert!((2.0..=4.0).contains(&score.mean_shots), "{score}");
        assert_eq!(
            score.most_shots, 4,
            "a ship that is not in the first row takes at least three shots: {score}"
        );
    }

    #[test]
    #[should_panic = "the memory holds all turns"]
    fn a_forgetful_bot_loses_its_memory_at_every_turn() {
        let _ = solo_forgetful::<Counting>(&tiny(), 1, 1);
    }

    /// Always shoots at the same cell, row `ROW`, column 0; or skips, if `ROW` is 9.
    #[derive(Default)]
    struct Stubborn<const ROW: u8>;

    impl<const ROW: u8> Bot for Stubborn<ROW> {
        const NAME: &'static str = "stubborn";

        fn play(&mut self, _: &Game, _: &View) -> Option<Coord> {
            (ROW < 9).then_some(Coord::new(ROW, 0))
        }
    }

    #[derive(Default)]
    struct Undeployed;

    impl Bot for Undeployed {
        const NAME: &'static str = "undeployed";

        fn deploy(&mut self, _: &Game) -> Vec<Placement> {
            Vec::new()
        }

        fn play(&mut self, _: &Game, _: &View) -> Option<Coord> {
            None
        }
    }

    #[test]
    fn a_foul_ends_the_practice_and_says_what_and_where() {
        let foul = |turn, what| Err(Foul { board: 0, turn, what });
        assert_eq!(solo::<Stubborn<0>>(&tiny(), 9, 1), foul(2, Misplay::Shot(Coord::new(0, 0))));
        assert_eq!(solo::<Stubborn<2>>(&tiny(), 9, 1), foul(1, Misplay::Shot(Coord::new(2, 0))));
        assert_eq!(solo::<Stubborn<9>>(&tiny(), 9, 1), foul(1, Misplay::Skipped));

        let wrong_count = FleetError::WrongCount { expected: 1, got: 0 };
        assert_eq!(solo::<Undeployed>(&tiny(), 9, 1), foul(0, Misplay::Deployed(wrong_count)));

        let impossible = Ruleset { fleet: vec![3], ..tiny() };
        assert_eq!(solo::<Counting>(&impossible, 9, 1), foul(0, Misplay::NoFleet));
    }

    #[test]
    fn the_default_deploy_places_a_different_legal_fleet_in_each_game() {
        let fleets: Vec<_> = (0..20)
            .map(|seed| {
                let game = Game::of(&Ruleset::guide(), seed);
                let fleet = Counting::default().deploy(&game);
                assert!(game.is_legal_fleet(&fleet));
                fleet
            })
            .collect();
        assert!(fleets.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(Counting::default().deploy(&Game::of(&Ruleset::guide(), 3)), fleets[3]);
    }

    #[test]
    fn recorded_calls_are_read_and_anything_else_is_refused() {
        for rules in [Ruleset::guide(), Ruleset::classic()] {
            let game = Game::of(&rules, u64::MAX);
            let own = Battleship::setup(&rules, &game.random_fleet(&mut game.rng(0))).unwrap();
            let mut board = Battleship::solo(&rules, [own.clone(), own]);
            board.act(Seat::First, &Action::Shot(Coord::new(3, 4)));
            let view = board.view(Seat::First).clone();
            let list = |bytes: &[u8]| format!("{bytes:?}");
            let spot = |at: Option<Coord>| at.map_or("null".to_owned(), |at| list(&[at.row, at.column]));
            let remaining = view.ships_remaining.as_deref().map_or("null".to_owned(), list);
            let [cells, attacks] =
                [bytemuck::cast_slice(&view.board), bytemuck::cast_slice(&view.attacks)].map(list);
            let text = format!(
                r#"{{ "game": {{"width":10,"height":10,"fleet":{:?},"may-touch":{},"sinkings-announced":{},"turns-max":{},"fuel-per-turn":{},"seed":{}}},
                "view": {{"turn":{},"board":{cells},"attacks":{attacks},"last-spot":{},"my-last":{},"retry":{},"ships-remaining":{remaining}}} }}"#,
                game.fleet,
                game.may_touch,
                game.sinkings_announced,
                game.turns_max,
                game.fuel_per_turn,
                game.seed,
                view.turn,
                spot(view.last_spot),
                spot(view.my_last),
                view.retry,
            );
            let (read, shown) = recorded(&text).unwrap();
            assert_eq!(format!("{read:?}"), format!("{game:?}"));
            assert_eq!(format!("{:?}", shown.unwrap()), format!("{:?}", View::of(game.size, view)));
            for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
                // A part of the file is refused or lacks what comes after it, and never ends the program.
                let _ = recorded(&text[..end]);
            }
            for (from, to, name) in [
                ("\"turn\":", "\"turns\":", "turn"),
                ("\"width\":10", "\"width\":0", "width"),
                ("\"height\":10", "\"height\":11", "board"),
                ("\"seed\":", "\"seed\":-", "seed"),
                ("\"attacks\":[", "\"attacks\":[9,", "attacks"),
                ("\"retry\":false", "\"retry\":0", "retry"),
            ] {
                assert_eq!(recorded(&text.replace(from, to)).unwrap_err(), NotACall(name), "{from}");
            }
        }
    }

    #[test]
    fn the_mean_and_its_standard_error_are_correct() {
        let score = Score::of(&[2, 4, 6, 8]);
        assert_eq!((score.mean_shots, score.most_shots), (5.0, 8));
        // The sample's variance is 20 / 3, and the variance of the mean a quarter of that.
        assert!((score.standard_error - (20.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn half_of_the_95_percent_interval_is_printed_after_the_mean() {
        // 1.96 · √(20 / 3 / 4) = 2.53
        let score = Score::of(&[2, 4, 6, 8]);
        assert_eq!(score.to_string(), "5.00 ± 2.53 shots a board over 4 boards, at most 8");
    }
}
