//! Screens on a terminal: the loop that draws, waits and answers keys, and what the host calls.

use crate::dashboard::{DashboardScreen, Shared};
use crate::feed::{Feed, Updates, feed};
use crate::game::GameScreen;
use crate::key::{Effect, Ended, Key};
use crate::options::{Options, TuiError};
use crate::play::{Person, PlayScreen};
use crate::terminal::Tty;
use crate::theme::Theme;
use crate::timeline::Timeline;
use arena_record::{Header, Transcript};
use arena_rules::Seat;
use crossterm::event::Event;
use ratatui::buffer::Buffer;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for a key. Chosen: whoever stops the program waits no longer than that for the terminal, and four
/// looks a second are no work.
const WAIT_MAX: Duration = Duration::from_millis(250);

/// The time between two looks at a game that is being played. Chosen: as the dashboard's.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A worker's stack. Chosen: wasm may use 512 KiB of it, and the host's own calls need room beside that.
const GAME_STACK_BYTES: usize = 4 << 20;

/// What the loop asks of a screen.
trait Screen {
    fn draw(&self, theme: Theme, buffer: &mut Buffer);
    fn key(&mut self, key: Key) -> Effect;
    /// Takes in what is new, and lets time pass. Says whether the screen is another for it.
    fn tick(&mut self, elapsed: Duration) -> bool;
    /// The time after which `tick` may have something to do; none while nothing happens by itself.
    fn wait(&self) -> Option<Duration>;
    /// The game to save, if there is one, which is over.
    fn transcript(&self) -> Option<Transcript>;
    fn notice(&mut self, text: String);
}

/// Shows a screen until it ends.
fn show(mut tty: Tty, screen: &mut dyn Screen, options: &mut Options<'_>) -> Result<Ended, TuiError> {
    let mut before = Instant::now();
    let mut has_changed = true;
    loop {
        if options.should_stop() {
            return Ok(Ended::Stopped);
        }
        if tty.has_hung_up() {
            return Ok(Ended::HungUp);
        }
        if has_changed {
            tty.draw(|buffer| screen.draw(options.theme, buffer))?;
            has_changed = false;
        }
        let wait = screen.wait().unwrap_or(WAIT_MAX).min(WAIT_MAX);
        let events = match tty.events(wait) {
            Err(_) if tty.has_hung_up() => return Ok(Ended::HungUp),
            events => events?,
        };
        for event in events {
            let effect = match event {
                Event::Key(event) => Key::of(&event).map_or(Effect::Nothing, |key| screen.key(key)),
                Event::Resize(_, _) => Effect::Changed,
                _ => Effect::Nothing,
            };
            match effect {
                Effect::Nothing => {}
                Effect::Changed => has_changed = true,
                Effect::Save => {
                    save(screen, options);
                    has_changed = true;
                }
                Effect::End(ended) => return Ok(ended),
            }
        }
        let now = Instant::now();
        has_changed |= screen.tick(now - before);
        before = now;
    }
}

fn save(screen: &mut dyn Screen, options: &mut Options<'_>) {
    let (Some(transcript), Some(save)) = (screen.transcript(), &mut options.save) else { return };
    screen.notice(match save(&transcript) {
        Ok(place) => format!("saved: {place}"),
        Err(why) => format!("not saved: {why}"),
    });
}

/// Shows a recorded game. `logs` are what the bots printed, where that is at hand.
///
/// # Errors
/// When there is no terminal, or the transcript is of no game that the rules allow.
pub fn replay(
    transcript: &Transcript,
    logs: [Option<String>; 2],
    mut options: Options<'_>,
) -> Result<Ended, TuiError> {
    let mut timeline = Timeline::of(transcript)?;
    for (seat, log) in Seat::BOTH.into_iter().zip(logs) {
        if let Some(log) = log {
            timeline.set_whole_log(seat, log);
        }
    }
    let mut screen = GameScreen::replay(timeline);
    if options.save.is_some() {
        screen = screen.with_saving();
    }
    show(Tty::enter()?, &mut Watching { screen, updates: None }, &mut options)
}

/// Shows a game while `game` plays it, on a thread of its own, and tells what happens to the feed it is given. The game
/// never waits for the screen.
///
/// It returns when both the screen and the game have ended. A game of players that are [watched](Feed::watched) ends soon
/// after its screen.
///
/// # Errors
/// When there is no terminal, in which case the game is not begun, or the header's rules are no game.
///
/// # Panics
/// When the game does, with the game's panic, once the terminal is given back.
pub fn watch<T: Send>(
    header: Header,
    mut options: Options<'_>,
    game: impl FnOnce(Feed) -> T + Send,
) -> Result<(Ended, T), TuiError> {
    let mut screen = GameScreen::watch(Timeline::new(header)?);
    if options.save.is_some() {
        screen = screen.with_saving();
    }
    let tty = Tty::enter()?;
    let (feed, updates) = feed();
    beside(
        move || game(feed),
        move || show(tty, &mut Watching { screen, updates: Some(updates) }, &mut options),
    )
}

