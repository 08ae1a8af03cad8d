//! The processes that the system lists.

use arena_testkit::wait_for;
use std::fs;
use std::process::Child;

/// The processor time of a process that has played for a while, in ticks of the system. Chosen: starting takes one at most.
pub const BUSY_TICKS: u64 = 3;

/// A process as the system lists it.
pub struct Process {
    pub id: u32,
    pub parent: u32,
    pub group: u32,
    pub state: char,
}

/// All processes, including zombies.
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
    children_of(parent.id())
}

/// The identifiers of the processes that the one with this identifier has started.
pub fn children_of(parent: u32) -> Vec<u32> {
    processes().iter().filter(|process| process.parent == parent).map(|process| process.id).collect()
}

/// A process that the arena has started to play, has played for a while, and is not one of these; `None` when the
/// arena has ended. One that compiles a bot is not meant: killing it is another fault, with another answer.
pub fn busy(arena: u32, except: &[u32]) -> Option<u32> {
    busy_for(BUSY_TICKS, arena, except)
}

/// The same with another processor time, in ticks.
pub fn busy_for(ticks_min: u64, arena: u32, except: &[u32]) -> Option<u32> {
    let has_ended =
        || fs::read_to_string(format!("/proc/{arena}/stat")).map_or(true, |stat| stat.contains(") Z "));
    let is_busy = |id: &u32| plays(*id) && ticks(*id).is_some_and(|ticks| ticks >= ticks_min);
    let found = wait_for(|| match has_ended() {
        true => Some(None),
        false => children_of(arena).into_iter().filter(|id| !except.contains(id)).find(is_busy).map(Some),
    });
    found.expect("a process plays")
}

/// Kills this number of processes that the arena has started to play, one after another, each after it has played for a while.
#[track_caller]
pub fn kill_busy(arena: u32, number: usize) {
    let mut killed = Vec::new();
    while killed.len() < number {
        let victim = busy(arena, &killed).expect("it plays for longer than that");
        kill(victim);
        killed.push(victim);
    }
}

/// True if a process was started to play.
fn plays(id: u32) -> bool {
    let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    command.split(|&byte| byte == 0).any(|argument| argument == b"__play")
}

/// The processor time of a process; `None` when it has ended.
fn ticks(id: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let times = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    times.map(|field| field.parse::<u64>().ok()).sum()
}

/// Ends a process at once, if it has not ended by itself.
pub fn kill(id: u32) {
    let id = rustix::process::Pid::from_raw(i32::try_from(id).expect("a number")).expect("not zero");
    // One that has ended meanwhile cannot be ended.
    let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
}

/// True if a process has machine code in its memory that is in no file: that of a bot.
pub fn has_code(id: u32) -> bool {
    let maps = fs::read_to_string(format!("/proc/{id}/maps")).unwrap_or_default();
    maps.lines().any(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_in_no_file = fields.get(5).is_none_or(|file| file.starts_with("/memfd:"));
        fields[1].contains('x') && is_in_no_file
    })
}
