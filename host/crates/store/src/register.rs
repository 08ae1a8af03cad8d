//! The register of a standing contest, in SQLite: its authors, with the hashes of their tokens, and the versions of their bots.
//!
//! A row is on the disk when the call that wrote it returns. Several processes may have a register open: each change is one
//! transaction.

mod announcements;
mod challenges;
mod class_code;
mod invitations;
mod judging;
mod names;
mod organisers;
mod seasons;
mod space;

pub use announcements::{ANNOUNCEMENT_CHARS_MAX, ANNOUNCEMENTS_MAX, Announcement};
pub use challenges::{CHALLENGES_KEPT, Challenge, ChallengeState, Challenged, Challenger};
pub use class_code::ClassCode;
pub use invitations::{Invited, JoinLink, Joined};
pub use judging::Account;
pub use names::{ListedAuthor, Renamed};
pub use organisers::{Action, NewAction};
pub use seasons::{Dates, Season};
pub use space::{Deleted, Deleter, REFUSED_LISTED};

use crate::{JournalError, database, moment};
use arena_text::Line;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, named_params, params,
};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The mark that distinguishes a register from other databases: `ARNR`.
const APPLICATION_ID: i64 = 0x4152_4e52;

/// The version of the register's format.
const VERSION: i64 = 1;

/// The tables of the format.
const SCHEMA: &str = include_str!("register/schema.sql");

/// The time that a write waits for another process. Chosen: its transactions take milliseconds, but a disk that is busy with other writes
/// can take tens of seconds for one.
const BUSY_WAIT: Duration = Duration::from_secs(60);

/// The register of a standing contest.
pub struct Register(Connection);

/// The reason why a register cannot be used. One that is refused is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// There is no file.
    #[error("there is no such register")]
    Missing,
    /// The file is something else.
    #[error("the file is not the register of a club")]
    Foreign,
    /// The register has another version of the format.
    #[error("its format is {0}, and this arena reads {VERSION} only; use the arena that wrote it")]
    Version(i64),
    /// The content makes no sense.
    #[error("the register is damaged: {0}")]
    Damaged(Line<200>),
    /// Another process has kept it busy for too long.
    #[error("another process keeps it busy")]
    Busy,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file cannot be read or written.
    #[error("it cannot be read or written: {}", arena_files::reason(.0))]
    Io(#[source] io::Error),
}

impl From<JournalError> for RegisterError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Missing => Self::Missing,
            JournalError::NotAFile(_) | JournalError::Foreign => Self::Foreign,
            JournalError::Busy => Self::Busy,
            JournalError::Full => Self::Full,
            JournalError::Io(error) => Self::Io(error),
            JournalError::Damaged { cause, .. } => Self::Damaged(cause.to_string().into()),
            other => Self::Damaged(other.to_string().into()),
        }
    }
}

impl From<rusqlite::Error> for RegisterError {
    fn from(error: rusqlite::Error) -> Self {
        JournalError::from(error).into()
    }
}

/// An author with a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The number in the register.
    pub id: i64,
    /// The name.
    pub name: String,
    /// The reason why the author is disqualified.
    pub disqualified: Option<String>,
}

/// A bot that is submitted.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The SHA-256 of the component, in hexadecimal.
    pub sha256: &'a str,
    /// The size, in bytes.
    pub size: u64,
    /// The time, in seconds since 1970.
    pub now: i64,
    /// True if it does not play before its author chooses it.
    pub is_draft: bool,
}

/// The state of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionState {
    /// It has not been judged.
    Waiting,
    /// It was refused.
    Refused,
    /// It was at fault in a trial game, and does not play.
    Faulted,
    /// It was admitted. The author's version that was chosen last plays, unless the author is disqualified.
    Admitted,
}

impl VersionState {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Waiting, "waiting"),
        (Self::Refused, "refused"),
        (Self::Faulted, "faulted"),
        (Self::Admitted, "admitted"),
    ];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).expect("all states are listed").1
    }
}

