//! The times of a season's games, and the ends of its stages, in its journal.

use crate::stored::{GamePlace, StoredSeason};
use arena_store::{ChainHead, JournalError, Reader};

/// A stage of a season as far as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageEnd {
    /// The time at which it began, in UTC; `None` when it has none.
    pub begun: Option<String>,
    /// The number of games of the season at its end.
    pub games: usize,
    /// The head of the chain at its end; `None` when there is no row of the stage.
    pub head: Option<ChainHead>,
}

impl StoredSeason {
    /// The time of a game to about a minute, in seconds since 1970; `None` when it has none.
    pub fn time_of(&self, place: GamePlace) -> Option<i64> {
        // The moments are in the order of the games.
        let moments = &self.content.moments;
        let later = moments.partition_point(|moment| moment.game <= place.number);
        moments[later.checked_sub(1)?].seconds()
    }

    /// The stages, each with the head at its end.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn stage_ends(&self, reader: &Reader) -> Result<Vec<StageEnd>, JournalError> {
        let mut played = vec![0; self.content.entries.len()];
        self.places.values().for_each(|place| played[place.stage - 1] += 1);
        let mut games = 0;
        let end = |(stage, played): (usize, usize)| {
            games += played;
            let begun = self.begun(stage).map(str::to_owned);
            Ok(StageEnd { begun, games, head: reader.head_after(games, stage)? })
        };
        (1..).zip(played).map(end).collect()
    }

    /// The first and the last time that the journal records, in UTC; `None` when it has none.
    pub fn dates(&self) -> Option<[String; 2]> {
        let times = || self.content.moments.iter().map(|moment| &moment.at);
        Some([times().min()?.clone(), times().max()?.clone()])
    }
}
