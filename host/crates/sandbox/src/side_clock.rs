//! The wall clock of one side: the time of its turn, and its share of the game's.

use std::time::{Duration, Instant};

/// The watchdog's limits of wall-clock time. They end a game that takes unreasonably long; fuel decides, because it is
/// the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// A turn with all its retries, or a deployment.
    pub turn: Duration,
    /// A whole game. Each side has half of it for all its calls, as on a chess clock, so that no side loses time to the
    /// other.
    pub game: Duration,
}

impl TimeLimits {
    /// Each side's share of a game.
    pub fn side(&self) -> Duration {
        self.game / 2
    }
}

/// The clock of one side in one game. It runs only while the side is asked.
pub(crate) struct SideClock {
    limits: TimeLimits,
    /// The time of all calls so far.
    used: Duration,
    /// The moment of the turn's first call; `None` before it.
    turn: Option<Instant>,
}

/// The time that a side has for a call, and the limit that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// The time that is left. Zero if the limit has passed.
    pub(crate) left: Duration,
    /// The limit that passes first.
    pub(crate) limit: TimeLimit,
}

/// A limit that the watchdog enforces for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeLimit {
    /// That of a turn, or of asking a bot for its name.
    Turn,
    /// The side's share of a game of this length.
    Game(Duration),
}

impl SideClock {
    pub(crate) fn new(limits: TimeLimits) -> Self {
        Self { limits, used: Duration::ZERO, turn: None }
    }

    /// Begins a turn. Its time counts from its first call, so that the clock is read once less.
    pub(crate) fn begin_turn(&mut self) {
        self.turn = None;
    }

    /// The time for a call that begins now.
    pub(crate) fn allowance(&mut self, now: Instant) -> Allowance {
        let turn = now.saturating_duration_since(*self.turn.get_or_insert(now));
        let turn_left = self.limits.turn.saturating_sub(turn);
        let share = self.limits.side();
        let share_left = share.saturating_sub(self.used);
        if share_left < turn_left {
            Allowance { left: share_left, limit: TimeLimit::Game(share) }
        } else {
            Allowance { left: turn_left, limit: TimeLimit::Turn }
        }
    }

    /// Counts the time of a call.
    pub(crate) fn spend(&mut self, time: Duration) {
        self.used = self.used.saturating_add(time);
    }
}

impl TimeLimit {
    /// The line about a bot that was running when the limit passed.
    pub(crate) fn passed(self) -> String {
        self.line("still running when the wall-clock limit of the turn passed")
    }

    /// The line about a bot that is asked after the limit has passed.
    pub(crate) fn too_late(self) -> String {
        self.line("asked again after the wall-clock limit of the turn had passed")
    }

    /// A fault's line is the same on every run, so it states the limit, not a measurement.
    fn line(self, of_turn: &str) -> String {
        match self {
            Self::Turn => of_turn.to_owned(),
            Self::Game(share) => format!(
                "used up its {} s of wall-clock time in the game, half of --game-timeout",
                share.as_secs_f64()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TimeLimits = TimeLimits { turn: Duration::from_secs(30), game: Duration::from_secs(100) };

    /// The time and the limit that a clock allows for a call at a moment of a test, in seconds. The call then takes that
    /// long.
    fn call(clock: &mut SideClock, start: Instant, at: u64, takes: u64) -> (u64, TimeLimit) {
        let Allowance { left, limit } = clock.allowance(start + Duration::from_secs(at));
        clock.spend(Duration::from_secs(takes));
        (left.as_secs(), limit)
    }

    #[test]
    fn a_side_has_half_of_the_game_for_all_its_calls_and_its_turn_is_never_longer_than_what_is_left() {
        let start = Instant::now();
        let mut clock = SideClock::new(LIMITS);
        let share = TimeLimit::Game(Duration::from_secs(50));
        for (at, takes, expected) in [
            (0, 25, (30, TimeLimit::Turn)),
            (1_000, 15, (25, share)),
            (2_000, 9, (10, share)),
            (3_000, 1, (1, share)),
            (4_000, 0, (0, share)),
            (5_000, 0, (0, share)),
        ] {
            clock.begin_turn();
            assert_eq!(call(&mut clock, start, at, takes), expected, "at {at} s");
        }
    }

    #[test]
    fn a_sides_clock_stands_still_while_it_is_not_asked() {
        let start = Instant::now();
        let mut clock = SideClock::new(LIMITS);
        for at in [0, 1_000_000, 2_000_000] {
            clock.begin_turn();
            assert_eq!(call(&mut clock, start, at, 0), (30, TimeLimit::Turn));
        }
    }

    #[test]
    fn a_turns_time_counts_from_its_beginning_over_all_its_attempts() {
        let start = Instant::now();
        let mut clock = SideClock::new(LIMITS);
        clock.begin_turn();
        assert_eq!(call(&mut clock, start, 0, 10), (30, TimeLimit::Turn));
        assert_eq!(call(&mut clock, start, 12, 1), (18, TimeLimit::Turn));
        assert_eq!(call(&mut clock, start, 31, 0), (0, TimeLimit::Turn));
        clock.begin_turn();
        assert_eq!(call(&mut clock, start, 40, 0), (30, TimeLimit::Turn));
    }

    #[test]
    fn a_call_without_a_turn_begins_one() {
        let start = Instant::now();
        let mut clock = SideClock::new(LIMITS);
        assert_eq!(call(&mut clock, start, 0, 0), (30, TimeLimit::Turn));
        assert_eq!(call(&mut clock, start, 20, 0), (10, TimeLimit::Turn));
    }

    #[test]
    fn the_line_of_a_fault_names_the_limit_that_passed() {
        let share = TimeLimit::Game(Duration::from_millis(1_500));
        for line in [share.passed(), share.too_late()] {
            assert_eq!(line, "used up its 1.5 s of wall-clock time in the game, half of --game-timeout");
        }
        for line in [TimeLimit::Turn.passed(), TimeLimit::Turn.too_late()] {
            assert!(line.contains("limit of the turn"), "{line}");
        }
    }

    #[test]
    fn limits_beyond_the_range_of_a_clock_never_pass() {
        let mut clock = SideClock::new(TimeLimits { turn: Duration::MAX, game: Duration::MAX });
        clock.spend(Duration::from_secs(1 << 40));
        assert!(clock.allowance(Instant::now()).left > Duration::from_secs(1 << 40));
    }
}
