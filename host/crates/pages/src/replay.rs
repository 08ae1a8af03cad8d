//! The replay of a game as data: the boards at each position, as their differences from the position before.

use crate::Reported;
use crate::board::{Look, lines};
use crate::pictures::{NewPictures, Pictures};
use arena_pictures::{Frame as Position, Map, Painted, Picture};
use arena_record::{Event, Transcript, overlay};
use arena_referee::LogMoment;
use arena_rules::{Game, Seat, Size};
use serde::Serialize;

/// A log of one turn, without the turn before each line. What draws on the board comes last.
fn without_moments(log: &str) -> String {
    let texts = log.lines().map(|line| LogMoment::split(line).1);
    let (drawings, words): (Vec<_>, Vec<_>) = texts.partition(|text| overlay::is_drawing(text));
    [words, drawings].concat().join("\n")
}

/// The data of a replay, as the script reads it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Data {
    /// The kinds of cell. Positions name them by index.
    looks: Vec<Look>,
    /// The fuel of a turn.
    budget: u64,
    frames: Vec<Frame>,
    /// The pictures of a game without boards.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pictures: Option<Pictures>,
    /// The drawings of the same, if the game draws. A page that shows only what happens leaves them out.
    #[serde(skip_serializing_if = "Pictures::is_empty")]
    drawings: Pictures,
}

/// A position as the script reads it: the difference from the one before.
#[derive(Clone, Debug, Serialize)]
struct Frame {
    /// The seat of the last event.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    /// The turn of the last event.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
    /// The fuel of that turn.
    #[serde(rename = "f", skip_serializing_if = "Option::is_none")]
    fuel: Option<u64>,
    /// True if it was a fault.
    #[serde(rename = "x", skip_serializing_if = "is_false")]
    is_fault: bool,
    /// The text that the bots printed.
    #[serde(rename = "p", skip_serializing_if = "are_empty")]
    printed: [String; 2],
    /// The ships afloat, if they have changed.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    afloat: Option<[String; 2]>,
    /// The chance of seat 1 to win, in percent, if it has changed.
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    chance_of_first_percent: Option<u8>,
    /// The chances of a ship on each board, if they have changed: the largest in percent, and a digit or a space for each cell.
    #[serde(rename = "h", skip_serializing_if = "are_none")]
    heat: [Option<(u8, String)>; 2],
    /// The numbers of hits that the sides need to win, if they have changed.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    hits_needed: Option<[u32; 2]>,
    /// The places of the pictures for an observer and for each side, if they have changed; `None` for one that is left out.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pictures: Option<[Option<usize>; 3]>,
    /// The lines that bots drew over the boards, if they have changed.
    #[serde(rename = "l", skip_serializing_if = "Option::is_none")]
    lines: Option<[Vec<[usize; 2]>; 2]>,
    /// The places of the drawings for the same, if they have changed.
    #[serde(rename = "g", skip_serializing_if = "Option::is_none")]
    drawings: Option<[Option<usize>; 3]>,
    /// For both boards as they are, then as they are seen: a cell, its look, a cell, its look, and so on.
    #[serde(rename = "d")]
    changes: [Vec<usize>; 4],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

fn are_none(maps: &[Option<(u8, String)>; 2]) -> bool {
    maps.iter().all(Option::is_none)
}

/// A chance in percent. Only a side that has won has 100, and only one that has lost has 0.
fn percent(chance: f64) -> u8 {
    match (chance * 100.0).round() as u8 {
        0 if chance > 0.0 => 1,
        100 if chance < 1.0 => 99,
        percent => percent,
    }
}

/// The largest chance of a map in percent, and a digit or a space for each of its cells.
fn map_text(map: Option<&Map>) -> (u8, String) {
    let digit =
        |tenths: &Option<u8>| tenths.and_then(|tenths| char::from_digit(tenths.into(), 10)).unwrap_or(' ');
    map.map_or_else(Default::default, |map| (percent(map.largest), map.tenths.iter().map(digit).collect()))
}

fn are_empty(texts: &[String; 2]) -> bool {
    texts.iter().all(String::is_empty)
}

/// A line of the list of turns.
#[derive(Clone, Debug)]
pub(crate) struct TurnLine {
    /// The name of the turn, for links to it.
    pub id: String,
    pub text: String,
    /// The text for each seat's view, where they differ.
    pub text_of: [Option<String>; 2],
    pub is_fault: bool,
}

/// A replay: its data, its lines, and its last position.
pub(crate) struct Replay {
    pub data: Data,
    pub lines: Vec<TurnLine>,
    pub last: Position,
    pub has_logs: bool,
    pub fault_count: usize,
}

/// The name of a turn in links. Turn 0 is the deployment.
pub(crate) fn turn_id(seat: Seat, turn: u32) -> String {
    format!("seat{}-turn{turn}", u8::from(seat))
}

impl Replay {
    /// The part of the data that a page needs which shows only what happens: the boards as they are, a sentence for each position, and
    /// the position before the first turn.
    pub fn to_short_json(&self) -> String {
        let texts = std::iter::once("").chain(self.lines.iter().map(|line| line.text.as_str()));
        let frames = self.data.frames.iter().zip(texts);
        let frames = frames.map(|(frame, text)| {
            let [first, second, ..] = &frame.changes;
            ShortFrame { changes: [first, second], pictures: frame.pictures, text }
        });
        let begun = self.data.frames.iter().position(|frame| frame.turn.is_some_and(|turn| turn > 0));
        json(&ShortData {
            looks: &self.data.looks,
            frames: frames.collect(),
            first: begun.map_or(0, |first| first - 1),
            pictures: self.data.pictures.as_ref(),
        })
    }

