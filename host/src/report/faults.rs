//! What the bots did wrong, added up by bot and class.

use super::Report;
use arena_referee::FaultClass;
use serde::Serialize;
use std::collections::BTreeMap;

/// The faults of one class by one bot.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Line<'a> {
    pub(super) bot: &'a str,
    pub(super) class: FaultClass,
    /// How many.
    pub(super) count: u32,
    /// In how many games.
    pub(super) games: u32,
    /// The first of those games.
    pub(super) first_game: usize,
    /// The turn of it; 0 is the deployment.
    pub(super) first_turn: u32,
    /// What the first one was.
    pub(super) detail: &'a str,
}

/// The faults of all bots, in the order in which they are named.
pub(super) fn lines<'a>(report: &'a Report<'_>) -> Vec<Line<'a>> {
    let mut lines: BTreeMap<(usize, FaultClass), Line<'a>> = BTreeMap::new();
    for game in &report.results.games {
        let Ok(result) = &game.result else { continue };
        for ((seat, class), fault) in &result.faults {
            let contestant = game.fixture.seats[seat.index()];
            let line = lines.entry((contestant, *class)).or_insert(Line {
                bot: report.label(contestant),
                class: *class,
                count: 0,
                games: 0,
                first_game: game.number,
                first_turn: fault.first_turn,
                detail: &fault.detail,
            });
            line.count += fault.count;
            line.games += 1;
        }
    }
    lines.into_values().collect()
}

/// A bot that was benched.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Bench<'a> {
    pub(super) bot: &'a str,
    /// The game after which it played no more.
    pub(super) after_game: usize,
    pub(super) class: FaultClass,
    pub(super) detail: &'a str,
    /// Games that it did not play, and that count as lost.
    pub(super) unplayed: usize,
    /// Where that game is recorded, if it is.
    #[serde(skip)]
    pub(super) recording: Option<String>,
}

/// The bots that were benched, in order.
pub(super) fn benched<'a>(report: &'a Report<'_>) -> Vec<Bench<'a>> {
    let games = &report.results.games;
    let bench = |benched: &'a crate::tournament::Benched| {
        let is_its = |game: &&crate::tournament::GameSummary| {
            game.fixture.seats.iter().zip(game.benched).any(|(&seat, out)| out && seat == benched.contestant)
        };
        let game = games.iter().find(|game| game.number == benched.after);
        let labels = game.map(|game| game.fixture.seats.map(|seat| report.label(seat)));
        Bench {
            bot: report.label(benched.contestant),
            after_game: benched.after,
            class: benched.class,
            detail: &benched.detail,
            unplayed: games.iter().filter(is_its).count(),
            recording: report.locate.zip(labels).map(|(locate, labels)| locate(benched.after, labels)),
        }
    };
    report.results.benched.iter().map(bench).collect()
}
