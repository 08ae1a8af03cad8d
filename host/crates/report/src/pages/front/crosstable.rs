//! The games of each two bots: the crosstable, the bracket, and the rounds.

use super::super::{Report, points};
use crate::{layout, tally};
use arena_league::{Format, KnockoutMatch, Placings};

/// The largest number of bots in a crosstable. Chosen: its cells take a third of the page's 300 KB.
const CROSSTABLE_MAX: usize = 32;

/// The squares of the normal quantiles of 95 %, 99 % and 99.9 %, two-sided, in hundredths: how far a result is beyond chance.
const BEYOND_CHANCE: [u64; 3] = [384, 664, 1083];

pub(super) struct CrossRow<'a> {
    pub place: usize,
    pub name: &'a str,
    pub cells: Vec<Option<CrossCell<'a>>>,
}

pub(super) struct CrossCell<'a> {
    pub name: &'a str,
    pub link: String,
    pub points: String,
    pub games: u64,
    pub colour: String,
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
    pub place: u32,
    pub name: &'a str,
    pub points: String,
    pub buchholz: String,
    pub wins: u32,
    pub byes: u32,
}

/// The class of a cell of a crosstable: up or down, 1 to 3, by how unlikely the points are between two equal bots. A draw
/// counts as half a win, which makes the result more cautious.
pub(super) fn colour(half_points: u64, games: u64) -> String {
    // One less is the correction for continuity: a result of few games is not called rarer than it is.
    let distance = half_points.abs_diff(games).saturating_sub(1);
    let beyond = BEYOND_CHANCE.iter().filter(|&&limit| 100 * distance * distance > limit * games).count();
    match beyond {
        0 => "even".into(),
        steps if half_points > games => format!("up{steps}"),
        steps => format!("down{steps}"),
    }
}

pub(super) fn crosstable<'a>(report: &Report<'a>) -> Option<Vec<CrossRow<'a>>> {
    let contest = report.contest;
    let cell = |bot: usize, other: usize| {
        let score = report.tally.score(contest, bot, other)?;
        Some(CrossCell {
            name: report.name(other),
            link: layout::pair([bot, other], 1),
            points: points(score.half_points),
            games: score.games,
            colour: colour(score.half_points, score.games),
        })
    };
    let order: Vec<usize> = report.placed().map(|(_, row)| row.score.contestant).collect();
    let row = |(place, &bot): (usize, &usize)| CrossRow {
        place: place + 1,
        name: report.name(bot),
        cells: order.iter().map(|&other| if bot == other { None } else { cell(bot, other) }).collect(),
    };
    (order.len() <= CROSSTABLE_MAX).then(|| order.iter().enumerate().map(row).collect())
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
        place: it.place,
        name: report.name(it.contestant),
        points: points(it.half_points.into()),
        buchholz: points(it.buchholz_half_points),
        wins: it.wins,
        byes: it.byes,
    };
    places.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_coloured_only_beyond_chance() {
        // 5 of 5 has a probability of 6.25 % from both sides, 6 of 6 one of 3.1 %, and 61 of 100 one of 3.5 %.
        let points_of = [(0, 0), (10, 5), (12, 6), (120, 100), (122, 100), (78, 100), (80, 100), (0, 100)];
        let colours = points_of.map(|(half_points, games)| colour(half_points, games));
        assert_eq!(colours, ["even", "even", "up1", "even", "up1", "down1", "even", "down3"]);
    }
}
