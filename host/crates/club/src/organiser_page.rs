//! The pages of a signed-in organiser: what `arena club` does at the command line, by the same functions.
//!
//! All of them are below `organiser/`, to which the cookie of a session goes back. The rules for sessions and forms are those of the pages of
//! authors; the token is another one.

mod dates;

use crate::error::ClubError;
use crate::form::{HasSession, SignedForm};
use crate::organiser::{ACTIONS_LISTED, Organiser};
use crate::own_page::{AnswerPage, OwnPage, asking_for_token, of_form, see_other, with_cookie};
use crate::requests::Submitted;
use crate::room::mib;
use crate::sessions::{self, Session};
use crate::state::State;
use crate::uploads::Refusal;
use crate::{form, join, token};
use arena_pages::time_in_words;
use arena_store::{Action, Announcement, JoinLink, ListedAuthor, Version, VersionState};
use askama::Template;
use axum::Router;
use axum::extract::{self, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, LOCATION};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use dates::DateField;
use std::sync::Arc;

/// The folder of all pages but these, from the first of them, and from that of an author.
const ROOT: &str = "../";
const ROOT_OF_AUTHOR: &str = "../../";

/// The paths of the pages.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/organiser", get(|| async { see_other("organiser/") }))
        .route("/organiser/", get(page))
        .route("/organiser/sign-in", of_form(post(sign_in)))
        .route("/organiser/sign-out", of_form(post(sign_out)))
        .route("/organiser/do", of_form(post(act)))
        .route("/organiser/dates", of_form(post(dates::set)))
        .route("/organiser/authors/{id}", get(author_page))
}

/// The page on which an organiser signs in.
#[derive(Template)]
#[template(path = "organiser_sign_in.html")]
struct SignInPage {
    root: &'static str,
    /// The reason why it has failed, and the next step.
    refusal: Option<(String, String)>,
}

/// The page of an organiser.
#[derive(Template)]
#[template(path = "organiser.html")]
struct OrganiserPage {
    root: &'static str,
    name: String,
    form: String,
    season: u32,
    /// The reason why the season takes no bots; `None` when it takes them.
    closed: Option<String>,
    is_frozen: bool,
    dates: [DateField; 3],
    join_link: Option<JoinLink>,
    places_max: u32,
    class_code: Option<String>,
    announcements: Vec<Announcement>,
    waiting: Vec<Version>,
    authors: Vec<AuthorRow>,
    /// The room that all authors take, and that is free on the disk, in MiB.
    room: [String; 2],
    actions: Vec<Action>,
}

/// An author in the list.
struct AuthorRow {
    author: ListedAuthor,
    versions: u32,
    waiting: usize,
    refused: usize,
    mib: String,
    latest: String,
}

/// The page about an author.
#[derive(Template)]
#[template(path = "organiser_author.html")]
struct AuthorPage {
    root: &'static str,
    form: String,
    author: ListedAuthor,
    room: String,
    versions: Vec<(Submitted, Version)>,
}

fn sign_in_page(status: StatusCode, root: &'static str, refusal: Option<Refusal>) -> Response {
    let refusal = refusal.map(|Refusal { what, next, .. }| (what, next));
    asking_for_token(OwnPage(status, SignInPage { root, refusal }))
}

fn refused(refusal: Refusal) -> Response {
    AnswerPage::refusal(ROOT.to_owned(), refusal).into_response()
}

/// The refusal of what the club cannot do. An organiser is told why, as at the command line.
fn refusal(error: ClubError) -> Refusal {
    if let ClubError::Engine(_) | ClubError::WrongRegister { .. } = error {
        return Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            error.to_string(),
            "look at the log of the club",
        );
    }
    let text = error.to_string();
    let (what, next) = text.split_once("\n  next: ").unwrap_or((&text, ""));
    Refusal::new(StatusCode::BAD_REQUEST, what, next)
}

/// An organiser who is signed in.
struct SignedIn {
    name: String,
    session: Session,
}

impl SignedIn {
    /// The organiser of a session whose token is still valid. An author's token is of no organiser.
    async fn of(state: &Arc<State>, headers: &HeaderMap) -> Result<Option<Self>, Refusal> {
        let Some(session) = state.sessions.of(headers) else { return Ok(None) };
        let token = session.token;
        let name = state.with_register(move |register| register.organiser(&token)).await?;
        Ok(name.map(|name| Self { name, session }))
    }
}

