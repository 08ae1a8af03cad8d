//! The pages of a signed-in author: versions, uploads, games with their logs, and nothing of another author.
//!
//! All of them are below `me/`, to which the cookie of a session goes back. Each form has the text of its session, and is refused if the
//! browser says that another site has sent it.

use crate::answers::{AnswerPage, OwnPage, SCRIPT_OF_AUTHORS, VERDICT_TIME, submitted};
use crate::requests::Submitted;
use crate::sessions::{self, Session};
use crate::state::State;
use crate::uploads::Refusal;
use crate::{answers, form, token, upload};
use arena_engine::logs::Logs;
use arena_report::{Contest, Game};
use arena_rules::{Outcome, Seat};
use arena_store::{Author, Version, VersionState};
use askama::Template;
use axum::Router;
use axum::extract::{self, FromRequest, FromRequestParts, Multipart, Path, Request};
use axum::http::header::{HeaderMap, LOCATION, SET_COOKIE, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of games in a list. Chosen: what an author looks through; a page of some 50 KB.
const LISTED: usize = 100;

/// The number of digits of a hash in the list of versions. Chosen: as in `arena mine`.
const DIGITS: usize = 12;

/// The folder of all pages but these, from one of them.
const ROOT: &str = "../";

/// The paths of the pages.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/me", get(|| async { see_other("me/") }))
        .route("/me/", get(page))
        .route("/me/sign-in", post(sign_in))
        .route("/me/sign-out", post(sign_out))
        .route("/me/submit", post(submit))
        .route("/me/play", post(play))
        .route("/me/{file}", get(of_game))
        .route("/author.js", get(|| async { answers::file("author.js", SCRIPT_OF_AUTHORS) }))
}

/// The page on which an author signs in.
#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    root: &'static str,
    /// The reason why it has failed, and the next step.
    refusal: Option<(String, String)>,
}

/// The page of an author.
#[derive(Template)]
#[template(path = "author.html")]
struct AuthorPage {
    root: &'static str,
    name: String,
    form: String,
    disqualified: Option<String>,
    bytes_max: u64,
    answer: Option<AnswerTo>,
    is_waiting: bool,
    versions: Vec<VersionRow>,
    faults: Vec<GameRow>,
    faults_count: usize,
    games: Vec<GameRow>,
    games_count: usize,
}

/// The answer to an upload.
struct AnswerTo {
    /// The result, in a sentence.
    verdict: String,
    /// The finding, or the next step.
    text: String,
    is_refusal: bool,
}

/// A version in the list.
struct VersionRow {
    id: i64,
    number: u32,
    state: &'static str,
    may_play: bool,
    is_refused: bool,
    place: String,
    rating: String,
    games: String,
    faults: String,
    submitted_at: String,
    sha256: String,
    short: String,
    /// True if the pages of the contest have it.
    is_known: bool,
    finding: String,
}

/// A game in the list.
struct GameRow {
    number: usize,
    version: u32,
    seat: u8,
    opponent: String,
    result: &'static str,
    ending: String,
    turns: u32,
    has_log: bool,
    /// The faults of the author's bot; empty if there are none.
    fault: String,
}

/// A seat of a game that an author's version has.
struct OwnSeat<'a> {
    game: &'a Game,
    seat: Seat,
    version: u32,
    sha256: &'a str,
}

/// The way to another page after a form.
fn see_other(to: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
}

/// The page on which to sign in.
fn sign_in_page(status: StatusCode, refusal: Option<Refusal>) -> Response {
    let refusal = refusal.map(|Refusal { what, next, .. }| (what, next));
    let page = OwnPage(status, SignInPage { root: ROOT, refusal });
    match status {
        StatusCode::UNAUTHORIZED => ([(WWW_AUTHENTICATE, "Bearer")], page).into_response(),
        _ => page.into_response(),
    }
}

fn refused(refusal: Refusal) -> Response {
    AnswerPage::refusal(ROOT, refusal).into_response()
}

/// An author who is signed in.
struct SignedIn {
    author: Author,
    session: Session,
}

