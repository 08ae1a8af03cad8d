//! Addresses that stay, for links: of an author's bot by its name, of a version by its hash, and of a game by its season, stage and
//! number. Each leads to the page of today, or to that of the last season that has it.

use crate::own_page::AnswerPage;
use crate::replays::PagesOfBots;
use crate::state::State;
use crate::uploads::Refusal;
use arena_pages::Contest;
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
    // Letters outside of ASCII are written `%C3%BC`; nothing else of a name is.
    let is_plain = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/'))
    };
    let is_letter = |part: &str| part.starts_with(['8', '9', 'A', 'B', 'C', 'D', 'E', 'F']) && is_plain(part);
    let mut parts = path.split('%');
    let is_plain = parts.next().is_some_and(is_plain) && parts.all(is_letter);
    let begins = |beginning: &&str| path.starts_with(*beginning);
    path == "heads.txt" || is_plain && ["me/", "bot/", "version/", "game/", "seasons/"].iter().any(begins)
}

/// The way to a page, from the root of the club.
fn found(root: &str, page: Result<Option<String>, Refusal>) -> Response {
    let none = || {
        let what = "This address is unknown, or its bot has not played yet";
        Refusal::new(StatusCode::NOT_FOUND, what, "look for it in the standings")
    };
    match page.and_then(|page| page.ok_or_else(none)) {
        Ok(page) => (StatusCode::FOUND, [(LOCATION, format!("{root}{page}"))]).into_response(),
        Err(refusal) => AnswerPage::refusal(root.to_owned(), refusal).into_response(),
    }
}

/// The page of a bot: in the season that is played, or in the last one that has it.
async fn of_bot(
    state: &State,
    now: impl Fn(&Contest) -> Option<String>,
    then: impl Fn(&PagesOfBots) -> Option<&String>,
) -> Result<Option<String>, Refusal> {
    if let Some(page) = state.contest()?.and_then(|contest| now(&contest)) {
        return Ok(Some(page));
    }
    for season in (1..state.season).rev() {
        if let Some(page) = then(&*state.pages_of_bots(season).await?) {
            return Ok(Some(format!("seasons/{season}/{page}")));
        }
    }
    Ok(None)
}

async fn bot(Of(state): Of<Arc<State>>, Path(name): Path<String>) -> Response {
    let now = |contest: &Contest| contest.page_of_label(&name);
    found("../", of_bot(&state, now, |pages| pages.labels.get(&name)).await)
}

async fn version(Of(state): Of<Arc<State>>, Path(sha256): Path<String>) -> Response {
    let now = |contest: &Contest| contest.page_of_version(&sha256);
    found("../", of_bot(&state, now, |pages| pages.versions.get(&sha256)).await)
}

async fn game(
    Of(state): Of<Arc<State>>,
    Path((season, stage, number)): Path<(String, String, String)>,
) -> Response {
    let page = || {
        let (season, number) = (season.parse().ok()?, number.parse().ok()?);
        // The replay is found, or made, by its season and number.
        if state.is_past(season) && stage.parse::<u32>().is_ok() {
            return Some(Ok(format!("seasons/{season}/games/{number}.html")));
        }
        let of_contest = |contest: Arc<Contest>| contest.page_of_game(season, stage.parse().ok()?, number);
        state.contest().map(|contest| contest.and_then(of_contest)).transpose()
    };
    found("../../../", page().transpose())
}

#[cfg(test)]
mod tests {
    use super::is_of_club;

    #[test]
    fn what_a_club_has_once_is_not_looked_for_in_a_season() {
        for path in [
            "heads.txt",
            "me/",
            "me/sign-in",
            "bot/ann-2_b",
            "bot/g%C3%BCl",
            "version/0a",
            "game/1/2/3",
            "seasons/1/",
        ] {
            assert!(is_of_club(path), "{path}");
        }
        for path in [
            "",
            "index.html",
            "bots/1.html",
            "bot/../me",
            "heads.txt/",
            "style.css",
            "a/me/",
            "bot/%41",
            "bot/%2E%2E/me",
        ] {
            assert!(!is_of_club(path), "{path}");
        }
    }
}
