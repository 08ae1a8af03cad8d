//! Forms, as browsers send them: with a file, and of those who are signed in.

use crate::own_page::{AnswerPage, root_of};
use crate::sessions::Session;
use crate::state::State;
use crate::upload;
use crate::uploads::Refusal;
use arena_store::{Author, Version};
use axum::extract::multipart::Field;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The longest text of a field that is read, in bytes. Chosen: longer than any token.
const TEXT_BYTES_MAX: usize = 1 << 10;

/// The longest text of several lines, in bytes. Chosen: longer than any announcement, of 4 bytes a character.
const LINES_BYTES_MAX: usize = 8 << 10;

/// The bytes of a form besides those of its file. Chosen: ten times what browsers send.
const FORM_BYTES_MAX: u64 = 64 << 10;

/// The longest form with a file of this size.
pub(crate) fn bytes_max(file_bytes_max: u64) -> usize {
    usize::try_from(file_bytes_max.saturating_add(FORM_BYTES_MAX)).unwrap_or(usize::MAX)
}

/// The refusal of a form that is not that of the page.
pub(crate) fn wrong() -> Refusal {
    Refusal::new(
        StatusCode::BAD_REQUEST,
        "the form is not one of the club's",
        "load the page again, and use its form",
    )
}

/// The refusal of a form that another site has sent, or an older session.
pub(crate) fn elsewhere() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "the form was not sent by a page of your session",
        "load the page again, and use its form",
    )
}

/// Somebody who is signed in: an author, or an organiser.
pub(crate) trait HasSession {
    fn session(&self) -> &Session;
}

/// A form of somebody who is signed in, after its first field: it has the text of the session, and comes from a page of the club.
pub(crate) struct SignedForm<S> {
    pub(crate) signed_in: S,
    pub(crate) rest: Multipart,
}

impl<S> FromRequest<Arc<State>> for SignedForm<S>
where
    S: HasSession + FromRequestParts<Arc<State>, Rejection = Response> + Send,
{
    type Rejection = Response;

    async fn from_request(request: Request, state: &Arc<State>) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let root = root_of(&parts.uri);
        let refused = |refusal| AnswerPage::refusal(root.clone(), refusal).into_response();
        let signed_in = S::from_request_parts(&mut parts, state).await?;
        let is_own = arena_web::is_own(&parts.headers);
        let form = Multipart::from_request(Request::from_parts(parts, body), state).await;
        let mut rest = form.map_err(|_| refused(wrong()))?;
        let given = text(&mut rest, "form").await.map_err(refused)?;
        if !is_own || !signed_in.session().has_form(&given) {
            return Err(refused(elsewhere()));
        }
        Ok(Self { signed_in, rest })
    }
}

/// A form without a session, which comes from a page of the club.
pub(crate) async fn of_own_page(state: &Arc<State>, request: Request) -> Result<Multipart, Refusal> {
    if !arena_web::is_own(request.headers()) {
        return Err(elsewhere());
    }
    Multipart::from_request(request, state).await.map_err(|_| wrong())
}

/// Receives the component in a form without a session: first the field `token`, and then those of an author.
pub(crate) async fn receive(
    state: &Arc<State>,
    is_draft: bool,
    mut form: Multipart,
) -> Result<Version, Refusal> {
    let token = text(&mut form, "token").await?;
    let author = upload::author(state, token.trim()).await?;
    receive_of(state, &author, is_draft, form).await
}

/// Receives the component of an author: the field `bot`, and then the field `publish` if its box is ticked.
pub(crate) async fn receive_of(
    state: &Arc<State>,
    author: &Author,
    is_draft: bool,
    mut form: Multipart,
) -> Result<Version, Refusal> {
    let bot = field(&mut form, "bot").await?;
    let version = upload::receive(state, author, is_draft, None, bot).await?;
    // Browsers send nothing of a box that is not ticked.
    let next = form.next_field().await.ok().flatten();
    if next.is_some_and(|field| field.name() == Some("publish")) {
        upload::publish(state, author, version.id, true).await?;
    }
    Ok(version)
}

/// The next field of a form, which has this name.
async fn field<'a>(form: &'a mut Multipart, name: &str) -> Result<Field<'a>, Refusal> {
    let field = form.next_field().await.map_err(|error| upload::failure(&error, wrong()))?;
    field.filter(|field| field.name() == Some(name)).ok_or_else(wrong)
}

/// The text of the next field of a form, which has this name.
pub(crate) async fn text(form: &mut Multipart, name: &str) -> Result<String, Refusal> {
    text_of(form, name, TEXT_BYTES_MAX).await
}

/// The text of the next field of a form, which has this name and perhaps several lines.
pub(crate) async fn lines(form: &mut Multipart, name: &str) -> Result<String, Refusal> {
    text_of(form, name, LINES_BYTES_MAX).await
}

async fn text_of(form: &mut Multipart, name: &str, bytes_max: usize) -> Result<String, Refusal> {
    let mut field = field(form, name).await?;
    let mut text = Vec::new();
    while let Some(block) = field.chunk().await.map_err(|error| upload::failure(&error, wrong()))? {
        text.extend_from_slice(&block);
        if text.len() > bytes_max {
            return Err(wrong());
        }
    }
    String::from_utf8(text).map_err(|_| wrong())
}
