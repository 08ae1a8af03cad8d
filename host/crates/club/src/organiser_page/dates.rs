//! The dates of the season on the page of an organiser.

use super::{Form, refusal, refused};
use crate::form;
use crate::own_page::see_other;
use crate::state::State;
use crate::uploads::Refusal;
use arena_store::{Dates, ZonedTime};
use axum::extract;
use axum::http::StatusCode;
use axum::response::Response;
use std::sync::Arc;

/// A date in the form.
pub(super) struct DateField {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    /// The date as the form reads it again; empty if there is none.
    pub(super) value: String,
    /// The date in words, and the time that is left.
    pub(super) about: String,
}

/// The fields of the form, in the order of the dates.
const FIELDS: [(&str, &str); 3] = [("start", "Games from"), ("freeze", "Bots until"), ("end", "Games until")];

/// The fields with these dates at `now`, in seconds since 1970.
pub(super) fn fields(dates: &Dates, now: i64) -> [DateField; 3] {
    let mut times = [dates.start, dates.freeze, dates.end].into_iter();
    FIELDS.map(|(name, label)| {
        let time = times.next().flatten();
        let about = |time: ZonedTime| match time.left(now) {
            Some(left) => format!("{time}, in {left}"),
            None => format!("{time}, passed"),
        };
        DateField {
            name,
            label,
            value: time.map_or_else(String::new, ZonedTime::written),
            about: time.map_or_else(|| "No date.".to_owned(), about),
        }
    })
}

/// The date that an organiser has written; `None` for an empty field.
fn date(label: &str, written: &str) -> Result<Option<ZonedTime>, Refusal> {
    let written = written.trim();
    if written.is_empty() {
        return Ok(None);
    }
    let wrong = |error| {
        let what = format!("{label}: {} {error}", arena_text::quoted(&arena_text::line(written, 40)));
        Refusal::new(StatusCode::BAD_REQUEST, what, "write one such as 2026-12-18 18:00 +01:00")
    };
    written.parse().map(Some).map_err(wrong)
}

/// Sets all three dates.
pub(super) async fn set(extract::State(state): extract::State<Arc<State>>, form: Form) -> Response {
    let Form { signed_in, mut rest } = form;
    let done = async {
        let mut dates = [None; 3];
        for (date_of, (name, label)) in dates.iter_mut().zip(FIELDS) {
            *date_of = date(label, &form::text(&mut rest, name).await?)?;
        }
        let [start, freeze, end] = dates;
        let organiser = state.folder.organised_by(Some(&signed_in.name));
        let work = move |_: &State| Ok(organiser.change_dates(|dates| *dates = Dates { start, freeze, end }));
        state.blocking(work).await?.map_err(refusal)?;
        state.note_change();
        Ok(())
    };
    done.await.map_or_else(refused, |()| see_other("./#dates"))
}
