//! The pages on which games are watched as they are played, on this machine.

use crate::local::Port;
use crate::rooms::secret;
use crate::routes::{SIGN_OF_LIFE, stream_of};
use crate::watched::{Asked, Series, Show, Shows, watch_games};
use arena_live::Feed;
use arena_pages::{Reported, media_type};
use arena_record::Header;
use arena_referee::HostError;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, HeaderMap};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use futures_util::stream;
use std::convert::Infallible;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// The longest time that a page waits for the next game to begin. Chosen: a browser waits longer.
const BEGIN_TIME: Duration = Duration::from_secs(20);

/// The header with the number of the last event that a browser has got.
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// The script of these pages, which the pages of a report do without.
const SCRIPT: (&str, &str) = ("watch.js", include_str!("../assets/watch.js"));

/// The pages on this machine that show a series of games as they are played.
pub struct WatchPage {
    port: Port,
    secret: String,
    shows: Arc<Shows>,
    taking: JoinHandle<()>,
}

impl WatchPage {
    /// The pages of this number of games, of which the first one has this header, at a free port of this machine. The games go to the feed.
    /// Each one after the first [begins](Feed::begin) when a page asks for it.
    ///
    /// # Errors
    /// The system has no port or no thread, or the rules are not playable.
    pub fn open<G: Reported>(first: Header, games: u32) -> Result<(Self, Feed<G>), HostError> {
        let port = Port::open()?;
        let secret = secret()?;
        let Series { shows, feed, taking } = watch_games(first, games)?;
        Ok((Self { port, secret, shows, taking }, feed))
    }

    /// The address of the game that is played. The secret in it keeps other users of this machine out.
    pub fn address(&self) -> String {
        format!("http://{}/watch/{}/", self.port.address, self.secret)
    }

    /// A function that ends [`serve`](Self::serve) from any thread.
    pub fn end(&self) -> impl FnOnce() + Send + 'static {
        let shows = Arc::clone(&self.shows);
        move || shows.end()
    }

    /// Answers requests until it is ended. After that the games are not watched any more.
    ///
    /// # Errors
    /// The system has no room for the server.
    pub fn serve(self) -> Result<(), HostError> {
        let router = Router::new()
            .route("/watch/{name}", get(asset))
            .route("/watch/{id}/", get(latest))
            .route("/watch/{id}/{page}", get(page))
            .route("/watch/{id}/events/{number}", get(events))
            .with_state(Pages { secret: self.secret.into(), shows: Arc::clone(&self.shows) });
        let served = self.port.serve(router, &self.shows.ended);
        // Also if there is no server.
        self.shows.end();
        self.taking.join().unwrap_or_else(|panic| resume_unwind(panic));
        served
    }
}

#[derive(Clone)]
struct Pages {
    secret: Arc<str>,
    shows: Arc<Shows>,
}

type Answer<T> = Result<T, (StatusCode, &'static str)>;

/// The answer about a game that there is not, and to a wrong secret.
const NO_GAME: (StatusCode, &str) = (StatusCode::NOT_FOUND, "There is no such game.\n");

impl Pages {
    /// The games, for who knows the secret.
    fn shows(&self, id: &str) -> Answer<&Arc<Shows>> {
        match id == &*self.secret {
            true => Ok(&self.shows),
            false => Err(NO_GAME),
        }
    }
}

/// A file of the pages; without a slash at its end, the address of the games leads to the one with it.
async fn asset(State(pages): State<Pages>, Path(name): Path<String>) -> Answer<Response> {
    let own = (SCRIPT.0 == name).then_some(SCRIPT.1);
    match own.or_else(|| arena_pages::asset(&name)) {
        Some(text) => Ok(([(CONTENT_TYPE, media_type(&name))], text).into_response()),
        None => {
            pages.shows(&name)?;
            Ok(Redirect::to(&format!("{name}/")).into_response())
        }
    }
}

/// Leads to the latest game.
async fn latest(State(pages): State<Pages>, Path(id): Path<String>) -> Answer<Redirect> {
    let number = pages.shows(&id)?.latest();
    Ok(Redirect::to(&format!("{number}.html")))
}

/// The page of a game, as `1.html`. The next one begins with it.
async fn page(State(pages): State<Pages>, Path((id, name)): Path<(String, String)>) -> Answer<Response> {
    let shows = pages.shows(&id)?;
    let number: u32 = name.strip_suffix(".html").and_then(|number| number.parse().ok()).ok_or(NO_GAME)?;
    let mut begun = shows.begun.subscribe();
    let show = timeout(BEGIN_TIME, async {
        loop {
            match shows.ask(number) {
                Asked::Show(show) => return Ok(Some(show)),
                Asked::Other => return Ok(None),
                Asked::Never => return Err(NO_GAME),
                Asked::Begins => _ = begun.changed().await,
            }
        }
    });
    let late = (StatusCode::SERVICE_UNAVAILABLE, "The game has not begun yet. Load the page again.\n");
    Ok(match show.await.map_err(|_| late)?? {
        Some(show) => {
            ([(CONTENT_TYPE, media_type(&show.page.path))], show.page.bytes.clone()).into_response()
        }
        None => Redirect::to("./").into_response(),
    })
}

/// A stream of the positions of a game. Each reader has its own place in it.
struct Stream {
    show: Arc<Show>,
    /// The number of pieces that were sent.
    count: usize,
    grown: watch::Receiver<()>,
    ended: watch::Receiver<bool>,
}

impl Stream {
    /// What is sent next; `None` at the end of the game, or when the server ends.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            self.grown.borrow_and_update();
            let (piece, count) = self.show.after(self.count)?;
            if count > self.count {
                self.count = count;
                return Some(piece);
            }
            tokio::select! {
                changed = self.grown.changed() => changed.ok()?,
                _ = self.ended.wait_for(|ended| *ended) => return None,
                () = sleep(SIGN_OF_LIFE) => return Some(Bytes::from_static(b":\n\n")),
            }
        }
    }
}

async fn events(
    State(pages): State<Pages>,
    Path((id, number)): Path<(String, u32)>,
    headers: HeaderMap,
) -> Answer<Response> {
    let shows = pages.shows(&id)?;
    let show = shows.show(number).ok_or(NO_GAME)?;
    let last = headers.get(LAST_EVENT).and_then(|last| last.to_str().ok()?.parse().ok());
    let (grown, ended) = (show.grown.subscribe(), shows.ended.subscribe());
    let stream = Stream { show, count: last.unwrap_or(0), grown, ended };
    let body = stream::unfold(stream, |mut stream| async move {
        let piece = stream.next().await?;
        Some((Ok::<_, Infallible>(piece), stream))
    });
    Ok(stream_of(Body::from_stream(body)))
}
