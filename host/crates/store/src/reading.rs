//! The one pass over a journal: each row is read once, hashed, compared with its link, and becomes a part of the content.
//!
//! So the content is what the chain covers. A separate query for the content could be answered from another part of the
//! file, such as an index with other entries.

use crate::chain::{Chain, ChainHead, Kind};
use crate::headers::Headers;
use crate::hex::{hexadecimal, sha256_of};
use crate::model::{GameRow, Kept, Model};
use crate::packing::Unpacker;
use crate::{Content, JournalError, Stage, Trail, clock, schema, trail};
use arena_record::{BotId, FormatVersion, Header, RecordedSeed};
use rusqlite::{Connection, Row, Rows};
use std::fmt;

/// The minor version that brought stages and the chain.
const CHAIN_SINCE: u32 = 3;

/// The minor version that brought the trail of workers.
const TRAIL_SINCE: u32 = 7;

/// The minor version that brought the clock.
const CLOCK_SINCE: u32 = 9;

/// The check of the pages of the database. Measured on 100,000 games in 240 MB, of which everything else takes 0.7 s: the one of
/// the tables takes 0.4 s, and that of the indexes 0.1 s more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pages {
    /// The tables: every page has one place, and every value is of its column's type.
    Tables,
    /// The same, and that each index has the rows of its table: a writer finds games by them.
    TablesAndIndexes,
}

impl Pages {
    const fn pragma(self) -> &'static str {
        match self {
            Self::Tables => "PRAGMA quick_check(1)",
            Self::TablesAndIndexes => "PRAGMA integrity_check(1)",
        }
    }
}

/// Everything in a journal but the moves.
pub(crate) struct Journal {
    pub(crate) content: Content,
    /// The chain; an empty journal's in formats without one.
    pub(crate) chain: Chain,
    pub(crate) proof: Proof,
}

/// The state of a journal that was read, so that later answers are from the same one.
pub(crate) struct Proof {
    /// The chain's links, in their order.
    pub(crate) links: Vec<[u8; 32]>,
    /// The transcript of each game, in the order of their numbers.
    pub(crate) transcripts: Vec<Kept>,
    /// The number of the last link of each stage.
    stage_links: Vec<usize>,
    pub(crate) unpacker: Unpacker,
    pub(crate) dictionary: Vec<u8>,
    pub(crate) headers: Headers,
    bots: Vec<BotId>,
    stages: Vec<Stage>,
    /// The seed of the conditions.
    seed: RecordedSeed,
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = (self.links.len(), self.transcripts.len());
        f.debug_tuple("Proof").field(&counts).finish_non_exhaustive()
    }
}

impl Proof {
    /// The transcript of a game by its number, from 1.
    pub(crate) fn transcript(&self, number: u64) -> Option<Kept> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.transcripts.get(index).copied()
    }

    /// The head after the first games and the first stages, the later of which was the last row then; `None` without a
    /// chain.
    pub(crate) fn head_after(&self, games: usize, stages: usize) -> Option<ChainHead> {
        let of_game = games.checked_sub(1).and_then(|last| self.transcripts.get(last)).map(|kept| kept.link);
        let of_stage = stages.checked_sub(1).and_then(|last| self.stage_links.get(last)).copied();
        let links = of_game.max(of_stage)?;
        let sha256 = self.links.get(links.checked_sub(1)?)?;
        Some(ChainHead { links: links as u64, sha256: hexadecimal(sha256) })
    }

    /// The header of the transcript of a game that was read; `None` when the journal does not have the header of any.
    pub(crate) fn header(&self, game: &GameRow<'_>) -> Option<Header> {
        let stage = self.stages.get(game.stage.checked_sub(1)?)?;
        let seed = stage.draw.as_ref().map_or(self.seed, |draw| draw.seed);
        self.headers.header(&game.setting, stage, &self.bots, seed)
    }
}

