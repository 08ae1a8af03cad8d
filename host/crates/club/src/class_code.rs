//! The code of a class: while the club has one, only those who have given it see the pages and the documents.
//!
//! Their cookie has a secret that is drawn with the code, so that no code can be guessed by cookies, and both end together. Authors and
//! organisers have their tokens instead, and what a path shows only for a token needs no code.

use crate::answers::token;
use crate::author_page::{elsewhere, see_other};
use crate::error::ClubError;
use crate::own_page::OwnPage;
use crate::state::State;
use crate::uploads::Refusal;
use crate::{answers, form, sessions, token as tokens, upload};
use arena_web::Client;
use askama::Template;
use axum::Router;
use axum::extract::{self, Extension, FromRequest, Multipart, Request};
use axum::http::header::{HeaderMap, SET_COOKIE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// The name of the cookie.
const NAME: &str = "arena_class";

/// The time for which a browser has the cookie. Chosen: a term.
const COOKIE_TIME: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// The page with the form.
#[derive(Template)]
#[template(path = "class_code.html")]
struct CodePage {
    root: String,
    refusal: Option<(String, String)>,
}

/// The paths.
pub(crate) fn routes() -> Router<Arc<State>> {
    let form = || async { page(StatusCode::OK, String::new(), None) };
    Router::new().route("/enter", get(form).post(enter))
}

impl State {
    /// Looks at the code in the register, which another process may have changed.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn look_at_class_code(&self) -> Result<(), ClubError> {
        let code = self.register(|register| register.class_code())?;
        let hash = code.map(|code| tokens::hash(&code.cookie));
        *self.class_cookie.lock().unwrap_or_else(PoisonError::into_inner) = hash;
        Ok(())
    }

    /// True if the pages are public, or a request has the cookie of those who have given the code.
    fn may_see(&self, headers: &HeaderMap) -> bool {
        let hash = *self.class_cookie.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |hash| sessions::cookies(headers, NAME).any(|cookie| tokens::hash(cookie) == hash);
        hash.is_none_or(is_it)
    }
}

/// True for what has nothing to see, or asks for a token or a code itself.
fn is_open(method: &Method, path: &str) -> bool {
    let below = |folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| matches!(rest.bytes().next(), None | Some(b'/')))
    };
    matches!(path, "/enter" | "/join" | "/mine" | "/club.css" | "/author.js")
        || path == "/submit" && method == Method::POST
        || ["/me", "/organiser", "/submissions"].into_iter().any(below)
        || path.strip_prefix('/').is_some_and(|name| arena_pages::asset(name).is_some())
}

/// Answers a request of those who may see what it asks for, and asks the others for the code.
pub(crate) async fn require(
    extract::State(state): extract::State<Arc<State>>,
    request: Request,
    next: Next,
) -> Response {
    let (uri, headers) = (request.uri(), request.headers());
    if is_open(request.method(), uri.path()) || state.may_see(headers) {
        return next.run(request).await;
    }
    let is_author = match token(headers).map(str::to_owned) {
        Ok(token) => upload::author(&state, &token).await.is_ok(),
        Err(_) => false,
    };
    if is_author {
        return next.run(request).await;
    }
    let what = "the pages are for those who have the code of the class";
    let refusal = Refusal::new(StatusCode::UNAUTHORIZED, what, "ask the organiser for the code");
    match uri.path().starts_with("/api/") {
        true => refusal.into_response(),
        false => page(StatusCode::UNAUTHORIZED, answers::root_of(uri), Some(refusal)),
    }
}

fn page(status: StatusCode, root: String, refusal: Option<Refusal>) -> Response {
    let refusal = refusal.map(|Refusal { what, next, .. }| (what, next));
    OwnPage(status, CodePage { root, refusal }).into_response()
}

async fn enter(
    extract::State(state): extract::State<Arc<State>>,
    Extension(Client(client)): Extension<Client>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let root = answers::root_of(request.uri());
    let entered = async {
        let form = Multipart::from_request(request, &state).await;
        let mut form = form.ok().filter(|_| arena_web::is_own(&headers)).ok_or_else(elsewhere)?;
        let given = tokens::typed_code(&form::text(&mut form, "code").await?);
        state.may_try_code(client)?;
        let code = state.with_register(|register| register.class_code()).await?;
        code.filter(|it| it.code == given).ok_or_else(|| {
            state.wrong_codes.add(client, state.now());
            Refusal::new(StatusCode::FORBIDDEN, "the code is wrong, or there is none", "ask the organiser")
        })
    };
    match entered.await {
        Ok(code) => {
            let secure = if sessions::is_tls(&headers) { "; Secure" } else { "" };
            let (cookie, seconds) = (code.cookie, COOKIE_TIME.as_secs());
            // A link of another site may lead to a page, so the cookie goes with it.
            let cookie = format!("{NAME}={cookie}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
            let mut answer = see_other("./");
            answer.headers_mut().extend(HeaderValue::from_str(&cookie).map(|cookie| (SET_COOKIE, cookie)));
            answer
        }
        Err(refusal @ Refusal { status, .. }) => page(status, root, Some(refusal)),
    }
}
