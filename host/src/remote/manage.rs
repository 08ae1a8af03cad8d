//! `arena workers`: shows the workers of a running contest, and edits the register.

use super::coordinate::{address_of, unusable};
use super::register;
use super::{WorkersAction, WorkersArgs, WorkersOutputForm};
use crate::console::Console;
use crate::failure::Failure;
use crate::output::WorkersOutput;
use arena_cluster::{PublicKey, Status};
use arena_text::shown;
use std::path::Path;

/// Shows the workers of a contest, or edits the register.
///
/// # Errors
/// The server is unusable, no contest with this name is being played there, or the register cannot be changed.
pub fn workers(args: &WorkersArgs, console: &mut Console) -> Result<(), Failure> {
    match (&args.action, &args.server) {
        (Some(action), _) => change(action, console),
        (None, Some(server)) => {
            let server = address_of(server, args.contest.as_deref())?;
            let status = Status::ask(&server).map_err(unusable)?;
            let output = WorkersOutput::new(&status);
            match args.output {
                WorkersOutputForm::Table => console.line(output.table())?,
                WorkersOutputForm::Json => console.document(&output.json())?,
            }
            Ok(())
        }
        (None, None) => Err(Failure::usage(
            "the address of the server is missing",
            "add it: arena workers nats://HOST:4222",
        )),
    }
}

fn change(action: &WorkersAction, console: &mut Console) -> Result<(), Failure> {
    let (file, name, what) = match action {
        WorkersAction::Admit { key, name, owner, file } => {
            let key = PublicKey::parse(key).map_err(|problem| {
                Failure::usage(problem, "copy the key that `arena worker --key FILE` prints")
            })?;
            let before = if file.exists() { register::read(file)?.0 } else { String::new() };
            if sections(&before).iter().any(|section| section.name.as_deref() == Some(name.as_str())) {
                return Err(Failure::usage(
                    format!(
                        "{}: there is a worker named {} already",
                        shown(file),
                        arena_text::line(name, 32)
                    ),
                    "give this one another name",
                ));
            }
            let text = |text: &str| toml::Value::from(text).to_string();
            let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
            let entry =
                format!("{gap}[[worker]]\nkey = \"{key}\"\nname = {}\nowner = {}\n", text(name), text(owner));
            save(file, &(before + &entry))?;
            (file, name, format!("admitted, owner {owner}"))
        }
        WorkersAction::Block { name, why, file } => {
            set_blocked(file, name, Some(why))?;
            (file, name, format!("blocked: {why}"))
        }
        WorkersAction::Unblock { name, file } => {
            set_blocked(file, name, None)?;
            (file, name, "unblocked".into())
        }
    };
    let (name, what) = (arena_text::line(name, 32), arena_text::line(&what, 300));
    console
        .note(format!("{name}: {what}; a running contest with `--admit {}` applies it at once", shown(file)));
    Ok(())
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

fn set_blocked(path: &Path, name: &str, why: Option<&str>) -> Result<(), Failure> {
    let (text, _) = register::read(path)?;
    let found = sections(&text).into_iter().find(|section| section.name.as_deref() == Some(name));
    let Some(Section { lines: [start, end], .. }) = found else {
        return Err(Failure::usage(
            format!("{}: no worker is named {}", shown(path), arena_text::line(name, 32)),
            "use a name from the file",
        ));
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
fn save(path: &Path, text: &str) -> Result<(), Failure> {
    register::parse(path, text)
        .map_err(|problem| Failure::usage(problem, "nothing was changed: check the file"))?;
    arena_files::write_whole(path, text.as_bytes()).map_err(|error| {
        let next = "nothing was changed: free disk space, or make its folder writable";
        Failure::machine(format!("cannot write {}", shown(path)), error, next)
    })
}
