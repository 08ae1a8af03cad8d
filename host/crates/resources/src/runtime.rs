//! Runtimes of tokio. tokio starts threads for what waits for the disk or for names, and panics if it gets no first one.

use crate::refused;
use arena_platform::machine::NOWHERE;
use arena_platform::refusals::Reason;
use arena_referee::HostError;
use std::io;
use std::time::Duration;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::runtime::{Builder, Runtime};

/// The time that a thread without work stays: as long as the process.
const ALWAYS: Duration = Duration::from_secs(1 << 30);

/// A runtime on the calling thread, with at most this number of threads for what waits for the disk or for names. It has the first of
/// them already, which stays as long as the runtime: if the system gives no further thread, tokio goes on with those that it has.
///
/// # Errors
/// The system has no room for it.
#[expect(clippy::disallowed_methods, reason = "this is where runtimes are made")]
pub fn runtime(threads_max: usize) -> Result<Runtime, HostError> {
    let mut builder = Builder::new_current_thread();
    builder.enable_all().max_blocking_threads(threads_max).thread_keep_alive(ALWAYS);
    let no_room = |error: io::Error| refused("cannot prepare for connections", error);
    let runtime = builder.build().map_err(no_room)?;
    runtime.block_on(start_thread()).map_err(no_room)?;
    Ok(runtime)
}

/// Has tokio start a thread. Of all its functions that need one, only writing to a file returns an error if there is none.
async fn start_thread() -> io::Result<()> {
    let nowhere = std::fs::OpenOptions::new().write(true).open(NOWHERE)?;
    // tokio's error does not have the system's number. It is always this one.
    let no_thread = |_| io::Error::from(Reason::Threads);
    let mut nowhere = File::from_std(nowhere);
    nowhere.write_all(&[0]).await.map_err(no_thread)?;
    nowhere.flush().await.map_err(no_thread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_has_a_thread_for_what_waits_from_the_beginning_and_keeps_it() {
        let runtime = runtime(1).unwrap();
        let id = || std::thread::current().id();
        let first =
            runtime.block_on(runtime.spawn(async move { tokio::task::spawn_blocking(id).await })).unwrap();
        let second =
            runtime.block_on(runtime.spawn(async move { tokio::task::spawn_blocking(id).await })).unwrap();
        assert_eq!(first.unwrap(), second.unwrap());
        assert_eq!(runtime.metrics().num_alive_tasks(), 0);
    }
}
