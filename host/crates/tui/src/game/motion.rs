//! The motion of a screen along its game: playback, speed, and the short animation of a shot.

use super::{GameScreen, Playback};
use crate::OnScreen;
use crate::grid::FRAMES;
use std::time::Duration;

/// The speeds, in events a second. Chosen: at 1 a person follows each shot, at 4 a game takes half a minute, and
/// at 256 it takes a second.
pub(super) const SPEEDS: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The first speed: an index of [`SPEEDS`].
const SPEED_AT_FIRST: usize = 2;

/// The speed at which a person sees its game: an index of [`SPEEDS`]. Chosen: half a second for each event.
const SPEED_OF_PERSON: usize = 1;

/// The highest speed at which a shot is animated, in events a second. Chosen: at 8 there is no time for it.
const ANIMATED_SPEED_MAX: u32 = 4;

/// The time of a frame. Chosen: an animation is over before the next shot at the highest speed that has one.
const FRAME_TIME: Duration = Duration::from_millis(60);

/// The shortest time between two pictures. Chosen: beyond thirty a second, a viewer sees no difference.
const PICTURE_MIN: Duration = Duration::from_millis(33);

/// The time for which the end of a game is shown before the next game of a series. Chosen: long enough to read the result.
const REST: Duration = Duration::from_secs(3);

/// The motion of a screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub(super) playback: Playback,
    /// An index of [`SPEEDS`].
    speed: usize,
    /// The time that has passed since the last step.
    carry: Duration,
    /// The time since the end of the game was reached.
    rested: Duration,
    animates: bool,
    /// The frame of the animation of the last event, and the time that it has been shown; `None` while nothing is
    /// animated.
    frame: Option<(u8, Duration)>,
}

impl Motion {
    pub(super) fn new(playback: Playback) -> Self {
        let (carry, rested) = (Duration::ZERO, Duration::ZERO);
        Self { playback, speed: SPEED_AT_FIRST, carry, rested, animates: false, frame: None }
    }

    pub(super) fn set_animation(&mut self, animates: bool) {
        self.animates = animates;
        self.frame = None;
    }

    /// The speed, in events a second.
    pub(super) fn speed(&self) -> u32 {
        SPEEDS[self.speed]
    }

    pub(super) fn faster(&mut self) {
        self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
    }

    pub(super) fn slower(&mut self) {
        self.speed = self.speed.saturating_sub(1);
    }

    /// Begins a game.
    pub(super) fn begin(&mut self) {
        (self.carry, self.rested) = (Duration::ZERO, Duration::ZERO);
    }

    /// Stands still at a position.
    pub(super) fn pause(&mut self) {
        self.playback = Playback::Paused;
        self.carry = Duration::ZERO;
    }

    /// Begins the animation of the last event, if the screen is slow enough for one.
    pub(super) fn strike(&mut self) {
        let is_slow = self.playback != Playback::Playing || self.speed() <= ANIMATED_SPEED_MAX;
        self.frame = (self.animates && is_slow).then_some((0, Duration::ZERO));
    }

    /// Ends the animation.
    pub(super) fn settle(&mut self) {
        self.frame = None;
    }

    /// The frame to draw, if the last event is being animated.
    pub(super) fn frame(&self) -> Option<u8> {
        self.frame.map(|(frame, _)| frame)
    }

    /// Advances the animation. Returns true if there is another frame, or it has ended.
    fn animate(&mut self, elapsed: Duration) -> bool {
        let Some((frame, shown)) = self.frame else { return false };
        let shown = shown.saturating_add(elapsed);
        let frames = u8::try_from(shown.as_millis() / FRAME_TIME.as_millis()).unwrap_or(u8::MAX);
        let next = frame.saturating_add(frames);
        let rest = Duration::from_millis((shown.as_millis() % FRAME_TIME.as_millis()) as u64);
        self.frame = (next < FRAMES).then_some((next, rest));
        frames > 0
    }

    fn step_time(&self) -> Duration {
        Duration::from_secs(1) / self.speed()
    }

    /// The time after which the motion continues by itself.
    pub(super) fn wait(&self, has_more: bool) -> Option<Duration> {
        let moves = self.playback == Playback::Playing && has_more;
        let step = moves.then(|| self.step_time().saturating_sub(self.carry).max(PICTURE_MIN));
        let frame = self.frame.map(|(_, shown)| FRAME_TIME.saturating_sub(shown));
        [step, frame].into_iter().flatten().min()
    }
}

impl<G: OnScreen> GameScreen<G> {
    /// Moves on by the time that has passed.
    pub(super) fn advance(&mut self, elapsed: Duration) -> bool {
        let is_animated = self.motion.animate(elapsed);
        if self.motion.playback != Playback::Playing {
            return is_animated;
        }
        if self.position == self.timeline.len() {
            // The next event is shown when it comes, not a step's time later.
            self.motion.carry = self.motion.step_time();
            return is_animated;
        }
        self.motion.carry = self.motion.carry.saturating_add(elapsed);
        let before = self.position;
        while self.motion.carry >= self.motion.step_time() && self.position < self.timeline.len() {
            self.motion.carry -= self.motion.step_time();
            self.stand_at(self.position + 1);
        }
        let is_one_step = self.position == before + 1;
        if is_one_step {
            self.motion.strike();
        }
        if self.position == self.timeline.len() && !self.is_open {
            self.motion.pause();
        }
        self.position != before || is_animated
    }

    /// True if the newest event was shown with its animation.
    pub(crate) fn has_seen_all(&self) -> bool {
        self.position == self.timeline.len()
    }

    /// Shows the newest event at once. Returns true if it was not shown yet.
    pub(crate) fn see_all(&mut self) -> bool {
        let is_behind = !self.has_seen_all();
        if is_behind {
            self.stand_at(self.timeline.len());
        }
        is_behind
    }

    /// The time after which the motion continues by itself.
    pub(crate) fn motion_wait(&self) -> Option<Duration> {
        self.motion.wait(!self.has_seen_all())
    }

    /// Shows events one by one as they come, each for long enough to be seen: a person's own turn before the answer.
    pub(crate) fn follow(&mut self) {
        self.motion.playback = Playback::Playing;
        self.motion.speed = SPEED_OF_PERSON;
    }

    /// Waits at the end of a game, and asks for the next one of the series. Pausing keeps the end on the screen.
    pub(super) fn rest(&mut self, elapsed: Duration) -> bool {
        let is_at_end = self.timeline.is_over() && self.position == self.timeline.len();
        if !is_at_end || self.motion.playback == Playback::Paused {
            self.motion.rested = Duration::ZERO;
            return false;
        }
        let before = self.motion.rested;
        self.motion.rested = before.saturating_add(elapsed);
        if before < REST && self.motion.rested >= REST {
            self.ask_for_next();
        }
        false
    }

    /// Asks for the next game of the series, if there is one.
    pub(super) fn ask_for_next(&self) {
        if let Some(updates) = &self.updates {
            updates.ask_for_game();
        }
    }
}
