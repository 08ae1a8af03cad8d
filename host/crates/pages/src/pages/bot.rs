//! The page of a bot.

use super::list::turn_words;
use super::{Report, counted, points, render, share};
use crate::facts::{BotFacts, EARLY_TURNS, FAULTS_LISTED_MAX, Facts};
use crate::heat::{HeatMap, step};
use crate::replay::turn_id;
use crate::tally::quantile;
use crate::{Contest, Page, Reported, layout, plot};
use arena_record::Disqualified;
use arena_referee::{Detail, FaultClass, Verdict};
use arena_rules::Size;
use arena_text::grouped;
use askama::Template;

/// The template of the page of a bot.
#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage<'a> {
    contest: &'a Contest,
    root: &'static str,
    trail: Vec<(&'a str, Option<String>)>,
    name: &'a str,
    own_name: &'a str,
    sha256: &'a str,
    summary: String,
    /// True if a visitor can play against it.
    can_be_played: bool,
    /// Which version it is, and the page of all versions, if there are several.
    version: Option<(String, String)>,
    out: Option<&'a Disqualified>,
    opponents: Vec<Opponent<'a>>,
    turns_plot: Option<String>,
    turns_words: String,
    shots_name: &'static str,
    early: u32,
    columns: String,
    shots: Option<HeatMap>,
    ships: Option<HeatMap>,
    fuel_plot: Option<String>,
    fuel_words: String,
    faults: Vec<Fault<'a>>,
    faults_more: Option<String>,
    faults_unlinked: bool,
}

/// The results against an opponent.
struct Opponent<'a> {
    name: &'a str,
    link: String,
    points: String,
    games: usize,
    step: u64,
    share: String,
    /// Games won, drawn and lost.
    results: [usize; 3],
}

/// A fault.
struct Fault<'a> {
    game: usize,
    link: Option<String>,
    opponent: &'a str,
    turn: String,
    class: FaultClass,
    verdict: &'static str,
    detail: &'a Detail,
}

pub(super) fn page<'a, G: Reported>(report: &'a Report<'_>, facts: &'a Facts, bot: usize) -> Page {
    let contest = report.contest;
    let of_bot = &facts.bots[bot];
    let id = &contest.bots[bot];
    let width = usize::from(contest.conditions.rules.size().unwrap_or(Size::EMPTY).width);
    let won = &report.tally.turns_to_win[bot];
    let field: Vec<u32> = report.tally.turns_to_win.iter().flatten().copied().collect();
    let faults: Vec<_> = faults(report, of_bot, bot);
    let faults_more = (of_bot.fault_count > FAULTS_LISTED_MAX as u64)
        .then(|| format!("The first {FAULTS_LISTED_MAX} of {} faults:", grouped(of_bot.fault_count)));
    let page = BotPage {
        contest,
        root: "../",
        trail: vec![(report.name(bot), None)],
        version: version(report, bot),
        name: report.name(bot),
        own_name: id.name.as_str(),
        sha256: id.sha256.as_str(),
        summary: summary(report, bot),
        can_be_played: report.contest.has_visitors
            && report.row(bot).is_some_and(|row| row.place.is_some())
            && !report.is_out(bot),
        out: contest.disqualified.iter().find(|out| out.contestant == bot),
        opponents: opponents(report, bot),
        turns_plot: (!won.is_empty()).then(|| plot::turns_to_win(won, &field)).flatten(),
        turns_words: turns_words(won, &field),
        shots_name: G::SHOTS,
        early: EARLY_TURNS,
        columns: contest.columns.chars().take(width).collect(),
        shots: HeatMap::of(&of_bot.shots, width, of_bot.games),
        ships: HeatMap::of(&of_bot.ships, width, of_bot.games_placed),
        fuel_plot: fuel_plot(contest, of_bot, G::HAS_BOARDS),
        fuel_words: fuel_words(contest, of_bot),
        faults_unlinked: faults.iter().any(|fault| fault.link.is_none()),
        faults,
        faults_more,
    };
    render(layout::bot(bot), &page)
}

/// Which version of its label a bot is, and the page of all versions, if there are several.
fn version(report: &Report<'_>, bot: usize) -> Option<(String, String)> {
    let label = report.label(bot)?;
    let before = label.versions.iter().position(|&version| version == bot)?;
    Some((format!("{} of {}", before + 1, label.versions.len()), label.link()))
}

