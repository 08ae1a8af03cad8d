//! The areas of address space that glibc's allocator reserves for threads.

use rustix::process::{Resource, getrlimit};
use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The limit on address space below which threads share one area. Chosen: without a limit, two jobs reserve some 600 MiB.
const ROOM_BYTES: u64 = 1 << 30;

/// The variable with the settings of glibc, which it reads when a program starts.
const TUNABLES: &str = "GLIBC_TUNABLES";

/// Starts this program anew in the same process if its address space is limited, so that all threads share one area of it. Call it first,
/// before there are threads.
///
/// Usually each thread reserves 64 MiB. If there is no room, each allocation asks the system again. Measured with `ulimit -v` of 100 MB: a
/// report of 20,000 games took over a minute or was aborted, and takes 0.4 s so.
pub fn share_memory_if_limited() {
    let is_limited = getrlimit(Resource::As).current.is_some_and(|bytes| bytes < ROOM_BYTES);
    let (mut args, program) = (env::args_os(), env::current_exe());
    if is_limited
        && env::var_os(TUNABLES).is_none()
        && let (Some(name), Ok(program)) = (args.next(), program)
    {
        // If that fails, the program goes on as it is.
        let _ = Command::new(program).arg0(name).args(args).env(TUNABLES, "glibc.malloc.arena_max=1").exec();
    }
}
