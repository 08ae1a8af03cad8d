//! Whether a recorded game is what its bots play: it is played again, and compared.

use crate::game::{self, Draw};
use crate::roster::contract_of;
use arena_record::{Event, Header, ReplayError, Transcript};
use arena_referee::HostError;
use arena_sandbox::{Bot, WASMTIME_VERSION};

/// What this arena is, for recordings to be compared with.
#[derive(Clone, Copy, Debug)]
pub struct Here<'a> {
    /// Its version.
    pub arena: &'a str,
    /// Its wasmtime's.
    pub wasmtime: &'a str,
    /// The engine's hash.
    pub engine: &'a str,
}

impl<'a> Here<'a> {
    /// This arena with an engine of this hash.
    pub fn with_engine(engine: &'a str) -> Self {
        Self { arena: env!("CARGO_PKG_VERSION"), wasmtime: WASMTIME_VERSION, engine }
    }
}

/// A bot to play a recording again with.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// What it is called: from its file's name.
    pub label: &'a str,
    /// The component.
    pub bot: &'a Bot,
}

/// What a recording is against the game played again. All but the first mean that it is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same, event for event.
    Same {
        /// How many there are.
        events: usize,
    },
    /// It is no whole recording: where it cannot be read, and why.
    Unreadable(String),
    /// Something of the arena was another version, so that the same bots may have played otherwise.
    OtherVersion {
        /// What: `arena`, `wasmtime` or `engine`.
        what: &'static str,
        /// As it is recorded.
        recorded: String,
        /// As it is here.
        here: String,
    },
    /// A bot of the recording is not among those given.
    OtherBot {
        /// Its label in the recording.
        label: String,
        /// Its hash in the recording.
        sha256: String,
        /// The hash of the bot given under that label, if there is one.
        given: Option<String>,
    },
    /// A side was played by a person, or by a client over a socket: nobody can make it answer again.
    NoComponent {
        /// Its label.
        label: String,
    },
    /// The recording itself says that a clock decided.
    DecidedByClock,
    /// The header says something that does not follow from its rules, its seed and its bots.
    OtherHeader {
        /// Which of its entries.
        what: &'static str,
        /// As it is recorded.
        recorded: String,
        /// What it should be.
        expected: String,
    },
    /// The events do not follow from each other by the rules, whoever played.
    Impossible(ReplayError),
    /// An event is another one when the bots play again.
    Differs {
        /// The first one that differs, from 1.
        event: usize,
        /// As it is recorded; none where the recording has ended.
        recorded: Option<Box<Event>>,
        /// As it is played; none where the game has ended.
        played: Option<Box<Event>>,
    },
}

impl Verdict {
    /// Its name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Same { .. } => "same",
            Self::Unreadable(_) => "unreadable",
            Self::OtherVersion { .. } => "other-version",
            Self::OtherBot { .. } => "other-bot",
            Self::NoComponent { .. } => "no-component",
            Self::DecidedByClock => "decided-by-clock",
            Self::OtherHeader { .. } => "other-header",
            Self::Impossible(_) => "impossible",
            Self::Differs { .. } => "differs",
        }
    }

    /// Whether the recording is verified.
    pub const fn is_same(&self) -> bool {
        matches!(self, Self::Same { .. })
    }
}

/// Plays a recorded game again and compares. The sandbox of the candidates has to have the recording's memory limit.
///
/// # Errors
/// A failure of ours: nothing is said about the recording.
pub fn verify(
    recording: &Transcript,
    here: Here<'_>,
    candidates: &[Candidate<'_>],
) -> Result<Verdict, HostError> {
    let header = &recording.header;
    let found = other_version(header, here)
        .or_else(|| played_by_no_component(header))
        .or_else(|| other_bot(header, candidates))
        .or_else(|| recording.replay().err().map(Verdict::Impossible))
        .or_else(|| other_draw(header));
    if let Some(verdict) = found {
        return Ok(verdict);
    }
    let [Some(first), Some(second)] = header.bots.each_ref().map(|bot| find(&bot.sha256, candidates)) else {
        unreachable!("both have been found")
    };
    if let Some(verdict) = other_entry(header, [first, second]) {
        return Ok(verdict);
    }
    // Only the recording says so; before it is believed, all that does not depend on a clock has been checked.
    if matches!(recording.events.last(), Some(Event::End { reproducible: false, .. })) {
        return Ok(Verdict::DecidedByClock);
    }
    let played = game::play(header, [first, second])?;
    Ok(compare(&recording.events, &played.transcript.events))
}

fn other_version(header: &Header, here: Here<'_>) -> Option<Verdict> {
    let pairs = [
        ("arena", &header.arena, here.arena),
        ("wasmtime", &header.wasmtime, here.wasmtime),
        ("engine", &header.engine, here.engine),
    ];
    pairs.into_iter().find(|(_, recorded, here)| recorded != here).map(|(what, recorded, here)| {
        Verdict::OtherVersion { what, recorded: recorded.clone(), here: here.into() }
    })
}

/// Neither a person nor a client has a component, and so a hash.
fn played_by_no_component(header: &Header) -> Option<Verdict> {
    let client = header.bots.iter().find(|bot| bot.sha256.is_empty())?;
    Some(Verdict::NoComponent { label: client.label.clone() })
}

fn find<'a>(sha256: &str, candidates: &[Candidate<'a>]) -> Option<&'a Bot> {
    candidates.iter().find(|candidate| candidate.bot.hash() == sha256).map(|candidate| candidate.bot)
}

