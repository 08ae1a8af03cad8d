//! The rooms in which persons play: each has an opponent, and one game after the other.

use crate::clients::network;
use crate::lane::Lane;
use crate::table::{self, Opponent, Table, Times};
use arena_record::{GameResult, Header};
use arena_referee::HostError;
use arena_resources::refused;
use data_encoding::BASE64URL_NOPAD;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// The time that a visitor has for a decision. Chosen: a telephone call; a page that was closed keeps a process for as long.
const TURN_TIME: Duration = Duration::from_secs(300);

/// The longest game of a visitor. Chosen: a hundred turns of half a minute.
const GAME_TIME: Duration = Duration::from_secs(3_000);

/// The games of a visitor's address that begin in an hour. Chosen: a class behind one address, of which each plays two.
const CLIENT_GAMES_AN_HOUR: u32 = 60;

/// The part of the games at a time that one visitor's address may have. Chosen: as of a club's connections, so that it takes four to keep
/// others from playing.
const CLIENT_PART: usize = 4;

/// The rooms that are kept in which nobody plays. Chosen: a link to a replay is good for an evening.
const IDLE_ROOMS_MAX: usize = 200;

/// The games of a room whose replays are kept. Chosen: one is read while the next one is played.
const GAMES_KEPT_MAX: usize = 3;

/// The clients whose games in an hour are counted one by one; further ones play no game. Chosen: a megabyte.
const CLIENTS_MAX: usize = 10_000;

/// The pages that follow one room at a time. Chosen: a person's devices.
const STREAMS_MAX: usize = 4;

/// The random bytes of an address. Chosen: it is guessed never.
const SECRET_BYTES: usize = 18;

const HOUR: Duration = Duration::from_secs(3_600);

/// The reason why no game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGame {
    /// As many games of visitors are played as may be.
    Full,
    /// As many games of this visitor are played as may be.
    ClientFull,
    /// This visitor has begun as many games as may be in an hour.
    ClientHour,
    /// The game before goes on.
    Playing,
    /// The arena failed.
    Host(HostError),
}

impl From<HostError> for NoGame {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

/// The limits of visitors.
#[derive(Clone, Copy, Debug)]
struct Limits {
    games_max: usize,
    of_client_max: usize,
    turn_time: Duration,
}

/// All rooms.
pub struct Rooms {
    kept: Mutex<Kept>,
    /// `None` if only the user of this machine plays.
    limits: Option<Limits>,
    lane: Arc<Lane>,
    pub(crate) ended: watch::Sender<bool>,
}

#[derive(Default)]
struct Kept {
    rooms: HashMap<String, Arc<Room>>,
    /// Their addresses, the oldest first.
    order: VecDeque<String>,
    /// The beginning of an hour, and the games of each client in it.
    hour: Option<(Instant, HashMap<IpAddr, u32>)>,
}

/// A room with an opponent.
pub(crate) struct Room {
    opponent: Arc<Opponent>,
    client: IpAddr,
    /// The number of games so far, and the latest of them.
    games: Mutex<(u32, VecDeque<Arc<dyn Table>>)>,
    pub(crate) streams: Arc<Semaphore>,
}

impl Room {
    fn games(&self) -> MutexGuard<'_, (u32, VecDeque<Arc<dyn Table>>)> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game that is played now, or was played last, and its number, from 1.
    pub(crate) fn table(&self) -> Option<(u32, Arc<dyn Table>)> {
        let games = self.games();
        Some((games.0, Arc::clone(games.1.back()?)))
    }

    /// A game by its number, from 1, if it is kept.
    pub(crate) fn game(&self, number: u32) -> Option<Arc<dyn Table>> {
        let games = self.games();
        let from_end = games.0.checked_sub(number)? as usize;
        games.1.iter().rev().nth(from_end).cloned()
    }

    fn is_idle(&self) -> bool {
        self.table().is_none_or(|(_, table)| table.is_over())
    }

    fn begin(&self, times: Option<Times>, lane: &Arc<Lane>) -> Result<(), NoGame> {
        let mut games = self.games();
        if games.1.back().is_some_and(|table| !table.is_over()) {
            return Err(NoGame::Playing);
        }
        let table = table::begin(&self.opponent, games.0, times, lane)?;
        games.0 += 1;
        games.1.push_back(table);
        if games.1.len() > GAMES_KEPT_MAX {
            games.1.pop_front();
        }
        Ok(())
    }
}

impl Rooms {
    /// Rooms without limits, for the user of this machine.
    pub(crate) fn of_user() -> Self {
        Self::new(None, Lane::free())
    }

