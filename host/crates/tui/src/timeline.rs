//! A game as a line of events on which a screen can stand anywhere.

use crate::moment::{Misfit, Moment};
use crate::text::plain;
use arena_record::{Header, Transcript};
use arena_referee::Event;
use arena_rules::{GameRules, RulesetError, Seat, Size};

/// Events from one kept moment to the next. Chosen: to stand anywhere takes at most so many steps of some microseconds,
/// and the longest game, 10,000 actions, keeps some hundred and fifty moments.
const EVENTS_PER_KEPT: usize = 64;

/// Why there is no timeline of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimelineError {
    /// The header's rules are no game.
    #[error("the rules in it are no game: {0}")]
    Rules(#[from] RulesetError),
    /// An event that does not follow from those before it.
    #[error("event {event}: {misfit}")]
    Misfit {
        /// The event, from 1.
        event: usize,
        /// What is wrong with it.
        misfit: Misfit,
    },
}

/// A game, as far as it is known. Position 0 is before its first event, and position `n` after `n` events.
///
/// Each event is checked against the rules as it comes, so that every position can be shown.
#[derive(Clone, Debug)]
pub struct Timeline {
    header: Header,
    names: [String; 2],
    events: Vec<Event>,
    /// The moments at positions 0, [`EVENTS_PER_KEPT`], and so on.
    kept: Vec<Moment>,
    /// The moment after all events.
    edge: Moment,
    faults: Vec<usize>,
    logs: [Log; 2],
}

/// What a bot printed, and how much of it by when.
#[derive(Clone, Debug, Default)]
struct Log {
    text: String,
    /// Positions, with the bytes of the log that were there when the game stood at them; both rise.
    grown: Vec<(usize, usize)>,
}

impl Timeline {
    /// A game before its first event.
    ///
    /// # Errors
    /// When the header's rules are no game, which those of a file may be.
    pub fn new(header: Header) -> Result<Self, TimelineError> {
        if let GameRules::Battleship(rules) = &header.rules {
            rules.validate()?;
        }
        let start = Moment::new(&header.rules, header.starter);
        // Two bots may have one label, so a seat always goes with it.
        let names = header.bots.each_ref().map(|bot| plain(&bot.label).trim().to_owned());
        Ok(Self {
            names,
            header,
            events: Vec::new(),
            kept: vec![start.clone()],
            edge: start,
            faults: Vec::new(),
            logs: Default::default(),
        })
    }

    /// A recorded game, all of it.
    ///
    /// # Errors
    /// When it cannot be what happened: a transcript is a file from anywhere.
    pub fn of(transcript: &Transcript) -> Result<Self, TimelineError> {
        let mut timeline = Self::new(transcript.header.clone())?;
        for event in &transcript.events {
            timeline.push(event.clone())?;
        }
        Ok(timeline)
    }

    /// Adds what happened next.
    ///
    /// # Errors
    /// When it does not follow from what happened before; the timeline is then as it was.
    pub fn push(&mut self, event: Event) -> Result<(), TimelineError> {
        if let Err(misfit) = self.edge.step(&event) {
            self.edge = self.rebuilt(self.events.len());
            return Err(TimelineError::Misfit { event: self.events.len() + 1, misfit });
        }
        self.events.push(event);
        if let Some(Event::Fault { .. }) = self.events.last() {
            self.faults.push(self.events.len());
        }
        if self.events.len().is_multiple_of(EVENTS_PER_KEPT) {
            self.kept.push(self.edge.clone());
        }
        Ok(())
    }

    /// The game begins again: what happened so far does not count.
    pub fn begin_again(&mut self) {
        self.kept.truncate(1);
        self.edge = self.kept[0].clone();
        self.events.clear();
        self.faults.clear();
        self.logs = Default::default();
    }

    /// Takes all that a bot has printed so far.
    pub fn set_log(&mut self, seat: Seat, text: String) {
        let position = self.events.len();
        let log = &mut self.logs[seat.index()];
        if text.starts_with(&log.text) {
            log.grown.push((position, text.len()));
        } else {
            // Another log than before: it is not known what was printed when.
            log.grown = vec![(0, text.len())];
        }
        log.text = text;
    }

    /// Takes a bot's whole log of a game that is over. What was printed when is not known: it is shown at any position.
    pub fn set_whole_log(&mut self, seat: Seat, text: String) {
        self.logs[seat.index()] = Log { grown: vec![(0, text.len())], text };
    }

    /// The last position: the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing has happened yet.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// What happened up to a position, in order.
    pub fn events_until(&self, position: usize) -> &[Event] {
        &self.events[..position.min(self.events.len())]
    }

    /// Everything the game depends on.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What a seat's bot is called: its label, plain.
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.header.rules.size()
    }

    /// Whether the end of the game is on it.
    pub fn is_over(&self) -> bool {
        self.edge.end().is_some()
    }

    /// The positions after which a fault has just happened, in order.
    pub fn faults(&self) -> &[usize] {
        &self.faults
    }

    /// The first position at which a turn of this number has been taken, or the end where none has.
    pub fn position_of_turn(&self, number: u32) -> usize {
        let reached = |event: &Event| turn_of(event).is_some_and(|turn| turn >= number);
        self.events.iter().position(reached).map_or(self.len(), |index| index + 1)
    }

    /// Whether a bot has printed anything.
    pub fn has_logs(&self) -> bool {
        self.logs.iter().any(|log| !log.text.is_empty())
    }

    /// What a bot had printed when the game stood at a position.
    pub fn log_at(&self, seat: Seat, position: usize) -> &str {
        let log = &self.logs[seat.index()];
        if position >= self.events.len() {
            return &log.text;
        }
        // What a bot prints in a turn is told before what came of the turn, so it belongs to the position after it.
        let grown = log.grown.partition_point(|&(at, _)| at == 0 || at < position);
        let bytes = grown.checked_sub(1).map_or(0, |index| log.grown[index].1);
        log.text.get(..bytes).unwrap_or(&log.text)
    }

    /// The whole game, once it is over.
    pub fn transcript(&self) -> Option<Transcript> {
        self.is_over().then(|| Transcript { header: self.header.clone(), events: self.events.clone() })
    }

    /// The game at a position.
    pub(crate) fn moment(&self, position: usize) -> Moment {
        let position = position.min(self.events.len());
        if position == self.events.len() { self.edge.clone() } else { self.rebuilt(position) }
    }

    /// The game at a position, from the kept moment before it.
    fn rebuilt(&self, position: usize) -> Moment {
        let kept = position / EVENTS_PER_KEPT;
        let mut moment = self.kept[kept].clone();
        for event in &self.events[kept * EVENTS_PER_KEPT..position] {
            moment.step(event).expect("the event followed when it was pushed");
        }
        moment
    }
}

/// The number of the turn that an event is; 0 for a deployment, none for the end.
pub(crate) fn turn_of(event: &Event) -> Option<u32> {
    match event {
        Event::Deployed { .. } | Event::Positioned { .. } => Some(0),
        Event::Shot { turn, .. }
        | Event::Skipped { turn, .. }
        | Event::Wasted { turn, .. }
        | Event::Acted { turn, .. }
        | Event::Fault { turn, .. } => Some(*turn),
        Event::End { .. } => None,
    }
}
