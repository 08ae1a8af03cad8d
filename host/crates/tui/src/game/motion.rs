//! The motion of a screen along its game: playback, speed, and the short animation of a shot.

use std::time::Duration;

/// The speeds, in events a second. Chosen: at 1 a person follows each shot, at 4 a game takes half a minute, and
/// at 256 it takes a second.
const SPEEDS: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The first speed: an index of [`SPEEDS`].
const SPEED_AT_FIRST: usize = 2;

/// The speed at which a person sees its game: an index of [`SPEEDS`]. Chosen: half a second for each event.
const SPEED_OF_PERSON: usize = 1;

/// The highest speed at which a shot is animated, in events a second. Chosen: at 8 there is no time for it.
const ANIMATED_SPEED_MAX: u32 = 4;

/// The time of a frame. Chosen: the animation of a shot, of four frames, is over before the next shot at the highest speed that has one.
const FRAME_TIME: Duration = Duration::from_millis(60);

/// The number of times that an event is shown for as long as usual while a side has one ship left. Chosen: long enough to hold one's
/// breath, and the last turns of a game take some seconds more.
const SUSPENSE: u32 = 2;

/// The shortest time between two pictures. Chosen: beyond thirty a second, a viewer sees no difference.
const PICTURE_MIN: Duration = Duration::from_millis(33);

/// The time for which the end of a game is shown before the next game of a series. Chosen: long enough to read the result.
const REST: Duration = Duration::from_secs(3);

/// The way in which the screen goes along the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playback {
    /// It stands.
    Paused,
    /// It plays at its speed, up to the newest event.
    Playing,
    /// It shows the newest event as soon as it comes.
    Live,
}

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
    /// The number of frames of this animation.
    frames: u8,
    /// True while events are shown for longer.
    is_tense: bool,
}

impl Motion {
    pub(super) fn new(playback: Playback) -> Self {
        let (carry, rested) = (Duration::ZERO, Duration::ZERO);
        let (animates, frame, frames, is_tense) = (false, None, 0, false);
        Self { playback, speed: SPEED_AT_FIRST, carry, rested, animates, frame, frames, is_tense }
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

    /// True if the screen is slow enough for animations.
    fn is_slow(&self) -> bool {
        self.playback != Playback::Playing || self.speed() <= ANIMATED_SPEED_MAX
    }

    /// Begins the animation of the last event, of this number of frames, if the screen is slow enough for one. The next event waits for
    /// the end of one that takes longer than usual.
    pub(super) fn strike(&mut self, frames: u8) {
        self.frame = (self.animates && self.is_slow() && frames > 0).then_some((0, Duration::ZERO));
        self.frames = frames;
    }

    /// Shows events for longer from here on, or not, where there are animations.
    pub(super) fn set_tense(&mut self, is_tense: bool) {
        self.is_tense = is_tense;
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
    pub(super) fn animate(&mut self, elapsed: Duration) -> bool {
        let Some((frame, shown)) = self.frame else { return false };
        let shown = shown.saturating_add(elapsed);
        let frames = u8::try_from(shown.as_millis() / FRAME_TIME.as_millis()).unwrap_or(u8::MAX);
        let next = frame.saturating_add(frames);
        let rest = Duration::from_millis((shown.as_millis() % FRAME_TIME.as_millis()) as u64);
        self.frame = (next < self.frames).then_some((next, rest));
        frames > 0
    }

    fn step_time(&self) -> Duration {
        let times = if self.is_tense && self.animates && self.is_slow() { SUSPENSE } else { 1 };
        Duration::from_secs(1) * times / self.speed()
    }

    /// The time after which the motion continues by itself.
    pub(super) fn wait(&self, has_more: bool) -> Option<Duration> {
        let moves = self.playback == Playback::Playing && has_more;
        let step = moves.then(|| self.step_time().saturating_sub(self.carry).max(PICTURE_MIN));
        let frame = self.frame.map(|(_, shown)| FRAME_TIME.saturating_sub(shown));
        [step, frame].into_iter().flatten().min()
    }

    /// The number of events to go on by after this time, out of those that are not shown yet.
    pub(super) fn steps(&mut self, elapsed: Duration, behind: usize) -> usize {
        if self.playback != Playback::Playing {
            return 0;
        }
        let step = self.step_time();
        if self.frame.is_some() && FRAME_TIME * u32::from(self.frames) > step {
            self.carry = Duration::ZERO;
            return 0;
        }
        if behind == 0 {
            // The next event is shown when it comes, not a step's time later.
            self.carry = step;
            return 0;
        }
        self.carry = self.carry.saturating_add(elapsed);
        let due = self.carry.as_nanos() / step.as_nanos();
        let steps = usize::try_from(due).unwrap_or(usize::MAX).min(behind);
        self.carry -= step * steps as u32;
        steps
    }

    /// Shows events one by one as they come, each for long enough to be seen: a person's own turn before the answer.
    pub(super) fn follow(&mut self) {
        self.playback = Playback::Playing;
        self.speed = SPEED_OF_PERSON;
    }

    /// Waits at the end of a game. Returns true once, when it is time for the next game. Pausing keeps the end on the screen.
    pub(super) fn rest(&mut self, elapsed: Duration, is_at_end: bool) -> bool {
        let before = self.rested;
        let rests = is_at_end && self.playback != Playback::Paused;
        self.rested = if rests { before.saturating_add(elapsed) } else { Duration::ZERO };
        before < REST && self.rested >= REST
    }
}
