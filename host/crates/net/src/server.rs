//! The server: accepts clients, pairs them in the order in which they come, and plays many games at once.

use crate::lobby::{Accepted, ConnectionSlot, Lobby};
use crate::{Client, ClientLimits, Participant, ServedGame, Tally};
use arena_referee::{GamePlan, HostError, Player, Stopped, play_game};
use arena_resources::NewThread;
use arena_rules::Seat;
use arena_rules::submarine::{Rules, Submarine};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// The time between two looks at the listener and at the stop flag. Chosen: too short to notice, and fifty looks a second
/// cost nothing.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Makes the bot for a game, by the game's number. It is called on the thread of the game.
pub type BotMaker<'a> = dyn Fn(u64) -> Result<Box<dyn Player<Submarine> + 'a>, HostError> + Sync + 'a;

/// The seat of the bot, if there is one. Seat 1 moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BotSeat {
    /// Seat 1 in each game.
    First,
    /// Seat 2 in each game.
    #[default]
    Second,
    /// Seat 2 in the first game, and the other seat in each further one.
    Alternate,
}

impl BotSeat {
    /// The seat in a game, by the game's number, from 1.
    pub fn in_game(self, number: u64) -> Seat {
        match self {
            Self::First => Seat::First,
            Self::Second => Seat::Second,
            Self::Alternate if number.is_multiple_of(2) => Seat::First,
            Self::Alternate => Seat::Second,
        }
    }
}

/// The random seeds of the seats in a game, by the game's number. They matter to a bot only.
pub type SideSeeds<'a> = dyn Fn(u64) -> [u64; 2] + Sync + 'a;

/// The options of a server.
#[derive(Clone)]
pub struct Options<'a> {
    /// The rules. The budget in them is a bot's; a client has [`Options::limits`].
    pub rules: Rules,
    /// The limits of each client.
    pub limits: ClientLimits,
    /// The number of games at once, at least 1. Further clients wait.
    pub games_at_once: usize,
    /// The number of clients of one address that play or wait at a time, at least 1. Of an IPv6 address the first 64 bits
    /// count, which are one network. Further clients of it are disconnected at once.
    pub clients_per_address: usize,
    /// The number of games in all; `None` for no limit.
    pub games_max: Option<u64>,
    /// The bot that each client plays against; `None` to pair clients with each other.
    pub bot: Option<&'a BotMaker<'a>>,
    /// The seat of the bot.
    pub bot_seat: BotSeat,
    /// The fuel of a bot for a turn, and for its placement, at least 1. A client uses none.
    pub fuel_per_turn: u64,
    /// The random seeds of the seats.
    pub side_seeds: &'a SideSeeds<'a>,
}

impl Default for Options<'_> {
    /// The rules of the protocol, between clients, without end; 64 games at once, chosen: each is a thread, and at worst
    /// about a megabyte of events; 8 clients of an address, chosen: four games on one machine, and a sixteenth of all slots.
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            limits: ClientLimits::default(),
            games_at_once: 64,
            clients_per_address: 8,
            games_max: None,
            bot: None,
            bot_seat: BotSeat::default(),
            fuel_per_turn: 1,
            side_seeds: &|_| [0, 0],
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
}

impl Server {
    /// Listens at an address. Port 0 is any free one: see [`Server::local_addr`].
    ///
    /// # Errors
    /// The address is taken, or is not of this machine.
    pub fn bind(listen: IpAddr, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((listen, port))?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener })
    }

    /// The address it listens at.
    ///
    /// # Errors
    /// Those of the system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` returns true, `on_game` breaks, or the games of the options are played.
    ///
    /// Then no other game begins, and those in flight are played to their end, within the limits of the clients. `on_game`
    /// is called on this thread, in the order in which games end. `stop` is asked some fifty times a second.
    ///
    /// # Errors
    /// Clients cannot be accepted any more. Games in flight have ended and were reported.
    pub fn serve(
        self,
        options: &Options<'_>,
        stop: impl Fn() -> bool,
        mut on_game: impl FnMut(ServedGame) -> ControlFlow<()>,
    ) -> io::Result<Tally> {
        let mut tally = Tally::default();
        let mut stopped = false;
        let mut deliver = |game: ServedGame| {
            tally.count(&game);
            // Once the caller has enough, further games are only counted.
            stopped = stopped || on_game(game).is_break();
            stopped
        };
        let (finished, games) = mpsc::channel();
        let served = thread::scope(|scope| {
            let launcher = Launcher { scope, options, finished, in_flight: Arc::default() };
            let mut lobby = Lobby::new(&self.listener, options.clients_per_address);
            let mut begun = 0;
            let served = loop {
                if stop() || options.games_max.is_some_and(|max| begun >= max) {
                    break Ok(());
                }
                let busy = launcher.in_flight();
                if let Err(error) = lobby.look(busy) {
                    break Err(error);
                }
                let is_full = busy >= options.games_at_once.max(1);
                match if is_full { None } else { Opponents::next(&mut lobby, options, begun + 1) } {
                    Some(pairing) => {
                        begun += 1;
                        launcher.begin(begun, pairing);
                    }
                    None => {
                        if games.recv_timeout(LOOK_EVERY).is_ok_and(&mut deliver) {
                            break Ok(());
                        }
                    }
                }
            };
            // No client waits to be served while the last games are played.
            drop((launcher, lobby));
            for game in games {
                deliver(game);
            }
            served
        });
        served.map(|()| tally)
    }
}