/// The place and the results of a bot in a sentence.
fn summary(report: &Report<'_>, bot: usize) -> String {
    let Some(row) = report.row(bot) else {
        return "It has no place in the standings yet.".into();
    };
    let place = match report.place_words(bot) {
        Some(place) => format!("Place {place}"),
        None if row.is_older_version() => format!("An older version of {}", report.name(row.newest)),
        None => "It has left, so it has no place".into(),
    };
    let rating = row.rating.as_ref().map_or(String::new(), |rating| format!(", rating {rating} Elo"));
    format!(
        "{place}{rating}. {} points in {}: {} won, {} drawn, {} lost.",
        row.score.points(),
        counted(row.score.games.into(), "game"),
        row.score.wins,
        row.score.draws,
        row.score.losses
    )
}

/// The results against each opponent, in the order of the standings.
fn opponents<'a>(report: &'a Report<'_>, bot: usize) -> Vec<Opponent<'a>> {
    let contest = report.contest;
    let against = |opponent: usize| {
        let score = report.tally.score(contest, bot, opponent)?;
        let games = report.tally.games_of([bot, opponent]);
        let mut results = [0; 3];
        for game in games.iter().map(|&index| &contest.games[index]) {
            match game.winner() {
                Some(winner) => results[if winner == bot { 0 } else { 2 }] += 1,
                None if game.half_points(arena_rules::Seat::First).is_some() => results[1] += 1,
                None => {}
            }
        }
        Some(Opponent {
            name: report.name(opponent),
            link: layout::pair([bot, opponent], 1),
            points: points(score.half_points),
            games: games.len(),
            step: step(score.half_points, 2 * score.games),
            share: share(score.half_points, 2 * score.games),
            results,
        })
    };
    contest
        .standings
        .iter()
        .map(|row| row.score.contestant)
        .filter(|&other| other != bot)
        .filter_map(against)
        .collect()
}

/// The turns to win in a sentence, for readers who cannot see the plot.
fn turns_words(won: &[u32], field: &[u32]) -> String {
    let (Some(half), Some(few), Some(many), Some(of_field)) =
        (quantile(won, 50), quantile(won, 5), quantile(won, 95), median(field))
    else {
        return String::new();
    };
    format!(
        "Turns to win, in {}: the median is {half}, and nine in ten took {few} to {many}. The median of all bots is {of_field}.",
        counted(won.len() as u64, "win")
    )
}

/// The median of values in any order.
fn median(values: &[u32]) -> Option<u32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    quantile(&sorted, 50)
}

fn fuel_plot(contest: &Contest, bot: &BotFacts, has_deployment: bool) -> Option<String> {
    let turns = || (0u32..).zip(&bot.fuel);
    let mean: Vec<_> = turns().filter_map(|(turn, fuel)| Some((f64::from(turn), fuel.mean()?))).collect();
    let most: Vec<_> = turns()
        .filter(|(_, fuel)| fuel.games > 0)
        .map(|(turn, fuel)| (f64::from(turn), fuel.most as f64))
        .collect();
    let turn = if has_deployment { "turn, 0 is the deployment" } else { "turn" };
    plot::fuel(&mean, &most, contest.conditions.limits.fuel_per_turn as f64, turn)
}

/// The fuel in a sentence, for readers who cannot see the plot.
fn fuel_words(contest: &Contest, bot: &BotFacts) -> String {
    let (games, sum) =
        bot.fuel.iter().fold((0, 0), |(games, sum), fuel| (games + fuel.games, sum + fuel.sum));
    let Some(mean) = sum.checked_div(u128::from(games)) else { return String::new() };
    let most = bot.fuel.iter().map(|fuel| fuel.most).max().unwrap_or(0);
    let budget = contest.conditions.limits.fuel_per_turn;
    format!(
        "A turn took {} fuel on average and {} at most, which is {} of the budget of {}. Turns that faulted are not counted.",
        grouped(u64::try_from(mean).unwrap_or(u64::MAX)),
        grouped(most),
        share(most, budget),
        grouped(budget)
    )
}

fn faults<'a>(report: &'a Report<'_>, facts: &'a BotFacts, bot: usize) -> Vec<Fault<'a>> {
    let fault = |(index, fault): &'a (usize, crate::facts::FaultMoment)| {
        let game = &report.contest.games[*index];
        let link = report.link(*index).map(|page| format!("{page}#{}", turn_id(fault.seat, fault.turn)));
        let opponent = game.seats[fault.seat.other().index()];
        debug_assert_eq!(game.seats[fault.seat.index()], bot);
        Fault {
            game: game.number,
            link,
            opponent: report.name(opponent),
            turn: turn_words(fault.turn),
            class: fault.class,
            verdict: match fault.verdict {
                Verdict::TurnSkipped => "turn skipped",
                Verdict::NotPlaced => "no fleet",
                Verdict::Loses => "loses",
            },
            detail: &fault.detail,
        }
    };
    facts.faults.iter().map(fault).collect()
}
