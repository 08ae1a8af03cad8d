//! Games of a journal that is being written, found by the index of their keys, which was checked when it was opened.

use crate::chain::Kind;
use crate::columns::{Columns, Values};
use crate::result_text::{OUTCOMES, StoredFault};
use crate::{GameKey, JournalError};
use arena_record::GameResult;
use rusqlite::Connection;

/// The number and the result of the game with this key; `None` when there is none.
pub(super) fn find(connection: &Connection, key: GameKey) -> Result<Option<(u64, GameResult)>, JournalError> {
    let sql = "SELECT number, outcome, reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible \
               FROM game WHERE first = ?1 AND second = ?2 AND game = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query((key.seats[0], key.seats[1], key.game))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let number: u64 = row.get(0)?;
    let row = Values::of(row)?;
    let mut columns = Columns::of(Kind::Game, number.cast_signed(), &row);
    let result = GameResult {
        outcome: columns.one_of(&OUTCOMES)?,
        reason: columns.reason(None)?,
        scores: columns.scores()?,
        turns: [columns.whole()?, columns.whole()?],
        fuel: [columns.parsed()?, columns.parsed()?],
        faults: columns.json::<Vec<StoredFault>>()?.into_iter().map(StoredFault::into_count).collect(),
        reproducible: columns.truth()?,
    };
    Ok(Some((number, result)))
}
