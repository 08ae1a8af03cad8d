//! The answers to requests.
//!
//! There are no cookies: a token comes with each request, so another site cannot make a browser submit anything.

use crate::form;
use crate::http::server::{Answer, Request};
use crate::requests::{Complaint, Submitted};
use crate::site;
use crate::state::State;
use crate::upload;
use crate::uploads::Refusal;
use arena_store::Version;
use askama::Template;
use http::header::{
    ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, REFERRER_POLICY,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{Method, StatusCode};
use serde::Serialize;
use std::time::Duration;

/// The time that an upload waits for its verdict. Chosen: a bot is judged within it, and no proxy gives up.
const VERDICT_TIME: Duration = Duration::from_secs(45);

/// The policy of the report's pages, which no other site may frame.
const SITE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                           form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The policy of the club's own pages, which have a form and no scripts. Their icon is empty, so that browsers ask for none.
const OWN_POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; \
                          frame-ancestors 'none'";

const STYLE: &str = include_str!("../assets/club.css");

/// The page with the form.
#[derive(Template)]
#[template(path = "submit.html")]
struct SubmitPage {
    bytes_max: u64,
}

/// The page about a bot that was submitted.
#[derive(Template)]
#[template(path = "submitted.html")]
struct SubmittedPage {
    /// What has happened, in a sentence.
    verdict: String,
    /// The finding, or the next step.
    text: String,
}

/// The page before the first game.
#[derive(Template)]
#[template(path = "waiting.html")]
struct WaitingPage<'a> {
    commitment: &'a str,
}

/// Answers a request.
pub(crate) fn answer(state: &State, request: Request) -> Answer {
    let headers = request.head.headers.clone();
    let path = request.head.path.clone();
    let reads = matches!(request.head.method, Method::GET | Method::HEAD);
    let answered = match path.as_str() {
        "/submit" if reads => own_page(StatusCode::OK, &SubmitPage { bytes_max: state.component_bytes_max }),
        "/submit" if request.head.method == Method::POST => {
            return secured(if form::is_form(&headers) {
                submit_form(state, request)
            } else {
                submit(state, request).unwrap_or_else(|refusal| complaint(&refusal))
            });
        }
        "/submit" => not_allowed("GET, HEAD, POST"),
        _ if !reads => not_allowed("GET, HEAD"),
        "/club.css" => Answer::new(StatusCode::OK, "text/css; charset=utf-8", STYLE),
        "/mine" => mine(state, &headers).unwrap_or_else(|refusal| complaint(&refusal)),
        path => match path.strip_prefix("/submissions/") {
            Some(id) => submission(state, &headers, id).unwrap_or_else(|refusal| complaint(&refusal)),
            None => page(state, path, &headers),
        },
    };
    secured(answered)
}

/// An answer with the headers that all of them have.
fn secured(answer: Answer) -> Answer {
    let policy = match answer.headers.get(CONTENT_SECURITY_POLICY) {
        Some(policy) => policy.to_str().unwrap_or(OWN_POLICY).to_owned(),
        None => SITE_POLICY.to_owned(),
    };
    let answer = answer
        .with(CONTENT_SECURITY_POLICY, &policy)
        .with(X_CONTENT_TYPE_OPTIONS, "nosniff")
        .with(X_FRAME_OPTIONS, "DENY")
        .with(REFERRER_POLICY, "no-referrer")
        .with(HeaderName::from_static("cross-origin-opener-policy"), "same-origin")
        .with(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    if answer.headers.contains_key(CACHE_CONTROL) { answer } else { answer.with(CACHE_CONTROL, "no-store") }
}

fn own_page(status: StatusCode, page: &impl Template) -> Answer {
    let html = page.render().unwrap_or_default();
    Answer::new(status, "text/html; charset=utf-8", html).with(CONTENT_SECURITY_POLICY, OWN_POLICY)
}

fn not_allowed(methods: &str) -> Answer {
    let refusal =
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this address has no such method", "use another method");
    complaint(&refusal).with(ALLOW, methods)
}

fn page(state: &State, path: &str, headers: &HeaderMap) -> Answer {
    match site::page(state, path, headers) {
        Some(page) => page,
        None if path == "/" => own_page(StatusCode::OK, &WaitingPage { commitment: &state.commitment }),
        None => Answer::new(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", "There is no such page.\n"),
    }
}

fn json(status: StatusCode, document: &impl Serialize) -> Answer {
    let text = serde_json::to_vec(document).unwrap_or_default();
    Answer::new(status, "application/json", text)
}

fn complaint(Refusal { status, what, next }: &Refusal) -> Answer {
    let answer = json(*status, &Complaint { error: what.as_str().into(), next: next.as_str().into() });
    if *status == StatusCode::UNAUTHORIZED { answer.with(WWW_AUTHENTICATE, "Bearer") } else { answer }
}

/// The token of a request.
fn token(headers: &HeaderMap) -> Result<&str, Refusal> {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = given
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    token.map(|(_, token)| token.trim()).ok_or_else(|| {
        let next = "send it as `Authorization: Bearer TOKEN`; `arena submit` does that";
        Refusal::new(StatusCode::UNAUTHORIZED, "the request has no token", next)
    })
}

fn submitted(state: &State, version: &Version) -> Submitted {
    Submitted::new(version, state.standing(&version.sha256))
}

fn submit(state: &State, request: Request) -> Result<Answer, Refusal> {
    let Request { head, mut body } = request;
    let author = upload::author(state, token(&head.headers)?)?;
    let length = body.length();
    let version = upload::receive(state, &author, &mut body, length)?;
    let version = upload::wait_for_verdict(state, version, VERDICT_TIME)?;
    Ok(json(StatusCode::OK, &submitted(state, &version)))
}

fn submit_form(state: &State, request: Request) -> Answer {
    let Request { head, body } = request;
    let received = form::read(
        &head.headers,
        body,
        state.component_bytes_max,
        |token| upload::author(state, token),
        |author, file| upload::receive(state, &author, file, None),
    );
    match received.and_then(|version| upload::wait_for_verdict(state, version, VERDICT_TIME)) {
        Ok(version) => {
            let of_version = submitted(state, &version);
            let verdict = format!("Version {}: {}", of_version.version, of_version.verdict());
            own_page(StatusCode::OK, &SubmittedPage { verdict, text: version.finding })
        }
        Err(Refusal { status, what, next }) => {
            own_page(status, &SubmittedPage { verdict: what, text: format!("next: {next}") })
        }
    }
}

fn mine(state: &State, headers: &HeaderMap) -> Result<Answer, Refusal> {
    let author = upload::author(state, token(headers)?)?;
    let versions = state.register(|register| register.versions(&author))?;
    let versions: Vec<Submitted> = versions.iter().map(|version| submitted(state, version)).collect();
    Ok(json(StatusCode::OK, &versions))
}

/// A version of the author with the token. One of another author is answered like one that does not exist.
fn submission(state: &State, headers: &HeaderMap, id: &str) -> Result<Answer, Refusal> {
    let author = upload::author(state, token(headers)?)?;
    let id = id.parse().ok();
    let version = id.map(|id| state.register(|register| register.version(id))).transpose()?.flatten();
    match version.filter(|version| version.author == author.name) {
        Some(version) => Ok(json(StatusCode::OK, &submitted(state, &version))),
        None => {
            let next = "`arena mine` lists those of this token";
            Err(Refusal::new(StatusCode::NOT_FOUND, "there is no such submission with this token", next))
        }
    }
}
