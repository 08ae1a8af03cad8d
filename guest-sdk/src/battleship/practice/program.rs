//! The practice program of a bot's folder.

use super::{Ruleset, practise, recorded};
use crate::Bot;
use crate::program::{self, Practice, with_error};
use std::process::ExitCode;

/// The practice program of a bot's folder: `examples/practice.rs` is a `main` that calls this function.
///
/// It prints the number of shots that the bot needs on practice boards. With the options `--rules`, `--boards` and `--seed` it
/// plays others. With `--view FILE` it calls the bot at a recorded turn, for example in a debugger. A copy of an earlier build of the
/// program as an argument is compared on the same boards.
///
/// ```no_run
/// # use arena_sdk::{Bot, Coord, Game, View};
/// # #[derive(Default)]
/// # struct MyBot;
/// # impl Bot for MyBot {
/// #     const NAME: &'static str = "my bot";
/// #     fn play(&mut self, _: &Game, view: &View) -> Option<Coord> {
/// #         view.targets().next()
/// #     }
/// # }
/// fn main() -> std::process::ExitCode {
///     arena_sdk::practice::main::<MyBot>()
/// }
/// ```
pub fn main<B: Bot>() -> ExitCode {
    program::main(&Practice {
        count: "boards",
        rules: &["guide", "classic", "pirates"],
        play: |options| {
            let rules = match options.rules.as_str() {
                "classic" => Ruleset::classic(),
                "pirates" => Ruleset::pirates(),
                _ => Ruleset::guide(),
            };
            let shots = practise::<B>(&rules, options.count, options.seed, false, options.progress("boards"));
            shots.map_err(|foul| foul.to_string())
        },
        result: |shots| {
            let mean = with_error(shots.iter().copied().map(f64::from));
            format!("{mean} shots a board over {} boards", shots.len())
        },
        call: |text| {
            let mut bot = B::default();
            Ok(match recorded(text)? {
                (game, Some(view)) => {
                    bot.play(&game, &view).map_or_else(|| "skip".into(), |at| at.to_string())
                }
                (game, None) => {
                    let places = bot.deploy(&game);
                    places.iter().map(|place| format!("{place:?}")).collect::<Vec<_>>().join("\n")
                }
            })
        },
    })
}
