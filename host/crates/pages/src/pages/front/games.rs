//! The games that are worth a look, how games ended, and their faults.

use super::super::list::{GameRow, row, turn_words};
use super::super::{Report, percent, share};
use crate::choice::Highlights;
use crate::layout;
use crate::replay::turn_id;
use arena_referee::{Detail, FaultClass};
use arena_rules::{GameRules, Reason, Rules as _};
use arena_text::grouped;
use std::collections::BTreeMap;

/// The number of games of each list of replays. Chosen: a glance.
const PICKS: usize = 5;

pub(super) struct Pick<'a> {
    pub heading: &'static str,
    pub games: Vec<GameRow<'a>>,
}

/// A number of games, and its share of all.
pub(super) struct Share {
    pub text: String,
    pub games: String,
    pub share: String,
}

/// The faults of one class by one bot.
pub(super) struct FaultRow<'a> {
    pub bot: &'a str,
    pub bot_link: String,
    pub class: FaultClass,
    pub count: u64,
    pub games: u64,
    pub first: String,
    pub link: Option<String>,
    pub detail: &'a Detail,
}

pub(super) struct Out<'a> {
    pub name: &'a str,
    pub after_game: usize,
    pub class: FaultClass,
    pub detail: &'a Detail,
}

/// The bots that were disqualified.
pub(super) fn disqualified<'a>(report: &Report<'a>) -> Vec<Out<'a>> {
    let out = |out: &'a arena_record::Disqualified| Out {
        name: report.name(out.contestant),
        after_game: out.after_game,
        class: out.class,
        detail: &out.detail,
    };
    report.contest.disqualified.iter().map(out).collect()
}

/// A game that stands out.
pub(super) struct Highlight<'a> {
    pub heading: &'static str,
    pub game: GameRow<'a>,
    /// What is special about it.
    pub words: String,
}

/// The upset and the longest game, of the last seven days of games that have times, or of all games.
pub(super) fn highlights<'a>(report: &Report<'a>) -> Vec<Highlight<'a>> {
    let Highlights { upset, longest, is_of_week } = report.choice.highlights;
    let upset = upset.map(|(index, expected)| Highlight {
        heading: if is_of_week {
            "Most surprising win of the last seven days"
        } else {
            "The most surprising win"
        },
        game: row(report, index),
        words: format!("By the ratings, the winner wins {} of such games.", percent(expected)),
    });
    let longest = longest.map(|index| {
        let game = row(report, index);
        let heading = if is_of_week { "Longest game of the last seven days" } else { "The longest game" };
        Highlight { heading, words: format!("It ended: {}.", game.ending), game }
    });
    upset.into_iter().chain(longest).collect()
}

/// The best games of each list that have a replay.
pub(super) fn picks<'a>(report: &Report<'a>) -> Vec<Pick<'a>> {
    let lists = report.choice.lists.iter().map(|(interest, games)| Pick {
        heading: interest.heading(),
        games: games.iter().take(PICKS).map(|&index| row(report, index)).collect(),
    });
    lists.filter(|pick| !pick.games.is_empty()).collect()
}

/// The reason of an end, with the game's own words for one of its own.
fn ending(report: &Report<'_>, reason: Reason) -> String {
    match &report.contest.conditions.rules {
        GameRules::Loaded(rules) if reason.is_own() => {
            format!("{reason}: {}", rules.reason_sentence(reason, ""))
        }
        _ => reason.to_string(),
    }
}

pub(super) fn endings(report: &Report<'_>) -> Vec<Share> {
    let tally = &report.tally;
    let all = report.contest.games.len() as u64;
    let line = |text: String, games: usize| Share {
        text,
        games: grouped(games as u64),
        share: share(games as u64, all),
    };
    let mut lines: Vec<_> =
        tally.endings.iter().map(|(reason, games)| line(ending(report, *reason), *games)).collect();
    let others = [("not played: disqualified", tally.unplayed), ("failure of the arena", tally.failed)];
    lines.extend(
        others.into_iter().filter(|(_, games)| *games > 0).map(|(text, games)| line(text.into(), games)),
    );
    lines
}

pub(super) fn seats(report: &Report<'_>) -> Vec<Share> {
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
pub(super) fn faults<'a>(report: &Report<'a>) -> Vec<FaultRow<'a>> {
    let contest = report.contest;
    let mut rows: BTreeMap<(usize, FaultClass), FaultRow<'a>> = BTreeMap::new();
    for (index, game) in contest.games.iter().enumerate() {
        let Some(result) = game.played() else { continue };
        for (&(seat, class), fault) in result.faults() {
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
