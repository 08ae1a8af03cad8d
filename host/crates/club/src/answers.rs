//! The answers to requests.
//!
//! Outside the pages of those who are signed in, no cookie allows more than to read: a token comes with each request, so another site cannot
//! make a browser submit anything.

use crate::announcements::closed_and_notices;
use crate::files::Files;
use crate::own_page::{AGAIN_SECONDS, AnswerPage, OwnPage, root_of, with_dates};
use crate::requests::{Complaint, ShownAs, Submitted};
use crate::state::State;
use crate::uploads::Refusal;
use crate::{addresses, api, author_page, class_code, form, join, live, organiser_page, upload};
use arena_engine::internals::logs::Logs;
use arena_store::Author;
use askama::Template;
use axum::Router;
use axum::body::Body;
use axum::extract::{self, DefaultBodyLimit, FromRequest, FromRequestParts, Multipart, Path, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::timeout::{RequestBodyDeadlineLayer, RequestBodyTimeoutLayer};

/// The longest pause of a client that uploads. Chosen: ten times the round trip of a bad connection.
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// The time for an upload. Chosen: the largest bot in five minutes takes a connection of two megabits a second.
const UPLOAD_TIME: Duration = Duration::from_secs(300);

/// The time that an upload waits for its verdict. Chosen: a bot is judged within it, and no proxy gives up.
pub(crate) const VERDICT_TIME: Duration = Duration::from_secs(45);

/// The longest name of an author that is read, in bytes. Chosen: ten times as many as a name has.
const NAME_BYTES_MAX: usize = 1 << 10;

/// The pages that the first game brings. Before it, they wait for it, and after a start or the end of a season, until they are written.
const PAGES_TO_COME: [&str; 3] = ["index.html", "season.html", "projector.html"];

const STYLE: &str = include_str!("../assets/club.css");

/// The script of an author's page.
pub(crate) const SCRIPT_OF_AUTHORS: &str = include_str!("../assets/author.js");

/// The page with the form that needs no cookie.
#[derive(Template)]
#[template(path = "submit.html")]
struct SubmitPage {
    root: &'static str,
    /// The reason why the season takes no bots; `None` when it takes them.
    closed: Option<String>,
    /// The largest component, in MiB.
    mib_max: u64,
}

/// The page before the first game, and while the pages are being written.
#[derive(Template)]
#[template(path = "waiting.html")]
struct WaitingPage<'a> {
    root: String,
    /// True if games were played, so that the pages are being written.
    has_played: bool,
    /// As of [`SubmitPage`].
    closed: Option<String>,
    /// The announcements, as HTML.
    announcements: String,
    commitment: &'a str,
    /// The number of the season.
    season: u32,
}

/// The answers of a club at all its paths, with these for visitors who play.
pub(crate) fn router(state: &Arc<State>, visitors: Router) -> Router {
    let router = Router::new()
        .route("/submit", get(submit_page).post(submit))
        .route("/club.css", get(style))
        .route("/heads.txt", get(heads))
        .route("/mine", get(mine))
        .route("/mine/pseudonym", post(choose_pseudonym))
        .route("/events", get(live::events))
        .route("/seasons/{season}/events", get(live::events))
        .merge(addresses::routes())
        .merge(api::routes())
        .merge(author_page::routes())
        .merge(join::routes())
        .merge(class_code::routes())
        .merge(organiser_page::routes())
        .route("/submissions/{id}", get(submission).delete(delete))
        .route("/submissions/{id}/challenges", post(challenge))
        .fallback(page)
        .method_not_allowed_fallback(not_allowed)
        .with_state(Arc::clone(state))
        .merge(visitors)
        .layer(middleware::from_fn_with_state(Arc::clone(state), class_code::require))
        .layer(middleware::map_response_with_state(Arc::clone(state), with_dates))
        .layer(DefaultBodyLimit::max(form::bytes_max(state.component_bytes_max)))
        .layer(RequestBodyTimeoutLayer::new(PAUSE_MAX))
        .layer(RequestBodyDeadlineLayer::new(UPLOAD_TIME));
    arena_web::with_strict_headers(router)
}

