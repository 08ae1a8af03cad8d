//! The lines of a table of standings, in their order, with all figures: what every form of it shows.

use super::Report;
use arena_league::{Format, Placings};
use serde::Serialize;

/// A bot's line.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Row<'a> {
    pub(super) place: usize,
    pub(super) bot: &'a str,
    /// The rating, in Elo; none where it has played no game that counts.
    pub(super) elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub(super) error: Option<f64>,
    /// How likely it is to be stronger than the next one, 0 to 1.
    pub(super) los: Option<f64>,
    pub(super) points: f64,
    #[serde(flatten)]
    pub(super) score: &'a arena_league::Row,
}

/// The lines, best first: by place in formats that place, by points where everyone has met everyone, else by rating.
pub(super) fn rows<'a>(report: &'a Report<'_>) -> Vec<Row<'a>> {
    let ranked = report.results.standings.ranked();
    let order: Vec<usize> = match (&report.results.placings, report.terms.course.format) {
        (Some(Placings::Swiss(places)), _) => places.iter().map(|place| place.contestant).collect(),
        (Some(Placings::Knockout { places, .. }), _) => places.iter().map(|place| place.contestant).collect(),
        (None, Format::RoundRobin) => ranked.iter().map(|row| row.contestant).collect(),
        (None, _) => by_rating(report, ranked.iter().map(|row| row.contestant).collect()),
    };
    let score_of = |contestant: usize| {
        *ranked.iter().find(|row| row.contestant == contestant).expect("everyone has a line")
    };
    order
        .iter()
        .enumerate()
        .map(|(index, &contestant)| {
            let rating = report.ratings.ratings[contestant].elo;
            let score = score_of(contestant);
            Row {
                place: index + 1,
                bot: report.label(contestant),
                elo: rating.map(|elo| tenths(elo.value)),
                error: rating.map(|elo| tenths(elo.error)),
                los: order
                    .get(index + 1)
                    .and_then(|&next| report.ratings.los(contestant, next))
                    .map(|los| (los * 1_000.0).round() / 1_000.0),
                points: score.points(),
                score,
            }
        })
        .collect()
}

/// Best first, those who are not rated last; those who are equal stay in the order of their points.
fn by_rating(report: &Report<'_>, mut contestants: Vec<usize>) -> Vec<usize> {
    let key = |contestant: usize| {
        report.ratings.ratings[contestant].elo.map_or(f64::NEG_INFINITY, |elo| tenths(elo.value))
    };
    contestants.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    contestants
}

/// To one decimal: what is beyond is noise, of which the last bits could differ from machine to machine.
pub(super) fn tenths(number: f64) -> f64 {
    // Adding zero makes a negative zero positive.
    (number * 10.0).round() / 10.0 + 0.0
}
