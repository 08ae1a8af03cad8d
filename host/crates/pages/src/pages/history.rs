//! Ratings over time, as a picture and as a table.

use super::Report;
use crate::{layout, plot};
use arena_engine::Rating;
use arena_text::grouped;

/// The sizes of the picture, in its units: for a wide window and for a phone. Chosen: its numbers can be read on both.
const SIZES: [(u32, u32); 2] = [(940, 330), (390, 330)];

/// The ratings of some bots over time.
pub(super) struct HistoryView<'a> {
    /// The picture for a wide window, and for a phone.
    pub pictures: [String; 2],
    /// The bots, each with the number at its line.
    pub lines: Vec<Line<'a>>,
    /// The moments at which one of them has a rating.
    pub rows: Vec<(String, Vec<String>)>,
    /// A sentence for those who cannot see the picture.
    pub words: String,
    /// What the number at a line is: `the bot’s place`.
    pub number_is: &'static str,
    pub has_stages: bool,
}

/// The line of a bot.
pub(super) struct Line<'a> {
    pub number: usize,
    pub name: &'a str,
    pub link: String,
}

impl<'a> HistoryView<'a> {
    /// The ratings over time of the first bots; `None` when fewer than two moments have a rating.
    pub fn of_first(report: &Report<'a>) -> Option<Self> {
        let history = report.contest.history.as_ref()?;
        // The first bots all have a place.
        let place = |bot| report.row(bot).and_then(|row| row.place).map_or(0, |place| place as usize);
        let numbered = history.bots.iter().map(|&bot| (place(bot), bot));
        let words = format!(
            "The ratings of the first {} bots over {} games",
            history.bots.len(),
            grouped(history.points.last().map_or(0, |(games, _)| *games) as u64)
        );
        Self::of(report, &numbered.collect::<Vec<_>>(), &words, "the bot’s place")
    }

    /// The ratings over time of these bots, each with the number at its line, in words; `None` when fewer than two moments have a
    /// rating.
    pub fn of(
        report: &Report<'a>,
        bots: &[(usize, usize)],
        words: &str,
        number_is: &'static str,
    ) -> Option<Self> {
        let history = report.contest.history.as_ref()?;
        let moment = |games: usize, rating: &Rating| {
            Some(plot::Moment { games: games as f64, elo: rating.about()?, is_bound: rating.elo.is_none() })
        };
        let line = |&(_, bot): &(usize, usize)| {
            let points = history.points.iter();
            points.filter_map(|(games, ratings)| moment(*games, ratings.get(&bot)?)).collect()
        };
        let series: Vec<Vec<plot::Moment>> = bots.iter().map(line).collect();
        let stages: Vec<f64> = history.stages.iter().map(|&games| games as f64).collect();
        let ends: Vec<(usize, &str)> = bots.iter().map(|&(number, bot)| (number, report.name(bot))).collect();
        let days = days(report);
        let date_of =
            |games: f64| days.get(games as usize).copied().flatten().and_then(date).unwrap_or_default();
        let picture = |size| plot::ratings_over_time(size, &series, &ends, &stages, date_of);
        let lines =
            bots.iter().map(|&(number, bot)| Line { number, name: report.name(bot), link: layout::bot(bot) });
        let rows = history.points.iter().map(|(games, ratings)| {
            let text = |&(_, bot): &(usize, usize)| ratings.get(&bot).map_or("–".into(), Rating::to_string);
            (grouped(*games as u64), bots.iter().map(text).collect::<Vec<_>>())
        });
        Some(Self {
            pictures: [picture(SIZES[0])?, picture(SIZES[1])?],
            lines: lines.collect(),
            rows: rows.filter(|(_, ratings)| ratings.iter().any(|text| text != "–")).collect(),
            words: format!("{words}, a line for each. The table below has the numbers."),
            number_is,
            has_stages: !stages.is_empty(),
        })
    }
}

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The day on which each game was played, counted from 1970, by the number of played games before it; empty if all are of the same day.
fn days(report: &Report<'_>) -> Vec<Option<i32>> {
    let played = report.contest.games.iter().filter(|game| game.played().is_some());
    let day = |at: i64| i32::try_from(at.div_euclid(DAY)).ok();
    let days: Vec<_> = played.map(|game| game.at.and_then(day)).collect();
    if days.windows(2).all(|pair| pair[0] == pair[1]) { Vec::new() } else { days }
}

/// A day as text.
fn date(day: i32) -> Option<String> {
    let date = time::OffsetDateTime::from_unix_timestamp(i64::from(day) * DAY).ok()?.date();
    Some(format!("{}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day()))
}
