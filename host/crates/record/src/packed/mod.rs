//! The events of a game in few bytes: the players' answers. Everything else follows from them by the rules.
//!
//! A game of two hundred turns has 18 KB as a transcript, and some 450 bytes packed. Packing needs only the events; unpacking plays
//! the game again, which needs the rules and no bot. There is one form for each game: bytes that [`PackedEvents::of`] would not
//! make from their events are refused.

mod actions;
mod bits;
mod fuel;

use crate::{Header, Transcript};
use actions::{Digits, action_of, bytes_of};
use arena_referee::{ATTEMPTS_PER_TURN_MAX, Attempts, Detail, Event, Fault, FaultClass, Frame, Verdict};
use arena_rules::{Failure, Game, Listed, Rules, Ruling, Seat, judge_deployments, scores, with_game};
use bits::{Reader, Writer};

/// The order of the number of turns until the next one that is not plain. Chosen: nearly all games have no such turn.
const GAP_ORDER: u32 = 3;

/// The bits of the number of an event's kind.
const KIND_BITS: u32 = 2;

/// The most turns for which room is made before they are read, because their number may be wrong. Chosen: five usual games.
const EVENTS_ROOM: usize = 1_000;

/// The events of a game, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedEvents(Vec<u8>);

/// The reason why bytes are not the packed events of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// They end too early.
    #[error("they are cut off")]
    CutOff,
    /// A number is larger than its range.
    #[error("a number is out of range")]
    NoNumber,
    /// An answer or a fault is longer than any.
    #[error("an answer is longer than any")]
    TooLong,
    /// Some bytes are not a deployment.
    #[error("a deployment makes no sense")]
    NoDeployment,
    /// Some bytes are not an action.
    #[error("an action makes no sense")]
    NoAction,
    /// Some bytes are not a fault.
    #[error("a fault makes no sense")]
    NoFault,
    /// The game's own code has failed, so nothing is known about the answers.
    #[error("the game itself failed")]
    GameFailed,
    /// The arena failed, or its machine, so nothing is known about the answers either.
    #[error("the game cannot be played again here")]
    NotPlayed,
    /// The rules do not allow an answer.
    #[error("by the rules, an answer is not possible")]
    Impossible,
    /// The game has another number of turns by the rules.
    #[error("by the rules, the game has another number of turns")]
    OtherLength,
    /// The same events have another packed form.
    #[error("they are not in the form that the arena writes")]
    OtherForm,
}

/// A turn that is not plain: not just an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An action after attempts that were not valid.
    Acted,
    /// A fault by which the side lost.
    Lost,
    /// A fault by which the turn was skipped.
    Skipped,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Acted, Self::Lost, Self::Skipped];
}

/// The placing of a side, as a number.
const DRAWN: u64 = 0;
const PLACED: u64 = 1;
const NOT_PLACED: u64 = 2;

