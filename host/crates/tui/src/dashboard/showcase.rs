//! One game of a tournament at human speed, while the others go on.

use super::DashboardState;
use super::candidates::{Candidate, ShowcaseKind};
use crate::game::GameScreen;
use crate::on_screen::OnScreen;
use crate::screen::Screen;
use arena_pictures::Timeline;
use std::time::Duration;

/// The time for which the end of a game is shown. Chosen: long enough to read the result.
const REST: Duration = Duration::from_secs(4);

/// The showcase: the game that is on, and the kind of the next one.
#[derive(Debug)]
pub(super) struct Showcase<G: OnScreen> {
    pub(super) choice: ShowcaseKind,
    pub(super) game: Option<Box<GameScreen<G>>>,
    pub(super) animates: bool,
    /// The time since the game on it has ended.
    rested: Duration,
}

impl<G: OnScreen> Showcase<G> {
    pub(super) fn new() -> Self {
        Self { choice: ShowcaseKind::default(), game: None, animates: false, rested: Duration::ZERO }
    }

    /// Ends the current game: the next one follows as soon as there is one.
    pub(super) fn skip(&mut self) {
        self.rested = REST;
    }

    /// Lets time pass. Returns true if it has to be drawn again.
    pub(super) fn tick(&mut self, elapsed: Duration, shared: &DashboardState<G>) -> bool {
        let mut has_changed = false;
        if let Some(game) = &mut self.game {
            has_changed = game.tick(elapsed);
            if game.has_seen_all() {
                self.rested = self.rested.saturating_add(elapsed);
            }
        }
        if self.game.is_some() && self.rested < REST {
            return has_changed;
        }
        let Some(Candidate { number, transcript }) = shared.take_candidate(self.choice) else {
            return has_changed;
        };
        // The referee's events follow from each other.
        let Ok(timeline) = Timeline::of(&transcript) else { return has_changed };
        let mut game = GameScreen::show(timeline.numbered(number));
        game.offer(false, self.animates);
        (self.game, self.rested) = (Some(Box::new(game)), Duration::ZERO);
        true
    }

    /// True if the game that is on has ended and has been seen.
    pub(super) fn is_over(&self) -> bool {
        self.game.is_none() || self.rested >= REST
    }

    /// The time after which it continues by itself; `None` when it waits for a game.
    pub(super) fn wait(&self) -> Option<Duration> {
        let game = self.game.as_ref()?;
        let rest = REST.checked_sub(self.rested).filter(|rest| !rest.is_zero());
        game.motion_wait().or(rest)
    }
}
