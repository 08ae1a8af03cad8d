//! How the screen of a person who plays looks.

use super::{Confirm, Phase, PlayScreen};
use crate::game::{Keys, Turns, block_of, canvas, draw_last_event, footer, help, keys, mark_cursor, title};
use crate::grid::{Focus, Sight, draw_blocks};
use crate::moment::Moment;
use crate::pen::{Pen, Piece, piece, row_from_end, row_of};
use crate::theme::{Theme, Tone};
use crate::{spot, words};
use arena_rules::GameKind;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The least columns of what is beside the boards.
const PANEL_WIDTH_MIN: u16 = 22;

impl PlayScreen {
    /// Draws the screen on a buffer of any size.
    pub fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        if let Phase::Over = self.phase {
            return self.game.draw(theme, buffer);
        }
        let Some((mut pen, area)) = canvas(theme, buffer) else { return };
        let pen = &mut pen;
        let what = words::title(self.game.timeline());
        title(pen, row_of(area, 0), &what, &[self.state()]);
        self.draw_body(pen, Rect { y: area.y + 1, height: area.height - 5, ..area });
        let (timeline, position) = (self.game.timeline(), self.game.position());
        draw_last_event(pen, row_from_end(area, 3), timeline, position, Sight::Of(self.me));
        pen.line(row_from_end(area, 2), &self.hint());
        pen.line(row_from_end(area, 1), &self.prompt());
        self.draw_footer(pen, row_from_end(area, 0));
        if self.has_help {
            help(pen, area, "playing", &self.help_keys(), self.game.timeline());
        }
    }

    fn state(&self) -> Piece<'static> {
        match self.phase {
            Phase::Waiting if self.resigns => piece("you resign at your next turn ", Tone::Last),
            Phase::Waiting => piece("the bot is thinking ", Tone::Faint),
            Phase::Placing(_) | Phase::Positioning(_) => piece("place your ships ", Tone::Good),
            Phase::Aiming(_) | Phase::Acting(_) => piece("your turn ", Tone::Good),
            Phase::Over => piece("over ", Tone::Strong),
        }
    }

    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) {
        let (timeline, position) = (self.game.timeline(), self.game.position());
        let [mut own, mut other] = [self.me, self.me.other()]
            .map(|owner| block_of(timeline, self.game.moment(), position, owner, Sight::Of(self.me)));
        // A person has no fuel, and nothing is known of a board before the battle.
        own.notes.truncate(1);
        if matches!(self.phase, Phase::Placing(_) | Phase::Positioning(_)) {
            other.notes.truncate(1);
        }
        match (&self.phase, self.game.moment()) {
            (Phase::Placing(placing), _) => {
                own.grid = placing.grid();
                own.focus = Focus { at: Some(placing.cursor()), top: None };
            }
            (Phase::Positioning(positioning), _) => {
                own.grid = positioning.grid();
                own.focus = Focus { at: Some(positioning.cursor()), top: None };
            }
            (Phase::Aiming(aiming), _) => mark_cursor(&mut other, aiming.cursor()),
            (Phase::Acting(acting), Moment::Submarine(game)) => {
                let target = if acting.is_on_own_board() { &mut own } else { &mut other };
                acting.mark(&mut target.grid, game);
            }
            _ => {}
        }
        let rows = if own.grid.cell_width > 1 { 9 } else { u16::from(own.grid.size.height) };
        let air = u16::from(area.height > rows + 2 + own.notes.len() as u16);
        let area = Rect { y: area.y + air, height: area.height - air, ..area };
        let rest = draw_blocks(pen, area, [&own, &other]);
        if rest.right.width >= PANEL_WIDTH_MIN {
            Turns { timeline, position, sight: Sight::Of(self.me), left: self.me }.draw(pen, rest.right);
        }
    }

    /// What can be done now, and whether it is legal; or what the person should know.
    fn hint(&self) -> Vec<Piece<'static>> {
        let (words, tone) = match (&self.phase, self.game.moment()) {
            _ if self.told.is_some() => (self.told.clone().unwrap_or_default(), Tone::Fault),
            (Phase::Placing(placing), _) => placing.hint(),
            (Phase::Positioning(positioning), _) => positioning.hint(),
            (Phase::Aiming(aiming), Moment::Battleship(game)) => aiming.hint(game),
            (Phase::Acting(acting), Moment::Submarine(game)) => acting.hint(game),
            _ => (String::new(), Tone::Faint),
        };
        vec![piece(" ", Tone::Text), piece(words, tone)]
    }

    fn prompt(&self) -> Vec<Piece<'static>> {
        match self.confirm {
            Some(Confirm::Leave) => {
                let mut pieces = vec![piece(" leave the game? ", Tone::Last)];
                pieces.extend(keys(&[
                    ("r", "resign, a loss"),
                    ("q", "leave, no result"),
                    ("any other key", "play on"),
                ]));
                pieces
            }
            Some(Confirm::Skip(words)) => {
                let mut pieces = vec![piece(format!(" skip? {words} "), Tone::Last)];
                pieces.extend(keys(&[("y", "skip"), ("any other key", "aim on")]));
                pieces
            }
            None => {
                let typed = match &self.phase {
                    Phase::Aiming(aiming) => aiming.typed(),
                    Phase::Acting(acting) => acting.typed(),
                    _ => return Vec::new(),
                };
                vec![piece(" > ", Tone::Strong), piece(format!("{typed}_"), Tone::Text)]
            }
        }
    }

    fn draw_footer(&self, pen: &mut Pen<'_>, row: Rect) {
        let size = self.game.timeline().size();
        // A letter that names a column begins a spot, and means something else only with Enter.
        let has_column = |letter| spot::column_of(size, letter).is_some();
        let list: &[(&str, &str)] = match self.phase {
            Phase::Placing(_) => &[
                ("arrows", "move"),
                ("r", "rotate"),
                ("enter", "place"),
                ("x", "random"),
                ("backspace", "undo"),
            ],
            Phase::Positioning(_) => {
                &[("arrows", "move"), ("enter", "place"), ("x", "random"), ("backspace", "undo")]
            }
            Phase::Aiming(_) if has_column('s') => {
                &[("arrows", "aim"), ("enter", "shoot"), ("b7", "a spot"), ("s enter", "skip")]
            }
            Phase::Aiming(_) => &[("arrows", "aim"), ("enter", "shoot"), ("b7", "a spot"), ("s", "skip")],
            Phase::Acting(_) => {
                &[("arrows", "aim"), ("enter", "do it"), ("tab", "attack or move"), ("m w b3", "move")]
            }
            Phase::Waiting | Phase::Over => &[],
        };
        let quit = if matches!(self.phase, Phase::Aiming(_)) && has_column('q') { "esc" } else { "q" };
        footer(pen, row, list, &[("?", "help"), (quit, "quit")]);
    }

    fn help_keys(&self) -> Keys<'static> {
        let mut keys = match self.game.timeline().header().rules.game() {
            GameKind::Battleship => vec![
                ("arrows", "move the cursor; home, end and page keys too"),
                ("r", "placing: turn the ship"),
                ("x", "placing: draw a random fleet, and another"),
                ("backspace", "placing: take the last ship back"),
                ("enter", "place the ship, shoot"),
                ("b7", "shoot at column b, row 7"),
                ("7,1", "the same, as row,column, both from 0"),
                ("s", "skip; after it enter, where s is a column"),
            ],
            GameKind::Submarine => vec![
                ("arrows", "move the cursor"),
                ("x", "placing: draw the ships at random"),
                ("backspace", "placing: take the last ship back"),
                ("tab", "attack, or which ship to move"),
                ("enter", "do it; what is in reach is between colons"),
                ("b3", "attack column b, row 3; a 3,1 is the same"),
                ("m w b3", "move the battleship there; or m c, m s"),
            ],
        };
        keys.push(("q esc", "leave: resign, or without a result"));
        keys
    }
}
