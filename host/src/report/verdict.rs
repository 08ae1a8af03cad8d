//! What `arena verify` says of a recording.

use super::json;
use crate::roster::Refused;
use crate::verification::Verdict;
use arena_record::Event;
use arena_sandbox::sanitize;
use serde::Serialize;

/// The longest event that a line shows, in characters. Chosen: it shows what a turn was; `-o json` shows all of it.
const EVENT_CHARS_MAX: usize = 300;

/// A recording and the verdict on it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Which recording: a file, or a game of a journal. Safe to print.
    pub recording: String,
    /// What it is against the game played again.
    pub verdict: Verdict,
}

/// Everything that `arena verify` found.
#[derive(Clone, Copy, Debug)]
pub struct Verification<'a> {
    /// The verdict on each recording.
    pub verified: &'a [Verified],
    /// Bots that could not be admitted.
    pub refused: &'a [Refused],
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document<'a> {
    verified: usize,
    recordings: usize,
    findings: Vec<Finding<'a>>,
    refused: Vec<json::Refused<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Finding<'a> {
    recording: &'a str,
    verdict: &'static str,
    #[serde(flatten)]
    detail: Detail<'a>,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "kebab-case")]
enum Detail<'a> {
    Same { events: usize },
    Other { what: &'a str, recorded: &'a str, expected: Option<&'a str> },
    Unreadable { problem: &'a str },
    Impossible { event: usize, problem: &'a str },
    Differs { event: usize, recorded: Option<&'a Event>, played: Option<&'a Event> },
    Plain {},
}

impl Verification<'_> {
    /// How many recordings are verified.
    pub fn verified_count(&self) -> usize {
        self.verified.iter().filter(|verified| verified.verdict.is_same()).count()
    }

    /// The last line for a reader.
    pub fn summary(&self) -> String {
        format!("verified {} of {}", self.verified_count(), self.verified.len())
    }

    /// For a program.
    pub fn json(&self) -> String {
        json::pretty(&Document {
            verified: self.verified_count(),
            recordings: self.verified.len(),
            findings: self.verified.iter().map(finding).collect(),
            refused: self.refused.iter().map(json::refused).collect(),
        })
    }
}

fn finding(verified: &Verified) -> Finding<'_> {
    let detail = match &verified.verdict {
        Verdict::Same { events } => Detail::Same { events: *events },
        Verdict::Unreadable(problem) => Detail::Unreadable { problem },
        Verdict::OtherVersion { what, recorded, here } => {
            Detail::Other { what, recorded, expected: Some(here) }
        }
        Verdict::OtherBot { label, sha256, given } => {
            Detail::Other { what: label, recorded: sha256, expected: given.as_deref() }
        }
        Verdict::OtherHeader { what, recorded, expected } => {
            Detail::Other { what, recorded, expected: Some(expected) }
        }
        Verdict::Impossible(error) => Detail::Impossible { event: error.event, problem: &error.problem },
        Verdict::Differs { event, recorded, played } => {
            Detail::Differs { event: *event, recorded: recorded.as_deref(), played: played.as_deref() }
        }
        Verdict::NoComponent { .. } | Verdict::DecidedByClock => Detail::Plain {},
    };
    Finding { recording: &verified.recording, verdict: verified.verdict.name(), detail }
}

impl Verified {
    /// For a reader: a line, and where it is not verified what to make of it. Recordings come from anywhere, so that
    /// their texts are made plain.
    pub fn text(&self) -> String {
        let text = self.words();
        let plain = text.lines().map(|line| sanitize::line(line, 2 * EVENT_CHARS_MAX));
        plain.collect::<Vec<_>>().join("\n")
    }

    fn words(&self) -> String {
        let recording = &self.recording;
        match &self.verdict {
            Verdict::Same { events } => format!("{recording}: the same, {events} events"),
            Verdict::Unreadable(problem) => {
                format!(
                    "{recording}: is no whole recording: {problem}\n  next: check that the file was copied whole"
                )
            }
            Verdict::OtherVersion { what, recorded, here } => format!(
                "{recording}: cannot be compared: recorded with {what} {recorded}, and this is {here}\n  \
                 next: verify it with the arena that recorded it"
            ),
            Verdict::OtherBot { label, sha256, given: None } => format!(
                "{recording}: {label} is not among the bots given: no file has the hash {sha256}\n  \
                 next: name the file that played"
            ),
            Verdict::OtherBot { label, sha256, given: Some(given) } => format!(
                "{recording}: {label} is another file than the one that played: recorded {sha256}, given {given}\n  \
                 next: name the file that played"
            ),
            Verdict::NoComponent { label } => format!(
                "{recording}: {label} was no component, but a person or a client over TCP: nobody can make it answer \
                 again\n  \
                 next: verify games between components"
            ),
            Verdict::DecidedByClock => format!(
                "{recording}: a clock decided, by its own account: it is not reproducible\n  \
                 next: play the match again on a machine that is less busy"
            ),
            Verdict::OtherHeader { what, recorded, expected } => format!(
                "{recording}: altered, or made up: its {what} is {recorded}, and by its rules, seed and bots it is \
                 {expected}"
            ),
            Verdict::Impossible(error) => format!(
                "{recording}: altered: event {}, on line {}, does not follow by the rules: {}",
                error.event,
                error.event + 1,
                error.problem
            ),
            Verdict::Differs { event, recorded, played } => format!(
                "{recording}: differs in event {event}, on line {}\n  recorded: {}\n  played:   {}",
                event + 1,
                event_words(recorded.as_deref()),
                event_words(played.as_deref())
            ),
        }
    }
}

fn event_words(event: Option<&Event>) -> String {
    let Some(event) = event else { return "nothing, the game is over".into() };
    let text = serde_json::to_string(event).expect("an event is plain data");
    sanitize::line(&text, EVENT_CHARS_MAX)
}
