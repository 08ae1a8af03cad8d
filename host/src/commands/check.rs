//! `arena check`: the identity, imports and size of a bot, if it may play, and how it plays trial games; the same of a game, which
//! plays by itself; or the measures of the sandbox.

use crate::admission;
use crate::args::{self, CacheArgs, Form};
use crate::console::Console;
use crate::failure::{Failure, NegativeResult};
use crate::interrupt::Interrupt;
use crate::output;
use crate::values::{form, game_setting, whole};
use arena_engine::internals::faults::Faults;
use arena_engine::internals::game_file::check_settings;
use arena_engine::internals::{builtin, roster};
use arena_experiments::finding::Finding;
use arena_experiments::trial::{self, TrialGame, TrialOptions};
use arena_loaded::{self, Error, Order, trial as game_trial};
use arena_players::Contestant;
use arena_record::Name;
use arena_rules::{GameKind, GameRules};
use arena_sandbox::{AdmitError, RefusalKind, Sandbox, SandboxLimits};
use arena_text::shown;
use clap::Args;
use std::path::{Path, PathBuf};
use std::slice;

/// Arguments of `arena check`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples: arena check target/wasm32-wasip2/release/my_bot.wasm\n          arena check my-bot.wasm --quick --rules classic\n          arena check my-bot.wasm --game my-game.wasm\n          arena check my-game.wasm --set columns=8\n          arena check --sandbox"
)]
pub struct CheckArgs {
    /// The bot, or a game, a .wasm file
    #[arg(value_name = "BOT", required_unless_present = "sandbox")]
    pub bot: Option<PathBuf>,

    /// Check the sandbox on this machine instead of a bot
    #[arg(long, conflicts_with = "bot")]
    pub sandbox: bool,

    /// Form of the result
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The same as -o json
    #[arg(long, conflicts_with = "output")]
    pub json: bool,

    /// Play no trial games
    #[arg(long)]
    pub no_games: bool,

    /// Rules of the trial games: built-in ones or a file; may be repeated [default: all rules of its game]
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["no_games", "sandbox"])]
    pub rules: Vec<String>,

    /// Game of the trial games, if it is a component
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "no_games", "sandbox"])]
    pub game: Option<PathBuf>,

    /// Value of an option of --game, or of a game that is checked [default: the game's]; may be repeated
    #[arg(long, value_name = "NAME=N", conflicts_with = "sandbox", value_parser = game_setting)]
    pub set: Vec<(String, i64)>,

    /// Fuel per turn in the trial games [default: the rules' budget]
    #[arg(long, value_name = "UNITS", value_parser = whole(1..=u64::MAX), conflicts_with_all = ["no_games", "sandbox"])]
    pub fuel: Option<u64>,

    /// Play one trial game under each rule set, once
    #[arg(long, conflicts_with_all = ["no_games", "sandbox"])]
    pub quick: bool,

    /// Folder for faults: the game, the view, the output
    #[arg(long, value_name = "DIR", conflicts_with = "no_games")]
    pub faults: Option<PathBuf>,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

impl CheckArgs {
    fn output(&self) -> Form {
        if self.json { Form::Json } else { self.output }
    }
}

/// Reports on a bot, or on the sandbox.
pub fn check(args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    let limits = SandboxLimits { workers: 1, ..SandboxLimits::default() };
    match &args.bot {
        Some(bot) => check_bot(bot, limits, args, console),
        None => check_sandbox(limits, args, console),
    }
}

/// Confines a compiler as for a bot, and reports the measures.
fn check_sandbox(limits: SandboxLimits, args: &CheckArgs, console: &mut Console) -> Result<(), Failure> {
    let sandbox = args.cache.sandbox(limits)?;
    let confinement = sandbox.check_confinement()?;
    let report = output::SandboxOutput::new(confinement, sandbox.limits());
    console.show(&report, args.output())?;
    if report.missing() == 0 { Ok(()) } else { Err(Failure::Reported(NegativeResult::Unconfined)) }
}

