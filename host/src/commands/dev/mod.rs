//! `arena dev`: builds a bot after each save, and compares it with the build that the author has kept; or builds a game, checks it, and has
//! it play at random.

mod game;
mod measuring;
mod session;

use crate::args::{GameArgs, SeedArgs};
use crate::console::Console;
use crate::dev::Watch;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::values::whole;
use arena_engine::internals::{plan, seed};
use arena_experiments::project::Project;
use arena_rules::GameRules;
use arena_text::shown;
use clap::Args;
use session::{Session, Verdict};
use std::path::PathBuf;

/// Arguments of `arena dev`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena dev my-bot\n          arena dev my-bot --once --rules classic\n          arena dev my-game\n\nKeys: k keep this build: the next ones are compared with it, q quit"
)]
pub struct DevArgs {
    /// Folder of the bot, or of a game, which is built as by `arena build`
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,

    /// Build and compare once, and exit: with 2 if the build fails, 3 if the bot or game is refused or at fault
    #[arg(long)]
    pub once: bool,

    /// With --once: keep this build, unless the bot is at fault
    #[arg(long, requires = "once")]
    pub keep: bool,

    /// Number of boards on which builds are compared
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole(2..=1_000_000_u32))]
    pub boards: u32,

    /// The random seed.
    #[command(flatten)]
    pub seed: SeedArgs,

    /// The game and its rules.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Builds and compares after each save, or once.
pub fn dev(args: &DevArgs, console: &mut Console) -> Result<(), Failure> {
    let options = args.game.options();
    let asked = plan::rules_asked(&options)?;
    if let Some(GameRules::Loaded(_)) = &asked {
        return Err(Failure::usage(
            "a game that is a component is not played by one side alone, so a build of its bot has no figures to compare",
            "try a build with `arena check BOT.wasm --game GAME.wasm`, and two of them with `arena sprt`",
        ));
    }
    let project = Project::read(&args.folder)?;
    let seed = seed::given_or_fresh(args.seed.seed)?;
    let interrupt = Interrupt::listen()?;
    let watch = (!args.once).then(|| Watch::start(&project)).transpose()?;
    let mut session = Session {
        args,
        project,
        options,
        asked,
        seed,
        interrupt,
        watch,
        kept: None,
        number: 0,
        is_game: false,
    };
    if let Some(watch) = &session.watch {
        let keys = if watch.has_keys { "k keeps a build, q quits" } else { "Ctrl-C ends it" };
        console.note(format!("{}: `{}` after each save; {keys}", shown(&args.folder), session.project.how()));
    }
    if !session.remember(console)? {
        return Ok(());
    }
    loop {
        let verdict = match session.round(console) {
            // The next save may repair it: the bot was for another game, or the machine was out of memory.
            Err(failure @ (Failure::Engine(_) | Failure::Experiment(_))) if !args.once => {
                console.failure(&failure);
                Verdict::Overtaken
            }
            verdict => verdict?,
        };
        if let Some(watch) = &session.watch {
            watch.end();
        }
        let (last, end) = session.report(verdict, console)?;
        if args.once {
            return end;
        }
        if !session.wait(last, console)? {
            return Ok(());
        }
    }
}
