//! Values of the command line: each parser says what is wrong with a value, and which ones are possible.

use crate::args::Form;
use arena_club::{Address, Formula, WrongAddress, WrongFormula};
use arena_engine::SeedChoice;
use arena_engine::internals::stored::At;
use arena_record::{Beacon, Seed, SeedError};
use arena_store::{WrongTime, ZonedTime};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::time::Duration;

/// The longest watchdog, in seconds. Chosen: no useful turn takes an hour.
const TURN_SECONDS_MAX: f64 = 3_600.0;

/// The longest watchdog of a game, in seconds. Chosen: a day, which is in effect no limit.
const GAME_SECONDS_MAX: f64 = 86_400.0;

/// The reason why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}: {wanted} is expected")]
pub struct WrongValue {
    /// The problem; it reads on from the value.
    pub problem: String,
    /// The values that are possible.
    pub wanted: String,
}

impl WrongValue {
    /// A value with this problem, and the `wanted` form.
    pub fn new(problem: impl Into<String>, wanted: impl Into<String>) -> Self {
        Self { problem: problem.into(), wanted: wanted.into() }
    }
}

/// The parser of a whole number in a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, WrongValue> + Clone + Send + Sync
where
    T: Copy + Into<i128> + TryFrom<i128> + Send + Sync,
{
    move |text| {
        let (least, most) = ((*range.start()).into(), (*range.end()).into());
        let wrong = |problem| WrongValue::new(problem, format!("a whole number from {least} to {most}"));
        let (too_small, too_large) = (format!("is less than {least}"), format!("is more than {most}"));
        match text.parse::<i128>() {
            Ok(number) if number < least => Err(wrong(too_small)),
            Ok(number) if number > most => Err(wrong(too_large)),
            Ok(number) => T::try_from(number).map_err(|_| wrong(too_large)),
            // More digits than any number of the machine has.
            Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Err(wrong(too_large))
            }
            Err(_) => Err(wrong("is not a whole number".into())),
        }
    }
}

/// The parser of the form of a result, which is one of these.
pub fn form<const N: usize>(forms: [Form; N]) -> impl TypedValueParser<Value = Form> {
    let values = forms.map(|form| form.to_possible_value().expect("none is hidden"));
    PossibleValuesParser::new(values).map(|name| Form::from_str(&name, false).expect("it is one of them"))
}

/// Reads a time of the day, in seconds after midnight.
pub fn time_of_day(text: &str) -> Result<u32, WrongValue> {
    let two = |digits: &str, most: u32| {
        let is_two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|number| is_two && *number <= most)
    };
    let time = text.split_once(':').and_then(|(hours, minutes)| two(hours, 23).zip(two(minutes, 59)));
    let (hours, minutes) = time.ok_or_else(|| {
        WrongValue::new("is not a time of the day", "hours and minutes from 00:00 to 23:59")
    })?;
    Ok(3_600 * hours + 60 * minutes)
}

/// Reads the formula of marks.
pub fn formula(text: &str) -> Result<Formula, WrongValue> {
    text.parse().map_err(|error: WrongFormula| {
        WrongValue::new(error.to_string(), "percentile, or authors with marks such as random=4,hunter=3")
    })
}

/// Reads a date with its time zone; `none` is no date.
pub fn date(text: &str) -> Result<Option<ZonedTime>, WrongValue> {
    if text == "none" {
        return Ok(None);
    }
    let wanted = "a date such as 2026-12-18T23:59+01:00, or none";
    text.parse().map(Some).map_err(|error: WrongTime| WrongValue::new(error.to_string(), wanted))
}

/// Reads the address of a club.
pub fn club_address(text: &str) -> Result<Address, WrongValue> {
    text.parse().map_err(|WrongAddress| {
        WrongValue::new("is not the address of a club", "an address like https://club.example.org")
    })
}

