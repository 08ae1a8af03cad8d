//! The link by which people become authors: the organiser shows a code, and who has it chooses a name and gets a token, once.
//!
//! Who does not have the code learns nothing: a link that is closed answers like a wrong code.

use crate::error::ClubError;
use crate::folder::Folder;
use crate::own_page::{AnswerPage, OwnPage};
use crate::state::State;
use crate::uploads::Refusal;
use crate::{form, token};
use arena_store::{JoinLink, Joined};
use arena_web::Client;
use askama::Template;
use axum::Router;
use axum::extract::{self, Extension, FromRequest, Multipart, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::IpAddr;
use std::sync::Arc;

/// The most authors who may join by a link. Chosen: a school.
pub const PLACES_MAX: u32 = 2_000;

impl Folder {
    /// The link by which people become authors; `None` when it is closed.
    ///
    /// # Errors
    /// There is no club.
    pub fn join_link(&self) -> Result<Option<JoinLink>, ClubError> {
        self.register()?.join_link().map_err(|error| self.failure(error))
    }

    /// Opens a link with a new code by which this many people become authors, at most [`PLACES_MAX`], or closes it with `None`, also while
    /// the club is served. The club is made if there is none.
    ///
    /// # Errors
    /// The register cannot be written, or the system has no random numbers.
    pub(crate) fn set_join_link(&self, places: Option<u32>) -> Result<Option<JoinLink>, ClubError> {
        let code = token::fresh_code()?;
        let link = places.map(|places| JoinLink { code, places: places.min(PLACES_MAX) });
        self.make()?.set_join_link(link.as_ref()).map_err(|error| self.failure(error))?;
        Ok(link)
    }
}

/// The paths.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/join", get(|| async { page(StatusCode::OK, None) }).post(join))
}

/// The page with the form.
#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage {
    root: &'static str,
    refusal: Option<(String, String)>,
    chars_max: usize,
}

fn page(status: StatusCode, refusal: Option<Refusal>) -> Response {
    let refusal = refusal.map(|Refusal { what, next, .. }| (what, next));
    OwnPage(status, JoinPage { root: "", refusal, chars_max: token::NAME_CHARS_MAX }).into_response()
}

async fn join(
    extract::State(state): extract::State<Arc<State>>,
    Extension(Client(client)): Extension<Client>,
    request: Request,
) -> Response {
    let is_own = arena_web::is_own(request.headers());
    let joined = async {
        let form = Multipart::from_request(request, &state).await;
        let mut form = form.ok().filter(|_| is_own).ok_or_else(form::wrong)?;
        let code = token::typed_code(&form::text(&mut form, "code").await?);
        let name = form::text(&mut form, "name").await?;
        enter(&state, client, code, token::name_of(&name)).await
    };
    match joined.await {
        Ok((name, token)) => {
            let verdict = format!("{name} is an author now. The token is:");
            let next = "copy the token to a safe place, because it is shown only once. Then sign in with it at “Your bots”";
            let page = AnswerPage { root: String::new(), verdict, text: token, next: next.into() };
            OwnPage(StatusCode::OK, page).into_response()
        }
        Err(refusal @ Refusal { status, .. }) => page(status, Some(refusal)),
    }
}

