//! The pages of the contest, which are written while the games go on.

use crate::announcements::closed_and_notices;
use crate::club::Club;
use std::time::{Duration, Instant};

/// The shortest and the longest time between two versions of the pages. Chosen: a reader who looks again sees a change, and also the pages of a
/// large season are no older than two of its stages.
const SITE_EVERY: Duration = Duration::from_secs(3);
const SITE_EVERY_MAX: Duration = Duration::from_secs(30);

/// The time between two versions of the pages is this many times as long as the first of them took to write. Chosen: the games have three
/// quarters of the time also when a season has so many games that its pages take longer than [`SITE_EVERY`].
const TIMES_LEFT: u32 = 3;

/// The time between two looks if nothing happens, and before a failure is tried again. Chosen: a full disk is noted a few times a minute.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// Writes the pages after stages, until the club is ended.
pub(crate) fn write_all(club: &Club) {
    let state = &club.state;
    // A club that was made again from a backup has no pages of the seasons that are over. They are written one by one, after those of
    // today, the latest first.
    let is_missing = |season: &u32| !state.folder.past_site(*season).exists();
    let mut missing: Vec<u32> = (1..state.season).filter(is_missing).collect();
    // Those who come back see the pages of before until these are written.
    let mut shown = None;
    while !state.is_over() {
        let changes = state.changes();
        // Another process may have frozen the season, announced something, or deleted an author, and dates pass.
        let now = state.now();
        if let Err(error) = state.look_at_class_code() {
            state.note(error.to_string());
        }
        let latest = state.register(|it| Ok((closed_and_notices(it, now)?, it.shown_names()?)));
        match latest {
            Ok(latest) if shown.as_ref() != Some(&latest) => {
                let is_other = |(key, name): (&String, &String)| latest.1.get(key) != Some(name);
                // An author may have been deleted before, too.
                if let Err(error) = state.forget_challenges() {
                    state.note(error.to_string());
                }
                if shown.as_ref().is_some_and(|(_, names)| names.iter().any(is_other)) {
                    club.pages.close();
                    state.forget_names();
                    missing = (1..state.season).collect();
                }
                shown = Some(latest);
                if state.has_played() {
                    state.outdate_site();
                }
            }
            Ok(_) => {}
            Err(error) => state.note(error.to_string()),
        }
        match state.remove_deleted() {
            Ok(outdated) => missing.extend(outdated),
            Err(error) => state.note(error.to_string()),
        }
        if !state.take_outdated_site() {
            match missing.pop() {
                Some(season) => write_past(club, season),
                None => state.wait(changes, LOOK_EVERY),
            }
            continue;
        }
        let begun = Instant::now();
        let written = club.pages.write(state.season, &|| state.is_over());
        let pause = match written {
            Ok(contest) => {
                state.live.report(contest);
                missing.pop().into_iter().for_each(|season| write_past(club, season));
                pause_after(begun.elapsed())
            }
            Err(_) if state.is_over() => return,
            Err(error) => {
                state.note(error.to_string());
                state.outdate_site();
                LOOK_EVERY
            }
        };
        state.pause(pause);
    }
}

/// The time until the pages are written again, after they took this long.
fn pause_after(written: Duration) -> Duration {
    (TIMES_LEFT * written).clamp(SITE_EVERY, SITE_EVERY_MAX)
}

/// Writes the pages of a season that is over.
fn write_past(club: &Club, season: u32) {
    let state = &club.state;
    match club.pages.write(season, &|| state.is_over()) {
        Err(reason) if !state.is_over() => {
            state.note(format!("the pages of season {season} are not written: {reason}"));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_take_long_are_written_less_often_with_pauses_of_half_a_minute_at_most() {
        for (written, pause) in
            [(0, 3_000), (1_000, 3_000), (1_001, 3_003), (9_999, 29_997), (60_000, 30_000)]
        {
            assert_eq!(
                pause_after(Duration::from_millis(written)),
                Duration::from_millis(pause),
                "{written}"
            );
        }
    }
}
