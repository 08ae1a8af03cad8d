//! The recordings of a season's games, and the ends of its stages, in its journal.

use crate::stored::{JournalContent, StoredSeason};
use crate::tournament::GameSummary;
use arena_league::Fixture;
use arena_record::{Label, RecordedSeed};
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

/// The place of a recording.
#[derive(Clone, Copy, Debug)]
pub struct KeptAt {
    /// The number of the game in the order in which the journal was written.
    pub number: u64,
    /// The game as the journal names it.
    pub fixture: Fixture,
    /// The seed of its stage.
    pub seed: RecordedSeed,
    /// The number of the stage in which it was played, from 1.
    pub stage: usize,
    /// The time of the game to about a minute, in seconds since 1970; `None` when it has none.
    pub at: Option<i64>,
}

impl KeptAt {
    /// The labels that the bots had in the stage of the game, by seat, from the stages of its journal. The files that its run wrote
    /// have them in their names; since then, a label may have gone to a later version.
    pub fn labels<'a>(&self, stages: &'a [arena_store::Stage]) -> Option<[&'a Label; 2]> {
        let entrants = &stages.get(self.stage.checked_sub(1)?)?.entrants;
        let label = |bot: usize| entrants.iter().find(|entrant| entrant.bot == bot).map(|it| &it.label);
        let [first, second] = self.fixture.seats.map(label);
        Some([first?, second?])
    }
}

impl StoredSeason {
    /// The place of a game's recording; `None` when the game was not played.
    pub fn kept_at(&self, game: &GameSummary) -> Option<KeptAt> {
        let JournalContent { numbers, known, seeds, moments, .. } = &self.content;
        let (fixture, number) = (game.fixture, *numbers.get(&game.fixture)?);
        let (stage, _) = *known.get(&fixture)?;
        let seed = seeds.get(stage - 1)?.recorded;
        // The moments are in the order of the games.
        let later = moments.partition_point(|moment| moment.game <= number);
        let at = later.checked_sub(1).and_then(|latest| moments[latest].seconds());
        Some(KeptAt { number, fixture, seed, stage, at })
    }

    /// The stages, each with the head at its end.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn stage_ends(&self, reader: &Reader) -> Result<Vec<StageEnd>, JournalError> {
        let mut played = vec![0; self.content.entries.len()];
        self.content.known.values().for_each(|(stage, _)| played[stage - 1] += 1);
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
