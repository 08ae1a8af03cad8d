//! Games that are watched in a browser as they are played.
//!
//! One thread takes the feed of the games and keeps what their pages need. Each page reads that at its own speed, so a game waits for none.

use arena_live::{Feed, Update, Updates, feed};
use arena_pages::{Page, Reported, WatchedGame};
use arena_record::Header;
use arena_referee::HostError;
use arena_resources::NewThread;
use axum::body::Bytes;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;

/// The time between two looks if a page asks for the next game, or the pages end. Chosen: too short to notice.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The stack of the thread that takes the feed. Chosen: twice as much as the standard library gives a thread, as of a game's.
const STACK_BYTES: usize = 4 << 20;

/// The latest games that are kept. Chosen: one is watched while others look at those before.
const GAMES_KEPT_MAX: usize = 3;

/// The longest reason in a sentence, in characters. Chosen: three lines.
const WHY_CHARS_MAX: usize = 300;

/// The most bytes of a stream that are sent at a time. Chosen: a page gets a usual game in some pieces, and a slow one holds no more.
const PIECE_BYTES: usize = 64 << 10;

/// All games that are watched, one after the other.
pub(crate) struct Shows {
    /// The number of games of the series.
    games: u32,
    kept: Mutex<Kept>,
    /// True if a page asks for the next game.
    wants_next: AtomicBool,
    /// The number of the latest game.
    pub(crate) begun: watch::Sender<u32>,
    pub(crate) ended: watch::Sender<bool>,
}

/// The games that are kept.
struct Kept {
    /// The number of the latest one, from 1.
    latest: u32,
    shows: VecDeque<Arc<Show>>,
    /// True if another game may begin.
    is_open: bool,
}

/// A game that is watched.
pub(crate) struct Show {
    pub(crate) page: Page,
    steps: Mutex<Steps>,
    /// Changes whenever there is something new.
    pub(crate) grown: watch::Sender<()>,
}

/// What the page of a game gets.
#[derive(Default)]
struct Steps {
    /// Each a piece of a stream.
    sent: Vec<String>,
    is_over: bool,
}

impl Show {
    fn new(page: Page) -> Self {
        Self { page, steps: Mutex::default(), grown: watch::Sender::new(()) }
    }

    fn steps(&self) -> MutexGuard<'_, Steps> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the next step, a document without line breaks.
    fn step(&self, number: usize, document: &str) {
        self.steps().sent.push(format!("id: {number}\ndata: {document}\n\n"));
        self.grown.send_replace(());
    }

    /// Adds the last event of the stream, unless it has one.
    fn close(&self, name: &str, sentence: &str) {
        let mut steps = self.steps();
        if !steps.is_over {
            let sentence = serde_json::to_string(sentence).expect("it is text");
            steps.sent.push(format!("event: {name}\ndata: {sentence}\n\n"));
            steps.is_over = true;
        }
        drop(steps);
        self.grown.send_replace(());
    }

    /// The next pieces of the stream after this number of them, and their number; `None` if the stream has ended.
    pub(crate) fn after(&self, count: usize) -> Option<(Bytes, usize)> {
        let steps = self.steps();
        let mut text = String::new();
        let mut next = count;
        for piece in steps.sent.iter().skip(count) {
            text.push_str(piece);
            next += 1;
            if text.len() >= PIECE_BYTES {
                break;
            }
        }
        (!text.is_empty() || !steps.is_over).then(|| (Bytes::from(text), next))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.steps().is_over
    }
}

/// The answer to a page that asks for a game.
pub(crate) enum Asked {
    Show(Arc<Show>),
    /// It has been asked for, and begins now.
    Begins,
    /// It does not begin before another one has ended, or is not kept any more.
    Other,
    /// There is none.
    Never,
}

impl Shows {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the latest game.
    pub(crate) fn latest(&self) -> u32 {
        self.kept().latest
    }

    /// A game by its number, from 1, if it is kept.
    pub(crate) fn show(&self, number: u32) -> Option<Arc<Show>> {
        let kept = self.kept();
        let from_end = kept.latest.checked_sub(number)? as usize;
        kept.shows.iter().rev().nth(from_end).cloned()
    }

