//! The verdicts of `arena verify` on recordings.

use super::Output;
use super::json;
use arena_engine::RefusedFile;
use arena_experiments::verification::Verdict;
use arena_store::ChainHead;
use arena_text::{Line, RecordingName, Text, counted};
use serde::Serialize;
use serde_json::{Value, json};

/// An event as a line shows it, in at most 300 characters. Chosen: it shows what a turn was; `-o json` shows all of it.
type ShownEvent = Line<300>;

/// A recording and the verdict on it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The name of the recording: a file, or a game of a journal.
    pub recording: RecordingName,
    /// The verdict.
    pub verdict: Verdict,
}

/// All verdicts of a run of `arena verify`.
#[derive(Clone, Copy, Debug)]
pub struct Verification<'a> {
    /// The verdict on each recording.
    pub verified: &'a [Verified],
    /// The bots that could not be admitted.
    pub refused: &'a [RefusedFile],
    /// The end of the journal's chain of hashes, every link of which is right; `None` without a
    /// journal.
    pub head: Option<&'a ChainHead>,
    /// The number of games of the journal's schedule that are not played.
    pub games_left: usize,
}

impl Verification<'_> {
    /// The number of recordings that are verified.
    pub fn verified_count(&self) -> usize {
        self.verified.iter().filter(|verified| verified.verdict.is_same()).count()
    }
}

impl Output for Verification<'_> {
    fn text(&self) -> Text {
        let chain = self.head.map_or(String::new(), |ChainHead { links, sha256 }| {
            format!("the chain of {links} links is intact; its head is {sha256}\n")
        });
        let left = match self.games_left {
            0 => String::new(),
            left => format!("; {} of the schedule not played", counted(left, "game")),
        };
        format!("{chain}verified {} of {}{left}", self.verified_count(), self.verified.len()).into()
    }

    fn json(&self) -> impl Serialize {
        json!({
            "verified": self.verified_count(),
            "recordings": self.verified.len(),
            "games-left": self.games_left,
            "head": json::head(self.head),
            "findings": self.verified.iter().map(finding).collect::<Value>(),
            "refused": self.refused.iter().map(json::refused).collect::<Value>(),
        })
    }
}

/// The entry of a recording in the document.
#[derive(Serialize)]
struct Finding<'a> {
    recording: &'a str,
    verdict: &'static str,
    #[serde(flatten)]
    detail: Value,
}

fn finding(Verified { recording, verdict }: &Verified) -> Value {
    let other = |what: &str, recorded: &str, expected: Option<&str>| json!({ "what": what, "recorded": recorded, "expected": expected });
    let event = |line: &Option<String>| {
        line.as_ref().map(|line| serde_json::from_str::<Value>(line).expect("an event is a line of JSON"))
    };
    let detail = match verdict {
        Verdict::Same { events } | Verdict::SeedNotTold { events } => json!({ "events": events }),
        Verdict::OtherSeed { recorded, told } => json!({ "recorded": recorded, "told": told }),
        Verdict::Unreadable(problem) | Verdict::GameFailed(problem) => json!({ "problem": problem }),
        Verdict::OtherVersion { what, recorded, here, by: _ } => other(what, recorded, Some(here)),
        Verdict::OtherBot { label, sha256, given } => other(label, sha256, given.as_deref()),
        Verdict::BotDeleted { label, sha256 } => other(label, sha256, None),
        Verdict::OtherHeader { what, recorded, expected } => other(what, recorded, Some(expected)),
        Verdict::Impossible(error) => json!({ "event": error.event, "problem": error.problem }),
        Verdict::Differs { event: number, recorded, played } => {
            json!({ "event": number, "recorded": event(recorded), "played": event(played) })
        }
        Verdict::NoComponent { .. } | Verdict::DecidedByClock => json!({}),
    };
    json!(Finding { recording, verdict: verdict.name(), detail })
}

/// The verdicts so far, and what several of them have in common.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// The verdicts, in the order of the recordings.
    pub verified: Vec<Verified>,
    reasons: Vec<Reason>,
}

/// A reason that recordings share.
#[derive(Debug)]
struct Reason {
    words: String,
    /// The number of games with it: after the first one, which is shown, or all if a deletion is the reason.
    games: usize,
    is_deletion: bool,
}

