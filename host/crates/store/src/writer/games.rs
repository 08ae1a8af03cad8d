//! Games that are added: a row of each, and its transcript if it has no packed events.

use crate::packing::Form;
use crate::result_text::{faults_text, outcome_text};
use crate::{GameKey, JournalError, NewGame};
use rusqlite::{CachedStatement, Transaction, params};

const INSERT_GAME: &str =
    "INSERT INTO game (first, second, pair, game, first_seed, second_seed, fleet_seed, starter, outcome,
     reason, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, stage, events)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
     ON CONFLICT (first, second, game) DO NOTHING";

const INSERT_TRANSCRIPT: &str =
    "INSERT INTO transcript (game, sha256, size_bytes, packed) VALUES (?1, ?2, ?3, ?4)";

/// The statements that insert a game.
pub(super) struct Rows<'a> {
    games: CachedStatement<'a>,
    transcripts: CachedStatement<'a>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(transaction: &'a Transaction<'_>) -> Result<Self, JournalError> {
        Ok(Self {
            games: transaction.prepare_cached(INSERT_GAME)?,
            transcripts: transaction.prepare_cached(INSERT_TRANSCRIPT)?,
        })
    }
}

/// Inserts a game with its packed transcript, unless it is there already.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    rows: &mut Rows<'_>,
    stage: usize,
    game: &NewGame<'_>,
    transcript: &Form,
) -> Result<(), JournalError> {
    let NewGame { key, result, header, .. } = game;
    let GameKey { seats: [first, second], pair, game: number } = key;
    let hex = |seed: u64| format!("{seed:016x}");
    let reason = serde_json::to_value(result.reason).expect("a reason is plain data");
    let events = match transcript {
        Form::Events(events) => Some(events.as_bytes()),
        Form::Packed { .. } | Form::File(_) => None,
    };
    let inserted = rows.games.execute(params![
        first,
        second,
        pair,
        number,
        hex(header.bots[0].seed),
        hex(header.bots[1].seed),
        hex(header.fleet_seed),
        u8::from(header.starter),
        outcome_text(result.outcome),
        reason.as_str(),
        result.turns[0],
        result.turns[1],
        result.fuel[0].to_string(),
        result.fuel[1].to_string(),
        faults_text(result),
        result.reproducible,
        stage,
        events,
    ])?;
    if inserted == 0 {
        return match super::stored::find(transaction, *key)? {
            Some((_, there)) if there == **result => Ok(()),
            Some((number, _)) => Err(JournalError::Conflict { number }),
            None => Err(JournalError::damaged("the games", "one is there and cannot be found")),
        };
    }
    if let Form::Packed { sha256, size_bytes, packed, .. } = transcript {
        rows.transcripts.execute(params![transaction.last_insert_rowid(), sha256, size_bytes, packed])?;
    }
    Ok(())
}
