//! The page of a label: the versions of a bot, and what changed from one to the next.
//!
//! A bot with one version has no such page: each part of it compares versions, and the bot's own page has the rest.

use super::cell::Cell;
use super::compare::{Common, HABITS, common, difference, habits};
use super::history::HistoryView;
use super::{Label, Report, counted, in_two_lines, render, share, signed};
use crate::{Contest, Facts, Page, RankedBot, layout, plot};
use arena_league::Difference;
use askama::Template;

/// The largest number of versions that are compared, the newest ones. Chosen: as many columns as a crosstable has.
const COMPARED_MAX: usize = 32;

/// The number of opponents that are listed for each change. Chosen: a glance; the table of results has all.
const OPPONENTS_LISTED: usize = 5;

/// The template of the page of a label.
#[derive(Template)]
#[template(path = "label.html")]
struct LabelPage<'a> {
    contest: &'a Contest,
    root: &'static str,
    trail: Vec<(String, Option<String>)>,
    name: &'a str,
    /// The address of the newest version that stays, if there is one.
    address: Option<String>,
    summary: String,
    versions: Vec<Version<'a>>,
    /// A note on the versions that are not compared; empty if all are.
    compared_words: String,
    history: Option<HistoryView<'a>>,
    /// The changes, the latest first.
    changes: Vec<Change<'a>>,
    /// The versions of the table of results, by number and name.
    columns: Vec<(usize, &'a str)>,
    /// The results against opponents that play now or have met several versions.
    results: Vec<Results<'a>>,
    /// The results against all others.
    more_results: Vec<Results<'a>>,
    habits: [&'static str; 4],
}

/// A version.
struct Version<'a> {
    number: usize,
    name: &'a str,
    link: String,
    tag: &'static str,
    stage: String,
    date: String,
    rating: String,
    bar: String,
    /// The change of the rating from the version before, with its interval.
    change: String,
    /// True if that interval does not contain 0.
    is_clear: bool,
    points: String,
    share: String,
    habits: [String; 4],
}

/// The change from a version to the next one.
struct Change<'a> {
    /// The numbers of the two, the earlier one first.
    numbers: [usize; 2],
    names: [&'a str; 2],
    /// The page of the two, if they have met.
    link: Option<String>,
    /// The difference of their ratings in a sentence.
    difference: String,
    /// What the opponents are: the first of so many.
    opponents_words: String,
    opponents: Vec<Common<'a>>,
    turns: Option<String>,
}

/// The results of each version against an opponent.
struct Results<'a> {
    name: &'a str,
    link: String,
    cells: Vec<Option<Cell<'a>>>,
}

pub(super) fn page(report: &Report<'_>, facts: &Facts, label: &Label) -> Page {
    let Label { newest, versions } = label;
    let compared = &numbered(versions)[versions.len().saturating_sub(COMPARED_MAX)..];
    let name = report.name(*newest);
    let (results, more_results) = results(report, versions, compared);
    let page = LabelPage {
        contest: report.contest,
        root: "../",
        trail: vec![(format!("All versions of {name}"), None)],
        name,
        address: report.contest.served.is_some().then(|| layout::permanent(name)).flatten(),
        summary: summary(report, label),
        versions: rows(report, facts, versions),
        compared_words: match versions.len() - compared.len() {
            0 => String::new(),
            _ => format!("Below are the last {} versions.", compared.len()),
        },
        history: history(report, compared),
        changes: compared.windows(2).rev().map(|two| change(report, [two[0], two[1]])).collect(),
        columns: compared.iter().map(|&(number, bot)| (number, report.name(bot))).collect(),
        results,
        more_results,
        habits: HABITS,
    };
    render(label.link(), &page)
}

/// The versions with their numbers, from 1.
fn numbered(versions: &[usize]) -> Vec<(usize, usize)> {
    (1..).zip(versions.iter().copied()).collect()
}

