//! A recorded game as data, position by position, for pages that show it: the same boards and texts as the screens.

use crate::chances::needs;
use crate::grid::{Emphasis, Grid, Hull};
use crate::heat::is_open;
use crate::moment::{Moment, Viewpoint};
use crate::pictured::Pictured;
use crate::sentences;
use crate::text::plain;
use crate::timeline::{Timeline, TimelineError};
use crate::tone::Tone;
use arena_record::overlay::tenths_of;
use arena_record::{Overlay, Transcript};
use arena_rules::{Coord, Seat, Size};
use std::sync::Arc;

/// A game at a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The last event as a sentence, without a full stop; empty before the first event.
    pub text: String,
    /// The same sentence, by seat, which says no more than that seat's bot knows.
    pub text_of: [String; 2],
    /// The text that each bot printed in the turn of the last event, by seat.
    pub printed: [String; 2],
    /// Each board as it is, by its owner's seat. A game with one board for both sides has it at seat 1.
    pub boards: [Picture; 2],
    /// Each board as the other side knows it, by its owner's seat.
    pub boards_seen: [Picture; 2],
    /// The picture of a game without boards: as an observer of both sides may see it, and as each side; empty for any other game.
    pub pictures: [Arc<str>; 3],
    /// The drawings of the same as SVG, which can be shown as they are; `None` where there is none.
    pub drawings: [Option<Arc<str>>; 3],
    /// The ships of each side that are afloat, by seat.
    pub afloat: [String; 2],
    /// The chance of seat 1 to win, from 0 to 1, if both sides hit equally often from here on. It has no meaning without boards.
    pub chance_of_first: f64,
    /// The chances of a ship on each board, as the other side can know them, by the owner's seat; `None` without a map.
    pub heat: [Option<Map>; 2],
    /// The number of hits that each side needs to win, by seat.
    pub hits_needed: [u32; 2],
}

/// The chances of a ship on the cells of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The largest one, from 0 to 1.
    pub largest: f64,
    /// That of each cell in tenths of the largest one, from 0 to 9; `None` where no ship can be, and on a cell that was shot at.
    pub tenths: Vec<Option<u8>>,
}

/// A board as cells with text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its size, which is the same at all positions of a game: [`Size::EMPTY`] if there is no board.
    pub size: Size,
    /// Its cells, row by row.
    pub cells: Vec<Painted>,
    /// The lines that the other side's bot drew over it in its last turn.
    pub lines: Vec<[Coord; 2]>,
}

impl Default for Picture {
    /// No board.
    fn default() -> Self {
        Self { size: Size::EMPTY, cells: Vec::new(), lines: Vec::new() }
    }
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Painted {
    /// Its text: one character, or up to three.
    pub text: String,
    /// The meaning of the text.
    pub tone: Tone,
    /// True if the last turn happened on it.
    pub is_last: bool,
    /// The shade that the other side's bot gave it in its last turn, in tenths, 0 to 9, unless the cell was shot at.
    pub shade: Option<u8>,
    /// The text that this bot wrote in it, one or two characters of ASCII; empty without one, and if the cell was shot at.
    pub written: String,
    /// The part of a ship on it, if one is known to be there.
    pub hull: Option<Hull>,
}

/// The positions of a recorded game, from the one before its first event to its end, with the logs of its bots.
///
/// # Errors
/// The transcript is not of a game that the rules allow.
pub fn frames<G: Pictured>(
    transcript: &Transcript<G>,
    logs: [Option<String>; 2],
) -> Result<impl Iterator<Item = Frame> + use<G>, TimelineError> {
    let timeline = Timeline::of(transcript)?.with_logs(logs);
    let mut frames = Frames::new(&timeline);
    Ok((0..=timeline.len()).map(move |_| frames.next(&timeline).expect("the timeline has this position")))
}

/// The positions of a game one by one, which may still be played.
#[derive(Debug)]
pub struct Frames<G: Pictured> {
    /// The game at the last position that was asked for.
    moment: Moment<G>,
    /// The next position.
    position: usize,
    maps: Maps,
}

impl<G: Pictured> Frames<G> {
    /// The positions of a game, from the one before its first event.
    pub fn new(timeline: &Timeline<G>) -> Self {
        Self { moment: timeline.moment(0), position: 0, maps: Maps::default() }
    }