/// A document for `arena submit` and `arena mine`.
pub(crate) struct Document<T>(pub(crate) StatusCode, pub(crate) T);

impl<T: Serialize> IntoResponse for Document<T> {
    fn into_response(self) -> Response {
        let text = serde_json::to_vec(&self.1).unwrap_or_default();
        (self.0, [(CONTENT_TYPE, "application/json")], text).into_response()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let complaint = Complaint { error: self.what.as_str().into(), next: self.next.as_str().into() };
        let answer = Document(self.status, complaint);
        match self.status {
            StatusCode::UNAUTHORIZED => ([(WWW_AUTHENTICATE, "Bearer")], answer).into_response(),
            StatusCode::SERVICE_UNAVAILABLE => ([(RETRY_AFTER, AGAIN_SECONDS)], answer).into_response(),
            _ => answer.into_response(),
        }
    }
}

/// The author whose token a request has in its head.
struct ByToken(Author);

impl FromRequestParts<Arc<State>> for ByToken {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Self, Refusal> {
        Ok(Self(upload::author(state, upload::token_of(&parts.headers)?).await?))
    }
}

async fn not_allowed() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this address has no such method", "use another method")
}

/// The content of a file with this name.
pub(crate) fn file(name: &str, content: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, arena_pages::media_type(name))], content).into_response()
}

async fn style() -> Response {
    file("club.css", STYLE)
}

/// A file that the pages of the report and those of the club have in common, before there is a report.
fn asset(name: &str) -> Option<Response> {
    arena_pages::asset(name).map(|text| file(name, text))
}

/// The page or the picture of a game that is missing from the report of its season.
async fn replay(state: &State, root: &str, season: u32, name: &str) -> Option<Response> {
    let number = arena_pages::game_of_path(name)?;
    if season == state.season && !state.has_played() {
        let next = "look for replays in the standings after two authors have submitted a bot";
        let refusal = Refusal::new(StatusCode::NOT_FOUND, "No game has been played in this season yet", next);
        return Some(AnswerPage::refusal(root.to_owned(), refusal).into_response());
    }
    let made = match state.replay(season, number, Logs::default()).await {
        Ok(made) => made?,
        Err(refusal) => return Some(AnswerPage::refusal(root.to_owned(), refusal).into_response()),
    };
    let page = made.iter().find(|page| page.path == name)?;
    Some(file(name, page.bytes.clone()))
}

/// The number of a season that is over, and the name of one of its pages.
fn past_season(path: &str) -> Option<(u32, &str)> {
    let (season, name) = path.strip_prefix("/seasons/")?.split_once('/')?;
    let number: u32 = season.parse().ok()?;
    (number.to_string() == season).then_some((number, name))
}

/// The log of heads.
async fn heads(extract::State(state): extract::State<Arc<State>>, request: Request) -> Response {
    let served = ServeFile::new(state.folder.heads()).try_call(request).await;
    match served.ok().filter(|served| served.status() != StatusCode::NOT_FOUND) {
        Some(served) => ([(CACHE_CONTROL, "no-cache")], served.map(Body::new)).into_response(),
        None => (StatusCode::NOT_FOUND, "No stage has been played yet.\n").into_response(),
    }
}