/// A version of an author's bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The number in the register.
    pub id: i64,
    /// The name of the author.
    pub author: String,
    /// The label of the author's bots in journals.
    pub label: String,
    /// The number among the author's versions, from 1.
    pub number: u32,
    /// The SHA-256 of the component, in hexadecimal.
    pub sha256: String,
    /// The size of the component, in bytes.
    pub size: u64,
    /// The time at which it was submitted first, in UTC.
    pub submitted_at: String,
    /// The state.
    pub state: VersionState,
    /// True if its author has never chosen it: it is tried first.
    pub is_draft: bool,
    /// True if it is the one of the author's versions that plays.
    pub plays: bool,
    /// The finding about it, with several lines.
    pub finding: String,
    /// The reason why its author is disqualified.
    pub disqualified: Option<String>,
    /// The reason why it is paused.
    pub paused: Option<String>,
    /// True if its author agrees that the component is published when a season in which it has played is over.
    pub published: bool,
    /// The number of the author's version that has replaced it before it was judged. It counts as refused.
    pub replaced_by: Option<u32>,
    /// The fuel of one of its games, by its trial games; 0 when it is not known.
    pub game_fuel: u64,
    /// The time at which its component was deleted, in UTC; `None` when it is kept.
    pub deleted_at: Option<String>,
    /// True if it has begun to play in a season, so that its games may be in a journal.
    pub has_played: bool,
}

impl Version {
    /// True if its component is kept: it waits, or was admitted, and was not deleted.
    pub fn is_kept(&self) -> bool {
        matches!(self.state, VersionState::Waiting | VersionState::Admitted) && self.deleted_at.is_none()
    }

    /// True if its author may choose it, or try it: it was admitted, and is kept.
    pub fn may_play(&self) -> bool {
        self.state == VersionState::Admitted && self.is_kept()
    }
}

/// The columns of a version. The version that plays is the admitted one that was chosen last and not deleted, unless it is paused, the
/// author is disqualified or the author's token was revoked.
const SELECT: &str =
    "SELECT version.id, author.name, version.number, sha256, size, submitted_at, state, finding,
    state = 'admitted' AND deleted_at IS NULL AND paused IS NULL AND chosen IS NOT NULL
    AND author.token IS NOT NULL AND author.disqualified IS NULL AND NOT EXISTS (
        SELECT 1 FROM version AS other
        WHERE other.author = version.author AND other.state = 'admitted' AND other.deleted_at IS NULL
        AND other.chosen > version.chosen),
    author.disqualified, paused, published, replaced_by, game_fuel, deleted_at,
    EXISTS (SELECT 1 FROM played WHERE played.sha256 = version.sha256), author.id,
    chosen IS NULL
    FROM version JOIN author ON author.id = version.author";

