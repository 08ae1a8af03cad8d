//! The pseudonyms that each author tries in a day.

use crate::counts::Counts;
use crate::uploads::Refusal;
use axum::http::StatusCode;

/// The most pseudonyms that an author tries in a day. Chosen: for each, the pages of all seasons are written anew, and slips can be corrected.
const TRIES_MAX: u32 = 10;

const DAY_SECONDS: i64 = 86_400;

/// The tries of each author in a day, which is counted from 1970.
#[derive(Default)]
pub(crate) struct Tries(Counts<i64, DAY_SECONDS>);

impl Tries {
    /// Counts a try of an author at this time, in seconds since 1970, unless there were too many.
    pub(crate) fn add(&self, author: i64, now: i64) -> Result<(), Refusal> {
        let is_allowed = self.0.count(
            now,
            |_| author,
            |count| {
                let is_allowed = *count < TRIES_MAX;
                *count += u32::from(is_allowed);
                is_allowed
            },
        );
        if is_allowed {
            return Ok(());
        }
        let what = format!("you have tried {TRIES_MAX} names today");
        let next = "try another one tomorrow, or ask the organiser";
        Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, what, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_author_tries_ten_names_a_day() {
        let tries = Tries::default();
        assert!((0..10).all(|_| tries.add(1, DAY_SECONDS - 1).is_ok()));
        assert!(tries.add(1, 0).is_err() && tries.add(2, 0).is_ok());
        assert!(tries.add(1, DAY_SECONDS).is_ok(), "the next day");
    }
}
