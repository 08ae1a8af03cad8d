//! Serving a club: its parts work at the same time.

use crate::club::{Club, House};
use crate::server::Listeners;
use crate::{admission, answers, metrics, replays, server, site, stages};
use arena_engine::{Error, Sandbox};
use std::thread;

impl Club {
    /// Answers requests, judges bots, plays and writes the pages, until it is ended.
    ///
    /// # Errors
    /// The journal cannot be read, or the system has no room for the server.
    pub fn serve(&self, listeners: &Listeners, sandbox: &Sandbox, house: &dyn House) -> Result<(), Error> {
        let state = &self.state;
        // Before the first request, which may ask for standings. The journal is closed after all who read it, so that all of it is in
        // its file then.
        let mut so_far = stages::recall(self)?;
        let (pages, metrics) = (answers::router(state), metrics::router(state));
        let served = thread::scope(|scope| {
            let serving = scope.spawn(|| {
                let served = server::serve(listeners, state, pages, metrics, self.options.is_behind_proxy);
                // Without requests, there is no club.
                state.end();
                served
            });
            scope.spawn(|| site::write_all(self, house));
            scope.spawn(|| replays::make_all(self, house));
            if self.is_over {
                state.wait_for_end();
            } else {
                scope.spawn(|| admission::judge_all(self, sandbox, house));
                stages::play_all(self, sandbox, house, &mut so_far);
            }
            state.end();
            sandbox.stop_compiling();
            serving.join()
        });
        match served {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Error::machine("cannot answer requests", error, "close other programs")),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
