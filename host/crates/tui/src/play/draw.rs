//! The looks of a person's screen.

use super::{Confirm, Phase, PlayScreen};
use crate::game::{PANEL_WIDTH_MIN, canvas, footer, keys_that_fit};
use crate::grid::{Layout, draw_blocks};
use crate::pen::{Pen, Piece, piece, pieces_width, row_from_end, row_of};
use crate::theme::{Theme, Tone};
use crate::{OnScreen, help, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

impl<G: OnScreen> PlayScreen<G> {
    pub(super) fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
        if let Phase::Over = self.phase {
            return self.game.draw_on(theme, buffer);
        }
        let Some((mut pen, area)) = canvas(theme, buffer) else {
            self.targets.take();
            return;
        };
        let body = Rect { y: area.y + 1, height: area.height - 6, ..area };
        let has_cut_name = self.draw_body(&mut pen, body);
        self.game.draw_title(&mut pen, row_of(area, 0), has_cut_name, &[self.state()]);
        self.game.scene().draw_last_two(&mut pen, row_from_end(area, 4), row_from_end(area, 3), self.me);
        pen.line(row_from_end(area, 2), &self.hint(area.width.into()));
        pen.line(row_from_end(area, 1), &self.prompt_line(area.width.into()));
        let list = self.input().map_or(&[][..], |input| input.keys());
        let quit = self.input().map_or("q", |input| input.quit_key());
        footer(&mut pen, row_from_end(area, 0), list, &[("?", "help"), (quit, "quit")]);
        if self.has_help {
            let leave = ("q esc", "leave: resign, or without a result");
            help::draw(&mut pen, area, &self.game.names(), &[&[G::PLAY_KEYS, &[leave]].concat(), G::GLYPHS]);
        }
        self.targets.replace(pen.into_targets());
    }

    fn state(&self) -> Piece<'static> {
        match self.phase {
            Phase::Waiting if self.resigns => piece("you resign at your next turn ", Tone::Last),
            Phase::Waiting => piece("the bot is thinking ", Tone::Faint),
            Phase::Placing(_) => piece("place your ships ", Tone::Good),
            Phase::Turn(_) => piece("your turn ", Tone::Good),
            Phase::Over => piece("over ", Tone::Strong),
        }
    }

    /// Draws the boards and the table of turns. Returns true if a name above a board was cut.
    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) -> bool {
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

    /// The effect of Enter, or an answer to the last key.
    fn hint(&self, width: usize) -> Vec<Piece<'static>> {
        let (text, tone) = match (&self.notice, self.input()) {
            (Some(notice), _) => (notice.clone(), Tone::Fault),
            (None, Some(input)) => input.hint(self.game.scene().moment),
            (None, None) => return Vec::new(),
        };
        let text = text::shortened(&text, width.saturating_sub(1), &[": ", ", "]).to_owned();
        vec![piece(" ", Tone::Text), piece(text, tone)]
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
                return vec![piece(" > ", Tone::Strong), piece(format!("{typed}_"), Tone::Text)];
            }
        };
        let mut pieces = vec![piece(question, Tone::Last)];
        pieces.extend(keys_that_fit(answers, width.saturating_sub(pieces_width(&pieces))));
        pieces
    }
}