impl FromRequestParts<Arc<State>> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Self, Response> {
        let signed_in = Self::of(state, &parts.headers).await.map_err(refused)?;
        signed_in.ok_or_else(|| see_other("./").into_response())
    }
}

impl HasSession for SignedIn {
    fn session(&self) -> &Session {
        &self.session
    }
}

type Form = SignedForm<SignedIn>;

async fn sign_in(extract::State(state): extract::State<Arc<State>>, request: Request) -> Response {
    let headers = request.headers().clone();
    let mut form = match form::of_own_page(&state, request).await {
        Ok(form) => form,
        Err(refusal) => return refused(refusal),
    };
    let signed = async {
        let hash = token::hash(token::of_copy(&form::text(&mut form, "token").await?));
        if state.with_register(move |register| register.organiser(&hash)).await?.is_none() {
            let what = "the token is wrong, or was revoked, or is an author's";
            return Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                what,
                "make one with `arena club organiser add`",
            ));
        }
        Ok(state.sessions.begin(hash)?)
    };
    match signed.await {
        Ok(id) => with_cookie(&sessions::cookie(&id, &headers)),
        Err(refusal @ Refusal { status, .. }) => sign_in_page(status, ROOT, Some(refusal)),
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

/// The answer to a form.
enum Done {
    /// The page from which it came has changed.
    Changed,
    /// There is a secret, which is shown once: what it is, and what to do with it.
    Secret { what: String, secret: String, next: &'static str },
}

/// Does what a form says: the fields `action`, `author` and `text`, of which an action may need none.
async fn act(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in, mut rest } = form;
    let done = async {
        let action = form::text(&mut rest, "action").await?;
        let author = form::text(&mut rest, "author").await?;
        let text = form::lines(&mut rest, "text").await?;
        let organiser = state.folder.organised_by(Some(&signed_in.name));
        let (of, is_gone) = (author.clone(), action == "delete-author");
        let work = move |_: &State| Ok(perform(&organiser, &action, &author, text.trim()));
        let done = state.blocking(work).await?.map_err(|error| error.map_or_else(form::wrong, refusal))?;
        state.blocking(State::look_at_class_code).await?;
        state.note_change();
        let listed = state.blocking(|state| state.register(|register| register.list_authors())).await?;
        let id = listed.into_iter().find(|it| it.name == of && !is_gone).map(|it| it.id);
        Ok((done, id))
    };
    match done.await {
        Ok((Done::Changed, id)) => {
            let to = id.map_or_else(|| "./".to_owned(), |id| format!("authors/{id}"));
            (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
        }
        Ok((Done::Secret { what, secret, next }, _)) => {
            let page = AnswerPage { root: ROOT.into(), verdict: what, text: secret, next: next.into() };
            OwnPage(StatusCode::OK, page).into_response()
        }
        Err(refusal) => refused(refusal),
    }
}

/// Does something to the club. An error of `None` is a form that is not the club's.
fn perform(organiser: &Organiser, action: &str, author: &str, text: &str) -> Result<Done, Option<ClubError>> {
    let done = match action {
        "invite" => {
            let name = token::name_of(text);
            return Ok(Done::Secret {
                secret: organiser.invite(&name)?,
                what: format!("{name} is invited. The token is:"),
                next: "copy the token now, because it is shown only once, and send it to its owner; then go back to the page for organisers",
            });
        }
        "open-join" => {
            let places = text.parse().ok().filter(|places| (1..=join::PLACES_MAX).contains(places));
            organiser.set_join_link(Some(places.ok_or(None)?)).map(drop)
        }
        "close-join" => organiser.set_join_link(None).map(drop),
        "class-code" => organiser.set_class_code(true).map(drop),
        "public" => organiser.set_class_code(false).map(drop),
        "revoke" => organiser.revoke(author),
        "disqualify" => organiser.disqualify(author, Some(text)),
        "reinstate" => organiser.disqualify(author, None),
        "pseudonym" => organiser.set_pseudonym(author, Some(text).filter(|text| !text.is_empty())),
        "delete-version" => organiser.delete_versions(author, &[text.parse().map_err(|_| None)?]).map(drop),
        // What cannot be undone is not done by a slip.
        "delete-author" if text != author => {
            return Err(Some(ClubError::NotConfirmed { name: author.to_owned() }));
        }
        "delete-author" => organiser.delete_author(author).map(drop),
        "freeze" => organiser.freeze(true).map(drop),
        "unfreeze" => organiser.freeze(false).map(drop),
        "announce" => organiser.announce(text),
        "withdraw" => organiser.withdraw(text.parse().map_err(|_| None)?),
        _ => return Err(None),
    };
    done.map(|()| Done::Changed).map_err(Some)
}

async fn page(extract::State(state): extract::State<Arc<State>>, headers: HeaderMap) -> Response {
    let made = async {
        match SignedIn::of(&state, &headers).await? {
            Some(signed_in) => {
                let page = state.blocking(move |state| organiser_page(state, signed_in)).await?;
                Ok(OwnPage(StatusCode::OK, page).into_response())
            }
            None => Ok(sign_in_page(StatusCode::OK, ROOT, None)),
        }
    };
    made.await.unwrap_or_else(refused)
}

fn organiser_page(state: &State, SignedIn { name, session }: SignedIn) -> Result<OrganiserPage, ClubError> {
    let (season, listed, waiting, announcements, join_link, class_code, actions) =
        state.register(|register| {
            let authors = register.list_authors()?.into_iter();
            let listed = authors.map(|author| Ok((register.versions_of(&author.name)?, author)));
            let listed = listed.collect::<Result<Vec<_>, arena_store::RegisterError>>()?;
            Ok((
                register.season()?,
                listed,
                register.waiting()?,
                register.announcements()?,
                register.join_link()?,
                register.class_code()?.map(|code| code.code),
                register.actions(ACTIONS_LISTED)?,
            ))
        })?;
    let mut taken = 0;
    let mut authors = Vec::with_capacity(listed.len());
    for (versions, author) in listed {
        let of_author = state.taken(&author.name)?;
        taken += of_author;
        let count = |is: fn(&Version) -> bool| versions.iter().filter(|version| is(version)).count();
        let latest = versions.first();
        authors.push(AuthorRow {
            versions: latest.map_or(0, |version| version.number),
            waiting: count(|it| it.state == VersionState::Waiting && it.deleted_at.is_none()),
            refused: count(|it| matches!(it.state, VersionState::Refused | VersionState::Faulted)),
            mib: mib(of_author),
            latest: latest.map_or_else(|| "–".to_owned(), |it| time_in_words(&it.submitted_at)),
            author,
        });
    }
    let free = arena_platform::folders::free_bytes(state.folder.path()).unwrap_or(0);
    Ok(OrganiserPage {
        root: ROOT,
        name,
        form: session.form,
        season: state.season,
        closed: state.closed()?,
        is_frozen: season.frozen_at.is_some(),
        dates: dates::fields(&season.dates, state.now()),
        join_link,
        places_max: join::PLACES_MAX,
        class_code,
        announcements,
        waiting,
        authors,
        room: [taken, free].map(mib),
        actions,
    })
}

async fn author_page(
    extract::State(state): extract::State<Arc<State>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let Some(signed_in) = SignedIn::of(&state, &headers).await? else {
            let refusal =
                Refusal::new(StatusCode::UNAUTHORIZED, "you are not signed in", "sign in with your token");
            return Ok(sign_in_page(StatusCode::UNAUTHORIZED, ROOT_OF_AUTHOR, Some(refusal)));
        };
        let read = move |state: &State| {
            let listed = state.register(|register| register.list_authors())?;
            let Some(author) = listed.into_iter().find(|author| author.id.to_string() == id) else {
                return Ok(None);
            };
            let versions = state.register(|register| register.versions_of(&author.name))?;
            let seen = state.versions_now(&author.name)?;
            let versions = seen.into_iter().zip(versions);
            Ok(Some(AuthorPage {
                root: ROOT_OF_AUTHOR,
                form: signed_in.session.form,
                room: mib(state.taken(&author.name)?),
                versions: versions.collect(),
                author,
            }))
        };
        let page = state.blocking(read).await?;
        let none =
            || Refusal::new(StatusCode::NOT_FOUND, "there is no such author", "choose one in the list");
        Ok(OwnPage(StatusCode::OK, page.ok_or_else(none)?).into_response())
    };
    made.await
        .unwrap_or_else(|refusal| AnswerPage::refusal(ROOT_OF_AUTHOR.to_owned(), refusal).into_response())
}

#[cfg(test)]
mod tests;
