//! Addresses that stay, for links: of an author's bot by its name, of a version by its hash, and of a game by its season, stage and
//! number. Each leads to the page of today.

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
        .route("/game/{season}/{stage}/{number}", get(game))
}

/// True for a path without its first `/` that leads to something that the club has once, and not each season.
pub(crate) fn is_of_club(path: &str) -> bool {
    let is_plain =
        path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/'));
    let begins = |beginning: &&str| path.starts_with(*beginning);
    path == "heads.txt" || is_plain && ["me/", "bot/", "version/", "game/"].iter().any(begins)
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
    Path((season, stage, number)): Path<(String, String, String)>,
) -> Result<Response, Refusal> {
    let contest = state.live.known_contest()?;
    // A season that is over has the replays that its pages have.
    if let (Ok(season), Ok(number)) = (season.parse::<u32>(), number.parse::<u64>())
        && contest.served.is_some_and(|now| (1..now).contains(&season))
    {
        return found("../../../", Some(format!("seasons/{season}/games/{number}.html")));
    }
    let page = || contest.page_of_game(season.parse().ok()?, stage.parse().ok()?, number.parse().ok()?);
    found("../../../", page())
}
