//! The contest of the latest pages, and the streams that report new ones to browsers.

use crate::state::State;
use crate::uploads::Refusal;
use arena_pages::Contest;
use arena_web::{Client, ClientSlot, Clients};
use axum::body::{Body, Bytes};
use axum::extract::{self, Extension};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;

/// The most streams at a time. Chosen: each takes a descriptor and a connection for as long as a page is open.
const STREAMS_MAX: usize = 64;

/// The most streams of a client. Chosen: a quarter, as of the connections, so that it takes four clients to keep others from having one. A
/// page without a stream looks again each 30 seconds.
const CLIENT_STREAMS_MAX: u32 = 16;

/// The time after which a stream with nothing to report sends an empty line. Chosen: half the time after which usual proxies give up.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);

/// The time, in milliseconds, after which a browser asks again when a stream has ended. Chosen: a club is served again within it.
const AGAIN_MS: u32 = 3_000;

/// The header with the last event that a browser has got.
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// The header that keeps nginx from collecting what it passes on.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The latest pages.
pub(crate) struct Live {
    /// The contest that they are about; `None` before this process has written any.
    contest: Mutex<Option<Arc<Contest>>>,
    /// The number of times that they were written.
    written: watch::Sender<u64>,
    streams: Arc<Semaphore>,
    /// The part of each client in them.
    clients: Clients,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            contest: Mutex::default(),
            written: watch::Sender::new(0),
            streams: Arc::new(Semaphore::new(STREAMS_MAX)),
            clients: Clients::new(CLIENT_STREAMS_MAX),
        }
    }
}

impl Live {
    /// The contest that the latest pages are about.
    pub(crate) fn contest(&self) -> Option<Arc<Contest>> {
        self.contest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of streams.
    pub(crate) fn streams(&self) -> usize {
        STREAMS_MAX - self.streams.available_permits()
    }

    /// Reports new pages.
    pub(crate) fn report(&self, contest: Arc<Contest>) {
        *self.contest.lock().unwrap_or_else(PoisonError::into_inner) = Some(contest);
        self.written.send_modify(|written| *written += 1);
    }
}

/// A stream to a browser.
struct Stream {
    state: Arc<State>,
    written: watch::Receiver<u64>,
    /// The process and the last report that the browser knows.
    known: Option<u64>,
    is_new: bool,
    _places: (OwnedSemaphorePermit, ClientSlot),
}

impl Stream {
    /// What is sent next; `None` when the club ends.
    async fn next(&mut self) -> Option<String> {
        if self.is_new {
            self.is_new = false;
            let written = *self.written.borrow_and_update();
            let event = if self.known == Some(written) { String::new() } else { self.event(written) };
            return Some(format!("retry: {AGAIN_MS}\n\n{event}"));
        }
        tokio::select! {
            changed = self.written.changed() => {
                changed.ok()?;
                let written = *self.written.borrow_and_update();
                Some(self.event(written))
            }
            () = sleep(SIGN_OF_LIFE) => Some(":\n\n".to_owned()),
            () = self.state.ended() => None,
        }
    }

    /// A report. Its number is that of this process, so that a browser that has one of an earlier process is told again.
    fn event(&self, written: u64) -> String {
        format!("event: pages\nid: {}-{written}\ndata: {written}\n\n", std::process::id())
    }
}

/// Reports new pages for as long as somebody listens.
pub(crate) async fn events(
    extract::State(state): extract::State<Arc<State>>,
    Extension(Client(client)): Extension<Client>,
    headers: HeaderMap,
) -> Response {
    let full = |what: String| {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, what, "load the page again").into_response()
    };
    let Some(of_client) = state.live.clients.enter(client) else {
        return full(format!("{CLIENT_STREAMS_MAX} pages at your address are kept up to date already"));
    };
    let Ok(place) = Arc::clone(&state.live.streams).try_acquire_owned() else {
        return full(format!("{STREAMS_MAX} pages are kept up to date already"));
    };
    let last = headers.get(LAST_EVENT).and_then(|id| id.to_str().ok()?.split_once('-'));
    let known = last.filter(|(process, _)| *process == std::process::id().to_string());
    let stream = Stream {
        written: state.live.written.subscribe(),
        state,
        known: known.and_then(|(_, written)| written.parse().ok()),
        is_new: true,
        _places: (place, of_client),
    };
    let body = stream::unfold(stream, |mut stream| async move {
        let text = stream.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), stream))
    });
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (UNBUFFERED, HeaderValue::from_static("no")),
    ];
    (headers, Body::from_stream(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::{AGAIN_MS, CLIENT_STREAMS_MAX};
    use crate::club::ClubOptions;
    use crate::support::{club, played_club};
    use axum::http::Method;
    use axum::response::Response;
    use futures_util::StreamExt;
    use std::process;

    #[test]
    fn new_pages_are_reported_to_a_browser_that_does_not_know_them() {
        let it = played_club();
        let event = |number: u64| format!("event: pages\nid: {}-{number}\ndata: {number}\n\n", process::id());
        let begun = format!("retry: {AGAIN_MS}\n\n");
        let mut stream = it.ask(Method::GET, "/events", "127.0.0.1").into_body().into_data_stream();
        let mut next = || it.wait(stream.next()).expect("it goes on").expect("it is served");
        assert_eq!(next(), begun.clone() + &event(0));
        for number in 1..=2 {
            it.write_pages(1);
            assert_eq!(next(), event(number));
        }
        // One that comes back says what it was told last, and by which process.
        for (known, told) in [
            (format!("{}-2", process::id()), String::new()),
            (format!("{}-1", process::id()), event(2)),
            ("0-2".to_owned(), event(2)),
            ("2".to_owned(), event(2)),
        ] {
            let answer = it.ask_with("/events", &[("last-event-id", &known)]);
            let first = it.wait(answer.into_body().into_data_stream().next());
            assert_eq!(first.expect("it goes on").expect("it is served"), begun.clone() + &told, "{known}");
        }
    }

    #[test]
    fn a_client_has_a_number_of_streams_and_others_have_theirs() {
        let it = club(ClubOptions::default());
        let open = |client| it.ask(Method::GET, "/events", client);
        let mut streams: Vec<Response> = (0..CLIENT_STREAMS_MAX).map(|_| open("10.0.0.1")).collect();
        assert!(streams.iter().all(|stream| stream.status() == 200));
        let refused = open("10.0.0.1");
        assert_eq!(refused.status(), 503);
        assert!(refused.headers().contains_key("retry-after"));
        let of_others: Vec<Response> = ["10.0.0.2", "2001:db8::1"].map(open).into();
        assert!(of_others.iter().all(|stream| stream.status() == 200));
        streams.pop();
        streams.push(open("10.0.0.1"));
        assert!(streams.iter().all(|stream| stream.status() == 200), "the place of one that ended is free");
    }

    #[test]
    fn all_clients_together_have_sixty_four_streams() {
        let it = club(ClubOptions::default());
        let open = |number: usize| it.ask(Method::GET, "/events", &format!("10.0.0.{}", number / 16));
        let mut streams: Vec<Response> = (0..64).map(open).collect();
        assert!(streams.iter().all(|stream| stream.status() == 200));
        assert_eq!(it.club.state.live.streams(), 64);
        assert_eq!(open(64).status(), 503);
        streams.pop();
        assert_eq!(open(64).status(), 200);
    }
}
