//! The standings, with older versions under their label.

use super::super::{Label, Report, in_two_lines, percent, signed};
use crate::tally::quantile;
use crate::{Change, RankedBot, layout, plot};
use arena_engine::Rating;
use arena_league::{MeanScore, Performance};
use arena_rules::Seat;

/// The largest number of bots in an order of the standings for a browser without scripts. Chosen: the page stays small.
const ORDER_MAX: usize = 100;

pub(super) struct StandingRow<'a> {
    pub place: Option<u32>,
    pub name: &'a str,
    pub link: String,
    pub is_out: bool,
    pub rating: String,
    /// The number by which the column of ratings is sorted.
    pub elo: Option<f64>,
    pub bar: String,
    pub change: String,
    pub change_by: Option<f64>,
    pub los: String,
    pub los_by: Option<f64>,
    pub points: String,
    pub points_share: Option<f64>,
    pub games: u32,
    pub performance: String,
    pub performance_by: Option<f64>,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub faults: u32,
    pub score: String,
    pub score_by: Option<f64>,
    pub turns_to_win: String,
    pub turns_by: Option<u32>,
    pub older: Vec<Older<'a>>,
    /// The page of all versions, if there are several.
    pub label_link: Option<String>,
}

/// An older version.
pub(super) struct Older<'a> {
    pub name: &'a str,
    pub link: String,
    pub rating: String,
    pub points: String,
    pub games: u32,
    pub is_out: bool,
}

/// The standings in another order, for a browser without scripts.
pub(super) struct Order<'a> {
    pub name: &'static str,
    pub rows: Vec<(&'a str, String, String)>,
}

/// The rows, best first: one for each label.
pub(super) fn standings<'a>(report: &Report<'a>) -> Vec<StandingRow<'a>> {
    let contest = report.contest;
    let ratings = || contest.standings.iter().filter_map(|row| row.rating.as_ref());
    let ends = || ratings().flat_map(|rating| [rating.elo, rating.low, rating.high]).flatten();
    // The scale has 0 on it, the rating of the anchor.
    let scale = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let performances = performances(report);
    let row = |row: &'a RankedBot| {
        let (bot, tally) = (row.score.contestant, &row.score);
        let older = contest.standings.iter().filter(|it| it.is_older_version() && it.newest == bot);
        let turns_by = quantile(&report.tally.turns_to_win[bot], 50);
        StandingRow {
            place: row.place,
            name: report.name(bot),
            link: layout::bot(bot),
            is_out: report.is_out(bot),
            rating: row.rating.as_ref().map_or("–".into(), |rating| in_two_lines(&rating.to_string())),
            elo: row.rating.as_ref().and_then(Rating::about),
            bar: row.rating.as_ref().map_or(String::new(), |rating| plot::rating(rating, scale)),
            change: change(row.change),
            change_by: match row.change {
                Some(Change::By(elo)) => Some(elo),
                _ => None,
            },
            los: row.los.map_or("–".into(), percent),
            los_by: row.los,
            points: format!("{}", tally.points()),
            points_share: (tally.games > 0).then(|| tally.points() / f64::from(tally.games)),
            games: tally.games,
            performance: performances[bot].map_or("–".into(), |elo| signed(elo, 0)),
            performance_by: performances[bot],
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            faults: tally.faults,
            score: row.mean_score.map_or("–".into(), score),
            score_by: row.mean_score.map(|it| it.mean),
            turns_to_win: turns_by.map_or("–".into(), |turns| turns.to_string()),
            turns_by,
            label_link: report.label(bot).map(Label::link),
            older: older
                .map(|it| Older {
                    name: report.name(it.score.contestant),
                    link: layout::bot(it.score.contestant),
                    rating: it.rating.as_ref().map_or("–".into(), Rating::to_string),
                    points: format!("{}", it.score.points()),
                    games: it.score.games,
                    is_out: report.is_out(it.score.contestant),
                })
                .collect(),
        }
    };
    report.newest().map(row).collect()
}

/// The performance of each bot over its games against bots with a rating. Where only one end of a rating is known, that end counts.
fn performances(report: &Report<'_>) -> Vec<Option<f64>> {
    let contest = report.contest;
    let mut elo = vec![None; contest.bots.len()];
    for row in &contest.standings {
        elo[row.score.contestant] = row.rating.as_ref().and_then(Rating::about);
    }
    let mut performances = vec![Performance::default(); contest.bots.len()];
    for game in contest.games.iter().filter(|game| game.is_played) {
        for seat in Seat::BOTH {
            let opponent = elo[game.seats[seat.other().index()]];
            if let (Some(opponent), Some(points)) = (opponent, game.half_points(seat)) {
                performances[game.seats[seat.index()]].add(opponent, points);
            }
        }
    }
    performances.iter().map(Performance::elo).collect()
}

/// A mean score with its error.
fn score(MeanScore { mean, error }: MeanScore) -> String {
    let error = error.map_or(String::new(), |error| format!(" ± {error:.2}"));
    format!("{mean:.2}{error}").replace('-', "−")
}

/// The change of a rating since the last stage began.
fn change(change: Option<Change>) -> String {
    match change {
        None => "–".into(),
        Some(Change::New) => "new".into(),
        Some(Change::By(elo)) => signed(elo, 1),
    }
}

/// A column of the standings: its name, the value that sorts it, and its text.
type Column = (&'static str, fn(&StandingRow<'_>) -> Option<f64>, fn(&StandingRow<'_>) -> String);

/// The columns by which a browser without scripts has the standings, too.
const COLUMNS: [Column; 6] = [
    ("By rating", |row| row.elo, |row| format!("{} Elo", row.rating)),
    ("By share of points", |row| row.points_share, |row| format!("{} of {}", row.points, row.games)),
    ("By mean score", |row| row.score_by, |row| row.score.clone()),
    ("By performance", |row| row.performance_by, |row| row.performance.clone()),
    ("By faults, fewest first", |row| Some(-f64::from(row.faults)), |row| row.faults.to_string()),
    (
        "By turns to win, fewest first",
        |row| row.turns_by.map(|turns| -f64::from(turns)),
        |row| row.turns_to_win.clone(),
    ),
];

/// The standings by other columns, each best first; bots without a value are last.
pub(super) fn orders<'a>(rows: &[StandingRow<'a>]) -> Vec<Order<'a>> {
    let order = |(name, value, text): Column| {
        let mut sorted: Vec<&StandingRow<'a>> = rows.iter().collect();
        let key = |row: &StandingRow<'_>| value(row).unwrap_or(f64::NEG_INFINITY);
        sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
        let rows = sorted.iter().take(ORDER_MAX).map(|row| (row.name, row.link.clone(), text(row)));
        Order { name, rows: rows.collect() }
    };
    let has_any = |(_, value, _): &Column| rows.iter().any(|row| value(row).is_some());
    COLUMNS.into_iter().filter(has_any).map(order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_a_sign_unless_nothing_has_changed() {
        let changes = [
            None,
            Some(Change::New),
            Some(Change::By(12.34)),
            Some(Change::By(-3.0)),
            Some(Change::By(-0.01)),
        ];
        assert_eq!(changes.map(change), ["–", "new", "+12.3", "−3.0", "0.0"]);
    }
}
