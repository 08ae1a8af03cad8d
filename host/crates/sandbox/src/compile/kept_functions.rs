//! The compiled functions of the engine in a bot, such as the interpreter of its language: when they are compiled, and kept for the
//! other bots with the same engine.

use super::ending::Ending;
use super::seal::{Key, Kind, Sealed};
use super::work::Work;
use super::{CachedCompiler, CompileTime, Slot};
use crate::digest;
use crate::limits::CompileBudget;
use crate::refusal::{Refusal, RefusalKind};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{MutexGuard, PoisonError};

/// The cache entry of a skeleton that was seen once.
const SEEN: &[u8] = b"seen";

/// The part of a component's allowance up to which judging it with the functions of an earlier build may take. Chosen: a tenth; honest
/// components need a quarter of it without functions.
const PROJECT_SHARE: u32 = 10;

/// Functions to compile a component with.
pub(super) struct Found {
    functions: Sealed,
    /// True if they were compiled for an earlier build in the same project, and not for the skeleton of the component.
    pub(super) are_of_project: bool,
}

impl Found {
    pub(super) fn contents(&self) -> &[u8] {
        self.functions.contents()
    }
}

/// The allowance for compiling functions for the cache, in allowances of a component. The compiler runs twice: it compiles the
/// functions, and then finds them in its output. Chosen: the second run takes at most as long as the first.
const FUNCTIONS_ALLOWANCES: u64 = 2;

impl CachedCompiler {
    /// The compiled functions of a large component's skeleton, from the cache or from a child that sees only the skeleton. They only
    /// save time, so any failure returns `None`. The failure is noted, and not tried again if it would happen again.
    ///
    /// The child that finds the skeleton may be controlled by the component. Then the functions are those of another skeleton, but
    /// still compiled from that skeleton only.
    ///
    /// In a project, the functions of an earlier build are used if this skeleton has none. That build may have controlled the child
    /// that compiled them. So what is made with them must not be kept for others.
    pub(super) fn functions(
        &self,
        budget: &CompileBudget,
        key: &Key,
        component: &[u8],
        slot: &mut Slot<'_>,
    ) -> Option<Found> {
        let shared = |functions| Found { functions, are_of_project: false };
        let is_worth_it = component.len() >= self.medium_bytes && self.cache_trouble.get().is_none();
        let cache = self.cache.as_ref().filter(|_| is_worth_it)?;
        let (program, args) = self.program().ok()?;
        let task = self.task(program, args, budget, Work::Skeleton, key, vec![component]);
        let skeleton = task.run(slot).made(Kind::Skeleton)?;
        let skeleton = skeleton.contents();
        if skeleton.len() < self.medium_bytes {
            return None;
        }
        let key = Key::new(&digest::sha256(skeleton), &self.judges_hash);
        if let Some(kept) = cache.load(&key, Kind::Functions, budget.artifact_bytes) {
            return Some(shared(kept));
        }
        let project = self.project_key();
        if let Some(project) = &project {
            let skeleton = cache.load(project, Kind::Time, 0).and_then(|kept| Key::read(kept.contents()));
            let earlier = skeleton.and_then(|key| cache.load(&key, Kind::Functions, budget.artifact_bytes));
            if let Some(functions) = earlier {
                return Some(Found { functions, are_of_project: true });
            }
        } else if skeleton.len() < self.large_bytes && cache.load(&key, Kind::Time, 0).is_none() {
            self.keep(&key, &Sealed::new(&key, Kind::Time, SEEN.to_vec()));
            return None;
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
                if let Some(project) = &project {
                    self.keep(project, &Sealed::new(project, Kind::Time, key.text().into()));
                }
                Some(shared(functions))
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

    /// The key of the entry that names the skeleton with the functions of the project, if builds of a project are admitted.
    fn project_key(&self) -> Option<Key> {
        let hash = |project: &PathBuf| digest::sha256(project.as_os_str().as_encoded_bytes());
        self.project.as_ref().map(|project| Key::new(&hash(project), &self.judges_hash_with("project")))
    }

    /// Has the functions of the next build compiled, if those of an earlier build have helped too little.
    pub(super) fn renew_functions(&self, time: &CompileTime) {
        let project = self.project_key().filter(|_| time.used * PROJECT_SHARE > time.allowed);
        if let (Some(cache), Some(project)) = (&self.cache, project) {
            cache.forget(&project, Kind::Time);
        }
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
