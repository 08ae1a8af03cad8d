//! A board whose cells are larger than a character: in pixels where the terminal has colours, else as blocks of glyphs.

use crate::pen::Pen;
use crate::theme::Ink;
use arena_pictures::{Cell, Emphasis, Grid, Hull, Stroke, Tone, spot};
use arena_rules::Coord;
use ratatui::layout::Rect;

/// The largest number of times that cells grow. Chosen: five fills 250 columns.
pub(super) const SCALE_MAX: u16 = 5;

/// The columns and rows of a cell of a board at a scale above 1: at 2 and 3, 4×2 and 6×3.
pub(super) fn pitch(cell_width: u8, scale: u16) -> (u16, u16) {
    if cell_width > 1 { (4 * scale, 2 * scale) } else { (2 * scale, scale) }
}

/// Draws a whole board with its labels in a part of the screen that has room for it.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, gutter: u16, grid: &Grid, scale: u16) {
    let (columns, rows) = pitch(grid.cell_width, scale);
    let left = area.x + gutter;
    for column in 0..grid.size.width {
        let x = left + u16::from(column) * columns + (columns - 1) / 2;
        pen.text(x, area.y, 1, &spot::column(column).to_string(), Tone::Faint);
    }
    for row in 0..grid.size.height {
        let y = area.y + 1 + u16::from(row) * rows;
        pen.text(area.x, y + (rows - 1) / 2, 2, &format!("{row:>2}"), Tone::Faint);
        for column in 0..grid.size.width {
            let at = Coord::new(row, column);
            let Some(cell) = grid.cell(at) else { continue };
            let place = Rect { x: left + u16::from(column) * columns, y, width: columns, height: rows };
            let is_even = (row + column).is_multiple_of(2);
            match pen.theme().has_pixels() {
                true if grid.cell_width == 1 => draw_pixels(pen, place, cell, is_even),
                true => draw_sign(pen, place, cell, is_even),
                false => draw_glyphs(pen, place, cell, grid.cell_width),
            }
        }
    }
}

/// Draws a cell in pixels, two for each row of the screen.
fn draw_pixels(pen: &mut Pen<'_>, place: Rect, cell: &Cell, is_even: bool) {
    let side = place.width;
    for row in 0..place.height {
        for column in 0..place.width {
            let [upper, lower] = [2 * row, 2 * row + 1].map(|y| pixel(cell, side, (column, y), is_even));
            pen.pixels(place.x + column, place.y + row, upper, lower);
        }
    }
    let tone = match cell.text[0] {
        _ if cell.is_written => cell.tone,
        // With the sixteen colours, only a dot shows where the cells of open water are.
        '·' if cell.emphasis == Emphasis::None && !pen.theme().has_background() => Tone::Faint,
        _ => return,
    };
    let (x, y) = (place.x + (side - 1) / 2, place.y + (place.height - 1) / 2);
    let text: String = cell.text.iter().collect();
    pen.text(x, y, 2, text.trim_end(), tone);
}

/// The colour of a pixel of a cell that is `side` pixels wide and high.
fn pixel(cell: &Cell, side: u16, (x, y): (u16, u16), is_even: bool) -> Ink {
    let sea = cell.shade.map_or(Ink::Sea(is_even), Ink::Warm);
    let (dx, dy) = (centred(x, side), centred(y, side));
    let is_edge = x.min(y) == 0 || x.max(y) == side - 1;
    match cell.emphasis {
        Emphasis::Last if is_edge && side > 4 => return Ink::Last,
        Emphasis::Cursor if is_edge => return Ink::Cursor,
        Emphasis::Reach if is_edge && dx == dy => return Ink::Good,
        _ => {}
    }
    let water = if cell.emphasis == Emphasis::Last && side <= 4 { Ink::Last } else { sea };
    let is_hull = cell.hull.is_some_and(|hull| is_hull(hull, side, x, y));
    // The distances are in half pixels from the middle.
    let ink = match cell.text[0] {
        _ if is_stroke(cell.stroke, side, x, y) => Some(Ink::Stroke),
        // A text is in the middle: of the ship below it, the outline is left, if there is room.
        _ if cell.is_written => {
            (is_hull && side > 4 && (x.min(y) == 1 || x.max(y) == side - 2)).then_some(Ink::Hull)
        }
        'o' if dx.max(dy) <= side / 2 && (side <= 4 || dx.max(dy) > side / 4) => Some(Ink::Foam),
        'O' if dx.max(dy) > side / 2 && !is_edge => Some(Ink::Foam),
        '°' if dx + dy <= side => Some(Ink::Foam),
        '-' if dy < 2 && dx < side - 2 => Some(Ink::Shallow),
        'X' if dx.abs_diff(dy) < 2 && (side <= 4 || dx < side - 1) => Some(Ink::Fire),
        '+' if dx.min(dy) < 2 && dx.max(dy) < side - 2 => Some(Ink::Fire),
        '*' if dx + dy < side + side / 2 => Some(if dx + dy < side / 2 { Ink::Last } else { Ink::Fire }),
        '.' if dx.max(dy) < 2 => Some(Ink::Last),
        // Where there is room for a part of the cross only, a stroke leaves the wreck to be seen.
        '#' if dx.abs_diff(dy) < 2 && dx < side - 2 && (side > 4 || x == y) => Some(Ink::Fire),
        '#' if is_hull || cell.hull.is_none() => Some(Ink::Wreck),
        '□' if is_hull => Some(Ink::Good),
        'x' if is_hull => Some(Ink::Fire),
        _ if is_hull => Some(Ink::Hull),
        _ => None,
    };
    ink.unwrap_or(water)
}

