//! Sandboxes for bots, and the cache of those that were compiled.

use crate::error::Error;
use arena_sandbox::{CacheOptions, CompileOptions, Compiler, Sandbox, SandboxLimits};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Starts a program that embeds the engine; call it first in `main`. Bots are compiled, and play, in confined child processes: the
/// engine starts the same program again for that, and then this call does the work of the child and does not return.
///
/// Without this call, [`sandbox`] returns an error that names it.
pub fn start() {
    arena_sandbox::compiler_main_if_asked();
    arena_sandbox::player_main_if_asked(arena_players::serve);
    arena_sandbox::component_main_if_asked(arena_loaded::serve);
}

/// A sandbox for these limits, whose bots play in confined processes, or on threads on systems other than Linux.
///
/// # Errors
/// The machine has no room for it, or the program does not begin with [`start`].
pub fn sandbox(limits: SandboxLimits, cache: Option<CacheOptions>) -> Result<Sandbox, Error> {
    let compiling = CompileOptions { compiler: Compiler::this_program()?, cache };
    let make = if cfg!(target_os = "linux") { Sandbox::with_processes } else { Sandbox::with_compiling };
    Ok(make(limits, compiling)?)
}

/// The cache of compiled bots in the user's folder for caches; `None` when the user has no such folder.
pub fn usual_cache() -> Option<CacheOptions> {
    usual_folder(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME")).map(CacheOptions::at)
}

/// The arena's folder in the user's folder for caches, by the XDG base directories. `None` when the user's home does
/// not exist.
fn usual_folder(xdg_cache_home: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let given = xdg_cache_home.map(PathBuf::from).filter(|caches| caches.is_absolute());
    let of_home = || home.map(PathBuf::from).filter(|home| home.is_absolute() && home.is_dir());
    given.or_else(|| of_home().map(|home| home.join(".cache"))).map(|caches| caches.join("arena"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiled_bots_are_kept_where_the_user_keeps_caches_if_anywhere() {
        let folder = |xdg: Option<&str>, home: Option<&str>| {
            usual_folder(xdg.map(OsString::from), home.map(OsString::from))
                .map(|path| path.to_string_lossy().into_owned())
        };
        assert_eq!(folder(Some("/caches"), Some("/")).as_deref(), Some("/caches/arena"));
        for none in [None, Some(""), Some("relative")] {
            assert_eq!(folder(none, Some("/")).as_deref(), Some("/.cache/arena"));
            for home in [None, Some(""), Some("."), Some("/there/is/no/such/home")] {
                assert_eq!(folder(none, home), None);
            }
        }
    }
}
