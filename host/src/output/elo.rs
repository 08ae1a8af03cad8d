//! Elo differences in words.

use arena_engine::ranking::Rating;

/// How much longer one side of an interval may be than the other to be written as ±. Chosen: ± then has the longer side, and
/// overstates the shorter one by little.
const ASYMMETRY_MAX: f64 = 1.25;

/// The cells for the columns `elo` and `±`: `120` and `35`; `620` and `+410 -180` if the two sides differ; `> 450` if there
/// is only a lower end, and `< -450` if there is only an upper one.
pub(super) fn cells(rating: Rating) -> [String; 2] {
    match rating {
        Rating { elo: Some(elo), low: Some(low), high: Some(high) } => {
            let (below, above) = (elo - low, high - elo);
            let longer = below.max(above);
            let error = if longer <= 0.0 {
                String::new()
            } else if longer <= ASYMMETRY_MAX * below.min(above) || longer < 2.0 {
                format!("{longer:.0}")
            } else {
                format!("+{above:.0} -{below:.0}")
            };
            [whole(elo), error]
        }
        // Rounded away from the other side, so that it still holds.
        Rating { low: Some(low), .. } => [format!("> {}", whole(low.floor())), String::new()],
        Rating { high: Some(high), .. } => [format!("< {}", whole(high.ceil())), String::new()],
        _ => ["-".into(), String::new()],
    }
}

/// The difference in one text, for a cell: `120 ± 35`, `620 (+410 -180)`, `> 450`.
pub fn brief(rating: Rating) -> String {
    match cells(rating) {
        [elo, error] if error.is_empty() => elo,
        [elo, error] if error.starts_with('+') => format!("{elo} ({error})"),
        [elo, error] => format!("{elo} ± {error}"),
    }
}

/// The difference in one text with a sign: `+120 ± 35`, `+620 (+410 -180)`, `more than +450`.
pub(super) fn text(rating: Rating) -> String {
    let signed = |elo: f64| format!("{:+.0}", elo.round() + 0.0);
    let [_, error] = cells(rating);
    match rating {
        Rating { elo: Some(elo), .. } if error.starts_with('+') => format!("{} ({error})", signed(elo)),
        Rating { elo: Some(elo), .. } => format!("{} ± {error}", signed(elo)),
        Rating { low: Some(low), .. } => format!("more than {}", signed(low.floor())),
        Rating { high: Some(high), .. } => format!("less than {}", signed(high.ceil())),
        _ => "an unknown number of".into(),
    }
}

/// A number without decimals, and a zero without a minus sign.
fn whole(number: f64) -> String {
    format!("{:.0}", number.round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(elo: Option<f64>, low: Option<f64>, high: Option<f64>, expected: [&str; 3]) {
        let rating = Rating { elo, low, high };
        let [value, error] = cells(rating);
        assert_eq!([value.as_str(), error.as_str(), text(rating).as_str()], expected);
    }

    #[test]
    fn a_rating_is_written_as_plainly_as_its_interval_allows() {
        check(Some(120.4), Some(85.0), Some(155.0), ["120", "35", "+120 ± 35"]);
        check(Some(-0.3), Some(-35.1), Some(38.0), ["0", "38", "+0 ± 38"]);
        check(Some(620.0), Some(440.0), Some(1030.0), ["620", "+410 -180", "+620 (+410 -180)"]);
        check(None, Some(450.9), None, ["> 450", "", "more than +450"]);
        check(None, None, Some(-450.9), ["< -450", "", "less than -450"]);
        check(None, None, None, ["-", "", "an unknown number of"]);
    }

    #[test]
    fn an_anchor_is_0_and_has_no_error() {
        assert_eq!(cells(Rating { elo: Some(0.0), low: Some(0.0), high: Some(0.0) }), ["0", ""]);
    }
}
