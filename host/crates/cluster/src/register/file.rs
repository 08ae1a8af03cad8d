//! The file of a register, which an organiser may edit by hand.

use super::{Register, RegisteredWorker};
use crate::error::ClusterError;
use crate::keys::PublicKey;
use crate::ledger::Owner;
use crate::message::{Name, Why};
use arena_engine::Error;
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
pub fn read(path: &Path) -> Result<(String, Register), ClusterError> {
    let wrong = |why| ClusterError::WrongRegister { file: path.to_owned(), why };
    let text = arena_files::read_text(path, BYTES_MAX).map_err(|error| wrong(error.to_string()))?;
    let register = parse(&text).map_err(wrong)?;
    Ok((text, register))
}

/// Reads a register if its text has changed; `None` when it has not.
///
/// # Errors
/// The text, and what is wrong with it.
pub fn read_if_changed(path: &Path, before: &str) -> Result<Option<(String, Register)>, (String, String)> {
    let now = match arena_files::read_text(path, BYTES_MAX) {
        Ok(now) => now,
        // The file may be missing while an editor saves it.
        Err(_) => return Ok(None),
    };
    if now == before {
        return Ok(None);
    }
    match parse(&now) {
        Ok(register) => Ok(Some((now, register))),
        Err(why) => Err((now, format!("{}: {why}", shown(path)))),
    }
}

/// Parses the text of a register, or says what is wrong with it.
fn parse(text: &str) -> Result<Register, String> {
    let wrong = |problem: &str| arena_text::line(problem, 300).to_string();
    let file: File = toml::from_str(text).map_err(|error| wrong(error.message()))?;
    let entry = |Entry { key, name, owner, blocked }| {
        let key = PublicKey::parse(&key).map_err(|problem| wrong(&problem))?;
        let blocked = blocked.map(|why| Why::from(why.as_str()));
        Ok((
            key,
            RegisteredWorker { name: Name::from(name.as_str()), owner: Owner::from(owner.as_str()), blocked },
        ))
    };
    let mut keys = HashSet::new();
    let twice = |key: &PublicKey| Err(wrong(&format!("the key {key} is there twice")));
    let checked = |entry: Result<(PublicKey, RegisteredWorker), String>| match entry {
        Ok((key, _)) if !keys.insert(key.clone()) => twice(&key),
        entry => entry,
    };
    file.worker.into_iter().map(entry).map(checked).collect()
}

/// Adds a worker to the register in a file, which is made if it does not exist.
///
/// # Errors
/// The file is not a register, has a worker with this name or this key, or cannot be written.
pub fn admit(path: &Path, key: &PublicKey, name: &str, owner: &str) -> Result<(), ClusterError> {
    let before = if path.exists() { read(path)?.0 } else { String::new() };
    if sections(&before).iter().any(|section| section.name.as_deref() == Some(name)) {
        return Err(ClusterError::WorkerKnown { file: path.to_owned(), name: name.to_owned() });
    }
    let text = |text: &str| toml::Value::from(text).to_string();
    let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
    let entry = format!("{gap}[[worker]]\nkey = \"{key}\"\nname = {}\nowner = {}\n", text(name), text(owner));
    save(path, &(before + &entry))
}

