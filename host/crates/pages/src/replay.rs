//! The replay of a game as data: the boards at each position, as their differences from the position before.

use crate::Reported;
use crate::pictures::Pictures;
use arena_record::{Event, Transcript};
use arena_rules::{Game, Seat, Size};
use serde::Serialize;
use std::sync::Arc;

/// A game at a position: after some of its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The last event as a sentence; empty before the first event.
    pub text: String,
    /// The same sentence, by seat, which says no more than that seat's bot knows.
    pub text_of: [String; 2],
    /// The text that each bot printed in the turn of the last event, by seat, as a reader is to see it.
    pub printed: [String; 2],
    /// Each board as it is, by its owner's seat. A game with one board for both sides has it at seat 1, and an empty one at seat 2.
    pub boards: [Board; 2],
    /// Each board as the other side knows it, by its owner's seat.
    pub boards_seen: [Board; 2],
    /// The picture of a game without boards: as an observer of both sides may see it, and as each side; empty for any other game.
    pub pictures: [Arc<str>; 3],
    /// The ships of each side that are afloat, by seat.
    pub afloat: [String; 2],
    /// The chance of seat 1 to win, from 0 to 1, by a simple model.
    pub chance_of_first: f64,
    /// The chance of a ship on each cell of a board, in tenths from 0 to 9, as the other side can know it, by the owner's seat; `None`
    /// for a cell without a chance, and for a board without a map.
    pub heat: [Option<Vec<Option<u8>>>; 2],
}

/// A board. It has the same size at all positions of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its size: [`Size::EMPTY`] if there is no board.
    pub size: Size,
    /// Its cells, row by row.
    pub cells: Vec<Cell>,
}

impl Board {
    /// No board.
    pub const fn none() -> Self {
        Self { size: Size::EMPTY, cells: Vec::new() }
    }
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The text on it.
    pub text: String,
    /// The look of it.
    pub look: Look,
    /// True if the last turn happened on it.
    pub is_last: bool,
    /// The tenths, 0 to 9, that the other side's bot has marked it with beside its turn.
    pub mark: Option<u8>,
}

/// The look of a cell, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Something without a meaning of its own.
    Plain,
    /// Water, or an unknown cell.
    Water,
    /// A part of a ship that has not been hit.
    Ship,
    /// Water that was shot at.
    Miss,
    /// A part of a ship that was hit.
    Hit,
    /// A part of a ship that is sunk.
    Sunk,
    /// The place that a ship has left in the last turn.
    Left,
}

impl Cell {
    /// The classes for the style sheet.
    pub(crate) fn classes(&self) -> String {
        let look = match self.look {
            Look::Plain => "plain",
            Look::Water => "water",
            Look::Ship => "ship",
            Look::Miss => "miss",
            Look::Hit => "hit",
            Look::Sunk => "sunk",
            Look::Left => "left",
        };
        if self.is_last { format!("{look} last") } else { look.to_owned() }
    }
}

/// The data of a replay, as the script reads it.
#[derive(Serialize)]
pub(crate) struct Data {
    /// The kinds of cell: text, classes and, if a bot has marked it, the tenths. Positions name them by index.
    looks: Vec<Vec<String>>,
    /// The fuel of a turn.
    budget: u64,
    frames: Vec<Frame>,
    /// The pictures of a game without boards.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pictures: Option<Pictures>,
}

/// A position as the script reads it: the difference from the one before.
#[derive(Serialize)]
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
    /// The chances of a ship on each board, if they have changed: a digit or a space for each cell.
    #[serde(rename = "h", skip_serializing_if = "are_none")]
    heat: [Option<String>; 2],
    /// The places of the pictures for an observer and for each side, if they have changed; `None` for one that is left out.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pictures: Option<[Option<usize>; 3]>,
    /// For both boards as they are, then as they are seen: a cell, its look, a cell, its look, and so on.
    #[serde(rename = "d")]
    changes: [Vec<usize>; 4],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

fn are_none(texts: &[Option<String>; 2]) -> bool {
    texts.iter().all(Option::is_none)
}

/// A chance in percent. Only a side that has won has 100, and only one that has lost has 0.
fn percent(chance: f64) -> u8 {
    match (chance * 100.0).round() as u8 {
        0 if chance > 0.0 => 1,
        100 if chance < 1.0 => 99,
        percent => percent,
    }
}