/// Admits the bot as a match would, lets it play trial games, and reports the finding.
fn check_bot(
    bot: &Path,
    limits: SandboxLimits,
    args: &CheckArgs,
    console: &mut Console,
) -> Result<(), Failure> {
    let options = TrialOptions {
        rules: args::trial_rules(args.game.as_ref(), &args.set, &args.rules, &args.cache)?,
        fuel_per_turn: args.fuel,
        is_quick: args.quick,
        turns_of_fuel: None,
    };
    roster::check_path(bot)?;
    let bot = &builtin::in_game(options.rules.first(), vec![bot.to_owned()])[0];
    let interrupt = Interrupt::listen()?;
    let mut faults = Faults::open(args.faults.as_deref())?;
    let sandbox = args.cache.sandbox(limits)?;
    let mut roster = admission::admit_surely(&sandbox, slice::from_ref(bot), 1, &interrupt, console)?;
    if roster.refused.first().is_some_and(|refused| refused.kind == RefusalKind::Game.name()) {
        return check_game(bot, &sandbox, args, &interrupt, console);
    }
    if !args.set.is_empty() && args.game.is_none() && !roster.contestants.is_empty() {
        return Err(Failure::usage(
            format!("--set is for the options of a game, and {} is a bot", shown(bot)),
            "name its game with --game, or check the game itself",
        ));
    }
    if let Some(contestant) = roster.contestants.first()
        && let Some(other) = options.rules.iter().find(|rules| rules.kind() != contestant.bot.kind())
    {
        return Err(other_game(bot, contestant.bot.kind(), other));
    }
    if let [rules @ GameRules::Loaded(_)] = &options.rules[..] {
        roster.refuse_other_types(rules)?;
    }
    let contestant = roster.contestants.first().filter(|_| !args.no_games);
    if contestant.is_some_and(|it| it.bot.kind() == GameKind::Loaded && args.game.is_none()) {
        console.note(format!(
            "{} is a bot for a game that is a component: name the game with --game for trial games",
            shown(bot)
        ));
    }
    let games = contestant
        .map(|contestant| try_out(contestant, &sandbox, &options, &interrupt, console))
        .transpose()?;
    for game in games.iter().flatten() {
        let mut files = ["", ""];
        files[game.seat.index()] = contestant.map_or("", |contestant| contestant.file.as_str());
        faults.keep(&game.file_stem(), &game.played, files)?;
    }
    let finding = Finding::of(&roster).with_games(games.as_deref());
    console.show(&finding, args.output())?;
    if !roster.refused.is_empty() {
        return Err(Failure::Reported(NegativeResult::Refused));
    }
    if interrupt.requested() {
        return Err(Failure::Interrupted("interrupted: some trial games were not played".into()));
    }
    if finding.has_faults() {
        return Err(Failure::Reported(NegativeResult::Faulted));
    }
    Ok(())
}

/// The failure of a bot that plays another game than that of its trial games.
fn other_game(bot: &Path, kind: GameKind, other: &GameRules) -> Failure {
    let name = Name::new(other.name());
    match other {
        GameRules::Loaded(_) => Failure::usage(
            format!("{} is a bot for {kind}, and --game is the game {name}", shown(bot)),
            "leave out --game, or name a bot for that game",
        ),
        _ if kind == GameKind::Loaded => Failure::usage(
            format!(
                "{} is a bot for a game that is a component, and the rules `{name}` are built in",
                shown(bot)
            ),
            "leave out --rules, and name its game with --game",
        ),
        _ => Failure::usage(
            format!("the rules `{name}` are for {}, and the bot plays {kind}", other.kind()),
            "choose rules of its game; `arena rules list` lists those that are built in",
        ),
    }
}

/// The number of games of a game's quick trial. Chosen: some hundredths of a second for a small game.
const QUICK_GAMES: u32 = 50;

/// Lets a game play by itself, and reports the finding.
fn check_game(
    path: &Path,
    sandbox: &Sandbox,
    args: &CheckArgs,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<(), Failure> {
    let is_for_bots =
        !args.rules.is_empty() || args.game.is_some() || args.fuel.is_some() || args.faults.is_some();
    if is_for_bots {
        let what =
            format!("{} is a game, and --rules, --game, --fuel and --faults are for bots", shown(path));
        return Err(Failure::usage(what, "leave them out; a game has its own rules and budgets"));
    }
    let component = sandbox.admit_component_file(path).map_err(|error| match error {
        AdmitError::Host(error) => error.into(),
        changed => Failure::usage(format!("{} {changed}", shown(path)), "check that nothing writes to it"),
    })?;
    if !args.set.is_empty() {
        match arena_loaded::run(sandbox, &component, Order::About, |_| true) {
            Ok(answer) => check_settings(&answer.about, &args.set)?,
            // It is found again below, and reported.
            Err(Error::Game(_)) => {}
            Err(Error::Host(error)) => return Err(error.into()),
        }
    }
    let games = match (args.no_games, args.quick) {
        (true, _) => 0,
        (false, true) => QUICK_GAMES,
        (false, false) => game_trial::GAMES,
    };
    console.begin_progress(games as usize, "games");
    let order = Order::Trial(games, args.set.clone());
    let answer = arena_loaded::run(sandbox, &component, order, |played| {
        console.advance_to(played as usize, games as usize);
        !interrupt.requested()
    });
    console.end_progress();
    admission::note_gaps(sandbox, console);
    let answer = match answer {
        Ok(answer) => Ok(answer),
        Err(Error::Game(fault)) => Err(fault),
        Err(Error::Host(error)) => return Err(error.into()),
    };
    let refused = answer.as_ref().ok().and_then(|it| it.trial.as_ref()?.refused_options.as_ref());
    if let Some(why) = refused {
        return Err(Failure::usage(
            format!("{} refuses these values of --set: {why}", shown(path)),
            "choose other values",
        ));
    }
    let is_interrupted = interrupt.requested();
    let (file, answer) = (shown(path), answer.as_ref());
    let finding = output::GameFinding { file, component: &component, answer, games, is_interrupted };
    console.show(&finding, args.output())?;
    if is_interrupted {
        return Err(Failure::Interrupted("interrupted: some games were not played".into()));
    }
    if finding.fault().is_some() {
        return Err(Failure::Reported(NegativeResult::Faulted));
    }
    Ok(())
}

/// Plays the trial games of a bot.
fn try_out(
    contestant: &Contestant,
    sandbox: &Sandbox,
    options: &TrialOptions,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Vec<TrialGame>, Failure> {
    console.begin_progress(options.count(&contestant.bot), "trial games");
    let games = trial::play(contestant, sandbox, options, || {
        console.advance();
        !interrupt.requested()
    });
    console.end_progress();
    admission::note_gaps(sandbox, console);
    Ok(games?)
}
