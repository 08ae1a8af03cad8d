//! The processes that the system lists.

use std::fs;
use std::process::Child;

/// A process as the system lists it.
pub struct Process {
    pub id: u32,
    pub parent: u32,
    pub group: u32,
    pub state: char,
}

/// All processes, also those that have ended and that nobody has waited for.
pub fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("this is Linux").map(Result::unwrap);
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(|id: u32| {
        // A process may end between these lines.
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?.chars().next()?;
        let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Process { id, parent, group, state })
    })
    .collect()
}

/// The identifiers of the processes that this one has started.
pub fn children(parent: &Child) -> Vec<u32> {
    processes().iter().filter(|process| process.parent == parent.id()).map(|process| process.id).collect()
}
