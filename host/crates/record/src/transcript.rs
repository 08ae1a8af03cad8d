//! The file format: a header line, then a line for each event.

use crate::{BotId, Conditions, Label, Name, PackedEvents, Replay, ReplayError};
use arena_referee::{End, Event};
use arena_rules::{Game, Listed, Rules, Seat};
use arena_text::{Line, NotText};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, BufRead, Read, Write};

/// The version of the transcripts' format.
pub const FORMAT: FormatVersion = FormatVersion { major: 1, minor: 0 };

/// The longest line a reader takes, in bytes. Chosen: a turn of a game that is a component has up to four texts of 256 KiB (an action, its
/// effect, the first action that was refused, and the reason), which JSON may double.
pub const LINE_BYTES_MAX: u64 = 4 << 20;

/// The version of a file format. A reader takes the version that this arena writes, and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FormatVersion {
    /// The major version.
    pub major: u32,
    /// The minor version.
    pub minor: u32,
}

impl FormatVersion {
    /// Checks that a file of this version can be read by a reader of `known`.
    ///
    /// # Errors
    /// It is another version.
    pub fn check(self, known: Self) -> Result<(), FormatError> {
        if self == known { Ok(()) } else { Err(FormatError { found: self, known }) }
    }
}

impl fmt::Display for FormatVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl TryFrom<String> for FormatVersion {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let version = text
            .split_once('.')
            .and_then(|(major, minor)| Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? }));
        version.ok_or("a version is two numbers with a dot between them")
    }
}

impl From<FormatVersion> for String {
    fn from(version: FormatVersion) -> Self {
        version.to_string()
    }
}

/// A file of a format version that this arena does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format is {found}, and this arena reads {known} only")]
pub struct FormatError {
    /// The version of the file.
    pub found: FormatVersion,
    /// The version that this arena writes.
    pub known: FormatVersion,
}

/// Everything a game depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Header {
    /// The version of this format: [`FORMAT`].
    pub arena_transcript: FormatVersion,
    /// The conditions, which all games of a tournament share.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The game and the version of its contract: `arena:battleship@0.1.0`.
    pub contract: Name,
    /// The number of the game in the match of these two, from 1.
    pub game: u32,
    /// The bots, by seat.
    pub bots: [Seated; 2],
    /// The seed for what the engine places, in hexadecimal: the fleets, where rules want that.
    #[serde(with = "hex_u64")]
    pub fleet_seed: u64,
    /// The seat that begins. It moves first, unless the code of a loaded game decides otherwise.
    pub starter: Seat,
}

/// A bot in its seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Seated {
    /// The bot.
    #[serde(flatten)]
    pub bot: BotId,
    /// The random seed of the bot in this game, in hexadecimal, because not every JSON reader keeps 64 bits.
    #[serde(with = "hex_u64")]
    pub seed: u64,
}

impl Header {
    /// The labels of the bots, by seat.
    pub fn labels(&self) -> [&Label; 2] {
        self.bots.each_ref().map(|seated| &seated.bot.label)
    }
}

/// A transcript of which only the header has been read: its game is not known before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Everything the game depended on.
    pub header: Header,
    /// The other lines as they are.
    lines: Vec<u8>,
}

/// A game as a journal keeps it, which takes a fifth of the time to read that its file takes.
#[derive(Clone, Debug)]
pub struct KeptGame {
    /// Everything the game depended on.
    pub header: Header,
    /// The events.
    pub events: PackedEvents,
}

impl KeptGame {
    /// The transcript of a game of this kind: the same that its file is read as. The bytes of its events may be of another form than the arena
    /// writes. Only those who rely on one form of a game need to refuse that, as `arena verify` does.
    ///
    /// # Errors
    /// Bytes that do not begin with the events of such a game, or rules by which no such game can be played.
    pub fn transcript<G: Listed>(self) -> Result<Transcript<G>, Problem> {
        self.events.transcript_of_any_form(self.header).map_err(|error| error.to_string().into())
    }
}

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript<G: Game> {
    /// Everything it depended on.
    pub header: Header,
    /// The events, the end last.
    pub events: Vec<Event<G>>,
}

/// The reason why a transcript cannot be read, and its place.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    #[source]
    pub kind: ReadErrorKind,
}

/// A problem as a library reports it, which may quote the file, in at most 300 characters. Chosen: four lines of a terminal.
pub type Problem = Line<300>;

