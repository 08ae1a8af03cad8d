//! The connections of the server: hyper answers them, with limits against slow clients and too many of them.
//!
//! Each connection has one request, so no proxy can disagree with the server about where a second one begins.

use crate::clients::{Client, ClientSlot, Clients, forwarded};
use arena_text::Line;
use axum::Router;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::{self, IpAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// The most connections at a time; further ones wait. Chosen: half of the descriptors that a process usually has.
const CONNECTIONS_MAX: u32 = 512;

/// The most connections of a client; further ones are refused. Chosen: a quarter, so that it takes four clients to keep others waiting,
/// and a room of people behind one address has enough.
const CLIENT_CONNECTIONS_MAX: u32 = 128;

/// The time after which a client that was refused may try again, in seconds. Chosen: a page takes less.
const RETRY_SECONDS: u16 = 5;

/// The time in which a head has to arrive. Chosen: ten times the round trip of a bad connection.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The longest head, in bytes. Chosen: four times what browsers send.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// The most headers. Chosen: three times what browsers send.
const HEADERS_MAX: usize = 64;

/// The longest pause of a client that reads its answer. Chosen: as for a head.
const READ_PAUSE_MAX: Duration = Duration::from_secs(10);

/// The longest connection. Chosen: an upload, its verdict and a journal of some hundred megabytes.
const CONNECTION_TIME: Duration = Duration::from_secs(900);

/// The time in which what a client sends after its answer is read and dropped, so that the answer is not lost. Chosen: an answer
/// arrives in that time.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// The time for the requests in progress when the server ends. Chosen: an upload that waits for its verdict is answered at once.
pub const END_TIME: Duration = Duration::from_secs(3);

/// Somebody who is told about the connections of a server, and who ends it.
pub trait Watcher: Send + Sync + 'static {
    /// Returns when the server is to end.
    fn ended(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// A connection begins or ends.
    fn connected(&self, _begins: bool) {}

    /// A request was answered with this status.
    fn answered(&self, _status: u16) {}
}

/// What is answered at an address.
#[derive(Clone)]
pub struct Server {
    router: Router,
    clients: Clients,
    is_behind_proxy: bool,
    is_logged: bool,
    watcher: Arc<dyn Watcher>,
}

impl Server {
    /// A server with these answers.
    pub fn new(router: Router, watcher: Arc<dyn Watcher>) -> Self {
        let clients = Clients::new(CLIENT_CONNECTIONS_MAX);
        Self { router, clients, is_behind_proxy: false, is_logged: false, watcher }
    }

    /// The same behind a proxy, if this is true: it sends all requests, and adds the addresses of its clients.
    #[must_use]
    pub fn behind_proxy(self, is_behind_proxy: bool) -> Self {
        Self { is_behind_proxy, ..self }
    }

    /// The same with a log of its requests.
    #[must_use]
    pub fn logged(self) -> Self {
        Self { is_logged: true, ..self }
    }

    /// Answers the requests that come to a listener, until the watcher ends it.
    ///
    /// # Errors
    /// The system has no room for it.
    pub async fn serve(self, listener: net::TcpListener) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX as usize));
        let watcher = Arc::clone(&self.watcher);
        let mut ended = watcher.ended();
        loop {
            let next = async {
                let place = Arc::clone(&places).acquire_owned().await;
                (place, listener.accept().await)
            };
            let (place, accepted) = tokio::select! {
                next = next => next,
                () = &mut ended => break,
            };
            let Ok((stream, peer)) = accepted else {
                // The process has no descriptors left: some connections end within seconds.
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let peer = peer.ip();
            // Those of a proxy are known by their requests.
            let of_client = (!self.is_behind_proxy).then(|| self.clients.enter(peer));
            if matches!(of_client, Some(None)) {
                self.refuse(&stream, peer);
                continue;
            }
            let server = self.clone();
            tokio::spawn(async move {
                server.watcher.connected(true);
                // A client that goes away needs no answer.
                let _ = timeout(CONNECTION_TIME, server.converse(stream, peer, of_client.flatten())).await;
                server.watcher.connected(false);
                drop(place);
            });
        }
        drop(listener);
        // All places are free when the last request has its answer.
        let _ = timeout(END_TIME, places.acquire_many(CONNECTIONS_MAX)).await;
        Ok(())
    }

    /// Refuses a connection of a client that has too many, without waiting for its request.
    fn refuse(&self, stream: &TcpStream, peer: IpAddr) {
        let answer = format!(
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: {RETRY_SECONDS}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        // It need not arrive.
        let _ = stream.try_write(answer.as_bytes());
        self.watcher.answered(StatusCode::SERVICE_UNAVAILABLE.as_u16());
        if self.is_logged {
            tracing::debug!(client = %peer, status = 503, "connection refused");
        }
    }

    async fn converse(
        &self,
        stream: TcpStream,
        peer: IpAddr,
        of_client: Option<ClientSlot>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        stream.set_nodelay(true)?;
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(READ_PAUSE_MAX));
        // The client's place is taken until the connection ends, because an answer may be long.
        let of_client = Mutex::new(of_client);
        let answering = service_fn(|request| self.answer(request, peer, &of_client));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_header_size(HEAD_BYTES_MAX)
            .max_headers(HEADERS_MAX)
            .keep_alive(false)
            .serve_connection(TokioIo::new(Box::pin(stream)), answering);
        let mut stream = connection.without_shutdown().await?.io.into_inner();
        stream.shutdown().await?;
        timeout(LINGER_TIME, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await??;
        Ok(())
    }

    /// Answers a request, and counts and logs it.
    async fn answer(
        &self,
        mut request: Request<Incoming>,
        peer: IpAddr,
        of_client: &Mutex<Option<ClientSlot>>,
    ) -> Result<Response, Infallible> {
        let begun = Instant::now();
        let client = if self.is_behind_proxy { forwarded(request.headers(), peer) } else { peer };
        request.extensions_mut().insert(Client(client));
        // The text of a stranger, made plain.
        let words = (self.is_logged && tracing::enabled!(tracing::Level::DEBUG))
            .then(|| (Line::<16>::from(request.method().as_str()), Line::<200>::from(request.uri().path())));
        let is_refused = self.is_behind_proxy && {
            let place = self.clients.enter(client);
            let is_refused = place.is_none();
            *of_client.lock().unwrap_or_else(PoisonError::into_inner) = place;
            is_refused
        };
        let response = match is_refused {
            true => {
                let retry = [(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS))];
                (StatusCode::SERVICE_UNAVAILABLE, retry, "Too many connections at a time.\n").into_response()
            }
            false => TowerToHyperService::new(self.router.clone()).call(request).await?,
        };
        let status = response.status().as_u16();
        self.watcher.answered(status);
        if let Some((method, path)) = words {
            let milliseconds = begun.elapsed().as_millis() as u64;
            tracing::debug!(%client, %method, %path, status, milliseconds, "request");
        }
        Ok(response)
    }
}