impl PackedEvents {
    /// The packed form of the events of a game that was refereed. It does not exist if the events do not follow each other as
    /// in a game between components: a client that goes away may fault in the other side's turn.
    pub fn of<G: Game>(events: &[Event<G>]) -> Option<Self> {
        let [events @ .., Event::Ended { .. }] = events else { return None };
        // A game without a deployment begins with a turn.
        let (deployments, turns) = match events {
            [first, ..] if first.turn() == Some(0) => events.split_at_checked(2)?,
            _ => events.split_at(0),
        };
        let count = u32::try_from(turns.len()).ok()?;
        let mut bits = Writer::after(postcard::to_allocvec(&count).expect("a number is plain data"));
        let mut faults = Faults::default();
        for (event, expected) in deployments.iter().zip(Seat::BOTH) {
            put_deployment(&mut bits, event, expected, &mut faults)?;
        }
        let mut fuel = [Vec::with_capacity(turns.len()), Vec::with_capacity(turns.len())];
        let mut digits = Vec::with_capacity(turns.len());
        for event in turns {
            match event {
                Event::Acted { seat, action, fuel: used, .. } => {
                    fuel[seat.index()].push(*used);
                    digits.push((*seat, Digits::of::<G>(action)));
                }
                Event::Faulted { turn: 1.., fault, attempts, .. } => {
                    // Only the side to move can fault otherwise.
                    if fault.class == FaultClass::Disconnected && attempts.is_none() {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let numbers: Option<Vec<_>> = digits.iter().map(|&(seat, digits)| Some((seat, digits?))).collect();
        let (actions, written) = actions::Coding::of(numbers.as_deref());
        let fuel = fuel.each_ref().map(|fuel| fuel::Coding::of(fuel));
        actions.write(&mut bits);
        fuel.iter().for_each(|coding| coding.write(&mut bits));
        let mut fuel = fuel.map(fuel::Coding::column);
        put_gap(&mut bits, turns);
        let mut written = written.into_iter();
        for (place, event) in turns.iter().enumerate() {
            if let Some(kind) = kind(event) {
                bits.put(KIND_BITS, kind as u64);
            }
            match event {
                Event::Acted { seat, action, fuel: used, attempts, .. } => {
                    attempts.iter().for_each(|attempts| put_attempts(&mut bits, attempts));
                    actions.put::<G>(&mut bits, *seat, action, &written.next().unwrap_or_default());
                    fuel[seat.index()].write(&mut bits, *used);
                }
                Event::Faulted { seat, fault, attempts, .. } => {
                    bits.put_truth(attempts.is_some());
                    attempts.iter().for_each(|attempts| put_attempts(&mut bits, attempts));
                    faults.put(&mut bits, *seat, fault);
                }
                Event::Placed { .. } | Event::Ended { .. } => {}
            }
            if kind(event).is_some() {
                put_gap(&mut bits, &turns[place + 1..]);
            }
        }
        Some(Self(bits.into_bytes()))
    }

    /// The packed events in these bytes, which [`PackedEvents::unpack`] checks.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The file of the transcript of the game with this header.
    ///
    /// # Errors
    /// Bytes that are not the packed form of the events of such a game, or rules by which no game can be played.
    pub fn to_transcript(&self, header: Header) -> Result<Vec<u8>, UnpackError> {
        with_game!(header.conditions.rules.kind(), G => Ok(self.transcript::<G>(header)?.to_bytes()))
    }

    /// The transcript of the game with this header: the same that its file is read as.
    ///
    /// # Errors
    /// Bytes that are not the packed form of the events of such a game, or rules by which no such game can be played.
    pub fn transcript<G: Listed>(&self, header: Header) -> Result<Transcript<G>, UnpackError> {
        let transcript = self.transcript_of_any_form(header)?;
        self.check_form(&transcript.events)?;
        Ok(transcript)
    }

    /// The same, also of bytes of another form than the arena writes: it takes two thirds of the time.
    ///
    /// # Errors
    /// Bytes that do not begin with the events of such a game, or rules by which no such game can be played.
    pub fn transcript_of_any_form<G: Listed>(&self, header: Header) -> Result<Transcript<G>, UnpackError> {
        let rules = G::rules(&header.conditions.rules).filter(|rules| rules.validate().is_ok());
        let rules = rules.ok_or(UnpackError::Impossible)?;
        let events = self.events::<G>(rules, header.starter, header.fleet_seed)?;
        Ok(Transcript { header, events })
    }

    /// The number of turns that packed events with these bytes claim, without those that were not finished.
    ///
    /// # Errors
    /// They do not begin with a number.
    pub fn turns_of(bytes: &[u8]) -> Result<u32, UnpackError> {
        begin(bytes).map(|(turns, _)| turns)
    }

    /// The events of a game by these rules, with the header's starter and seed for chance. The rules have been validated. It accepts
    /// any bytes. Its time and memory are bounded by the number of turns that they claim.
    ///
    /// # Errors
    /// Bytes that are not the packed form of the events of such a game.
    pub fn unpack<G: Game>(
        &self,
        rules: &G::Rules,
        starter: Seat,
        seed: u64,
    ) -> Result<Vec<Event<G>>, UnpackError> {
        let events = self.events(rules, starter, seed)?;
        self.check_form(&events)?;
        Ok(events)
    }

    /// Checks that these are the bytes that the arena writes for their events. So nothing follows, and a game has only one form.
    fn check_form<G: Game>(&self, events: &[Event<G>]) -> Result<(), UnpackError> {
        let is_same = Self::of(events).is_some_and(|packed| packed == *self);
        if is_same { Ok(()) } else { Err(UnpackError::OtherForm) }
    }

    /// The events, of whatever form their bytes are.
    fn events<G: Game>(
        &self,
        rules: &G::Rules,
        starter: Seat,
        seed: u64,
    ) -> Result<Vec<Event<G>>, UnpackError> {
        let (turns, bytes) = begin(&self.0)?;
        let mut bits = Reader::of(bytes);
        let mut faults = Faults::default();
        let room = (turns as usize).min(EVENTS_ROOM);
        let (mut events, mut setups) = (Vec::with_capacity(room + 3), [None, None]);
        match G::without_deployment(rules, seed) {
            Some(begun) => setups = begun.map(Some),
            None => {
                for seat in Seat::BOTH {
                    let event = deployment::<G>(&mut bits, seat, &mut faults)?;
                    if let Event::Placed { deployment, .. } = &event {
                        let setup = G::setup(rules, deployment).map_err(|_| UnpackError::Impossible)?;
                        setups[seat.index()] = Some(setup);
                    }
                    events.push(event);
                }
            }
        }
        let actions = actions::Coding::read(&mut bits)?;
        let fuel = [fuel::Coding::read(&mut bits)?, fuel::Coding::read(&mut bits)?];
        let mut rest = Rest {
            bits,
            faults,
            actions: actions.column(),
            fuel: fuel.map(fuel::Coding::column),
            until_kind: 0,
        };
        let (end, scores) = match judge_deployments(setups) {
            Err(end) if turns == 0 => {
                rest.gap()?;
                (end, scores::<G>(rules, None, end))
            }
            Err(_) => return Err(UnpackError::OtherLength),
            Ok(setups) => {
                let mut game = G::new(rules, setups, starter);
                rest.gap()?;
                for _ in 0..turns {
                    let seat = game.to_move().ok_or(UnpackError::OtherLength)?;
                    let turn = rest.turn(&mut game, seat);
                    match game.failure() {
                        Some(Failure::Game(_)) => return Err(UnpackError::GameFailed),
                        Some(Failure::Arena(_)) => return Err(UnpackError::NotPlayed),
                        None => {}
                    }
                    events.push(turn?);
                }
                let end = game.end().ok_or(UnpackError::OtherLength)?;
                (end, scores(rules, Some(&game), end))
            }
        };
        let by_clock = |event: &Event<G>| matches!(event, Event::Faulted { fault, .. } if fault.class == FaultClass::WallClock);
        let reproducible = !events.iter().any(by_clock);
        let (outcome, reason) = end;
        events.push(Event::Ended { outcome, reason, scores, reproducible });
        Ok(events)
    }
}

/// The number of turns, and the bytes after it.
fn begin(bytes: &[u8]) -> Result<(u32, &[u8]), UnpackError> {
    postcard::take_from_bytes(bytes).map_err(|_| UnpackError::CutOff)
}

/// The kind of a turn that is not plain.
fn kind<G: Game>(event: &Event<G>) -> Option<Kind> {
    match event {
        Event::Acted { attempts: Some(_), .. } => Some(Kind::Acted),
        Event::Faulted { verdict: Verdict::TurnSkipped, .. } => Some(Kind::Skipped),
        Event::Faulted { .. } => Some(Kind::Lost),
        _ => None,
    }
}

/// Writes whether there is another turn that is not plain, and the number of those before it.
fn put_gap<G: Game>(bits: &mut Writer, turns: &[Event<G>]) {
    match turns.iter().position(|event| kind(event).is_some()) {
        Some(gap) => {
            bits.put_truth(true);
            bits.put_small(GAP_ORDER, gap as u64);
        }
        None => bits.put_truth(false),
    }
}

fn put_deployment<G: Game>(
    bits: &mut Writer,
    event: &Event<G>,
    expected: Seat,
    faults: &mut Faults,
) -> Option<()> {
    match event {
        Event::Placed { seat, deployment, fuel } if *seat == expected => {
            bits.put(KIND_BITS, if fuel.is_some() { PLACED } else { DRAWN });
            bits.put_bytes(&postcard::to_allocvec(deployment).expect("a deployment is plain data"));
            fuel.iter().for_each(|&fuel| bits.put_small(FUEL_ORDER, fuel));
        }
        Event::Faulted { seat, turn: 0, fault, verdict: Verdict::NotPlaced, attempts: None }
            if *seat == expected =>
        {
            bits.put(KIND_BITS, NOT_PLACED);
            faults.put(bits, *seat, fault);
        }
        _ => return None,
    }
    Some(())
}

/// The order of the fuel of a deployment. Measured: bots in Rust use some hundred thousand units.
const FUEL_ORDER: u32 = 16;

fn deployment<G: Game>(
    bits: &mut Reader<'_>,
    seat: Seat,
    faults: &mut Faults,
) -> Result<Event<G>, UnpackError> {
    let kind = bits.get(KIND_BITS)?;
    if kind == NOT_PLACED {
        let fault = faults.get(bits, seat)?;
        return Ok(Event::Faulted { seat, turn: 0, fault, verdict: Verdict::NotPlaced, attempts: None });
    }
    let bytes = bits.bytes()?;
    let deployment = match postcard::take_from_bytes(&bytes) {
        Ok((deployment, [])) => deployment,
        _ => return Err(UnpackError::NoDeployment),
    };
    let fuel = match kind {
        DRAWN => None,
        PLACED => Some(bits.small(FUEL_ORDER)?),
        _ => return Err(UnpackError::NoNumber),
    };
    Ok(Event::Placed { seat, deployment, fuel })
}

/// Writes attempts: their number, and the first. The reason why that one is not valid follows from the rules.
fn put_attempts<G: Game>(bits: &mut Writer, attempts: &Attempts<G>) {
    bits.put_small(0, attempts.invalid.into());
    bits.put_bytes(&bytes_of::<G>(&attempts.first));
}

/// The latest fault of each side: many bots fault in the same way again and again.
#[derive(Default)]
struct Faults([Option<Fault>; 2]);

impl Faults {
    fn put(&mut self, bits: &mut Writer, seat: Seat, fault: &Fault) {
        let before = &mut self.0[seat.index()];
        let is_again = before.as_ref() == Some(fault);
        bits.put_truth(is_again);
        if !is_again {
            let Fault { class, detail, stack } = fault;
            bits.put_bytes(&postcard::to_allocvec(&(class, detail, stack)).expect("a fault is plain data"));
            *before = Some(fault.clone());
        }
    }

    fn get(&mut self, bits: &mut Reader<'_>, seat: Seat) -> Result<Fault, UnpackError> {
        let before = &mut self.0[seat.index()];
        if bits.truth()? {
            return before.clone().ok_or(UnpackError::NoFault);
        }
        let bytes = bits.bytes()?;
        let fault: (FaultClass, Detail, Vec<Frame>) = match postcard::take_from_bytes(&bytes) {
            Ok((fault, [])) => fault,
            _ => return Err(UnpackError::NoFault),
        };
        let (class, detail, stack) = fault;
        Ok(before.insert(Fault { class, detail, stack }).clone())
    }
}

/// The rest of packed events when turns begin.
struct Rest<'a> {
    bits: Reader<'a>,
    faults: Faults,
    actions: actions::Column,
    fuel: [fuel::Column; 2],
    /// The number of plain turns before the next other one, plus one; 0 if all remaining turns are plain.
    until_kind: u64,
}

impl Rest<'_> {
    fn gap(&mut self) -> Result<(), UnpackError> {
        self.until_kind = if self.bits.truth()? { self.bits.small(GAP_ORDER)?.saturating_add(1) } else { 0 };
        Ok(())
    }

    /// The next turn. It is of this side.
    fn turn<G: Game>(&mut self, game: &mut G, seat: Seat) -> Result<Event<G>, UnpackError> {
        let is_plain = self.until_kind != 1;
        self.until_kind = self.until_kind.saturating_sub(1);
        if is_plain {
            return self.acted(game, seat, None);
        }
        let kind = Kind::ALL.get(self.bits.get(KIND_BITS)? as usize).ok_or(UnpackError::NoNumber)?;
        let event = match kind {
            Kind::Acted => {
                let attempts = self.attempts(game, seat)?;
                self.acted(game, seat, Some(attempts))?
            }
            Kind::Lost | Kind::Skipped => {
                let turn = game.turns(seat) + 1;
                let attempts = if self.bits.truth()? { Some(self.attempts(game, seat)?) } else { None };
                let fault = self.faults.get(&mut self.bits, seat)?;
                let verdict = if *kind == Kind::Lost {
                    game.forfeit(seat);
                    Verdict::Loses
                } else if fault.class.is_overrun() && game.overrun(seat) {
                    Verdict::TurnSkipped
                } else {
                    return Err(UnpackError::Impossible);
                };
                Event::Faulted { seat, turn, fault, verdict, attempts }
            }
        };
        self.gap()?;
        Ok(event)
    }

    fn acted<G: Game>(
        &mut self,
        game: &mut G,
        seat: Seat,
        attempts: Option<Attempts<G>>,
    ) -> Result<Event<G>, UnpackError> {
        let turn = game.turns(seat) + 1;
        let action = self.actions.read::<G>(&mut self.bits, seat)?;
        let fuel = self.fuel[seat.index()].read(&mut self.bits)?;
        let Ruling::Done(effect) = game.act(seat, &action) else { return Err(UnpackError::Impossible) };
        Ok(Event::Acted { seat, turn, action, effect, fuel, attempts })
    }

    fn attempts<G: Game>(&mut self, game: &mut G, seat: Seat) -> Result<Attempts<G>, UnpackError> {
        let invalid = self.bits.small(0)?;
        if !(1..=ATTEMPTS_PER_TURN_MAX).contains(&invalid) {
            return Err(UnpackError::NoNumber);
        }
        let first = action_of::<G>(&self.bits.bytes()?)?;
        let Ruling::Retry(why) = game.act(seat, &first) else { return Err(UnpackError::Impossible) };
        Ok(Attempts { invalid: invalid as u32, first, why })
    }
}
