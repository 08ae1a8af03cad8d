//! Events as text: a sentence for the line under the boards, and a few characters for the table of turns.

use crate::chances::needs;
use crate::grid::Blast;
use crate::moment::{Moment, Viewpoint};
use crate::pictured::Pictured;
use crate::text::{fit, plain};
use crate::timeline::Timeline;
use crate::tone::Tone;
use arena_record::RecordedSeed;
use arena_referee::{Attempts, Event, Fault, FaultClass, Verdict};
use arena_rules::{Outcome, Reason, Rules, Seat};
use std::cmp::Ordering;

/// The largest number of cells of a fault's detail in a sentence. Chosen: a bot's text must not push the arena's off the
/// line.
const DETAIL_WIDTH_MAX: usize = 100;

/// The largest number of cells of a seed in a title. Chosen: a number of 32 bits is shown whole.
const SEED_WIDTH_MAX: usize = 10;

/// An event as a sentence, after the number of its turn.
pub fn line<G: Pictured>(timeline: &Timeline<G>, event: &Event<G>, viewpoint: Viewpoint) -> (String, Tone) {
    let (sentence, tone) = sentence(timeline, event, viewpoint);
    match event.turn() {
        None | Some(0) => (sentence, tone),
        Some(turn) => (format!("turn {turn}: {sentence}"), tone),
    }
}

/// An event as a sentence without its full stop. Like the table of turns, it says no more than the board shows.
fn sentence<G: Pictured>(timeline: &Timeline<G>, event: &Event<G>, viewpoint: Viewpoint) -> (String, Tone) {
    let rules = timeline.rules();
    let who = event.seat().map_or("", |seat| timeline.name(seat));
    match event {
        Event::Placed { fuel: None, .. } => (format!("the engine places the ships of {who}"), Tone::Text),
        Event::Placed { .. } => (format!("{who} places its ships"), Tone::Text),
        Event::Acted { seat, action, effect, attempts, .. } => {
            let viewpoint = timeline.viewpoint_of(event, viewpoint);
            let words = G::sentence(rules, *seat, action, effect, viewpoint);
            let attempts = attempts.as_ref().filter(|_| shows_attempts::<G>(*seat, viewpoint));
            (format!("{who} {words}{}", tried(rules, attempts)), Tone::Text)
        }
        Event::Faulted { fault: Fault { class: FaultClass::Resigned, .. }, .. } => {
            (format!("{who} resigns"), Tone::Fault)
        }
        Event::Faulted { fault, verdict, .. } => {
            let follows = match verdict {
                Verdict::TurnSkipped => "the turn is skipped",
                Verdict::NotPlaced => "it has no fleet",
                Verdict::Loses => "it loses",
            };
            let detail = fit(&fault.detail, DETAIL_WIDTH_MAX);
            // The detail describes the attempts that were not valid.
            (format!("{who}: {}, {follows}: {detail}", fault.class), Tone::Fault)
        }
        Event::Ended { outcome, reason, reproducible, .. } => {
            let clock = if *reproducible { "" } else { " (by the clock: another run may end differently)" };
            (format!("{}{clock}", ending(timeline, *outcome, *reason)), Tone::Result)
        }
    }
}

/// The outcome of a game in words.
pub fn result<G: Pictured>(timeline: &Timeline<G>, outcome: Outcome) -> String {
    match outcome {
        Outcome::Draw => "a draw".to_owned(),
        Outcome::NoContest => "no contest".to_owned(),
        Outcome::Win(seat) => format!("{} wins", timeline.name(seat)),
    }
}

/// The end of a game, with its reason.
fn ending<G: Pictured>(timeline: &Timeline<G>, outcome: Outcome, reason: Reason) -> String {
    let loser = match outcome {
        Outcome::Draw | Outcome::NoContest => "",
        Outcome::Win(seat) => timeline.name(seat.other()),
    };
    let fault = timeline.events_until(timeline.len()).iter().rev().find_map(|event| match event {
        Event::Faulted { fault, .. } => Some(fault.class),
        _ => None,
    });
    let why = match (reason, fault) {
        // A player who resigns while placing ships loses by resignation, not by an illegal fleet.
        (Reason::Forfeit | Reason::BadDeploy, Some(FaultClass::Resigned)) => format!("{loser} resigned"),
        (Reason::Forfeit, Some(class)) => format!("{loser} lost by a fault, {class}"),
        _ => timeline.rules().reason_sentence(reason, loser),
    };
    format!("{}: {why}", result(timeline, outcome))
}

/// The meaning of the last event for the game, if there is something to say. It says no more than the viewpoint sees: hits are
/// known to both sides.
pub fn comment<G: Pictured>(
    timeline: &Timeline<G>,
    moment: &Moment<G>,
    events: &[Event<G>],
    viewpoint: Viewpoint,
) -> Option<String> {
    let (event, before) = events.split_last()?;
    let seat = event.seat()?;
    let (_, blast) = G::blast(moment, event, viewpoint)?;
    let is_hit = |blast: &Blast| !matches!(blast, Blast::Splash(_));
    let is_same = |event: &&Event<G>| {
        let other = G::blast(moment, event, viewpoint).map(|(_, blast)| is_hit(&blast));
        other == Some(is_hit(&blast))
    };
    let row = 1 + before.iter().rev().filter(|event| event.seat() == Some(seat)).take_while(is_same).count();
    let needs = needs(moment);
    let (mine, theirs) = (needs[seat.index()], needs[seat.other().index()]);
    let [me, other] = [seat, seat.other()].map(|seat| timeline.name(seat));
    if mine == 0 {
        return Some(format!("that was the last one: {other} has no ship left"));
    }
    let so_far = match (&blast, row) {
        // A side that learns of a sinking does not learn which ship it was.
        (Blast::Sunk(cells), _) if viewpoint.sees(seat.other()) => {
            format!("{me} sinks a ship of {}", cells.len())
        }
        (Blast::Sunk(_), _) => format!("{me} sinks a ship"),
        (Blast::Hit(_), 1) => format!("a hit for {me}"),
        (Blast::Hit(_), row) => format!("{row} hits in a row for {me}"),
        (Blast::Splash(_), row @ 5..) => format!("{row} misses in a row for {me}"),
        (Blast::Splash(_), _) => return lead(me, mine, other, theirs),
    };
    let left = if mine == 1 { "1 more hit wins".to_owned() } else { format!("{mine} more hits win") };
    let lead = match mine.cmp(&theirs) {
        Ordering::Less => format!("; {other} needs {theirs}"),
        Ordering::Equal => format!("; it is level with {other}"),
        Ordering::Greater => format!("; {other} needs only {theirs}"),
    };
    Some(format!("{so_far}: {left}{lead}"))
}