/// Reads a journal. The caller has begun a transaction, so it is the journal of one moment.
///
/// # Errors
/// A journal that a run cannot have written, or whose chain does not match its rows.
pub(crate) fn read(connection: &Connection, pages: Pages) -> Result<Journal, JournalError> {
    let version = schema::recognise(connection)?.ok_or(JournalError::Foreign)?;
    schema::check(connection, version)?;
    let mut model = Model::default();
    let (chain, links) = if version.minor >= CHAIN_SINCE {
        chained(connection, version, &mut model)?
    } else {
        unchained(connection, version, &mut model)?;
        (Chain::new(), Vec::new())
    };
    check_transcripts(connection, &model)?;
    check_pages(connection, pages)?;
    let dictionary = std::mem::take(&mut model.dictionary);
    let transcripts = std::mem::take(&mut model.transcripts);
    let stage_links = std::mem::take(&mut model.stage_links);
    let head: Option<ChainHead> = (version.minor >= CHAIN_SINCE).then(|| chain.head());
    let trail = match version.minor >= TRAIL_SINCE {
        true => trail::read(connection, &links, model.bots.len())?,
        false => Trail::default(),
    };
    let clock = match version.minor >= CLOCK_SINCE {
        true => {
            let games: Vec<usize> = transcripts.iter().map(|kept| kept.link).collect();
            clock::read(connection, &links, &stage_links, &games)?
        }
        false => Default::default(),
    };
    let content = model.into_content(head, clock, trail)?;
    let headers = Headers::new(&dictionary);
    let (bots, stages) = (content.tournament.bots.clone(), content.stages.clone());
    let seed = content.tournament.conditions.seed;
    let unpacker = Unpacker::new(&dictionary);
    let proof = Proof { links, transcripts, stage_links, unpacker, dictionary, headers, bots, stages, seed };
    Ok(Journal { content, chain, proof })
}

/// Reads the rows in the order of the chain, and compares each with its link.
fn chained(
    connection: &Connection,
    version: FormatVersion,
    model: &mut Model,
) -> Result<(Chain, Vec<[u8; 32]>), JournalError> {
    // A format has the tables of those before it.
    let prepared = |kind: &Kind| {
        let is_there = kind.since() <= version.minor;
        is_there.then(|| connection.prepare(&kind.rows_of(version.minor))).transpose()
    };
    let mut statements = Kind::ALL.iter().map(prepared).collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    for statement in &mut statements {
        rows.push(statement.as_mut().map(|statement| statement.query([i64::MIN])).transpose()?);
    }
    let (mut chain, mut hashes) = (Chain::new(), Vec::new());
    let mut statement =
        connection.prepare("SELECT number, kind, row, sha256 FROM link NOT INDEXED ORDER BY number")?;
    let mut links = statement.query([])?;
    while let Some(link) = links.next()? {
        let number: i64 = link.get(0)?;
        let wrong = |cause: &str| JournalError::damaged(format!("link {number} of the chain"), cause);
        let kind = link.get_ref(1)?.as_str().ok().and_then(Kind::named);
        let kind = kind.ok_or_else(|| wrong("it is of no kind that this arena knows"))?;
        let row_number: i64 = link.get(2)?;
        if number.cast_unsigned() != chain.links() + 1 || row_number != chain.next(kind) {
            return Err(wrong("links before it were removed"));
        }
        let sha256 = link.get_ref(3)?.as_str().ok().and_then(sha256_of);
        let rows = rows[kind as usize].as_mut().ok_or_else(|| wrong("its format has no such kind"))?;
        let row = next(rows, kind, row_number)?;
        chain.add(kind, row)?;
        if sha256.as_ref() != Some(chain.last()) {
            let place = format!("{} {row_number}", kind.name());
            return Err(JournalError::damaged(place, "it was changed after it was written"));
        }
        hashes.push(*chain.last());
        model.add(kind, row_number, row, hashes.len())?;
    }
    for (rows, kind) in rows.iter_mut().zip(Kind::ALL) {
        rows.as_mut().map_or(Ok(()), |rows| require_end(rows, kind))?;
    }
    Ok((chain, hashes))
}