fn other_bot(header: &Header, candidates: &[Candidate<'_>]) -> Option<Verdict> {
    let missing = header.bots.iter().find(|bot| find(&bot.sha256, candidates).is_none())?;
    let namesake = candidates.iter().find(|candidate| candidate.label == missing.label);
    Some(Verdict::OtherBot {
        label: missing.label.clone(),
        sha256: missing.sha256.clone(),
        given: namesake.map(|candidate| candidate.bot.hash().to_owned()),
    })
}

/// Whether everything that was drawn follows from the rules, the seed and the bots, so that nobody chose it.
fn other_draw(header: &Header) -> Option<Verdict> {
    let [first, second] = &header.bots;
    let hashes = [first.sha256.as_str(), second.sha256.as_str()];
    if header.game == 0 {
        let (recorded, expected) = ("0".into(), "1 or more".into());
        return Some(Verdict::OtherHeader { what: "game", recorded, expected });
    }
    let draw = Draw::of(&header.rules, header.seed, (header.game - 1) / 2, hashes);
    let hex = |number: u64| format!("{number:016x}");
    let entries = [
        ("seed of seat 1", hex(first.seed), hex(draw.sides[0])),
        ("seed of seat 2", hex(second.seed), hex(draw.sides[1])),
        ("fleet seed", hex(header.fleet_seed), hex(draw.fleets)),
        ("starter", format!("{:?}", header.starter), format!("{:?}", draw.starter)),
    ];
    differing(entries)
}

/// Whether what the header says of the bots is so.
fn other_entry(header: &Header, bots: [&Bot; 2]) -> Option<Verdict> {
    let [first, second] = bots;
    differing([
        ("contract", header.contract.clone(), contract_of(first)),
        ("name of seat 1", header.bots[0].name.clone(), first.name().to_owned()),
        ("name of seat 2", header.bots[1].name.clone(), second.name().to_owned()),
        ("game of the rules", header.rules.game().to_string(), first.game().to_string()),
        ("game of the rules", header.rules.game().to_string(), second.game().to_string()),
    ])
}

fn differing<const N: usize>(entries: [(&'static str, String, String); N]) -> Option<Verdict> {
    let (what, recorded, expected) =
        entries.into_iter().find(|(_, recorded, expected)| recorded != expected)?;
    Some(Verdict::OtherHeader { what, recorded, expected })
}

fn compare(recorded: &[Event], played: &[Event]) -> Verdict {
    let same = recorded.iter().zip(played).take_while(|(recorded, played)| recorded == played).count();
    if same == recorded.len() && same == played.len() {
        return Verdict::Same { events: same };
    }
    let at = |events: &[Event]| events.get(same).cloned().map(Box::new);
    Verdict::Differs { event: same + 1, recorded: at(recorded), played: at(played) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_rules::{Coord, Outcome, Reason, Seat, ShotResult};

    fn shot(row: u8) -> Event {
        let at = Coord { row, column: 0 };
        Event::Shot { seat: Seat::First, turn: 1, at, result: ShotResult::Miss, fuel: 1, attempts: None }
    }

    const END: Event = Event::End { outcome: Outcome::Draw, reason: Reason::BothSkipped, reproducible: true };

    #[test]
    fn the_first_event_that_differs_is_named() {
        assert_eq!(compare(&[shot(1), END], &[shot(1), END]), Verdict::Same { events: 2 });
        let Verdict::Differs { event: 1, recorded, played } = compare(&[shot(1), END], &[shot(2), END])
        else {
            panic!("they differ in the first event")
        };
        assert_eq!((recorded, played), (Some(Box::new(shot(1))), Some(Box::new(shot(2)))));
    }

    #[test]
    fn a_recording_that_ends_early_or_late_differs_there() {
        let early = Verdict::Differs { event: 2, recorded: None, played: Some(Box::new(END)) };
        assert_eq!(compare(&[shot(1)], &[shot(1), END]), early);
        let late = Verdict::Differs { event: 2, recorded: Some(Box::new(END)), played: None };
        assert_eq!(compare(&[shot(1), END], &[shot(1)]), late);
    }
}
