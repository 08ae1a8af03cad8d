//! The pseudonyms that each author tries in a day.

use crate::uploads::Refusal;
use axum::http::StatusCode;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The most pseudonyms that an author tries in a day. Chosen: for each, the pages of all seasons are written anew, and slips can be corrected.
const TRIES_MAX: u32 = 10;

const DAY_SECONDS: i64 = 86_400;

/// The tries of each author in a day, which is counted from 1970.
#[derive(Default)]
pub(crate) struct Tries(Mutex<(i64, HashMap<i64, u32>)>);

impl Tries {
    /// Counts a try of an author at this time, in seconds since 1970, unless there were too many.
    pub(crate) fn add(&self, author: i64, now: i64) -> Result<(), Refusal> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now.div_euclid(DAY_SECONDS);
        if counts.0 != day {
            *counts = (day, HashMap::new());
        }
        let count = counts.1.entry(author).or_default();
        if *count >= TRIES_MAX {
            let what = format!("you have tried {TRIES_MAX} names today");
            let next = "try another one tomorrow, or ask the organiser";
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, what, next));
        }
        *count += 1;
        Ok(())
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
