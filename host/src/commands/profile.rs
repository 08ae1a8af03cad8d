//! `arena profile`: the fuel of a bot by its functions.

use crate::admission;
use crate::args::{self, CacheArgs, Form};
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output::ProfileOutput;
use crate::values::{form, game_setting, whole};
use arena_engine::internals::roster;
use arena_experiments::profile;
use arena_experiments::trial::TrialOptions;
use arena_rules::GameKind;
use arena_sandbox::SandboxLimits;
use clap::Args;
use std::path::PathBuf;
use std::slice;

/// Arguments of `arena profile`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena profile bots/hunter.wasm -o folded > hunter.folded")]
pub struct ProfileArgs {
    /// The bot, a .wasm file
    #[arg(value_name = "BOT")]
    pub bot: PathBuf,

    /// Built-in rules or a file [default: the game's]
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,

    /// Game of the bot, if it is a component
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    pub game: Option<PathBuf>,

    /// Value of an option of --game [default: the game's]; may be repeated
    #[arg(long, value_name = "NAME=N", requires = "game", value_parser = game_setting)]
    pub set: Vec<(String, i64)>,

    /// Number of samples; each stands for the same fuel
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1..=1_000_000_u32))]
    pub samples: u32,

    /// Form of the result; inferno, speedscope and others draw folded stacks as a flame graph
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json, Form::Folded]))]
    pub output: Form,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Profiles a bot in a trial game.
pub fn profile(args: &ProfileArgs, console: &mut Console) -> Result<(), Failure> {
    let rules = args::trial_rules(args.game.as_ref(), &args.set, &args.rules, &args.cache)?;
    let options = TrialOptions { rules, ..TrialOptions::default() };
    roster::check_path(&args.bot)?;
    let interrupt = Interrupt::listen()?;
    let sandbox = args.cache.sandbox(SandboxLimits { workers: 1, ..SandboxLimits::default() })?;
    let bots = slice::from_ref(&args.bot);
    let contestants = admission::admit_all(&sandbox, options.rules.first(), bots, 1, &interrupt, console)?;
    let contestant = &contestants[0];
    let rules = options.rules_of(&contestant.bot).into_iter().next().ok_or_else(|| {
        Failure::usage(
            match contestant.bot.kind() {
                GameKind::Loaded => {
                    format!(
                        "{} is a bot for a game that is a component, and no game is named",
                        contestant.file
                    )
                }
                kind => format!("the rules are for another game, and the bot plays {kind}"),
            },
            match contestant.bot.kind() {
                GameKind::Loaded => "name the game with `--game GAME.wasm`",
                _ => "choose rules of its game; `arena rules list` lists those that are built in",
            },
        )
    })?;
    let plan = options.plan(rules, sandbox.engine_hash());
    console.begin_progress(args.samples as usize, "samples");
    let found = profile::profile(contestant, &sandbox, &plan, args.samples, || {
        console.advance();
        !interrupt.requested()
    });
    console.end_progress();
    let found = found?;
    if found.turns == 0 {
        console.tell(format!(
            "arena: there is no profile: {} was at fault in each turn of the trial game, and none ran out of fuel\n  \
             next: `arena check {}` names the faults",
            contestant.file, contestant.file
        ));
        return Err(Failure::Reported(NegativeResult::Faulted));
    }
    let report = ProfileOutput { contestant, rules: plan.conditions.rules.name(), profile: &found };
    console.show(&report, args.output)?;
    if interrupt.requested() {
        return Err(Failure::Interrupted(
            "interrupted: the profile has only the samples that were taken".into(),
        ));
    }
    Ok(())
}