impl Verdicts {
    /// Adds a verdict, and returns the line about it unless it is left out. Of a hundred thousand games, only those that are not verified
    /// are of interest, and of those with the same reason, the first. All are with `shows_all`, and one that `is_alone` unless its
    /// component was deleted.
    pub fn add(&mut self, verified: Verified, shows_all: bool, is_alone: bool) -> Option<Text> {
        let is_deletion = matches!(verified.verdict, Verdict::BotDeleted { .. });
        let is_shown = match verified.shared_reason() {
            _ if shows_all || is_alone && !is_deletion => true,
            None => !verified.verdict.is_same(),
            Some(words) => match self.reasons.iter_mut().find(|known| known.words == words) {
                Some(known) => {
                    known.games += 1;
                    false
                }
                None => {
                    self.reasons.push(Reason { words, games: usize::from(is_deletion), is_deletion });
                    !is_deletion
                }
            },
        };
        let line = is_shown.then(|| verified.text());
        self.verified.push(verified);
        line
    }

    /// A line for each reason, about the games that were left out because of it.
    pub fn shared(&self) -> impl Iterator<Item = Text> {
        self.reasons.iter().filter(|reason| reason.games > 0).map(|Reason { words, games, is_deletion }| {
            match is_deletion {
                true => format!("{} {words}", counted(*games, "game")),
                false => format!("{}: {words}; --verbose lists them", counted(*games, "more game")),
            }
            .into()
        })
    }
}

impl Verified {
    /// The reason why the recording is not verified, if many of a journal share it: a bot is missing or deleted, or the seed is secret.
    fn shared_reason(&self) -> Option<String> {
        match &self.verdict {
            Verdict::SeedNotTold { .. } => Some(
                "the same, but their seeds cannot be checked before the tournament's seed is revealed".into(),
            ),
            Verdict::BotDeleted { .. } => Some(verdict_text(&self.verdict)),
            Verdict::OtherBot { .. } => verdict_text(&self.verdict).lines().next().map(String::from),
            _ => None,
        }
    }

    /// The text for a reader: a line, and the next step in an indented one if the recording is not verified.
    fn text(&self) -> Text {
        format!("{}: {}", self.recording, verdict_text(&self.verdict).replace('\n', "\n  ")).into()
    }
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Same { events } => format!("the same, {}", counted(*events, "event")),
        Verdict::SeedNotTold { events } => format!(
            "the same, {}, but its seeds cannot be checked: the tournament's seed has not been revealed\n\
             next: verify it again after the last game, a transcript with --seed",
            counted(*events, "event")
        ),
        Verdict::OtherSeed { recorded, told } => format!(
            "the seed {told} is not that of this game: the record has {recorded}\n\
             next: if this seed was revealed after the last game, the seed was changed after the first one"
        ),
        Verdict::Unreadable(problem) => {
            format!(
                "cannot be read: {problem}\nnext: check that the copy of the file is complete, or use the arena that wrote it"
            )
        }
        Verdict::OtherVersion { what, recorded, here, by } => format!(
            "cannot be compared: recorded with {what} {recorded}, and this is {here}\n\
             next: verify it with arena {by}, which recorded it"
        ),
        Verdict::OtherBot { label, sha256, given: None } => format!(
            "{label} is not among the bots given: no file has the hash {sha256}\n\
             next: name the file that played"
        ),
        Verdict::OtherBot { label, sha256, given: Some(given) } => format!(
            "{label} is not the file that played: recorded {sha256}, given {given}\n\
             next: name the file that played"
        ),
        Verdict::BotDeleted { label, sha256 } => {
            format!(
                "could not be played again: the component of {label}, {sha256}, was deleted by the organiser"
            )
        }
        Verdict::NoComponent { label } => format!(
            "{label} was not a component but a person or a TCP client: the game cannot be played again\n\
             next: verify games between components"
        ),
        Verdict::DecidedByClock => {
            "the recording says that a clock decided the game, so it is not reproducible\n\
             next: play the match again on a machine that is less busy"
                .into()
        }
        Verdict::OtherHeader { what, recorded, expected } => {
            format!("altered or forged: its {what} is {recorded}; its rules, seed and bots give {expected}")
        }
        Verdict::Impossible(error) => format!(
            "altered: event {}, on line {}, is not possible by the rules: {}",
            error.event,
            error.event + 1,
            error.problem
        ),
        Verdict::GameFailed(why) => format!(
            "the code of its game fails when it is played again: {why}\n\
             next: no bot is charged with it; `arena check GAME.wasm` looks for the reason"
        ),
        Verdict::Differs { event, recorded, played } => format!(
            "differs in event {event}, on line {}\nrecorded: {}\nplayed: {}",
            event + 1,
            event_words(recorded.as_deref()),
            event_words(played.as_deref())
        ),
    }
}

fn event_words(line: Option<&str>) -> ShownEvent {
    line.map_or("nothing, the game is over".into(), ShownEvent::from)
}