/// The parser of a number in a range, whose `what` is its unit or its meaning: `a number of seconds`.
pub fn decimal(
    what: &'static str,
    range: (Bound<f64>, Bound<f64>),
) -> impl Fn(&str) -> Result<f64, WrongValue> + Clone + Send + Sync {
    move |text| {
        let wrong = |problem: String| WrongValue::new(problem, format!("{what} {}", bounds(range)));
        match text.parse::<f64>() {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(number) if !number.is_nan() => Err(wrong("is out of range".into())),
            _ => Err(wrong("is not a number".into())),
        }
    }
}

/// A range in words.
fn bounds((least, most): (Bound<f64>, Bound<f64>)) -> String {
    let most = match (least, most) {
        (Bound::Included(least), Bound::Included(most)) => return format!("from {least} to {most}"),
        (_, Bound::Included(most)) => format!("up to {most}"),
        (_, Bound::Excluded(most)) => format!("below {most}"),
        (_, Bound::Unbounded) => "with any digits".into(),
    };
    match least {
        Bound::Included(least) => format!("from {least} and {most}"),
        Bound::Excluded(least) => format!("above {least} and {most}"),
        Bound::Unbounded => most,
    }
}

/// Reads the time of a turn in seconds.
pub fn seconds(text: &str) -> Result<Duration, WrongValue> {
    seconds_to(text, TURN_SECONDS_MAX)
}

/// Reads the time of a game in seconds.
pub fn game_seconds(text: &str) -> Result<Duration, WrongValue> {
    seconds_to(text, GAME_SECONDS_MAX)
}

fn seconds_to(text: &str, most: f64) -> Result<Duration, WrongValue> {
    let number = decimal("a number of seconds", (Bound::Excluded(0.0), Bound::Included(most)))(text)?;
    Ok(Duration::from_secs_f64(number))
}

/// The word for a secret seed.
const SECRET: &str = "secret";

/// The texts of seeds, in words.
const SEEDS: &str = "a number from 0 to 18446744073709551615, or 64 hexadecimal digits";

/// Reads the seed of `arena run`. It may be kept secret.
///
/// # Errors
/// The reason why it is not a seed.
pub fn seed_choice(text: &str) -> Result<SeedChoice, WrongValue> {
    match text {
        SECRET => Ok(SeedChoice::Secret),
        _ => text
            .parse()
            .map(SeedChoice::Given)
            .map_err(|_: SeedError| WrongValue::new("is not a seed", format!("{SEEDS}, or `{SECRET}`"))),
    }
}

/// Reads a past moment of a season: the number of a stage, or a time in UTC, whose later parts may be left out.
///
/// # Errors
/// The reason why it is neither.
pub fn at(text: &str) -> Result<At, WrongValue> {
    let wrong = || {
        WrongValue::new(
            "is neither a stage nor a time",
            "the number of a stage, or UTC as in 2026-11-23 or 2026-11-23T18:30:00Z",
        )
    };
    if let Ok(stage @ 1..) = text.parse() {
        return Ok(At::Stage(stage));
    }
    // From the day on, each further part may be left out.
    let whole = "0000-00-00T00:00:00Z";
    let is_digit_or_same =
        |(found, form): (u8, u8)| if form == b'0' { found.is_ascii_digit() } else { found == form };
    let is_time =
        [10, 13, 16, 19, 20].contains(&text.len()) && text.bytes().zip(whole.bytes()).all(is_digit_or_same);
    if is_time { Ok(At::Time(text.to_owned())) } else { Err(wrong()) }
}

/// Reads a public random value.
///
/// # Errors
/// The reason why it is not one plain line.
pub fn beacon(text: &str) -> Result<Beacon, WrongValue> {
    let line = Beacon::new(text);
    if line.as_str() == text && !text.is_empty() {
        Ok(line)
    } else {
        let most = Beacon::CHARS_MAX;
        Err(WrongValue::new(
            "is not one plain line",
            format!("1 to {most} characters, and single spaces between words"),
        ))
    }
}

