//! The pages of a signed-in author: versions, uploads, games with their logs, and nothing of another author.
//!
//! All of them are below `me/`, to which the cookie of a session goes back. Each form has the text of its session, and is refused if the
//! browser says that another site has sent it.

use crate::answers::{SCRIPT_OF_AUTHORS, VERDICT_TIME};
use crate::challenges::ChallengeRow;
use crate::form::{HasSession, SignedForm};
use crate::own_games::OwnGames;
use crate::own_page::{AnswerPage, OwnPage, asking_for_token, of_form, see_other, with_cookie};
use crate::requests::{ChallengeProgress, LostGame, Submitted, SubmittedState};
use crate::sessions::{self, Session};
use crate::state::State;
use crate::uploads::Refusal;
use crate::{answers, challenge_pages, challenges, form, own_games, token, upload};
use arena_pages::Contest;
use arena_store::{Author, Version, VersionState};
use askama::Template;
use axum::Router;
use axum::extract::{self, FromRequestParts, Request};
use axum::http::header::HeaderMap;
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;

/// The number of digits of a hash in the list of versions. Chosen: as in `arena mine`.
const DIGITS: usize = 12;

/// The folder of all pages but these, from one of them.
const ROOT: &str = "../";

/// The paths of the pages.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/me", get(|| async { see_other("me/") }))
        .route("/me/", get(page))
        .route("/me/sign-in", of_form(post(sign_in)))
        .route("/me/sign-out", of_form(post(sign_out)))
        .route("/me/submit", of_form(post(submit)))
        .route("/me/play", of_form(post(play)))
        .route("/me/publish", of_form(post(publish)))
        .route("/me/delete", of_form(post(delete)))
        .route("/me/challenge", of_form(post(challenge)))
        .route("/me/name", of_form(post(choose_name)))
        .merge(challenge_pages::routes())
        .merge(own_games::routes())
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
    /// The name that the pages show instead.
    pseudonym: Option<String>,
    /// True if the organiser has set it, so that the author cannot change it.
    has_fixed_pseudonym: bool,
    disqualified: Option<String>,
    /// The reason why the season takes no bots; `None` when it takes them.
    closed: Option<String>,
    /// The largest component, in MiB.
    mib_max: u64,
    /// The room that the author's bots, logs and replays take, if it has a limit.
    room: Option<String>,
    answer: Option<AnswerTo>,
    is_waiting: bool,
    versions: Vec<VersionRow>,
    /// The games that tell most about why the version that plays loses.
    lost: Vec<LostGame>,
    /// The numbers of the versions that may challenge others, in the register and among the author's.
    tried: Vec<(i64, u32)>,
    /// The authors whose bots play.
    opponents: Vec<String>,
    challenges: Vec<ChallengeRow>,
    own: OwnGames,
    /// The numbers of the seasons that are over, the latest first.
    seasons: Vec<u32>,
}

/// The answer to an upload.
struct AnswerTo {
    /// The result, in a sentence.
    verdict: String,
    /// The finding; empty if there is none.
    text: String,
    /// The next step; empty if there is none.
    next: String,
}

/// A version in the list.
struct VersionRow {
    id: i64,
    number: u32,
    state: &'static str,
    /// The next step for its author; empty if there is none.
    next: String,
    may_play: bool,
    is_refused: bool,
    place: String,
    rating: String,
    /// The difference of the rating from that of the version before.
    change: String,
    games: String,
    faults: String,
    submitted_at: String,
    sha256: String,
    short: String,
    /// True if the pages of the contest have it.
    is_known: bool,
    is_published: bool,
    /// True if its author may delete its component.
    may_delete: bool,
    /// True if its component was deleted.
    is_deleted: bool,
    finding: String,
}

/// The page on which to sign in.
fn sign_in_page(status: StatusCode, refusal: Option<Refusal>) -> Response {
    let refusal = refusal.map(|Refusal { what, next, .. }| (what, next));
    asking_for_token(OwnPage(status, SignInPage { root: ROOT, refusal }))
}

fn refused(refusal: Refusal) -> Response {
    AnswerPage::refusal(ROOT.to_owned(), refusal).into_response()
}

