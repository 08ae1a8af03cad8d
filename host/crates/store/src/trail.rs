//! The trail of the workers that have played for a journal: admissions, blocks and exclusions, and the games that were thrown away.
//!
//! It has a side chain, so that a run with workers has the head of a run without.

use crate::chain::Chain;
use crate::side::{self, Marks, SideEnd};
use crate::{ChainHead, JournalError, moment};
use arena_text::Line;
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeMap;

/// The number of entries of a trail. Chosen: as many as a contest can have workers; each takes some 200 bytes.
pub const TRAIL_MAX: usize = 100_000;

/// An entry of a trail, which is written with the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailEntry {
    /// The time; empty before it is written.
    pub at: Line<20>,
    /// The kind of event.
    pub event: TrailEvent,
    /// The worker's public key.
    pub key: Line<64>,
    /// Its name.
    pub name: Line<32>,
    /// Its owner; its key without a register.
    pub owner: Line<64>,
    /// The reason; empty if there is none.
    pub why: Line<300>,
    /// The games of it that were thrown away.
    pub games: Vec<GameRange>,
}

/// A kind of event about a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrailEvent {
    /// The organiser has admitted it.
    Admitted,
    /// The organiser has removed it from those that may play.
    Removed,
    /// The organiser has blocked it.
    Blocked,
    /// The organiser lets it play again.
    Unblocked,
    /// The coordinator has excluded it.
    Excluded,
    /// Games of it were thrown away that came after that.
    Dropped,
}

impl TrailEvent {
    const ALL: [Self; 6] =
        [Self::Admitted, Self::Removed, Self::Blocked, Self::Unblocked, Self::Excluded, Self::Dropped];

    /// The word for it, as the journal has it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Admitted => "admitted",
            Self::Removed => "removed",
            Self::Blocked => "blocked",
            Self::Unblocked => "unblocked",
            Self::Excluded => "excluded",
            Self::Dropped => "dropped",
        }
    }
}

/// Games of a match between two bots, by their numbers in it: from the first one to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRange {
    /// The bots, by their numbers in the journal, the smaller one first.
    pub bots: [usize; 2],
    /// The number of the first game.
    pub first: u32,
    /// The number of the last one.
    pub last: u32,
}

impl GameRange {
    /// The ranges of these games, each with the bots by seat and its number in the match.
    pub fn of(games: impl IntoIterator<Item = ([usize; 2], u32)>) -> Vec<Self> {
        let mut of_match: BTreeMap<[usize; 2], Vec<u32>> = BTreeMap::new();
        for ([one, other], game) in games {
            of_match.entry([one.min(other), one.max(other)]).or_default().push(game);
        }
        let mut ranges: Vec<Self> = Vec::new();
        for (bots, mut games) in of_match {
            games.sort_unstable();
            for game in games {
                match ranges.last_mut().filter(|range| range.bots == bots) {
                    Some(range) if game <= range.last.saturating_add(1) => range.last = game,
                    _ => ranges.push(Self { bots, first: game, last: game }),
                }
            }
        }
        ranges
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        u64::from(self.last - self.first) + 1
    }
}

/// The trail of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The entries, in their order.
    pub entries: Vec<TrailEntry>,
    /// The end of its chain; `None` without entries.
    pub head: Option<ChainHead>,
}

/// The table, and the word in its links.
pub(crate) const TABLE: &str = "trail";

/// Writes further entries, with the time, after the rows of this chain. Returns the end after them. Entries that a trail has no room for
/// are left out.
pub(crate) fn write(
    mut end: SideEnd,
    transaction: &Transaction<'_>,
    entries: &[TrailEntry],
    chain: &Chain,
) -> Result<SideEnd, JournalError> {
    let sql = "INSERT INTO trail (number, links, at, event, key, name, owner, why, games, sha256) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let mut insert = transaction.prepare_cached(sql)?;
    let at = moment::time_now();
    let room = (TRAIL_MAX as u64).saturating_sub(end.rows);
    for entry in entries.iter().take(usize::try_from(room).unwrap_or(TRAIL_MAX)) {
        let ranges: Vec<[u64; 4]> = entry.games.iter().map(numbers).collect();
        let ranges = serde_json::to_string(&ranges).expect("they are numbers");
        let TrailEntry { event, key, name, owner, why, .. } = entry;
        let texts = [&at, event.word(), key.as_str(), name.as_str(), owner.as_str(), why.as_str(), &ranges];
        end = end.after(TABLE, chain, &texts);
        let [at, event, key, name, owner, why, ranges] = texts;
        let row = params![end.rows, chain.links(), at, event, key, name, owner, why, ranges, end.link];
        insert.execute(row)?;
    }
    Ok(end)
}

fn numbers(range: &GameRange) -> [u64; 4] {
    [range.bots[0] as u64, range.bots[1] as u64, range.first.into(), range.last.into()]
}

/// Reads a trail, and compares each entry with its link. `bots` is the number of bots.
///
/// # Errors
/// A trail that was changed, or that no run could have written.
pub(crate) fn read(connection: &Connection, marks: &Marks, bots: usize) -> Result<Trail, JournalError> {
    let mut entries = Vec::new();
    let columns = "at, event, key, name, owner, why, games";
    let head = side::read(connection, TABLE, columns, marks, |_, texts| {
        if entries.len() == TRAIL_MAX {
            return Err("a trail has not so many");
        }
        entries.push(entry(texts.try_into().expect("they are seven columns"), bots)?);
        Ok(())
    })?;
    Ok(Trail { entries, head })
}

/// The entry with these texts.
fn entry(texts: [&str; 7], bots: usize) -> Result<TrailEntry, &'static str> {
    let [at, word, key, name, owner, why, games] = texts;
    let event = TrailEvent::ALL.into_iter().find(|event| event.word() == word);
    let entry = TrailEntry {
        at: at.into(),
        event: event.ok_or("there is no such event")?,
        key: key.into(),
        name: name.into(),
        owner: owner.into(),
        why: why.into(),
        games: Vec::new(),
    };
    let lines = [entry.key.as_str(), entry.name.as_str(), entry.owner.as_str(), entry.why.as_str()];
    if lines != [key, name, owner, why] {
        return Err("a text of it is not one plain line");
    }
    if moment::parsed(at).is_none() {
        return Err("it is no time in UTC, as in 2026-01-31T12:00:00Z");
    }
    let ranges: Vec<[u64; 4]> = serde_json::from_str(games).map_err(|_| "its games are no list of ranges")?;
    let range = |[one, other, first, last]: [u64; 4]| {
        let is_possible = one < other && other < bots as u64 && 1 <= first && first <= last;
        let numbers = [first, last].map(u32::try_from);
        match (is_possible, numbers) {
            (true, [Ok(first), Ok(last)]) => {
                Ok(GameRange { bots: [one as usize, other as usize], first, last })
            }
            _ => Err("it has a game that there cannot be"),
        }
    };
    let games = ranges.into_iter().map(range).collect::<Result<Vec<_>, _>>()?;
    Ok(TrailEntry { games, ..entry })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_follow_each_other_in_their_match_are_a_range() {
        let games = [([1, 0], 2), ([0, 1], 1), ([0, 1], 3), ([0, 1], 7), ([2, 0], 4)];
        let ranges = GameRange::of(games);
        let range = |bots, first, last| GameRange { bots, first, last };
        assert_eq!(ranges, [range([0, 1], 1, 3), range([0, 1], 7, 7), range([0, 2], 4, 4)]);
        assert_eq!(ranges.iter().map(GameRange::games).sum::<u64>(), 5);
    }
}
