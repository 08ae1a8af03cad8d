//! The club's own pages: their headers, and the dates of the season, which each of them has.

use crate::state::State;
use crate::uploads::Refusal;
use askama::Template;
use axum::extract;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY, RETRY_AFTER, SET_COOKIE, WWW_AUTHENTICATE,
};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::MethodRouter;
use std::sync::Arc;

/// The time, in seconds, after which a client may ask again for what it could not have. Chosen: some replays or streams have ended then.
pub(crate) const AGAIN_SECONDS: &str = "10";

/// The policy of the club's own pages, which have forms.
const OWN_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                          base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The most folders that are gone up to the root of the club. Chosen: more than any page has, and few enough for a short answer.
const DEPTH_MAX: usize = 16;

/// A page of the club.
pub(crate) struct OwnPage<T>(pub(crate) StatusCode, pub(crate) T);

impl<T: Template> IntoResponse for OwnPage<T> {
    fn into_response(self) -> Response {
        let html = self.1.render().unwrap_or_default();
        // A form says from which site it comes only if the site may be referred to.
        let headers = [(CONTENT_SECURITY_POLICY, OWN_POLICY), (REFERRER_POLICY, "same-origin")];
        let again = (self.0 == StatusCode::SERVICE_UNAVAILABLE).then_some([(RETRY_AFTER, AGAIN_SECONDS)]);
        let mut answer = (self.0, headers, again, ()).into_response();
        answer.extensions_mut().insert(Undated(html));
        answer
    }
}

/// A page of the club, before the dates of the season are in it.
#[derive(Clone)]
struct Undated(String);

/// The place of the dates in a page of the club. No text of a person has it, because its `<` is escaped there.
const DATES: &str = "<!--dates-->";

/// Adds the dates of the season to an answer that is a page of the club.
pub(crate) async fn with_dates(
    extract::State(state): extract::State<Arc<State>>,
    mut answer: Response,
) -> Response {
    let Some(Undated(page)) = answer.extensions_mut().remove() else { return answer };
    // A page without them is better than none.
    let dates = state.blocking(State::dates_line).await.unwrap_or_default();
    (answer.into_parts().0, Html(page.replacen(DATES, &dates, 1))).into_response()
}

/// The page with an answer and nothing else.
#[derive(Template)]
#[template(path = "answer.html")]
pub(crate) struct AnswerPage {
    pub(crate) root: String,
    /// The result, in a sentence.
    pub(crate) verdict: String,
    /// The finding; empty if there is none.
    pub(crate) text: String,
    /// The next step; empty if there is none.
    pub(crate) next: String,
}

impl AnswerPage {
    /// The page with a refusal.
    pub(crate) fn refusal(root: String, Refusal { status, what, next }: Refusal) -> OwnPage<Self> {
        OwnPage(status, Self { root, verdict: what, text: String::new(), next })
    }
}

/// The way from a page to the root of the club, which may be below a path of a proxy.
pub(crate) fn root_of(page: &Uri) -> String {
    "../".repeat(page.path().matches('/').count().clamp(1, DEPTH_MAX) - 1)
}

/// The way to another page after a form.
pub(crate) fn see_other(to: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
}

/// The address to which a form is sent. The answer is a page there, so a reader who opens the address again is led to the page with it.
pub(crate) fn of_form(form: MethodRouter<Arc<State>>) -> MethodRouter<Arc<State>> {
    form.get(|| async { see_other("./") })
}

/// A page on which to sign in. One for those who are not allowed in says that a token is needed.
pub(crate) fn asking_for_token<P: Template>(page: OwnPage<P>) -> Response {
    match page.0 {
        StatusCode::UNAUTHORIZED => ([(WWW_AUTHENTICATE, "Bearer")], page).into_response(),
        _ => page.into_response(),
    }
}

/// The page of those who are signed in next, with this cookie.
pub(crate) fn with_cookie(cookie: &str) -> Response {
    let mut answer = see_other("./");
    answer.headers_mut().extend(HeaderValue::from_str(cookie).map(|cookie| (SET_COOKIE, cookie)));
    answer
}