/// An author who is signed in.
pub(crate) struct SignedIn {
    pub(crate) author: Author,
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

impl HasSession for SignedIn {
    fn session(&self) -> &Session {
        &self.session
    }
}

type Form = SignedForm<SignedIn>;

async fn page(extract::State(state): extract::State<Arc<State>>, headers: HeaderMap) -> Response {
    match SignedIn::of(&state, &headers).await {
        Ok(Some(signed_in)) => author_page(&state, signed_in, StatusCode::OK, None).await,
        Ok(None) => sign_in_page(StatusCode::OK, None),
        Err(refusal) => refused(refusal),
    }
}

async fn sign_in(extract::State(state): extract::State<Arc<State>>, request: Request) -> Response {
    let headers = request.headers().clone();
    let mut form = match form::of_own_page(&state, request).await {
        Ok(form) => form,
        Err(refusal) => return refused(refusal),
    };
    let signed = async {
        let given = form::text(&mut form, "token").await?;
        upload::author(&state, given.trim()).await?;
        Ok(state.sessions.begin(token::hash(token::of_copy(&given)))?)
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

async fn submit(extract::State(state): extract::State<Arc<State>>, address: Uri, form: Form) -> Response {
    let Form { signed_in, rest } = form;
    let received = async {
        let is_draft = answers::asks(&address, "draft");
        let version = form::receive_of(&state, &signed_in.author, is_draft, rest).await?;
        let version = upload::wait_for_verdict(&state, version, VERDICT_TIME).await?;
        state.version_now(&version).await
    };
    let (status, answer) = match received.await {
        Ok(it) => {
            let verdict = format!("Version {}: {}", it.version, words(it.state));
            (StatusCode::OK, AnswerTo { verdict, text: it.finding, next: it.next.to_string() })
        }
        Err(Refusal { status, what, next }) => {
            (status, AnswerTo { verdict: what, text: String::new(), next })
        }
    };
    author_page(&state, signed_in, status, Some(answer)).await
}

/// True for a version that waits for its verdict.
fn waits(version: &Version) -> bool {
    version.state == VersionState::Waiting && version.deleted_at.is_none()
}

/// True for a version that was judged and does not play.
fn is_refused(version: &Version) -> bool {
    matches!(version.state, VersionState::Refused | VersionState::Faulted)
}

/// The state of a version in words, on the page that shows the verdict later.
fn words(state: SubmittedState) -> &'static str {
    match state {
        SubmittedState::Waiting => "waits to be judged; the verdict will be below",
        state => state.words(),
    }
}

async fn play(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in: SignedIn { author, .. }, mut rest } = form;
    let chosen = async {
        let id = form::text(&mut rest, "version").await?.parse::<i64>().map_err(|_| form::wrong())?;
        upload::require_author_may_play(&state, &author).await?;
        let name = author.name.clone();
        if let Some(refusal) = state.blocking(move |state| state.refuse_without_room(&name)).await? {
            return Err(refusal);
        }
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

/// Challenges a bot with a version.
async fn challenge(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in: SignedIn { author, .. }, mut rest } = form;
    let entered = async {
        let id = form::text(&mut rest, "version").await?.parse::<i64>().map_err(|_| form::wrong())?;
        let opponent = form::text(&mut rest, "opponent").await?;
        state.challenge(&author, id, opponent).await
    };
    entered.await.map_or_else(refused, |()| see_other("./#challenges"))
}

/// Has the pages show another name for the author.
async fn choose_name(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in: SignedIn { author, .. }, mut rest } = form;
    let chosen = async {
        let name = form::text(&mut rest, "name").await?;
        state.choose_pseudonym(author, &name).await
    };
    chosen.await.map_or_else(refused, |_| see_other("./#name"))
}

/// Publishes a version when the season is over, or withdraws that.
async fn publish(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in: SignedIn { author, .. }, mut rest } = form;
    let noted = async {
        let id = form::text(&mut rest, "version").await?.parse::<i64>().map_err(|_| form::wrong())?;
        let is_published = match form::text(&mut rest, "publish").await?.as_str() {
            "yes" => true,
            "no" => false,
            _ => return Err(form::wrong()),
        };
        match upload::publish(&state, &author, id, is_published).await? {
            true => Ok(()),
            false => Err(Refusal::new(
                StatusCode::NOT_FOUND,
                "you have no such version",
                "choose one in the list of your versions",
            )),
        }
    };
    noted.await.map_or_else(refused, |()| see_other("./#versions"))
}

/// Deletes the component of a version that has not played.
async fn delete(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in: SignedIn { author, .. }, mut rest } = form;
    let deleted = async {
        let id = form::text(&mut rest, "version").await?.parse::<i64>().map_err(|_| form::wrong())?;
        state.delete_own(&author, id).await
    };
    deleted.await.map_or_else(refused, |_| see_other("./#versions"))
}

/// A number, or a dash.
fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

