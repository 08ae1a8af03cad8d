//! The ratings over time of the first bots.

use super::super::Report;
use crate::{Rating, layout, plot};
use arena_text::grouped;

/// The sizes of the picture, in its units: for a wide window and for a phone. Chosen: its numbers can be read on both.
const SIZES: [(u32, u32); 2] = [(940, 330), (390, 330)];

/// The ratings over time as a picture and as a table.
pub(super) struct HistoryView<'a> {
    /// The picture for a wide window, and for a phone.
    pub pictures: [String; 2],
    /// The bots, each with the number at its line.
    pub lines: Vec<Line<'a>>,
    pub rows: Vec<(String, Vec<&'a str>)>,
    /// A sentence for those who cannot see the picture.
    pub words: String,
    pub has_stages: bool,
}

/// The line of a bot.
pub(super) struct Line<'a> {
    pub place: usize,
    pub name: &'a str,
    pub link: String,
}

/// The ratings over time; `None` when fewer than two moments have a rating.
pub(super) fn history<'a>(report: &Report<'a>) -> Option<HistoryView<'a>> {
    let history = report.contest.history.as_ref()?;
    let moment = |line: usize, (games, ratings): &(usize, Vec<Option<Rating>>)| {
        let rating = ratings[line].as_ref()?;
        Some(plot::Moment { games: *games as f64, elo: rating.about()?, is_bound: rating.elo.is_none() })
    };
    let line = |line: usize| history.points.iter().filter_map(|point| moment(line, point)).collect();
    let series: Vec<Vec<plot::Moment>> = (0..history.bots.len()).map(line).collect();
    let stages: Vec<f64> = history.stages.iter().map(|&games| games as f64).collect();
    let places: Vec<usize> = history.bots.iter().map(|&bot| report.place(bot).unwrap_or(0)).collect();
    let picture = |size| plot::ratings_over_time(size, &series, &places, &stages);
    let line =
        |(&bot, &place): (&usize, &usize)| Line { place, name: report.name(bot), link: layout::bot(bot) };
    let text = |rating: &'a Option<Rating>| rating.as_ref().map_or("–", |rating| rating.text.as_str());
    let games = history.points.last().map_or(0, |(games, _)| *games);
    Some(HistoryView {
        pictures: [picture(SIZES[0])?, picture(SIZES[1])?],
        lines: history.bots.iter().zip(&places).map(line).collect(),
        rows: history
            .points
            .iter()
            .map(|(games, ratings)| (grouped(*games as u64), ratings.iter().map(text).collect()))
            .collect(),
        words: format!(
            "The ratings of the first {} bots over {} games, a line for each. The table below has the numbers.",
            history.bots.len(),
            grouped(games as u64)
        ),
        has_stages: !stages.is_empty(),
    })
}
