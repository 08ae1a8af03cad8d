//! A cell of a table of results: the games of two bots, coloured where they are beyond chance.

use super::{Report, points};
use crate::layout;

/// The squares of the normal quantiles of 95 %, 99 % and 99.9 %, two-sided, in hundredths: how far a result is beyond chance.
const BEYOND_CHANCE: [u64; 3] = [384, 664, 1083];

/// The result of a bot against another.
pub(super) struct Cell<'a> {
    /// The bot, and the other one.
    pub names: [&'a str; 2],
    pub link: String,
    pub points: String,
    pub games: u64,
    pub colour: String,
}

impl<'a> Cell<'a> {
    /// `None` when the two have not met.
    pub fn of(report: &Report<'a>, bot: usize, other: usize) -> Option<Self> {
        let score = report.tally.score(report.contest, bot, other)?;
        Some(Self {
            names: report.names([bot, other]),
            link: layout::pair([bot, other], 1),
            points: points(score.half_points),
            games: score.games,
            colour: colour(score.half_points, score.games),
        })
    }
}

/// The class of a cell: up or down, 1 to 3, by how unlikely the points are between two equal bots. A draw counts as half a win,
/// which makes the result more cautious.
fn colour(half_points: u64, games: u64) -> String {
    // One less is the correction for continuity: a result of few games is not called rarer than it is.
    let distance = half_points.abs_diff(games).saturating_sub(1);
    let beyond = BEYOND_CHANCE.iter().filter(|&&limit| 100 * distance * distance > limit * games).count();
    match beyond {
        0 => "even".into(),
        steps if half_points > games => format!("up{steps}"),
        steps => format!("down{steps}"),
    }
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
