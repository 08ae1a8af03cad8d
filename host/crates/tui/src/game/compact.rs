//! A game in a part of the screen: next to others, or as the showcase of a tournament.

use super::{GameScreen, chart};
use crate::OnScreen;
use crate::grid::{Layout, draw_blocks};
use crate::pen::{Pen, row_of};
use crate::theme::Tone;
use ratatui::layout::Rect;

/// The smallest number of rows below the boards for the chart to be there.
const CHART_HEIGHT_MIN: u16 = 5;

/// The largest number of rows of the chart.
const CHART_HEIGHT_MAX: u16 = 9;

/// The number of turns whose fuel is shown.
const FUEL_TURNS: usize = 9;

impl<G: OnScreen> GameScreen<G> {
    /// Draws the game: its number and its last event, both boards, and below them what there is room for.
    pub(crate) fn draw_compact(&self, pen: &mut Pen<'_>, area: Rect, is_selected: bool) {
        let scene = self.scene();
        let tone = if is_selected { Tone::Cursor } else { Tone::Strong };
        let number = format!("game {}", self.shown_number());
        let taken = 2 + pen.text(area.x + 1, area.y, area.width.saturating_sub(1), &number, tone);
        let rest = Rect { x: area.x + taken, width: area.width.saturating_sub(taken + 1), ..row_of(area, 0) };
        scene.draw_last_event(pen, rest);
        let boards = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let mut blocks = scene.seats().map(|owner| scene.block(owner, FUEL_TURNS));
        if Layout::new(boards, [&blocks[0], &blocks[1]], 0).rows_needed > boards.height {
            blocks.iter_mut().for_each(|block| block.notes.truncate(1));
        }
        let layout = Layout::new(boards, [&blocks[0], &blocks[1]], 0);
        let below = draw_blocks(pen, boards, [&blocks[0], &blocks[1]], layout).below;
        let room = Rect { width: area.width.saturating_sub(1), ..below };
        scene.draw_comment(pen, row_of(room, 0));
        if room.height > CHART_HEIGHT_MIN {
            let height = (room.height - 1).min(CHART_HEIGHT_MAX);
            let place = Rect { y: room.y + 1, height, ..room };
            chart::draw(pen, place, &self.timeline, self.position, self.left);
        }
    }

    /// The number of the game: in its tournament if it is known, or else in its match.
    fn shown_number(&self) -> u64 {
        self.number.unwrap_or_else(|| self.timeline.header().game.into())
    }
}
