//! The practice program of a bot's folder.

use super::{Ruleset, practise, recorded};
use crate::program::{self, Practice, with_error};
use crate::{Bot, Coord, Placement};
use std::process::ExitCode;

/// The practice program of a bot's folder: `examples/practice.rs` is a `main` that calls this function.
///
/// It prints the number of shots that the bot needs on practice boards. With the options `--rules`, `--boards` and `--seed` it
/// plays others. With `--calls FILE` it calls the bot as in a recorded game, for example in a debugger. A copy of an earlier build of the
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
        bot: || {
            let mut bot = B::default();
            Box::new(move |text| {
                Ok(match recorded(text)? {
                    (game, Some(view)) => match bot.play(&game, &view) {
                        Some(Coord { row, column }) => format!("{{\"shot\":[{row},{column}]}}"),
                        None => "\"skip\"".into(),
                    },
                    (game, None) => {
                        let fleet = bot.deploy(&game);
                        let places = fleet.iter().map(|Placement { anchor, direction }| {
                            format!(
                                "[{},{},\"{}\"]",
                                anchor.row,
                                anchor.column,
                                &format!("{direction:?}")[..1]
                            )
                        });
                        format!("[{}]", places.collect::<Vec<_>>().join(","))
                    }
                })
            })
        },
    })
}
