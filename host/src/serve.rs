//! `arena serve`: a game over TCP.

use crate::admission;
use crate::archive::Archive;
use crate::cli::{Output, ServeArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::report;
use crate::roster::{Contestant, check_path};
use arena_net::{GameRecord, Limits, Options, Seated, Server, Tally};
use arena_record::{FORMAT, GameResult, Header, Transcript};
use arena_referee::{HostError, SubmarinePlayer};
use arena_rules::{GameKind, GameRules, Seat, submarine};
use arena_sandbox::WASMTIME_VERSION;
use std::ops::ControlFlow;
use std::slice;

/// Serves what the arguments say, until it has played the games or is interrupted.
pub fn serve(args: &ServeArgs, console: &mut Console) -> Result<(), Failure> {
    let rules = rules(args)?;
    let interrupt = Interrupt::listen()?;
    let house = House::open(args, &rules, &interrupt, console)?;
    let opponent = house.as_ref().map(|house| &house.contestant);
    let games_max = usize::try_from(args.games.unwrap_or(0)).unwrap_or(usize::MAX);
    let archive = Archive::open(args.transcripts.as_deref(), None, games_max)?;
    let server = Server::bind(args.listen, args.port).map_err(|error| {
        Failure::input(
            format!("cannot listen on {}, port {}: {error}", args.listen, args.port),
            "choose another port, or 0 for any that is free",
        )
    })?;
    interrupt.answer(console::note_interrupt);
    console.note(&format!("listening on {}", server.local_addr()?));

    let limits = args.limits.recorded(rules.turn_budget_ms);
    let make_bot = |number: u64| {
        let bot = opponent.ok_or_else(|| HostError("there is no bot".into()))?;
        let [_, seed] = Options::side_seeds(args.seed, number);
        let player: Box<dyn SubmarinePlayer> = Box::new(bot.bot.player(seed));
        Ok(player)
    };
    let options = Options {
        limits: Limits { turn: args.turn, ..Limits::default() },
        games_at_once: args.jobs.into(),
        games_max: args.games,
        bot: if opponent.is_some() { Some(&make_bot) } else { None },
        fuel_per_turn: limits.fuel_per_turn,
        seed: args.seed,
        rules: rules.clone(),
    };
    let head = Head { args, rules, limits, house: house.as_ref() };
    let mut told = Ok(());
    let tally = server.serve(
        &options,
        || interrupt.requested(),
        |game| {
            told = tell(&head, &archive, console, game);
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    )?;
    told?;
    if args.output == Output::Table {
        console.line(&summary(&tally))?;
    }
    match tally.failed {
        0 => Ok(()),
        failed => Err(Failure::Host(anyhow::anyhow!("{failed} games have no result"))),
    }
}

fn rules(args: &ServeArgs) -> Result<submarine::Rules, Failure> {
    match GameRules::named(&args.rules) {
        Some(GameRules::Submarine(rules)) => Ok(rules),
        Some(GameRules::Battleship(_)) => Err(Failure::input(
            format!("the rules `{}` have no protocol to serve", args.rules),
            "serve `--rules submarine`",
        )),
        None => Err(Failure::input(
            format!("there are no rules named {:?}", args.rules),
            "serve `--rules submarine`",
        )),
    }
}

/// The bot that clients play against, and where it runs.
struct House {
    contestant: Contestant,
    engine: String,
}

impl House {
    fn open(
        args: &ServeArgs,
        rules: &submarine::Rules,
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.bot else { return Ok(None) };
        check_path(path)?;
        let limits = args.limits.sandbox(args.jobs.into(), rules.turn_budget_ms);
        let sandbox = admission::sandbox(limits, &args.cache)?;
        let contestant =
            admission::admit_all(&sandbox, slice::from_ref(path), 1, interrupt, console)?.remove(0);
        match contestant.bot.game() {
            GameKind::Submarine => Ok(Some(Self { contestant, engine: sandbox.engine_hash() })),
            game => Err(Failure::input(
                format!("{} plays {game}, and submarine is served", contestant.file),
                "name a bot for submarine",
            )),
        }
    }
}

/// What all games of a server have in common, for their transcripts.
struct Head<'a> {
    args: &'a ServeArgs,
    rules: submarine::Rules,
    limits: arena_record::Limits,
    house: Option<&'a House>,
}

impl Head<'_> {
    fn header(&self, game: &GameRecord) -> Header {
        let contestant = |seat: usize| match (game.players[seat], self.house) {
            (Seated::Bot, Some(House { contestant, .. })) => contestant.entry(game.side_seeds[seat]),
            // A client has an address, and nothing to know it by again.
            (seated, _) => arena_record::Contestant {
                label: seated.to_string(),
                name: String::new(),
                sha256: String::new(),
                seed: game.side_seeds[seat],
            },
        };
        Header {
            arena_transcript: FORMAT,
            arena: env!("CARGO_PKG_VERSION").into(),
            wasmtime: WASMTIME_VERSION.into(),
            engine: self.house.map(|house| house.engine.clone()).unwrap_or_default(),
            contract: "arena:submarine@0.1.0".into(),
            rules: GameRules::Submarine(self.rules.clone()),
            limits: self.limits,
            seed: self.args.seed,
            game: u32::try_from(game.number).unwrap_or(u32::MAX),
            bots: [contestant(0), contestant(1)],
            fleet_seed: 0,
            starter: Seat::First,
        }
    }
}

/// Keeps a game and prints its line.
fn tell(head: &Head<'_>, archive: &Archive, console: &mut Console, game: GameRecord) -> Result<(), Failure> {
    let number = usize::try_from(game.number).unwrap_or(usize::MAX);
    let header = head.header(&game);
    let [first, second] = header.bots.each_ref().map(|bot| bot.label.clone());
    let result = game.outcome.map_err(HostError).and_then(|_| GameResult::of(&game.events));
    if result.is_ok() {
        archive.keep_transcript(number, &Transcript { header, events: game.events })?;
    }
    console.line(&match head.args.output {
        Output::Table => report::served(number, [&first, &second], &result),
        Output::Json => report::game_line(number, [&first, &second], &result),
    })?;
    Ok(())
}

fn summary(tally: &Tally) -> String {
    let Tally { games, wins: [first, second], even, no_contest, .. } = tally;
    format!(
        "\n{games} games: {first} won by the first to move, {second} by the other, {even} even, {no_contest} no contest"
    )
}
