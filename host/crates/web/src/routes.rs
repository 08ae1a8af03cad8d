//! The answers to a page on which a person plays: the page, a stream of where the game stands, and the person's decisions.
//!
//! The address of a room is its secret: whoever has it plays. A page of another site can neither read nor send anything.

use crate::origin::is_own;
use crate::rooms::{NoGame, Room, Rooms, fresh_seed};
use crate::table::{Objection, Sent};
use arena_pages::media_type;
use askama::Template;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, REFERRER_POLICY,
    RETRY_AFTER, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use futures_util::stream;
use serde::Serialize;
use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tower_http::set_header::SetResponseHeaderLayer;

/// The largest decision, in bytes. Chosen: an action of a brought game that fills some screens.
const BODY_BYTES_MAX: usize = 16 << 10;

/// The time in which a decision has to arrive. Chosen: as of a head.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The time after which a stream with nothing to report sends an empty line. Chosen: half the time after which usual proxies give up.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_secs(25);

/// The time, in seconds, after which a game that could not begin may be tried again. Chosen: some games have ended then.
const AGAIN_SECONDS: u16 = 60;

/// The policy of pages without forms, which no other site may frame. A game's drawing is an image in the page, in which nothing runs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The headers that all answers have, unless the answer has one of its own.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (CACHE_CONTROL, "no-store"),
];

/// The same answers, with a strict policy and the other headers that protect a page.
pub fn with_strict_headers(router: Router) -> Router {
    HEADERS.into_iter().fold(router, |router, (name, value)| {
        router.layer(SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value)))
    })
}

/// The files of the page that a site has not.
const ASSETS: [(&str, &str); 2] =
    [("play.js", include_str!("../assets/play.js")), ("play.css", include_str!("../assets/play.css"))];

/// The page. What is on it comes by its script.
#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage;

/// The answers below `/play/`.
pub fn routes(rooms: &Arc<Rooms>) -> Router {
    Router::new()
        .route("/play/{id}", get(asset))
        .route("/play/{id}/", get(page))
        .route("/play/{id}/events", get(events))
        .route("/play/{id}/decide", post(decide))
        .route("/play/{id}/ships", post(ships))
        .route("/play/{id}/again", post(again))
        .route("/play/{id}/{replay}", get(replay))
        .with_state(Arc::clone(rooms))
}

/// An answer that is a stream of server-sent events.
pub(crate) fn stream_of(body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, body).into_response()
}

/// A sentence for the person.
#[derive(Serialize)]
struct Answer {
    error: Cow<'static, str>,
}

/// The refusal of a request, with a sentence for the person.
struct Refused(StatusCode, Cow<'static, str>);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        document(self.0, &Answer { error: self.1 })
    }
}

fn refused(status: StatusCode, error: impl Into<Cow<'static, str>>) -> Refused {
    Refused(status, error.into())
}

fn document(status: StatusCode, document: &impl Serialize) -> Response {
    let text = serde_json::to_vec(document).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

fn no_room() -> Refused {
    refused(StatusCode::NOT_FOUND, "There is no such game, or it is over for long. Begin another one.")
}

impl NoGame {
    /// The status of an answer, and a sentence for the person.
    pub fn answer(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Full => (StatusCode::SERVICE_UNAVAILABLE, "All boards are taken. Try again in a minute."),
            Self::ClientFull => (
                StatusCode::TOO_MANY_REQUESTS,
                "Several games are played from your address already. Try again when one of them has ended.",
            ),
            Self::ClientHour => (
                StatusCode::TOO_MANY_REQUESTS,
                "Many games were begun from your address. Try again in an hour.",
            ),
            Self::Playing => (StatusCode::CONFLICT, "The game goes on: play it to its end, or resign."),
            Self::Host(error) => {
                tracing::warn!("a game against a person cannot begin: {error}");
                (StatusCode::INTERNAL_SERVER_ERROR, "The game cannot begin: the arena has a problem.")
            }
        }
    }
}

impl IntoResponse for NoGame {
    fn into_response(self) -> Response {
        let (status, error) = self.answer();
        let again = (status == StatusCode::SERVICE_UNAVAILABLE).then_some([(RETRY_AFTER, AGAIN_SECONDS)]);
        (again, refused(status, error)).into_response()
    }
}

/// A file of the page; without a slash at its end, the address of a room leads to the one with it.
async fn asset(State(rooms): State<Arc<Rooms>>, Path(name): Path<String>) -> Result<Response, Refused> {
    let own = ASSETS.iter().find(|(asset, _)| *asset == name).map(|(_, text)| *text);
    match own.or_else(|| arena_pages::asset(&name)) {
        Some(text) => Ok(([(CONTENT_TYPE, media_type(&name))], text).into_response()),
        None => {
            rooms.room(&name).ok_or_else(no_room)?;
            Ok(Redirect::to(&format!("{name}/")).into_response())
        }
    }
}

async fn page(State(rooms): State<Arc<Rooms>>, Path(id): Path<String>) -> Result<Html<String>, Refused> {
    rooms.room(&id).ok_or_else(no_room)?;
    Ok(Html(PlayPage.render().unwrap_or_default()))
}