    /// True if a cell has more than one character at some time.
    pub fn is_broad(&self) -> bool {
        self.data.looks.iter().any(|look| look.sign.chars().count() > 1)
    }

    /// No replay, in a page with all parts that one can have, with boards of this size.
    pub fn none(size: Size) -> Self {
        let boards = [(); 2].map(|()| Picture { size, ..Picture::default() });
        Self {
            data: Data {
                looks: Vec::new(),
                budget: 0,
                frames: Vec::new(),
                pictures: None,
                drawings: Pictures::default(),
            },
            lines: Vec::new(),
            last: Position {
                text: String::new(),
                text_of: Default::default(),
                printed: Default::default(),
                boards: boards.clone(),
                boards_seen: boards,
                pictures: Default::default(),
                drawings: Default::default(),
                afloat: Default::default(),
                chance_of_first: 0.0,
                heat: Default::default(),
                hits_needed: [0; 2],
            },
            has_logs: true,
            fault_count: 1,
        }
    }

    /// The replay of a transcript; `None` when there are not as many positions as it has.
    pub fn of<G: Reported>(
        transcript: &Transcript<G>,
        positions: impl Iterator<Item = Position>,
    ) -> Option<Self> {
        let mut growing = Growing::new::<G>(transcript.header.conditions.limits.fuel_per_turn);
        // No event comes before the first position.
        let events = std::iter::once(None).chain(transcript.events.iter().map(Some));
        let (mut lines, mut count) = (Vec::new(), 0);
        for (event, position) in events.zip(positions) {
            count += 1;
            lines.extend(growing.push(event, position));
        }
        let fault_count = lines.iter().filter(|line| line.is_fault).count();
        let Growing { data, last, has_logs, .. } = growing;
        let last = last.filter(|_| count == transcript.events.len() + 1)?;
        Some(Self { data, lines, last, has_logs, fault_count })
    }
}

/// The data of a replay that gets its positions one by one.
#[derive(Debug)]
pub(crate) struct Growing {
    pub data: Data,
    places: Places,
    pub last: Option<Position>,
    has_logs: bool,
}

/// The places of the pictures and of the drawings of the last position.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    pictures: Option<[Option<usize>; 3]>,
    drawings: [Option<usize>; 3],
}

/// The additions of one position to the data of a replay, as the script reads them.
#[derive(Serialize)]
struct Step<'a> {
    frame: &'a Frame,
    looks: &'a [Look],
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pictures: Option<NewPictures<'a>>,
    #[serde(skip_serializing_if = "NewPictures::is_empty")]
    drawings: NewPictures<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<StepLine<'a>>,
}

/// The line of the list of turns that a position adds.
#[derive(Serialize)]
struct StepLine<'a> {
    id: &'a str,
    text: &'a str,
    seats: &'a [Option<String>; 2],
}

impl Growing {
    /// The replay of a game with this fuel for a turn, before its first position.
    pub fn new<G: Reported>(budget: u64) -> Self {
        let pictures = (!G::HAS_BOARDS).then(Pictures::default);
        let drawings = Pictures::default();
        let data = Data { looks: Vec::new(), budget, frames: Vec::new(), pictures, drawings };
        Self { data, places: Places::default(), last: None, has_logs: false }
    }

    /// Takes the next position, after an event unless it is the first one. Returns the event's line.
    pub fn push<G: Game>(&mut self, event: Option<&Event<G>>, mut position: Position) -> Option<TurnLine> {
        let Self { data, places, last, has_logs } = self;
        position.printed = position.printed.map(|log| without_moments(&log));
        let is_fault = matches!(event, Some(Event::Faulted { .. }));
        data.push(event, &position, last.as_ref(), is_fault);
        data.push_pictures(&position, places);
        *has_logs |= !are_empty(&position.printed);
        let line = event.map(|event| {
            let id = match (event.seat(), event.turn()) {
                (Some(seat), Some(turn)) => turn_id(seat, turn),
                _ => "end".to_owned(),
            };
            let text_of = position.text_of.clone().map(|text| (text != position.text).then_some(text));
            TurnLine { id, text: position.text.clone(), text_of, is_fault }
        });
        *last = Some(position);
        line
    }