impl SignedIn {
    /// The author of a session whose token is still valid.
    async fn of(state: &Arc<State>, headers: &HeaderMap) -> Result<Option<Self>, Refusal> {
        let Some(session) = state.sessions.of(headers) else { return Ok(None) };
        let token = session.token;
        let author = state.with_register(move |register| register.author(&token)).await?;
        Ok(author.map(|author| Self { author, session }))
    }
}

impl FromRequestParts<Arc<State>> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Self, Response> {
        let signed_in = Self::of(state, &parts.headers).await.map_err(refused)?;
        signed_in.ok_or_else(|| {
            let refusal =
                Refusal::new(StatusCode::UNAUTHORIZED, "you are not signed in", "sign in with your token");
            sign_in_page(StatusCode::UNAUTHORIZED, Some(refusal))
        })
    }
}

/// The author who has sent a form, and the rest of it: it has the text of the session, and comes from a page of the club.
struct Form {
    signed_in: SignedIn,
    rest: Multipart,
}

impl FromRequest<Arc<State>> for Form {
    type Rejection = Response;

    async fn from_request(request: Request, state: &Arc<State>) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let signed_in = SignedIn::from_request_parts(&mut parts, state).await?;
        let is_own = sessions::is_own(&parts.headers);
        let form = Multipart::from_request(Request::from_parts(parts, body), state).await;
        let mut rest = form.map_err(|_| refused(form::wrong()))?;
        let given = form::text(&mut rest, "form").await.map_err(refused)?;
        if !is_own || !signed_in.session.has_form(&given) {
            return Err(refused(elsewhere()));
        }
        Ok(Self { signed_in, rest })
    }
}

/// The refusal of a form that another site has sent, or an older session.
fn elsewhere() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "the form was not sent by a page of your session",
        "load the page again, and use its form",
    )
}

async fn page(extract::State(state): extract::State<Arc<State>>, headers: HeaderMap) -> Response {
    match SignedIn::of(&state, &headers).await {
        Ok(Some(signed_in)) => author_page(&state, signed_in, StatusCode::OK, None).await,
        Ok(None) => sign_in_page(StatusCode::OK, None),
        Err(refusal) => refused(refusal),
    }
}

async fn sign_in(extract::State(state): extract::State<Arc<State>>, request: Request) -> Response {
    let headers = request.headers().clone();
    if !sessions::is_own(&headers) {
        return refused(elsewhere());
    }
    let Ok(mut form) = Multipart::from_request(request, &state).await else { return refused(form::wrong()) };
    let signed = async {
        let given = form::text(&mut form, "token").await?;
        upload::author(&state, given.trim()).await?;
        Ok(state.sessions.begin(token::hash(given.trim()))?)
    };
    match signed.await {
        Ok(id) => with_cookie(&sessions::cookie(&id, &headers)),
        Err(refusal @ Refusal { status, .. }) => sign_in_page(status, Some(refusal)),
    }
}

async fn sign_out(
    extract::State(state): extract::State<Arc<State>>,
    headers: HeaderMap,
    _form: Form,
) -> Response {
    state.sessions.end(&headers);
    with_cookie(&sessions::no_cookie(&headers))
}

/// The author's page next, with this cookie.
fn with_cookie(cookie: &str) -> Response {
    let mut answer = see_other("./");
    answer.headers_mut().extend(HeaderValue::from_str(cookie).map(|cookie| (SET_COOKIE, cookie)));
    answer
}

async fn submit(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in, mut rest } = form;
    let received = async {
        let bot = form::field(&mut rest, "bot").await?;
        let version = upload::receive(&state, &signed_in.author, None, bot).await?;
        upload::wait_for_verdict(&state, version, VERDICT_TIME).await
    };
    let (status, answer) = match received.await {
        Ok(version) => {
            let it = submitted(&state, &version);
            let verdict = format!("Version {}: {}", it.version, verdict(&it));
            (StatusCode::OK, AnswerTo { verdict, text: it.finding, is_refusal: is_refused(&version) })
        }
        Err(Refusal { status, what, next }) => {
            (status, AnswerTo { verdict: what, text: format!("next: {next}"), is_refusal: true })
        }
    };
    author_page(&state, signed_in, status, Some(answer)).await
}

