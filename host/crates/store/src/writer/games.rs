//! Games that are added.

use crate::result_text::{faults_text, outcome_text};
use crate::{GameKey, JournalError, NewGame};
use rusqlite::{Transaction, params};

const INSERT_GAME: &str =
    "INSERT INTO game (stage, first, second, pair, game, contract, first_seed, second_seed, fleet_seed, starter,
     outcome, reason, first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
     ON CONFLICT (first, second, game) DO NOTHING";

/// Inserts a game, unless it is there already.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    stage: usize,
    game: &NewGame<'_>,
) -> Result<(), JournalError> {
    let NewGame { key, result, header, events } = game;
    let GameKey { seats: [first, second], pair, game: number } = key;
    let hex = |seed: u64| format!("{seed:016x}");
    let reason = serde_json::to_value(result.reason).expect("a reason is plain data");
    let inserted = transaction.prepare_cached(INSERT_GAME)?.execute(params![
        stage,
        first,
        second,
        pair,
        number,
        header.contract.as_str(),
        hex(header.bots[0].seed),
        hex(header.bots[1].seed),
        hex(header.fleet_seed),
        u8::from(header.starter),
        outcome_text(result.outcome),
        reason.as_str(),
        result.scores.map(|scores| scores[0]),
        result.scores.map(|scores| scores[1]),
        result.turns[0],
        result.turns[1],
        result.fuel[0].to_string(),
        result.fuel[1].to_string(),
        faults_text(result),
        result.reproducible,
        events.as_bytes(),
    ])?;
    if inserted == 0 {
        return match super::stored::find(transaction, *key)? {
            Some((_, there)) if there == **result => Ok(()),
            Some((number, _)) => Err(JournalError::Conflict { number }),
            None => Err(JournalError::damaged("the games", "one is there and cannot be found")),
        };
    }
    Ok(())
}
