//! The one pass over a journal: each row is read once, hashed, compared with its link, and becomes a part of the content.
//!
//! So the content is what the chain covers. A separate query for the content could be answered from another part of the
//! file, such as an index with other entries.

use crate::chain::{Chain, ChainHead, Kind};
use crate::columns::Values;
use crate::hex::hexadecimal;
use crate::model::{GameRow, Model};
use crate::side::Marks;
use crate::{Content, JournalError, Stage, StoredGame, Tournament, clock, schema, trail};
use arena_record::{BotId, Conditions, FORMAT as TRANSCRIPT_FORMAT, Header, Seated};
use rusqlite::{Connection, Row, Rows};
use std::fmt;

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

/// Everything in a journal but the games.
pub(crate) struct Journal {
    /// The content, without games.
    pub(crate) content: Content,
    pub(crate) chain: Chain,
    /// The links, if they were kept.
    links: Option<Links>,
    stage_links: Vec<usize>,
}

/// The links of a chain.
#[derive(Default)]
struct Links {
    /// All of them, in their order.
    hashes: Vec<[u8; 32]>,
    /// The number of games before each link that is not of a game, of which there are few.
    games_before: Vec<usize>,
}

/// The state of a journal that was read, so that later answers are from the same one.
pub(crate) struct Proof {
    links: Links,
    /// The number of the last link of each stage.
    stage_links: Vec<usize>,
    tournament: Tournament,
    stages: Vec<Stage>,
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Proof").field(&self.links.hashes.len()).finish_non_exhaustive()
    }
}

impl Journal {
    /// The proof of what was read, if the links were kept.
    pub(crate) fn proof(&mut self) -> Option<Proof> {
        let links = self.links.take()?;
        let Content { tournament, stages, .. } = &self.content;
        let (tournament, stages) = (tournament.clone(), stages.clone());
        Some(Proof { links, stage_links: std::mem::take(&mut self.stage_links), tournament, stages })
    }
}

impl Proof {
    /// The chain's links, in their order.
    pub(crate) fn links(&self) -> &[[u8; 32]] {
        &self.links.hashes
    }

    /// The number of the link of a game, from 1, by its number, from 1.
    pub(crate) fn link_of(&self, number: u64) -> Option<usize> {
        let Links { hashes, games_before } = &self.links;
        let number = usize::try_from(number).ok()?;
        let is_game = (1..=hashes.len() - games_before.len()).contains(&number);
        is_game.then(|| number + games_before.partition_point(|&games| games < number))
    }

    /// The head after the first games and the first stages, the later of which was the last row then; `None` without either.
    pub(crate) fn head_after(&self, games: usize, stages: usize) -> Option<ChainHead> {
        let of_game = self.link_of(games as u64);
        let of_stage = stages.checked_sub(1).and_then(|last| self.stage_links.get(last)).copied();
        let links = of_game.max(of_stage)?;
        let sha256 = self.links.hashes.get(links.checked_sub(1)?)?;
        Some(ChainHead { links: links as u64, sha256: hexadecimal(sha256) })
    }

    /// The header of the transcript of a game that was read; `None` when a bot is not in its stage.
    pub(crate) fn header(&self, game: &GameRow<'_>) -> Option<Header> {
        let stage = self.stages.get(game.stage.checked_sub(1)?)?;
        let Tournament { conditions, bots } = &self.tournament;
        let seed = stage.draw.as_ref().map_or(conditions.seed, |draw| draw.seed);
        let seated = |seat: usize| {
            let entrant = stage.entrants.iter().find(|entrant| entrant.bot == game.key.seats[seat])?;
            let bot = BotId { label: entrant.label.clone(), ..bots.get(entrant.bot)?.clone() };
            Some(Seated { bot, seed: game.side_seeds[seat] })
        };
        Some(Header {
            arena_transcript: TRANSCRIPT_FORMAT,
            conditions: Conditions { seed, ..conditions.clone() },
            contract: game.contract.into(),
            game: game.key.game,
            bots: [seated(0)?, seated(1)?],
            fleet_seed: game.fleet_seed,
            starter: game.starter,
        })
    }
}

/// A journal that is read in one pass, game by game: each row is read once, hashed, compared with its link, and checked after those before
/// it.
pub struct Pass<'a> {
    /// The rows of each kind.
    rows: Vec<Rows<'a>>,
    link_rows: Rows<'a>,
    chain: Chain,
    model: Model,
    links: Option<Links>,
    marks: Marks,
    /// The number of rows of stages.
    stages: usize,
}

