//! A game in a part of the screen: next to others, or as the showcase of a tournament.

use super::scoreboard::Scoreboard;
use super::{GameScreen, chart};
use crate::big::Letters;
use crate::grid::{Block, Layout, draw_blocks};
use crate::on_screen::OnScreen;
use crate::pen::{Pen, part_below, row_of};
use arena_pictures::Tone;
use ratatui::layout::Rect;

/// The smallest number of rows below the boards for the chart to be there.
const CHART_HEIGHT_MIN: u16 = 5;

/// The largest number of rows of the chart.
const CHART_HEIGHT_MAX: u16 = 9;

/// The number of turns whose fuel is shown.
const FUEL_TURNS: usize = 9;

impl<G: OnScreen> GameScreen<G> {
    /// True if both boards, or the picture, fit completely on an area, with the names.
    pub(crate) fn fits_compact(&self, area: Rect) -> bool {
        if !G::HAS_BOARDS {
            return self.fits_compact_picture(area);
        }
        let boards = part_below(area, 1);
        let (blocks, layout) = self.blocks_for(boards);
        layout.rows_needed <= boards.height && layout.shows_all(boards, [&blocks[0], &blocks[1]])
    }

    /// Both boards, with one note each on an area that has no room for two.
    fn blocks_for(&self, area: Rect) -> ([Block; 2], Layout) {
        let (mut blocks, layout) = self.scene().blocks_for(area, &[FUEL_TURNS], 0);
        if layout.rows_needed <= area.height {
            return (blocks, layout);
        }
        blocks.iter_mut().for_each(|block| block.notes.truncate(1));
        let layout = Layout::new(area, [&blocks[0], &blocks[1]], 0);
        (blocks, layout)
    }

    /// Draws the game: its number and its last event, both boards, and below them what there is room for.
    pub(crate) fn draw_compact(&self, pen: &mut Pen<'_>, area: Rect, is_selected: bool) {
        let scene = self.scene();
        let tone = if is_selected { Tone::Cursor } else { Tone::Strong };
        let number = format!("game {}", self.timeline.number());
        let taken = 2 + pen.text(area.x + 1, area.y, area.width.saturating_sub(1), &number, tone);
        let rest = Rect { x: area.x + taken, width: area.width.saturating_sub(taken + 1), ..row_of(area, 0) };
        scene.draw_last_event(pen, rest);
        if !G::HAS_BOARDS {
            return self.draw_compact_picture(pen, area);
        }
        let mut boards = part_below(area, 1);
        let (blocks, layout) = self.blocks_for(boards);
        let columns = layout.columns(boards, [&blocks[0], &blocks[1]]);
        let spare = boards.height.saturating_sub(layout.rows_needed);
        // With room for both, the chart keeps its rows.
        let of_chart = CHART_HEIGHT_MIN + 2;
        let spare = if spare >= Letters::Half.rows() + of_chart { spare - of_chart } else { spare };
        if let Some(scoreboard) = Scoreboard::new(&scene, columns, spare, pen.theme().is_ascii) {
            scoreboard.draw(pen, boards, &scene);
            boards = part_below(boards, scoreboard.letters.rows());
        }
        let below = draw_blocks(pen, boards, [&blocks[0], &blocks[1]], layout).below;
        let room = Rect { width: area.width.saturating_sub(1), ..below };
        scene.draw_comment(pen, row_of(room, 0));
        if room.height > CHART_HEIGHT_MIN {
            let height = (room.height - 1).min(CHART_HEIGHT_MAX);
            let place = Rect { height, ..part_below(room, 1) };
            chart::draw(pen, place, &self.timeline, self.position, self.left);
        }
    }
}