/// True for a version that was judged and does not play.
fn is_refused(version: &Version) -> bool {
    matches!(version.state, VersionState::Refused | VersionState::Faulted)
}

/// The state of a version in words.
fn verdict(version: &Submitted) -> &'static str {
    use crate::requests::SubmittedState::Waiting;
    if version.state == Waiting { "waits to be judged; the verdict will be below" } else { version.verdict() }
}

async fn play(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in: SignedIn { author, .. }, mut rest } = form;
    let chosen = async {
        let id = form::text(&mut rest, "version").await?.parse::<i64>().map_err(|_| form::wrong())?;
        if let Some(reason) = &author.disqualified {
            let what = format!("{} is disqualified: {reason}", author.name);
            return Err(Refusal::new(StatusCode::FORBIDDEN, what, "ask the organiser"));
        }
        state.require_open_season().await?;
        match state.with_register(move |register| register.choose(&author, id)).await? {
            true => Ok(()),
            false => Err(Refusal::new(
                StatusCode::NOT_FOUND,
                "you have no such version that was admitted",
                "choose one in the list of your versions",
            )),
        }
    };
    match chosen.await {
        Ok(()) => {
            state.note_change();
            // It plays at once, and not after the stage.
            state.end_stage();
            see_other("./#versions")
        }
        Err(refusal) => refused(refusal),
    }
}

/// The refusal of a game that does not exist, or in which the author has not played: they do not differ.
fn no_game() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "there is no such game of yours",
        "choose one in the list of your games",
    )
}

/// The replay of an author's game with the log of the author's bot, and that log alone.
async fn of_game(
    extract::State(state): extract::State<Arc<State>>,
    SignedIn { author, .. }: SignedIn,
    Path(file): Path<String>,
) -> Response {
    let answer = async {
        let (number, kind) = file.split_once('.').ok_or_else(no_game)?;
        let number = number.parse::<usize>().map_err(|_| no_game())?;
        let versions = state.with_register(move |register| register.versions(&author)).await?;
        let contest = state.live.known_contest()?;
        let own = numbers(&versions);
        let game = contest.games.binary_search_by_key(&number, |game| game.number).map_err(|_| no_game())?;
        let own = own_seat(&contest, &own, &contest.games[game]).ok_or_else(no_game)?;
        let (seat, sha256) = (own.seat, own.sha256.to_owned());
        let log = state.blocking(move |state| Ok(state.logs.read(&sha256, number))).await?;
        match kind {
            "txt" => {
                let log = log.ok_or_else(|| {
                    Refusal::new(
                        StatusCode::NOT_FOUND,
                        format!("there is no log of your bot in game {number}"),
                        "it has printed nothing, or the game is an old one",
                    )
                })?;
                Ok(answers::file(&file, log))
            }
            "html" => {
                let mut logs = Logs::default();
                logs[seat.index()] = log;
                let made = state.replays.get(number, logs).await?.ok_or_else(no_game)?;
                let [page, _] = &*made;
                Ok(answers::file(&file, page.bytes.clone()))
            }
            _ => Err(no_game()),
        }
    };
    answer.await.unwrap_or_else(refused)
}

/// The numbers of an author's versions that have been admitted, by their SHA-256.
fn numbers(versions: &[Version]) -> HashMap<&str, u32> {
    let admitted = versions.iter().filter(|version| version.state == VersionState::Admitted);
    admitted.map(|version| (version.sha256.as_str(), version.number)).collect()
}

/// The author's seat in a game that was played.
fn own_seat<'a>(contest: &'a Contest, own: &HashMap<&str, u32>, game: &'a Game) -> Option<OwnSeat<'a>> {
    game.played()?;
    Seat::BOTH.into_iter().find_map(|seat| {
        let sha256 = contest.bots[game.seats[seat.index()]].sha256.as_str();
        Some(OwnSeat { game, seat, version: *own.get(sha256)?, sha256 })
    })
}