impl Register {
    /// Opens the register in a file, or makes one if there is none.
    ///
    /// # Errors
    /// The file is something else, has another version of the format, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, RegisterError> {
        // Only its user can read the hashes of tokens.
        arena_files::open_or_create_private(path).map_err(JournalError::from)?;
        Self::open_existing(path)
    }

    /// Opens the register in a file, which has to exist.
    ///
    /// # Errors
    /// As of [`Register::open`], or there is no file.
    pub fn open_existing(path: &Path) -> Result<Self, RegisterError> {
        let mut connection = database::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(BUSY_WAIT)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let found = (pragma("application_id")?, pragma("user_version")?);
        let objects = objects(&transaction)?;
        match found {
            (0, 0) if objects.is_empty() => {
                transaction.execute_batch(SCHEMA)?;
                transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            (APPLICATION_ID, VERSION) => {
                let made = Connection::open_in_memory()?;
                made.execute_batch(SCHEMA)?;
                if objects != self::objects(&made)? {
                    return Err(RegisterError::Damaged(
                        "its tables are not as this arena makes them; use the arena that wrote it".into(),
                    ));
                }
            }
            (APPLICATION_ID, version) => return Err(RegisterError::Version(version)),
            _ => return Err(RegisterError::Foreign),
        }
        transaction.commit()?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A submission that was accepted is on the disk.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(Self(connection))
    }

    fn begin(&mut self) -> Result<Transaction<'_>, RegisterError> {
        Ok(self.0.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    /// Revokes the token of an author, whose bot then does not play. Returns false if there is no author of this name with a token.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn revoke(&mut self, name: &str) -> Result<bool, RegisterError> {
        let sql = "UPDATE author SET token = NULL, revoked_at = ?2 WHERE name = ?1 AND token IS NOT NULL";
        Ok(self.0.execute(sql, params![name, moment::time_now()])? == 1)
    }

    /// Disqualifies an author for a reason. The author's bot then does not play, and the token stays valid. With `None`, it plays
    /// again. Returns false if there is no author of this name, or none that is disqualified.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn disqualify(&mut self, name: &str, reason: Option<&str>) -> Result<bool, RegisterError> {
        let Some(author) = names::number(&self.0, name)? else { return Ok(false) };
        let sql = "UPDATE author SET disqualified = ?2
            WHERE id = ?1 AND (?2 IS NOT NULL OR disqualified IS NOT NULL)";
        Ok(self.0.execute(sql, params![author, reason])? == 1)
    }

    /// The author whose token has this SHA-256. The database compares hashes of 32 random bytes, so the time that it takes reveals
    /// nothing about a token.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn author(&self, token: &[u8; 32]) -> Result<Option<Author>, RegisterError> {
        let author =
            |row: &Row<'_>| Ok(Author { id: row.get(0)?, name: row.get(1)?, disqualified: row.get(2)? });
        let sql = "SELECT id, name, disqualified FROM author WHERE token = ?1";
        Ok(self.0.query_row(sql, [token], author).optional()?)
    }

    /// The number of authors with a token.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn authors(&self) -> Result<usize, RegisterError> {
        let sql = "SELECT count(*) FROM author WHERE token IS NOT NULL";
        Ok(self.0.query_row(sql, [], |row| row.get(0))?)
    }

    /// Pauses a version for a reason: it does not play, nor does an earlier one of its author. It plays again when it is submitted again.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn pause(&mut self, id: i64, reason: &str) -> Result<(), RegisterError> {
        self.0.execute("UPDATE version SET paused = ?2 WHERE id = ?1", params![id, reason])?;
        Ok(())
    }

    /// Enters a version, which waits then. A component that the author has submitted before is the same version: an admitted one is
    /// chosen again, and plays if it was paused; one that was replaced, or whose component was deleted, waits again; any other stays as it
    /// is. As a draft, it is not chosen, and one that was chosen before stays so. `None` if the season takes no bots, the author is disqualified, or
    /// the token was revoked: an upload takes a while, so this is asked again here.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn submit(
        &mut self,
        author: &Author,
        submission: &Submission<'_>,
    ) -> Result<Option<Version>, RegisterError> {
        let Submission { sha256, size, now, is_draft } = *submission;
        let transaction = self.begin()?;
        let may_submit = "SELECT EXISTS (SELECT 1 FROM author WHERE id = ?1 AND token IS NOT NULL AND disqualified IS NULL)";
        let may_submit: bool = transaction.query_row(may_submit, [author.id], |row| row.get(0))?;
        if !may_submit || seasons::season(&transaction)?.closed_since(now).is_some() {
            return Ok(None);
        }
        let sql = "SELECT id FROM version WHERE author = ?1 AND sha256 = ?2";
        let known =
            transaction.query_row(sql, params![author.id, sha256], |row| row.get::<_, i64>(0)).optional()?;
        let next = "(SELECT ifnull(max(chosen), 0) + 1 FROM version)";
        let id = match known {
            Some(id) => {
                if !is_draft {
                    let sql = format!(
                        "UPDATE version SET chosen = {next}, paused = NULL
                        WHERE id = ?1 AND (state = 'admitted' OR deleted_at IS NOT NULL OR replaced_by IS NOT NULL
                        OR chosen IS NULL)"
                    );
                    transaction.execute(&sql, [id])?;
                }
                // It is judged again, because it may have been deleted before it was.
                let sql = "UPDATE version SET paused = NULL, state = 'waiting', finding = '', published = 0,
                    deleted_at = NULL WHERE id = ?1 AND deleted_at IS NOT NULL";
                transaction.execute(sql, [id])?;
                let sql = "UPDATE version SET state = 'waiting', replaced_by = NULL
                     WHERE id = ?1 AND replaced_by IS NOT NULL";
                transaction.execute(sql, [id])?;
                id
            }
            None => {
                let number = "(SELECT ifnull(max(number), 0) + 1 FROM version WHERE author = :author)";
                let sql = format!(
                    "INSERT INTO version (author, number, sha256, size, submitted_at, chosen, state)
                     VALUES (:author, {number}, :sha256, :size, :at, iif(:draft, NULL, {next}), 'waiting')"
                );
                transaction.execute(
                    &sql,
                    named_params! {
                        ":author": author.id, ":sha256": sha256, ":size": size, ":at": moment::time_now(),
                        ":draft": is_draft,
                    },
                )?;
                transaction.last_insert_rowid()
            }
        };
        let version = by_id(&transaction, id)?.ok_or(RegisterError::Damaged("a row is missing".into()))?;
        space::forget_refused(&transaction, author)?;
        transaction.commit()?;
        Ok(Some(version))
    }

    /// Chooses an admitted version of an author, which then plays, also if it was paused. Returns false if the author has no such version.
    ///
    /// # Errors
    /// The register cannot be written.
    pub fn choose(&mut self, author: &Author, id: i64) -> Result<bool, RegisterError> {
        let sql =
            "UPDATE version SET chosen = (SELECT ifnull(max(chosen), 0) + 1 FROM version), paused = NULL
            WHERE id = ?1 AND author = ?2 AND state = 'admitted' AND deleted_at IS NULL";
        Ok(self.0.execute(sql, [id, author.id])? == 1)
    }

    /// The author of another version with this component that was admitted, or that waits and was submitted before. One that was deleted
    /// counts if it has played: its games are those of its author.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn other_author_of(&self, version: &Version) -> Result<Option<String>, RegisterError> {
        let sql = "SELECT author.name FROM version JOIN author ON author.id = version.author
            WHERE sha256 = ?1 AND version.id <> ?2 AND (state = 'admitted' OR state = 'waiting' AND version.id < ?2)
            AND (deleted_at IS NULL OR sha256 IN (SELECT sha256 FROM played)) ORDER BY version.id LIMIT 1";
        Ok(self.0.query_row(sql, params![version.sha256, version.id], |row| row.get(0)).optional()?)
    }

    /// Copies the register to a new file, as it is at one moment.
    ///
    /// # Errors
    /// The register cannot be read, or the copy cannot be written.
    pub fn copy_to(&self, to: &Path) -> Result<(), RegisterError> {
        let name = to.to_str().ok_or_else(|| RegisterError::Io(io::ErrorKind::InvalidFilename.into()))?;
        self.0.execute("VACUUM INTO ?1", [name])?;
        Ok(())
    }

    /// A version of any author.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn version(&self, id: i64) -> Result<Option<Version>, RegisterError> {
        by_id(&self.0, id)
    }

    /// The versions of an author, the latest first.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn versions(&self, author: &Author) -> Result<Vec<Version>, RegisterError> {
        select(&self.0, "WHERE version.author = ?1 ORDER BY version.number DESC", &author.id)
    }

    /// The versions that play, one for each author, in the order in which they were submitted.
    ///
    /// # Errors
    /// The register cannot be read.
    pub fn in_play(&self) -> Result<Vec<Version>, RegisterError> {
        let admitted =
            select(&self.0, "WHERE state = ?1 ORDER BY version.id", &VersionState::Admitted.text());
        Ok(admitted?.into_iter().filter(|version| version.plays).collect())
    }
}

