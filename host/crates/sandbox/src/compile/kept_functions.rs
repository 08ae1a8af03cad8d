//! The compiled functions of the engine in a bot, such as the interpreter of its language: when they are compiled, and kept for the
//! other bots with the same engine.

use super::ending::Ending;
use super::seal::{Key, Kind, Sealed};
use super::work::Work;
use super::{CachedCompiler, Slot};
use crate::digest;
use crate::limits::CompileBudget;
use crate::refusal::{Refusal, RefusalKind};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{MutexGuard, PoisonError};

/// The size of a component, and of its skeleton, from which on compiled functions are cached for other components with the same
/// skeleton, in bytes. Chosen: code of this size takes 5 s to compile, and contains an interpreter.
const LARGE_BYTES: usize = 4_000_000;

/// The size from which on functions are cached when a skeleton is seen for the second time, in bytes. Chosen: QuickJS has 1.6 MB, and it
/// is the same in each bot. A bot in Go has 2 MB, but another skeleton after each edit, so that caching it would only cost time.
const MEDIUM_BYTES: usize = 1_000_000;

/// The cache entry of a skeleton that was seen once.
const SEEN: &[u8] = b"seen";

/// The allowance for compiling functions for the cache, in allowances of a component. The compiler runs twice: it compiles the
/// functions, and then finds them in its output. Chosen: the second run takes at most as long as the first.
const FUNCTIONS_ALLOWANCES: u64 = 2;

impl CachedCompiler {
    /// The compiled functions of a large component's skeleton, from the cache or from a child that sees only the skeleton. They only
    /// save time, so any failure returns `None`. The failure is noted, and not tried again if it would happen again.
    ///
    /// The child that finds the skeleton may be controlled by the component. Then the functions are those of another skeleton, but
    /// still compiled from that skeleton only.
    pub(super) fn functions(
        &self,
        program: &Path,
        args: &[OsString],
        budget: &CompileBudget,
        key: &Key,
        component: &[u8],
        slot: &mut Slot<'_>,
    ) -> Option<Sealed> {
        let is_worth_it = component.len() >= MEDIUM_BYTES && self.cache_trouble.get().is_none();
        let cache = self.cache.as_ref().filter(|_| is_worth_it)?;
        let task = self.task(program, args, budget, Work::Skeleton, key, vec![component]);
        let skeleton = task.run(slot).made(Kind::Skeleton)?;
        let skeleton = skeleton.contents();
        if skeleton.len() < MEDIUM_BYTES {
            return None;
        }
        let key = Key::new(&digest::sha256(skeleton), &self.judges_hash);
        if skeleton.len() < LARGE_BYTES && cache.load(&key, Kind::Time, 0).is_none() {
            self.keep(&key, &Sealed::new(&key, Kind::Time, SEEN.to_vec()));
            return None;
        }
        if let Some(kept) = cache.load(&key, Kind::Functions, budget.artifact_bytes) {
            return Some(kept);
        }
        let cpu_seconds = budget.cpu_seconds.saturating_mul(FUNCTIONS_ALLOWANCES);
        let budget = budget.clone().with_cpu_seconds(cpu_seconds);
        let refusal_key = Key::new(&digest::sha256(skeleton), &self.refusals_hash(&budget));
        if let Some(refusal) = self.kept_refusal(&refusal_key) {
            self.note_functions(&refusal.message);
            return None;
        }
        let is_new = self.compiling().insert(key.text().to_owned());
        if !is_new {
            // Waiting for them would occupy a slot that others need, perhaps the one that compiles them.
            return None;
        }
        let task = self.task(program, args, &budget, Work::Functions, &key, vec![skeleton]);
        let made = match task.run(slot) {
            Ending::Made(functions) if functions.kind() == Kind::Functions => {
                self.keep(&key, &functions);
                Some(functions)
            }
            Ending::Abandoned => None,
            ending => {
                let may_pass = ending.may_pass();
                let why = ending.why_not(&budget);
                if !may_pass {
                    let refusal = Refusal::new(RefusalKind::CompileLimits, &why, "");
                    self.keep_refusal(&refusal_key, &refusal);
                }
                self.note_functions(&why);
                None
            }
        };
        self.compiling().remove(key.text());
        made
    }

    fn note_functions(&self, why: &str) {
        // Only the first problem is reported.
        let _ = self.functions_trouble.set(format!(
            "the functions of a bot's engine are not kept in {}: {why}; each edit of the bot compiles all of them again",
            self.cache_dir
        ));
    }

    fn compiling(&self) -> MutexGuard<'_, HashSet<String>> {
        self.compiling.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