/// A map as text, with a digit or a space for each cell.
fn map_text(map: Option<&Vec<Option<u8>>>) -> String {
    let digit =
        |tenths: &Option<u8>| tenths.and_then(|tenths| char::from_digit(tenths.into(), 10)).unwrap_or(' ');
    map.map_or_else(String::new, |map| map.iter().map(digit).collect())
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
    /// True if a cell has more than one character at some time.
    pub fn is_broad(&self) -> bool {
        self.data.looks.iter().any(|look| look[0].chars().count() > 1)
    }

    /// No replay, in a page with all parts that one can have, with boards of this size.
    pub fn none(size: Size) -> Self {
        let boards = [(); 2].map(|()| Board { size, cells: Vec::new() });
        Self {
            data: Data { looks: Vec::new(), budget: 0, frames: Vec::new(), pictures: None },
            lines: Vec::new(),
            last: Position {
                text: String::new(),
                text_of: Default::default(),
                printed: Default::default(),
                boards: boards.clone(),
                boards_seen: boards,
                pictures: Default::default(),
                afloat: Default::default(),
                chance_of_first: 0.0,
                heat: Default::default(),
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
        let budget = transcript.header.conditions.limits.fuel_per_turn;
        let pictures = (!G::HAS_BOARDS).then(Pictures::default);
        let mut data = Data { looks: Vec::new(), budget, frames: Vec::new(), pictures };
        let mut pictures_before = None;
        let (mut lines, mut has_logs, mut before) = (Vec::new(), false, None::<Position>);
        // No event comes before the first position.
        let events = std::iter::once(None).chain(transcript.events.iter().map(Some));
        let mut count = 0;
        for (event, position) in events.zip(positions) {
            count += 1;
            let is_fault = matches!(event, Some(Event::Faulted { .. }));
            data.push(event, &position, before.as_ref(), is_fault);
            data.push_pictures(&position, &mut pictures_before);
            has_logs |= !are_empty(&position.printed);
            if let Some(event) = event {
                let id = match (event.seat(), event.turn()) {
                    (Some(seat), Some(turn)) => turn_id(seat, turn),
                    _ => "end".to_owned(),
                };
                let text_of = position.text_of.clone().map(|text| (text != position.text).then_some(text));
                lines.push(TurnLine { id, text: position.text.clone(), text_of, is_fault });
            }
            before = Some(position);
        }
        let fault_count = lines.iter().filter(|line| line.is_fault).count();
        let last = before.filter(|_| count == transcript.events.len() + 1)?;
        Some(Self { data, lines, last, has_logs, fault_count })
    }
}

impl Data {
    fn push<G: Game>(
        &mut self,
        event: Option<&Event<G>>,
        position: &Position,
        before: Option<&Position>,
        is_fault: bool,
    ) {
        let layers = |position: &'_ Position| {
            let [first, second] = position.boards.each_ref().map(|board| board.cells.clone());
            let [first_seen, second_seen] = position.boards_seen.each_ref().map(|board| board.cells.clone());
            [first, second, first_seen, second_seen]
        };
        let old = before.map(layers).unwrap_or_default();
        let new = layers(position);
        let mut changes = [const { Vec::new() }; 4];
        for ((old, new), changes) in old.iter().zip(&new).zip(&mut changes) {
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
            changes,
            pictures: None,
        });
    }

    /// Adds the pictures of the last position, if they are not those `before`.
    fn push_pictures(&mut self, position: &Position, before: &mut Option<[Option<usize>; 3]>) {
        let (Some(pictures), Some(frame)) = (&mut self.pictures, self.frames.last_mut()) else { return };
        let places = position.pictures.each_ref().map(|picture| pictures.take(picture));
        if *before != Some(places) {
            frame.pictures = Some(places);
            *before = Some(places);
        }
    }

    /// A sentence about the pictures that the page does not show; empty if it shows all.
    pub fn note_on_pictures(&self) -> String {
        self.pictures.as_ref().map_or_else(String::new, Pictures::note)
    }

    /// The index of the look of a cell.
    fn look(&mut self, cell: &Cell) -> usize {
        let mut look = vec![cell.text.clone(), cell.classes()];
        look.extend(cell.mark.map(|tenths| tenths.to_string()));
        self.looks.iter().position(|known| *known == look).unwrap_or_else(|| {
            self.looks.push(look);
            self.looks.len() - 1
        })
    }

    /// The data as JSON for a script element: without a `<`, so that no text in it can end the element.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("it is plain data").replace('<', "\\u003c")
    }
}
