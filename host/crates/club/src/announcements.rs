//! Announcements of the organiser, and the dates of the season.

use crate::error::ClubError;
use crate::folder::Folder;
use arena_engine::JournalContent;
use arena_pages::Notices;
use arena_store::{ANNOUNCEMENT_CHARS_MAX, Announcement, Dates, Register, RegisterError, Season};

/// The time since which the season takes no bots, if it takes none at `now`, and the notices for the pages.
pub(crate) fn closed_and_notices(
    register: &Register,
    now: i64,
) -> Result<(Option<String>, Notices), RegisterError> {
    let (season, announcements) = (register.season()?, register.announcements()?);
    Ok((season.closed_since(now), Notices { dates: season.dates, announcements }))
}

impl Folder {
    /// The announcements, the latest first.
    ///
    /// # Errors
    /// There is no club.
    pub fn announcements(&self) -> Result<Vec<Announcement>, ClubError> {
        self.register()?.announcements().map_err(|error| self.failure(error))
    }

    /// Announces a text, also while the club is served. Its paragraphs are separated by empty lines.
    ///
    /// # Errors
    /// The text is empty or too long, or the register cannot be written.
    pub(crate) fn announce(&self, text: &str) -> Result<(), ClubError> {
        let text = arena_text::lines(text).trim().to_owned();
        if !(1..=ANNOUNCEMENT_CHARS_MAX).contains(&text.chars().count()) {
            return Err(ClubError::WrongAnnouncement);
        }
        self.register()?.announce(&text).map_err(|error| self.failure(error))
    }

    /// Withdraws the announcement with this number.
    ///
    /// # Errors
    /// There is no such announcement, or the register cannot be written.
    pub(crate) fn withdraw(&self, id: i64) -> Result<(), ClubError> {
        match self.register()?.withdraw(id).map_err(|error| self.failure(error))? {
            true => Ok(()),
            false => Err(ClubError::NoAnnouncement { id }),
        }
    }