    /// Rooms for this number of games of visitors at a time, whose bots get a tenth of the machine at most.
    pub fn of_visitors(games_max: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let limits =
            Limits { games_max, of_client_max: games_max.div_ceil(CLIENT_PART), turn_time: TURN_TIME };
        Self::new(Some(limits), Lane::shared(cores))
    }

    /// The same with another time for a decision.
    #[must_use]
    pub fn with_turn_time(mut self, turn_time: Duration) -> Self {
        self.limits = self.limits.map(|limits| Limits { turn_time, ..limits });
        self
    }

    fn new(limits: Option<Limits>, lane: Lane) -> Self {
        Self { kept: Mutex::default(), limits, lane: Arc::new(lane), ended: watch::Sender::new(false) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn times(&self) -> Option<Times> {
        self.limits.map(|limits| Times { turn: limits.turn_time, game: GAME_TIME })
    }

    pub(crate) fn room(&self, id: &str) -> Option<Arc<Room>> {
        self.kept().rooms.get(id).cloned()
    }

    /// The number of games that are played now.
    pub fn playing(&self) -> usize {
        self.kept().rooms.values().filter(|room| !room.is_idle()).count()
    }

    /// Begins a game of a visitor against an opponent, and returns the secret in its address.
    ///
    /// # Errors
    /// A limit is reached, or the arena failed.
    pub fn begin(&self, opponent: Opponent, client: IpAddr) -> Result<String, NoGame> {
        let id = secret()?;
        let client = network(client);
        let mut kept = self.kept();
        self.admit(&mut kept, client)?;
        let room = Room {
            opponent: Arc::new(opponent),
            client,
            games: Mutex::default(),
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
        };
        room.begin(self.times(), &self.lane)?;
        kept.rooms.insert(id.clone(), Arc::new(room));
        kept.order.push_back(id.clone());
        kept.forget_oldest();
        Ok(id)
    }

    /// Begins the next game of a room.
    ///
    /// # Errors
    /// The one before goes on, a limit is reached, or the arena failed.
    pub(crate) fn again(&self, room: &Room) -> Result<(), NoGame> {
        let mut kept = self.kept();
        if !room.is_idle() {
            return Err(NoGame::Playing);
        }
        self.admit(&mut kept, room.client)?;
        room.begin(self.times(), &self.lane)
    }

    /// Counts a game of a client, if it may begin.
    fn admit(&self, kept: &mut Kept, client: IpAddr) -> Result<(), NoGame> {
        let Some(limits) = self.limits else { return Ok(()) };
        let playing = || kept.rooms.values().filter(|room| !room.is_idle());
        if playing().count() >= limits.games_max {
            return Err(NoGame::Full);
        }
        if playing().filter(|room| room.client == client).count() >= limits.of_client_max {
            return Err(NoGame::ClientFull);
        }
        let now = Instant::now();
        let is_now = |begun: Instant| now.duration_since(begun) < HOUR;
        let (_, games) = match &mut kept.hour {
            Some(hour) if is_now(hour.0) => hour,
            other => other.insert((now, HashMap::new())),
        };
        if games.len() >= CLIENTS_MAX && !games.contains_key(&client) {
            return Err(NoGame::Full);
        }
        let count = games.entry(client).or_default();
        if *count >= CLIENT_GAMES_AN_HOUR {
            return Err(NoGame::ClientHour);
        }
        *count += 1;
        Ok(())
    }

    /// Ends all games without a result, and all pages that follow them.
    pub fn end(&self) {
        self.ended.send_replace(true);
        self.kept().rooms.values().filter_map(|room| room.table()).for_each(|(_, table)| table.leave());
    }

    /// The games that have a result, of those that are kept.
    pub(crate) fn results(&self) -> Vec<(Header, GameResult)> {
        let rooms: Vec<Arc<Room>> = self.kept().rooms.values().cloned().collect();
        rooms
            .iter()
            .flat_map(|room| room.games().1.iter().filter_map(|table| table.result()).collect::<Vec<_>>())
            .collect()
    }
}

impl Kept {
    /// Forgets the oldest rooms in which nobody plays, if there are too many.
    fn forget_oldest(&mut self) {
        let Self { rooms, order, .. } = self;
        let mut idle = order.iter().filter(|id| rooms.get(*id).is_some_and(|room| room.is_idle())).count();
        order.retain(|id| {
            let forgets = idle > IDLE_ROOMS_MAX && rooms.get(id).is_some_and(|room| room.is_idle());
            if forgets {
                rooms.remove(id);
                idle -= 1;
            }
            !forgets
        });
    }
}

/// A random secret for an address.
pub(crate) fn secret() -> Result<String, HostError> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| refused("the system has no random numbers", io::Error::other(error)))?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

/// A random number for ships that are placed at random.
pub(crate) fn fresh_seed() -> u64 {
    getrandom::u64().unwrap_or_default()
}
