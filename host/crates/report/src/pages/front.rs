//! The front page: who won, and how.

use super::list::{self, GameRow, row, turn_words};
use super::{Report, counted, points, render, share};
use crate::replay::turn_id;
use crate::tally::{self, quantile};
use crate::{Contest, Head, Journal, Page, layout, plot};
use arena_league::{Format, KnockoutMatch, Placings};
use arena_record::RecordedSeed;
use arena_referee::{Detail, FaultClass};
use arena_rules::GameRules;
use arena_text::grouped;
use askama::Template;
use std::collections::BTreeMap;

/// The largest number of bots in a crosstable. Chosen: its cells take a third of the page's 300 KB.
const CROSSTABLE_MAX: usize = 32;

/// The number of games of each list of replays. Chosen: a glance.
const PICKS: usize = 5;

/// The number of bots of the podium. Chosen: as many as a podium has steps.
const PODIUM: usize = 3;

/// The squares of the normal quantiles of 95 %, 99 % and 99.9 %, two-sided, in hundredths: how far a result is beyond chance.
const BEYOND_CHANCE: [u64; 3] = [384, 664, 1083];

/// The template of the front page.
#[derive(Template)]
#[template(path = "front.html")]
struct Front<'a> {
    contest: &'a Contest,
    root: &'static str,
    summary: String,
    games_played: usize,
    leader: Option<Named<'a>>,
    leader_words: &'static str,
    podium: Vec<Step<'a>>,
    state: Vec<(&'static str, String)>,
    standings: Vec<StandingRow<'a>>,
    crosstable: Option<Vec<CrossRow<'a>>>,
    bracket: Vec<RoundOf<'a>>,
    rounds: Vec<RoundOf<'a>>,
    swiss: Vec<SwissRow<'a>>,
    choice_words: String,
    has_replay_list: bool,
    picks: Vec<Pick<'a>>,
    endings: Vec<Share>,
    seats: Vec<Share>,
    faults: Vec<FaultRow<'a>>,
    disqualified: Vec<Out<'a>>,
    conditions: Vec<(&'static str, String)>,
    rules: Vec<(String, String)>,
}

struct Named<'a> {
    name: &'a str,
    link: String,
}

/// A step of the podium.
struct Step<'a> {
    place: usize,
    name: &'a str,
    link: String,
    rating: &'a str,
}

struct StandingRow<'a> {
    place: usize,
    name: &'a str,
    link: String,
    is_out: bool,
    is_departed: bool,
    rating: String,
    bar: String,
    los: String,
    points: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    faults: u32,
    turns_to_win: String,
}

struct CrossRow<'a> {
    place: usize,
    name: &'a str,
    cells: Vec<Option<CrossCell<'a>>>,
}

struct CrossCell<'a> {
    name: &'a str,
    link: String,
    points: String,
    games: u64,
    colour: String,
}

/// A round with its matches.
struct RoundOf<'a> {
    name: String,
    matches: Vec<Match<'a>>,
}

struct Match<'a> {
    link: String,
    sides: [Side<'a>; 2],
    decided_by: &'static str,
}

struct Side<'a> {
    name: &'a str,
    points: String,
    won: bool,
}

struct SwissRow<'a> {
    place: u32,
    name: &'a str,
    points: String,
    buchholz: String,
    wins: u32,
    byes: u32,
}

struct Pick<'a> {
    heading: &'static str,
    games: Vec<GameRow<'a>>,
}

/// A number of games, and its share of all.
struct Share {
    text: String,
    games: String,
    share: String,
}

/// The faults of one class by one bot.
struct FaultRow<'a> {
    bot: &'a str,
    bot_link: String,
    class: FaultClass,
    count: u64,
    games: u64,
    first: String,
    link: Option<String>,
    detail: &'a Detail,
}

struct Out<'a> {
    name: &'a str,
    after_game: usize,
    class: FaultClass,
    detail: &'a Detail,
}

pub(super) fn page(report: &Report<'_>) -> Page {
    let contest = report.contest;
    let (bracket, swiss) = match &contest.placings {
        Some(Placings::Knockout { matches, .. }) => (bracket(report, matches), Vec::new()),
        Some(Placings::Swiss(_)) | None => (Vec::new(), swiss(report)),
    };
    let leader = contest.standings.first().filter(|row| row.score.games > 0);
    let front = Front {
        contest,
        root: "",
        summary: summary(contest),
        games_played: contest.games.len(),
        leader: leader
            .map(|row| row.score.contestant)
            .map(|bot| Named { name: report.name(bot), link: layout::bot(bot) }),
        leader_words: if contest.is_complete { "First place:" } else { "In the lead:" },
        podium: podium(report),
        state: state(contest),
        standings: standings(report),
        crosstable: crosstable(report),
        bracket,
        rounds: rounds(report),
        swiss,
        choice_words: report.choice_words(),
        has_replay_list: list::is_there(report),
        picks: picks(report),
        endings: endings(report),
        seats: seats(report),
        faults: faults(report),
        disqualified: contest
            .disqualified
            .iter()
            .map(|out| Out {
                name: report.name(out.contestant),
                after_game: out.after_game,
                class: out.class,
                detail: &out.detail,
            })
            .collect(),
        conditions: conditions(contest),
        rules: switches(&contest.conditions.rules),
    };
    render(layout::FRONT.into(), &front)
}

