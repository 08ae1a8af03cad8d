//! The rows of the standings, in their order, with all figures: each form of the report shows them.

use super::Report;
use arena_league::{Format, Placings};
use arena_record::Label;
use serde::Serialize;

/// The row of a bot.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Row<'a> {
    pub(super) place: usize,
    pub(super) bot: &'a Label,
    /// The rating, in Elo; none if the bot has played no game that counts.
    pub(super) elo: Option<f64>,
    /// Half the width of the rating's 95 % interval.
    pub(super) error: Option<f64>,
    /// The likelihood that the bot is stronger than the next one, 0 to 1.
    pub(super) los: Option<f64>,
    pub(super) points: f64,
    #[serde(flatten)]
    pub(super) score: &'a arena_league::Row,
}

/// The rows, best first: by place in formats that place, by points if all bots have met, else by rating.
pub(super) fn rows<'a>(report: &'a Report<'_>) -> Vec<Row<'a>> {
    let (results, ratings) = (report.results, &report.ratings);
    let mut ranked = results.standings.ranked();
    let order: Option<Vec<usize>> = results.placings.as_ref().map(|placings| match placings {
        Placings::Swiss(places) => places.iter().map(|it| it.contestant).collect(),
        Placings::Knockout { places, .. } => places.iter().map(|it| it.contestant).collect(),
    });
    if let Some(order) = order {
        ranked.sort_by_cached_key(|row| order.iter().position(|&contestant| contestant == row.contestant));
    } else if report.settings.format != Format::RoundRobin {
        // Bots without a rating come last; those with the same rating stay in the order of their points.
        let key = |row: &arena_league::Row| {
            ratings.ratings[row.contestant].elo.map_or(f64::NEG_INFINITY, |elo| tenths(elo.value))
        };
        ranked.sort_by(|a, b| key(b).total_cmp(&key(a)));
    }
    let row = |(index, &score): (usize, &&'a arena_league::Row)| {
        let rating = ratings.ratings[score.contestant].elo;
        let los = ranked.get(index + 1).and_then(|next| ratings.los(score.contestant, next.contestant));
        Row {
            place: index + 1,
            bot: report.label(score.contestant),
            elo: rating.map(|elo| tenths(elo.value)),
            error: rating.map(|elo| tenths(elo.error)),
            los: los.map(|los| (los * 1_000.0).round() / 1_000.0),
            points: score.points(),
            score,
        }
    };
    ranked.iter().enumerate().map(row).collect()
}

/// Rounds to one decimal: the rest is noise, and its last bits could differ from machine to machine.
pub(super) fn tenths(number: f64) -> f64 {
    // Adding zero makes a negative zero positive.
    (number * 10.0).round() / 10.0 + 0.0
}
