//! The limits of a worker: what its owner gives to the contest of a coordinator, who may be a stranger.

use crate::message::Manifest;
use arena_text::counted;
use serde::{Deserialize, Serialize};

const MIB: u64 = 1 << 20;

/// The number of bots that play a game.
const BOTS_PER_GAME: u64 = 2;

/// What a worker gives to a contest at most. Both sides check it: the coordinator, so that its organiser learns of it, and the worker,
/// because a coordinator need not be honest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerLimits {
    /// The memory of one bot, in bytes.
    pub bot_memory_bytes: u64,
    /// The memory of all bots that play at the same time, in bytes.
    pub memory_bytes: u64,
    /// The size of all components of a contest together, in bytes.
    pub component_bytes: u64,
}

/// The memory that all bots get where that of the machine is unknown, in bytes. Chosen: half of a small machine's.
const USUAL_MEMORY_BYTES: u64 = 2 << 30;

impl WorkerLimits {
    /// The memory for all bots unless the worker's owner chooses another: half of this machine's.
    pub fn usual_memory_bytes() -> u64 {
        arena_platform::machine::memory_bytes().map_or(USUAL_MEMORY_BYTES, |all| all / 2)
    }

    /// The first limit that a contest exceeds on a worker with this number of jobs, as a sentence for both sides; `None` when it keeps
    /// all of them.
    pub(crate) fn exceeded_by(&self, manifest: &Manifest, jobs: u16) -> Option<String> {
        let of_bot = manifest.memory_bytes;
        let of_all = of_bot.saturating_mul(BOTS_PER_GAME).saturating_mul(jobs.into());
        let components = manifest.bots.iter().chain(&manifest.game);
        let of_components = components.fold(0_u64, |sum, component| sum.saturating_add(component.bytes));
        let sentence = |what: &str, wanted: u64, allowed: u64, options: &str| {
            let wanted = wanted.div_ceil(MIB);
            format!(
                "the contest needs {wanted} MiB {what}, and the worker allows {} MiB: its owner can start it with {options} {wanted}",
                allowed / MIB
            )
        };
        if of_bot > self.bot_memory_bytes {
            let what = "of memory for a bot";
            return Some(sentence(what, of_bot, self.bot_memory_bytes, "--bot-memory"));
        }
        if of_all > self.memory_bytes {
            let games = counted(usize::from(jobs), "game");
            let what = format!("of memory for the bots of {games} at the same time");
            return Some(sentence(&what, of_all, self.memory_bytes, "fewer --jobs, or with --memory"));
        }
        if of_components > self.component_bytes {
            return Some(sentence("of components", of_components, self.component_bytes, "--components"));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::BotEntry;

    const LIMITS: WorkerLimits =
        WorkerLimits { bot_memory_bytes: 256 * MIB, memory_bytes: 1_024 * MIB, component_bytes: 100 * MIB };

    fn component(bytes: u64) -> BotEntry {
        BotEntry { sha256: "aa".into(), bytes }
    }

    /// The sentence about a contest with this memory for a bot, two bots of `component_bytes` in all, and a game of no bytes.
    fn sentence(memory_bytes: u64, jobs: u16, component_bytes: u64) -> String {
        let bots = vec![component(component_bytes - 1), component(1)];
        let manifest = Manifest::new(b"", serde_json::Value::Null, memory_bytes, bots);
        LIMITS.exceeded_by(&manifest.with_game(Some(component(0))), jobs).unwrap_or_default()
    }

    #[test]
    fn a_contest_may_use_a_limit_up_to_the_last_byte() {
        assert_eq!(sentence(256 * MIB, 2, 100 * MIB), "");
        assert_eq!(sentence(64 * MIB, 8, MIB), "");
    }

    #[test]
    fn a_bot_with_more_memory_is_refused() {
        let expected = "the contest needs 4096 MiB of memory for a bot, and the worker allows 256 MiB: its owner can start it with \
                        --bot-memory 4096";
        assert_eq!(sentence(4_096 * MIB, 1, MIB), expected);
        assert!(sentence(256 * MIB + 1, 1, MIB).contains("needs 257 MiB of memory for a bot"));
    }

    #[test]
    fn more_memory_of_all_bots_is_refused() {
        let expected = "the contest needs 1152 MiB of memory for the bots of 9 games at the same time, and the worker allows 1024 MiB: \
                        its owner can start it with fewer --jobs, or with --memory 1152";
        assert_eq!(sentence(64 * MIB, 9, MIB), expected);
        assert!(!sentence(256 * MIB, 3, MIB).is_empty());
    }

    #[test]
    fn larger_components_are_refused_with_the_game_counted() {
        assert!(sentence(MIB, 1, 100 * MIB + 1).contains("needs 101 MiB of components"));
        let manifest = Manifest::new(b"", serde_json::Value::Null, MIB, vec![component(100 * MIB)]);
        assert_eq!(LIMITS.exceeded_by(&manifest, 1), None);
        let with_game = manifest.with_game(Some(component(1)));
        assert!(LIMITS.exceeded_by(&with_game, 1).is_some());
    }

    #[test]
    fn no_contest_overflows_the_sums() {
        let bots = vec![component(u64::MAX), component(u64::MAX)];
        let manifest = Manifest::new(b"", serde_json::Value::Null, u64::MAX, bots);
        assert!(LIMITS.exceeded_by(&manifest, u16::MAX).is_some());
        let most =
            WorkerLimits { bot_memory_bytes: u64::MAX, memory_bytes: u64::MAX, component_bytes: u64::MAX };
        assert_eq!(most.exceeded_by(&manifest, u16::MAX), None);
    }
}
