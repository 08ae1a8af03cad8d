//! Challenges: games of a version against another author's bot that count for nothing.

use super::{Author, Register, RegisterError};
use crate::moment;
use rusqlite::{OptionalExtension, Row, params};

/// The latest challenges of an author that are kept, with those that wait. Chosen: an evening's work.
pub const CHALLENGES_KEPT: u32 = 10;

/// The state of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeState {
    /// Its games are not played yet.
    Waiting,
    /// Its games were played.
    Played,
    /// The arena could not play them.
    Failed,
}

impl ChallengeState {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Waiting, "waiting"), (Self::Played, "played"), (Self::Failed, "failed")];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).expect("all states are listed").1
    }
}

/// A version in a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenger {
    /// The number in the register.
    pub version: i64,
    /// The name of the author.
    pub author: String,
    /// The name of the author that others see.
    pub shown: String,
    /// The number among the author's versions.
    pub number: u32,
    /// The SHA-256 of the component, in hexadecimal.
    pub sha256: String,
}

/// A challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The number in the register.
    pub id: i64,
    /// The version whose author has asked for it, and its opponent.
    pub sides: [Challenger; 2],
    /// The time at which it was asked for, in UTC.
    pub asked_at: String,
    /// The state.
    pub state: ChallengeState,
    /// What its caller has recorded of the games.
    pub games: String,
}

/// The answer to a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Challenged {
    /// It waits, with this number.
    Waits(i64),
    /// The author has no such version that was admitted and is kept.
    NoVersion,
    /// There is no such author, or none of the author's versions plays, or it is the version itself.
    NoOpponent,
    /// Another challenge of the author waits.
    Busy,
}

/// The challenges with both sides.
const SELECT: &str = "SELECT challenge.id, asked_at, challenge.state, games, own.id, own_author.name, own.number,
    own.sha256, ifnull(own_author.pseudonym, own_author.name), other.id, other_author.name, other.number, other.sha256,
    ifnull(other_author.pseudonym, other_author.name) FROM challenge
    JOIN version AS own ON own.id = challenge.version JOIN author AS own_author ON own_author.id = own.author
    JOIN version AS other ON other.id = opponent JOIN author AS other_author ON other_author.id = other.author";

impl Register {
    /// Enters a challenge of an author's version to the bot that plays for the author whom others see by this name. The author may also
    /// use the own name.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn challenge(
        &mut self,
        author: &Author,
        version: i64,
        opponent: &str,
    ) -> Result<Challenged, RegisterError> {
        let own = self.version(version)?.filter(|own| own.author == author.name && own.may_play());
        let Some(own) = own else { return Ok(Challenged::NoVersion) };
        let sql = "SELECT name FROM author WHERE ifnull(pseudonym, name) = ?1 OR name = ?1 AND id = ?2";
        let named = self.0.query_row(sql, params![opponent, author.id], |row| row.get(0)).optional()?;
        let Some(name): Option<String> = named else { return Ok(Challenged::NoOpponent) };
        let mut others = self.versions_of(&name)?.into_iter();
        let Some(other) = others.find(|other| other.plays && other.id != own.id) else {
            return Ok(Challenged::NoOpponent);
        };
        let sql = "INSERT INTO challenge (version, opponent, asked_at, state) SELECT ?1, ?2, ?3, 'waiting'
            WHERE NOT EXISTS (SELECT 1 FROM challenge JOIN version ON version.id = challenge.version
            WHERE challenge.state = 'waiting' AND author = ?4)";
        let added = self.0.execute(sql, params![own.id, other.id, moment::time_now(), author.id])?;
        Ok(if added == 1 { Challenged::Waits(self.0.last_insert_rowid()) } else { Challenged::Busy })
    }

    /// The challenges that wait, in the order in which they were asked for.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn challenges_waiting(&self) -> Result<Vec<Challenge>, RegisterError> {
        self.challenges("WHERE challenge.state = ?1 ORDER BY challenge.id", "waiting")
    }

    /// The challenges of the author with this name and those to this author's bots, the latest first.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn challenges_of(&self, name: &str) -> Result<Vec<Challenge>, RegisterError> {
        self.challenges("WHERE ?1 IN (own_author.name, other_author.name) ORDER BY challenge.id DESC", name)
    }

    /// Records the games of a challenge, and forgets older ones of its author.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn end_challenge(
        &mut self,
        challenge: &Challenge,
        state: ChallengeState,
        games: &str,
    ) -> Result<(), RegisterError> {
        let transaction = self.begin()?;
        let sql = "UPDATE challenge SET state = ?2, games = ?3 WHERE id = ?1";
        transaction.execute(sql, params![challenge.id, state.text(), games])?;
        let sql = "DELETE FROM challenge WHERE id IN (
            SELECT challenge.id FROM challenge JOIN version ON version.id = challenge.version
            JOIN author ON author.id = version.author
            WHERE author.name = ?1 ORDER BY challenge.id DESC LIMIT -1 OFFSET ?2)";
        transaction.execute(sql, params![challenge.sides[0].author, CHALLENGES_KEPT])?;
        transaction.commit()?;
        Ok(())
    }

    /// True if there is a challenge with this number.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn has_challenge(&self, id: i64) -> Result<bool, RegisterError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM challenge WHERE id = ?1)";
        Ok(self.0.query_row(sql, [id], |row| row.get(0))?)
    }

    fn challenges(&self, which: &str, value: &str) -> Result<Vec<Challenge>, RegisterError> {
        let mut statement = self.0.prepare_cached(&format!("{SELECT} {which}"))?;
        let rows = statement.query_map([value], challenge)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn challenge(row: &Row<'_>) -> rusqlite::Result<Challenge> {
    let text: String = row.get(2)?;
    let state = ChallengeState::ALL.iter().find(|(_, known)| *known == text);
    let side = |first: usize| -> rusqlite::Result<Challenger> {
        Ok(Challenger {
            version: row.get(first)?,
            author: row.get(first + 1)?,
            number: row.get(first + 2)?,
            sha256: row.get(first + 3)?,
            shown: row.get(first + 4)?,
        })
    };
    Ok(Challenge {
        id: row.get(0)?,
        sides: [side(4)?, side(9)?],
        asked_at: row.get(1)?,
        state: state.ok_or(rusqlite::Error::InvalidQuery)?.0,
        games: row.get(3)?,
    })
}
