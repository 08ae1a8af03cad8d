//! The limits of this process on threads, files and memory, and how much of each is used.
//!
//! They are read only after the system has refused something.

#[cfg(unix)]
mod unix;

/// A limit and what is used of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// What is used.
    pub now: u64,
    /// The limit.
    pub max: u64,
}

impl Used {
    /// True if so much of it is used that it is the likely reason for a refusal. Some threads may have ended since then, so a
    /// sixteenth may be free, and eight in any case. Chosen: a command starts that many in the moment in which one is refused.
    pub fn is_near(self) -> bool {
        self.max.saturating_sub(self.now) <= (self.max / 16).max(8)
    }
}

/// The limits. `None` where there is none, or the system does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The open files of this process.
    pub files: Option<u64>,
    /// The threads of this user, as far as they can be seen. Root has no such limit.
    pub user: Option<Used>,
    /// The threads of the control group of this process, or of the fullest one above it.
    pub group: Option<Used>,
    /// The threads of the machine.
    pub machine: Option<Used>,
    /// The address space of this process, in bytes.
    pub address_space: Option<Used>,
    /// The data of this process, in bytes.
    pub data: Option<Used>,
}

impl Limits {
    /// The limits as they are now. Windows reports none.
    pub fn read() -> Self {
        #[cfg(unix)]
        return unix::read();
        #[cfg(windows)]
        Self::default()
    }
}

/// Raises the limit on open files of this process to its maximum, where there is one. If that fails, fewer files can be open, and the
/// message about the first one too many says so.
pub fn allow_many_files() {
    #[cfg(unix)]
    unix::allow_many_files();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_near_when_a_command_could_reach_it() {
        for (now, max, is_near) in [
            (3, 12, false),
            (4, 12, true),
            (12, 12, true),
            (14, 12, true),
            (900, 1_000, false),
            (950, 1_000, true),
        ] {
            assert_eq!(Used { now, max }.is_near(), is_near, "{now} of {max}");
        }
    }
}
