//! The games of a round, as workers take and bring them.

use super::Source;
use super::contest::Fresh;
use super::judge::Disqualifications;
use arena_league::Fixture;
use arena_players::worker_pool::{ItemResult, WorkerItems};
use arena_referee::HostError;

/// The remaining games of a round, for one worker.
pub struct RoundGames<'a> {
    pub(super) items: &'a WorkerItems<'a, Result<Source, HostError>>,
    pub(super) fresh: &'a Fresh<'a>,
    pub(super) out: &'a Disqualifications,
    pub(super) before: usize,
}

/// A game that a worker has taken.
#[derive(Debug)]
pub struct Asked {
    index: usize,
    /// Its number.
    pub number: usize,
    /// Its fixture.
    pub fixture: Fixture,
}

impl RoundGames<'_> {
    /// The next game; `None` when no game is left for this worker, or, unless it `may_wait`, when none is available at
    /// the moment.
    pub fn take(&self, may_wait: bool) -> Option<Asked> {
        loop {
            let index = if may_wait { self.items.take() } else { self.items.take_now() }?;
            let fixture = self.fresh.get(index);
            // A disqualified bot stays disqualified, so the game would not count.
            if self.out.of(fixture) == [false, false] {
                return Some(Asked { index, number: self.before + index + 1, fixture });
            }
            self.items.put(index, Ok(Ok(Source::Missing)));
        }
    }

    /// True if no further game is wanted.
    pub fn is_over(&self) -> bool {
        self.items.is_over()
    }

    /// The number of games that are not taken yet.
    pub fn left(&self) -> usize {
        self.items.left()
    }

    /// Brings a game.
    pub fn put(&self, asked: &Asked, brought: ItemResult<Result<Source, HostError>>) {
        self.items.put(asked.index, brought);
    }
}