impl OwnSeat<'_> {
    /// True if the author's bot was at fault in the game.
    fn is_fault(&self) -> bool {
        self.game.played().is_some_and(|result| result.faults.keys().any(|(seat, _)| *seat == self.seat))
    }

    fn row(&self, state: &State, contest: &Contest) -> Option<GameRow> {
        let &Self { game, seat, version, sha256 } = self;
        let result = game.played()?;
        let own = result.faults.iter().filter(|((of, _), _)| *of == seat);
        let faults: Vec<String> = own
            .map(|((_, class), fault)| match fault.first_turn {
                0 => format!("{class} in the deployment: {}", fault.detail.as_str()),
                turn => format!("{class} in turn {turn}: {}", fault.detail.as_str()),
            })
            .collect();
        Some(GameRow {
            number: game.number,
            version,
            seat: seat.into(),
            opponent: contest.bots[game.seats[seat.other().index()]].label.as_str().to_owned(),
            result: match result.outcome {
                Outcome::Win(winner) if winner == seat => "won",
                Outcome::Win(_) => "lost",
                Outcome::Draw => "drawn",
                Outcome::NoContest => "not counted",
            },
            ending: result.reason.to_string(),
            turns: result.turns[seat.index()],
            has_log: state.logs.has(sha256, game.number),
            fault: faults.join("; "),
        })
    }
}

/// A number, or a dash.
fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

fn version_row(state: &State, contest: Option<&Contest>, version: &Version) -> VersionRow {
    let it = submitted(state, version);
    let bot = contest
        .and_then(|contest| contest.bots.iter().position(|bot| bot.sha256.as_str() == it.sha256.as_str()));
    let row = contest.zip(bot).and_then(|(contest, bot)| {
        contest.standings.iter().find(|row| row.score.contestant == bot)?.rating.as_ref()
    });
    let standing = it.standing.as_ref();
    let is_admitted = version.state == VersionState::Admitted;
    VersionRow {
        id: it.id,
        number: it.version,
        state: if version.state == VersionState::Waiting { "waits to be judged" } else { it.verdict() },
        may_play: is_admitted && !version.plays && version.disqualified.is_none(),
        is_refused: is_refused(version),
        place: or_dash(standing.and_then(|standing| standing.place)),
        rating: or_dash(row.map(|rating| rating.text.as_str())),
        games: or_dash(standing.map(|standing| standing.games)),
        faults: or_dash(standing.map(|standing| standing.faults)),
        submitted_at: it.submitted_at.as_str().replace('T', " ").trim_end_matches('Z').to_owned(),
        short: it.sha256.as_str().chars().take(DIGITS).collect(),
        sha256: it.sha256.as_str().to_owned(),
        is_known: bot.is_some(),
        finding: it.finding,
    }
}

/// The page of an author, with an answer to a form if there was one.
async fn author_page(
    state: &Arc<State>,
    SignedIn { author, session }: SignedIn,
    status: StatusCode,
    answer: Option<AnswerTo>,
) -> Response {
    let of_author = author.clone();
    let made = state.blocking(move |state| {
        let versions = state.register(|register| register.versions(&of_author))?;
        let contest = state.live.contest();
        let contest = contest.as_deref();
        let own = numbers(&versions);
        let seats: Vec<OwnSeat<'_>> = contest.map_or_else(Vec::new, |contest| {
            contest.games.iter().rev().filter_map(|game| own_seat(contest, &own, game)).collect()
        });
        let rows = |seats: &mut dyn Iterator<Item = &OwnSeat<'_>>| -> Vec<GameRow> {
            seats.take(LISTED).filter_map(|own| own.row(state, contest?)).collect()
        };
        Ok(AuthorPage {
            root: ROOT,
            disqualified: of_author.disqualified,
            name: of_author.name,
            form: session.form,
            bytes_max: state.component_bytes_max,
            answer,
            is_waiting: versions.iter().any(|version| version.state == VersionState::Waiting),
            versions: versions.iter().map(|version| version_row(state, contest, version)).collect(),
            faults: rows(&mut seats.iter().filter(|own| own.is_fault())),
            faults_count: seats.iter().filter(|own| own.is_fault()).count(),
            games: rows(&mut seats.iter()),
            games_count: seats.len(),
        })
    });
    match made.await {
        Ok(page) => OwnPage(status, page).into_response(),
        Err(refusal) => refused(refusal),
    }
}
