//! A client over a socket, as a player.

use crate::link::{Link, LinkError};
use crate::wire::{self, ActionKind, Order, Orders};
use arena_referee::{Fault, FaultClass, GameNotice, NoReply, Player, Reply};
use arena_rules::Coord;
use arena_rules::submarine::{Action, GameInfo, Ship, Submarine, View};
use std::net::TcpStream;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The limits of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLimits {
    /// The time for its placement, and for each of its turns: from the request until its complete line is here.
    pub turn: Duration,
    /// The time for all its turns of a game together, and for receiving the lines sent to it.
    pub game: Duration,
    /// The time for receiving one line that is sent to it.
    pub taking: Duration,
    /// The longest line it may send, in bytes, with the line end.
    pub line_bytes_max: usize,
    /// The time for closing the connection after the game, so that the last line arrives.
    pub closing: Duration,
}

/// The longest limit that counts. Chosen: longer than any game, and no deadline is out of the clock's range.
const LIMIT_MAX: Duration = Duration::from_secs(365 * 24 * 60 * 60);

impl ClientLimits {
    /// The same limits, none of them longer than a year, so that no deadline is out of the clock's range.
    pub(crate) fn bounded(self) -> Self {
        let Self { turn, game, taking, line_bytes_max, closing } = self;
        let [turn, game, taking, closing] = [turn, game, taking, closing].map(|limit| limit.min(LIMIT_MAX));
        Self { turn, game, taking, line_bytes_max, closing }
    }
}

impl Default for ClientLimits {
    /// All chosen: 30 s is time for a person to think, and an hour holds 120 such turns, or 5,000 of a program that takes
    /// 0.7 s. A line is taken at once unless some megabytes of earlier ones wait. A message has some forty bytes, so
    /// 1 KiB leaves room for white space.
    fn default() -> Self {
        Self {
            turn: Duration::from_secs(30),
            game: Duration::from_secs(60 * 60),
            taking: Duration::from_secs(5),
            line_bytes_max: 1024,
            closing: Duration::from_secs(1),
        }
    }
}

/// A client over a socket. The referee treats it like any player, and any fault of it loses its game.
///
/// A client that closes its side of the connection has gone away. Of the lines that it sent before, only the one for which
/// it is asked counts. In the turn of another client, its game ends at once.
///
/// A fault that is found while a line is sent (the client does not read, or is gone) is kept, and comes as the answer to the
/// next question. From then on nothing is sent, so the client costs its opponent no more time.
#[derive(Debug)]
pub struct Client {
    link: Link,
    limits: ClientLimits,
    asked: Instant,
    time_used: Duration,
    lost: Option<Fault>,
    order: Arc<OnceLock<Order>>,
    enemy_order: Arc<OnceLock<Order>>,
    /// The kind of action in a malformed line that lost the game. Both sides are informed.
    foul: Arc<OnceLock<ActionKind>>,
    /// The enemy's connection, which is watched in this client's turns; `None` for a bot.
    enemy: Option<Arc<TcpStream>>,
}

impl Client {
    /// A client that is connected, against an enemy without an order of its ships, a bot: they are listed strongest first.
    ///
    /// The stream must be a blocking one.
    pub fn new(stream: TcpStream, limits: ClientLimits) -> Self {
        Self {
            link: Link::new(stream, limits.line_bytes_max),
            limits: limits.bounded(),
            asked: Instant::now(),
            time_used: Duration::ZERO,
            lost: None,
            order: Arc::default(),
            enemy_order: Arc::default(),
            foul: Arc::default(),
            enemy: None,
        }
    }

    /// Two clients against each other: the ships of each are listed to the other in the order of its own placement.
    pub fn pair(streams: [TcpStream; 2], limits: ClientLimits) -> [Self; 2] {
        let [mut first, mut second] = streams.map(|stream| Self::new(stream, limits));
        first.enemy_order = Arc::clone(&second.order);
        second.enemy_order = Arc::clone(&first.order);
        second.foul = Arc::clone(&first.foul);
        first.enemy = Some(second.link.stream());
        second.enemy = Some(first.link.stream());
        [first, second]
    }

    /// Asks for the placement. It is sent first, once both sides are connected.
    pub fn greet(&mut self) {
        self.tell(wire::GREETING);
    }