/// Blocks the worker with this name in the register of a file, for this reason, or unblocks it.
///
/// # Errors
/// The file is not a register, has no worker with this name, or cannot be written.
pub fn set_blocked(path: &Path, name: &str, why: Option<&str>) -> Result<(), ClusterError> {
    let (text, _) = read(path)?;
    let found = sections(&text).into_iter().find(|section| section.name.as_deref() == Some(name));
    let Some(Section { lines: [start, end], .. }) = found else {
        return Err(ClusterError::UnknownWorker { file: path.to_owned(), name: name.to_owned() });
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let blocked = why.map(|why| format!("blocked = {}", toml::Value::from(why)));
    let is_blocked = |line: &String| line.trim_start().starts_with("blocked");
    let mut section: Vec<String> =
        lines[start..end].iter().filter(|line| !is_blocked(line)).cloned().collect();
    section.extend(blocked);
    lines.splice(start..end, section);
    save(path, &(lines.join("\n") + "\n"))
}

/// Saves a register atomically: at any time, the file has the old text or the new one.
fn save(path: &Path, text: &str) -> Result<(), ClusterError> {
    parse(text).map_err(|why| ClusterError::WrongChange { file: path.to_owned(), why })?;
    arena_files::write_whole(path, text.as_bytes()).map_err(|error| {
        let next = "nothing was changed: free disk space, or make its folder writable";
        Error::machine(format!("cannot write {}", shown(path)), error, next).into()
    })
}

/// A `[[worker]]` section of a register.
struct Section {
    name: Option<String>,
    /// The index of the first line, and the index after the last non-empty line.
    lines: [usize; 2],
}

/// Finds the worker sections of a register, so that an edit preserves comments and everything else around them.
fn sections(text: &str) -> Vec<Section> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].trim() == "[[worker]]").collect();
    let section = |(place, &start): (usize, &usize)| {
        let next = starts.get(place + 1).copied().unwrap_or(lines.len());
        let end = (start..next).rfind(|&at| !lines[at].trim().is_empty()).map_or(start, |last| last + 1);
        let table: Option<toml::Table> = toml::from_str(&lines[start + 1..end].join("\n")).ok();
        let name = table.and_then(|table| table.get("name")?.as_str().map(str::to_owned));
        Section { name, lines: [start, end] }
    };
    starts.iter().enumerate().map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WorkerKey;
    use std::fs;

    /// A register in a file, and the keys of two workers.
    fn setting() -> (tempfile::TempDir, std::path::PathBuf, [PublicKey; 2]) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("workers.toml");
        (place, path, [(); 2].map(|()| WorkerKey::fresh().public()))
    }

    #[test]
    fn an_edit_changes_one_worker_and_keeps_all_else() {
        let (_place, path, [north, south]) = setting();
        admit(&path, &north, "north", "ann \"a\"").unwrap();
        let first = format!("[[worker]]\nkey = \"{north}\"\nname = \"north\"\nowner = 'ann \"a\"'\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
        fs::write(&path, format!("# ours\n\n{first}\n# the other\n\n")).unwrap();
        admit(&path, &south, "south", "ben").unwrap();
        let second = format!("[[worker]]\nkey = \"{south}\"\nname = \"south\"\nowner = \"ben\"\n");
        let text = format!("# ours\n\n{first}\n# the other\n\n{second}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        for why in ["slow", "silent"] {
            set_blocked(&path, "south", Some(why)).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{text}blocked = \"{why}\"\n"));
            assert_eq!(read(&path).unwrap().1.worker(&south), Err(why.into()));
        }
        assert!(read(&path).unwrap().1.worker(&north).is_ok());
        set_blocked(&path, "south", None).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn a_register_names_a_key_once_and_an_edit_that_would_break_it_is_not_made() {
        let (_place, path, [north, south]) = setting();
        admit(&path, &north, "north", "ann").unwrap();
        let before = fs::read_to_string(&path).unwrap();
        let twice = admit(&path, &north, "other", "ann").err().map(|error| error.to_string());
        assert!(twice.is_some_and(|why| why.contains(&format!("the key {north} is there twice"))));
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        admit(&path, &south, "south", "ann").unwrap();
        let (text, register) = read(&path).unwrap();
        assert_eq!((register.owners(), register.workers().count()), (1, 2));
        assert!(read_if_changed(&path, &text).is_ok_and(|changed| changed.is_none()));
        assert!(read_if_changed(&path, &before).is_ok_and(|changed| changed.is_some()));
        assert!(read_if_changed(&path.with_extension("gone"), "").is_ok_and(|changed| changed.is_none()));
        fs::write(&path, "[[worker]]\n").unwrap();
        let (now, problem) = read_if_changed(&path, &text).unwrap_err();
        assert_eq!((now.as_str(), problem.ends_with(": missing field `key`")), ("[[worker]]\n", true));
    }

    #[test]
    fn a_register_has_at_most_four_mebibytes() {
        let (_place, path, _) = setting();
        for (bytes, is_read) in [(4 << 20, true), ((4 << 20) + 1, false)] {
            fs::write(&path, "\n".repeat(bytes)).unwrap();
            assert_eq!(read(&path).is_ok(), is_read, "{bytes}");
        }
    }
}
