//! The measures that confine a child, and the report of those that are enforced.

use serde::{Deserialize, Serialize};

/// The longest text of a gap, in characters. Chosen: two lines of 80; all gaps together fit into a ready message.
const TEXT_CHARS_MAX: usize = 160;

/// A measure that confines a child process, which compiles or plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measure {
    /// Limits on processor time, address space, files, core dumps and open files. A child does not start without them.
    ResourceLimits,
    /// The kernel ends the child when the arena ends. A child does not start without it.
    ParentDeath,
    /// Other processes of the user cannot read the child's memory. A child does not start without it.
    PrivateMemory,
    /// A program that it might start has no more rights than itself. A child does not start without it.
    NoNewPrivileges,
    /// No inherited descriptor is open except its three pipes.
    Descriptors,
    /// All sets of capabilities are empty, also for root.
    Capabilities,
    /// Landlock: no file is opened, created or removed.
    LandlockFiles,
    /// Landlock: no TCP port can be bound or connected to.
    LandlockNetwork,
    /// Landlock: no signal to outside processes, and no connection to their abstract sockets.
    LandlockScopes,
    /// No process and no further thread is started.
    Processes,
    /// Seccomp: the kernel ends the child at a system call that it does not need.
    SystemCalls,
}

impl Measure {
    /// All measures, in the order of a report.
    pub const ALL: [Self; 11] = [
        Self::ResourceLimits,
        Self::ParentDeath,
        Self::PrivateMemory,
        Self::NoNewPrivileges,
        Self::Descriptors,
        Self::Capabilities,
        Self::LandlockFiles,
        Self::LandlockNetwork,
        Self::LandlockScopes,
        Self::Processes,
        Self::SystemCalls,
    ];

    /// The name, for messages and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::ResourceLimits => "resource-limits",
            Self::ParentDeath => "parent-death",
            Self::PrivateMemory => "private-memory",
            Self::NoNewPrivileges => "no-new-privileges",
            Self::Descriptors => "descriptors",
            Self::Capabilities => "capabilities",
            Self::LandlockFiles => "landlock-files",
            Self::LandlockNetwork => "landlock-network",
            Self::LandlockScopes => "landlock-scopes",
            Self::Processes => "processes",
            Self::SystemCalls => "seccomp",
        }
    }

    /// The effect, in a line.
    pub fn effect(self) -> &'static str {
        match self {
            Self::ResourceLimits => "limited time and memory; no files, no core dumps",
            Self::ParentDeath => "ends with the arena",
            Self::PrivateMemory => "the user's other processes cannot read it",
            Self::NoNewPrivileges => "gains no rights by starting a program",
            Self::Descriptors => "nothing is open but its three pipes",
            Self::Capabilities => "none, also as root",
            Self::LandlockFiles => "opens, creates and removes no file",
            Self::LandlockNetwork => "binds and connects no TCP socket",
            Self::LandlockScopes => "signals and connects to no process outside",
            Self::Processes => "starts no process and no further thread",
            Self::SystemCalls => "killed at a system call that it does not need",
        }
    }
}

/// The reason why a measure is not enforced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The reason, in a line.
    pub why: String,
    /// The next step for the user.
    pub next: String,
}

impl Gap {
    /// A gap with its reason and the next step. Texts that are too long are cut.
    pub(crate) fn new(why: impl AsRef<str>, next: impl AsRef<str>) -> Self {
        let cut = |text: &str| text.chars().take(TEXT_CHARS_MAX).collect();
        Self { why: cut(why.as_ref()), next: cut(next.as_ref()) }
    }
}

/// A measure, and the reason if it is not enforced.
pub(crate) type Taken = (Measure, Result<(), Gap>);

/// The report of a child: each measure that it has taken or could not take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Taken>")]
pub struct Confinement(Vec<Taken>);

impl TryFrom<Vec<Taken>> for Confinement {
    type Error = &'static str;

    /// Makes a report of the measures taken: every measure must be there, in order.
    fn try_from(taken: Vec<Taken>) -> Result<Self, Self::Error> {
        let is_whole = taken.iter().map(|(measure, _)| *measure).eq(Measure::ALL);
        if is_whole { Ok(Self(taken)) } else { Err("a report on other measures") }
    }
}

impl Confinement {
    /// Each measure, with the gap if it is not enforced.
    pub fn measures(&self) -> impl Iterator<Item = (Measure, Option<&Gap>)> {
        self.0.iter().map(|(measure, taken)| (*measure, taken.as_ref().err()))
    }

    /// The measures that are not enforced.
    pub fn gaps(&self) -> impl Iterator<Item = (Measure, &Gap)> {
        self.measures().filter_map(|(measure, gap)| Some((measure, gap?)))
    }
}
