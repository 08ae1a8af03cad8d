//! What the commands with a screen have in common.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::report;
use crate::saving;
use arena_record::{GameResult, Header};
use arena_referee::{Event, HostError, Stopped};
use arena_tui::{Ended, Feed, Options, TuiError};

/// Options of a screen that ends when the process is asked to.
pub fn options(interrupt: &Interrupt) -> Options<'static> {
    Options { stop: interrupt.flag(), save: Some(Box::new(saving::save)), ..Options::of_environment() }
}

/// Why there is no screen, and what to do instead.
pub fn failure(error: TuiError, next: &str) -> Failure {
    match error {
        TuiError::NotATerminal => {
            Failure::input("standard output is no terminal that can show a screen", next)
        }
        TuiError::Timeline(error) => {
            Failure::input(format!("the game cannot be shown: {error}"), "check that the recording is whole")
        }
        TuiError::InUse | TuiError::Io(_) => Failure::Host(error.into()),
    }
}

/// How a program ends whose screen ended so.
pub fn verdict(ended: Ended) -> Result<(), Failure> {
    match ended {
        Ended::Quit | Ended::HungUp => Ok(()),
        Ended::Interrupted | Ended::Stopped => Err(Failure::Interrupted("interrupted".into())),
    }
}

/// Collects a game's events and tells them to a feed as they come.
pub struct Teller {
    feed: Feed,
    events: Vec<Event>,
}

impl Teller {
    /// A teller to this feed.
    pub fn new(feed: Feed) -> Self {
        Self { feed, events: Vec::new() }
    }

    /// Takes an event.
    pub fn tell(&mut self, event: Event) {
        self.feed.event(event.clone());
        self.events.push(event);
    }

    /// The game's events, or why it has no result. Where it is only that nobody watches any more, there is neither.
    ///
    /// # Errors
    /// A failure of ours.
    pub fn end(self, ended: Result<(), Stopped>) -> Result<Option<Vec<Event>>, HostError> {
        match ended {
            Ok(()) => Ok(Some(self.events)),
            Err(_) if !self.feed.is_watched() => Ok(None),
            Err(stopped) => {
                self.feed.stopped(&stopped);
                match stopped {
                    Stopped::Host(error) => Err(error),
                    // The watchdog scores: see where the game is refereed.
                    Stopped::WallClock { .. } => Err(HostError(stopped.to_string())),
                }
            }
        }
    }
}

/// What a screen and the game behind it came to: how the screen ended, and the game's events, if it has a result.
pub type Shown = Result<(Ended, Result<Option<Vec<Event>>, HostError>), TuiError>;

/// Prints the line of a game that was looked at, now that the screen is gone, and says how the program ends.
///
/// # Errors
/// Why there was no screen, with `next` to do instead; a failure of ours; or that the user has interrupted it.
pub fn finish(shown: Shown, next: &str, header: &Header, console: &mut Console) -> Result<(), Failure> {
    let (ended, events) = shown.map_err(|error| failure(error, next))?;
    if let Some(events) = events? {
        let [first, second] = header.bots.each_ref().map(|bot| bot.label.as_str());
        let result = GameResult::of(&events);
        if result.is_ok() {
            console.line(&report::served(1, [first, second], &result))?;
        }
    }
    verdict(ended)
}
