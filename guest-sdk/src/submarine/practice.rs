//! Practice of one bot against another: measures which of them is better.
//!
//! It runs natively, with the rules that the arena uses, so that a bot's own `cargo test` can check how good the bot is.
//! Fuel is not measured here; the arena's transcripts have it for each turn.
//!
//! ```
//! use arena_sdk::submarine::practice::play;
//! use arena_sdk::submarine::{Action, Bot, Game, View};
//!
//! /// Plays random legal actions.
//! #[derive(Default)]
//! struct Anything;
//!
//! impl Bot for Anything {
//!     const NAME: &'static str = "anything";
//!
//!     fn play(&mut self, game: &Game, view: &View) -> Action {
//!         game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
//!     }
//! }
//!
//! let score = play::<Anything, Anything>(20, 7)?;
//! println!("{score}");
//! assert!(score.mean_actions > 50.0);
//! # Ok::<(), arena_sdk::submarine::practice::Foul>(())
//! ```

mod program;

use super::{Action, Bot, EnemyShip, Game, Illegal, OwnShip, Report, Ship, View};
use crate::Rng;
use crate::call::Call;
use arena_rules::submarine::{PositionsError, Submarine};
use arena_rules::{Game as _, Outcome, Ruling, Seat};
use std::fmt;

pub use crate::call::NotACall;
pub use arena_rules::submarine::Rules;
pub use program::{TURNS_MAX, against_random, main};

/// Reads the arguments of a recorded call: a line of `calls.jsonl` in a folder of `--faults`, or of what `arena replay --calls` writes. The
/// view is `None` if the call was `deploy`.
///
/// ```
/// use arena_sdk::submarine::practice::recorded;
/// use arena_sdk::submarine::{Report, Ship};
///
/// let text = r#"{"game": {"actions-max":10000,"fuel-per-turn":99,"seed":7}, "view": {"turn":4,
///     "own":[{"ship":"battleship","hit-points":3,"at":[3,3]},{"ship":"submarine","hit-points":1,"at":[0,0]}],
///     "enemy":[{"ship":"cruiser","hit-points":2}],"my-last":{"attacked":{"at":[2,2],"hit":"submarine","near":[]}},
///     "enemy-last":{"moved":{"ship":"cruiser","down":0,"right":-3}}}}"#;
/// let (game, view) = recorded(text)?;
/// let view = view.expect("it is a turn");
/// assert_eq!((game.seed, view.turn, view.own.len(), view.enemy[0].ship), (7, 4, 2, Ship::Cruiser));
/// assert!(matches!(view.my_last, Some(Report::Attacked { hit: Some(Ship::Submarine), .. })));
/// assert!(matches!(view.enemy_last, Some(Report::Moved { ship: Ship::Cruiser, down: 0, right: -3 })));
/// # Ok::<(), arena_sdk::submarine::practice::NotACall>(())
/// ```
///
/// # Errors
/// The first name whose value is missing or of the wrong type.
pub fn recorded(text: &str) -> Result<(Game, Option<View>), NotACall> {
    let call = Call(text);
    let game = Game {
        actions_max: call.number("actions-max")?,
        fuel_per_turn: call.number("fuel-per-turn")?,
        seed: call.number("seed")?,
    };
    if call.value("view")? == "null" {
        return Ok((game, None));
    }
    let own = |ship: Call<'_>| {
        let at = ship.spot("at")?.ok_or(NotACall("at"))?;
        Ok(OwnShip { ship: ship_of(ship.value("ship")?)?, hit_points: ship.number("hit-points")?, at })
    };
    let enemy = |ship: Call<'_>| {
        Ok(EnemyShip { ship: ship_of(ship.value("ship")?)?, hit_points: ship.number("hit-points")? })
    };
    let view = View {
        turn: call.number("turn")?,
        own: call.objects("own")?.map(own).collect::<Result<_, _>>()?,
        enemy: call.objects("enemy")?.map(enemy).collect::<Result<_, _>>()?,
        my_last: report_of(call.whole("my-last")?)?,
        enemy_last: report_of(call.whole("enemy-last")?)?,
    };
    Ok((game, Some(view)))
}

