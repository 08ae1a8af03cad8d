//! What the organiser of a club says to the readers of its pages: dates and announcements. A text is plain: its paragraphs and addresses are
//! shown as such, and everything in it is escaped.

use arena_store::{Announcement, Dates, ZonedTime};
use askama::Template;

/// What the organiser of a club says to the readers of its pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notices {
    /// The dates of the season.
    pub dates: Dates,
    /// The announcements, the latest first.
    pub announcements: Vec<Announcement>,
}

/// The dates in a line, with the time that is left.
#[derive(Template)]
#[template(path = "dates.html")]
struct DatesLine {
    rows: Vec<Row>,
}

struct Row {
    what: &'static str,
    utc: String,
    time: ZonedTime,
    left: String,
}

/// The announcements in a section.
#[derive(Template)]
#[template(path = "announcements.html")]
struct Section<'a> {
    announcements: Vec<Shown<'a>>,
}

struct Shown<'a> {
    at: &'a str,
    text: &'a str,
}

/// A part of a paragraph.
struct Part<'a> {
    text: &'a str,
    is_link: bool,
}

impl Notices {
    /// The dates as HTML: with the time that is left at `now`, in seconds since 1970, or for a script to add it. Empty if there are none.
    pub fn dates_line(&self, now: Option<i64>) -> String {
        let left = |time: ZonedTime, now| match time.left(now) {
            Some(left) => format!(" (in {left})"),
            None => " (passed)".to_owned(),
        };
        let row = |(what, time): (_, ZonedTime)| Row {
            what,
            utc: time.utc(),
            time,
            left: now.map_or_else(String::new, |now| left(time, now)),
        };
        let rows = self.dates.set().map(row).collect();
        DatesLine { rows }.render().unwrap_or_default().trim_end().to_owned()
    }

    /// The announcements as HTML; empty if there are none.
    pub fn announcements_section(&self) -> String {
        let shown = self.announcements.iter().map(|Announcement { at, text, .. }| Shown { at, text });
        Section { announcements: shown.collect() }.render().unwrap_or_default()
    }
}

impl<'a> Shown<'a> {
    fn at_in_words(&self) -> String {
        crate::time_in_words(self.at)
    }

    /// The paragraphs, which empty lines separate.
    fn paragraphs(&self) -> impl Iterator<Item = Vec<Part<'a>>> + use<'a> {
        self.text.split("\n\n").filter(|text| !text.trim().is_empty()).map(parts)
    }
}

/// The parts of a paragraph: each word that is an address is a link, without the punctuation behind it.
fn parts(paragraph: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for word in paragraph.split_inclusive(char::is_whitespace) {
        let end = word.trim_end().trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).len();
        let (address, rest) = word.split_at(end);
        let is_link = ["https://", "http://"].iter().any(|scheme| {
            address.strip_prefix(scheme).is_some_and(|host| host.starts_with(char::is_alphanumeric))
        });
        if is_link {
            parts.extend([Part { text: address, is_link }, Part { text: rest, is_link: false }]);
        } else {
            parts.push(Part { text: word, is_link });
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn announced(text: &str) -> String {
        let announcement = Announcement { id: 1, at: "2026-01-31T12:00:00Z".into(), text: text.into() };
        Notices { announcements: vec![announcement], ..Notices::default() }.announcements_section()
    }

    #[test]
    fn an_announcement_has_paragraphs_and_links_and_nothing_else_of_html() {
        let page =
            announced("See https://example.org/a?b=1&c=\"2\". <b>Now</b>\n\njavascript:alert(1) http://");
        let link = "<a href=\"https://example.org/a?b=1&#38;c=&#34;2&#34;\"";
        assert!(page.contains(link), "{page}");
        assert_eq!(page.matches("<a ").count(), 1, "{page}");
        assert!(page.contains("&#60;b&#62;Now") && !page.contains("<b>"), "{page}");
        assert_eq!(page.matches("<p dir").count(), 2, "{page}");
        assert!(page.contains("2026-01-31 12:00:00 UTC"), "{page}");
        assert_eq!(Notices::default().announcements_section().trim(), "");
    }

    #[test]
    fn a_line_has_the_dates_that_are_set_with_the_time_that_is_left() {
        let freeze: ZonedTime = "2026-12-18T23:59+01:00".parse().expect("it is a time");
        let dates = Dates { freeze: Some(freeze), ..Dates::default() };
        let notices = Notices { dates, ..Notices::default() };
        let at = |before: i64| notices.dates_line(Some(freeze.seconds() - before));
        assert!(at(259_200).contains(
            "bots until <time datetime=\"2026-12-18T22:59:00Z\">Friday 2026-12-18 23:59 (UTC+01:00)</time>"
        ));
        assert!(at(259_200).contains(" (in 3 days)") && at(0).contains(" (passed)"), "{}", at(0));
        assert!(notices.dates_line(None).contains("<span class=\"left\"></span>"));
        assert_eq!(Notices::default().dates_line(None), "");
    }
}