/// The versions in a sentence, and the place of the newest one.
fn summary(report: &Report<'_>, &Label { newest, ref versions }: &Label) -> String {
    let number = versions.iter().position(|&bot| bot == newest).map_or(1, |before| before + 1);
    let row = report.row(newest);
    let rating = row.and_then(|row| row.rating.as_ref());
    let place = report.place_words(newest).map(|place| format!("place {place}"));
    let rating = rating.map(|rating| format!("rating {rating} Elo"));
    let words: Vec<String> = place.into_iter().chain(rating).collect();
    let state = if row.is_some_and(RankedBot::has_left) { "was the last one" } else { "plays now" };
    format!(
        "{} have played. Version {number} {state}: {}.",
        counted(versions.len() as u64, "version"),
        words.join(", ")
    )
}

/// The versions, the first one first.
fn rows<'a>(report: &Report<'a>, facts: &Facts, versions: &[usize]) -> Vec<Version<'a>> {
    let ratings = || versions.iter().filter_map(|&bot| report.row(bot)?.rating.as_ref());
    let ends = || ratings().flat_map(|rating| [rating.elo, rating.low, rating.high]).flatten();
    // The scale has 0 on it, the rating of the anchor.
    let scale = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let row = |(number, bot): (usize, usize)| {
        let row = report.row(bot);
        let rating = row.and_then(|row| row.rating.as_ref());
        let before = number.checked_sub(2).map(|before| versions[before]);
        let change = before
            .filter(|&before| !report.is_out(bot) && !report.is_out(before))
            .and_then(|before| report.contest.ratings.difference(bot, before));
        let (points, games) = row.map_or((0.0, 0), |row| (row.score.points(), row.score.games));
        Version {
            number,
            name: report.name(bot),
            link: layout::bot(bot),
            tag: tag(report, row),
            stage: stages(report, bot),
            date: first_date(report, bot),
            rating: rating.map_or("–".into(), |rating| in_two_lines(&rating.to_string())),
            bar: rating.map_or(String::new(), |rating| plot::rating(rating, scale)),
            change: change.and_then(change_words).map_or("–".into(), |words| in_two_lines(&words)),
            is_clear: change.is_some_and(|it| {
                it.low.is_some_and(|low| low > 0.0) || it.high.is_some_and(|high| high < 0.0)
            }),
            points: format!("{points} of {games}"),
            share: share((2.0 * points) as u64, 2 * u64::from(games)),
            habits: habits(report, facts, bot),
        }
    };
    numbered(versions).into_iter().map(row).collect()
}

/// A word on a version; empty for one that was replaced.
fn tag(report: &Report<'_>, row: Option<&RankedBot>) -> &'static str {
    match row {
        Some(row) if report.is_out(row.score.contestant) => "disqualified",
        Some(row) if !row.has_left() => "plays now",
        Some(row) if !row.is_older_version() => "departed",
        _ => "",
    }
}

/// The stages in which a bot has played games, from the first to the last; a dash without games.
fn stages(report: &Report<'_>, bot: usize) -> String {
    let contest = report.contest;
    let words = report.tally.played[bot].and_then(|[first, last]| {
        let (first, last) = (contest.games[first].stage?, contest.games[last].stage?);
        Some(if first == last { first.to_string() } else { format!("{first} to {last}") })
    });
    words.unwrap_or_else(|| "–".into())
}

/// The date of a bot's first game; a dash when it is not known.
fn first_date(report: &Report<'_>, bot: usize) -> String {
    let date = report.tally.played[bot].and_then(|[first, _]| report.contest.games[first].date());
    date.unwrap_or_else(|| "–".into())
}

/// A difference in Elo with its interval, or the end that is known.
fn change_words(Difference { elo, low, high }: Difference) -> Option<String> {
    Some(match (elo, low, high) {
        (Some(elo), Some(low), Some(high)) => {
            format!("{} ({} to {})", signed(elo, 0), signed(low, 0), signed(high, 0))
        }
        // Rounded away from the other side, so that it still holds.
        (_, Some(low), _) => format!("> {}", signed(low.floor(), 0)),
        (_, None, Some(high)) => format!("< {}", signed(high.ceil(), 0)),
        (_, None, None) => return None,
    })
}

/// The ratings over time of these versions, as far as they were rated then.
fn history<'a>(report: &Report<'a>, versions: &[(usize, usize)]) -> Option<HistoryView<'a>> {
    let points = &report.contest.history.as_ref()?.points;
    let is_rated = |&(_, bot): &(usize, usize)| points.iter().any(|(_, ratings)| ratings.contains_key(&bot));
    let rated: Vec<_> = versions.iter().copied().filter(is_rated).collect();
    let words = format!("The ratings of {} over time", counted(rated.len() as u64, "version"));
    HistoryView::of(
        report,
        &rated,
        &words,
        "that of the version; each has a line for the time in which it played",
    )
}

