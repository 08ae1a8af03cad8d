//! Ratings in words.

use super::{Ranking, Rating};
use arena_record::Label;
use arena_text::some_of;
use std::fmt;

/// How much longer one side of an interval may be than the other to be written as ±. Chosen: ± then has the longer side, and
/// overstates the shorter one by little.
const ASYMMETRY_MAX: f64 = 1.25;

/// The largest number of groups, and of bots of each, that a note names. Chosen: a few lines.
const GROUPS_NAMED_MAX: [usize; 2] = [6, 8];

impl Rating {
    /// The cells for the columns `elo` and `±`: `120` and `35`; `620` and `+410 -180` if the two sides differ; `> 450` if there
    /// is only a lower end, and `< -450` if there is only an upper one.
    pub fn cells(self) -> [String; 2] {
        match self {
            Self { elo: Some(elo), low: Some(low), high: Some(high) } => {
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
            Self { low: Some(low), .. } => [format!("> {}", whole(low.floor())), String::new()],
            Self { high: Some(high), .. } => [format!("< {}", whole(high.ceil())), String::new()],
            _ => ["-".into(), String::new()],
        }
    }

    /// The difference in one text with a sign: `+120 ± 35`, `+620 (+410 -180)`, `more than +450`.
    pub fn signed(self) -> String {
        let signed = |elo: f64| format!("{:+.0}", elo.round() + 0.0);
        let [_, error] = self.cells();
        match self {
            Self { elo: Some(elo), .. } if error.starts_with('+') => format!("{} ({error})", signed(elo)),
            Self { elo: Some(elo), .. } => format!("{} ± {error}", signed(elo)),
            Self { low: Some(low), .. } => format!("more than {}", signed(low.floor())),
            Self { high: Some(high), .. } => format!("less than {}", signed(high.ceil())),
            _ => "an unknown number of".into(),
        }
    }
}

impl fmt::Display for Rating {
    /// The rating in one text: `120 ± 35`, `620 (+410 -180)`, `> 450`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cells() {
            [elo, error] if error.is_empty() => f.write_str(&elo),
            [elo, error] if error.starts_with('+') => write!(f, "{elo} ({error})"),
            [elo, error] => write!(f, "{elo} ± {error}"),
        }
    }
}

impl Ranking<'_> {
    /// Notes on the bots: on the anchors of their ratings, and on those that have left.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.notes_on_anchors();
        let gone: Vec<_> = self.gone().map(Label::to_string).collect();
        if !gone.is_empty() {
            let count = gone.len();
            let named = some_of(gone.into_iter(), count, GROUPS_NAMED_MAX[1], ", ");
            notes.push(format!("no longer play: {named}"));
        }
        notes
    }

    /// The note about the anchors, and about the groups if there are several.
    fn notes_on_anchors(&self) -> Vec<String> {
        let name = |bot: usize| self.label(bot).to_string();
        let anchored = self.ratings.groups().iter().zip(&self.anchors);
        let anchored: Vec<_> = anchored.filter_map(|(group, anchor)| Some((group, (*anchor)?))).collect();
        let mut notes = Vec::new();
        if let Some(anchor) = self.anchor.filter(|anchor| !anchored.iter().any(|(_, other)| other == anchor))
        {
            notes.push(format!("{} has no rating, so it is not the anchor", name(anchor)));
        }
        match &anchored[..] {
            [] => {}
            [(_, anchor)] => notes
                .push(format!("elo is the difference to {}; ± is of that difference, 95 %", name(*anchor))),
            several => {
                let [groups_max, bots_max] = GROUPS_NAMED_MAX;
                let group = |(group, anchor): &(&Vec<usize>, usize)| {
                    let others = group.iter().filter(|bot| *bot != anchor).map(|&bot| name(bot));
                    format!("{}: {}", name(*anchor), some_of(others, group.len() - 1, bots_max, ", "))
                };
                notes.push(format!(
                "bots with no common opponents, directly or through others, cannot be rated against each other; elo is the \
                 difference to the first of each group, ± is of that difference, 95 %; the groups are: {}",
                some_of(several.iter().map(group), several.len(), groups_max, "; ")
            ));
            }
        }
        notes
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
        let [value, error] = rating.cells();
        assert_eq!([value.as_str(), error.as_str(), rating.signed().as_str()], expected);
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
        assert_eq!(Rating::ZERO.cells(), ["0", ""]);
    }
}