/// Enters an author, and returns the name and the token.
async fn enter(
    state: &Arc<State>,
    client: IpAddr,
    code: String,
    name: String,
) -> Result<(String, String), Refusal> {
    let now = state.now();
    let refused = |status, what: &str, next: &str| Err(Refusal::new(status, what, next));
    state.wrong_codes.may_try(client, now)?;
    let (fresh, is_name) = (token::fresh()?, token::is_name(&name));
    let (hash, of_register) = (token::hash(&fresh), name.clone());
    let joined = state.with_register(move |register| {
        // Only who has the code is told about a name.
        match register.join_link()?.filter(|link| link.code == code) {
            Some(_) if !is_name => Ok(None),
            _ => register.join(&code, &of_register, &hash).map(Some),
        }
    });
    match joined.await? {
        Some(Joined::Done) => {
            tracing::info!(author = %name, "joined");
            Ok((name, fresh))
        }
        Some(Joined::Closed) => {
            state.wrong_codes.add(client, now);
            refused(StatusCode::FORBIDDEN, "the code is wrong, or the link is closed", "ask the organiser")
        }
        Some(Joined::Full) => {
            refused(StatusCode::FORBIDDEN, "there is no place left", "ask the organiser for more places")
        }
        Some(Joined::Taken) => {
            let what = "there is an author of this name, or of one like it";
            refused(StatusCode::CONFLICT, what, "choose another name")
        }
        None => {
            let next = "choose letters, digits, - and _, and at most 24 of them";
            refused(StatusCode::BAD_REQUEST, "this is no name for bots", next)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::club::ClubOptions;
    use crate::support::{Setting, club};
    use std::sync::atomic::{AtomicI64, Ordering};

    /// The status and the text of the answer to the form of a client.
    fn join(it: &Setting, client: &str, code: &str, name: &str) -> (u16, String) {
        let answer = it.post("/join", &[], &[("code", code), ("name", name)], client);
        (answer.status().as_u16(), it.text(answer))
    }

    fn open(it: &Setting, places: u32) -> String {
        it.folder.set_join_link(Some(places)).expect("it can be written").expect("it is open").code
    }

    #[test]
    fn who_has_the_code_becomes_an_author_of_a_new_name_until_no_place_is_left() {
        let it = club(ClubOptions::default());
        it.author("ann");
        it.folder.revoke("ann").expect("ann has a token");
        assert!(it.get("/join").1.contains("name=\"code\""));
        let closed = join(&it, "10.0.0.1", "AAAAA-AAAAA", "ben");
        let code = open(&it, 2);
        for name in ["ann", "<b>"] {
            let wrong = join(&it, "10.0.0.1", "AAAAA-AAAAA", name);
            assert_eq!(closed, wrong, "who does not have the code learns nothing");
        }
        assert_eq!(closed.0, 403);
        let (status, page) = join(&it, "10.0.0.1", &code.to_lowercase().replace('-', " "), " Ben  Lee ");
        assert!(status == 200 && page.contains("Ben-Lee is an author now"), "{page}");
        let token = page.split("<pre tabindex=\"0\">").nth(1).and_then(|rest| rest.split('<').next());
        let hash = token::hash(token.expect("it has the token"));
        let author = it.club.state.register(|register| register.author(&hash)).expect("it can be read");
        assert_eq!(author.expect("the token is right").name, "Ben-Lee");
        for name in ["ben-lee", "Ben Lee", "ann"] {
            assert_eq!(join(&it, "10.0.0.1", &code, name).0, 409, "{name}");
        }
        for name in ["", "<b>", &"x".repeat(25)] {
            assert_eq!(join(&it, "10.0.0.1", &code, name).0, 400, "{name}");
        }
        assert_eq!(join(&it, "10.0.0.1", &code, &"x".repeat(24)).0, 200);
        let (status, page) = join(&it, "10.0.0.1", &code, "cat");
        assert!(status == 403 && page.contains("no place left"), "{page}");
        let again = open(&it, 1);
        assert_eq!(join(&it, "10.0.0.1", &code, "cat"), closed, "the code before is void");
        it.folder.set_join_link(None).expect("it can be written");
        assert_eq!(join(&it, "10.0.0.1", &again, "cat"), closed);
    }

    #[test]
    fn a_client_has_thirty_wrong_codes_in_an_hour_and_others_have_theirs() {
        let clock = Arc::new(AtomicI64::new(7_199));
        let it = club(ClubOptions { clock: Clock::Set(Arc::clone(&clock)), ..ClubOptions::default() });
        let code = open(&it, 10);
        for _ in 0..30 {
            assert_eq!(join(&it, "10.0.0.1", "AAAAA-AAAAA", "ann").0, 403);
        }
        assert_eq!(join(&it, "10.0.0.1", &code, "ann").0, 429, "also with the right one");
        assert_eq!(join(&it, "10.0.0.2", &code, "ann").0, 200);
        clock.store(7_200, Ordering::SeqCst);
        assert_eq!(join(&it, "10.0.0.1", &code, "ben").0, 200);
    }
}
