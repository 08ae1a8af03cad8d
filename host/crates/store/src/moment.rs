//! The time in a journal: whole seconds in UTC, as in `2026-01-31T12:00:00Z`.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The variable with a time in seconds since 1970 that stands for the present, so that the very same journal can be made
/// again. See <https://reproducible-builds.org/specs/source-date-epoch/>.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The time now.
pub(crate) fn now() -> OffsetDateTime {
    let given = std::env::var(EPOCH).ok().and_then(|seconds| seconds.parse().ok());
    let given = given.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    let now = given.filter(|time| (0..10_000).contains(&time.year())).unwrap_or_else(OffsetDateTime::now_utc);
    now.replace_nanosecond(0).unwrap_or(now)
}

/// The time now in seconds since 1970, as the moments of journals have it.
pub fn seconds_now() -> i64 {
    now().unix_timestamp()
}

/// The time now, as journals write it: `2026-01-31T12:00:00Z`.
pub fn time_now() -> String {
    text(now())
}

/// The text of a time.
pub(crate) fn text(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("this year has four digits")
}

/// The time of a text; `None` when it is not in the form of [`text`].
pub(crate) fn parsed(text: &str) -> Option<OffsetDateTime> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    (time.format(&Rfc3339).ok()? == text && text.len() == "2026-01-31T12:00:00Z".len()).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_whole_seconds_in_utc() {
        assert!(parsed(&text(now())).is_some());
        assert_eq!(parsed("2026-01-31T12:00:00Z").map(OffsetDateTime::unix_timestamp), Some(1_769_860_800));
        for text in [
            "",
            "soon",
            "2026-01-31",
            "2026-01-31T12:00:00.5Z",
            "2026-01-31T12:00:00+01:00",
            "2026-02-31T12:00:00Z",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