/// The distance of a pixel from the middle of its cell, in half pixels.
const fn centred(place: u16, side: u16) -> u16 {
    (2 * place + 1).abs_diff(side)
}

/// True if a line goes over a pixel.
fn is_stroke(stroke: Stroke, side: u16, x: u16, y: u16) -> bool {
    let [right, down] = [x, y].map(|place| 2 * i32::from(place) + 1 - i32::from(side));
    stroke.steps().any(|step| match step {
        (0, across) => down.abs() < 2 && right * across >= 0,
        (upright, 0) => right.abs() < 2 && down * upright >= 0,
        (upright, across) => down * upright == right * across && down * upright >= 0,
    })
}

/// True if a pixel belongs to the ship: it has a margin of water at its ends, and round corners.
fn is_hull(hull: Hull, side: u16, x: u16, y: u16) -> bool {
    let last = side - 1;
    let at_edge = [y == 0, x == last, y == last, x == 0];
    let goes_on = [hull.north, hull.east, hull.south, hull.west];
    if at_edge.into_iter().zip(goes_on).any(|(at_edge, goes_on)| at_edge && !goes_on) {
        return false;
    }
    // The pixel inside of the margin at an open end has its corners cut, if there is room.
    let near = [y <= 1, x + 1 >= last, y + 1 >= last, x <= 1];
    let is_open = |side: usize| near[side] && !goes_on[side];
    let is_corner = (is_open(0) || is_open(2)) && (is_open(1) || is_open(3));
    side <= 6 || !is_corner
}

/// Draws the characters of a cell in the middle of a tile of its colour.
fn draw_sign(pen: &mut Pen<'_>, place: Rect, cell: &Cell, is_even: bool) {
    let side = place.width.min(2 * place.height);
    for row in 0..place.height {
        for column in 0..place.width {
            let ink = |y: u16| {
                let is_edge = column == 0 || column == place.width - 1 || y == 0 || y == 2 * place.height - 1;
                match (cell.emphasis, cell.tone) {
                    (Emphasis::Cursor, _) if is_edge => Ink::Cursor,
                    (Emphasis::Last, _) if is_edge => Ink::Last,
                    (Emphasis::Reach, _) if is_edge && (column + y).is_multiple_of(3) => Ink::Good,
                    _ if is_stroke(cell.stroke, side, column, y) => Ink::Stroke,
                    _ => cell.shade.map_or(Ink::Sea(is_even), Ink::Warm),
                }
            };
            pen.pixels(place.x + column, place.y + row, ink(2 * row), ink(2 * row + 1));
        }
    }
    let text: String = cell.text.iter().collect();
    let middle = place.y + (place.height - 1) / 2;
    pen.text(place.x + (side.max(3) - 3) / 2, middle, 3, &text, cell.tone);
}

/// Draws a cell as a block of its glyph; water and misses stay small.
fn draw_glyphs(pen: &mut Pen<'_>, place: Rect, cell: &Cell, cell_width: u8) {
    let glyph = cell.text[0];
    let is_open = matches!(glyph, '·' | 'o' | '-' | '.' | '°' | 'O') || cell.stroke.sign() == Some(glyph);
    let is_solid = cell_width == 1 && !is_open && !cell.is_written;
    let middle = (place.height - 1) / 2;
    let room = usize::from(place.width - 1);
    let tone = if cell.emphasis == Emphasis::Cursor { Tone::Cursor } else { cell.tone };
    for row in 0..place.height {
        let text = match (is_solid, row == middle) {
            (true, _) => glyph.to_string().repeat(room),
            (false, true) => {
                let text: String = cell.text.iter().collect();
                format!("{:^room$}", text.trim_end())
            }
            (false, false) => " ".repeat(room),
        };
        let y = place.y + row;
        pen.text(place.x, y, place.width - 1, &text, tone);
        let (open, close, tone) = match cell.emphasis {
            Emphasis::None => continue,
            Emphasis::Last => ("[", "]", Tone::Last),
            Emphasis::Cursor => (">", "<", Tone::Strong),
            Emphasis::Reach => (":", ":", Tone::Good),
        };
        // The column before a cell is the gap of the one before, or the end of the gutter.
        pen.text(place.x.saturating_sub(1), y, 1, open, tone);
        pen.text(place.x + place.width - 1, y, 1, close, tone);
    }
}