/// The sides of one game.
enum Opponents<'a> {
    Clients([Accepted; 2]),
    WithBot(Accepted, &'a BotMaker<'a>, Seat),
}

impl<'a> Opponents<'a> {
    /// The sides of the game with this number, if they are there.
    fn next(lobby: &mut Lobby<'_>, options: &Options<'a>, number: u64) -> Option<Self> {
        let seat = options.bot_seat.in_game(number);
        match options.bot {
            Some(make) => lobby.take().map(|[client]| Self::WithBot(client, make, seat)),
            None => lobby.take().map(Self::Clients),
        }
    }

    fn participants(&self) -> [Participant; 2] {
        match self {
            Self::Clients(clients) => clients.each_ref().map(|client| Participant::Client(client.address)),
            Self::WithBot(client, _, seat) => {
                in_seats(Participant::Bot, Participant::Client(client.address), *seat)
            }
        }
    }
}

/// The starter of games, each on a separate thread.
struct Launcher<'scope, 'env, 'bot> {
    scope: &'scope Scope<'scope, 'env>,
    options: &'env Options<'bot>,
    finished: Sender<ServedGame>,
    /// A token of which each game in flight holds a clone.
    in_flight: Arc<()>,
}

impl<'env, 'bot: 'env> Launcher<'_, 'env, 'bot> {
    /// The number of games in flight.
    fn in_flight(&self) -> usize {
        Arc::strong_count(&self.in_flight) - 1
    }

    fn begin(&self, number: u64, pairing: Opponents<'bot>) {
        let options = self.options;
        let finished = self.finished.clone();
        let mut game = ServedGame {
            number,
            participants: pairing.participants(),
            side_seeds: (options.side_seeds)(number),
            events: Vec::new(),
            outcome: Err(failure("the game has not begun")),
        };
        let unplayed = game.clone();
        let in_flight = Arc::clone(&self.in_flight);
        let run = move || {
            // A panic is a defect of the arena, and must not cost the other games.
            let played = catch_unwind(AssertUnwindSafe(|| play(options, pairing, &mut game)));
            let clients = played.unwrap_or_else(|_| {
                game.outcome = Err(failure("the game panicked"));
                Vec::new()
            });
            // The receiver lives longer than this thread.
            let _ = finished.send(game);
            // The game counts as in flight until its connections are closed, because they are what is limited.
            clients.iter().for_each(|(client, _)| client.hang_up());
            let deadline = Instant::now() + options.limits.bounded().closing;
            for (client, place) in clients {
                client.close(deadline);
                drop(place);
            }
            drop(in_flight);
        };
        if let Err(why) = NewThread::named("game").numbered(number).start_in(self.scope, run) {
            let _ = self.finished.send(ServedGame { outcome: Err(why.into()), ..unplayed });
        }
    }
}

fn failure(what: &'static str) -> Stopped {
    HostError::Machine(what.into()).into()
}

/// The bot in its seat, and the client in the other one.
fn in_seats<T>(bot: T, client: T, seat: Seat) -> [T; 2] {
    match seat {
        Seat::First => [bot, client],
        Seat::Second => [client, bot],
    }
}

/// Plays a game, and returns its clients to be closed, with their slots.
fn play(
    options: &Options<'_>,
    pairing: Opponents<'_>,
    game: &mut ServedGame,
) -> Vec<(Client, ConnectionSlot)> {
    match pairing {
        Opponents::Clients([first, second]) => {
            let mut clients = Client::pair([first.stream, second.stream], options.limits);
            clients.iter_mut().for_each(Client::greet);
            let [one, other] = &mut clients;
            referee(options, [one, other], game);
            clients.into_iter().zip([first.place, second.place]).collect()
        }
        Opponents::WithBot(accepted, make, seat) => {
            let mut bot = match make(game.number) {
                Ok(bot) => bot,
                Err(error) => {
                    game.outcome = Err(error.into());
                    return Vec::new();
                }
            };
            let mut client = Client::new(accepted.stream, options.limits);
            client.greet();
            referee(options, in_seats(&mut *bot, &mut client, seat), game);
            vec![(client, accepted.place)]
        }
    }
}

fn referee(options: &Options<'_>, players: [&mut dyn Player<Submarine>; 2], game: &mut ServedGame) {
    let plan = GamePlan {
        rules: &options.rules,
        fuel_per_turn: options.fuel_per_turn,
        side_seeds: game.side_seeds,
        // Clients and bots place their ships, so nothing is drawn.
        fleet_seed: 0,
        starter: Seat::First,
        // A slow client is slow by its own clock only, and there is no second game to play instead.
        score_wall_clock: true,
    };
    game.outcome = play_game(&plan, players, &mut |event| game.events.push(event));
}
