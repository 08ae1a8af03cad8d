//! The server: accepts clients, pairs them in the order they come, and plays many pairs at once.

use crate::link::is_gone;
use crate::{Client, GameRecord, Limits, Seated, Tally};
use arena_referee::{Event, HostError, SubmarinePlan, SubmarinePlayer, play_submarine};
use arena_rules::submarine::Rules;
use arena_rules::{Outcome, Reason, Seat};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// How long the server may go without a look at its listener and at the stop flag. Chosen: nobody notices it, and fifty
/// looks a second cost nothing.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long accepting may fail, with no game in flight that would free something, before the server gives up. Chosen.
const ACCEPT_FAILING_MAX: Duration = Duration::from_secs(10);

/// Makes the bot for a game, by the game's number. It is called on the thread of the game.
pub type BotMaker<'a> = dyn Fn(u64) -> Result<Box<dyn SubmarinePlayer + 'a>, HostError> + Sync + 'a;

/// How to serve.
#[derive(Clone)]
pub struct Options<'a> {
    /// The rules. The budget in them is a bot's; a client has [`Options::limits`].
    pub rules: Rules,
    /// What each client is allowed.
    pub limits: Limits,
    /// Games at once, at least 1. Beyond them, clients wait to be accepted.
    pub games_at_once: usize,
    /// Games in all; none for no end of them.
    pub games_max: Option<u64>,
    /// The bot that each client plays against, as the second to move; none to pair clients with each other.
    pub bot: Option<&'a BotMaker<'a>>,
    /// A bot's fuel for a turn, and for its placement.
    pub fuel_per_turn: u64,
    /// Where the seeds of the seats are counted from: see [`Options::side_seeds`].
    pub seed: u64,
}

impl Default for Options<'_> {
    /// The rules of the protocol, between clients, for ever; 64 games at once, chosen: each is a thread, and
    /// at worst about a megabyte of events.
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            limits: Limits::default(),
            games_at_once: 64,
            games_max: None,
            bot: None,
            fuel_per_turn: 0,
            seed: 0,
        }
    }
}

impl Options<'_> {
    /// What each seat of a game is given as its own seed, counted from the seed of all.
    pub const fn side_seeds(seed: u64, number: u64) -> [u64; 2] {
        let first = seed.wrapping_add(number.wrapping_mul(2));
        [first, first.wrapping_add(1)]
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
}

