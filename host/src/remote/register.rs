//! The register: the file of the workers that an organiser admits.

use crate::failure::Failure;
use arena_cluster::{Name, Owner, PublicKey, Register, Standing, Why};
use arena_text::shown;
use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;

/// The size limit of a register, in bytes. Chosen: ten thousand workers.
const BYTES_MAX: u64 = 4 << 20;

/// The TOML file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    worker: Vec<Entry>,
}

/// A worker in the register.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    name: String,
    owner: String,
    /// The reason why the worker is blocked.
    blocked: Option<String>,
}

/// Reads a register: its text, and its workers.
///
/// # Errors
/// The file cannot be read, or it is not a register.
pub fn read(path: &Path) -> Result<(String, Register), Failure> {
    let text = text(path).map_err(|problem| Failure::usage(problem, NEXT))?;
    let register = parse(path, &text).map_err(|problem| Failure::usage(problem, NEXT))?;
    Ok((text, register))
}

const NEXT: &str = "write [[worker]] with key, name and owner for each worker: `arena worker` prints its key";

/// Reads a register if its text has changed; `None` when it has not.
///
/// # Errors
/// The text, and what is wrong with it.
pub fn read_if_changed(path: &Path, before: &str) -> Result<Option<(String, Register)>, (String, String)> {
    let now = match text(path) {
        Ok(now) => now,
        // The file may be missing while an editor saves it.
        Err(_) => return Ok(None),
    };
    if now == before {
        return Ok(None);
    }
    match parse(path, &now) {
        Ok(register) => Ok(Some((now, register))),
        Err(problem) => Err((now, problem)),
    }
}

fn text(path: &Path) -> Result<String, String> {
    arena_files::read_text(path, BYTES_MAX).map_err(|error| format!("{}: {error}", shown(path)))
}

/// Parses the text of a register. The path is for messages.
///
/// # Errors
/// The error in a register file.
pub fn parse(path: &Path, text: &str) -> Result<Register, String> {
    let wrong = |problem: &str| format!("{}: {}", shown(path), arena_text::line(problem, 300));
    let file: File = toml::from_str(text).map_err(|error| wrong(error.message()))?;
    let entry = |Entry { key, name, owner, blocked }| {
        let key = PublicKey::parse(&key).map_err(|problem| wrong(&problem))?;
        let blocked = blocked.map(|why| Why::from(why.as_str()));
        Ok((key, Standing { name: Name::from(name.as_str()), owner: Owner::from(owner.as_str()), blocked }))
    };
    let mut keys = HashSet::new();
    let twice = |key: &PublicKey| Err(wrong(&format!("the key {key} is there twice")));
    let checked = |entry: Result<(PublicKey, Standing), String>| match entry {
        Ok((key, _)) if !keys.insert(key.clone()) => twice(&key),
        entry => entry,
    };
    file.worker.into_iter().map(entry).map(checked).collect()
}
