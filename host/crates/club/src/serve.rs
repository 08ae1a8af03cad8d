//! Serving a club: its parts work at the same time.

use crate::club::{Club, House};
use crate::http::server;
use crate::{admission, answers, site, stages};
use arena_engine::{Error, Sandbox};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

impl Club {
    /// Answers requests, judges bots, plays and writes the pages, until it is ended.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn serve(&self, listener: &TcpListener, sandbox: &Sandbox, house: &dyn House) -> Result<(), Error> {
        let state = &self.state;
        // Before the first request, which may ask for standings.
        let past = stages::recall(self)?;
        thread::scope(|scope| {
            scope.spawn(|| {
                let answering = Arc::clone(state);
                server::serve(listener, &|| state.is_over(), move |request| {
                    answers::answer(&answering, request)
                });
            });
            scope.spawn(|| admission::judge_all(self, sandbox, house));
            scope.spawn(|| site::write_all(self, house));
            stages::play_all(self, sandbox, house, past);
            state.end();
            sandbox.stop_compiling();
            // The listener waits for a connection. If there is none, there is no listener.
            let _ = listener.local_addr().and_then(TcpStream::connect);
        });
        Ok(())
    }
}
