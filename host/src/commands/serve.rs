//! `arena serve`: submarine over TCP, for clients of its old server.

use crate::args::{CacheArgs, Form, LimitArgs};
use crate::console::{self, Console};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::values::{address, form, open_seed, seconds, whole};
use crate::{admission, output};
use arena_engine::internals::archive::Archive;
use arena_engine::internals::roster::check_path;
use arena_engine::internals::seed;
use arena_net::{ClientLimits, Options, Participant, ServedGame, Server, Tally};
use arena_players::{CalledBots, Contestant, Draw, Plan};
use arena_record::{BotId, GameResult, Name, Seed, Transcript};
use arena_referee::{HostError, Player, Stopped};
use arena_rules::submarine::{Rules, Submarine};
use arena_rules::{GameRules, Listed};
use arena_sandbox::Sandbox;
use arena_text::counted;
use clap::{Args, ValueEnum};
use std::io::ErrorKind;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::slice;
use std::time::Duration;

/// Arguments of `arena serve`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: arena serve 2000 --bot bots/submarine/sub-tracker.wasm")]
pub struct ServeArgs {
    /// Port to listen on; 0 is any free one
    #[arg(value_parser = whole(0..=u16::MAX))]
    pub port: u16,

    /// Game to serve (only `submarine`)
    #[arg(long, value_name = "NAME", default_value = "submarine")]
    pub rules: String,

    /// Address to listen on; any other than this machine's own accepts everyone who can reach it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    pub listen: IpAddr,

    /// Let each client play against this bot, a .wasm file or `builtin:NAME`, instead of another client
    #[arg(long, value_name = "BOT")]
    pub bot: Option<PathBuf>,

    /// Seat of the bot
    #[arg(long, value_name = "SEAT", value_enum, requires = "bot")]
    #[arg(default_value_t = BotSeat::Second)]
    pub bot_seat: BotSeat,

    /// End after N games [default: 4 billion]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    pub games: Option<u32>,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole(1..=256_u16))]
    pub jobs: u16,

    /// Clients of one address, or of one IPv6 network of 64 bits, at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1..=u16::MAX))]
    pub per_address: u16,

    /// Seconds per client turn
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub turn: Duration,

    /// Random seed of the bot's games [default: a fresh one]
    #[arg(long, value_name = "N|HEX", value_parser = open_seed)]
    pub seed: Option<Seed>,

    /// Folder for a transcript of each game
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,

    /// Form of the results, a line per game
    #[arg(short, long, value_name = "FORM", default_value = "table", value_parser = form([Form::Table, Form::Json]))]
    pub output: Form,

    /// The limits of the bot.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// The cache of compiled bots.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// The seat of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BotSeat {
    /// Seat 1, which begins
    First,
    /// Seat 2
    Second,
    /// Seat 2 in the first game, then seat 1, and so on
    Alternate,
}

impl From<BotSeat> for arena_net::BotSeat {
    fn from(seat: BotSeat) -> Self {
        match seat {
            BotSeat::First => Self::First,
            BotSeat::Second => Self::Second,
            BotSeat::Alternate => Self::Alternate,
        }
    }
}

/// Serves games until their number is reached or the user interrupts.
pub fn serve(args: &ServeArgs, console: &mut Console) -> Result<(), Failure> {
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

/// The bot that clients play against.
struct Opponent {
    contestant: Contestant,
    seat: arena_net::BotSeat,
    sandbox: Sandbox,
}

impl Opponent {
    fn admit(
        args: &ServeArgs,
        interrupt: &Interrupt,
        console: &mut Console,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.bot else { return Ok(None) };
        check_path(path)?;
        let sandbox = args.cache.sandbox(args.limits.options().sandbox(args.jobs.into()))?;
        let contestant =
            admission::admit_all(&sandbox, None, slice::from_ref(path), 1, interrupt, console)?.remove(0);
        if contestant.bot.kind() != Submarine::KIND {
            return Err(Failure::usage(
                format!("{} plays {}, and submarine is served", contestant.file, contestant.bot.kind()),
                "name a bot for submarine",
            ));
        }
        Ok(Some(Self { contestant, seat: args.bot_seat.into(), sandbox }))
    }
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

/// The random choices of a game, by its number.
fn draw(plan: &Plan, opponent: Option<&Opponent>, number: u64) -> Draw {
    let mut hashes = [""; 2];
    if let Some(Opponent { contestant, seat, .. }) = opponent {
        hashes[seat.in_game(number).index()] = &contestant.id.sha256;
    }
    Draw::of(plan, u32::try_from(number).unwrap_or(u32::MAX), hashes)
}

fn summary(tally: &Tally) -> String {
    let Tally { games, wins: [first, second], even, no_contest, .. } = tally;
    format!(
        "\n{}: {first} won by the first to move, {second} by the other, {even} even, {no_contest} no contest",
        counted(*games, "game")
    )
}