/// A page of the report. Only the paths of a report lead to files, so no path leads anywhere else.
async fn page(extract::State(state): extract::State<Arc<State>>, mut request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let (site, name) = match past_season(&path) {
        Some((season, name)) => (state.folder.past_site(season), name),
        None => (state.folder.site(), path.strip_prefix('/').unwrap_or_default()),
    };
    let name = if name.is_empty() { "index.html" } else { name };
    let root = root_of(request.uri());
    // The files with a dot are the report's own.
    if arena_pages::is_of_a_site(name) && !name.starts_with('.') {
        if let Ok(uri) = format!("/{name}").parse() {
            *request.uri_mut() = uri;
        }
        let served = ServeDir::with_backend(site, Files::default()).try_call(request).await;
        if let Some(page) = served.ok().filter(|page| page.status() != StatusCode::NOT_FOUND) {
            // Browsers ask each time if it has changed.
            return ([(CACHE_CONTROL, "no-cache")], page.map(Body::new)).into_response();
        }
    }
    // A season that is over had links to what the club has once.
    if let Some((_, rest)) = past_season(&path)
        && addresses::is_of_club(rest)
    {
        return (StatusCode::FOUND, [(LOCATION, format!("{root}{rest}"))]).into_response();
    }
    let season =
        past_season(&path).map_or(Some(state.season), |(past, _)| state.is_past(past).then_some(past));
    if let Some(season) = season
        && let Some(page) = match asset(name) {
            None => replay(&state, &root, season, name).await,
            asset => asset,
        }
    {
        return page;
    }
    if let Some(season) = season
        && PAGES_TO_COME.contains(&name)
    {
        return waiting_page(&state, root, season).await;
    }
    let refusal =
        Refusal::new(StatusCode::NOT_FOUND, "There is no such page", "look for it in the standings");
    AnswerPage::refusal(root, refusal).into_response()
}

/// The answer for a page of a season that is not written yet.
async fn waiting_page(state: &Arc<State>, root: String, season: u32) -> Response {
    let read = state.blocking(|state| {
        let (_, notices) = state.register(|it| closed_and_notices(it, state.now()))?;
        Ok((state.closed()?, notices))
    });
    let (closed, notices) = match read.await {
        Ok(read) if season == state.season => read,
        Ok(_) => Default::default(),
        Err(refusal) => return AnswerPage::refusal(root, refusal).into_response(),
    };
    let announcements = notices.announcements_section();
    let has_played = season != state.season || state.has_played();
    let page = WaitingPage { root, has_played, closed, announcements, commitment: &state.commitment, season };
    OwnPage(StatusCode::OK, page).into_response()
}

async fn submit_page(extract::State(state): extract::State<Arc<State>>) -> Response {
    match state.blocking(State::closed).await {
        Ok(closed) => {
            let page = SubmitPage { root: "", closed, mib_max: state.component_mib_max() };
            OwnPage(StatusCode::OK, page).into_response()
        }
        Err(refusal) => AnswerPage::refusal(String::new(), refusal).into_response(),
    }
}

/// Takes a bot: the form of a browser, or the component itself.
async fn submit(extract::State(state): extract::State<Arc<State>>, request: Request) -> Response {
    let media_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if media_type.is_some_and(|media_type| media_type.starts_with("multipart/form-data")) {
        return submit_form(&state, request).await.into_response();
    }
    let submitted = submit_component(&state, request).await;
    submitted.map(|submitted| Document(StatusCode::OK, submitted)).into_response()
}

async fn submit_component(state: &Arc<State>, request: Request) -> Result<Submitted, Refusal> {
    let author = upload::author(state, upload::token_of(request.headers())?).await?;
    let [is_published, is_draft] = ["publish", "draft"].map(|what| asks(request.uri(), what));
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let version =
        upload::receive(state, &author, is_draft, length, request.into_body().into_data_stream()).await?;
    if is_published {
        upload::publish(state, &author, version.id, true).await?;
    }
    let version = upload::wait_for_verdict(state, version, VERDICT_TIME).await?;
    state.version_now(&version).await
}

/// True if the query of an address has this word.
pub(crate) fn asks(address: &Uri, what: &str) -> bool {
    address.query().is_some_and(|query| query.split('&').any(|it| it == what))
}

