//! `arena serve`: submarine over TCP, for clients of its old server.

mod args;
mod opponent;

pub use args::ServeArgs;

use crate::args::Form;
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{admission, output};
use arena_engine::internals::archive::Archive;
use arena_engine::internals::seed;
use arena_net::{ClientLimits, Options, Participant, ServedGame, Server, Tally};
use arena_players::{CalledBots, Plan};
use arena_record::{BotId, GameResult, Name, Transcript};
use arena_referee::{HostError, Player, Stopped};
use arena_rules::submarine::{Rules, Submarine};
use arena_rules::{GameRules, Listed};
use arena_text::counted;
use opponent::{Opponent, draw};
use std::io::ErrorKind;
use std::ops::ControlFlow;

/// Serves games until their number is reached or the user interrupts.
pub fn serve(args: &ServeArgs, console: &mut Console) -> Result<(), Failure> {
    admission::require_confinement("serve")?;
    let rules = rules(args)?;
    admission::note_small_seed(args.seed, console);
    let seed = seed::given_or_fresh(args.seed)?;
    let interrupt = Interrupt::listen()?;
    let opponent = Opponent::admit(args, &interrupt, console)?;
    let games_max = usize::try_from(args.games.unwrap_or(0)).unwrap_or(usize::MAX);
    let archive = Archive::open(args.transcripts.as_deref(), None, games_max)?;
    let engine = opponent.as_ref().map(|opponent| opponent.sandbox.engine_hash()).unwrap_or_default();
    let plan =
        Plan::of(GameRules::Submarine(rules.clone()), engine, seed, &args.limits.options(), args.jobs.into());
    let seats = opponent.as_ref().map(|Opponent { contestant, sandbox, .. }| {
        CalledBots::new(sandbox, vec![contestant.bot.clone()], &plan.conditions, plan.times)
    });
    let seats = seats.transpose()?;
    if let Some(opponent) = &opponent {
        admission::note_gaps(&opponent.sandbox, console);
    }
    let server = Server::bind(args.listen, args.port).map_err(|error| {
        let next = match error.kind() {
            ErrorKind::AddrNotAvailable => {
                "choose an address of this machine, such as 127.0.0.1, with --listen"
            }
            ErrorKind::PermissionDenied => "choose a port from 1024 up, or 0 for any free one",
            _ => "choose another port, or 0 for any free one",
        };
        let why = arena_files::reason(&error);
        Failure::usage(format!("cannot listen on {}, port {}: {why}", args.listen, args.port), next)
    })?;
    interrupt.answer(console::note_interrupt);
    let address = server.local_addr().map_err(HostError::defect)?;
    console.tell(format!("listening on {address}"));

    let make_bot = |number: u64| {
        let (opponent, seats) = opponent
            .as_ref()
            .zip(seats.as_ref())
            .ok_or_else(|| HostError::Defect("there is no bot".into()))?;
        let seed = draw(&plan, Some(opponent), number).sides[opponent.seat.in_game(number).index()];
        let player: Box<dyn Player<Submarine>> = Box::new(seats.seat(0, seed)?);
        Ok(player)
    };
    let options = Options {
        rules,
        limits: ClientLimits { turn: args.turn, ..ClientLimits::default() },
        games_at_once: args.jobs.into(),
        clients_per_address: args.per_address.into(),
        // Seeds follow from the number of the game, which has 32 bits, so no two games have the same seeds.
        games_max: Some(args.games.unwrap_or(u32::MAX).into()),
        bot: if opponent.is_some() { Some(&make_bot) } else { None },
        bot_seat: args.bot_seat.into(),
        fuel_per_turn: plan.conditions.limits.fuel_per_turn,
        side_seeds: &|number| draw(&plan, opponent.as_ref(), number).sides,
    };
    let mut reported = Ok(());
    let tally = server.serve(
        &options,
        || interrupt.requested(),
        |game| {
            reported = report_game(&plan, opponent.as_ref(), &archive, args.output, console, game);
            if reported.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    let tally = tally.map_err(|error| {
        Failure::machine("cannot accept clients any more", error, "start the server again")
    })?;
    reported?;
    let seed = format!("seed {}", seed.seed);
    match args.output {
        Form::Table => console.line(format!("{}\n{seed}", summary(&tally)))?,
        _ => console.tell(seed),
    }
    match tally.failed {
        0 => Ok(()),
        failed => Err(Failure::host(format!("games without a result: {failed}"))),
    }
}

fn rules(args: &ServeArgs) -> Result<Rules, Failure> {
    let next = "serve `--rules submarine`";
    let rules = GameRules::named(&args.rules).ok_or_else(|| {
        Failure::usage(format!("there are no rules named \"{}\"", Name::new(&args.rules)), next)
    })?;
    let of_submarine = Submarine::rules(&rules).cloned();
    of_submarine.ok_or_else(|| {
        Failure::usage(format!("the rules `{}` cannot be served: they have no protocol", args.rules), next)
    })
}

/// Keeps a game and prints its line.
fn report_game(
    plan: &Plan,
    opponent: Option<&Opponent>,
    archive: &Archive,
    output: Form,
    console: &mut Console,
    game: ServedGame,
) -> Result<(), Failure> {
    let number = usize::try_from(game.number).unwrap_or(usize::MAX);
    let bots = game.participants.map(|player| match (player, opponent) {
        (Participant::Bot, Some(opponent)) => opponent.contestant.id.clone(),
        // A client has an address, but no identity.
        _ => BotId { label: player.to_string().into(), name: Name::default(), sha256: Name::default() },
    });
    let draw = draw(plan, opponent, game.number);
    let game_number = u32::try_from(game.number).unwrap_or(u32::MAX);
    let header = arena_players::header(plan, game_number, "arena:submarine@0.1.0".into(), bots, draw);
    let outcome = game.outcome.map_err(Stopped::failure);
    let result = outcome.and_then(|_| GameResult::of(&game.events));
    let transcript = Transcript { header, events: game.events };
    let labels = transcript.header.labels();
    if result.is_ok() {
        archive.keep_transcript(number, labels, &transcript.to_bytes())?;
    }
    match output {
        Form::Table => console.line(output::served(number, labels, &result))?,
        _ => console.document(&output::game_line(number, labels, &result))?,
    }
    Ok(())
}

fn summary(tally: &Tally) -> String {
    let Tally { games, wins: [first, second], even, no_contest, .. } = tally;
    format!(
        "\n{}: {first} won by the first to move, {second} by the other, {even} even, {no_contest} no contest",
        counted(*games, "game")
    )
}
