//! Taking back the latest games of a journal.

use super::{Writer, stored};
use crate::packing::Packing;
use crate::reading::{self, Pages};
use crate::{GameKey, JournalError};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

/// The link of the last row that is neither a game nor the dictionary.
const LAST_OF_OTHERS: &str = "SELECT max(number) FROM link WHERE kind NOT IN ('game', 'dictionary')";

const GAME_BEFORE: &str = "SELECT 1 FROM link WHERE kind = 'game' AND row >= ?1 AND number < ?2";

const REMOVE_GAMES: [&str; 3] = [
    "DELETE FROM link WHERE kind = 'game' AND row >= ?1",
    "DELETE FROM transcript WHERE game >= ?1",
    "DELETE FROM game WHERE number >= ?1",
];

const REMOVE_LINK_OF_DICTIONARY: &str = "DELETE FROM link WHERE kind = 'dictionary' AND number > ?1";

impl Writer {
    /// Takes back the first of these games that the journal has, and all games after it. The journal is then the one that never had
    /// them, to the head of its chain, and every link of it is checked. Returns the number of games taken back.
    ///
    /// If nothing is left of the journal's first game, the next one is the dictionary. [`Writer::packing`] is another one then, and
    /// transcripts that were packed before are stray.
    ///
    /// # Errors
    /// Games of an earlier stage, or those before a seed that has been told, which stay, or a journal that cannot be written. It is
    /// left as it was.
    pub fn cut(&mut self, games: impl IntoIterator<Item = GameKey>) -> Result<usize, JournalError> {
        let mut first: Option<u64> = None;
        for key in games {
            let number = stored::number_of(&self.journal.connection, key)?;
            first = first.into_iter().chain(number).min();
        }
        let Some(first) = first else { return Ok(0) };
        let before = self.chain.games();
        // Only this connection, and only now: whoever opens the file otherwise has the triggers.
        let triggers = |connection: &Connection, are_on| {
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, are_on)
        };
        triggers(&self.journal.connection, false)?;
        let cut = self.remove_from(first);
        triggers(&self.journal.connection, true)?;
        cut?;
        Ok(before - self.chain.games())
    }

    /// Removes the games from this number on, and the dictionary if it is made from them.
    fn remove_from(&mut self, first: u64) -> Result<(), JournalError> {
        let transaction =
            self.journal.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let others: u64 = transaction.query_row(LAST_OF_OTHERS, [], |row| row.get(0))?;
        if transaction.query_row(GAME_BEFORE, [first, others], |_| Ok(())).optional()?.is_some() {
            return Err(JournalError::Stray);
        }
        for sql in REMOVE_GAMES {
            transaction.execute(sql, [first])?;
        }
        // A dictionary that is older than the stage was there before any of its games.
        let loses_dictionary = first == 1 && transaction.execute(REMOVE_LINK_OF_DICTIONARY, [others])? > 0;
        if loses_dictionary {
            transaction.execute("DELETE FROM dictionary", [])?;
        }
        let chain = reading::read(&transaction, Pages::Tables)?.chain;
        transaction.commit()?;
        self.chain = chain;
        self.journal.forget();
        if loses_dictionary {
            self.packing = Packing::default();
        }
        Ok(())
    }
}
