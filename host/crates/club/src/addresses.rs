//! Addresses that stay, for links: of an author's bot by its name, of a version by its hash, and of a game by its stage and number. Each
//! leads to the page of today.

use crate::state::State;
use crate::uploads::Refusal;
use axum::Router;
use axum::extract::{Path, State as Of};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// The paths.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/bot/{name}", get(bot))
        .route("/version/{sha256}", get(version))
        .route("/game/{stage}/{number}", get(game))
}

/// The way to a page of the report.
fn found(root: &str, page: Option<String>) -> Result<Response, Refusal> {
    let none = || {
        let what = "nothing has this address, or it has not played yet";
        Refusal::new(StatusCode::NOT_FOUND, what, "look for it in the standings")
    };
    let page = page.ok_or_else(none)?;
    Ok((StatusCode::FOUND, [(LOCATION, format!("{root}{page}"))]).into_response())
}

async fn bot(Of(state): Of<Arc<State>>, Path(name): Path<String>) -> Result<Response, Refusal> {
    found("../", state.live.known_contest()?.page_of_label(&name))
}

async fn version(Of(state): Of<Arc<State>>, Path(sha256): Path<String>) -> Result<Response, Refusal> {
    found("../", state.live.known_contest()?.page_of_version(&sha256))
}

async fn game(
    Of(state): Of<Arc<State>>,
    Path((stage, number)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let contest = state.live.known_contest()?;
    let page = || contest.page_of_game(stage.parse().ok()?, number.parse().ok()?);
    found("../../", page())
}
