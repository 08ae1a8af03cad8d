//! Pages on this machine, for its user.

use crate::rooms::{NoGame, Rooms};
use crate::routes::{routes, with_strict_headers};
use crate::server::{END_TIME, Server, Watcher};
use crate::table::Opponent;
use arena_record::{GameResult, Header};
use arena_referee::HostError;
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::HOST;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::watch;

/// The most threads for what waits. Chosen: a person's requests come one after the other.
const BLOCKING_THREADS_MAX: usize = 4;

/// A free port of this machine, which no other machine reaches.
pub(crate) struct Port {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
}

impl Port {
    /// Opens one.
    ///
    /// # Errors
    /// The system has none.
    pub(crate) fn open() -> Result<Self, HostError> {
        let cannot = |error| arena_resources::refused("cannot open a port of this machine", error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address })
    }

    /// Answers requests until this is true.
    ///
    /// # Errors
    /// The system has no room for the server.
    pub(crate) fn serve(&self, routes: Router, ended: &watch::Sender<bool>) -> Result<(), HostError> {
        let cannot = |error| arena_resources::refused("cannot answer requests", error);
        let runtime = arena_resources::runtime(BLOCKING_THREADS_MAX)?;
        let router = with_strict_headers(routes.layer(middleware::from_fn(for_this_machine)));
        let server = Server::new(router, Arc::new(Ending(ended.clone())));
        let listener = self.listener.try_clone().map_err(cannot)?;
        let served = runtime.block_on(server.serve(listener));
        runtime.shutdown_timeout(END_TIME);
        served.map_err(cannot)
    }
}

/// A page on this machine, on which its user plays against a bot.
pub struct LocalPage {
    port: Port,
    rooms: Arc<Rooms>,
    secret: String,
}

impl LocalPage {
    /// The page of a first game against an opponent, at a free port of this machine that no other machine reaches.
    ///
    /// # Errors
    /// The system has no port, or no thread for the game.
    pub fn open(opponent: Opponent) -> Result<Self, HostError> {
        let port = Port::open()?;
        let rooms = Arc::new(Rooms::of_user());
        let secret = rooms.begin(opponent, port.address.ip()).map_err(|no_game| match no_game {
            NoGame::Host(error) => error,
            other => HostError::Defect(format!("a game was refused: {other:?}").into()),
        })?;
        Ok(Self { port, rooms, secret })
    }

    /// Its address. The secret in it keeps other users of this machine out.
    pub fn address(&self) -> String {
        format!("http://{}/play/{}/", self.port.address, self.secret)
    }

    /// A function that ends [`serve`](Self::serve) from any thread.
    pub fn end(&self) -> impl FnOnce() + Send + 'static {
        let rooms = Arc::clone(&self.rooms);
        move || rooms.end()
    }

    /// Answers requests until it is ended. Returns the latest games that have a result.
    ///
    /// # Errors
    /// The system has no room for the server.
    pub fn serve(&self) -> Result<Vec<(Header, GameResult)>, HostError> {
        self.port.serve(routes(&self.rooms), &self.rooms.ended)?;
        Ok(self.rooms.results())
    }
}

/// The end of a page on this machine, which is true when it has come.
struct Ending(watch::Sender<bool>);

impl Watcher for Ending {
    fn ended(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let mut ended = self.0.subscribe();
        Box::pin(async move {
            // The sender is there as long as this is.
            let _ = ended.wait_for(|ended| *ended).await;
        })
    }
}

/// Answers only requests for this machine by its own name: another site may have given the machine a name of that site.
async fn for_this_machine(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    match name {
        "127.0.0.1" | "localhost" => next.run(request).await,
        _ => {
            (StatusCode::MISDIRECTED_REQUEST, "This page is for the user of this machine.\n").into_response()
        }
    }
}
