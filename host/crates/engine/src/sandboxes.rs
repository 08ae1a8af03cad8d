//! Sandboxes for bots, and the cache of those that were compiled.

use crate::error::Error;
use arena_platform::folders;
use arena_sandbox::{CacheOptions, CompileOptions, Compiler, Sandbox, SandboxLimits};

/// Starts a program that embeds the engine; call it first in `main`. Bots are compiled, and play, in confined child processes: the
/// engine starts the same program again for that, and then this call does the work of the child and does not return.
///
/// Without this call, [`sandbox`] returns an error that names it.
pub fn start() {
    arena_sandbox::compiler_main_if_asked();
    arena_sandbox::player_main_if_asked(arena_players::serve);
    arena_sandbox::component_main_if_asked(arena_loaded::serve);
}

/// A sandbox for these limits, whose bots play in processes of their own. Linux confines them.
///
/// # Errors
/// The machine has no room for it, or the program does not begin with [`start`].
pub fn sandbox(limits: SandboxLimits, cache: Option<CacheOptions>) -> Result<Sandbox, Error> {
    let compiling = CompileOptions { compiler: Compiler::this_program()?, cache };
    Ok(Sandbox::with_processes(limits, compiling)?)
}

/// The cache of compiled bots in the user's folder for caches; `None` when the user has no such folder.
pub fn usual_cache() -> Option<CacheOptions> {
    folders::of_caches().map(|caches| CacheOptions::at(caches.join("arena")))
}
