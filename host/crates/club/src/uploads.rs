//! The uploads of each author: one at a time, and a number in a time.

use crate::error::ClubError;
use axum::http::StatusCode;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most uploads of an author in a time. Chosen: an author who submits each minute does not notice.
const UPLOADS_MAX: usize = 20;
const UPLOADS_TIME: Duration = Duration::from_secs(600);

/// The reason why a request is refused, and the next step for its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) what: String,
    pub(crate) next: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { status, what: what.into(), next: next.into() }
    }

    /// The answer to a failure of the club, of which a sender need not know more.
    pub(crate) fn of_club() -> Self {
        Self::new(
            StatusCode::INSUFFICIENT_STORAGE,
            "the club cannot keep the bot: its disk is full, or cannot be written",
            "tell the organiser, and submit it again later",
        )
    }
}

impl From<ClubError> for Refusal {
    fn from(_: ClubError) -> Self {
        Self::of_club()
    }
}

/// The uploads of each author.
#[derive(Default)]
pub(crate) struct Uploads(Mutex<HashMap<i64, OfAuthor>>);

#[derive(Default)]
struct OfAuthor {
    is_busy: bool,
    begun: VecDeque<Instant>,
}

/// An upload in progress.
pub(crate) struct Upload<'a> {
    uploads: &'a Uploads,
    author: i64,
}

impl Uploads {
    /// Begins an upload, which ends when it is dropped.
    pub(crate) fn begin(&self, author: i64) -> Result<Upload<'_>, Refusal> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_author = all.entry(author).or_default();
        if of_author.is_busy {
            return Err(Refusal::new(
                StatusCode::TOO_MANY_REQUESTS,
                "another upload with this token is in progress",
                "wait until it has ended, and submit this one again",
            ));
        }
        let now = Instant::now();
        while of_author.begun.front().is_some_and(|&begun| now - begun > UPLOADS_TIME) {
            of_author.begun.pop_front();
        }
        if of_author.begun.len() >= UPLOADS_MAX {
            return Err(Refusal::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!(
                    "there were {UPLOADS_MAX} uploads with this token in {} minutes",
                    UPLOADS_TIME.as_secs() / 60
                ),
                "wait some minutes, and test bots with `arena check` first",
            ));
        }
        of_author.begun.push_back(now);
        of_author.is_busy = true;
        Ok(Upload { uploads: self, author })
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        let mut all = self.uploads.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(self.author).or_default().is_busy = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reason why an author's upload is refused, if it is. It has ended then.
    fn refusal(uploads: &Uploads, author: i64) -> Option<String> {
        uploads.begin(author).err().map(|refused| refused.what)
    }

    #[test]
    fn an_author_has_one_upload_at_a_time() {
        let uploads = Uploads::default();
        let first = uploads.begin(1).expect("it is the only one");
        assert!(refusal(&uploads, 1).is_some_and(|what| what.contains("in progress")));
        assert_eq!(refusal(&uploads, 2), None);
        drop(first);
        assert_eq!(refusal(&uploads, 1), None);
    }

    #[test]
    fn an_author_has_twenty_uploads_in_ten_minutes() {
        let uploads = Uploads::default();
        assert!((0..20).all(|_| refusal(&uploads, 1).is_none()));
        assert!(refusal(&uploads, 1).is_some_and(|what| what.contains("20 uploads")));
        assert_eq!(refusal(&uploads, 2), None);
        // The oldest one is forgotten after ten minutes, and not long before.
        let begin_first = |seconds| {
            let begun =
                Instant::now().checked_sub(Duration::from_secs(seconds)).expect("the system runs longer");
            uploads.0.lock().expect("no panic").get_mut(&1).expect("it is there").begun[0] = begun;
        };
        begin_first(590);
        assert!(refusal(&uploads, 1).is_some());
        begin_first(601);
        assert_eq!(refusal(&uploads, 1), None);
        assert!(refusal(&uploads, 1).is_some());
    }
}
