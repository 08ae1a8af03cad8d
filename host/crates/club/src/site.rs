//! The pages of the contest, which are written while the games go on.

use crate::announcements::closed_and_notices;
use crate::club::Club;
use std::time::Duration;

/// The time between two versions of the pages. Chosen: a reader who looks again sees a change, and most of the time is left for games.
const SITE_EVERY: Duration = Duration::from_secs(3);

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
        let written = club.pages.write(state.season, &|| state.is_over());
        let pause = match written {
            Ok(contest) => {
                state.live.report(contest);
                missing.pop().into_iter().for_each(|season| write_past(club, season));
                SITE_EVERY
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
