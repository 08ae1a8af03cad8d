//! The number of games that a process is given ahead, so that it never waits, and has little to lose.

use std::time::{Duration, Instant};

/// The time for which a process has games to play. Chosen: long compared with the 50 µs that it takes to get more, and too short
/// to notice when a run is stopped.
const AHEAD: Duration = Duration::from_millis(20);

/// The largest number of games ahead. Chosen: with it, the orders of a process that does not read fit into its pipe.
const AHEAD_MAX: usize = 128;

/// The number of games that one worker gives its process ahead.
#[derive(Debug, Default)]
pub struct ReadAhead {
    /// The time of a game, averaged over the last ones; none before the first.
    game: Option<Duration>,
    last: Option<Instant>,
    /// The number of games that are still to be played one at a time.
    one_at_a_time: usize,
}

impl ReadAhead {
    /// The number of games that the process may have at the same time, at least 1.
    pub fn ahead(&self) -> usize {
        let Some(game) = self.game.filter(|_| !self.is_one_at_a_time()) else { return 1 };
        let games = AHEAD.as_nanos() / game.as_nanos().max(1);
        usize::try_from(games).unwrap_or(AHEAD_MAX).clamp(1, AHEAD_MAX)
    }

    /// True if games are played one at a time.
    pub fn is_one_at_a_time(&self) -> bool {
        self.one_at_a_time > 0
    }

    /// Counts a game.
    pub fn played(&mut self) {
        self.one_at_a_time = self.one_at_a_time.saturating_sub(1);
        let now = Instant::now();
        if let Some(took) = self.last.replace(now).map(|last| now.duration_since(last)) {
            // Each game has an eighth of the weight.
            self.game = Some(self.game.map_or(took, |game| (game * 7 + took) / 8));
        }
    }

    /// Has the next games played one at a time.
    pub fn slow_down(&mut self, games: usize) {
        self.one_at_a_time = games.max(1);
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_games(nanoseconds: u64) -> ReadAhead {
        ReadAhead { game: Some(Duration::from_nanos(nanoseconds)), ..ReadAhead::default() }
    }

    #[test]
    fn a_process_has_games_for_twenty_milliseconds_but_at_least_one_and_at_most_128() {
        let games = [0, 100_000, 156_250, 1_000_000, 10_000_001, 20_000_001, 10_000_000_000];
        assert_eq!(games.map(|nanoseconds| of_games(nanoseconds).ahead()), [128, 128, 128, 20, 1, 1, 1]);
        assert_eq!(ReadAhead::default().ahead(), 1, "no game has shown how long one takes");
    }

    #[test]
    fn one_quick_game_does_not_make_a_slow_bot_a_quick_one() {
        let mut slow = ReadAhead { last: Some(Instant::now()), ..of_games(8_000_000_000) };
        slow.played();
        assert!(slow.game >= Some(Duration::from_secs(7)), "{slow:?}");
    }

    #[test]
    fn games_are_played_one_at_a_time_for_as_long_as_asked_for() {
        for (asked, expected) in [(0, 1), (1, 1), (3, 3)] {
            let mut ahead = of_games(1_000);
            ahead.slow_down(asked);
            for _ in 0..expected {
                assert_eq!(ahead.ahead(), 1);
                ahead.played();
            }
            assert!(!ahead.is_one_at_a_time(), "{asked}");
        }
    }
}
