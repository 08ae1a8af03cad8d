//! The connections of the server: hyper answers them, with limits against slow clients and too many of them.
//!
//! Each connection has one request, so no proxy can disagree with the server about where a second one begins.

use crate::state::State;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::error::Error;
use std::io;
use std::net;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// The most connections at a time; further ones wait. Chosen: a few megabytes of memory.
const CONNECTIONS_MAX: u32 = 256;

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

/// The time for the requests in progress when the club ends. Chosen: an upload that waits for its verdict is answered at once.
const END_TIME: Duration = Duration::from_secs(3);

/// Answers requests until the club is ended.
///
/// # Errors
/// The system has no room for the server.
pub(crate) fn serve(listener: &net::TcpListener, state: &Arc<State>, router: &Router) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(accept_all(listener.try_clone()?, state, router));
    // Uploads that were cut off may still be written.
    runtime.shutdown_timeout(END_TIME);
    served
}

async fn accept_all(listener: net::TcpListener, state: &State, router: &Router) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX as usize));
    let ended = state.ended();
    tokio::pin!(ended);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut ended => break,
        };
        let Ok((stream, _)) = accepted else {
            // The process has no descriptors left: some connections end within seconds.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let router = router.clone();
        tokio::spawn(async move {
            // A client that goes away needs no answer.
            let _ = timeout(CONNECTION_TIME, converse(stream, router)).await;
            drop(place);
        });
    }
    drop(listener);
    // All places are free when the last request has its answer.
    let _ = timeout(END_TIME, places.acquire_many(CONNECTIONS_MAX)).await;
    Ok(())
}

async fn converse(stream: TcpStream, router: Router) -> Result<(), Box<dyn Error + Send + Sync>> {
    stream.set_nodelay(true)?;
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(READ_PAUSE_MAX));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_header_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .keep_alive(false)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router));
    let mut stream = connection.without_shutdown().await?.io.into_inner();
    stream.shutdown().await?;
    timeout(LINGER_TIME, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await??;
    Ok(())
}
