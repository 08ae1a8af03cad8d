//! How a game that is being played gets to a screen: it never waits for it.

use arena_referee::{
    Event, HostError, News, NoReply, Player, Reply, Stopped, SubmarineInfo, SubmarinePlayer,
};
use arena_rules::submarine::{Action, View as SubmarineView};
use arena_rules::{Coord, GameInfo, Placement, Seat, View};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Weak};

/// Something new about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// It happened.
    Event(Event),
    /// All that a bot has printed so far.
    Log {
        /// Which bot.
        seat: Seat,
        /// Its log, safe to print or not: it is made plain before it is drawn.
        text: String,
    },
    /// The game begins again: what was told so far does not count.
    Again,
    /// The game has no result, and why.
    Stopped(String),
}

/// Where a game tells what happens. Copies of it are the same feed, and telling never waits.
#[derive(Clone, Debug)]
pub struct Feed {
    updates: Sender<Update>,
    watched: Weak<()>,
}

/// The screen's end of a [`Feed`]. When it is dropped, nobody watches any more.
#[derive(Debug)]
pub struct Updates {
    updates: Receiver<Update>,
    _watching: Arc<()>,
}

/// A feed, and the end of it that a screen reads.
pub fn feed() -> (Feed, Updates) {
    let (sender, receiver) = channel();
    let watching = Arc::new(());
    let feed = Feed { updates: sender, watched: Arc::downgrade(&watching) };
    (feed, Updates { updates: receiver, _watching: watching })
}

impl Updates {
    /// What is new, and whether more may come.
    pub(crate) fn take(&self) -> (Vec<Update>, bool) {
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

impl Feed {
    /// Tells what happened.
    pub fn event(&self, event: Event) {
        self.send(Update::Event(event));
    }

    /// Tells all that a bot has printed so far.
    pub fn log(&self, seat: Seat, text: String) {
        self.send(Update::Log { seat, text });
    }

    /// Tells that the game begins again, because the watchdog has stopped a turn, say.
    pub fn again(&self) {
        self.send(Update::Again);
    }

    /// Tells that the game has no result.
    pub fn stopped(&self, why: &Stopped) {
        self.send(Update::Stopped(why.to_string()));
    }

    /// Whether somebody still watches.
    pub fn is_watched(&self) -> bool {
        self.watched.strong_count() > 0
    }

    /// A player whose game ends without a result, at its next turn, when nobody watches any more; `log` reads all that it
    /// has printed so far, which is told after each of its turns.
    pub fn watched<P>(&self, seat: Seat, player: P, log: fn(&P) -> String) -> Watched<P> {
        Watched { player, seat, log, logged: 0, feed: self.clone() }
    }

    fn send(&self, update: Update) {
        // A screen that has gone has no use for it, and the game goes on without one.
        let _ = self.updates.send(update);
    }
}

/// A player that is watched: see [`Feed::watched`].
#[derive(Debug)]
pub struct Watched<P> {
    player: P,
    seat: Seat,
    log: fn(&P) -> String,
    /// Bytes of the log that have been told.
    logged: usize,
    feed: Feed,
}

impl<P> Watched<P> {
    /// The player again.
    pub fn into_inner(self) -> P {
        self.player
    }

    fn ask<T>(&mut self, ask: impl FnOnce(&mut P) -> Result<T, NoReply>) -> Result<T, NoReply> {
        if !self.feed.is_watched() {
            return Err(HostError("nobody watches the game any more".into()).into());
        }
        let answer = ask(&mut self.player);
        let log = (self.log)(&self.player);
        // A log only grows, so its length says whether there is more of it.
        if log.len() != self.logged {
            self.logged = log.len();
            self.feed.log(self.seat, log);
        }
        answer
    }
}

impl<P: Player> Player for Watched<P> {
    fn deploy(&mut self, game: &GameInfo, fuel: u64) -> Result<Reply<Vec<Placement>>, NoReply> {
        self.ask(|player| player.deploy(game, fuel))
    }

    fn play(&mut self, game: &GameInfo, view: &View, fuel: u64) -> Result<Reply<Option<Coord>>, NoReply> {
        self.ask(|player| player.play(game, view, fuel))
    }

    fn begin_turn(&mut self) {
        self.player.begin_turn();
    }

    fn restart(&mut self) -> Result<(), HostError> {
        self.player.restart()
    }
}

impl<P: SubmarinePlayer> SubmarinePlayer for Watched<P> {
    fn deploy(&mut self, game: &SubmarineInfo, fuel: u64) -> Result<Reply<[Coord; 3]>, NoReply> {
        self.ask(|player| player.deploy(game, fuel))
    }

    fn play(
        &mut self,
        game: &SubmarineInfo,
        view: &SubmarineView,
        fuel: u64,
    ) -> Result<Reply<Action>, NoReply> {
        self.ask(|player| player.play(game, view, fuel))
    }

    fn begin_turn(&mut self) {
        self.player.begin_turn();
    }

    fn hear(&mut self, news: &News<'_>) {
        self.player.hear(news);
    }
}