    /// The next position of the same game; `None` until its event is known.
    pub fn next(&mut self, timeline: &Timeline<G>) -> Option<Frame> {
        let position = self.position;
        if position > timeline.len() {
            return None;
        }
        if let Some(event) = timeline.events_until(position).last() {
            self.moment.step(event).expect("the timeline has checked each event");
        }
        self.position += 1;
        Some(frame(timeline, &self.moment, position, &mut self.maps))
    }
}

/// The last map of each board, and the board as it was seen then. A map takes half a millisecond, and most events change only one.
#[derive(Debug, Default)]
struct Maps([Option<(Picture, Map)>; 2]);

impl Maps {
    /// The map of a board at a moment, unless the game is over. `seen` is the board as the other side knows it.
    fn of<G: Pictured>(
        &mut self,
        moment: &Moment<G>,
        owner: Seat,
        board: &Grid,
        seen: &Picture,
    ) -> Option<Map> {
        if moment.replay.end().is_some() {
            return None;
        }
        let last = &mut self.0[owner.index()];
        if let Some((before, map)) = last
            && G::HEAT_FOLLOWS_FROM_VIEW
            && before == seen
        {
            return Some(map.clone());
        }
        // The cell of a hit has a ship for sure, and no chance.
        let open = |(at, chance): (Coord, f64)| if is_open(board, at) { chance } else { 0.0 };
        let cells: Vec<f64> = board.size.coords().zip(G::heat(moment, owner)?.cells).map(open).collect();
        let largest = cells.iter().copied().fold(0.0, f64::max);
        let tenths = |&chance: &f64| (chance > 0.0).then(|| tenths_of(chance, largest));
        let map = Map { largest, tenths: cells.iter().map(tenths).collect() };
        *last = Some((seen.clone(), map.clone()));
        Some(map)
    }
}

fn frame<G: Pictured>(timeline: &Timeline<G>, moment: &Moment<G>, position: usize, maps: &mut Maps) -> Frame {
    let event = timeline.events_until(position).last();
    let text = |viewpoint| {
        event.map_or_else(String::new, |event| {
            plain(&sentences::line(timeline, event, viewpoint).0).into_owned()
        })
    };
    let printed = |seat| {
        let lines: Vec<_> = timeline.log_of_event(seat, position).lines().map(plain).collect();
        lines.join("\n")
    };
    let note = |owner| {
        let pieces = G::fleet_note(moment, owner, Viewpoint::Truth);
        let text: String = pieces.iter().map(|(text, _)| text.as_ref()).collect();
        text.trim().to_owned()
    };
    let text_of = Seat::BOTH.map(|seat| text(Viewpoint::Of(seat)));
    let mut frame = Frame {
        text: text(Viewpoint::Truth),
        text_of,
        printed: Seat::BOTH.map(printed),
        chance_of_first: 0.5,
        ..Frame::default()
    };
    if !G::HAS_BOARDS {
        let viewpoints = [Viewpoint::Truth, Viewpoint::Of(Seat::First), Viewpoint::Of(Seat::Second)];
        frame.pictures = viewpoints.map(|viewpoint| G::picture(moment, viewpoint).text());
        frame.drawings = viewpoints.map(|viewpoint| G::drawing(moment, viewpoint));
        return frame;
    }
    for owner in Seat::BOTH {
        let (index, board) = (owner.index(), G::board(moment, owner));
        let overlay = timeline.overlay(owner.other(), position);
        frame.boards[index] = picture(&board, &overlay);
        frame.boards_seen[index] = picture(&G::board_seen(moment, owner), &overlay);
        frame.heat[index] = maps.of(moment, owner, &board, &frame.boards_seen[index]);
        frame.afloat[index] = note(owner);
    }
    frame.chance_of_first = timeline.chances().of_first(position);
    frame.hits_needed = needs(moment);
    frame
}

pub(crate) fn picture(grid: &Grid, overlay: &Overlay) -> Picture {
    let shades = overlay.shades();
    let painted = |(index, at)| {
        let cell = grid.cell(at).expect("the cell is on the board");
        let text = trimmed(&cell.text[..usize::from(grid.cell_width)]);
        let is_last = cell.emphasis == Emphasis::Last;
        let is_open = is_open(grid, at);
        let shade = shades.get(&index).copied().filter(|_| is_open);
        let written = overlay.text(index).filter(|_| is_open).unwrap_or_default().to_owned();
        Painted { text, tone: cell.tone, is_last, shade, written, hull: cell.hull }
    };
    let cells = grid.size.coords().enumerate().map(painted).collect();
    Picture { size: grid.size, cells, lines: overlay.lines().to_vec() }
}

/// The letters without spaces around them. A game has as many texts as cells at each of its positions.
fn trimmed(letters: &[char]) -> String {
    let is_letter = |letter: &char| !letter.is_whitespace();
    let ends = letters.iter().position(is_letter).zip(letters.iter().rposition(is_letter));
    let letters = ends.map_or(&[][..], |(first, last)| &letters[first..=last]);
    let mut text = String::with_capacity(letters.iter().map(|letter| letter.len_utf8()).sum());
    text.extend(letters);
    text
}
