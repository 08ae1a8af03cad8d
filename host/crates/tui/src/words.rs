//! What happened, in words: a sentence for the line under the boards, and a few letters for the table of turns.

use crate::grid::Sight;
use crate::spot;
use crate::text::{fit, plain};
use crate::theme::Tone;
use crate::timeline::Timeline;
use arena_referee::{Attempts, Event, Fault, FaultClass, Verdict};
use arena_rules::submarine::{Action, Report, Ship};
use arena_rules::{GameRules, Invalid, Outcome, Reason, Seat, ShotResult, Size};

/// The most cells of a fault's own words in a sentence. Chosen: a bot's words must not push ours off the line.
const DETAIL_WIDTH_MAX: usize = 100;

/// What the fault of a person who resigns is told as.
pub(crate) const RESIGNED: &str = "resigned";

/// The letter of a ship of submarine, as on the wire.
pub(crate) const fn letter(ship: Ship) -> char {
    match ship {
        Ship::Battleship => 'w',
        Ship::Cruiser => 'c',
        Ship::Submarine => 's',
    }
}

/// What happened, as a sentence without its full stop, as far as it is told to whoever looks.
pub(crate) fn sentence(timeline: &Timeline, event: &Event, sight: Sight) -> (String, Tone) {
    let size = timeline.size();
    let told = Told::new(timeline, event, sight);
    let who = event.seat().map_or("", |seat| timeline.name(seat));
    let mut tone = Tone::Text;
    let words = match event {
        Event::Deployed { fuel: None, .. } => format!("the engine places the ships of {who}"),
        Event::Deployed { .. } | Event::Positioned { .. } => format!("{who} places its ships"),
        Event::Shot { at, result, attempts, .. } => {
            let what = match told.result(*result) {
                ShotResult::Miss => "a miss",
                ShotResult::Hit => "a hit",
                ShotResult::Sunk => "a ship is sunk",
            };
            format!("{who} shoots {}: {what}{}", spot::name(size, *at), tried(size, attempts.as_ref()))
        }
        Event::Skipped { attempts, .. } => {
            format!("{who} skips its turn{}", tried(size, attempts.as_ref()))
        }
        Event::Wasted { at, why, attempts, .. } => {
            let at = spot::name(size, *at);
            format!("{who} wastes its turn on {at}, which is {why}{}", tried(size, attempts.as_ref()))
        }
        Event::Acted { action, report, .. } => format!("{who} {}", acted(size, action, report, told)),
        Event::Fault { fault, verdict, attempts, .. } => {
            tone = Tone::Fault;
            let follows = match verdict {
                Verdict::TurnSkipped => "the turn is skipped",
                Verdict::NoFleet => "it has no fleet",
                Verdict::Loses => "it loses",
            };
            let detail = fit(&fault.detail, DETAIL_WIDTH_MAX);
            let tried = tried(size, attempts.as_ref());
            format!("{who}: {}, {follows}: {detail}{tried}", fault.class)
        }
        Event::End { outcome, reason, reproducible } => {
            tone = Tone::Result;
            let again = if *reproducible { "" } else { " (by the clock: another time it may end otherwise)" };
            format!("{}{again}", ending(timeline, *outcome, *reason))
        }
    };
    (words, tone)
}

/// How a game ended, and why.
pub(crate) fn ending(timeline: &Timeline, outcome: Outcome, reason: Reason) -> String {
    let result = match outcome {
        Outcome::Draw => "a draw".to_owned(),
        Outcome::NoContest => "no contest".to_owned(),
        Outcome::Win(seat) => format!("{} wins", timeline.name(seat)),
    };
    let loser = match outcome {
        Outcome::Win(seat) => timeline.name(seat.other()),
        Outcome::Draw | Outcome::NoContest => "",
    };
    let why = match reason {
        Reason::FleetSunk => format!("all ships of {loser} are sunk"),
        Reason::BothFleetsSunk => "all ships of both sank in one round".into(),
        Reason::BothSkipped => "both skipped, one after the other".into(),
        Reason::TurnsMax => "all turns are taken".into(),
        // Whoever resigns while it places its ships has no fleet, which is the lesser reason.
        Reason::Forfeit | Reason::BadDeploy if last_fault(timeline).is_some_and(is_resignation) => {
            format!("{loser} resigned")
        }
        Reason::Forfeit => match last_fault(timeline) {
            Some(fault) => format!("{loser} lost by a fault, {}", fault.class),
            None => format!("{loser} lost by a fault"),
        },
        Reason::BadDeploy => format!("{loser} placed no legal fleet"),
        Reason::BothBadDeploy => "neither placed a legal fleet".into(),
    };
    format!("{result}: {why}")
}

