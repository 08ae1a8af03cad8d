//! The screens of games whose code is loaded at run time: their pictures are text.

use crate::OnScreen;
use crate::grid::{Block, Grid};
use crate::heat::Heat;
use crate::help::Keys;
use crate::moment::{Knowledge, Moment, Viewpoint};
use crate::pen::Piece;
use crate::play::{Click, Confirm, Decision, Input, Reaction};
use crate::theme::Tone;
use arena_record::Replay;
use arena_referee::Event;
use arena_rules::loaded::{Loaded, Rules};
use arena_rules::{Coord, Game, Seat, Size};
use crossterm::event::KeyCode;

/// The longest action in a sentence, in characters. Chosen: with a name and an effect it fits a line of 80.
const SHOWN_CHARS_MAX: usize = 40;

/// The pictures of the present state.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    /// As an observer of both sides sees it.
    truth: String,
    /// As each side sees it, if that is kept.
    of: Option<[String; 2]>,
}

impl Pictures {
    fn of(game: &Loaded, knowledge: bool) -> Self {
        let of = knowledge.then(|| Seat::BOTH.map(|seat| game.picture(Some(seat))));
        Self { truth: game.picture(None), of }
    }
}

/// A picture as a board of characters. What is larger than a board can be is cut.
fn grid(picture: &str) -> Grid {
    let lines: Vec<Vec<char>> = picture.lines().map(|line| line.chars().collect()).collect();
    let side = |length: usize| u8::try_from(length).unwrap_or(u8::MAX);
    let size = Size::new(side(lines.iter().map(Vec::len).max().unwrap_or(0)), side(lines.len()));
    Grid::of_glyphs(size, |Coord { row, column }| {
        let glyph = lines.get(usize::from(row)).and_then(|line| line.get(usize::from(column)));
        (glyph.copied().unwrap_or(' '), Tone::Text)
    })
}

fn short(text: &str) -> String {
    arena_text::line(text, SHOWN_CHARS_MAX)
}

impl OnScreen for Loaded {
    type Memory = Pictures;

    const HAS_HEAT_OF_SIGHT: bool = false;

    const GLYPHS: &'static Keys = &[("▁▃█ 2M/9M", "fuel of the last turns, the most, the budget")];

    const PLAY_KEYS: &'static Keys = &[("text", "type an action, as the game writes it"), ("enter", "do it")];

    fn memory(_rules: &Rules, knowledge: Knowledge) -> Pictures {
        Pictures { truth: String::new(), of: (knowledge == Knowledge::Kept).then(Default::default) }
    }

    fn remember(memory: &mut Pictures, replay: &Replay<Self>, _event: &Event<Self>) {
        if let Some(game) = replay.game() {
            *memory = Pictures::of(game, memory.of.is_some());
        }
    }

    fn board(moment: &Moment<Self>, owner: Seat) -> Grid {
        if owner == Seat::Second {
            return Grid::none();
        }
        match (&moment.memory.truth, moment.game()) {
            (picture, Some(game)) if picture.is_empty() => grid(&game.picture(None)),
            (picture, _) => grid(picture),
        }
    }

    fn board_seen(moment: &Moment<Self>, owner: Seat) -> Grid {
        if owner == Seat::Second {
            return Grid::none();
        }
        moment.memory.of.as_ref().map_or_else(Grid::none, |of| grid(&of[owner.other().index()]))
    }

    fn heat(_moment: &Moment<Self>, _owner: Seat) -> Option<Heat> {
        None
    }

    fn fleet_note(_moment: &Moment<Self>, _owner: Seat, _viewpoint: Viewpoint) -> Vec<Piece<'static>> {
        Vec::new()
    }

    fn knowledge_note(_moment: &Moment<Self>, _owner: Seat) -> Vec<Piece<'static>> {
        Vec::new()
    }

    fn damage(_moment: &Moment<Self>, _owner: Seat) -> (u32, u32) {
        (0, 1)
    }

    fn action_name(_rules: &Rules, action: &String) -> String {
        short(action)
    }

    fn sentence(
        _rules: &Rules,
        _seat: Seat,
        action: &String,
        effect: &String,
        _viewpoint: Viewpoint,
    ) -> String {
        match short(effect) {
            effect if effect.is_empty() => format!("plays {}", short(action)),
            effect => format!("plays {}: {effect}", short(action)),
        }
    }

    fn brief(
        _rules: &Rules,
        _seat: Seat,
        action: &String,
        _effect: &String,
        _viewpoint: Viewpoint,
    ) -> (String, Tone) {
        (arena_text::line(action, 12), Tone::Text)
    }

    fn placing(_info: &<Self as Game>::Info) -> Box<dyn Input<Self>> {
        Box::new(Typing::default())
    }

    fn turn(_rules: &Rules, _me: Seat, _cursor: Coord) -> Box<dyn Input<Self>> {
        Box::new(Typing::default())
    }
}

/// An action that a person is typing.
#[derive(Debug, Default)]
struct Typing(String);

impl Input<Loaded> for Typing {
    fn key(&mut self, key: KeyCode, _moment: &Moment<Loaded>) -> Reaction<Loaded> {
        match key {
            KeyCode::Backspace => _ = self.0.pop(),
            KeyCode::Esc if !self.0.is_empty() => self.0.clear(),
            KeyCode::Esc => return Reaction::Confirm(Confirm::Leave),
            KeyCode::Enter if self.0.is_empty() => return Reaction::Nothing,
            KeyCode::Enter => return Reaction::Decided(Decision::Action(std::mem::take(&mut self.0))),
            KeyCode::Char(character) => self.0.push(character),
            _ => return Reaction::Nothing,
        }
        Reaction::Changed
    }

    fn click(&mut self, _click: Click, _moment: &Moment<Loaded>) -> Reaction<Loaded> {
        Reaction::Nothing
    }

    fn hint(&self, _moment: &Moment<Loaded>) -> (String, Tone) {
        (format!("action: {}", self.0), Tone::Text)
    }

    fn draw(&self, _moment: &Moment<Loaded>, _boards: [&mut Block; 2]) {}

    fn typed(&self) -> Option<(&str, Coord)> {
        Some((&self.0, Coord::new(0, 0)))
    }

    fn keys(&self) -> &'static Keys {
        &[("enter", "do it"), ("esc", "clear")]
    }
}
