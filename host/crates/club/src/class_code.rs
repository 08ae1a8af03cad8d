//! The code of a class: while the club has one, only those who have given it see the pages and the documents.
//!
//! Their cookie has a secret that is drawn with the code, so that no code can be guessed by cookies, and both end together. Authors and
//! organisers have their tokens instead, and what a path shows only for a token needs no code.

use crate::error::ClubError;
use crate::own_page::{OwnPage, root_of, with_cookie};
use crate::state::State;
use crate::uploads::Refusal;
use crate::{form, sessions, token, upload};
use arena_web::Client;
use askama::Template;
use axum::Router;
use axum::extract::{self, Extension, FromRequest, Multipart, Request};
use axum::http::header::HeaderMap;
use axum::http::{Method, StatusCode};
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
        let hash = code.map(|code| token::hash(&code.cookie));
        *self.class_cookie.lock().unwrap_or_else(PoisonError::into_inner) = hash;
        Ok(())
    }

    /// True if the pages are public, or a request has the cookie of those who have given the code.
    fn may_see(&self, headers: &HeaderMap) -> bool {
        let hash = *self.class_cookie.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |hash| sessions::cookies(headers, NAME).any(|cookie| token::hash(cookie) == hash);
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
    let is_author = match upload::token_of(headers).map(str::to_owned) {
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
        false => page(StatusCode::UNAUTHORIZED, root_of(uri), Some(refusal)),
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
    let root = root_of(request.uri());
    let entered = async {
        let form = Multipart::from_request(request, &state).await;
        let mut form = form.ok().filter(|_| arena_web::is_own(&headers)).ok_or_else(form::elsewhere)?;
        let given = token::typed_code(&form::text(&mut form, "code").await?);
        state.wrong_codes.may_try(client, state.now())?;
        let code = state.with_register(|register| register.class_code()).await?;
        code.filter(|it| it.code == given).ok_or_else(|| {
            state.wrong_codes.add(client, state.now());
            Refusal::new(
                StatusCode::FORBIDDEN,
                "the code is wrong, or this club has no code",
                "ask the organiser",
            )
        })
    };
    match entered.await {
        Ok(code) => {
            let secure = if arena_web::is_tls(&headers) { "; Secure" } else { "" };
            let (cookie, seconds) = (code.cookie, COOKIE_TIME.as_secs());
            // A link of another site may lead to a page, so the cookie goes with it.
            with_cookie(&format!("{NAME}={cookie}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"))
        }
        Err(refusal @ Refusal { status, .. }) => page(status, root, Some(refusal)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{Setting, bot, club, cookie};
    use crate::wrong_codes::WRONG_CODES_MAX;

    /// A club with games, whose pages are behind this code, and the token of an author of it.
    fn hidden() -> (Setting, String, String) {
        let it = club(ClubOptions::default());
        let token = it.folder.organised_by(None).invite("cat").expect("the name is free");
        it.admit(&it.author("Annabel"), &bot("builtin:random", 10));
        it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
        it.play();
        it.write_pages(1);
        let code = it.folder.organised_by(None).set_class_code(true).expect("it can be written");
        it.club.state.look_at_class_code().expect("it can be read");
        assert_eq!(it.folder.class_code().expect("there is a club"), code);
        (it, code.expect("there is one"), token)
    }

    fn enter(it: &Setting, client: &str, headers: &[(&str, &str)], code: &str) -> Response {
        it.post("/enter", headers, &[("code", code)], client)
    }

    /// The paths of all that the club shows to everybody when it is public, of each kind one.
    const SHOWN: [&str; 19] = [
        "/",
        "/index.html",
        "/season.html",
        "/projector.html",
        "/bots/1.html",
        "/games/1.html",
        "/games/1.gif",
        "/downloads/journal.db",
        "/heads.txt",
        "/events",
        "/submit",
        "/api/v1/season",
        "/api/v1/standings",
        "/api/v1/openapi.json",
        "/bot/Annabel",
        "/version/00",
        "/game/1/1/1",
        "/seasons/1/index.html",
        "/nowhere",
    ];

    #[test]
    fn without_the_code_no_path_shows_anything_and_with_it_all_are_as_before() {
        let (it, code, token) = hidden();
        let entered = cookie(&enter(&it, "127.0.0.1", &[], &code.to_lowercase()));
        let bearer = format!("Bearer {token}");
        for path in SHOWN {
            for method in [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS] {
                if (path, &method) == ("/submit", &Method::POST) {
                    continue;
                }
                let answer = it.ask(method.clone(), path, "127.0.0.1");
                assert_eq!(answer.status(), 401, "{method} {path}");
                let text = it.text(answer);
                assert!(!text.contains("Annabel") && !text.contains("standings\":"), "{path}: {text}");
            }
            for wrong in [
                ("cookie", "arena_class=x".to_owned()),
                ("cookie", format!("arena_class={code}")),
                ("cookie", format!("other={}", entered.split_once('=').expect("it has a value").1)),
                ("authorization", "Bearer x".to_owned()),
                ("authorization", format!("Bearer {code}")),
            ] {
                assert_eq!(it.ask_with(path, &[(wrong.0, &wrong.1)]).status(), 401, "{path} {wrong:?}");
            }
            for right in [("cookie", entered.as_str()), ("authorization", &bearer)] {
                assert_ne!(it.ask_with(path, &[right]).status(), 401, "{path}");
            }
        }
        assert_eq!(it.ask_with("/api/v1/standings", &[("cookie", &entered)]).status(), 200);
        assert!(it.text(it.ask_with("/", &[("cookie", &entered)])).contains("Annabel"));
        it.folder.organised_by(None).set_class_code(false).expect("it can be written");
        it.club.state.look_at_class_code().expect("it can be read");
        assert!(SHOWN.iter().all(|path| it.ask(Method::GET, path, "127.0.0.1").status() != 401));
    }

    #[test]
    fn what_asks_for_a_token_or_a_code_itself_is_open_and_shows_nothing() {
        let (it, _, _) = hidden();
        for path in
            ["/enter", "/join", "/me/", "/organiser/", "/style.css", "/club.css", "/icon.svg", "/live.js"]
        {
            let (status, text) = it.get(path);
            assert!(status == 200 && !text.contains("Annabel"), "{path}: {text}");
        }
        for path in ["/mine", "/submissions/1", "/me/1.html", "/organiser/authors/1"] {
            assert!([401, 303].contains(&it.get(path).0), "{path}");
        }
        // A replay that is missing from the pages is not made.
        for path in ["/games/9.html", "/seasons/1/games/9.html", "/seasons/2/index.html"] {
            assert_eq!(it.get(path).0, 401, "{path}");
        }
        for path in
            ["/me/index.html", "/me/games/1.html", "/organiser/index.html", "/submissions/1/index.html"]
        {
            let (status, text) = it.get(path);
            assert!(status >= 300 && !text.contains("Annabel"), "{path}: {status}");
        }
        assert_eq!(it.ask(Method::POST, "/submit", "127.0.0.1").status(), 401);
    }

    #[test]
    fn a_cookie_ends_with_its_code_and_a_session_is_none() {
        let (it, code, token) = hidden();
        let first = cookie(&enter(&it, "127.0.0.1", &[], &code));
        let again = it.folder.organised_by(None).set_class_code(true).expect("it can be written");
        it.club.state.look_at_class_code().expect("it can be read");
        assert_eq!(it.ask_with("/", &[("cookie", &first)]).status(), 401);
        assert_eq!(enter(&it, "127.0.0.1", &[], &code).status(), 403, "the code before is void");
        let second = cookie(&enter(&it, "127.0.0.1", &[], &again.expect("there is one")));
        assert_eq!(it.ask_with("/", &[("cookie", &format!("{first}; {second}"))]).status(), 200);
        let session = cookie(&it.post("/me/sign-in", &[], &[("token", &token)], "127.0.0.1"));
        assert_eq!(it.ask_with("/", &[("cookie", &session)]).status(), 401);
        let it = it.again(ClubOptions::default());
        assert_eq!(it.ask_with("/", &[("cookie", &second)]).status(), 200, "the club was served again");
        assert_eq!(it.get("/").0, 401);
    }

    #[test]
    fn a_client_has_thirty_wrong_codes_and_a_form_of_another_site_none() {
        let (it, code, _) = hidden();
        let elsewhere = enter(&it, "10.0.0.1", &[("origin", "https://other"), ("host", "club")], &code);
        assert_eq!(elsewhere.status(), 403);
        for _ in 0..WRONG_CODES_MAX {
            assert_eq!(enter(&it, "10.0.0.1", &[], "AAAAA-AAAAA").status(), 403);
        }
        assert_eq!(enter(&it, "10.0.0.1", &[], &code).status(), 429, "also with the right one");
        assert_eq!(enter(&it, "10.0.0.2", &[], &code).status(), 303);
    }
}
