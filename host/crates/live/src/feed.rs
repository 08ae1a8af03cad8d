//! The messages from a game to a screen: the game never waits for it.

use arena_record::Header;
use arena_referee::{Event, GameNotice, HostError, NoReply, Player, Reply, Stopped};
use arena_rules::{Game, Seat};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

/// The time between two looks if the screen is ready for the next game. Chosen: too short to notice.
const READY_WAIT: Duration = Duration::from_millis(20);

/// A piece of news about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update<G: Game> {
    /// The next event.
    Event(Event<G>),
    /// The whole log of a bot so far.
    Log {
        /// The seat of the bot.
        seat: Seat,
        /// The log. It need not be safe to print: it is made plain before it is drawn.
        text: String,
    },
    /// The game restarts: the events so far do not count.
    Restarted,
    /// The next game of the same two begins.
    Game(Box<Header>),
    /// The game has no result, for this reason.
    Stopped(String),
}

/// The game's end of a feed. Copies of it are the same feed, and sending never waits.
#[derive(Clone, Debug)]
pub struct Feed<G: Game> {
    updates: Sender<Update<G>>,
    /// True if the screen asks for another game, or is gone.
    asked: Weak<AtomicBool>,
}

/// The screen's end of a [`Feed`]. When it is dropped, the game is no longer watched.
#[derive(Debug)]
pub struct Updates<G: Game> {
    updates: Receiver<Update<G>>,
    asked: Arc<AtomicBool>,
}

/// Both ends of a new feed.
pub fn feed<G: Game>() -> (Feed<G>, Updates<G>) {
    let (sender, receiver) = channel();
    let asked = Arc::new(AtomicBool::new(false));
    let feed = Feed { updates: sender, asked: Arc::downgrade(&asked) };
    (feed, Updates { updates: receiver, asked })
}

impl<G: Game> Updates<G> {
    /// Asks for the next game of a series.
    pub fn ask_for_game(&self) {
        self.asked.store(true, Ordering::SeqCst);
    }

    /// The next message, for which it waits this long; `None` if none has come. The second value is true if more may come.
    pub fn wait(&self, time: Duration) -> (Option<Update<G>>, bool) {
        match self.updates.recv_timeout(time) {
            Ok(update) => (Some(update), true),
            Err(error) => (None, error == RecvTimeoutError::Timeout),
        }
    }

    /// The messages since the last call, and true if more may come.
    pub fn take(&self) -> (Vec<Update<G>>, bool) {
        let mut new = Vec::new();
        loop {
            match self.updates.try_recv() {
                Ok(update) => new.push(update),
                Err(TryRecvError::Empty) => return (new, true),
                Err(TryRecvError::Disconnected) => return (new, false),
            }
        }
    }
}

impl<G: Game> Feed<G> {
    /// Sends the next event.
    pub fn event(&self, event: Event<G>) {
        self.send(Update::Event(event));
    }

    /// Sends the whole log of a bot so far.
    pub fn log(&self, seat: Seat, text: String) {
        self.send(Update::Log { seat, text });
    }

    /// Reports that the game restarts, for example because the watchdog stopped a turn.
    pub fn restarted(&self) {
        self.send(Update::Restarted);
    }

    /// Waits until the screen asks for the next game of a series, and begins it. Returns false if the screen is gone. It
    /// is the only function that waits for a screen.
    pub fn begin(&self, header: Header) -> bool {
        loop {
            let Some(asked) = self.asked.upgrade() else { return false };
            if asked.swap(false, Ordering::SeqCst) {
                self.send(Update::Game(Box::new(header)));
                return true;
            }
            drop(asked);
            thread::sleep(READY_WAIT);
        }
    }

    /// Reports that the game has no result.
    pub fn stopped(&self, why: &Stopped) {
        self.send(Update::Stopped(why.to_string()));
    }

    /// True if the screen still watches.
    pub fn is_watched(&self) -> bool {
        self.asked.strong_count() > 0
    }

    /// A player that is watched: at its first turn after the screen is gone, its game ends without a result. `log`
    /// reads its whole log so far, which is sent after each of its turns.
    pub fn watched<P>(&self, seat: Seat, player: P, log: fn(&P) -> String) -> Watched<P, G> {
        Watched { player, seat, log, logged: String::new(), feed: self.clone() }
    }

    fn send(&self, update: Update<G>) {
        // A screen that is gone does not need it, and the game continues without one.
        let _ = self.updates.send(update);
    }
}

/// A player that is watched: see [`Feed::watched`].
#[derive(Debug)]
pub struct Watched<P, G: Game> {
    player: P,
    seat: Seat,
    log: fn(&P) -> String,
    /// The log that has been sent.
    logged: String,
    feed: Feed<G>,
}

impl<P, G: Game> Watched<P, G> {
    /// Gives the player back.
    pub fn into_inner(self) -> P {
        self.player
    }

    fn ask<T>(&mut self, ask: impl FnOnce(&mut P) -> Result<T, NoReply>) -> Result<T, NoReply> {
        if !self.feed.is_watched() {
            return Err(NoReply::Left);
        }
        let answer = ask(&mut self.player);
        let log = (self.log)(&self.player);
        // Its length does not show a change, because a mark at its end has a number.
        if log != self.logged {
            self.logged.clone_from(&log);
            self.feed.log(self.seat, log);
        }
        answer
    }
}

impl<P: Player<G>, G: Game> Player<G> for Watched<P, G> {
    fn deploy(&mut self, game: &G::Info, fuel: u64) -> Result<Reply<G::Deployment>, NoReply> {
        self.ask(|player| player.deploy(game, fuel))
    }

    fn play(&mut self, game: &G::Info, view: &G::View, fuel: u64) -> Result<Reply<G::Action>, NoReply> {
        self.ask(|player| player.play(game, view, fuel))
    }

    fn begin_turn(&mut self) {
        self.player.begin_turn();
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.player.restart()
    }

    fn hear(&mut self, notice: &GameNotice<'_, G>) {
        self.player.hear(notice);
    }
}
