//! The practice program of a bot's folder, and the games that it plays.

use super::{Foul, Rules, play_one, recorded};
use crate::Rng;
use crate::program::{self, Practice, with_error};
use crate::submarine::{Action, Bot, Game, View};
use arena_rules::{Coord, Game as _, Outcome, Seat};
use std::process::ExitCode;

/// The number of turns in which a game must be won to count as won by [`against_random`]. Chosen: several times what a
/// bot needs that attacks where it suspects the enemy.
pub const TURNS_MAX: u32 = 200;

/// Plays random legal actions.
#[derive(Default)]
struct Random;

impl Bot for Random {
    const NAME: &'static str = "random";

    fn play(&mut self, game: &Game, view: &View) -> Action {
        game.rng(view.turn).pick(view.legal_actions()).expect("there is always a legal action")
    }
}

/// Lets a bot play games against random actions, with the second seat in every other game. Returns the number of its turns until it
/// has won each game, and [`TURNS_MAX`] for one that it has not won within them.
///
/// ```
/// use arena_sdk::submarine::practice::{TURNS_MAX, against_random};
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, game: &Game, view: &View) -> Action {
/// #         game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
/// #     }
/// # }
/// let turns = against_random::<MyBot>(20, 7)?;
/// assert!(turns.len() == 20 && turns.iter().all(|&turns| turns <= TURNS_MAX));
/// # Ok::<(), arena_sdk::submarine::practice::Foul>(())
/// ```
///
/// # Errors
/// As for [`play`](super::play).
pub fn against_random<B: Bot>(games: u32, seed: u64) -> Result<Vec<u32>, Foul> {
    turns_against_random::<B>(games, seed, || ())
}

/// The same. `played` is called after each game.
fn turns_against_random<B: Bot>(games: u32, seed: u64, mut played: impl FnMut()) -> Result<Vec<u32>, Foul> {
    let rules = Rules { actions_max: 2 * TURNS_MAX, ..Rules::default() };
    let mut rng = Rng::seeded(seed);
    let game = |number: u32| {
        let infos = [Game::of(&rules, rng.bits()), Game::of(&rules, rng.bits())];
        let (seat, game) = if number.is_multiple_of(2) {
            (Seat::First, play_one::<B, Random>(&rules, &infos, number)?)
        } else {
            (Seat::Second, play_one::<Random, B>(&rules, &infos, number)?)
        };
        played();
        let has_won = matches!(game.end(), Some((Outcome::Win(winner), _)) if winner == seat);
        Ok(if has_won { game.turns(seat).min(TURNS_MAX) } else { TURNS_MAX })
    };
    (0..games).map(game).collect()
}

/// The practice program of a bot's folder: `examples/practice.rs` is a `main` that calls this function.
///
/// It prints the number of games that the bot wins against random actions, and the number of its turns until then. With the options
/// `--games` and `--seed` it plays others. With `--calls FILE` it calls the bot as in a recorded game, for example in a debugger. A copy of an
/// earlier build of the program as an argument is compared in the same games.
///
/// ```no_run
/// # use arena_sdk::submarine::{Action, Bot, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, game: &Game, view: &View) -> Action {
/// #         game.rng(view.turn).pick(view.legal_actions()).expect("there is always something")
/// #     }
/// # }
/// fn main() -> std::process::ExitCode {
///     arena_sdk::submarine::practice::main::<MyBot>()
/// }
/// ```
pub fn main<B: Bot>() -> ExitCode {
    program::main(&Practice {
        count: "games",
        rules: &["default"],
        play: |options| {
            let turns = turns_against_random::<B>(options.count, options.seed, options.progress("games"));
            turns.map_err(|foul| foul.to_string())
        },
        result: |turns| {
            let won = turns.iter().filter(|&&turns| turns < TURNS_MAX).count();
            let mean = with_error(turns.iter().copied().map(f64::from));
            format!("{won} of {} games won against random actions, {mean} turns a game", turns.len())
        },
        bot: || {
            let mut bot = B::default();
            let cell = |at: Coord| format!("[{},{}]", at.row, at.column);
            Box::new(move |text| {
                Ok(match recorded(text)? {
                    (game, Some(view)) => match bot.play(&game, &view) {
                        Action::Attack(at) => format!("{{\"attack\":{}}}", cell(at)),
                        Action::Move(ship, to) => format!("{{\"move\":[\"{}\",{}]}}", ship.name(), cell(to)),
                    },
                    (game, None) => {
                        let positions = bot.deploy(&game).map(cell);
                        format!("[{}]", positions.join(","))
                    }
                })
            })
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_actions_win_half_of_their_games_and_the_same_games_again() {
        let turns = against_random::<Random>(100, 1).unwrap();
        let won = turns.iter().filter(|&&turns| turns < TURNS_MAX).count();
        assert!((30..=70).contains(&won), "{won} of 100 games");
        assert_eq!(against_random::<Random>(100, 1), Ok(turns), "the same seed, the same games");
    }
}
