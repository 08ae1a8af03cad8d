//! What a compiling child does to itself before anything else.

use rustix::process::{self, DumpableBehavior, Pid, Resource, Rlimit, Signal};
use rustix::{io, thread};

/// Open files of the child. Chosen: it needs the three that it begins with, and threads look into `/proc` for one.
const FILES_MAX: u64 = 16;

/// What a child is told by its arguments.
pub(super) struct Orders {
    /// The process that waits for it.
    pub(super) parent: i32,
    pub(super) cpu_seconds_max: u64,
    pub(super) address_space_bytes_max: u64,
    pub(super) stack_bytes_max: usize,
}

impl Orders {
    /// As arguments.
    pub(super) fn words(&self) -> [String; 4] {
        [
            self.parent.to_string(),
            self.cpu_seconds_max.to_string(),
            self.address_space_bytes_max.to_string(),
            self.stack_bytes_max.to_string(),
        ]
    }

    /// From arguments, as [`words`](Self::words) gives them.
    pub(super) fn read(words: &[String]) -> Option<Self> {
        let [parent, cpu, address_space, stack] = words else { return None };
        Some(Self {
            parent: parent.parse().ok()?,
            cpu_seconds_max: cpu.parse().ok()?,
            address_space_bytes_max: address_space.parse().ok()?,
            stack_bytes_max: stack.parse().ok()?,
        })
    }

    /// Confines this process, or says what cannot be done and what to do about it.
    pub(super) fn obey(&self) -> Result<(), String> {
        die_with(self.parent)?;
        // A second more than the signal that ends it comes at, for a process that was started with that signal ignored.
        limit(
            "processor time",
            "-t",
            Resource::Cpu,
            self.cpu_seconds_max,
            self.cpu_seconds_max.saturating_add(1),
        )?;
        let bytes = self.address_space_bytes_max;
        limit("virtual memory", "-v", Resource::As, bytes, bytes)?;
        for (what, resource, most) in [
            ("the size of core files", Resource::Core, 0),
            // All that it writes goes into pipes.
            ("the size of files", Resource::Fsize, 0),
            ("open files", Resource::Nofile, FILES_MAX),
        ] {
            let most = process::getrlimit(resource).maximum.map_or(most, |allowed| allowed.min(most));
            limit(what, "", resource, most, most)?;
        }
        process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
            .map_err(|error| cannot("keep its memory to itself", error))?;
        thread::set_no_new_privs(true).map_err(|error| cannot("give up new privileges", error))
    }
}

/// Sees to it that this process does not outlive its parent.
fn die_with(parent: i32) -> Result<(), String> {
    process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| cannot("ask to be ended with its parent", error))?;
    // The parent may have ended before that, and somebody else be the parent now.
    if process::getppid().map(Pid::as_raw_pid) == Some(parent) {
        Ok(())
    } else {
        Err("its parent is gone".into())
    }
}

fn limit(what: &str, option: &str, resource: Resource, soft: u64, hard: u64) -> Result<(), String> {
    process::setrlimit(resource, Rlimit { current: Some(soft), maximum: Some(hard) }).map_err(|error| {
        let lift = match option {
            "" => String::new(),
            option => {
                format!("; lift the limit of the shell that starts the arena: `ulimit {option} unlimited`")
            }
        };
        cannot(&format!("limit {what}"), error) + &lift
    })
}

fn cannot(what: &str, error: io::Errno) -> String {
    format!("it cannot {what}: {error}")
}
