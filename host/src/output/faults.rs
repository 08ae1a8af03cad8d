//! The faults of the bots, added up by bot and class, and the bots that were disqualified for them.

use super::StandingsOutput;
use arena_record::Label;
use arena_referee::{Detail, FaultClass, Frame};
use arena_text::RecordingName;
use serde::Serialize;
use std::collections::BTreeMap;

/// The faults of one class by one bot.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct FaultRow<'a> {
    pub(super) bot: &'a Label,
    pub(super) class: FaultClass,
    /// The number of faults.
    pub(super) count: u32,
    /// The number of games with such a fault.
    pub(super) games: u32,
    /// The first of those games.
    pub(super) first_game: usize,
    /// The turn of the first fault; 0 is the deployment.
    pub(super) first_turn: u32,
    /// The description of the first fault.
    pub(super) detail: &'a Detail,
    /// The functions that were being called at the first fault, the innermost first.
    pub(super) stack: &'a [Frame],
}

/// The faults of all bots, in the order in which the bots are named.
pub(super) fn lines<'a>(report: &'a StandingsOutput<'_>) -> Vec<FaultRow<'a>> {
    let mut lines: BTreeMap<(usize, FaultClass), FaultRow<'a>> = BTreeMap::new();
    for game in &report.ranking.results.games {
        let Ok(result) = &game.result else { continue };
        for ((seat, class), fault) in &result.faults {
            let contestant = game.fixture.seats[seat.index()];
            let line = lines.entry((contestant, *class)).or_insert(FaultRow {
                bot: report.ranking.label(contestant),
                class: *class,
                count: 0,
                games: 0,
                first_game: game.number,
                first_turn: fault.first_turn,
                detail: &fault.detail,
                stack: &fault.stack,
            });
            line.count += fault.count;
            line.games += 1;
        }
    }
    lines.into_values().collect()
}

/// A bot that was disqualified.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct DisqualifiedRow<'a> {
    pub(super) bot: &'a Label,
    /// The last game that it played.
    pub(super) after_game: usize,
    pub(super) class: FaultClass,
    pub(super) detail: &'a Detail,
    /// The number of games that it did not play, which count as lost.
    pub(super) unplayed: usize,
    /// The place of the recording of its last game, if it is recorded.
    #[serde(skip)]
    pub(super) recording: Option<RecordingName>,
}

/// The bots that were disqualified, in that order.
pub(super) fn disqualified<'a>(report: &'a StandingsOutput<'_>) -> Vec<DisqualifiedRow<'a>> {
    let games = &report.ranking.results.games;
    let line = |it: &'a arena_record::Disqualified| {
        let sides = games.iter().flat_map(|game| game.fixture.seats.into_iter().zip(game.disqualified));
        let last = games.iter().find(|game| game.number == it.after_game);
        let labels = last.map(|game| report.ranking.labels(game.fixture.seats));
        DisqualifiedRow {
            bot: report.ranking.label(it.contestant),
            after_game: it.after_game,
            class: it.class,
            detail: &it.detail,
            unplayed: sides.filter(|side| *side == (it.contestant, true)).count(),
            recording: report.locate.zip(labels).map(|(locate, labels)| locate(it.after_game, labels)),
        }
    };
    report.ranking.results.disqualified.iter().map(line).collect()
}