/// The problem with a line of a transcript.
#[derive(Debug, thiserror::Error)]
pub enum ReadErrorKind {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The line is longer than [`LINE_BYTES_MAX`].
    #[error("the line is longer than {LINE_BYTES_MAX} bytes, so the file is not a transcript")]
    TooLong,
    /// The line ends too early.
    #[error("the line is cut off")]
    CutOff,
    /// The file is text in another encoding.
    #[error("the file {0}")]
    NotText(#[from] NotText),
    /// The line is not JSON.
    #[error("the line is not JSON, so the file is not a transcript: {0}")]
    NotJson(Problem),
    /// The line is not a header, or not an event.
    #[error("the line is not what a transcript has here: {0}")]
    Syntax(Problem),
    /// The format is of another version.
    #[error(transparent)]
    Version(#[from] FormatError),
    /// The file ends before the game does.
    #[error("the recording is incomplete: it has no end event")]
    Incomplete,
    /// More lines follow the end of the game.
    #[error("lines follow the end of the game")]
    AfterEnd,
}

impl From<serde_json::Error> for ReadErrorKind {
    fn from(error: serde_json::Error) -> Self {
        // A line is parsed by itself, so the number of its line says nothing.
        let text = error.to_string();
        let text = text.replace(" at line 1 column ", ", column ");
        if error.is_eof() {
            Self::CutOff
        } else if error.is_syntax() {
            Self::NotJson(text.into())
        } else {
            Self::Syntax(text.into())
        }
    }
}

/// The part of a header that decides if the rest can be read.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Version {
    arena_transcript: FormatVersion,
}

impl Recording {
    /// Reads a transcript's header, and the other lines as they are. It takes any bytes and at most the memory of the file.
    ///
    /// # Errors
    /// The first line that is wrong, and the reason.
    pub fn read(mut input: impl BufRead) -> Result<Self, ReadError> {
        let mut next = |line: usize, bytes: &mut Vec<u8>| -> Result<bool, ReadError> {
            let at = |kind| ReadError { line, kind };
            let read = input.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', bytes);
            let count = read.map_err(|error| at(error.into()))?;
            if count as u64 > LINE_BYTES_MAX { Err(at(ReadErrorKind::TooLong)) } else { Ok(count > 0) }
        };
        let mut first = Vec::new();
        if !next(1, &mut first)? {
            return Err(ReadError { line: 1, kind: ReadErrorKind::Incomplete });
        }
        let at_first = |kind| ReadError { line: 1, kind };
        let first = arena_text::unmarked(&first).map_err(|error| at_first(error.into()))?;
        let version: Version = serde_json::from_slice(first).map_err(|error| at_first(error.into()))?;
        version.arena_transcript.check(FORMAT).map_err(|error| at_first(error.into()))?;
        let header = serde_json::from_slice(first).map_err(|error| at_first(error.into()))?;
        let (mut lines, mut line) = (Vec::new(), 2);
        while next(line, &mut lines)? {
            line += 1;
        }
        Ok(Self { header, lines })
    }

    /// The recording as a file: JSON Lines, the header first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.header).expect("a header is plain data");
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.lines);
        bytes
    }

    /// The transcript of a game of this kind.
    ///
    /// # Errors
    /// The first line that is wrong, and the reason.
    pub fn transcript<G: Game>(&self) -> Result<Transcript<G>, ReadError> {
        let Self { header, lines } = self;
        let mut events = Vec::new();
        for (line, bytes) in (2..).zip(lines.split_inclusive(|&byte| byte == b'\n')) {
            let at = |kind| ReadError { line, kind };
            if let Some(Event::Ended { .. }) = events.last() {
                return Err(at(ReadErrorKind::AfterEnd));
            }
            events.push(serde_json::from_slice(bytes).map_err(|error| at(error.into()))?);
        }
        match events.last() {
            // Without its line end, the last line may have been cut off.
            Some(Event::Ended { .. }) if lines.ends_with(b"\n") => {
                Ok(Transcript { header: header.clone(), events })
            }
            _ => Err(ReadError { line: events.len() + 2, kind: ReadErrorKind::Incomplete }),
        }
    }
}

impl<G: Game> Transcript<G> {
    /// Reads a transcript of a game of this kind: see [`Recording::read`].
    ///
    /// # Errors
    /// The first line that is wrong, and the reason.
    pub fn read(input: impl BufRead) -> Result<Self, ReadError> {
        Recording::read(input)?.transcript()
    }

    /// The end of the game; `None` for a transcript that was assembled without one.
    pub fn end(&self) -> Option<End> {
        match self.events.last() {
            Some(Event::Ended { outcome, reason, .. }) => Some((*outcome, *reason)),
            _ => None,
        }
    }

    /// Writes it as JSON Lines.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, &self.header)?;
        out.write_all(b"\n")?;
        for event in &self.events {
            serde_json::to_writer(&mut out, event)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    }

    /// The file as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Growing would copy it several times. Measured: a header has some 900 bytes, a shot 90.
        let mut bytes = Vec::with_capacity(1_024 + 96 * self.events.len());
        self.write(&mut bytes).expect("memory takes any bytes");
        bytes
    }

    /// Judges all events by the rules alone: see [`Replay`].
    ///
    /// # Errors
    /// The first event that does not follow from those before it.
    pub fn replay(&self) -> Result<Replay<G>, ReplayError>
    where
        G: Listed,
    {
        let rules = G::rules(&self.header.conditions.rules)
            .ok_or_else(|| impossible("the header has rules of another game".into()))?;
        self.replay_by(rules)
    }

    /// Judges all events by these rules, which need not be of a game that the program lists.
    ///
    /// # Errors
    /// As of [`Transcript::replay`].
    pub fn replay_by(&self, rules: &G::Rules) -> Result<Replay<G>, ReplayError> {
        rules.validate().map_err(|error| impossible(error.to_string()))?;
        let mut replay = Replay::new(rules, self.header.starter, self.header.fleet_seed);
        self.events.iter().try_for_each(|event| replay.step(event))?;
        Ok(replay)
    }
}

/// The problem of a recording that has none of the possible beginnings.
fn impossible(problem: String) -> ReplayError {
    ReplayError { event: 1, problem: problem.into(), failure: None }
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
            .map_err(|_| D::Error::custom(format_args!("{text:?} is not a hexadecimal number")))
    }
}
