//! The headers of transcripts, which follow from the rows of a journal, so they are not stored for each game.

use crate::{GameKey, Stage};
use arena_record::{BotId, Conditions, Header, RecordedSeed, Recording, Seated};
use arena_rules::Seat;

/// The part that all headers of a journal share, taken from the first transcript.
#[derive(Clone, Debug, Default)]
pub(crate) struct Headers(Option<Header>);

/// The part of a header that is in the row of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: GameKey,
    /// The random seed of each seat.
    pub(crate) side_seeds: [u64; 2],
    pub(crate) fleet_seed: u64,
    pub(crate) starter: Seat,
}

impl Setting {
    /// The part of this header that is in the row of its game.
    pub(crate) fn of(key: GameKey, header: &Header) -> Self {
        let side_seeds = header.bots.each_ref().map(|seated| seated.seed);
        Self { key, side_seeds, fleet_seed: header.fleet_seed, starter: header.starter }
    }
}

impl Headers {
    /// The headers of a journal with this dictionary. The dictionary is its first transcript.
    pub(crate) fn new(dictionary: &[u8]) -> Self {
        Self(Recording::read(dictionary).ok().map(|recording| recording.header))
    }

    /// The header of a game in a stage with this seed; `None` when the game is of unknown bots, or there is no first
    /// one.
    pub(crate) fn header(
        &self,
        setting: &Setting,
        stage: &Stage,
        bots: &[BotId],
        seed: RecordedSeed,
    ) -> Option<Header> {
        let first = self.0.as_ref()?;
        let Setting { key, side_seeds, fleet_seed, starter } = *setting;
        let seated = |seat: usize| {
            let entrant = stage.entrants.iter().find(|entrant| entrant.bot == key.seats[seat])?;
            let bot = BotId { label: entrant.label.clone(), ..bots.get(entrant.bot)?.clone() };
            Some(Seated { bot, seed: side_seeds[seat] })
        };
        Some(Header {
            arena_transcript: first.arena_transcript,
            conditions: Conditions { seed, ..first.conditions.clone() },
            contract: first.contract.clone(),
            game: key.game,
            bots: [seated(0)?, seated(1)?],
            fleet_seed,
            starter,
        })
    }
}