fn by_id(connection: &Connection, id: i64) -> Result<Option<Version>, RegisterError> {
    Ok(select(connection, "WHERE version.id = ?1", &id)?.pop())
}

fn select(
    connection: &Connection,
    which: &str,
    value: &dyn rusqlite::ToSql,
) -> Result<Vec<Version>, RegisterError> {
    let mut statement = connection.prepare_cached(&format!("{SELECT} {which}"))?;
    let rows = statement.query_map([value], version)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn version(row: &Row<'_>) -> rusqlite::Result<Version> {
    let text: String = row.get(6)?;
    let state = VersionState::ALL.iter().find(|(_, known)| *known == text);
    Ok(Version {
        id: row.get(0)?,
        author: row.get(1)?,
        number: row.get(2)?,
        sha256: row.get(3)?,
        size: row.get(4)?,
        submitted_at: row.get(5)?,
        state: state.ok_or(rusqlite::Error::InvalidQuery)?.0,
        finding: row.get(7)?,
        plays: row.get(8)?,
        disqualified: row.get(9)?,
        paused: row.get(10)?,
        published: row.get(11)?,
        replaced_by: row.get(12)?,
        game_fuel: row.get(13)?,
        deleted_at: row.get(14)?,
        has_played: row.get(15)?,
        label: names::label(row.get(16)?),
        is_draft: row.get(17)?,
    })
}

/// The names and the SQL of the objects of a database.
fn objects(connection: &Connection) -> Result<Vec<(String, Option<String>)>, RegisterError> {
    let mut statement =
        connection.prepare("SELECT type || ' ' || name, sql FROM sqlite_schema NOT INDEXED ORDER BY name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