/// Reads the seed of a command that has no reason to keep it secret.
///
/// # Errors
/// The reason why it is not a seed.
pub fn open_seed(text: &str) -> Result<Seed, WrongValue> {
    let problem = if text == SECRET { "is for `arena run` only" } else { "is not a seed" };
    text.parse().map_err(|_: SeedError| WrongValue::new(problem, SEEDS))
}

/// Reads the value of an option of a game: `NAME=N`.
pub fn game_setting(text: &str) -> Result<(String, i64), WrongValue> {
    let wrong =
        |problem| WrongValue::new(problem, "the name of an option and a whole number, such as line=5");
    let (name, value) = text.split_once('=').ok_or_else(|| wrong("has no `=`"))?;
    if name.is_empty() {
        return Err(wrong("has no name before the `=`"));
    }
    let value = value.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
            wrong("has a number of more than 64 bits after the `=`")
        }
        _ => wrong("has no whole number after the `=`"),
    })?;
    Ok((name.to_owned(), value))
}

/// Reads an address of the Internet, for a command that has the port in another argument.
pub fn address(text: &str) -> Result<IpAddr, WrongValue> {
    let wrong = |problem: &str| {
        WrongValue::new(
            problem,
            "an address such as 127.0.0.1, ::1, or 0.0.0.0 for all addresses of this machine",
        )
    };
    match address_and_port(text).map_err(wrong)? {
        (address, None) => Ok(address),
        (_, Some(_)) => Err(wrong("has a port, which is an argument of its own")),
    }
}

/// The parser of an address to listen on. Without a port it has the usual one, if there is one.
pub fn listening(
    usual_port: Option<u16>,
) -> impl Fn(&str) -> Result<SocketAddr, WrongValue> + Clone + Send + Sync {
    move |text| {
        let wrong = |problem: &str| {
            WrongValue::new(
                problem,
                "an address such as 127.0.0.1:8080, [::1]:8080, or 0.0.0.0:8080 for all addresses of this machine",
            )
        };
        let (address, port) = address_and_port(text).map_err(wrong)?;
        let port = port.or(usual_port).ok_or_else(|| wrong("has no port"))?;
        Ok(SocketAddr::new(address, port))
    }
}

/// The address and the port of a text, as people write them. An address of IPv6 may be in brackets without a port, too.
fn address_and_port(text: &str) -> Result<(IpAddr, Option<u16>), &'static str> {
    let address = |text: &str| match text {
        "localhost" => Some(IpAddr::from(Ipv4Addr::LOCALHOST)),
        _ => text.parse().ok(),
    };
    let in_brackets = |text: &str| text.strip_prefix('[')?.strip_suffix(']')?.parse().map(IpAddr::V6).ok();
    if let Some(address) = address(text).or_else(|| in_brackets(text)) {
        return Ok((address, None));
    }
    let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
    let host_address = in_brackets(host).or_else(|| address(host).filter(IpAddr::is_ipv4));
    match (host_address, port.parse()) {
        (Some(address), Ok(port)) => Ok((address, Some(port))),
        (Some(_), Err(_)) => Err("has a port that is not a number from 0 to 65535"),
        _ if text.contains("://") => Err("is a URL"),
        _ if host.is_empty() || text.bytes().all(|byte| byte.is_ascii_digit()) => Err("has no address"),
        _ if host == "*" => Err("has no address; 0.0.0.0 stands for all"),
        _ => Err("is not an IP address"),
    }
}