    /// Changes the dates of the season that is played, also while it is served, and returns it.
    ///
    /// # Errors
    /// They are not in their order, the season is over, or the register cannot be written.
    pub(crate) fn change_dates(&self, change: impl FnOnce(&mut Dates)) -> Result<Season, ClubError> {
        let mut register = self.register()?;
        let mut season = register.season().map_err(|error| self.failure(error))?;
        let is_over =
            JournalContent::read_begun(&self.journal())?.is_some_and(|it| it.revealed_seed.is_some());
        if is_over {
            return Err(ClubError::SeasonOver { folder: self.path().to_owned(), season: season.number });
        }
        change(&mut season.dates);
        if !season.dates.is_in_order() {
            return Err(ClubError::DatesOutOfOrder);
        }
        register.set_dates(&season.dates).map_err(|error| self.failure(error))?;
        Ok(season)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::club::ClubOptions;
    use crate::stages;
    use crate::support::{Setting, bot, club};
    use arena_store::{ANNOUNCEMENTS_MAX, ZonedTime};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    fn time(text: &str) -> ZonedTime {
        text.parse().expect("it is a time")
    }

    /// A club whose season starts, freezes and ends on three days, and its clock.
    fn dated() -> (Setting, Arc<AtomicI64>) {
        let clock = Arc::new(AtomicI64::new(time("2026-09-01T00:00+02:00").seconds()));
        let it = club(ClubOptions { clock: Clock::Set(Arc::clone(&clock)), ..ClubOptions::default() });
        let changed = it.folder.change_dates(|dates| {
            *dates = Dates {
                start: Some(time("2026-09-07T08:00+02:00")),
                freeze: Some(time("2026-12-18T18:00+01:00")),
                end: Some(time("2026-12-20T18:00+01:00")),
            }
        });
        changed.expect("they are in their order");
        (it, clock)
    }

    #[test]
    fn bots_are_taken_until_the_second_of_the_freeze_and_games_planned_from_the_start_to_the_end() {
        let (it, clock) = dated();
        let set = |text: &str, seconds: i64| clock.store(time(text).seconds() + seconds, Ordering::SeqCst);
        let plays = |it: &Setting| {
            let season = it.folder.season().expect("it is there");
            season.plays(clock.load(Ordering::SeqCst))
        };
        let (ann, ben) = (it.author("ann"), it.author("ben"));
        it.admit(&ann, &bot("builtin:random", 10));
        it.admit(&ben, &bot("builtin:hunter", 10));
        set("2026-09-07T08:00+02:00", -1);
        assert!(!plays(&it));
        set("2026-09-07T08:00+02:00", 0);
        assert!(plays(&it));
        set("2026-12-18T18:00+01:00", -1);
        it.admit(&ann, &bot("builtin:random", 11));
        set("2026-12-18T18:00+01:00", 0);
        let refused = it.upload(&ann, &bot("builtin:random", 12), true).expect_err("it is frozen");
        assert_eq!(
            refused.what,
            "season 1 takes no bots: it is frozen since 2026-12-18 17:00:00 UTC, and the bots that play go on"
        );
        set("2026-12-20T18:00+01:00", -1);
        assert!(plays(&it));
        set("2026-12-20T18:00+01:00", 0);
        assert!(!plays(&it));
        let refused = it.upload(&ann, &bot("builtin:random", 12), true).expect_err("it has ended");
        assert_eq!(
            refused.what,
            "season 1 takes no bots: it has ended on Sunday 2026-12-20 18:00 (UTC+01:00)"
        );
    }

    #[test]
    fn no_stage_is_played_before_the_start_or_after_the_end() {
        let (it, _) = dated();
        it.admit(&it.author("ann"), &bot("builtin:random", 10));
        it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
        let sandbox = arena_engine::Sandbox::new(it.club.sandbox_limits()).expect("there is room");
        let mut so_far = stages::recall(&it.club).expect("it can be read");
        for (at, seconds, is_played) in [
            ("2026-09-07T08:00+02:00", -1, false),
            ("2026-12-20T18:00+01:00", 0, false),
            ("2026-09-07T08:00+02:00", 0, true),
        ] {
            let now = time(at).seconds() + seconds;
            let played = stages::play_next(&it.club, &sandbox, &mut so_far, now);
            assert_eq!(played.expect("it can be played"), is_played, "{at} {seconds}");
        }
    }

    #[test]
    fn an_upload_that_ends_after_the_freeze_is_not_entered() {
        let (it, clock) = dated();
        let ann = it.author("ann");
        let submit = |now| {
            let submission =
                arena_store::Submission { sha256: &"1".repeat(64), size: 1, now, is_draft: false };
            it.club.state.register(|register| register.submit(&ann, &submission)).expect("it can be written")
        };
        let freeze = time("2026-12-18T18:00+01:00").seconds();
        assert!(submit(freeze).is_none() && submit(freeze - 1).is_some());
        clock.store(freeze, Ordering::SeqCst);
        assert!(it.get("/submit").1.contains("This season takes no bots"));
    }

    #[test]
    fn dates_are_on_every_page_of_the_club_with_the_time_that_is_left() {
        let (it, clock) = dated();
        let line =
            "bots until <time datetime=\"2026-12-18T17:00:00Z\">Friday 2026-12-18 18:00 (UTC+01:00)</time>";
        for path in ["/", "/me/", "/submit", "/nowhere", "/games/1.html"] {
            let (_, page) = it.get(path);
            assert!(page.contains(line) && page.contains(" (in 108 days)"), "{path}: {page}");
            assert!(!page.contains("<!--dates-->"), "{path}");
        }
        clock.store(time("2026-12-18T17:30+01:00").seconds(), Ordering::SeqCst);
        assert!(it.get("/").1.contains(" (in 30 minutes)") && it.get("/").1.contains(" (passed)"));
        let order = it.folder.change_dates(|dates| dates.end = dates.start);
        assert!(matches!(order, Err(ClubError::DatesOutOfOrder)));
        it.folder.change_dates(|dates| *dates = Dates::default()).expect("they are in their order");
        assert!(!it.get("/").1.contains("id=\"dates\""));
    }

    #[test]
    fn an_announcement_is_on_the_first_page_and_in_the_document_of_the_season() {
        let it = club(ClubOptions::default());
        it.folder.announce("<b>Monday</b>\u{1b}[31m\n\nhttps://example.org/a").expect("it is short");
        let (_, page) = it.get("/");
        assert!(
            page.contains("&#60;b&#62;Monday") && page.contains("<a href=\"https://example.org/a\""),
            "{page}"
        );
        let (_, document) = it.get("/api/v1/season");
        assert!(document.contains(r#""text":"<b>Monday</b>\n\nhttps://example.org/a""#), "{document}");
        it.folder.withdraw(1).expect("it is there");
        assert!(matches!(it.folder.withdraw(1), Err(ClubError::NoAnnouncement { id: 1 })));
        assert!(!it.get("/").1.contains("Announcements"));
    }

    #[test]
    fn an_announcement_has_a_thousand_characters_and_the_latest_ten_are_kept() {
        let it = club(ClubOptions::default());
        let longest = "ü".repeat(ANNOUNCEMENT_CHARS_MAX);
        it.folder.announce(&longest).expect("it just fits");
        for text in [format!("{longest}x"), String::new(), " \n".into()] {
            assert!(matches!(it.folder.announce(&text), Err(ClubError::WrongAnnouncement)));
        }
        let texts = || -> Vec<String> {
            let all = it.folder.announcements().expect("they can be read");
            all.into_iter().map(|it| it.text).collect()
        };
        (2..=ANNOUNCEMENTS_MAX).for_each(|number| {
            it.folder.announce(&number.to_string()).expect("it is short");
        });
        assert_eq!((texts().len(), texts().last()), (10, Some(&longest)));
        it.folder.announce("one more").expect("it is short");
        assert_eq!((texts().len(), texts()[0].as_str(), texts()[9].as_str()), (10, "one more", "2"));
    }
}