fn version_row(it: Submitted, contest: Option<&Contest>, version: &Version, is_open: bool) -> VersionRow {
    let is_admitted = version.state == VersionState::Admitted;
    let is_deleted = version.deleted_at.is_some();
    let bot = contest
        .filter(|_| is_admitted)
        .and_then(|contest| contest.bots.iter().position(|bot| bot.sha256.as_str() == it.sha256.as_str()));
    let standing = it.standing.as_ref();
    let rating = standing.map(|standing| standing.rating).filter(|rating| !rating.is_unknown());
    VersionRow {
        id: it.id,
        number: it.version,
        state: if it.state == SubmittedState::Waiting { "waits to be judged" } else { it.state.words() },
        next: it.next.to_string(),
        may_play: is_open && is_admitted && !is_deleted && !version.plays && version.disqualified.is_none(),
        is_refused: is_refused(version),
        place: or_dash(standing.and_then(|standing| standing.place)),
        rating: or_dash(rating),
        change: or_dash(it.change.map(|change| format!("{change:+.0}").replace('-', "−"))),
        games: or_dash(standing.map(|standing| standing.games)),
        faults: or_dash(standing.map(|standing| standing.faults)),
        submitted_at: it.submitted_at.as_str().replace('T', " ").trim_end_matches('Z').to_owned(),
        short: it.sha256.as_str().chars().take(DIGITS).collect(),
        sha256: it.sha256.as_str().to_owned(),
        is_known: bot.is_some(),
        is_published: it.published,
        may_delete: version.is_kept() && !version.has_played,
        is_deleted,
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
        let mut seen = state.versions_as_shown(&of_author.name, contest)?;
        let challenges = challenges::rows(&mut seen);
        let lost = seen.iter_mut().flat_map(|it| std::mem::take(&mut it.lost)).collect();
        let mut in_play = state.register(|register| register.in_play())?;
        // One's own bot is the last to be thought of.
        in_play.sort_by_key(|version| version.author == of_author.name);
        let own = contest.map(|contest| OwnGames::of(contest, &versions, &state.logs, ""));
        let closed = state.closed()?;
        let is_open = closed.is_none();
        let room = state.room_in_words(&of_author.name)?;
        let listed = state.register(|register| register.list_authors())?;
        let listed = listed.into_iter().find(|author| author.id == of_author.id);
        Ok(AuthorPage {
            root: ROOT,
            closed,
            disqualified: of_author.disqualified,
            name: of_author.name,
            has_fixed_pseudonym: listed.as_ref().is_some_and(|author| author.has_fixed_pseudonym),
            pseudonym: listed.and_then(|author| author.pseudonym),
            form: session.form,
            mib_max: state.component_mib_max(),
            room,
            answer,
            is_waiting: versions.iter().any(waits)
                || challenges.iter().any(|it| it.seen.progress == ChallengeProgress::Waiting),
            tried: versions.iter().filter(|it| it.may_play()).map(|it| (it.id, it.number)).collect(),
            opponents: in_play.into_iter().map(|version| version.author).collect(),
            versions: seen
                .into_iter()
                .filter_map(|it| {
                    let version = versions.iter().find(|version| version.id == it.id)?;
                    Some(version_row(it, contest, version, is_open))
                })
                .collect(),
            lost,
            challenges,
            own: own.unwrap_or_else(|| OwnGames::none(state.has_played())),
            seasons: (1..state.season).rev().collect(),
        })
    });
    match made.await {
        Ok(page) => OwnPage(status, page).into_response(),
        Err(refusal) => refused(refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{bot, club};
    use arena_store::Deleter;

    #[test]
    fn only_a_kept_version_that_was_admitted_and_does_not_play_can_be_chosen_while_the_season_takes_bots() {
        let it = club(ClubOptions::default());
        let ann = it.author("ann");
        let [first, second] = [100, 200].map(|padding| it.admit(&ann, &bot("builtin:random", padding)).id);
        let waiting = it.upload(&ann, &bot("builtin:random", 300), true).expect("it is taken").id;
        let row = |id: i64, is_open: bool| {
            let seen = it.club.state.versions_as_shown("ann", None).expect("it can be read");
            let seen = seen.into_iter().find(|version| version.id == id).expect("it is there");
            version_row(seen, None, &it.version(id), is_open)
        };
        let may_play = |is_open: bool| [first, second, waiting].map(|id| row(id, is_open).may_play);
        // The second version plays.
        assert_eq!((may_play(true), may_play(false)), ([true, false, false], [false; 3]));
        assert_eq!(row(waiting, true).state, "waits to be judged");
        let delete = |number: u32| {
            it.club
                .state
                .register(|register| register.delete("ann", number, Deleter::Organiser))
                .expect("it is known");
        };
        [1, 3].into_iter().for_each(delete);
        assert_eq!(may_play(true), [false; 3]);
        assert!(row(waiting, true).state.starts_with("deleted"), "{}", row(waiting, true).state);
    }
}