/// A list of values as text: `a, b or c`.
pub fn one_of<T: Display>(values: &[T]) -> String {
    let words: Vec<String> = values.iter().map(ToString::to_string).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: PartialEq + std::fmt::Debug>(read: Result<T, WrongValue>, expected: Result<T, &str>) {
        assert_eq!(read.map_err(|wrong| wrong.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn a_time_of_the_day_has_hours_and_minutes() {
        check(time_of_day("00:00"), Ok(0));
        check(time_of_day("03:30"), Ok(12_600));
        check(time_of_day("23:59"), Ok(86_340));
        for text in ["", "3:30", "24:00", "12:60", "12", "12:3a", "+1:00", "12:30:00"] {
            let message = "is not a time of the day: hours and minutes from 00:00 to 23:59 is expected";
            check(time_of_day(text), Err(message));
        }
    }

    #[test]
    fn a_whole_number_out_of_its_range_is_refused_with_the_reason() {
        let read = whole(1..=32_u8);
        check(read("1"), Ok(1));
        check(read("+32"), Ok(32));
        for (text, problem) in [
            ("0", "is less than 1"),
            ("-5", "is less than 1"),
            ("33", "is more than 32"),
            ("300", "is more than 32"),
            ("9999999999999999999999999999999999999999999999", "is more than 32"),
            ("", "is not a whole number"),
            ("2.5", "is not a whole number"),
            ("1e3", "is not a whole number"),
            ("soon", "is not a whole number"),
        ] {
            check(read(text), Err(&format!("{problem}: a whole number from 1 to 32 is expected")));
        }
        check(whole(0..=u64::MAX)("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn a_time_is_a_positive_number_of_seconds() {
        check(seconds("0.5"), Ok(Duration::from_millis(500)));
        check(game_seconds("3601"), Ok(Duration::from_secs(3_601)));
        for (text, problem) in [
            ("0", "is out of range"),
            ("-1", "is out of range"),
            ("inf", "is out of range"),
            ("3601", "is out of range"),
            ("NaN", "is not a number"),
            ("soon", "is not a number"),
            ("", "is not a number"),
        ] {
            check(
                seconds(text),
                Err(&format!("{problem}: a number of seconds above 0 and up to 3600 is expected")),
            );
        }
    }

    #[test]
    fn an_address_to_listen_on_is_read_as_people_write_it() {
        for (text, expected) in [
            ("127.0.0.1", "127.0.0.1:8080"),
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("[::1]", "[::1]:8080"),
            ("::1", "[::1]:8080"),
            ("::", "[::]:8080"),
            ("[::1]:9000", "[::1]:9000"),
            ("localhost", "127.0.0.1:8080"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("0.0.0.0:65535", "0.0.0.0:65535"),
        ] {
            check(listening(Some(8080))(text).map(|address| address.to_string()), Ok(expected.into()));
        }
        for (text, problem) in [
            ("8080", "has no address"),
            (":8080", "has no address"),
            ("", "has no address"),
            ("*:8080", "has no address; 0.0.0.0 stands for all"),
            ("127.0.0.1:65536", "has a port that is not a number from 0 to 65535"),
            ("127.0.0.1:", "has a port that is not a number from 0 to 65535"),
            ("[::1]:http", "has a port that is not a number from 0 to 65535"),
            ("http://127.0.0.1:8080", "is a URL"),
            ("club.example.org:8080", "is not an IP address"),
            ("[127.0.0.1]:80", "is not an IP address"),
            ("[::1", "is not an IP address"),
        ] {
            let read = listening(Some(8080))(text).expect_err(text);
            assert_eq!(read.problem, problem, "{text}");
        }
        assert_eq!(listening(None)("[::1]").expect_err("it has no port").problem, "has no port");
        check(listening(None)("[::1]:1").map(|address| address.port()), Ok(1));
        let own_port = "has a port, which is an argument of its own";
        assert_eq!(address("[::1]:80").expect_err("the port is another argument").problem, own_port);
        check(address("[::1]").map(|address| address.to_string()), Ok("::1".into()));
        check(address("localhost").map(|address| address.to_string()), Ok("127.0.0.1".into()));
    }

    #[test]
    fn a_list_of_values_reads_as_a_sentence() {
        assert_eq!(["a", "b", "c"].map(|last| one_of(&["x", last])), ["x or a", "x or b", "x or c"]);
        assert_eq!((one_of(&["a", "b", "c"]), one_of(&["a"])), ("a, b or c".into(), "a".into()));
    }
}