fn is_resignation(fault: &Fault) -> bool {
    fault.class == FaultClass::Disconnected && fault.detail == RESIGNED
}

fn last_fault(timeline: &Timeline) -> Option<&Fault> {
    let position = *timeline.faults().last()?;
    match timeline.events_until(position).last() {
        Some(Event::Fault { fault, .. }) => Some(fault),
        _ => None,
    }
}

/// What of an event is told to whoever looks: the table and the sentence must not say more than the board shows.
#[derive(Clone, Copy, Debug)]
struct Told {
    sinkings: bool,
    destinations: bool,
}

impl Told {
    fn new(timeline: &Timeline, event: &Event, sight: Sight) -> Self {
        let is_seen = |owner: Option<Seat>| owner.is_none_or(|owner| sight.sees(owner));
        let announced = match &timeline.header().rules {
            GameRules::Battleship(rules) => rules.sinkings_announced,
            GameRules::Submarine(_) => true,
        };
        Self {
            sinkings: announced || is_seen(event.seat().map(Seat::other)),
            destinations: is_seen(event.seat()),
        }
    }

    fn result(self, result: ShotResult) -> ShotResult {
        if result == ShotResult::Sunk && !self.sinkings { ShotResult::Hit } else { result }
    }
}

/// How far a ship moved, with a word or an arrow for each way: down, up, right, left.
fn far(down: i8, right: i8, ways: [&str; 4]) -> (u8, &str) {
    match (down, right) {
        (1.., _) => (down.unsigned_abs(), ways[0]),
        (..0, _) => (down.unsigned_abs(), ways[1]),
        (0, 0..) => (right.unsigned_abs(), ways[2]),
        (0, ..0) => (right.unsigned_abs(), ways[3]),
    }
}

/// An action of submarine and what it did, after the name of who did it.
fn acted(size: Size, action: &Action, report: &Report, told: Told) -> String {
    match (action, report) {
        (Action::Attack(at), Report::Attacked { hit, near, .. }) => {
            let at = spot::name(size, *at);
            let near = match near.as_slice() {
                [] => String::new(),
                near => {
                    let names: Vec<_> = near.iter().map(|ship| ship.name()).collect();
                    format!(", near the {}", names.join(" and the "))
                }
            };
            match hit {
                Some(ship) => format!("attacks {at} and hits the {ship}{near}"),
                None if near.is_empty() => format!("attacks {at}: nothing is near"),
                None => format!("attacks {at}: no hit{near}"),
            }
        }
        (Action::Move(ship, _), Report::Moved { down, right, .. }) if !told.destinations => {
            let (steps, way) = far(*down, *right, ["down", "up", "to the right", "to the left"]);
            format!("moves its {ship} {steps} {way}")
        }
        (Action::Move(ship, to), _) => format!("moves its {ship} to {}", spot::name(size, *to)),
        (Action::Attack(at), Report::Moved { .. }) => format!("attacks {}", spot::name(size, *at)),
    }
}

/// The attempts before, if there were any.
fn tried(size: Size, attempts: Option<&Attempts>) -> String {
    match attempts {
        None => String::new(),
        Some(Attempts { invalid: 1, first, why }) => {
            format!(", after {}, which is {why}", spot::name(size, *first))
        }
        Some(Attempts { invalid, first, .. }) => {
            format!(", after {invalid} invalid spots, the first of them {}", spot::name(size, *first))
        }
    }
}

