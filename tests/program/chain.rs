//! The chain of a journal's hashes as its documentation describes it, by code of its own: for tests that change a journal as
//! somebody could who knows all of this.

use rusqlite::types::Value;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

/// The rows of each kind: their number, then the columns in the order in which they are hashed.
const ROWS: [(&str, &str); 7] = [
    (
        "conditions",
        "SELECT id, arena, wasmtime, engine, rules, fuel_per_turn, memory_bytes, seed FROM conditions WHERE id = ?1",
    ),
    ("bot", "SELECT number, label, name, sha256 FROM bot WHERE number = ?1"),
    ("stage", "SELECT number, settings FROM stage WHERE number = ?1"),
    ("entrant", "SELECT number, stage, place, bot, label FROM entrant WHERE number = ?1"),
    ("dictionary", "SELECT id, bytes FROM dictionary WHERE id = ?1"),
    (
        "game",
        "SELECT g.number, g.stage, g.first, g.second, g.pair, g.game, g.first_seed, g.second_seed, g.fleet_seed, \
         g.starter, g.outcome, g.reason, g.first_turns, g.second_turns, g.first_fuel, g.second_fuel, g.faults, \
         g.reproducible, t.sha256, t.size_bytes FROM game g JOIN transcript t ON t.game = g.number WHERE g.number = ?1",
    ),
    ("told-seed", "SELECT id, seed FROM told_seed WHERE id = ?1"),
];

/// Removes what keeps a journal from being changed.
pub fn drop_triggers(journal: &Connection) {
    let mut statement = journal.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").unwrap();
    let names: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for name in names {
        journal.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
}

/// The links that the rows of a journal have by right: number and hash.
pub fn links(journal: &Connection) -> Vec<(i64, String)> {
    let mut statement = journal.prepare("SELECT number, kind, row FROM link ORDER BY number").unwrap();
    let links = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let links: Vec<(i64, String, i64)> = links.map(Result::unwrap).collect();
    let mut before = [0u8; 32];
    let mut hashes = Vec::new();
    for (number, kind, row) in links {
        let (_, sql) = ROWS.iter().find(|(name, _)| *name == kind).unwrap();
        let mut statement = journal.prepare_cached(sql).unwrap();
        let columns = statement.column_count();
        let values: Vec<Value> =
            statement.query_row([row], |row| (0..columns).map(|column| row.get(column)).collect()).unwrap();
        let mut bytes = before.to_vec();
        let mut add = |part: &[u8]| {
            bytes.extend(part.len().to_string().bytes());
            bytes.push(b':');
            bytes.extend(part);
        };
        add(kind.as_bytes());
        for value in values {
            match value {
                Value::Integer(number) => add(number.to_string().as_bytes()),
                Value::Text(text) => add(text.as_bytes()),
                Value::Blob(blob) => add(&blob),
                other => panic!("{other:?}"),
            }
        }
        before = Sha256::digest(&bytes).into();
        hashes.push((number, before.iter().map(|byte| format!("{byte:02x}")).collect()));
    }
    hashes
}

/// Gives a journal that was changed the chain that it has by right.
pub fn chain_again(journal: &Connection) {
    for (number, sha256) in links(journal) {
        journal.execute("UPDATE link SET sha256 = ?1 WHERE number = ?2", params![sha256, number]).unwrap();
    }
}