    /// Takes the next position. Returns what it adds as JSON, and keeps only what the next ones refer to.
    pub fn step<G: Game>(&mut self, event: &Event<G>, position: Position) -> String {
        let looks = self.data.looks.len();
        let known = self.data.pictures.as_ref().map(Pictures::known);
        let drawings = self.data.drawings.known();
        let line = self.push(Some(event), position);
        let frame = self.data.frames.pop().expect("it was just added");
        let line =
            line.as_ref().map(|TurnLine { id, text, text_of, .. }| StepLine { id, text, seats: text_of });
        let pictures = self.data.pictures.as_ref().zip(known).map(|(pictures, known)| pictures.since(known));
        json(&Step {
            frame: &frame,
            looks: &self.data.looks[looks..],
            pictures,
            drawings: self.data.drawings.since(drawings),
            line,
        })
    }
}

/// The cells of both boards as they are, then as they are seen.
fn layers(position: &Position) -> [&[Painted]; 4] {
    let Position { boards: [first, second], boards_seen: [first_seen, second_seen], .. } = position;
    [first, second, first_seen, second_seen].map(|board| board.cells.as_slice())
}

impl Data {
    fn push<G: Game>(
        &mut self,
        event: Option<&Event<G>>,
        position: &Position,
        before: Option<&Position>,
        is_fault: bool,
    ) {
        let new = layers(position);
        let old = before.map_or([&[][..]; 4], layers);
        let mut changes = [const { Vec::new() }; 4];
        for ((old, new), changes) in old.into_iter().zip(new).zip(&mut changes) {
            for (index, cell) in new.iter().enumerate() {
                if old.get(index) != Some(cell) {
                    changes.extend([index, self.look(cell)]);
                }
            }
        }
        let chance = percent(position.chance_of_first);
        let chance =
            Some(chance).filter(|chance| before.map(|it| percent(it.chance_of_first)) != Some(*chance));
        let heat = Seat::BOTH.map(|owner| {
            let map = |position: &Position| map_text(position.heat[owner.index()].as_ref());
            Some(map(position)).filter(|map_now| before.map(map).unwrap_or_default() != *map_now)
        });
        let drawn = |position: &Position| position.boards.each_ref().map(lines);
        let lines = Some(drawn(position)).filter(|lines| before.map(drawn).unwrap_or_default() != *lines);
        let afloat = Some(&position.afloat).filter(|afloat| before.map(|it| &it.afloat) != Some(afloat));
        self.frames.push(Frame {
            seat: event.and_then(Event::seat),
            turn: event.and_then(Event::turn),
            fuel: event.and_then(Event::fuel),
            is_fault,
            printed: position.printed.clone(),
            afloat: afloat.cloned(),
            chance_of_first_percent: chance,
            heat,
            hits_needed: Some(position.hits_needed)
                .filter(|needed| before.map(|it| it.hits_needed) != Some(*needed)),
            lines,
            changes,
            pictures: None,
            drawings: None,
        });
    }

    /// Adds the pictures and drawings of the last position, if they are not those `before`.
    fn push_pictures(&mut self, position: &Position, before: &mut Places) {
        let (Some(pictures), Some(frame)) = (&mut self.pictures, self.frames.last_mut()) else { return };
        let places = position.pictures.each_ref().map(|picture| pictures.take(picture));
        if before.pictures != Some(places) {
            frame.pictures = Some(places);
        }
        let drawings = position.drawings.each_ref().map(|svg| self.drawings.take_drawing(svg.as_ref()?));
        if before.drawings != drawings {
            frame.drawings = Some(drawings);
        }
        *before = Places { pictures: Some(places), drawings };
    }

    /// A sentence about the pictures that the page does not show; empty if it shows all.
    pub fn note_on_pictures(&self) -> String {
        self.pictures.as_ref().map_or_else(String::new, Pictures::note)
    }

    /// The index of the look of a cell.
    fn look(&mut self, cell: &Painted) -> usize {
        let look = Look::of(cell);
        self.looks.iter().position(|known| *known == look).unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        })
    }

    /// The data as JSON for a script element.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

/// The data of a replay for a page that shows only what happens.
#[derive(Serialize)]
struct ShortData<'a> {
    looks: &'a [Look],
    frames: Vec<ShortFrame<'a>>,
    first: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pictures: Option<&'a Pictures>,
}

/// A position for such a page.
#[derive(Serialize)]
struct ShortFrame<'a> {
    #[serde(rename = "d")]
    changes: [&'a [usize]; 2],
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pictures: Option<[Option<usize>; 3]>,
    text: &'a str,
}

/// Data as JSON that is the text of an element, of a script or another one: without a `<` or `&`, so that no text in it means something there.
fn json(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("it is plain data");
    text.replace('<', "\\u003c").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_side_that_has_won_or_lost_has_a_chance_of_100_or_0_percent() {
        assert_eq!([0.0, 0.001, 0.5, 0.376, 0.999, 1.0].map(percent), [0, 1, 50, 38, 99, 100]);
    }

    #[test]
    fn a_log_is_shown_without_its_turn_and_with_its_drawings_last() {
        let log = "turn 7: @mark a7 0.8\nturn 7: turn 3: left\nno turn\nturn 7: @mark b1 0.2\nturn 7: @note column a\n";
        assert_eq!(without_moments(log), "turn 3: left\nno turn\n@note column a\n@mark a7 0.8\n@mark b1 0.2");
        assert_eq!(without_moments(""), "");
    }
}
