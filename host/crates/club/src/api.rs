//! The documents of a club for programs, below `/api/v1/`.

use crate::answers::Document;
use crate::requests::{NoticeText, SeasonNotice};
use crate::state::State;
use crate::uploads::Refusal;
use arena_store::Announcement;
use arena_text::Line;
use axum::Router;
use axum::extract;
use axum::http::StatusCode;
use axum::routing::get;
use std::sync::Arc;

/// The paths.
pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new().route("/api/v1/season", get(season))
}

async fn season(
    extract::State(state): extract::State<Arc<State>>,
) -> Result<Document<SeasonNotice>, Refusal> {
    let notice = state.blocking(|state| {
        let announcements = state.register(|register| register.announcements())?;
        let dates = state.register(|register| register.season())?.dates;
        let text = |Announcement { at, text, .. }| NoticeText { at: at.into(), text };
        Ok(SeasonNotice {
            season: state.season,
            now: state.now(),
            closed: state.closed()?.map(Line::from),
            dates,
            announcements: announcements.into_iter().map(text).collect(),
        })
    });
    Ok(Document(StatusCode::OK, notice.await?))
}
