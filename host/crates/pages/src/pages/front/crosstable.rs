//! The games of each two bots: the crosstable, the bracket, and the rounds.

use super::super::cell::Cell;
use super::super::{Report, points};
use crate::{RankedBot, layout, tally};
use arena_league::{Format, KnockoutMatch, Placings};

/// The largest number of bots in a crosstable. Chosen: its cells take a third of the page's 300 KB.
const CROSSTABLE_MAX: usize = 32;

pub(super) struct CrossRow<'a> {
    pub place: String,
    pub name: &'a str,
    pub cells: Vec<Option<Cell<'a>>>,
}

/// A round with its matches.
pub(super) struct RoundOf<'a> {
    pub name: String,
    pub matches: Vec<Match<'a>>,
}

pub(super) struct Match<'a> {
    pub link: String,
    pub sides: [Side<'a>; 2],
    pub decided_by: &'static str,
}

pub(super) struct Side<'a> {
    pub name: &'a str,
    pub points: String,
    pub won: bool,
}

pub(super) struct SwissRow<'a> {
    /// The place; a word for a disqualified bot.
    pub place: String,
    pub name: &'a str,
    pub points: String,
    pub buchholz: String,
    pub wins: u32,
    pub byes: u32,
}

pub(super) fn crosstable<'a>(report: &Report<'a>) -> Option<Vec<CrossRow<'a>>> {
    let rows: Vec<&RankedBot> = report.newest().collect();
    let order: Vec<usize> = rows.iter().map(|row| row.score.contestant).collect();
    let row = |(row, &bot): (&&RankedBot, &usize)| CrossRow {
        place: row.place.map_or("–".into(), |place| place.to_string()),
        name: report.name(bot),
        cells: order
            .iter()
            .map(|&other| if bot == other { None } else { Cell::of(report, bot, other) })
            .collect(),
    };
    (order.len() <= CROSSTABLE_MAX).then(|| rows.iter().zip(&order).map(row).collect())
}

pub(super) fn bracket<'a>(report: &Report<'a>, matches: &[KnockoutMatch]) -> Vec<RoundOf<'a>> {
    let rounds = matches.chunk_by(|a, b| a.round == b.round);
    // A contest of 2ⁿ bots or less has n rounds.
    let last = report.contest.bots.len().next_power_of_two().trailing_zeros();
    let round = |matches: &[KnockoutMatch]| {
        let number = matches[0].round;
        let name = match last.saturating_sub(number) {
            0 => "Final".to_owned(),
            1 => "Semi-finals".to_owned(),
            2 => "Quarter-finals".to_owned(),
            _ => format!("Round {number}"),
        };
        let matches = matches.iter().map(|it| Match {
            link: layout::pair(it.contestants, 1),
            sides: [0, 1].map(|side| Side {
                name: report.name(it.contestants[side]),
                points: points(it.half_points[side].into()),
                won: it.winner == it.contestants[side],
            }),
            decided_by: it.decided_by.text(),
        });
        RoundOf { name, matches: matches.collect() }
    };
    rounds.map(round).collect()
}

pub(super) fn rounds<'a>(report: &Report<'a>) -> Vec<RoundOf<'a>> {
    let planned = match report.contest.format {
        Format::Swiss { rounds } => rounds,
        _ => 0,
    };
    let round = |(number, meetings): (u32, Vec<tally::Meeting>)| RoundOf {
        name: format!("Round {number} of {planned}"),
        matches: meetings
            .into_iter()
            .map(|meeting| Match {
                link: layout::pair(meeting.bots, 1),
                sides: [0, 1].map(|side| Side {
                    name: report.name(meeting.bots[side]),
                    points: points(meeting.scores[side].half_points),
                    won: false,
                }),
                decided_by: "",
            })
            .collect(),
    };
    (1..).zip(tally::rounds(report.contest)).map(round).collect()
}

pub(super) fn swiss<'a>(report: &Report<'a>) -> Vec<SwissRow<'a>> {
    let Some(Placings::Swiss(places)) = &report.contest.placings else { return Vec::new() };
    let row = |it: &arena_league::SwissPlacing| SwissRow {
        place: if report.is_out(it.contestant) { "out".into() } else { it.place.to_string() },
        name: report.name(it.contestant),
        points: points(it.half_points.into()),
        buchholz: points(it.buchholz_half_points),
        wins: it.wins,
        byes: it.byes,
    };
    places.iter().map(row).collect()
}
