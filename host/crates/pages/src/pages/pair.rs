//! The pages of two bots: their comparison, and all of their games.

use super::compare::Comparison;
use super::list::{GameRow, row};
use super::{Report, points, render};
use crate::{Contest, Facts, Page, layout};
use askama::Template;

/// The number of games on a page. Chosen: a page of at most 100 KB with names of 24 characters, measured at 230 bytes a game.
const GAMES_A_PAGE: usize = 400;

/// The number of pages up to which each links to all of them; of more, about as many at equal distances. Chosen: three lines on a phone.
const LINKED_MAX: usize = 30;

/// The template of a page of two bots.
#[derive(Template)]
#[template(path = "pair.html")]
struct Pair<'a> {
    contest: &'a Contest,
    root: &'static str,
    trail: Vec<(String, Option<String>)>,
    names: [&'a str; 2],
    bot_links: [String; 2],
    summary: String,
    /// The pages of all versions of each, as far as there are several.
    labels: Vec<(&'a str, String)>,
    /// The comparison, on the first page.
    comparison: Option<Comparison<'a>>,
    games: Vec<GameRow<'a>>,
    part: usize,
    parts: Vec<(usize, String)>,
}

/// The pages of two bots with these games, by index.
pub(super) fn pages<'r>(
    report: &'r Report<'_>,
    facts: &'r Facts,
    bots: [usize; 2],
    games: &'r [usize],
) -> impl Iterator<Item = Page> + 'r {
    let names = report.names(bots);
    let [first, second] = [bots, [bots[1], bots[0]]]
        .map(|[bot, other]| report.tally.score(report.contest, bot, other).unwrap_or_default().half_points);
    let summary = format!(
        "{}: {} – {} points",
        super::counted(games.len() as u64, "game"),
        points(first),
        points(second)
    );
    let mut labels: Vec<_> = bots.iter().filter_map(|&bot| report.label(bot)).collect();
    labels.dedup_by_key(|label| label.newest);
    let labels: Vec<_> = labels.into_iter().map(|label| (report.name(label.newest), label.link())).collect();
    let count = games.len().div_ceil(GAMES_A_PAGE);
    (1..).zip(games.chunks(GAMES_A_PAGE)).map(move |(part, games)| {
        let trail =
            vec![(names[0].to_owned(), Some(layout::bot(bots[0]))), (format!("v {}", names[1]), None)];
        let pair = Pair {
            contest: report.contest,
            root: "../",
            trail,
            names,
            bot_links: bots.map(layout::bot),
            summary: summary.clone(),
            labels: labels.clone(),
            comparison: (part == 1).then(|| Comparison::of(report, facts, bots)).flatten(),
            games: games.iter().map(|&index| row(report, index)).collect(),
            part,
            parts: linked(part, count).map(|number| (number, layout::pair(bots, number))).collect(),
        };
        render(layout::pair(bots, part), &pair)
    })
}

/// The numbers of the pages that a page of two bots links to: all if they are few. Otherwise the first and the last, its neighbours, and some
/// at equal distances, so that any page is a few steps away.
fn linked(part: usize, count: usize) -> impl Iterator<Item = usize> {
    let distance = count.div_ceil(LINKED_MAX).max(1);
    let is_linked = move |number: &usize| {
        number.is_multiple_of(distance) || [1, count].contains(number) || number.abs_diff(part) <= 2
    };
    (1..=count).filter(is_linked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_links_to_all_others_if_they_are_few_or_else_to_some() {
        assert!(linked(7, LINKED_MAX).eq(1..=LINKED_MAX));
        let of_many: Vec<usize> = linked(300, 600).collect();
        assert_eq!(of_many[..4], [1, 20, 40, 60]);
        assert_eq!(of_many[14..21], [280, 298, 299, 300, 301, 302, 320]);
        assert_eq!((of_many.last(), of_many.len()), (Some(&600), 35));
        assert!(linked(1, 31).eq([1, 2, 3].into_iter().chain((4..=30).step_by(2)).chain([31])));
    }
}
