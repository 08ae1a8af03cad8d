//! The versions of an author in a club. What a club answers is untrusted.

use super::Output;
use arena_club::{Standing, Submitted, SubmittedState};
use arena_engine::Rating;
use arena_text::{Text, counted, table};
use serde::Serialize;

impl Output for Submitted {
    fn text(&self) -> Text {
        let mut text = format!("version {}: {}", self.version, self.state.words());
        if let (SubmittedState::Plays | SubmittedState::Superseded, Some(standing)) =
            (self.state, &self.standing)
        {
            let Standing { place, games, points, faults, rating } = standing;
            let place = place.map_or(String::new(), |place| format!("place {place}, "));
            text += &format!(
                "\n{place}{rating} Elo: {points} points in {}, {}",
                counted(*games, "game"),
                counted(*faults, "fault")
            );
            if self.state == SubmittedState::Plays && !self.awaits_games {
                text += "\nit has played all games that are planned; more follow when another bot joins";
            }
        }
        if self.published {
            text += "\nits file is published when the season is over";
        }
        text += &format!("{}{}", seen(self), next(self));
        if !self.finding.is_empty() {
            text += &format!("\n\n{}", self.finding);
        }
        text.into()
    }

    fn json(&self) -> impl Serialize {
        self
    }
}

/// The games that a version has lost and its challenges, in lines.
fn seen(version: &Submitted) -> String {
    let lost = version
        .lost
        .iter()
        .map(|it| format!("\nlost game {} to {}: {}; /{}", it.number, it.opponent, it.why, it.address));
    let challenges = version.challenges.iter().map(|it| {
        let opponent = format!("{}, version {}", it.opponent, it.opponent_version);
        let (words, id) = (it.words(), it.id);
        let asked = if it.asked { "challenged" } else { "was challenged by" };
        format!("\nversion {} {asked} {opponent}: {words}; games at /me/#challenge-{id}", version.version)
    });
    lost.chain(challenges).collect()
}

/// What the author of a version does next, in a line; empty when nothing is to be done.
fn next(version: &Submitted) -> String {
    if version.next.is_empty() { String::new() } else { format!("\n  next: {}", version.next) }
}

/// An author's versions, the latest first.
pub struct Mine(pub Vec<Submitted>);

impl Output for Mine {
    fn text(&self) -> Text {
        let Self(versions) = self;
        if versions.is_empty() {
            return "no bot was submitted with this token\n  next: arena submit BOT.wasm --to URL".into();
        }
        let header = [
            "version",
            "state",
            "place",
            "elo",
            "±",
            "change",
            "points",
            "games",
            "faults",
            "submitted",
            "sha256",
        ];
        let rows = versions.iter().map(|version| {
            let standing = version.standing.as_ref();
            let [value, error] = standing.map_or_else(Rating::default, |standing| standing.rating).cells();
            let number = |number: Option<u32>| number.map_or("-".into(), |number| number.to_string());
            vec![
                version.version.to_string(),
                state(version.state).into(),
                number(standing.and_then(|standing| standing.place)),
                value,
                error,
                version.change.map_or("-".into(), |change| format!("{change:+.1}")),
                standing.map_or("-".into(), |standing| standing.points.to_string()),
                number(standing.map(|standing| standing.games)),
                number(standing.map(|standing| standing.faults)),
                version.submitted_at.to_string(),
                version.sha256.chars().take(12).collect(),
            ]
        });
        let table = table(&header, &[1, 9, 10], rows);
        let paused = versions.iter().filter(|version| version.state == SubmittedState::Paused);
        let reasons = paused.filter_map(|version| {
            let (reason, _) = version.finding.split_once("\n\n")?;
            Some(format!("\nversion {}: {reason}", version.version))
        });
        let reasons: String = reasons.collect();
        let seen: String = versions.iter().map(seen).collect();
        format!("{table}{reasons}{seen}{}", next(&versions[0])).into()
    }

    fn json(&self) -> impl Serialize {
        &self.0
    }
}

/// A state as a table has it.
pub(super) fn state(state: SubmittedState) -> &'static str {
    match state {
        SubmittedState::Waiting => "waiting",
        SubmittedState::Refused => "refused",
        SubmittedState::Faulted => "at fault",
        SubmittedState::Plays => "plays",
        SubmittedState::Superseded => "admitted",
        SubmittedState::Draft => "draft",
        SubmittedState::Paused => "paused",
        SubmittedState::Disqualified => "disqualified",
        SubmittedState::Replaced => "replaced",
        SubmittedState::Deleted => "deleted",
    }
}