/// The lead after a miss, if one side is close to its end.
fn lead(me: &str, mine: u32, other: &str, theirs: u32) -> Option<String> {
    /// The number of hits from which on each miss counts. Chosen: the last ship or two.
    const CLOSE: u32 = 3;
    (mine.min(theirs) <= CLOSE).then(|| format!("{me} needs {mine} more, {other} {theirs}"))
}

/// True if the attempts of a side that were not valid are shown: in a game without boards, they may say what is hidden.
fn shows_attempts<G: Pictured>(seat: Seat, viewpoint: Viewpoint) -> bool {
    G::HAS_BOARDS || viewpoint.sees(seat)
}

/// The attempts of a turn that were not valid, if any.
fn tried<G: Pictured>(rules: &G::Rules, attempts: Option<&Attempts<G>>) -> String {
    let Some(Attempts { invalid, first, why }) = attempts else { return String::new() };
    let first = G::action_name(rules, first);
    match invalid {
        1 if !G::HAS_BOARDS => {
            format!(", after {first}, which was refused: {}", fit(&why.to_string(), DETAIL_WIDTH_MAX))
        }
        1 => format!(", after {first}, which is {why}"),
        _ => format!(", after {invalid} invalid attempts, the first of them {first}"),
    }
}

/// An event in a few characters, which say no more than the viewpoint sees.
pub fn brief<G: Pictured>(timeline: &Timeline<G>, event: &Event<G>, viewpoint: Viewpoint) -> (String, Tone) {
    match event {
        Event::Placed { .. } => ("placed".into(), Tone::Faint),
        Event::Acted { seat, action, effect, attempts, .. } => {
            let viewpoint = timeline.viewpoint_of(event, viewpoint);
            let (words, tone) = G::brief(timeline.rules(), *seat, action, effect, viewpoint);
            let has_tried = attempts.is_some() && shows_attempts::<G>(*seat, viewpoint);
            (if has_tried { words + "*" } else { words }, tone)
        }
        Event::Faulted { fault, .. } => (format!("! {}", class_word(fault.class)), Tone::Fault),
        Event::Ended { .. } => ("end".into(), Tone::Result),
    }
}

/// An event in a few words, for a line in which the sentence does not fit.
pub fn brief_line<G: Pictured>(
    timeline: &Timeline<G>,
    event: &Event<G>,
    viewpoint: Viewpoint,
) -> (String, Tone) {
    let (words, tone) = brief(timeline, event, viewpoint);
    let words = match (event, event.seat()) {
        (Event::Ended { outcome, reason, .. }, _) => format!("{}: {reason}", result(timeline, *outcome)),
        (_, Some(seat)) => format!("{} {words}", timeline.name(seat)),
        (_, None) => words,
    };
    (words, tone)
}

/// A class of fault in one short word.
const fn class_word(class: FaultClass) -> &'static str {
    match class {
        FaultClass::OutOfFuel => "fuel",
        FaultClass::WallClock => "clock",
        FaultClass::Trap => "trap",
        FaultClass::StackOverflow => "stack",
        FaultClass::OutOfMemory => "memory",
        FaultClass::BadDeploy => "deploy",
        FaultClass::IllegalAction => "illegal",
        FaultClass::BadResult => "result",
        FaultClass::InitError => "init",
        FaultClass::Disconnected => "gone",
        FaultClass::Resigned => "resign",
    }
}

/// A tournament's seed for a title: cut if it is long, and without its hash while it is secret.
pub fn short_seed(seed: &RecordedSeed) -> String {
    seed.open().map_or_else(|| "secret".into(), |seed| fit(&seed.to_string(), SEED_WIDTH_MAX))
}

/// The title of a game.
pub fn title<G: Pictured>(timeline: &Timeline<G>) -> String {
    let (header, rules) = (timeline.header(), timeline.rules());
    let size = rules.size().map_or_else(String::new, |size| format!("  {}×{}", size.width, size.height));
    let name = fit(&plain(rules.name()), 24);
    let (game, seed) = (timeline.number(), short_seed(&header.conditions.seed));
    format!("{name}{size}  game {game}  seed {seed}{}", G::title(rules))
}

/// The names of both sides, from left to right.
pub fn pairing<G: Pictured>(timeline: &Timeline<G>, left: Seat) -> String {
    format!("{} v {}", timeline.name(left), timeline.name(left.other()))
}

/// A seat's number and name.
pub fn seat_name<G: Pictured>(timeline: &Timeline<G>, seat: Seat) -> String {
    format!("{} {}", u8::from(seat), timeline.name(seat))
}
