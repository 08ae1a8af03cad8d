//! The looks of a person's screen.

use super::{Phase, PlayScreen};
use crate::canvas::{canvas, footer, keys_that_fit};
use crate::game::{PANEL_WIDTH_MIN, Places};
use crate::grid::{Layout, draw_blocks};
use crate::help;
use crate::on_screen::{Choices, Confirm, OnScreen};
use crate::pen::{Pen, pieces_width, row_from_end, row_of};
use crate::target::Target;
use crate::theme::Theme;
use arena_pictures::{Piece, Tone, piece, sentences, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

/// The most rows of an answer to a key. Chosen: its own, and those of the last two turns.
const HINT_ROWS_MAX: usize = 3;

impl<G: OnScreen> PlayScreen<G> {
    pub(super) fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
        if let Phase::Over = self.phase {
            return self.game.draw_on(theme, buffer);
        }
        let quit = match self.confirm {
            Some(Confirm::Leave) => "leave? q yes, esc no",
            _ => "q leaves the game",
        };
        let Some((mut pen, area)) = canvas(theme, buffer, quit) else {
            self.targets.take();
            return;
        };
        if let Phase::HandOver(_) = self.phase {
            return self.draw_hand_over(&mut pen, area);
        }
        let body = Rect { y: area.y + 1, height: area.height - 6, ..area };
        let has_cut_name = self.draw_body(&mut pen, body);
        self.game.draw_title(&mut pen, row_of(area, 0), has_cut_name, &[self.state()]);
        let hint = self.hint(area.width.into());
        // A long answer takes their rows.
        if hint.len() <= 1 {
            let [before, last] = [4, 3].map(|row| row_from_end(area, row));
            self.game.scene().draw_last_two(&mut pen, before, last, self.me);
        }
        for (row, text) in (2..).zip(hint.into_iter().rev()) {
            pen.line(row_from_end(area, row), &[piece(" ", Tone::Text), text]);
        }
        pen.line(row_from_end(area, 1), &self.prompt_line(area.width.into()));
        let list = self.input().map_or(&[][..], |input| input.keys());
        // Within a typed line, `?` is a character, and `esc` clears it.
        let quit = self.input().map_or(Some("q"), |input| input.quit_key());
        let general = quit.map(|quit| [("?", "help"), (quit, "quit")]);
        footer(&mut pen, row_from_end(area, 0), list, general.as_ref().map_or(&[][..], |keys| &keys[..]));
        if self.has_help {
            let key =
                if self.input().and_then(|input| input.quit_key()) == Some("esc") { "esc" } else { "q esc" };
            let leave = (key, "leave: resign, or without a result");
            help::draw(&mut pen, area, &self.game.names(), &[&[G::PLAY_KEYS, &[leave]].concat(), G::GLYPHS]);
        }
        self.targets.replace(pen.into_targets());
    }

    /// Draws that the other person is to come to the screen.
    fn draw_hand_over(&self, pen: &mut Pen<'_>, area: Rect) {
        self.targets.take();
        self.game.draw_title(pen, row_of(area, 0), false, &[self.state()]);
        let name = sentences::seat_name(self.game.timeline(), self.me);
        let text = format!(" hand the screen over to seat {name}");
        pen.line(row_of(area, area.height / 2), &[piece(text, Tone::Strong)]);
        pen.line(row_from_end(area, 1), &self.prompt_line(area.width.into()));
        footer(pen, row_from_end(area, 0), &[("enter", "show the game")], &[("q", "quit")]);
    }

    fn state(&self) -> Piece<'static> {
        match self.phase {
            Phase::Waiting if self.resigns => piece("you resign at your next turn ", Tone::Last),
            Phase::Waiting | Phase::HandOver(_) if self.is_shared() => piece("", Tone::Faint),
            Phase::Turn(_) if self.is_shared() => {
                piece(format!("turn of seat {} ", u8::from(self.me)), Tone::Good)
            }
            Phase::Waiting | Phase::HandOver(_) => piece("the bot is thinking ", Tone::Faint),
            Phase::Placing(_) => piece("place your ships ", Tone::Good),
            Phase::Turn(_) => piece("your turn ", Tone::Good),
            Phase::Over => piece("over ", Tone::Strong),
        }
    }

    /// Draws the boards and the table of turns. Returns true if a name above a board was cut.
    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) -> bool {
        if !G::HAS_BOARDS {
            return self.draw_picture_body(pen, area);
        }
        let scene = self.game.scene();
        let [mut own, mut other] = scene.seats().map(|owner| scene.block(owner, 0));
        // A person has no fuel, and nothing is known of a board before the first turn.
        own.notes.truncate(1);
        if let Phase::Placing(_) = self.phase {
            other.notes.truncate(1);
        }
        if let Some(input) = self.input() {
            input.draw(scene.moment, [&mut own, &mut other]);
        }
        let layout = Layout::new(area, [&own, &other], PANEL_WIDTH_MIN);
        let air = u16::from(area.height > layout.rows_needed);
        let area = Rect { y: area.y + air, height: area.height - air, ..area };
        let rest = draw_blocks(pen, area, [&own, &other], layout);
        if rest.right.width >= PANEL_WIDTH_MIN {
            scene.draw_turns(pen, rest.right);
        }
        rest.has_cut_name
    }

    /// Draws the picture, the choices and the table of turns. Returns true if a name was cut.
    fn draw_picture_body(&self, pen: &mut Pen<'_>, area: Rect) -> bool {
        let scene = self.game.scene();
        let sheet = scene.picture();
        let places = Places::new(area, &sheet, PANEL_WIDTH_MIN);
        let is_cut = self.game.draw_picture_at(pen, &places, &sheet);
        let choices = self.input().and_then(|input| input.choices());
        match (choices, places.right, places.below) {
            (Some(choices), Some(right), Some(below)) => {
                draw_choices(pen, below, &choices);
                scene.draw_turns(pen, Rect { height: below.y.saturating_sub(1 + right.y), ..right });
            }
            (Some(choices), Some(room), None) | (Some(choices), None, Some(room)) => {
                draw_choices(pen, room, &choices)
            }
            // The line shows the chosen one.
            (Some(_), None, None) => {}
            (None, right, below) => {
                if let Some(room) = right.or(below) {
                    scene.draw_turns(pen, room);
                }
            }
        }
        is_cut
    }

    /// The rows of the effect of Enter, or of an answer to the last key.
    fn hint(&self, width: usize) -> Vec<Piece<'static>> {
        let width = width.saturating_sub(1);
        match (&self.notice, self.input()) {
            (Some(notice), _) => {
                let rows = text::wrapped(notice, width).into_iter().take(HINT_ROWS_MAX);
                rows.map(|row| piece(row, Tone::Fault)).collect()
            }
            (None, Some(input)) => {
                let (text, tone) = input.hint(self.game.scene().moment);
                vec![piece(text::shortened(&text, width, &[": ", ", "]).to_owned(), tone)]
            }
            (None, None) => Vec::new(),
        }
    }

    /// The question to confirm with the answers that fit, or the text that is being typed.
    fn prompt_line(&self, width: usize) -> Vec<Piece<'static>> {
        let (question, answers) = match &self.confirm {
            Some(Confirm::Leave) => (
                " leave the game? ".into(),
                &[("r", "resign, a loss"), ("q", "leave, no result"), ("any other key", "play on")][..],
            ),
            Some(Confirm::Input(question)) => {
                (format!(" {question} "), &[("y", "yes"), ("any other key", "no")][..])
            }
            Some(Confirm::Action { question, .. }) => {
                (format!(" {question} "), &[("y", "yes"), ("any other key", "no")][..])
            }
            None => {
                let Some((typed, _)) = self.input().and_then(|input| input.typed()) else {
                    return Vec::new();
                };
                // Of a long line, the end is where characters are added.
                let typed = end_of(typed, width.saturating_sub(4));
                return vec![piece(" > ", Tone::Strong), piece(format!("{typed}_"), Tone::Text)];
            }
        };
        let mut pieces = vec![piece(question, Tone::Last)];
        pieces.extend(keys_that_fit(answers, width.saturating_sub(pieces_width(&pieces))));
        pieces
    }
}