impl Server {
    /// Listens at an address. Port 0 is any that is free: see [`Server::local_addr`].
    ///
    /// # Errors
    /// The address is taken, or not ours.
    pub fn bind(listen: IpAddr, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((listen, port))?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system does not say.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` says so, `on_game` breaks, or the games of the options are played.
    ///
    /// Then no game begins any more, and those in flight are played to their end, which the limits of the clients bound.
    /// `on_game` is called on this thread, in the order in which games end. `stop` is asked some fifty times a second.
    ///
    /// # Errors
    /// Clients cannot be accepted any more. Games in flight were finished and told.
    pub fn serve(
        self,
        options: &Options<'_>,
        stop: impl Fn() -> bool,
        mut on_game: impl FnMut(GameRecord) -> ControlFlow<()>,
    ) -> io::Result<Tally> {
        let mut tally = Tally::default();
        let mut stopped = false;
        let mut deliver = |game: GameRecord| {
            tally.count(&game);
            // Once the caller has enough, what still ends is counted only.
            stopped = stopped || on_game(game).is_break();
            stopped
        };
        let in_flight = Arc::new(AtomicUsize::new(0));
        let (finished, games) = mpsc::channel();
        let served = thread::scope(|scope| {
            let desk = Desk { scope, options, finished, in_flight: Arc::clone(&in_flight) };
            let mut door = Door { listener: &self.listener, waiting: None, failing_since: None };
            let mut begun = 0;
            let served = loop {
                if stop() || options.games_max.is_some_and(|max| begun >= max) {
                    break Ok(());
                }
                let busy = in_flight.load(Ordering::SeqCst);
                let party =
                    if busy < options.games_at_once.max(1) { door.look(options, busy) } else { Ok(None) };
                match party {
                    Ok(Some(party)) => {
                        begun += 1;
                        desk.begin(begun, party);
                    }
                    Ok(None) => match games.recv_timeout(LOOK_EVERY) {
                        Ok(game) => {
                            if deliver(game) {
                                break Ok(());
                            }
                        }
                        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
                    },
                    Err(error) => break Err(error),
                }
            };
            // Nobody is waiting to be served while the last games are played.
            drop((desk, door));
            for game in games {
                deliver(game);
            }
            served
        });
        served.map(|()| tally)
    }
}

/// A client that is connected and not yet in a game.
#[derive(Debug)]
struct Guest {
    stream: TcpStream,
    address: SocketAddr,
}

impl Guest {
    fn is_gone(&self) -> bool {
        is_gone(&self.stream)
    }
}

/// The clients of one game.
#[derive(Debug)]
enum Party {
    Two([Guest; 2]),
    OneAndBot(Guest),
}

impl Party {
    fn seated(&self) -> [Seated; 2] {
        match self {
            Self::Two([first, second]) => [Seated::Client(first.address), Seated::Client(second.address)],
            Self::OneAndBot(guest) => [Seated::Client(guest.address), Seated::Bot],
        }
    }
}

/// Where clients come in and wait for a partner.
struct Door<'a> {
    listener: &'a TcpListener,
    waiting: Option<Guest>,
    failing_since: Option<Instant>,
}

impl Door<'_> {
    /// The clients of the next game, if they are there.
    fn look(&mut self, options: &Options<'_>, busy: usize) -> io::Result<Option<Party>> {
        loop {
            let (stream, address) = match self.listener.accept() {
                Ok(accepted) => accepted,
                Err(error) => return self.not_accepted(error, busy).map(|()| None),
            };
            self.failing_since = None;
            // Some systems let a socket inherit this from the listener.
            if stream.set_nonblocking(false).is_err() {
                continue;
            }
            let guest = Guest { stream, address };
            // Whoever went away while waiting, for the server or for a partner, is nobody's opponent.
            if guest.is_gone() {
                continue;
            }
            if options.bot.is_some() {
                return Ok(Some(Party::OneAndBot(guest)));
            }
            match self.waiting.take().filter(|first| !first.is_gone()) {
                Some(first) => return Ok(Some(Party::Two([first, guest]))),
                None => self.waiting = Some(guest),
            }
        }
    }

    /// A client that went away before it was accepted, and a system that is short of something, are no reason to stop.
    fn not_accepted(&mut self, error: io::Error, busy: usize) -> io::Result<()> {
        match error.kind() {
            ErrorKind::WouldBlock => self.failing_since = None,
            ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset => {}
            _ if busy > 0 => self.failing_since = None,
            _ => {
                let since = *self.failing_since.get_or_insert_with(Instant::now);
                if since.elapsed() > ACCEPT_FAILING_MAX {
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// Where games begin, each on a thread of its own.
struct Desk<'scope, 'env, 'bot> {
    scope: &'scope Scope<'scope, 'env>,
    options: &'env Options<'bot>,
    finished: Sender<GameRecord>,
    in_flight: Arc<AtomicUsize>,
}

impl<'env, 'bot: 'env> Desk<'_, 'env, 'bot> {
    fn begin(&self, number: u64, party: Party) {
        let options = self.options;
        let finished = self.finished.clone();
        let mut record = GameRecord {
            number,
            players: party.seated(),
            side_seeds: Options::side_seeds(options.seed, number),
            events: Vec::new(),
            outcome: Err("the game's thread could not be made".into()),
        };
        let unplayed = record.clone();
        let seat_taken = InFlight::new(&self.in_flight);
        let game = move || {
            // A panic would be a mistake of ours, and shall not cost the other games.
            let played = catch_unwind(AssertUnwindSafe(|| play(options, party, &mut record)));
            let clients = played.unwrap_or_else(|_| {
                record.outcome = Err("the game panicked".into());
                Vec::new()
            });
            // The one who serves is gone only when this thread is, so there is always somebody to tell.
            let _ = finished.send(record);
            // The game counts as in flight until its connections are closed, as they are what is limited.
            clients.iter().for_each(Client::hang_up);
            let deadline = Instant::now() + options.limits.bounded().closing;
            for client in clients {
                client.close(deadline);
            }
            drop(seat_taken);
        };
        if thread::Builder::new().name(format!("game {number}")).spawn_scoped(self.scope, game).is_err() {
            let _ = self.finished.send(unplayed);
        }
    }
}

/// Counts a game as in flight for as long as it lives.
struct InFlight(Arc<AtomicUsize>);

impl InFlight {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Plays a game into its record, and gives back the clients to be closed.
fn play(options: &Options<'_>, party: Party, record: &mut GameRecord) -> Vec<Client> {
    match party {
        Party::Two(guests) => {
            let mut clients = Client::pair(guests.map(|guest| guest.stream), options.limits);
            clients.iter_mut().for_each(Client::greet);
            let [first, second] = &mut clients;
            record.outcome = referee(options, record.side_seeds, [first, second], &mut record.events);
            clients.into()
        }
        Party::OneAndBot(guest) => {
            let made = match options.bot {
                Some(make) => make(record.number),
                None => Err(HostError("there is no bot to play against".into())),
            };
            let mut bot = match made {
                Ok(bot) => bot,
                Err(error) => {
                    record.outcome = Err(error.to_string());
                    return Vec::new();
                }
            };
            let mut client = Client::new(guest.stream, options.limits);
            client.greet();
            record.outcome =
                referee(options, record.side_seeds, [&mut client, bot.as_mut()], &mut record.events);
            vec![client]
        }
    }
}

fn referee(
    options: &Options<'_>,
    side_seeds: [u64; 2],
    players: [&mut dyn SubmarinePlayer; 2],
    events: &mut Vec<Event>,
) -> Result<(Outcome, Reason), String> {
    let plan = SubmarinePlan {
        rules: &options.rules,
        fuel_per_turn: options.fuel_per_turn,
        side_seeds,
        starter: Seat::First,
        // A client is slow by its own clock and nobody else's, and there is no second game to play instead.
        score_wall_clock: true,
    };
    play_submarine(&plan, players, &mut |event| events.push(event)).map_err(|stopped| stopped.to_string())
}