/// Reads the rows of a journal without a chain, kind by kind.
fn unchained(connection: &Connection, version: FormatVersion, model: &mut Model) -> Result<(), JournalError> {
    let of_kind = |kind: Kind, model: &mut Model| {
        let mut statement = connection.prepare(&kind.rows_of(version.minor))?;
        let mut rows = statement.query([i64::MIN])?;
        for expected in kind.first().. {
            let Some(row) = rows.next()? else { break };
            let found: i64 = row.get(0)?;
            if found != expected {
                let cause = format!("the row that is expected there has the number {expected}");
                return Err(JournalError::damaged(format!("{} {found}", kind.name()), cause));
            }
            model.add(kind, expected, row, 0)?;
        }
        Ok(())
    };
    of_kind(Kind::Conditions, model)?;
    of_kind(Kind::Bot, model)?;
    if let Some(settings) = latest_settings(connection)? {
        model.add_only_stage(settings)?;
    }
    of_kind(Kind::Dictionary, model)?;
    of_kind(Kind::Game, model)?;
    if version.minor >= Kind::ToldSeed.since() {
        of_kind(Kind::ToldSeed, model)?;
    }
    Ok(())
}

/// The settings of a journal without stages: the last ones that were added.
fn latest_settings(connection: &Connection) -> Result<Option<String>, JournalError> {
    let mut statement = connection.prepare("SELECT id, settings FROM settings NOT INDEXED ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut latest = None;
    for expected in 1.. {
        let Some(row) = rows.next()? else { break };
        let found: i64 = row.get(0)?;
        if found != expected {
            return Err(JournalError::damaged(format!("settings {found}"), "they are not numbered in order"));
        }
        latest = Some(row.get(1)?);
    }
    Ok(latest)
}

/// The next row of a kind. It must have this number.
fn next<'a>(rows: &'a mut Rows<'_>, kind: Kind, number: i64) -> Result<&'a Row<'a>, JournalError> {
    let removed = || JournalError::damaged(format!("{} {number}", kind.name()), "it was removed");
    let row = rows.next()?.ok_or_else(removed)?;
    match row.get::<_, i64>(0)? {
        found if found == number => Ok(row),
        found if found < number => Err(stray(kind, found)),
        _ => Err(removed()),
    }
}

/// Checks that there is no further row of a kind.
fn require_end(rows: &mut Rows<'_>, kind: Kind) -> Result<(), JournalError> {
    match rows.next()? {
        None => Ok(()),
        Some(row) => Err(stray(kind, row.get(0)?)),
    }
}

fn stray(kind: Kind, number: i64) -> JournalError {
    let cause = "it is not in the chain: it was added from outside";
    JournalError::damaged(format!("{} {number}", kind.name()), cause)
}

/// Checks that all transcripts belong to games that have one and no events.
fn check_transcripts(connection: &Connection, model: &Model) -> Result<(), JournalError> {
    let sql = "SELECT count(*) FROM transcript NOT INDEXED";
    let transcripts: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let games = model.transcripts.iter().filter(|kept| kept.file.is_some()).count();
    if usize::try_from(transcripts) == Ok(games) {
        return Ok(());
    }
    let cause = format!("there are {transcripts} for {games} games");
    Err(JournalError::damaged("the transcripts", cause))
}

/// Checks the pages of the database.
fn check_pages(connection: &Connection, pages: Pages) -> Result<(), JournalError> {
    let finding: String = connection.query_row(pages.pragma(), [], |row| row.get(0))?;
    if finding == "ok" {
        return Ok(());
    }
    // The first line names the database, of which there is one.
    let finding = finding.strip_prefix("*** in database main ***\n").unwrap_or(&finding);
    Err(JournalError::damaged("the database", finding.to_owned()))
}