/// The ship with a name in quotes.
fn ship_of(name: &str) -> Result<Ship, NotACall> {
    match name.trim().trim_matches('"') {
        "battleship" => Ok(Ship::Battleship),
        "cruiser" => Ok(Ship::Cruiser),
        "submarine" => Ok(Ship::Submarine),
        _ => Err(NotACall("ship")),
    }
}

fn report_of(text: &str) -> Result<Option<Report>, NotACall> {
    let report = Call(text);
    if text == "null" {
        return Ok(None);
    }
    if text.contains("\"moved\":") {
        let ship = ship_of(report.value("ship")?)?;
        return Ok(Some(Report::Moved {
            ship,
            down: report.number("down")?,
            right: report.number("right")?,
        }));
    }
    let hit = match report.value("hit")? {
        "null" => None,
        name => Some(ship_of(name)?),
    };
    let near = report.value("near")?.trim_matches(['[', ']']);
    let near = near.split(',').filter(|name| !name.trim().is_empty()).map(ship_of);
    let at = report.spot("at")?.ok_or(NotACall("at"))?;
    Ok(Some(Report::Attacked { at, hit, near: near.collect::<Result<_, _>>()? }))
}

/// The score of a bot against another.
///
/// ```
/// use arena_sdk::submarine::practice::play;
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, game: &Game, view: &View) -> Action {
/// #         game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
/// #     }
/// # }
/// let score = play::<MyBot, MyBot>(20, 7)?;
/// assert_eq!(score.wins + score.draws + score.losses, 20);
/// # Ok::<(), arena_sdk::submarine::practice::Foul>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The number of games that the first bot won.
    pub wins: u32,
    /// The number of drawn games.
    pub draws: u32,
    /// The number of games that the second bot won.
    pub losses: u32,
    /// The mean number of actions per game, of both sides together.
    pub mean_actions: f64,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses, mean_actions } = self;
        write!(f, "{wins} won, {draws} drawn, {losses} lost, {mean_actions:.1} actions a game")
    }
}

/// An action of a bot that loses the game at once, with the game and the turn.
///
/// ```
/// use arena_sdk::submarine::practice::play;
/// # use arena_sdk::Coord;
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// /// Attacks the same cell, whether it reaches it or not.
/// #[derive(Default)]
/// struct Stubborn;
///
/// impl Bot for Stubborn {
///     const NAME: &'static str = "stubborn";
///
///     fn deploy(&mut self, _: &Game) -> [Coord; 3] {
///         [Coord::new(0, 0), Coord::new(0, 1), Coord::new(0, 2)]
///     }
///
///     fn play(&mut self, _: &Game, _: &View) -> Action {
///         Action::Attack(Coord::new(4, 4))
///     }
/// }
///
/// let foul = play::<Stubborn, Stubborn>(20, 7).unwrap_err();
/// assert_eq!((foul.bot, foul.game, foul.turn), ("stubborn", 0, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, turn {turn} of {bot}: {what}")]
pub struct Foul {
    /// The bot's name.
    pub bot: &'static str,
    /// The number of the game, from 0.
    pub game: u32,
    /// The number of the bot's turn, from 1; 0 for the deployment.
    pub turn: u32,
    /// The action.
    pub what: Misplay,
}

/// An action of a bot that loses the game at once.
///
/// ```
/// use arena_sdk::submarine::practice::{Misplay, play};
/// # use arena_sdk::Coord;
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// /// Attacks the same cell, whether it reaches it or not.
/// #[derive(Default)]
/// struct Stubborn;
///
/// impl Bot for Stubborn {
///     const NAME: &'static str = "stubborn";
///
///     fn deploy(&mut self, _: &Game) -> [Coord; 3] {
///         [Coord::new(0, 0), Coord::new(0, 1), Coord::new(0, 2)]
///     }
///
///     fn play(&mut self, _: &Game, _: &View) -> Action {
///         Action::Attack(Coord::new(4, 4))
///     }
/// }
///
/// let foul = play::<Stubborn, Stubborn>(20, 7).unwrap_err();
/// assert!(matches!(foul.what, Misplay::Acted(Action::Attack(_), _)), "{foul}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misplay {
    /// Illegal cells for its ships to begin on.
    #[error("the deployment is not legal: {0}")]
    Deployed(PositionsError),
    /// An illegal action.
    #[error("{}", Submarine::complaint(.0, .1))]
    Acted(Action, Illegal),
}

