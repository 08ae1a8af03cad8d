//! The chain of a journal's hashes as `docs/guide/src/journal-format.md` describes it, by code of its own: for tests that change a
//! journal as an attacker could who knows all of this.

#![allow(dead_code, reason = "each program of tests uses its part")]

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The fingerprint of the tables, as the page about journals has it.
pub const SCHEMA: &str = "6cf4c04eb203de9108c6c8f56831a17082bb984b144a9e44c3c3e172ed2ca885";

/// The rows of each kind: the number of the first one, and the query for all of them, from the table itself and from no index:
/// their number, then the columns in the order in which they are hashed.
const ROWS: [(&str, i64, &str); 7] = [
    (
        "conditions",
        1,
        "SELECT id, arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed FROM conditions NOT INDEXED",
    ),
    ("bot", 0, "SELECT number, label, name, sha256 FROM bot NOT INDEXED"),
    ("stage", 1, "SELECT number, settings FROM stage NOT INDEXED"),
    ("entrant", 1, "SELECT number, stage, place, bot, label FROM entrant NOT INDEXED"),
    ("draw", 1, "SELECT number, stage, seed, beacon FROM draw NOT INDEXED"),
    (
        "game",
        1,
        "SELECT number, stage, first, second, pair, game, contract, first_seed, second_seed, fleet_seed, starter, outcome, reason, \
         first_score, second_score, first_turns, second_turns, first_fuel, second_fuel, faults, reproducible, events FROM game NOT INDEXED",
    ),
    ("told-seed", 1, "SELECT id, seed FROM told_seed NOT INDEXED"),
];

/// The side chains: the table, and the columns in the order in which they are hashed.
const SIDES: [(&str, &str); 2] =
    [("clock", "number, links, at"), ("trail", "number, links, at, event, key, name, owner, why, games")];

/// The parts of each row, by its kind and its number.
type Rows = BTreeMap<(String, i64), Vec<u8>>;

/// Lets this connection change and remove rows without triggers. The journal has its triggers as before.
pub fn drop_triggers(journal: &Connection) {
    journal.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).unwrap();
}

/// Checks a journal without trust in anything in it, and returns its head.
///
/// # Errors
/// The problem with it.
pub fn check(journal: &Connection) -> Result<String, String> {
    let schema = fingerprint(journal);
    if schema != SCHEMA {
        return Err(format!("the schema is another: {schema}"));
    }
    let pages: String = journal.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).unwrap();
    if pages != "ok" {
        return Err(pages);
    }
    let links = links(journal);
    let stored = stored_links(journal);
    if let Some((link, _)) =
        stored.iter().zip(&links).find(|((number, .., sha256), right)| right != &&(*number, sha256.clone()))
    {
        return Err(format!("link {} of {} {} is wrong", link.0, link.1, link.2));
    }
    if let Some((place, _)) = stored.iter().enumerate().find(|(place, link)| link.0 != *place as i64 + 1) {
        return Err(format!("there is no link {}", place + 1));
    }
    let rows = rows(journal);
    for (kind, first, _) in ROWS {
        let linked = stored.iter().filter(|link| link.1 == kind).map(|link| link.2);
        if !linked.eq((first..).take(rows.keys().filter(|row| row.0 == kind).count())) {
            return Err(format!("the rows of {kind} are not those of the chain"));
        }
    }
    for (table, number, sha256, right) in SIDES.iter().flat_map(|side| side_links(journal, side, &links)) {
        if right.as_ref() != Some(&sha256) {
            return Err(format!("row {number} of {table} is wrong"));
        }
    }
    links.last().map(|(_, sha256)| sha256.clone()).ok_or_else(|| "there is no chain".into())
}

/// The SHA-256 of what SQLite keeps about the tables of a journal.
pub fn fingerprint(journal: &Connection) -> String {
    let sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema NOT INDEXED";
    let mut statement = journal.prepare(sql).unwrap();
    let object = |row: &rusqlite::Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
    let mut objects: Vec<[String; 4]> =
        statement.query_map([], object).unwrap().map(Result::unwrap).collect();
    objects.sort();
    let mut hashed = Vec::new();
    objects.iter().flatten().for_each(|text| add_part(&mut hashed, text.as_bytes()));
    hexadecimal(&Sha256::digest(&hashed))
}

