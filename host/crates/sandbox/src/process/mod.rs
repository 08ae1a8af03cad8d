//! Processes that play: each loads the code of some bots, confines itself, and only then runs them.
//!
//! The parent never loads the code itself: it writes it into [files in memory](code), which it seals, and which all processes
//! map, so that it takes memory once. A process for one bot answers with the bot's name and ends, in the form of a [compiling
//! child](crate::compile). A process for games says that it is ready, and from then on it runs the
//! [function](player_main_if_asked) that the program has given, with a protocol of its own through the pipes. All its output is
//! untrusted.
//!
//! ```text
//! sealed file ── mapped ──> child: engine, Landlock …, load, seccomp ── pipe ──> greeting, then a name or games
//! ```

mod child;
mod code;
mod connection;
mod parent;
mod pool;

pub use child::{Wire, component_main_if_asked, player_main_if_asked};
pub(crate) use code::CodeFile;
pub use connection::{Connection, MessageError, frame_of};
pub use parent::Process;
pub(crate) use parent::ask_name;
pub use pool::{Pool, PoolLimits, TRIES_MAX};

use crate::engine::{MEMORIES_MAX, STACK_BYTES};
use crate::limits::SandboxLimits;
use crate::watchdog;
use arena_platform::confine::ChildLimits;
use std::process::id;
use std::time::Duration;

/// The first argument of a process that is to play.
const ASK: &str = "__play";

/// The first argument of a process that is to work with a game and bots for it.
const ASK_COMPONENT: &str = "__component";

/// The memory of a process besides its code and its bots' memories, in bytes. Chosen: it takes 20 MiB.
const OWN_BYTES: u64 = 512 << 20;

/// The purpose of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It asks its one bot for its name.
    Name,
    /// It plays.
    Games,
    /// It works with components: a game, and bots for it.
    Component,
}

/// The task of a process, which it gets as its arguments.
struct Task {
    role: Role,
    /// The hash of the judges, for which the code is sealed.
    judges_hash: String,
    limits: SandboxLimits,
}

impl Task {
    fn new(role: Role, judges_hash: &str, limits: &SandboxLimits) -> Self {
        // A process plays one game at a time.
        Self {
            role,
            judges_hash: judges_hash.to_owned(),
            limits: SandboxLimits { workers: 1, ..limits.clone() },
        }
    }

    /// All arguments of a process that loads code of this length.
    fn to_args(&self, code_bytes: usize) -> Vec<String> {
        let limits = &self.limits;
        let memories = limits.bots_max().saturating_mul(MEMORIES_MAX).saturating_mul(limits.memory_bytes_max);
        let child_limits = ChildLimits {
            parent: id(),
            cpu_seconds: u64::MAX,
            address_space_bytes: u64::MAX,
            // Code counts as data of the process until it is loaded.
            data_bytes: OWN_BYTES.saturating_add(code_bytes as u64).saturating_add(memories as u64),
            stack_bytes: STACK_BYTES,
        };
        let role = match self.role {
            Role::Name => "name",
            Role::Games => "games",
            Role::Component => "component",
        };
        let task = [
            role.to_owned(),
            self.judges_hash.clone(),
            limits.memory_bytes_max.to_string(),
            limits.log_bytes_max.to_string(),
            limits.admission_fuel.to_string(),
            limits.admission_wall_clock.as_nanos().to_string(),
        ];
        let ask = if self.role == Role::Component { ASK_COMPONENT } else { ASK };
        [ask.to_owned()].into_iter().chain(child_limits.to_args()).chain(task).collect()
    }

    /// Reads the arguments after the orders.
    fn read(child_args: &[String]) -> Option<Self> {
        let [role, judges_hash, memory, log, fuel, wall_clock] = child_args else { return None };
        let role = match role.as_str() {
            "name" => Role::Name,
            "games" => Role::Games,
            "component" => Role::Component,
            _ => return None,
        };
        let limits = SandboxLimits {
            memory_bytes_max: memory.parse().ok()?,
            log_bytes_max: log.parse().ok()?,
            admission_fuel: fuel.parse().ok()?,
            admission_wall_clock: Duration::from_nanos(wall_clock.parse().ok()?),
            ..SandboxLimits::default()
        };
        Some(Self::new(role, judges_hash, &limits))
    }
}

/// The length of a component's hash in hexadecimal.
const HASH_CHARS: usize = 64;

/// The moment until which a process must be ready. Chosen: it takes some milliseconds, or a second for a hundred bots in
/// Python; a machine that needs longer is too busy for games as well.
fn ready_until() -> std::time::Instant {
    watchdog::deadline_in(Duration::from_secs(120))
}