/// The contest in a sentence.
fn summary(contest: &Contest) -> String {
    let rules = &contest.conditions.rules;
    format!(
        "{} between {} under the {} rules on {}, {}, {} a match.",
        counted(contest.games.len() as u64, "game"),
        counted(contest.bots.len() as u64, "bot"),
        rules.name(),
        rules.size(),
        contest.format,
        counted(contest.games_per_match.into(), "game"),
    )
}

/// The first bots, as far as they have a rating.
fn podium<'a>(report: &Report<'a>) -> Vec<Step<'a>> {
    let rated = (1..).zip(&report.contest.standings).take(PODIUM);
    let step = |(place, row): (usize, &'a crate::Standing)| {
        let bot = row.score.contestant;
        let rating = &row.rating.as_ref()?.text;
        Some(Step { place, name: report.name(bot), link: layout::bot(bot), rating })
    };
    rated.filter_map(step).collect()
}

/// The state of the contest: whether it goes on, its dates, and the head of each journal.
fn state(contest: &Contest) -> Vec<(&'static str, String)> {
    let (games, planned) = (grouped(contest.games.len() as u64), grouped(contest.games_planned as u64));
    let state = match (contest.is_closed, contest.is_complete) {
        (true, true) => format!("closed, all {planned} games played"),
        (true, false) => format!("closed after {games} of {planned} games"),
        (false, true) => format!("all {planned} games played; a further stage may follow"),
        (false, false) => format!("running, {games} of {planned} games played"),
    };
    let mut lines = vec![("State", state)];
    if let Some([from, to]) = &contest.dates {
        lines.push(("Dates", format!("{from} to {to}")));
    }
    for Head { sha256, links } in contest.journals.iter().filter_map(|journal| journal.head.as_ref()) {
        lines.push(("Journal’s head", format!("{sha256}, after {}", counted(*links, "link"))));
    }
    lines
}

/// The class of a cell of the crosstable: up or down, 1 to 3, by how unlikely the points are between two equal bots. A draw
/// counts as half a win, which makes the result more cautious.
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

fn standings<'a>(report: &Report<'a>) -> Vec<StandingRow<'a>> {
    let contest = report.contest;
    let ratings = || contest.standings.iter().filter_map(|row| row.rating.as_ref());
    let ends = || ratings().flat_map(|rating| [rating.elo, rating.low, rating.high]).flatten();
    // The scale has 0 on it, the rating of the anchor.
    let scale = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let row = |(place, row): (usize, &'a crate::Standing)| StandingRow {
        place: place + 1,
        name: report.name(row.score.contestant),
        link: layout::bot(row.score.contestant),
        is_out: contest.disqualified.iter().any(|out| out.contestant == row.score.contestant),
        is_departed: row.is_departed,
        rating: row.rating.as_ref().map_or("–".into(), |rating| rating.text.clone()),
        bar: row.rating.as_ref().map_or(String::new(), |rating| plot::rating(rating, scale)),
        los: row.los.map_or("–".into(), |los| format!("{:.1}%", 100.0 * los)),
        points: format!("{}", row.score.points()),
        games: row.score.games,
        wins: row.score.wins,
        draws: row.score.draws,
        losses: row.score.losses,
        faults: row.score.faults,
        turns_to_win: quantile(&report.tally.turns_to_win[row.score.contestant], 50)
            .map_or("–".into(), |turns| turns.to_string()),
    };
    contest.standings.iter().enumerate().map(row).collect()
}

fn crosstable<'a>(report: &Report<'a>) -> Option<Vec<CrossRow<'a>>> {
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
    let order: Vec<usize> = contest.standings.iter().map(|row| row.score.contestant).collect();
    let row = |(place, &bot): (usize, &usize)| CrossRow {
        place: place + 1,
        name: report.name(bot),
        cells: order.iter().map(|&other| if bot == other { None } else { cell(bot, other) }).collect(),
    };
    (order.len() <= CROSSTABLE_MAX).then(|| order.iter().enumerate().map(row).collect())
}

fn bracket<'a>(report: &Report<'a>, matches: &[KnockoutMatch]) -> Vec<RoundOf<'a>> {
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

fn rounds<'a>(report: &Report<'a>) -> Vec<RoundOf<'a>> {
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

fn swiss<'a>(report: &Report<'a>) -> Vec<SwissRow<'a>> {
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