/// The links of a journal: number, kind and number of the row, and hash.
fn stored_links(journal: &Connection) -> Vec<(i64, String, i64, String)> {
    let sql = "SELECT number, kind, row, lower(hex(sha256)) FROM link NOT INDEXED ORDER BY number";
    let mut statement = journal.prepare(sql).unwrap();
    let link = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    statement.query_map([], link).unwrap().map(Result::unwrap).collect()
}

/// All rows, each read once.
fn rows(journal: &Connection) -> Rows {
    let mut rows = Rows::new();
    for (kind, _, sql) in ROWS {
        let mut statement = journal.prepare(sql).unwrap();
        let columns = statement.column_count();
        let mut values = statement.query([]).unwrap();
        while let Some(row) = values.next().unwrap() {
            let (number, mut parts) = (row.get(0).unwrap(), Vec::new());
            (0..columns).for_each(|column| add_value(&mut parts, row.get_ref(column).unwrap()));
            let twice = rows.insert((kind.to_owned(), number), parts);
            assert_eq!(twice, None, "{kind} {number} is there twice");
        }
    }
    rows
}

/// The correct links of the rows of a journal: number and hash. A missing row has no columns.
pub fn links(journal: &Connection) -> Vec<(i64, String)> {
    let rows = rows(journal);
    let mut before = [0u8; 32];
    let mut hashes = Vec::new();
    for (number, kind, row, _) in stored_links(journal) {
        let mut hashed = before.to_vec();
        add_part(&mut hashed, kind.as_bytes());
        hashed.extend(rows.get(&(kind, row)).into_iter().flatten());
        before = Sha256::digest(&hashed).into();
        hashes.push((number, hexadecimal(&before)));
    }
    hashes
}

fn add_part(hashed: &mut Vec<u8>, part: &[u8]) {
    hashed.extend(part.len().to_string().bytes());
    hashed.push(b':');
    hashed.extend(part);
}

fn add_value(hashed: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
        ValueRef::Integer(number) => add_part(hashed, number.to_string().as_bytes()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => add_part(hashed, bytes),
        // No journal has a fraction.
        ValueRef::Null | ValueRef::Real(_) => add_part(hashed, b""),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The rows of a side chain: the table, the number, the hash, and the correct hash, if there is a link of the games that it is of.
fn side_links(
    journal: &Connection,
    (table, columns): &(&'static str, &str),
    games: &[(i64, String)],
) -> Vec<(&'static str, i64, String, Option<String>)> {
    let sql = format!("SELECT {columns}, lower(hex(sha256)) FROM {table} NOT INDEXED ORDER BY number");
    let mut statement = journal.prepare(&sql).unwrap();
    let last = statement.column_count() - 1;
    let mut before = "0".repeat(64);
    let row = |row: &rusqlite::Row<'_>| {
        let (number, links): (i64, i64) = (row.get(0)?, row.get(1)?);
        let games = match usize::try_from(links) {
            Ok(0) => Some("0".repeat(64)),
            Ok(links) => games.get(links - 1).map(|(_, sha256)| sha256.clone()),
            Err(_) => None,
        };
        let mut hashed = bytes_of(&before);
        hashed.extend(games.iter().flat_map(|games| bytes_of(games)));
        add_part(&mut hashed, table.as_bytes());
        for column in 0..last {
            add_value(&mut hashed, row.get_ref(column)?);
        }
        before = hexadecimal(&Sha256::digest(&hashed));
        Ok((*table, number, row.get(last)?, games.map(|_| before.clone())))
    };
    statement.query_map([], row).unwrap().map(Result::unwrap).collect()
}

fn bytes_of(sha256: &str) -> Vec<u8> {
    (0..sha256.len() / 2).map(|at| u8::from_str_radix(&sha256[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// Gives a changed journal the correct chains.
pub fn chain_again(journal: &Connection) {
    let links = links(journal);
    for (number, sha256) in &links {
        let row = params![bytes_of(sha256), number];
        journal.execute("UPDATE link SET sha256 = ?1 WHERE number = ?2", row).unwrap();
    }
    for (table, number, _, right) in SIDES.iter().flat_map(|side| side_links(journal, side, &links)) {
        let sql = format!("UPDATE {table} SET sha256 = ?1 WHERE number = ?2");
        journal.execute(&sql, params![bytes_of(&right.unwrap_or_default()), number]).unwrap();
    }
}
