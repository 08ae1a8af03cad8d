//! The bounds of what a journal may hold. They bound the time and memory that a hostile file can cost. Every one is far
//! beyond what a run writes.

/// The most bots of a season. Chosen: a thousand teams with sixty versions each.
pub const BOTS_MAX: usize = 65_536;

/// The most bots of a stage. Chosen: the largest number that a machine takes from a server in one tournament.
pub const ENTRANTS_MAX: usize = 4_096;

/// The most stages of a season. Chosen: as many as bots, because a club plays some for each version.
pub const STAGES_MAX: usize = 65_536;

/// The longest settings of a stage, in bytes. Chosen: a hundred times the longest that the arena writes.
pub const SETTINGS_BYTES_MAX: usize = 16 << 10;

/// The largest transcript, in bytes; a damaged journal may claim any size. Chosen: the longest game of a component has 20,000 turns, each
/// with a fault of up to 5 KB, and 16 MiB of text, which JSON may double; the longest built-in game has a hundredth of it.
pub const TRANSCRIPT_BYTES_MAX: u64 = 128 << 20;

/// The most faults of all games together. Chosen: sums of them fit 32 bits, and ten million games in which both bots fail in
/// every turn have fewer.
pub const FAULTS_MAX: u64 = u32::MAX as u64;

/// The most turns of a game. Chosen: those that the largest transcript can have, each in a line of 15 bytes, a fifth of the shortest one.
pub(crate) const TURNS_MAX: u64 = TRANSCRIPT_BYTES_MAX / 15;