async fn submit_form(state: &Arc<State>, request: Request) -> OwnPage<AnswerPage> {
    let is_draft = asks(request.uri(), "draft");
    let received = match Multipart::from_request(request, state).await {
        Ok(form) => form::receive(state, is_draft, form).await,
        Err(_) => Err(form::wrong()),
    };
    let judged = async {
        let version = upload::wait_for_verdict(state, received?, VERDICT_TIME).await?;
        state.version_now(&version).await
    };
    match judged.await {
        Ok(Submitted { version, finding, next, state, .. }) => {
            let verdict = format!("Version {version}: {}", state.words());
            let page = AnswerPage { root: String::new(), verdict, text: finding, next: next.to_string() };
            OwnPage(StatusCode::OK, page)
        }
        Err(refusal) => AnswerPage::refusal(String::new(), refusal),
    }
}

async fn mine(
    extract::State(state): extract::State<Arc<State>>,
    ByToken(author): ByToken,
) -> Result<Document<Vec<Submitted>>, Refusal> {
    Ok(Document(StatusCode::OK, state.blocking(move |state| state.versions_now(&author.name)).await?))
}

/// Deletes the component of a version of the author with the token.
async fn delete(
    extract::State(state): extract::State<Arc<State>>,
    ByToken(author): ByToken,
    Path(id): Path<String>,
) -> Result<Document<Submitted>, Refusal> {
    // No version has the number 0.
    let id = id.parse().unwrap_or(0);
    let deleted = state.delete_own(&author, id).await?;
    Ok(Document(StatusCode::OK, state.version_now(&deleted).await?))
}

/// A version of the author with the token. One of another author is answered like one that does not exist.
async fn submission(
    extract::State(state): extract::State<Arc<State>>,
    ByToken(author): ByToken,
    Path(id): Path<String>,
) -> Result<Document<Submitted>, Refusal> {
    let id: Option<i64> = id.parse().ok();
    let versions = state.blocking(move |state| state.versions_now(&author.name)).await?;
    let version = versions.into_iter().find(|version| Some(version.id) == id).ok_or_else(|| {
        let next = "`arena mine` lists those of this token";
        Refusal::new(StatusCode::NOT_FOUND, "there is no such submission with this token", next)
    });
    Ok(Document(StatusCode::OK, version?))
}

/// The name that is the content of a request.
async fn name_in(request: Request) -> Result<String, Refusal> {
    let name = axum::body::to_bytes(request.into_body(), NAME_BYTES_MAX).await.ok();
    name.and_then(|name| String::from_utf8(name.into()).ok()).ok_or_else(form::wrong)
}

/// Sets the name that the pages show for the author with the token: the content of the request.
async fn choose_pseudonym(
    extract::State(state): extract::State<Arc<State>>,
    ByToken(author): ByToken,
    request: Request,
) -> Result<Document<ShownAs>, Refusal> {
    let name = name_in(request).await?;
    Ok(Document(StatusCode::OK, state.choose_pseudonym(author, &name).await?))
}

/// Challenges the bot of the author whose name is the content of the request, with a version of the author with the token.
async fn challenge(
    of: extract::State<Arc<State>>,
    ByToken(author): ByToken,
    Path(id): Path<String>,
    request: Request,
) -> Result<Document<Submitted>, Refusal> {
    let opponent = name_in(request).await?;
    // No version has the number 0.
    of.challenge(&author, id.parse().unwrap_or(0), opponent).await?;
    submission(of, ByToken(author), Path(id)).await
}

#[cfg(test)]
mod tests {
    use crate::club::ClubOptions;
    use crate::support::{club, played_club};
    use axum::http::Method;
    use axum::http::header::CONTENT_TYPE;
    use std::collections::BTreeSet;

    #[test]
    fn a_query_asks_for_what_it_names_as_a_whole_word() {
        let asked = |query: &str| {
            let address = format!("/submit{query}").parse().expect("it is an address");
            ["publish", "draft"].map(|what| super::asks(&address, what))
        };
        assert_eq!(asked(""), [false, false]);
        assert_eq!(asked("?draft"), [false, true]);
        assert_eq!(asked("?publish&draft"), [true, true]);
        assert_eq!(asked("?publish=no&drafts"), [false, false]);
    }

