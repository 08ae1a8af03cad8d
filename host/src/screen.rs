//! The common part of the commands with a screen.

use crate::args::ScreenArgs;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{output, saving};
use arena_pages::Reported;
use arena_record::{GameResult, Header};
use arena_referee::{Event, HostError, Stopped};
use arena_rules::Game;
use arena_sandbox::Sandboxed;
use arena_tui::{Ended, Feed, OnScreen, Options, TuiError};

/// A game that the program can play and show, in a terminal and on a page.
pub trait Playable: Sandboxed + OnScreen + Reported {}

impl<G: Sandboxed + OnScreen + Reported> Playable for G {}

/// The options of a screen that ends when the process is asked to.
pub fn options<'a, G: Game>(args: ScreenArgs, interrupt: &Interrupt) -> Options<'a, G> {
    Options {
        animates: !args.no_animation,
        stop: interrupt.flag(),
        save: Some(Box::new(saving::save)),
        ..Options::of_environment()
    }
}

/// The failure when there is no screen, with the next step.
pub fn failure(error: TuiError, next: &str) -> Failure {
    match error {
        TuiError::NotATerminal => {
            Failure::usage("standard output is not a terminal that can show a screen", next)
        }
        TuiError::Timeline(error) => {
            Failure::usage(format!("the recording is inconsistent: {error}"), "check it with `arena verify`")
        }
        TuiError::NoThread(error) => error.into(),
        TuiError::InUse | TuiError::Io(_) => HostError::defect(error).into(),
    }
}

/// The end of the program after the end of its screen.
pub fn verdict(ended: Ended) -> Result<(), Failure> {
    match ended {
        Ended::Quit | Ended::HungUp => Ok(()),
        Ended::Interrupted | Ended::Stopped => Err(Failure::Interrupted("interrupted".into())),
    }
}

/// A collector of a game's events, which passes them to a feed as they come.
pub struct Teller<G: Game> {
    feed: Feed<G>,
    events: Vec<Event<G>>,
}

impl<G: Game> Teller<G> {
    /// A collector that passes events to this feed.
    pub fn new(feed: Feed<G>) -> Self {
        Self { feed, events: Vec::new() }
    }

    /// Takes an event.
    pub fn tell(&mut self, event: Event<G>) {
        self.feed.event(event.clone());
        self.events.push(event);
    }

    /// The game's events; `None` when the game is no longer played or watched.
    ///
    /// # Errors
    /// A failure of the arena.
    pub fn end(self, ended: Result<(), Stopped>) -> Result<Option<Vec<Event<G>>>, HostError> {
        match ended {
            Ok(()) => Ok(Some(self.events)),
            Err(Stopped::Left) => Ok(None),
            Err(stopped) => {
                self.feed.stopped(&stopped);
                Err(stopped.failure())
            }
        }
    }
}

/// A game that was watched to its end.
pub struct Watched<G: Game> {
    /// Everything it depended on.
    pub header: Header,
    /// Its events.
    pub events: Vec<Event<G>>,
}

/// The end of a screen, and the games behind it that have a result.
pub type Shown<G> = Result<(Ended, Result<Vec<Watched<G>>, HostError>), TuiError>;

/// Prints the lines and the seed of the games, now that the screen is gone, and whether all of `games` were seen. Returns the end
/// of the program.
///
/// # Errors
/// There was no screen, with `next` as the next step; a failure of the arena; or an interruption by the user.
pub fn finish<G: Game>(
    shown: Shown<G>,
    games: u32,
    next: &str,
    console: &mut Console,
) -> Result<(), Failure> {
    let (ended, watched) = shown.map_err(|error| failure(error, next))?;
    let watched = watched?;
    let watched_count = watched.len();
    let mut seed = None;
    for (number, Watched { header, events }) in (1..).zip(watched) {
        let result = GameResult::of(&events);
        if result.is_ok() {
            console.line(output::served(number, header.labels(), &result))?;
            seed = Some(header.conditions.seed);
        }
    }
    if watched_count < games as usize {
        console.line(match games {
            1 => "left before the end: the game has no result".to_owned(),
            _ => format!("left after {watched_count} of {games} games"),
        })?;
    }
    if let Some(seed) = seed {
        console.line(format!("seed {seed}"))?;
    }
    verdict(ended)
}