/// Draws a list to choose from, around the chosen one, in as many columns as fit.
fn draw_choices(pen: &mut Pen<'_>, area: Rect, Choices { list, chosen, of }: &Choices<'_>) {
    let count = match list.len() {
        some if some < *of => {
            format!("{} of {}", arena_text::grouped(some as u64), arena_text::grouped(*of as u64))
        }
        all => arena_text::grouped(all as u64),
    };
    let head = [piece("legal actions ", Tone::Strong), piece(count, Tone::Faint)];
    pen.line(row_of(area, 0), &head);
    let rows = usize::from(area.height.saturating_sub(1));
    if rows == 0 || area.width == 0 {
        return;
    }
    let room = usize::from(area.width);
    // Only those around the chosen one count: a list can be very long.
    let shown_max = rows * room;
    let chosen = *chosen;
    let place = chosen.unwrap_or(0);
    let start = place.saturating_sub(shown_max / 2);
    let near = &list[start..list.len().min(start + shown_max)];
    let widest = near.iter().map(|action| text::width(&text::plain(action))).max().unwrap_or(0);
    let column = (widest + 2).min(room);
    let columns = (room / column).max(1);
    let a_page = rows * columns;
    let first = place / a_page * a_page;
    for (number, action) in list.iter().enumerate().skip(first).take(a_page) {
        let at = number - first;
        // A page has fewer rows and columns than the screen.
        let (x, y) = ((at / rows * column) as u16, 1 + (at % rows) as u16);
        let tone = if chosen == Some(number) { Tone::Cursor } else { Tone::Text };
        let cell =
            Rect { x: area.x + x, y: area.y + y, width: (column as u16).min(area.width - x), height: 1 };
        pen.target(cell, Target::Choice(number));
        pen.text(cell.x, cell.y, cell.width.saturating_sub(1), action, tone);
    }
}

/// The end of a text that fits, after an ellipsis if it is not all.
fn end_of(typed: &str, room: usize) -> String {
    let typed = text::plain(typed);
    if text::width(&typed) <= room {
        return typed.into_owned();
    }
    let mut start = typed.len();
    for (at, _) in typed.grapheme_indices(true).rev() {
        if text::width(&typed[at..]) >= room {
            break;
        }
        start = at;
    }
    format!("…{}", &typed[start..])
}
