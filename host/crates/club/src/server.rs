//! The server of a club: its pages, and its numbers at an address of their own.

use crate::state::State;
use arena_engine::Error;
use arena_web::{END_TIME, Server, Watcher};
use axum::Router;
use std::net;
use std::pin::Pin;
use std::sync::Arc;

/// The most threads for what waits for the disk or the register. Chosen: a disk is no quicker with more of them.
const BLOCKING_THREADS_MAX: usize = 16;

/// The addresses at which a club is served.
#[derive(Debug)]
pub struct Listeners {
    /// Of the pages, and of everything that authors do.
    pub pages: net::TcpListener,
    /// Of the numbers for Prometheus; `None` when there are none.
    pub metrics: Option<net::TcpListener>,
}

impl Watcher for State {
    fn ended(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(Self::ended(self))
    }

    fn connected(&self, begins: bool) {
        if begins {
            self.metrics.connections.inc();
        } else {
            self.metrics.connections.dec();
        }
    }

    fn answered(&self, status: u16) {
        self.metrics.count_request(status);
    }
}

/// The club, for the server of its numbers: what that does is not counted.
struct Uncounted(Arc<State>);

impl Watcher for Uncounted {
    fn ended(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.0.ended())
    }
}

/// Answers requests until the club is ended.
///
/// # Errors
/// The system has no room for the server.
pub(crate) fn serve(
    listeners: &Listeners,
    state: &Arc<State>,
    pages: Router,
    metrics: Router,
    is_behind_proxy: bool,
) -> Result<(), Error> {
    let runtime = arena_resources::runtime(BLOCKING_THREADS_MAX)?;
    let cannot = |error| Error::machine("cannot answer requests", error, "close other programs");
    let pages =
        Server::new(pages, Arc::clone(state) as Arc<dyn Watcher>).behind_proxy(is_behind_proxy).logged();
    let pages = pages.serve(listeners.pages.try_clone().map_err(cannot)?);
    let of_metrics =
        listeners.metrics.as_ref().map(net::TcpListener::try_clone).transpose().map_err(cannot)?;
    let metrics = async {
        match of_metrics {
            Some(listener) => {
                Server::new(metrics, Arc::new(Uncounted(Arc::clone(state)))).serve(listener).await
            }
            None => Ok(()),
        }
    };
    let (pages, metrics) = runtime.block_on(async { tokio::join!(pages, metrics) });
    // Uploads that were cut off may still be written.
    runtime.shutdown_timeout(END_TIME);
    pages.and(metrics).map_err(cannot)
}

#[cfg(test)]
mod tests {
    use crate::club::ClubOptions;
    use crate::support::club;
    use arena_web::Watcher;

    #[test]
    fn the_numbers_say_how_many_connections_are_open() {
        let it = club(ClubOptions::default());
        let state = &it.club.state;
        for begins in [true, true, false] {
            Watcher::connected(&**state, begins);
        }
        assert_eq!(state.metrics.connections.get(), 1);
    }
}