/// What changed from a version to the next one.
fn change<'a>(report: &Report<'a>, two: [(usize, usize); 2]) -> Change<'a> {
    let [before, after] = two.map(|(_, bot)| bot);
    let mut opponents = common(report, [after, before]);
    let count = opponents.len();
    // Those beyond chance first, then by the size of the difference; those of the same size stay in the order of the standings.
    opponents.sort_by(|a, b| b.is_clear.cmp(&a.is_clear).then(b.by.value.abs().total_cmp(&a.by.value.abs())));
    opponents.truncate(OPPONENTS_LISTED);
    for opponent in &mut opponents {
        // The page has the earlier version first.
        opponent.links.reverse();
        opponent.scores.reverse();
        opponent.shares.reverse();
    }
    let won = |bot: usize| report.tally.turns_to_win[bot].as_slice();
    Change {
        numbers: two.map(|(number, _)| number),
        names: report.names([before, after]),
        link: report.tally.score(report.contest, before, after).map(|_| layout::pair([before, after], 1)),
        difference: Some(difference(report, [after, before]))
            .filter(|words| !words.is_empty())
            .unwrap_or_else(|| "The games do not determine the difference of their ratings.".into()),
        opponents_words: if count > OPPONENTS_LISTED {
            format!("The {OPPONENTS_LISTED} of {count} common opponents with the clearest change")
        } else {
            "Common opponents, the clearest change first".into()
        },
        opponents,
        turns: (!won(after).is_empty()).then(|| plot::turns_to_win(won(after), won(before))).flatten(),
    }
}

/// The results of versions by opponent, in the order of the standings: against those that play now or have met several of the
/// versions, and against all others.
fn results<'a>(
    report: &Report<'a>,
    all: &[usize],
    versions: &[(usize, usize)],
) -> (Vec<Results<'a>>, Vec<Results<'a>>) {
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for row in &report.contest.standings {
        let opponent = row.score.contestant;
        if all.contains(&opponent) {
            continue;
        }
        let cells: Vec<_> = versions.iter().map(|&(_, bot)| Cell::of(report, bot, opponent)).collect();
        let met = cells.iter().flatten().count();
        let list = if met > 1 || !row.is_older_version() { &mut first } else { &mut others };
        if met > 0 {
            list.push(Results { name: report.name(opponent), link: layout::bot(opponent), cells });
        }
    }
    (first, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_rating_has_a_sign_and_its_known_ends() {
        let words = |elo, low, high| change_words(Difference { elo, low, high });
        assert_eq!(words(Some(85.4), Some(-3.2), Some(170.0)).unwrap(), "+85 (−3 to +170)");
        assert_eq!(words(None, Some(12.9), None).unwrap(), "> +12");
        assert_eq!(words(None, None, Some(-12.1)).unwrap(), "< −12");
        assert_eq!(words(None, None, None), None);
        let lines = ["> +12", "+85 (−3 to +170)"].map(in_two_lines);
        assert_eq!(lines, [">\u{a0}+12", "+85 (−3\u{a0}to\u{a0}+170)"]);
    }
}
