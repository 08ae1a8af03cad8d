//! The rows of the standings, in their order, with all figures: each form of the report shows them.

use super::{Report, elo};
use crate::ranking;
use arena_league::{Difference, Format, Placings, Superiority};
use arena_record::Label;
use serde::Serialize;

/// The row of a bot.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row<'a> {
    pub(crate) place: usize,
    pub(crate) bot: &'a Label,
    /// The rating, in Elo above the anchor of its group.
    #[serde(flatten)]
    pub(crate) rating: Rating,
    /// The likelihood that the bot is stronger than the next one, 0 to 1; none if there is no next one, or if it is too early.
    #[serde(serialize_with = "likelihood")]
    pub(crate) los: Option<Superiority>,
    pub(crate) points: f64,
    #[serde(flatten)]
    pub(crate) score: &'a arena_league::Row,
    /// True if the bot was disqualified. Then it has no rating.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) disqualified: bool,
}

/// The rating of a bot, in tenths of an Elo: the rest is noise, and its last bits could differ from machine to machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rating {
    /// The estimate; none if one of the ends is missing.
    pub(crate) elo: Option<f64>,
    /// The lower end of the 95 % interval.
    pub(crate) low: Option<f64>,
    /// The upper end of the 95 % interval.
    pub(crate) high: Option<f64>,
}

impl Rating {
    /// The rating of an anchor.
    const ZERO: Self = Self { elo: Some(0.0), low: Some(0.0), high: Some(0.0) };
}

impl From<Difference> for Rating {
    fn from(Difference { elo, low, high }: Difference) -> Self {
        Self { elo: elo.map(tenths), low: low.map(tenths), high: high.map(tenths) }
    }
}

impl Row<'_> {
    /// The rating in words; none if there is none.
    pub fn rating_words(&self) -> Option<String> {
        let Rating { low, high, .. } = self.rating;
        low.or(high).map(|_| elo::brief(self.rating))
    }
}

/// The rows, best first: by place in formats that place, by points after a whole round robin, else by rating, because some
/// bots have met stronger opponents than others. Disqualified bots stand last.
pub(super) fn rows<'a>(report: &'a Report<'_>) -> Vec<Row<'a>> {
    let (results, ratings) = (report.results, &report.ratings);
    let mut ranked = ranking::ranked(results);
    let order: Option<Vec<usize>> = results.placings.as_ref().map(|placings| match placings {
        Placings::Swiss(places) => places.iter().map(|it| it.contestant).collect(),
        Placings::Knockout { places, .. } => places.iter().map(|it| it.contestant).collect(),
    });
    if let Some(order) = order {
        ranked.sort_by_cached_key(|row| order.iter().position(|&contestant| contestant == row.contestant));
        ranking::last_if_disqualified(results, &mut ranked);
    } else if report.settings.format != Format::RoundRobin || !results.complete {
        // Bots without a rating come last; those with the same rating stay in the order of their points.
        let key =
            |row: &arena_league::Row| ratings.strength(row.contestant).map_or(f64::NEG_INFINITY, tenths);
        ranked.sort_by(|a, b| key(b).total_cmp(&key(a)));
        ranking::last_if_disqualified(results, &mut ranked);
    }
    let row = |(index, &score): (usize, &&'a arena_league::Row)| {
        let contestant = score.contestant;
        let next = ranked.get(index + 1).map(|next| next.contestant);
        let next = next.filter(|&next| report.is_rated(contestant) && report.is_rated(next));
        Row {
            place: index + 1,
            bot: report.label(contestant),
            rating: rating(report, contestant),
            los: next.and_then(|next| ratings.los(contestant, next)),
            points: score.points(),
            score,
            disqualified: ranking::is_disqualified(results, contestant),
        }
    };
    ranked.iter().enumerate().map(row).collect()
}

fn rating(report: &Report<'_>, contestant: usize) -> Rating {
    let Some(anchor) = report.anchor_of(contestant).filter(|_| report.is_rated(contestant)) else {
        return Rating::default();
    };
    if anchor == contestant {
        return Rating::ZERO;
    }
    report.ratings.difference(contestant, anchor).map_or_else(Rating::default, Rating::from)
}

/// Rounds to one decimal: the rest is noise, and its last bits could differ from machine to machine.
pub(super) fn tenths(number: f64) -> f64 {
    // Adding zero makes a negative zero positive.
    (number * 10.0).round() / 10.0 + 0.0
}

/// Rounds a likelihood to a tenth of a percent.
pub(super) fn known(los: Option<Superiority>) -> Option<f64> {
    match los {
        Some(Superiority::Likelihood(likelihood)) => Some((likelihood * 1_000.0).round() / 1_000.0),
        Some(Superiority::TooEarly) | None => None,
    }
}

fn likelihood<S: serde::Serializer>(los: &Option<Superiority>, serializer: S) -> Result<S::Ok, S::Error> {
    known(*los).serialize(serializer)
}