/// What happened in a few letters, as far as it is told to whoever looks.
pub(crate) fn brief(timeline: &Timeline, event: &Event, sight: Sight) -> (String, Tone) {
    let size = timeline.size();
    let told = Told::new(timeline, event, sight);
    match event {
        Event::Deployed { .. } | Event::Positioned { .. } => ("placed".into(), Tone::Faint),
        Event::Shot { at, result, attempts, .. } => {
            let (word, tone) = match told.result(*result) {
                ShotResult::Miss => ("miss", Tone::Miss),
                ShotResult::Hit => ("hit", Tone::Hit),
                ShotResult::Sunk => ("sunk", Tone::Sunk),
            };
            let again = if attempts.is_some() { "*" } else { "" };
            (format!("{:<3} {word}{again}", spot::name(size, *at)), tone)
        }
        Event::Skipped { .. } => ("skip".into(), Tone::Faint),
        Event::Wasted { at, why, .. } => {
            let word = if *why == Invalid::Repeat { "again" } else { "off" };
            (format!("{:<3} {word}", spot::name(size, *at)), Tone::Miss)
        }
        Event::Acted { action: Action::Attack(at), report, .. } => {
            let Report::Attacked { hit, near, .. } = report else { return (String::new(), Tone::Text) };
            let near: String = near.iter().map(|&ship| letter(ship)).collect();
            let near = if near.is_empty() { near } else { format!(" ~{near}") };
            let at = spot::name(size, *at);
            match hit {
                Some(ship) => (format!("{at} X{}{near}", letter(*ship)), Tone::Hit),
                None => (format!("{at} o{near}"), Tone::Miss),
            }
        }
        Event::Acted { action: Action::Move(ship, _), report: Report::Moved { down, right, .. }, .. }
            if !told.destinations =>
        {
            let (steps, arrow) = far(*down, *right, ["↓", "↑", "→", "←"]);
            (format!("{} {arrow}{steps}", letter(*ship)), Tone::Text)
        }
        Event::Acted { action: Action::Move(ship, to), .. } => {
            (format!("{} to {}", letter(*ship), spot::name(size, *to)), Tone::Text)
        }
        Event::Fault { fault, .. } => (format!("! {}", class_word(fault.class)), Tone::Fault),
        Event::End { .. } => ("end".into(), Tone::Result),
    }
}

/// A class of fault in one short word.
pub(crate) const fn class_word(class: FaultClass) -> &'static str {
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
    }
}

/// What the side at a seat is told of the other's ships afloat.
pub(crate) fn fleet_digits(all: &[u8], afloat: &[u8]) -> String {
    let mut afloat = afloat.to_vec();
    let mut text = String::new();
    for (index, &length) in all.iter().enumerate() {
        if index > 0 && all[index - 1] != length {
            text.push(' ');
        }
        match afloat.iter().position(|&left| left == length) {
            Some(found) => {
                afloat.remove(found);
                text.push(digit(length));
            }
            None => text.push('·'),
        }
    }
    text
}

/// The length of a ship as one character: letters follow after 9.
fn digit(length: u8) -> char {
    char::from_digit(length.into(), 36).map_or('+', |digit| digit.to_ascii_uppercase())
}

/// Which game it is, for a title.
pub(crate) fn title(timeline: &Timeline) -> String {
    let header = timeline.header();
    let size = timeline.size();
    let rules = plain(header.rules.name()).into_owned();
    let rules = fit(&rules, 20);
    let told = match &header.rules {
        GameRules::Battleship(rules) if rules.sinkings_announced => "  sinkings told",
        GameRules::Battleship(_) => "  sinkings not told",
        GameRules::Submarine(_) => "",
    };
    format!("{rules}  {}×{}  game {}  seed {}{told}", size.width, size.height, header.game, header.seed)
}

/// A seat's number and name.
pub(crate) fn seat_name(timeline: &Timeline, seat: Seat) -> String {
    format!("{} {}", u8::from(seat), timeline.name(seat))
}
