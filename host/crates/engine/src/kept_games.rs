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
        let mut games = 0;
        let end = |stage: usize| {
            games += self.kept.get(stage - 1).copied().unwrap_or(0);
            let begun = self.begun(stage).map(str::to_owned);
            Ok(StageEnd { begun, games, head: reader.head_after(games, stage)? })
        };
        (1..=self.content.entries.len()).map(end).collect()
    }

    /// The first and the last time that the journal records, in UTC; `None` when it has none.
    pub fn dates(&self) -> Option<[String; 2]> {
        let times = || self.content.moments.iter().map(|moment| &moment.at);
        Some([times().min()?.clone(), times().max()?.clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season::tests::{ROUND_ROBIN, journal_at};
    use arena_store::Moment;

    #[test]
    fn a_game_has_the_time_of_the_latest_moment_before_it_and_a_season_its_first_and_last_one() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("season.db");
        journal_at(&path, &[(ROUND_ROBIN, &[0, 1]), (ROUND_ROBIN, &[0, 1, 2])]);
        let (mut kept, reader) = StoredSeason::read(&path).unwrap();
        let moment = |stage, game, at: &str| Moment { stage, game, at: at.into() };
        let times = ["1970-01-01T00:00:10Z", "1970-01-01T00:01:00Z", "1970-01-02T00:00:00Z"];
        kept.content.moments = vec![moment(1, 2, times[0]), moment(1, 5, times[1]), moment(2, 9, times[2])];
        let times_of = [1, 2, 4, 5, 8, 9, 99].map(|number| kept.time_of(GamePlace { stage: 1, number }));
        assert_eq!(times_of, [None, Some(10), Some(10), Some(60), Some(60), Some(86_400), Some(86_400)]);
        assert_eq!(kept.dates(), Some([times[0], times[2]].map(str::to_owned)));
        let ends = kept.stage_ends(&reader).unwrap();
        let ends: Vec<_> =
            ends.iter().map(|end| (end.begun.as_deref(), end.games, end.head.is_some())).collect();
        assert_eq!(ends, [(Some(times[0]), 0, true), (Some(times[2]), 0, true)]);
        kept.kept = vec![3, 4];
        let games = kept.stage_ends(&reader).unwrap().iter().map(|end| end.games).collect::<Vec<_>>();
        assert_eq!(games, [3, 7], "those of the stages before count too");
        kept.content.moments.clear();
        assert_eq!((kept.dates(), kept.time_of(GamePlace { stage: 1, number: 1 })), (None, None));
    }
}
