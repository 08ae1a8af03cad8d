//! `arena bench --game`: games a second, turns, and the fuel of the game and of bots.

use super::BenchArgs;
use crate::admission::{self, Ready};
use crate::args::Form;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::GameBenchOutput;
use arena_engine::HostError;
use arena_experiments::game_bench;
use arena_experiments::game_trial::{self, Progress};
use arena_rules::GameRules;
use arena_text::{counted, shown};
use std::path::{Path, PathBuf};

/// The opponent of the bots.
const OPPONENT: &str = "builtin:random";

/// Has the game play at random, and each bot against its random opponent, and reports the figures.
pub(super) fn bench_game(args: &BenchArgs, game: &Path, console: &mut Console) -> Result<(), Failure> {
    if matches!(args.output, Form::Csv | Form::Jsonl) {
        return Err(Failure::usage(
            "-o csv and -o jsonl have a line for each board that a bot clears alone, and a game that is a component has no such boards",
            "use -o table or -o json; `arena run --game` and `arena games` have a line for each game",
        ));
    }
    let paths: Vec<PathBuf> = args.bots.iter().cloned().chain([OPPONENT.into()]).collect();
    let Ready { plan, contestants, interrupt, sandbox } =
        admission::require(&args.game, &args.seed, &paths, console)?;
    let (GameRules::Loaded(rules), Some((opponent, bots))) =
        (&plan.conditions.rules, contestants.split_last())
    else {
        return Err(HostError::Defect("a game that is a component has other rules".into()).into());
    };
    let games = args.games;
    let pairs = games.div_ceil(2) as usize;
    let asked = games as usize + 2 * pairs * bots.len();
    console.begin_progress(asked, "games");
    let random = game_trial::random_games(rules, games, &plan.seed.seed, |Progress { played, .. }| {
        console.advance_to(played as usize, asked);
        !interrupt.requested()
    });
    let random = random.map_err(|error| error.with_file(shown(game)));
    let mut play = |bot| {
        let stop = || interrupt.requested();
        game_bench::play(&sandbox, &plan, bot, opponent, pairs, stop, || {
            console.advance();
            console.advance();
        })
    };
    let played = random.and_then(|random| {
        let bots = bots.iter().map(|bot| Ok((bot, play(bot)?))).collect::<Result<Vec<_>, HostError>>()?;
        Ok((random, bots))
    });
    console.end_progress();
    admission::note_gaps(&sandbox, console);
    let (random, bots) = played?;
    let count = random.turns.len() + bots.iter().map(|(_, games)| games.games as usize).sum::<usize>();
    let output = GameBenchOutput { plan: &plan, rules, random: &random, bots: &bots, opponent };
    console.show(&output, args.output)?;
    if count == asked {
        return Ok(());
    }
    let asked = counted(asked, "game");
    Err(Failure::Interrupted(format!("interrupted: played {count} of {asked}; the figures are for those")))
}
