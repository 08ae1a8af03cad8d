//! Times that people choose, each with the offset of its time zone, so that all readers see the clock of the contest.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A time that a person has chosen: whole minutes with the offset of a time zone, as in `2026-12-18T23:59:00+01:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZonedTime(OffsetDateTime);

/// A text that is not a [`ZonedTime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a date with a time and the offset of its time zone")]
pub struct WrongTime;

impl ZonedTime {
    /// The time in seconds since 1970.
    pub const fn seconds(self) -> i64 {
        self.0.unix_timestamp()
    }

    /// The same time in UTC, as journals write it.
    pub fn utc(self) -> String {
        crate::moment::text(self.0.to_offset(time::UtcOffset::UTC))
    }

    /// The time as documents and the register have it: `2026-12-18T23:59:00+01:00`.
    pub fn text(self) -> String {
        crate::moment::text(self.0)
    }

    /// The time as a person writes it, and as it can be read again: `2026-12-18 23:59 +01:00`.
    pub fn written(self) -> String {
        let text = self.text();
        format!("{} {} {}", &text[..10], &text[11..16], &text[19..])
    }

    /// The time between `now`, in seconds since 1970, and this time, in words: `3 days`. `None` when it is over.
    pub fn left(self, now: i64) -> Option<String> {
        let seconds = self.seconds() - now;
        let (count, unit) = match seconds {
            ..=0 => return None,
            1..7_200 => (seconds.div_euclid(60), "minute"),
            7_200..172_800 => (seconds / 3_600, "hour"),
            _ => (seconds / 86_400, "day"),
        };
        Some(if count == 0 { "less than a minute".into() } else { arena_text::counted(count, unit) })
    }
}

impl FromStr for ZonedTime {
    type Err = WrongTime;

    /// Reads `2026-12-18T23:59+01:00` or `2026-12-18 23:59Z`, with or without seconds, which are dropped.
    fn from_str(text: &str) -> Result<Self, WrongTime> {
        let (minutes, rest) = text.trim().split_at_checked(16).ok_or(WrongTime)?;
        let zone = match rest.strip_prefix(':') {
            Some(rest) => rest.split_at_checked(2).ok_or(WrongTime)?.1,
            None => rest,
        };
        let whole = format!("{}:00{}", minutes.replacen(' ', "T", 1), zone.trim_start());
        let time = OffsetDateTime::parse(&whole, &Rfc3339).map_err(|_| WrongTime)?;
        // The same moment in UTC has to have four digits of a year, too.
        let is_usual = |time: OffsetDateTime| (1970..9_999).contains(&time.year());
        if is_usual(time) { Ok(Self(time)) } else { Err(WrongTime) }
    }
}

impl fmt::Display for ZonedTime {
    /// For a reader: `Friday 2026-12-18 23:59 (UTC+01:00)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, offset) = (self.0, self.0.offset());
        let zone = if offset.is_utc() { String::new() } else { self.text()[19..].to_owned() };
        let (hour, minute) = (time.hour(), time.minute());
        write!(f, "{} {} {hour:02}:{minute:02} (UTC{zone})", time.weekday(), time.date())
    }
}

impl Serialize for ZonedTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for ZonedTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_keeps_the_clock_of_its_zone() {
        for text in [
            "2026-12-18T23:59:00+01:00",
            "2026-12-18T23:59+01:00",
            " 2026-12-18 23:59 +01:00",
            "2026-12-18 23:59:59+01:00",
        ] {
            let time: ZonedTime = text.parse().unwrap();
            assert_eq!(time.text(), "2026-12-18T23:59:00+01:00", "{text}");
            assert_eq!(time.utc(), "2026-12-18T22:59:00Z");
            assert_eq!(time.to_string(), "Friday 2026-12-18 23:59 (UTC+01:00)");
            assert_eq!(
                (time.written().as_str(), time.written().parse()),
                ("2026-12-18 23:59 +01:00", Ok(time))
            );
        }
        let utc: ZonedTime = "2026-12-18T23:59Z".parse().unwrap();
        assert_eq!(utc.to_string(), "Friday 2026-12-18 23:59 (UTC)");
        assert_eq!([utc.text(), utc.written()].map(|text| text.parse()), [Ok(utc); 2]);
    }

    #[test]
    fn a_text_without_a_zone_or_a_real_date_is_no_time() {
        for text in [
            "",
            "soon",
            "2026-12-18",
            "2026-12-18T23:59",
            "2026-12-18T23:59:00",
            "2026-02-30T12:00Z",
            "2026-12-18T25:00Z",
            "1969-12-31T12:00Z",
            "9999-12-31T12:00Z",
            "2026-12-18T23:59+01:00x",
            "2026-12-18T23:5ä+01:00",
            "2026-12-18T23:59:0ä+01:00",
        ] {
            assert_eq!(text.parse::<ZonedTime>(), Err(WrongTime), "{text}");
        }
    }

    #[test]
    fn the_time_left_is_in_the_unit_of_which_there_are_two_or_more() {
        let time: ZonedTime = "1970-01-11T00:00Z".parse().unwrap();
        let left = |before: i64| time.left(time.seconds() - before);
        for (before, words) in [
            (1, "less than a minute"),
            (60, "1 minute"),
            (7_199, "119 minutes"),
            (7_200, "2 hours"),
            (172_799, "47 hours"),
            (172_800, "2 days"),
            (864_000, "10 days"),
        ] {
            assert_eq!(left(before).as_deref(), Some(words));
        }
        assert_eq!([left(0), left(-5)], [None, None]);
    }
}
