//! Serving a club: its parts work at the same time.

use crate::club::Club;
use crate::server::Listeners;
use crate::stages::SoFar;
use crate::{admission, answers, metrics, replays, server, site, stages, visitors};
use arena_engine::{Error, Sandbox};
use arena_resources::NewThread;
use axum::Router;
use std::panic::resume_unwind;
use std::thread;

impl Club {
    /// Answers requests, judges bots, plays and writes the pages, until it is ended.
    ///
    /// # Errors
    /// The journal cannot be read, or the system has no room for the server.
    pub fn serve(&self, listeners: &Listeners, sandbox: &Sandbox) -> Result<(), Error> {
        let state = &self.state;
        // Before the first request, which may ask for standings. The journal is closed after all who read it, so that all of it is in
        // its file then.
        let mut so_far = stages::recall(self)?;
        let (pages, metrics) =
            (answers::router(state, visitors::routes(self, sandbox)), metrics::router(state));
        let served = self.serve_all(listeners, sandbox, (pages, metrics), &mut so_far);
        // They have the journal open, too.
        self.pages.close();
        served
    }

    fn serve_all(
        &self,
        listeners: &Listeners,
        sandbox: &Sandbox,
        (pages, metrics): (Router, Router),
        so_far: &mut SoFar,
    ) -> Result<(), Error> {
        let state = &self.state;
        thread::scope(|scope| {
            let serving = NewThread::named("server").start_in(scope, || {
                let served = server::serve(listeners, state, pages, metrics, self.options.is_behind_proxy);
                // Without requests, there is no club.
                state.end();
                served
            })?;
            let mut work = || -> Result<(), Error> {
                NewThread::named("pages").start_in(scope, || site::write_all(self))?;
                NewThread::named("replays").start_in(scope, || replays::make_all(self))?;
                if self.is_over {
                    state.wait_for_end();
                    return Ok(());
                }
                NewThread::named("judge").start_in(scope, || admission::judge_all(self, sandbox))?;
                stages::play_all(self, sandbox, so_far);
                Ok(())
            };
            let worked = work();
            // All parts end together, also if the system had no thread for one of them.
            state.end();
            sandbox.stop_compiling();
            worked.and(serving.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }
}