    /// A game by its number, from 1, which begins if it is the next one.
    pub(crate) fn ask(&self, number: u32) -> Asked {
        if let Some(show) = self.show(number) {
            return Asked::Show(show);
        }
        let kept = self.kept();
        let is_next = number == kept.latest + 1 && kept.shows.back().is_some_and(|show| show.is_over());
        match () {
            () if number == 0 || number > self.games => Asked::Never,
            () if is_next && kept.is_open => {
                self.wants_next.store(true, Ordering::SeqCst);
                Asked::Begins
            }
            () if is_next => Asked::Never,
            () => Asked::Other,
        }
    }

    /// Ends all pages, and the games.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Begins the game of this number, or begins it again.
    fn begin<G: Reported>(&self, number: u32, header: Header) -> Result<Follower<G>, HostError> {
        let game = WatchedGame::new(header.clone()).map_err(HostError::defect)?;
        let title = match self.games {
            1 => "A game as it is played".to_owned(),
            games => format!("Game {number} of {games}"),
        };
        let next = (number < self.games).then(|| format!("{}.html", number + 1));
        let show = Arc::new(Show::new(game.page(&title, format!("events/{number}"), next)));
        let mut kept = self.kept();
        if kept.latest == number {
            kept.shows.pop_back();
        }
        kept.latest = number;
        kept.shows.push_back(Arc::clone(&show));
        if kept.shows.len() > GAMES_KEPT_MAX {
            kept.shows.pop_front();
        }
        drop(kept);
        self.begun.send_replace(number);
        Ok(Follower { number, header, game, show })
    }
}

/// A game that is followed, and what its page gets.
struct Follower<G: Reported> {
    number: u32,
    header: Header,
    game: WatchedGame<G>,
    show: Arc<Show>,
}

impl<G: Reported> Follower<G> {
    /// Takes a message of the feed. Returns another game if one begins.
    fn take(&mut self, update: Update<G>, shows: &Shows) -> Result<Option<Self>, HostError> {
        match update {
            Update::Event(event) => {
                let step = self.game.event(event).map_err(HostError::defect)?;
                self.show.step(self.game.len(), &step);
                if self.game.is_over() {
                    self.show.close("over", "");
                }
            }
            Update::Log { seat, text } => self.game.log(seat, text),
            Update::Game(header) => return shows.begin(self.number + 1, *header).map(Some),
            Update::Restarted => {
                let again = shows.begin(self.number, self.header.clone())?;
                self.show.close("again", "");
                return Ok(Some(again));
            }
            Update::Stopped(why) => self.show.close("over", &no_result(&why)),
        }
        Ok(None)
    }
}

fn no_result(why: &str) -> String {
    format!("The game has no result: {}", arena_text::line(why, WHY_CHARS_MAX))
}

/// A series of games that is watched.
pub(crate) struct Series<G: Reported> {
    pub(crate) shows: Arc<Shows>,
    /// The end of the feed for the games.
    pub(crate) feed: Feed<G>,
    /// The thread that takes the feed.
    pub(crate) taking: JoinHandle<()>,
}

/// Begins to watch a series of games, of which the first one has this header.
pub(crate) fn watch_games<G: Reported>(first: Header, games: u32) -> Result<Series<G>, HostError> {
    let shows = Arc::new(Shows {
        games,
        kept: Mutex::new(Kept { latest: 0, shows: VecDeque::new(), is_open: true }),
        wants_next: AtomicBool::new(false),
        begun: watch::Sender::new(0),
        ended: watch::Sender::new(false),
    });
    let follower = shows.begin::<G>(1, first)?;
    let (feed, updates) = feed();
    let following = Arc::clone(&shows);
    let taking = NewThread::named("watched")
        .with_stack(STACK_BYTES)
        .start(move || follow(follower, &updates, &following))?;
    Ok(Series { shows, feed, taking })
}

/// Takes the feed until it ends, or the pages do.
fn follow<G: Reported>(mut follower: Follower<G>, updates: &Updates<G>, shows: &Shows) {
    while !*shows.ended.borrow() {
        if shows.wants_next.swap(false, Ordering::SeqCst) {
            updates.ask_for_game();
        }
        let (update, is_open) = updates.wait(LOOK_EVERY);
        match update.map(|update| follower.take(update, shows)) {
            Some(Ok(Some(next))) => follower = next,
            Some(Err(error)) => {
                follower.show.close("over", &no_result(&error.to_string()));
                break;
            }
            Some(Ok(None)) | None => {}
        }
        if !is_open {
            break;
        }
    }
    shows.kept().is_open = false;
    follower.show.close("over", "The game has stopped without a result.");
    // A page that waits for another game looks again.
    shows.begun.send_modify(|_| {});
}