/// Lets a person play at a seat of a game while `game` referees it, on a thread of its own, with the player that it is
/// given, and tells what happens to the feed.
///
/// When the person leaves, its player fails with a [`HostError`](arena_referee::HostError) and the game ends without a
/// result; when it resigns, it loses. It returns when both the screen and the game have ended: a bot's turn that has begun
/// is waited for.
///
/// # Errors
/// When there is no terminal, in which case the game is not begun, or the header's rules are no game.
///
/// # Panics
/// When the game does, with the game's panic, once the terminal is given back.
pub fn play<T: Send>(
    header: Header,
    seat: Seat,
    mut options: Options<'_>,
    game: impl FnOnce(Person, Feed) -> T + Send,
) -> Result<(Ended, T), TuiError> {
    let timeline = Timeline::new(header)?;
    let tty = Tty::enter()?;
    let (feed, updates) = feed();
    let (mut screen, person) = PlayScreen::new(timeline, seat, updates);
    if options.save.is_some() {
        screen = screen.with_saving();
    }
    beside(move || game(person, feed), move || show(tty, &mut { screen }, &mut options))
}

/// Shows the dashboard of a tournament until the user leaves it. The tournament goes on by itself.
///
/// # Errors
/// When there is no terminal.
pub fn dashboard(shared: &Arc<Shared>, mut options: Options<'_>) -> Result<Ended, TuiError> {
    let mut screen = DashboardScreen::new(Arc::clone(shared));
    show(Tty::enter()?, &mut screen, &mut options)
}

/// Runs a game on a thread of its own, and a screen on this one.
fn beside<T: Send>(
    game: impl FnOnce() -> T + Send,
    screen: impl FnOnce() -> Result<Ended, TuiError>,
) -> Result<(Ended, T), TuiError> {
    thread::scope(|scope| {
        let game = thread::Builder::new()
            .name("game".into())
            .stack_size(GAME_STACK_BYTES)
            .spawn_scoped(scope, game)?;
        // With the screen go its ends of the channels, so that the game does not wait for it.
        let ended = screen();
        let played = game.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok((ended?, played))
    })
}

/// A game that is watched or replayed.
struct Watching {
    screen: GameScreen,
    /// Where what is new comes from; none once nothing more comes.
    updates: Option<Updates>,
}

impl Screen for Watching {
    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        self.screen.draw(theme, buffer);
    }

    fn key(&mut self, key: Key) -> Effect {
        self.screen.key(key)
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        let mut changed = false;
        if let Some(updates) = &self.updates {
            let (new, is_open) = updates.take();
            for update in new {
                changed |= self.screen.receive(update);
            }
            if !is_open {
                self.updates = None;
                changed |= self.screen.close_feed();
            }
        }
        changed | self.screen.tick(elapsed)
    }

    fn wait(&self) -> Option<Duration> {
        let look = self.updates.as_ref().map(|_| LOOK_EVERY);
        [self.screen.wait(), look].into_iter().flatten().min()
    }

    fn transcript(&self) -> Option<Transcript> {
        self.screen.timeline().transcript()
    }

    fn notice(&mut self, text: String) {
        self.screen.notice(text);
    }
}

impl Screen for PlayScreen {
    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        Self::draw(self, theme, buffer);
    }

    fn key(&mut self, key: Key) -> Effect {
        Self::key(self, key)
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        Self::tick(self, elapsed)
    }

    fn wait(&self) -> Option<Duration> {
        Self::wait(self)
    }

    fn transcript(&self) -> Option<Transcript> {
        self.game().timeline().transcript()
    }

    fn notice(&mut self, text: String) {
        Self::notice(self, text);
    }
}

impl Screen for DashboardScreen {
    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        Self::draw(self, theme, buffer);
    }

    fn key(&mut self, key: Key) -> Effect {
        Self::key(self, key)
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        Self::tick(self, elapsed)
    }

    fn wait(&self) -> Option<Duration> {
        Self::wait(self)
    }

    fn transcript(&self) -> Option<Transcript> {
        None
    }

    fn notice(&mut self, _text: String) {}
}
