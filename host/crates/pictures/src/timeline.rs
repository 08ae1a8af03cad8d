//! A game as a line of events on which a reader can stand anywhere.

use crate::chances::Chances;
use crate::moment::{Knowledge, Moment, Viewpoint};
use crate::pictured::Pictured;
use crate::text::plain;
use arena_record::{Header, Overlay, ReplayError, Transcript};
use arena_referee::{End, Event, LogMoment};
use arena_rules::{Rules, RulesError, Seat, Size};

/// The number of events between two kept moments. Chosen: to stand anywhere takes at most this number of steps of some
/// microseconds each, and the longest game, 10,000 actions, keeps about 150 moments.
const EVENTS_PER_KEPT: usize = 64;

/// The reason why there is no timeline of a game.
#[derive(Debug, thiserror::Error)]
pub enum TimelineError {
    /// The header's rules are of another game.
    #[error("the rules in the header are of another game")]
    OtherGame,
    /// The header's rules are not playable.
    #[error("the rules in the header are not playable: {0}")]
    Rules(#[from] RulesError),
    /// An event does not follow from those before it.
    #[error(transparent)]
    Event(#[from] ReplayError),
}

/// A game, as far as it is known. Position 0 is before its first event, and position `n` after `n` events.
///
/// Each event is checked against the rules as it comes, so that every position can be shown.
#[derive(Clone, Debug)]
pub struct Timeline<G: Pictured> {
    header: Header,
    names: [String; 2],
    /// The number of the game in its tournament, if it is known.
    number: Option<u64>,
    events: Vec<Event<G>>,
    /// The moments at positions 0, [`EVENTS_PER_KEPT`], and so on.
    kept: Vec<Moment<G>>,
    /// The moment after all events.
    edge: Moment<G>,
    faults: Vec<usize>,
    /// The chance to win at each position, by the model of the chart.
    chances: Chances,
    /// The pictures that show whether a game without boards hides anything.
    shown: Shown,
    logs: [Log; 2],
}

/// The turns of a game without boards that hide nothing from a side: an action is only known to be seen by both sides while both see the
/// same picture as an observer of both.
#[derive(Clone, Debug)]
struct Shown {
    /// The number of the last turn of each seat that is certainly seen by both.
    turns: [u32; 2],
    /// True once the pictures have differed, or were not compared.
    hides: bool,
}

impl Shown {
    fn new<G: Pictured>(start: &Moment<G>) -> Self {
        Self { turns: [0; 2], hides: G::HAS_BOARDS || hides(start) }
    }

    fn push<G: Pictured>(&mut self, event: &Event<G>, after: &Moment<G>) {
        if self.hides {
            return;
        }
        if let (Some(seat), Some(turn)) = (event.seat(), event.turn()) {
            self.hides = turn > TURNS_COMPARED_MAX || hides(after);
            if !self.hides {
                self.turns[seat.index()] = turn;
            }
        }
    }
}

/// True if the pictures of both sides are not the same as an observer's, or fail.
fn hides<G: Pictured>(moment: &Moment<G>) -> bool {
    let all = G::picture(moment, Viewpoint::Truth);
    all.is_failed() || Seat::BOTH.iter().any(|&seat| G::picture(moment, Viewpoint::Of(seat)) != all)
}

/// The largest number of a side's turns after which pictures are compared. Chosen: three pictures take some 0.1 ms, and a game of this
/// length still begins at once.
const TURNS_COMPARED_MAX: u32 = 1_000;

/// The log of a bot, and its length over time.
#[derive(Clone, Debug, Default)]
struct Log {
    text: String,
    /// Positions with the length of the log in bytes when the game stood at them; both rise.
    grown: Vec<(usize, usize)>,
}

impl<G: Pictured> Timeline<G> {
    /// A game before its first event.
    ///
    /// # Errors
    /// The header's rules are of another game or not playable. Those of a file may be.
    pub fn new(header: Header) -> Result<Self, TimelineError> {
        header.conditions.rules.validate()?;
        let start = Moment::new(&header, Knowledge::Kept).ok_or(TimelineError::OtherGame)?;
        // Two bots may have one label, so a seat always goes with it.
        let names = header.labels().map(|label| plain(label).trim().to_owned());
        Ok(Self {
            names,
            number: None,
            header,
            events: Vec::new(),
            kept: vec![start.clone()],
            chances: Chances::new(&start),
            shown: Shown::new(&start),
            edge: start,
            faults: Vec::new(),
            logs: Default::default(),
        })
    }

    /// A whole recorded game.
    ///
    /// # Errors
    /// The transcript, a file from anywhere, is not what happened: the first event that does not follow, or bad rules.
    pub fn of(transcript: &Transcript<G>) -> Result<Self, TimelineError> {
        let mut timeline = Self::new(transcript.header.clone())?;
        for event in &transcript.events {
            timeline.push(event.clone())?;
        }
        Ok(timeline)
    }

    /// The same game with its number in its tournament or its journal, which then names it.
    #[must_use]
    pub fn numbered(self, number: u64) -> Self {
        Self { number: Some(number), ..self }
    }

    /// The number of the game: in its tournament if that is known, otherwise in its match.
    pub fn number(&self) -> u64 {
        self.number.unwrap_or_else(|| self.header.game.into())
    }

    /// The same game with the whole logs of its bots, by seat: see [`Timeline::set_whole_log`].
    pub fn with_logs(mut self, logs: [Option<String>; 2]) -> Self {
        for (seat, log) in Seat::BOTH.into_iter().zip(logs) {
            if let Some(log) = log {
                self.set_whole_log(seat, log);
            }
        }
        self
    }

    /// Adds the next event.
    ///
    /// # Errors
    /// The event does not follow from those before it; the timeline is then as it was.
    pub fn push(&mut self, event: Event<G>) -> Result<(), ReplayError> {
        if let Err(error) = self.edge.step(&event) {
            self.edge = self.rebuilt(self.events.len());
            return Err(error);
        }
        let is_fault = matches!(event, Event::Faulted { .. });
        self.shown.push(&event, &self.edge);
        self.events.push(event);
        self.chances.push(&self.edge);
        if is_fault {
            self.faults.push(self.events.len());
        }
        if self.events.len().is_multiple_of(EVENTS_PER_KEPT) {
            self.kept.push(self.edge.clone());
        }
        Ok(())
    }

    /// Restarts the game: the events so far do not count.
    pub fn restart(&mut self) {
        self.kept.truncate(1);
        self.edge = self.kept[0].clone();
        self.events.clear();
        self.faults.clear();
        self.chances = Chances::new(&self.edge);
        self.shown = Shown::new(&self.edge);
        self.logs = Default::default();
    }

    /// Takes the whole log of a bot so far.
    pub fn set_log(&mut self, seat: Seat, text: String) {
        let position = self.events.len();
        let log = &mut self.logs[seat.index()];
        if text.starts_with(&log.text) {
            log.grown.push((position, text.len()));
        } else {
            // It does not continue the log before, because a cut line has grown.
            self.set_whole_log(seat, text);
            return;
        }
        log.text = text;
    }

    /// Takes a bot's whole log of a game that is over. Each line belongs to the turn that it begins with, as in `turn 12: …` or
    /// `deploy: …`. A line without one belongs to that of the line before; before the first one it is shown at any position.
    pub fn set_whole_log(&mut self, seat: Seat, text: String) {
        let mut grown: Vec<(usize, usize)> = vec![(0, 0)];
        let (mut position, mut bytes) = (0, 0);
        for line in text.split_inclusive('\n') {
            let is_of = |event: &Event<G>, turn| event.seat() == Some(seat) && event.turn() == Some(turn);
            // The turns of a log rise, so the search goes on from where it was.
            let found = LogMoment::of_line(line).and_then(|moment| {
                self.events[position..].iter().position(|event| is_of(event, moment.turn()))
            });
            position += found.unwrap_or(0);
            bytes += line.len();
            match grown.last_mut().filter(|(at, _)| *at == position) {
                Some((_, end)) => *end = bytes,
                None => grown.push((position, bytes)),
            }
        }
        self.logs[seat.index()] = Log { grown, text };
    }

    /// The part of a bot's log that belongs to the last event before a position.
    pub fn log_of_event(&self, seat: Seat, position: usize) -> &str {
        let log = &self.logs[seat.index()];
        let Some(index) = log.grown.iter().position(|(at, _)| at + 1 == position) else { return "" };
        let start = index.checked_sub(1).map_or(0, |before| log.grown[before].1);
        log.text.get(start..log.grown[index].1).unwrap_or("")
    }

    /// The overlay of a bot on the other side's board, from its last turn up to a position.
    pub fn overlay(&self, seat: Seat, position: usize) -> Overlay {
        let is_turn = |event: &Event<G>| event.seat() == Some(seat) && event.turn().is_some();
        let last = self.events_until(position).iter().rposition(is_turn);
        last.map_or_else(Overlay::default, |index| {
            Overlay::of(self.log_of_event(seat, index + 1), self.size())
        })
    }

    /// All overlays in order, as JSON Lines for a program: each with its seat and turn. Turns without one are left out.
    pub fn overlays_text(&self) -> String {
        let of_event = |(index, event): (usize, &Event<G>)| {
            let (seat, turn) = (event.seat()?, event.turn()?);
            let overlay = Overlay::of(self.log_of_event(seat, index + 1), self.size());
            (!overlay.is_empty()).then(|| format!("{}\n", overlay.json(seat, turn, self.size())))
        };
        self.events.iter().enumerate().filter_map(of_event).collect()
    }

    /// The last position: the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// True if there is no event yet.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The events up to a position, in order.
    pub fn events_until(&self, position: usize) -> &[Event<G>] {
        &self.events[..position.min(self.events.len())]
    }

    /// Everything the game depends on.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The name of a seat's bot: its label, made plain.
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    /// The rules.
    pub fn rules(&self) -> &G::Rules {
        self.edge.rules()
    }

    /// The size of the board, or of each board; without cells for a game without one of a fixed size.
    pub fn size(&self) -> Size {
        self.rules().size().unwrap_or(Size::EMPTY)
    }

    /// The end of the game, if it is on it.
    pub fn end(&self) -> Option<End> {
        self.edge.replay.end()
    }

    /// True if the end of the game is on it.
    pub fn is_over(&self) -> bool {
        self.end().is_some()
    }

    /// The chance to win at each position, by a simple model.
    pub fn chances(&self) -> &Chances {
        &self.chances
    }

    /// The viewpoint that an event is described from: that of a side does not limit an event that it certainly sees.
    pub fn viewpoint_of(&self, event: &Event<G>, viewpoint: Viewpoint) -> Viewpoint {
        match (event.seat(), event.turn()) {
            (Some(seat), Some(turn)) if turn <= self.shown.turns[seat.index()] => Viewpoint::Truth,
            _ => viewpoint,
        }
    }

    /// The positions right after each fault, in order.
    pub fn faults(&self) -> &[usize] {
        &self.faults
    }

    /// The first position at which a turn of this number has been taken; the end if none has.
    pub fn position_of_turn(&self, number: u64) -> usize {
        let reached = |event: &Event<G>| event.turn().is_some_and(|turn| u64::from(turn) >= number);
        self.events.iter().position(reached).map_or(self.len(), |index| index + 1)
    }

    /// True if a bot has printed anything.
    pub fn has_logs(&self) -> bool {
        self.logs.iter().any(|log| !log.text.is_empty())
    }

    /// The log of a bot as it was when the game stood at a position.
    pub fn log_at(&self, seat: Seat, position: usize) -> &str {
        let log = &self.logs[seat.index()];
        if position >= self.events.len() {
            return &log.text;
        }
        // The log of a turn is reported before the turn's event, so it belongs to the position after that event.
        let grown = log.grown.partition_point(|&(at, _)| at == 0 || at < position);
        let bytes = grown.checked_sub(1).map_or(0, |index| log.grown[index].1);
        log.text.get(..bytes).unwrap_or(&log.text)
    }

    /// The whole game, once it is over.
    pub fn transcript(&self) -> Option<Transcript<G>> {
        self.is_over().then(|| Transcript { header: self.header.clone(), events: self.events.clone() })
    }

    /// The game at a position.
    pub fn moment(&self, position: usize) -> Moment<G> {
        if position >= self.events.len() { self.edge.clone() } else { self.rebuilt(position) }
    }

    /// The game at a position, from the kept moment before it.
    fn rebuilt(&self, position: usize) -> Moment<G> {
        let kept = position / EVENTS_PER_KEPT;
        let mut moment = self.kept[kept].clone();
        for event in &self.events[kept * EVENTS_PER_KEPT..position] {
            moment.step(event).expect("the event followed when it was pushed");
        }
        moment
    }
}