/// A stream of where the game of a room stands. A slow reader misses what is old.
struct Stream {
    room: Arc<Room>,
    number: u32,
    shown: watch::Receiver<Arc<str>>,
    ended: watch::Receiver<bool>,
    is_new: bool,
    _place: OwnedSemaphorePermit,
}

impl Stream {
    /// What is sent next; `None` when the server ends, or when another game has begun.
    async fn next(&mut self) -> Option<String> {
        if !self.is_new {
            tokio::select! {
                changed = self.shown.changed() => changed.ok()?,
                _ = self.ended.wait_for(|ended| *ended) => return None,
                () = sleep(SIGN_OF_LIFE) => return Some(":\n\n".to_owned()),
            }
        }
        self.is_new = false;
        if self.room.table().is_none_or(|(number, _)| number != self.number) {
            return None;
        }
        let shown = Arc::clone(&self.shown.borrow_and_update());
        // A document has no line breaks.
        Some(format!("retry: 1000\nid: {}\ndata: {shown}\n\n", self.number))
    }
}

async fn events(State(rooms): State<Arc<Rooms>>, Path(id): Path<String>) -> Result<Response, Refused> {
    let room = rooms.room(&id).ok_or_else(no_room)?;
    let (number, table) = room.table().ok_or_else(no_room)?;
    let place = Arc::clone(&room.streams).try_acquire_owned().map_err(|_| {
        let error = "The game is open in several windows. Close one of them.";
        refused(StatusCode::SERVICE_UNAVAILABLE, error)
    })?;
    let stream = Stream {
        room,
        number,
        shown: table.follow(),
        ended: rooms.ended.subscribe(),
        is_new: true,
        _place: place,
    };
    let body = stream::unfold(stream, |mut stream| async move {
        let text = stream.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), stream))
    });
    Ok(stream_of(Body::from_stream(body)))
}

/// The room of a request that changes something, if a page of this site has sent it.
fn room_to_change(rooms: &Rooms, id: &str, headers: &HeaderMap) -> Result<Arc<Room>, Refused> {
    if !is_own(headers) {
        return Err(refused(StatusCode::FORBIDDEN, "Another site has sent this. Play on the page itself."));
    }
    rooms.room(id).ok_or_else(no_room)
}

async fn decide(
    State(rooms): State<Arc<Rooms>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, Refused> {
    let room = room_to_change(&rooms, &id, &headers)?;
    let body = timeout(BODY_TIME, axum::body::to_bytes(body, BODY_BYTES_MAX)).await;
    let Ok(Ok(body)) = body else {
        let error = "That is too long for a decision, or took too long.";
        return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, error));
    };
    let sent = serde_json::from_slice::<Sent>(&body)
        .map_err(|_| refused(StatusCode::BAD_REQUEST, "That is no decision. Load the page again."))?;
    let (_, table) = room.table().ok_or_else(no_room)?;
    // The code of a brought game may be asked.
    match spawn_blocking(move || table.decide(sent)).await {
        Ok(Ok(())) => Ok(StatusCode::NO_CONTENT),
        Ok(Err(Objection::Illegal(why))) => Err(refused(StatusCode::UNPROCESSABLE_ENTITY, sentence(&why))),
        Ok(Err(Objection::Late)) => {
            Err(refused(StatusCode::CONFLICT, "The game has gone on. The page shows where it stands now."))
        }
        Err(_) => Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "The arena has a problem with that.")),
    }
}

/// A reason as a sentence.
fn sentence(why: &str) -> String {
    let mut letters = why.chars();
    let first = letters.next().map_or_else(String::new, |first| first.to_uppercase().collect());
    format!("{first}{}.", letters.as_str())
}

async fn ships(
    State(rooms): State<Arc<Rooms>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let room = room_to_change(&rooms, &id, &headers)?;
    let drawn = room.table().and_then(|(_, table)| table.draw_ships(fresh_seed()));
    let none = || refused(StatusCode::CONFLICT, "No random fleet was found. Place the ships yourself.");
    Ok(document(StatusCode::OK, &drawn.ok_or_else(none)?))
}

async fn again(State(rooms): State<Arc<Rooms>>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let begun = room_to_change(&rooms, &id, &headers).map(|room| rooms.again(&room));
    match begun {
        Ok(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Ok(Err(no_game)) => no_game.into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// The replay of a game, as `1.html`.
async fn replay(
    State(rooms): State<Arc<Rooms>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let number = name.strip_suffix(".html").and_then(|number| number.parse().ok());
    let table = rooms.room(&id).zip(number).and_then(|(room, number)| room.game(number));
    let table = table.ok_or_else(no_room)?;
    match spawn_blocking(move || table.replay()).await {
        Ok(Some(page)) => Ok(([(CONTENT_TYPE, media_type(&page.path))], page.bytes.clone()).into_response()),
        Ok(None) => Err(refused(StatusCode::NOT_FOUND, "The game has no replay before its end.")),
        Err(_) => {
            Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "The arena has a problem with this replay."))
        }
    }
}