/// Lets two bots play games against each other, each with fresh values of both, and returns the score of the first,
/// `A`.
///
/// `A` moves first in all games; for the other seat, swap the two. The same number of games and seed always give both
/// bots the same random seeds in each game, so that two versions of a bot can be compared.
///
/// ```
/// use arena_sdk::submarine::practice::play;
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, game: &Game, view: &View) -> Action {
/// #         game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
/// #     }
/// # }
/// let score = play::<MyBot, MyBot>(20, 7)?;
/// assert_eq!(play::<MyBot, MyBot>(20, 7), Ok(score), "the same games");
/// # Ok::<(), arena_sdk::submarine::practice::Foul>(())
/// ```
///
/// # Errors
/// The first [`Foul`]: an illegal deployment or action. In the arena it loses the game.
pub fn play<A: Bot, B: Bot>(games: u32, seed: u64) -> Result<Score, Foul> {
    play_by::<A, B>(&Rules::default(), games, seed)
}

/// Like [`play`], with rules other than the default ones.
///
/// ```
/// use arena_sdk::submarine::practice::{Rules, play_by};
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, game: &Game, view: &View) -> Action {
/// #         game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
/// #     }
/// # }
/// let rules = Rules { actions_max: 2, ..Rules::default() };
/// assert_eq!(play_by::<MyBot, MyBot>(&rules, 20, 7)?.draws, 20);
/// # Ok::<(), arena_sdk::submarine::practice::Foul>(())
/// ```
///
/// # Errors
/// As for [`play`].
pub fn play_by<A: Bot, B: Bot>(rules: &Rules, games: u32, seed: u64) -> Result<Score, Foul> {
    let mut rng = Rng::seeded(seed);
    let mut score = Score::default();
    let mut actions = 0.0;
    for number in 0..games {
        let infos = [Game::of(rules, rng.bits()), Game::of(rules, rng.bits())];
        let game = play_one::<A, B>(rules, &infos, number)?;
        match game.end() {
            Some((Outcome::Win(Seat::First), _)) => score.wins += 1,
            Some((Outcome::Win(Seat::Second), _)) => score.losses += 1,
            _ => score.draws += 1,
        }
        actions += f64::from(game.turns(Seat::First)) + f64::from(game.turns(Seat::Second));
    }
    score.mean_actions = actions / f64::from(games.max(1));
    Ok(score)
}

/// Plays one game to its end.
fn play_one<A: Bot, B: Bot>(rules: &Rules, infos: &[Game; 2], number: u32) -> Result<Submarine, Foul> {
    let (mut first, mut second) = (A::default(), B::default());
    let foul = |bot, turn, what| Foul { bot, game: number, turn, what };
    let check =
        |bot, cells| Submarine::setup(rules, &cells).map_err(|error| foul(bot, 0, Misplay::Deployed(error)));
    let positions = [check(A::NAME, first.deploy(&infos[0]))?, check(B::NAME, second.deploy(&infos[1]))?];
    let mut game = Submarine::new(rules, positions, Seat::First);
    while let Some(seat) = game.to_move() {
        let view = game.view(seat);
        let turn = view.turn;
        let (bot, action) = match seat {
            Seat::First => (A::NAME, first.play(&infos[0], view)),
            Seat::Second => (B::NAME, second.play(&infos[1], view)),
        };
        if let Ruling::Retry(why) | Ruling::Lost(why) = game.act(seat, &action) {
            return Err(foul(bot, turn, Misplay::Acted(action, why)));
        }
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::super::{Ship, View};
    use super::*;
    use arena_rules::Coord;

    const fn at(row: u8, column: u8) -> Coord {
        Coord::new(row, column)
    }

    /// Stays in the corner and attacks cells of its own row. It counts its turns in its state.
    #[derive(Default)]
    struct Sitter<const ROW: u8> {
        turns: u32,
    }

    impl<const ROW: u8> Bot for Sitter<ROW> {
        const NAME: &'static str = "sitter";

        fn deploy(&mut self, _: &Game) -> [Coord; 3] {
            [at(ROW, 0), at(ROW, 1), at(ROW, 2)]
        }

        fn play(&mut self, _: &Game, view: &View) -> Action {
            self.turns += 1;
            assert_eq!(self.turns, view.turn, "the memory holds all turns");
            assert_eq!(view.my_last.is_none(), view.turn == 1);
            // The cell with the enemy's weakest ship, if both are in the same row.
            Action::Attack(at(ROW, view.enemy.len() as u8 - 1))
        }
    }

    #[test]
    fn the_first_bot_moves_first_and_a_game_without_a_winner_is_a_draw() {
        // Both need six hits, and the side that moves first has made them first.
        let score = play::<Sitter<0>, Sitter<0>>(5, 1).unwrap();
        assert_eq!(score, Score { wins: 5, draws: 0, losses: 0, mean_actions: 11.0 });
        let rules = Rules { actions_max: 100, ..Rules::default() };
        let score = play_by::<Sitter<0>, Sitter<4>>(&rules, 5, 1).unwrap();
        assert_eq!(score, Score { wins: 0, draws: 5, losses: 0, mean_actions: 100.0 });
    }

    #[derive(Default)]
    struct Crowded;

    impl Bot for Crowded {
        const NAME: &'static str = "crowded";

        fn deploy(&mut self, _: &Game) -> [Coord; 3] {
            [at(2, 2), at(1, 1), at(2, 2)]
        }

        fn play(&mut self, _: &Game, _: &View) -> Action {
            unreachable!("its deployment is not legal")
        }
    }

    /// Moves its battleship to the far corner, first along a column and then illegally.
    #[derive(Default)]
    struct Astray;

    impl Bot for Astray {
        const NAME: &'static str = "astray";

        fn deploy(&mut self, _: &Game) -> [Coord; 3] {
            [at(0, 0), at(0, 1), at(0, 2)]
        }

        fn play(&mut self, _: &Game, view: &View) -> Action {
            let to = if view.turn == 1 { at(4, 0) } else { at(3, 3) };
            Action::Move(Ship::Battleship, to)
        }
    }

    #[test]
    fn a_foul_ends_the_practice_and_names_the_bot_the_action_and_the_turn() {
        let foul = play::<Sitter<0>, Crowded>(9, 1).unwrap_err();
        let shared = PositionsError::Shared(Ship::Battleship, Ship::Submarine, at(2, 2));
        assert_eq!(foul, Foul { bot: "crowded", game: 0, turn: 0, what: Misplay::Deployed(shared) });

        let foul = play::<Astray, Sitter<4>>(9, 1).unwrap_err();
        assert_eq!((foul.bot, foul.turn), ("astray", 2));
        let action = Action::Move(Ship::Battleship, at(3, 3));
        assert_eq!(foul.what, Misplay::Acted(action, Illegal::NotStraight));
        println!("{foul}");
    }

    /// A bot with the default `deploy`.
    #[derive(Default)]
    struct Undeployed;

    impl Bot for Undeployed {
        const NAME: &'static str = "undeployed";

        fn play(&mut self, game: &Game, view: &View) -> Action {
            game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
        }
    }

    #[test]
    fn the_default_deploy_returns_legal_cells() {
        let score = play::<Undeployed, Undeployed>(200, 1).unwrap();
        println!("{score}");
        assert!(score.wins > 60 && score.losses > 60, "{score}");
        assert_eq!(play::<Undeployed, Undeployed>(200, 1), Ok(score), "the same seed, the same games");
    }
}