impl Pass<'_> {
    /// The next game; `None` after the last one.
    ///
    /// # Errors
    /// A row that was changed, or that no run could have written.
    pub fn next_game(&mut self) -> Result<Option<StoredGame>, JournalError> {
        while let Some(link) = self.link_rows.next()? {
            let number: i64 = link.get(0)?;
            let wrong = |cause: &str| JournalError::damaged(format!("link {number} of the chain"), cause);
            let kind = link.get_ref(1)?.as_str().ok().and_then(Kind::named);
            let kind = kind.ok_or_else(|| wrong("it is of no kind that this arena knows"))?;
            let row_number: i64 = link.get(2)?;
            if number.cast_unsigned() != self.chain.links() + 1 || row_number != self.chain.next(kind) {
                return Err(wrong("links before it were removed"));
            }
            let row = Values::of(next(&mut self.rows[kind as usize], kind, row_number)?)?;
            self.chain.add(kind, &row)?;
            if link.get_ref(3)?.as_blob().ok() != Some(&self.chain.last()[..]) {
                let place = format!("{} {row_number}", kind.name());
                return Err(JournalError::damaged(place, "it was changed after it was written"));
            }
            self.marks.pass(&self.chain);
            if let Some(links) = &mut self.links {
                links.hashes.push(*self.chain.last());
                if kind != Kind::Game {
                    links.games_before.push(self.chain.games());
                }
            }
            let game = self.model.add(kind, row_number, &row, self.chain.links() as usize)?;
            if game.is_some() {
                return Ok(game);
            }
        }
        Ok(None)
    }

    /// The stages so far. A stage before the latest game is complete.
    pub fn stages(&self) -> &[Stage] {
        &self.model.stages
    }

    /// The number of stages at the end, unless there is an error.
    pub fn stages_at_end(&self) -> usize {
        self.stages
    }

    /// The number of bots so far.
    pub fn bots(&self) -> usize {
        self.model.bots.len()
    }

    /// The number of games so far.
    pub fn games(&self) -> usize {
        self.chain.games()
    }

    /// Reads what is left of the journal, and checks that it has no other rows.
    fn end(&mut self) -> Result<(), JournalError> {
        while self.next_game()?.is_some() {}
        self.rows.iter_mut().zip(Kind::ALL).try_for_each(|(rows, kind)| require_end(rows, kind))
    }
}

/// Reads a journal. `read` takes its games, as many as it likes. The caller has begun a transaction, so it is the journal of one moment.
///
/// # Errors
/// A journal that a run cannot have written, or whose chain does not match its rows; or the error of `read`.
pub(crate) fn read<T>(
    connection: &Connection,
    pages: Pages,
    keeps_links: bool,
    read: impl FnOnce(&mut Pass<'_>) -> Result<T, JournalError>,
) -> Result<(T, Journal), JournalError> {
    schema::check(connection)?;
    let prepared = |kind: &Kind| connection.prepare(kind.rows());
    let mut statements = Kind::ALL.iter().map(prepared).collect::<Result<Vec<_>, _>>()?;
    let rows = statements.iter_mut().map(|statement| statement.query([i64::MIN]));
    let sql = "SELECT number, kind, row, sha256 FROM link NOT INDEXED ORDER BY number";
    let mut links = connection.prepare(sql)?;
    let mut pass = Pass {
        rows: rows.collect::<Result<Vec<_>, _>>()?,
        link_rows: links.query([])?,
        chain: Chain::new(),
        model: Model::default(),
        links: keeps_links.then(Links::default),
        marks: Marks::of(connection)?,
        stages: connection
            .query_row("SELECT count(*) FROM stage NOT INDEXED", [], |row| row.get::<_, usize>(0))?,
    };
    let value = read(&mut pass)?;
    pass.end()?;
    let Pass { chain, mut model, links, marks, .. } = pass;
    check_pages(connection, pages)?;
    let trail = trail::read(connection, &marks, model.bots.len())?;
    let stage_links = std::mem::take(&mut model.stage_links);
    let clock = clock::read(connection, &marks, &stage_links)?;
    let content = model.into_content(chain.head(), clock, trail)?;
    Ok((value, Journal { content, chain, links, stage_links }))
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
