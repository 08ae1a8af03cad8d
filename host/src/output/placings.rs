//! The places of a Swiss and the bracket of a knockout, for a reader.

use super::StandingsOutput;
use super::table::{Cut, points};
use arena_engine::internals::ranking;
use arena_league::{DecidedBy, KnockoutMatch, Placings, SwissPlacing};
use arena_text::{counted, table};

/// The largest number of matches of a bracket that are shown. Chosen: all from the round of the last 32 on.
const MATCHES_SHOWN_MAX: usize = 31;

/// The places, or the bracket with the champion before it; `None` when the format has none, or when nothing is decided
/// yet.
pub(super) fn text(report: &StandingsOutput<'_>) -> Option<String> {
    match report.ranking.placings()? {
        Placings::Swiss(places) => Some(swiss(report, &places)),
        Placings::Knockout { matches, .. } if matches.is_empty() => None,
        Placings::Knockout { matches, .. } => Some(knockout(report, &matches)),
    }
}

fn swiss(report: &StandingsOutput<'_>, places: &[SwissPlacing]) -> String {
    let cells = |it: &SwissPlacing| {
        vec![
            if ranking::is_disqualified(report.ranking.results, it.contestant) {
                "out".into()
            } else {
                it.place.to_string()
            },
            report.ranking.label(it.contestant).to_string(),
            points(it.points()),
            points(it.buchholz()),
            it.wins.to_string(),
            it.byes.to_string(),
        ]
    };
    let cut = Cut::of(places.len(), report.top);
    let header = ["place", "bot", "points", "buchholz", "won", "byes"];
    table(&header, &[1], cut.lines(places, cells, header.len()))
}

fn knockout(report: &StandingsOutput<'_>, matches: &[KnockoutMatch]) -> String {
    let left_out = matches.len().saturating_sub(MATCHES_SHOWN_MAX);
    let cells = matches[left_out..].iter().map(|it| {
        let [first, second] = report.ranking.labels(it.contestants);
        vec![
            it.round.to_string(),
            first.to_string(),
            second.to_string(),
            it.points().map(points).join(" - "),
            report.ranking.label(it.winner).to_string(),
            decided_by(it.decided_by, it.tie_break_pairs),
        ]
    });
    let bracket = table(&["round", "match", "", "points", "winner", "by"], &[1, 2, 4, 5], cells);
    let mut parts = Vec::new();
    let ranking = &report.ranking;
    if let Some(&champion) = ranking.order().first().filter(|_| ranking.results.complete) {
        // The winner of the final may have been disqualified in it.
        let winner = matches.last().map(|last| last.winner).filter(|&winner| winner != champion);
        let but = match winner {
            Some(winner) => format!("; {} won the final and was disqualified", ranking.label(winner)),
            None if ranking::is_disqualified(ranking.results, champion) => ", which was disqualified".into(),
            None => String::new(),
        };
        parts.push(format!("champion: {}{but}\n", ranking.label(champion)));
    }
    parts.push(bracket);
    if left_out > 0 {
        parts.push(format!("earlier matches that are left out: {left_out}; -o json has all"));
    }
    parts.join("\n")
}

fn decided_by(decided_by: DecidedBy, tie_break_pairs: u32) -> String {
    let reason = decided_by.text();
    if tie_break_pairs == 0 {
        reason.to_owned()
    } else {
        format!("{reason}, {}", counted(tie_break_pairs, "more pair"))
    }
}