    /// Closes the sending side of the connection. Of several clients, all are closed before any is waited for.
    pub fn hang_up(&self) {
        self.link.hang_up();
    }

    /// Ends the connection after the game, and gives the client until the deadline to read its last line.
    pub fn close(self, deadline: Instant) {
        self.link.close(deadline);
    }

    fn tell(&mut self, line: &str) {
        if self.lost.is_some() {
            return;
        }
        let begun = Instant::now();
        let sent = self.link.send(line, begun + self.limits.taking);
        self.time_used += begun.elapsed();
        self.lost = sent.err().map(|error| match error {
            LinkError::Gone | LinkError::TooLong | LinkError::WatchedGone => gone(),
            LinkError::TimeOut => {
                late(format!("it did not take what it was sent in {:?}", self.limits.taking))
            }
        });
    }

    /// The client's next line. In a turn, it is not waited for if the enemy is gone. While ships are placed it is, because
    /// the winner must have placed its own.
    fn hear_line(&mut self, is_turn: bool) -> Result<Vec<u8>, NoReply> {
        if let Some(fault) = &self.lost {
            return Err(fault.clone().into());
        }
        let left = self.limits.game.saturating_sub(self.time_used);
        let used_up = || late(format!("it used up its {:?} for the game", self.limits.game));
        // A client that has sent all its lines in advance is never waited for, and still has a limit.
        if left.is_zero() {
            return Err(used_up().into());
        }
        let deadline = self.asked + left.min(self.limits.turn);
        let received = self.link.receive(deadline, self.enemy.as_deref().filter(|_| is_turn));
        self.time_used += self.asked.elapsed();
        received.map_err(|error| match error {
            LinkError::TimeOut if left < self.limits.turn => used_up().into(),
            LinkError::TimeOut => late(format!("it sent no complete line in {:?}", self.limits.turn)).into(),
            LinkError::TooLong => {
                let words = format!("its line is longer than {} bytes", self.limits.line_bytes_max);
                Fault::new(FaultClass::BadResult, words).into()
            }
            LinkError::Gone => gone().into(),
            LinkError::WatchedGone => NoReply::OpponentGone(gone()),
        })
    }
}

impl Player<Submarine> for Client {
    fn deploy(&mut self, _game: &GameInfo, _fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        let line = self.hear_line(false)?;
        let placed =
            wire::placement(&line).map_err(|error| Fault::new(FaultClass::BadDeploy, error.to_string()))?;
        // It deploys once a game, and a second time would not change how its ships are listed.
        self.order.get_or_init(|| placed.order);
        Ok(Reply { answer: placed.cells, fuel_used: 0 })
    }

    fn play(&mut self, _game: &GameInfo, _view: &View, _fuel: u64) -> Result<Reply<Action>, NoReply> {
        let line = self.hear_line(true)?;
        let action = wire::action(&line).map_err(|error| {
            if let Some(kind) = ActionKind::named(&line) {
                self.foul.get_or_init(|| kind);
            }
            Fault::new(FaultClass::BadResult, error.to_string())
        })?;
        Ok(Reply { answer: action, fuel_used: 0 })
    }

    fn begin_turn(&mut self) {
        self.asked = Instant::now();
    }

    fn hear(&mut self, notice: &GameNotice<'_, Submarine>) {
        match *notice {
            GameNotice::Turn { mine } => self.tell(if mine { wire::YOUR_TURN } else { wire::WAITING }),
            GameNotice::Acted { me, mover, action, effect, game } => {
                let order = |side: &OnceLock<Order>| side.get().copied().unwrap_or(Ship::ALL);
                let orders = Orders { me: order(&self.order), enemy: order(&self.enemy_order) };
                let kind = action.map(ActionKind::of).or_else(|| self.foul.get().copied());
                self.tell(&wire::acted(me, mover, kind, effect, game, orders));
            }
            GameNotice::End { me, outcome } => self.tell(wire::end(me, outcome)),
        }
    }
}

fn gone() -> Fault {
    Fault::new(FaultClass::Disconnected, "it went away")
}

fn late(words: String) -> Fault {
    Fault::new(FaultClass::WallClock, words)
}
