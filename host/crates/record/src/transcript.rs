//! The file format: a header line, then a line for each event.

use arena_referee::Event;
use arena_rules::{GameRules, Outcome, Reason, Seat};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};

/// The version of the format. A reader takes its own version only.
pub const FORMAT: u32 = 1;

/// The longest line a reader takes. Chosen: the longest honest line, a header, is a few kilobytes.
pub const LINE_BYTES_MAX: u64 = 1 << 20;

/// Everything a game depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Header {
    /// The version of this format: [`FORMAT`].
    pub arena_transcript: u32,
    /// The version of the arena.
    pub arena: String,
    /// The version of wasmtime. Fuel can differ between versions.
    pub wasmtime: String,
    /// A hash of the engine's settings and of the target it compiles for.
    pub engine: String,
    /// The game and the version of its contract: `arena:battleship@0.1.0`.
    pub contract: String,
    /// The game and its rules.
    pub rules: GameRules,
    /// What a turn may use.
    pub limits: Limits,
    /// The seed of the tournament.
    pub seed: u64,
    /// The number of the game in the match of these two, from 1.
    pub game: u32,
    /// The contestants, by seat.
    pub bots: [Contestant; 2],
    /// The seed for fleets that the engine places, in hexadecimal.
    #[serde(with = "hex_u64")]
    pub fleet_seed: u64,
    /// Who shoots first.
    pub starter: Seat,
}

/// What a turn may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    /// Fuel of a turn with all its retries, and of a deployment.
    pub fuel_per_turn: u64,
    /// Memory of an instance, in bytes.
    pub memory_bytes: u64,
}

/// A bot at its seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Contestant {
    /// What the tables call it: from its file's name.
    pub label: String,
    /// What it calls itself.
    pub name: String,
    /// The SHA-256 of its component: its identity. It is empty for who is no component: a person, or a client.
    pub sha256: String,
    /// The seed it was given for this game, in hexadecimal, because not every JSON reader keeps 64 bits.
    #[serde(with = "hex_u64")]
    pub seed: u64,
}

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// What it depended on.
    pub header: Header,
    /// What happened, the end last.
    pub events: Vec<Event>,
}

/// Why a transcript cannot be read, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: ReadErrorKind,
}

/// What is wrong with a line of a transcript.
#[derive(Debug, thiserror::Error)]
pub enum ReadErrorKind {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The line is longer than [`LINE_BYTES_MAX`].
    #[error("is longer than {LINE_BYTES_MAX} bytes: this is no transcript")]
    TooLong,
    /// It is not what this line should hold.
    #[error("is not what a transcript holds here: {0}")]
    Syntax(#[from] serde_json::Error),
    /// The format is of another version.
    #[error("the transcript has format {0}; this arena reads format {FORMAT}")]
    Version(u32),
    /// The file ends before the game does.
    #[error("the file ends before the game does")]
    Truncated,
    /// There is more after the end of the game.
    #[error("there is more after the end of the game")]
    AfterEnd,
}

/// Just enough of a header to know whether the rest can be read.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Version {
    arena_transcript: u32,
}

impl Transcript {
    /// How the game ended; none for a transcript that was put together without an end.
    pub fn end(&self) -> Option<(Outcome, Reason)> {
        match self.events.last() {
            Some(Event::End { outcome, reason, .. }) => Some((*outcome, *reason)),
            _ => None,
        }
    }

    /// Writes it as JSON Lines.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, &self.header)?;
        out.write_all(b"\n")?;
        for event in &self.events {
            serde_json::to_writer(&mut out, event)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    }

    /// Reads one back. It takes any bytes and at most the memory of the events it holds.
    ///
    /// # Errors
    /// The first line that is wrong, and why.
    pub fn read(mut input: impl BufRead) -> Result<Self, ReadError> {
        let mut line = 0;
        let mut next = || -> Result<Option<Vec<u8>>, ReadError> {
            line += 1;
            let mut bytes = Vec::new();
            let at = |kind| ReadError { line, kind };
            input
                .by_ref()
                .take(LINE_BYTES_MAX + 1)
                .read_until(b'\n', &mut bytes)
                .map_err(|error| at(error.into()))?;
            if bytes.len() as u64 > LINE_BYTES_MAX {
                return Err(at(ReadErrorKind::TooLong));
            }
            Ok((!bytes.is_empty()).then_some(bytes))
        };
        let first = next()?.ok_or(ReadError { line: 1, kind: ReadErrorKind::Truncated })?;
        let at = |line: usize| move |error: serde_json::Error| ReadError { line, kind: error.into() };
        let version: Version = serde_json::from_slice(&first).map_err(at(1))?;
        if version.arena_transcript != FORMAT {
            return Err(ReadError { line: 1, kind: ReadErrorKind::Version(version.arena_transcript) });
        }
        let header = serde_json::from_slice(&first).map_err(at(1))?;
        let mut events = Vec::new();
        let mut is_whole = true;
        while let Some(bytes) = next()? {
            is_whole = bytes.ends_with(b"\n");
            let number = events.len() + 2;
            if let Some(Event::End { .. }) = events.last() {
                return Err(ReadError { line: number, kind: ReadErrorKind::AfterEnd });
            }
            events.push(serde_json::from_slice(&bytes).map_err(at(number))?);
        }
        match events.last() {
            // Without its line end, the last line may have been cut off.
            Some(Event::End { .. }) if is_whole => Ok(Self { header, events }),
            _ => Err(ReadError { line: events.len() + 2, kind: ReadErrorKind::Truncated }),
        }
    }
}

/// Numbers of 64 bits as text: many JSON readers keep 53 bits of a number.
mod hex_u64 {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16)
            .map_err(|_| D::Error::custom(format_args!("{text:?} is no hexadecimal number")))
    }
}