/// The best games of each list that have a replay.
fn picks<'a>(report: &Report<'a>) -> Vec<Pick<'a>> {
    let lists = report.choice.lists.iter().map(|(interest, games)| Pick {
        heading: interest.heading(),
        games: games
            .iter()
            .filter(|&&index| report.has_replay(index))
            .take(PICKS)
            .map(|&index| row(report, index))
            .collect(),
    });
    lists.filter(|pick| !pick.games.is_empty()).collect()
}

fn endings(report: &Report<'_>) -> Vec<Share> {
    let tally = &report.tally;
    let all = report.contest.games.len() as u64;
    let line = |text: String, games: usize| Share {
        text,
        games: grouped(games as u64),
        share: share(games as u64, all),
    };
    let mut lines: Vec<_> =
        tally.endings.iter().map(|(reason, games)| line(reason.to_string(), *games)).collect();
    let others = [("not played: disqualified", tally.unplayed), ("failure of the arena", tally.failed)];
    lines.extend(
        others.into_iter().filter(|(_, games)| *games > 0).map(|(text, games)| line(text.into(), games)),
    );
    lines
}

fn seats(report: &Report<'_>) -> Vec<Share> {
    let tally = report.tally.seats;
    let all = (tally.wins[0] + tally.wins[1] + tally.draws + tally.no_contests) as u64;
    let line = |(text, games): (&str, usize)| Share {
        text: text.into(),
        games: grouped(games as u64),
        share: share(games as u64, all),
    };
    let lines = [
        ("seat 1", tally.wins[0]),
        ("seat 2", tally.wins[1]),
        ("nobody: a draw", tally.draws),
        ("nobody: no contest", tally.no_contests),
    ];
    lines
        .into_iter()
        .enumerate()
        .filter(|&(at, (_, games))| at < 2 || games > 0)
        .map(|(_, it)| line(it))
        .collect()
}

/// The faults by bot and class, bots in the order of the standings.
fn faults<'a>(report: &Report<'a>) -> Vec<FaultRow<'a>> {
    let contest = report.contest;
    let mut rows: BTreeMap<(usize, FaultClass), FaultRow<'a>> = BTreeMap::new();
    for (index, game) in contest.games.iter().enumerate() {
        let Some(result) = game.played() else { continue };
        for (&(seat, class), fault) in &result.faults {
            let bot = game.seats[seat.index()];
            let place =
                contest.standings.iter().position(|row| row.score.contestant == bot).unwrap_or(usize::MAX);
            let row = rows.entry((place, class)).or_insert_with(|| FaultRow {
                bot: report.name(bot),
                bot_link: layout::bot(bot),
                class,
                count: 0,
                games: 0,
                first: format!("game {}, {}", game.number, turn_words(fault.first_turn)),
                link: report.link(index).map(|page| format!("{page}#{}", turn_id(seat, fault.first_turn))),
                detail: &fault.detail,
            });
            row.count += u64::from(fault.count);
            row.games += 1;
        }
    }
    rows.into_values().collect()
}

fn conditions(contest: &Contest) -> Vec<(&'static str, String)> {
    let conditions = &contest.conditions;
    let mut lines = vec![
        ("Arena", conditions.arena.to_string()),
        ("wasmtime", conditions.wasmtime.to_string()),
        ("Engine", conditions.engine.to_string()),
        ("Game", conditions.rules.kind().to_string()),
        ("Rules", conditions.rules.name().to_owned()),
        (
            "Format",
            format!("{}, {} a match", contest.format, counted(contest.games_per_match.into(), "game")),
        ),
        ("Fuel of a turn", grouped(conditions.limits.fuel_per_turn)),
        ("Memory of a bot", format!("{} MiB", conditions.limits.memory_bytes >> 20)),
    ];
    if let Some(games) = contest.max_faults {
        lines.push(("Disqualified", format!("after faults in {}", counted(games.into(), "game"))));
    }
    let seed = contest.seed.map_or("secret until the last game".into(), |seed| seed.to_string());
    lines.push(("Random seed", seed));
    if let RecordedSeed::Secret(commitment) = &conditions.seed {
        lines.push(("SHA-256 of the seed, published before the first game", commitment.digits().to_string()));
    }
    for Journal { name, head, .. } in &contest.journals {
        let Some(Head { sha256, links }) = head else { continue };
        let of = if contest.journals.len() > 1 { format!(" of {}", name.as_str()) } else { String::new() };
        lines.push(("Head of the journal's chain", format!("{sha256}, after {links} links{of}")));
    }
    lines
}

/// The switches of the rules, by name.
fn switches(rules: &GameRules) -> Vec<(String, String)> {
    let value = serde_json::to_value(rules).expect("rules are plain data");
    let all = value.as_object().cloned().unwrap_or_default();
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    all.into_iter().map(|(name, value)| (name, text(value))).collect()
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