    /// The pages that the first game brings.
    const PAGES: [&str; 3] = ["/", "/season.html", "/projector.html"];

    #[test]
    fn a_page_is_not_there_before_the_first_game_and_says_so_only_then() {
        let it = club(ClubOptions::default());
        for path in ["/games/1.html", "/games/7.gif"] {
            let (status, page) = it.get(path);
            assert_eq!(status, 404, "{path}: {page}");
            assert!(page.contains("No game has been played in this season yet"), "{page}");
            assert!(page.contains("Next: "), "{page}");
        }
        for path in PAGES {
            let (status, page) = it.get(path);
            assert_eq!(status, 200, "{path}: {page}");
            assert!(page.contains("No game has been played yet"), "{page}");
        }
        // Also in a season that is over, while the pages that only a club has are missing.
        for is_over in [false, true] {
            let it = played_club().between(|folder| {
                if is_over {
                    folder.reveal().expect("it is not served");
                }
            });
            for path in PAGES {
                let (status, page) = it.get(path);
                assert_eq!(status, 200, "{path}: {page}");
                assert!(page.contains("The pages are being written"), "{page}");
                assert!(!page.contains("No game has been played"), "{page}");
            }
            let (status, page) = it.get("/seasons/7/season.html");
            assert_eq!(status, 404, "there is no such season: {page}");
        }
    }

    #[test]
    fn each_file_that_a_page_names_is_there() {
        let it = club(ClubOptions::default());
        let mut found = BTreeSet::new();
        for path in ["/", "/season.html", "/projector.html", "/submit"] {
            let (status, page) = it.get(path);
            assert_eq!(status, 200, "{path}: {page}");
            for attribute in page.split(['<', ' ', '>']) {
                let name = attribute.strip_prefix("href=\"").or(attribute.strip_prefix("src=\""));
                let name = name.and_then(|name| name.split('"').next()).unwrap_or_default();
                if [".css", ".js", ".svg"].iter().any(|end| name.ends_with(end)) {
                    found.insert(format!("/{}", name.trim_start_matches('/')));
                }
            }
        }
        for path in &found {
            let media_type = match path.rsplit_once('.').expect("it has an ending").1 {
                "css" => "text/css",
                "js" => "text/javascript",
                _ => "image/svg+xml",
            };
            let answer = it.ask(Method::GET, path, "127.0.0.1");
            let told = answer.headers()[CONTENT_TYPE].to_str().expect("it is text").to_owned();
            assert!(answer.status() == 200 && told.starts_with(media_type), "{path}: {told}");
            assert!(!it.text(answer).is_empty(), "{path} is empty");
        }
        assert!(["/style.css", "/club.css"].iter().all(|path| found.contains(*path)), "{found:?}");
    }

    #[test]
    fn a_season_that_takes_no_bots_says_so_where_they_are_submitted() {
        let it = club(ClubOptions::default());
        let has_form = |page: &str| page.contains("name=\"bot\"");
        assert!(has_form(&it.get("/submit").1));
        it.folder.freeze(true).expect("it is open");
        let at = it.folder.season().expect("it is there").frozen_at.expect("it is frozen");
        let words = format!(
            "This season takes no bots: it is frozen since {} UTC, and the bots that play go on.",
            at.replace('T', " ").trim_end_matches('Z')
        );
        for path in ["/", "/submit"] {
            let (_, page) = it.get(path);
            assert!(page.contains(&words) && !has_form(&page), "{path}: {page}");
        }
        let refused = it.upload(&it.author("ann"), b"a bot", true).expect_err("it is frozen");
        assert!(refused.what.contains(&at[..10]), "{}", refused.what);
        it.folder.freeze(false).expect("it is frozen");
        assert!(has_form(&it.get("/submit").1) && !it.get("/").1.contains("takes no bots"));
    }
}
