//! The looks of the dashboard.

use super::games::GameList;
use super::{DashboardScreen, Model, Running, Standing};
use crate::game::{canvas, footer, title};
use crate::grid::{Block, Focus, Layout, Title, draw_blocks};
use crate::pen::{Pen, Piece, piece, pieces_width, row_from_end, row_of};
use crate::target::Target;
use crate::text::{self, fit, plain};
use crate::theme::{Theme, Tone};
use crate::{OnScreen, Sight, help};
use arena_rules::{Coord, Rules, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The largest number of columns of a bot's label in the standings. Chosen: longer ones are rare, and the bars need room.
const LABEL_WIDTH_MAX: usize = 16;

/// The smallest number of columns of the list of faults with the empty column before it. Chosen: two games of ten by ten
/// fit beside it on 80.
const FAULTS_WIDTH_MIN: u16 = 31;

/// The smallest number of columns of a running game.
const GAME_WIDTH_MIN: u16 = 23;

/// The keys and the glyphs with their meanings.
const HELP: [&help::Keys; 2] = [
    &[
        ("← →", "the game before, the next one"),
        ("enter", "the game's boards large, or all games"),
        ("↑ ↓", "scroll the standings"),
        ("g", "all games so far; enter replays a kept one"),
        ("t q", "other colours; leave, the tournament goes on"),
        ("ctrl-c", "stop the tournament"),
    ],
    &[
        ("■■■··", "the part of a side that is not hit"),
        ("■ X # o", "a ship, a hit, a ship that is sunk, a miss"),
    ],
];

impl<G: OnScreen> DashboardScreen<G> {
    pub(super) fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
        let Some((mut pen, area)) = canvas(theme, buffer) else {
            self.targets.take();
            return;
        };
        let model = &self.seen.model;
        title(&mut pen, row_of(area, 0), &plain(&model.title), &[piece(state(model), Tone::Faint)]);
        draw_progress(&mut pen, row_of(area, 1), model);
        let body = Rect { y: area.y + 3, height: area.height - 4, ..area };
        if let Some(list) = &self.list {
            list.draw(&mut pen, body, &self.shared);
            GameList::draw_keys(&mut pen, row_from_end(area, 0));
        } else {
            match self.seen.running.get(self.selected()) {
                Some(running) if self.is_large => draw_large(&mut pen, body, running),
                _ => self.draw_body(&mut pen, body),
            }
            self.draw_keys(&mut pen, row_from_end(area, 0));
        }
        if self.has_help {
            help::draw(&mut pen, area, "a tournament", &HELP);
        }
        self.targets.replace(pen.into_targets());
    }

    fn draw_keys(&self, pen: &mut Pen<'_>, row: Rect) {
        let model = &self.seen.model;
        let large = if self.is_large { "all games" } else { "enlarge" };
        let mut list = vec![("←→", "game"), ("enter", large)];
        if model.is_over && self.seen.running.is_empty() {
            list.clear();
        }
        list.extend([("↑↓", "standings"), ("g", "games")]);
        let quit = if model.is_over { "quit" } else { "leave, games go on" };
        footer(pen, row, &list, &[("?", "help"), ("q", quit)]);
    }

    /// The selected game, or the last one if there are fewer now.
    pub(super) fn selected(&self) -> usize {
        self.selected.min(self.seen.running.len().saturating_sub(1))
    }

    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) {
        let model = &self.seen.model;
        // The standings take the rows they need, and at most half; the games and the faults have the rest.
        let half = area.height / 2;
        let standings = (model.standings.len() as u64 + 1).min(half.into()) as u16;
        draw_standings(pen, Rect { height: standings, ..area }, &model.standings, self.top);
        let below = area.y + standings + 1;
        let rest = Rect { y: below, height: area.bottom().saturating_sub(below), ..area };
        // The terminal is wide enough for both.
        let faults = FAULTS_WIDTH_MIN.max(rest.width * 3 / 8);
        let games = Rect { width: rest.width - faults, ..rest };
        self.draw_games(pen, games);
        // An empty column is between the two.
        draw_faults(pen, Rect { x: rest.x + games.width + 1, width: faults - 1, ..rest }, model);
    }

    fn draw_games(&self, pen: &mut Pen<'_>, area: Rect) {
        let running = &self.seen.running;
        let head = format!(" playing {}", running.len());
        pen.line(row_of(area, 0), &[piece(head, Tone::Strong)]);
        let area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let Some(first) = running.first() else {
            let words =
                if self.seen.model.is_over { " the tournament is over" } else { " no game is being played" };
            return pen.line(row_of(area, 0), &[piece(words, Tone::Faint)]);
        };
        let size = first.moment.rules().size();
        let boards = (u16::from(size.width) * 2 + 3, u16::from(size.height));
        let has_boards = boards.1 + 2 <= area.height && boards.0 < area.width;
        let width = GAME_WIDTH_MIN.max(if has_boards { boards.0 } else { 0 }) + 2;
        let height = if has_boards { boards.1 + 3 } else { 3 };
        let across = ((area.width + 1) / width).max(1);
        let down = ((area.height + 1) / height).max(1);
        let fit_here = usize::from(across) * usize::from(down);
        // The part of the list with the selected game.
        let start = self.selected() / fit_here * fit_here;
        for (place, (number, running)) in (0..).zip(running.iter().enumerate().skip(start).take(fit_here)) {
            let (column, row): (u16, u16) = (place % across, place / across);
            let (x, y) = (area.x + 1 + column * width, area.y + row * height);
            let place = Rect { x, y, width: width - 2, height: height - 1 }.intersection(area);
            pen.target(place, Target::Game(number));
            draw_small(pen, place, running, number == self.selected(), has_boards);
        }
    }
}

/// The progress of the tournament, for the right of the title.
fn state(model: &Model) -> String {
    let games = if model.games_planned == 1 { "game" } else { "games" };
    let of = format!(
        "{} of {} {games}",
        arena_text::grouped(model.games_done),
        arena_text::grouped(model.games_planned)
    );
    if model.is_over {
        return format!("{of}, over ");
    }
    let speed = match model.games_per_second {
        Some(speed) if speed >= 10.0 => format!(", {speed:.0} a second"),
        Some(speed) => format!(", {speed:.1} a second"),
        None => String::new(),
    };
    let left = model.time_left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
    format!("{of}{speed}{left} ")
}

/// A time for people: `8 s`, `12 min`, `3 h 20 min`.
fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        // Rounded up, so that 1 min does not follow 100 s.
        seconds @ 100..6_000 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

fn draw_progress(pen: &mut Pen<'_>, row: Rect, model: &Model) {
    let room = usize::from(row.width).saturating_sub(8);
    let done = model.games_done.min(model.games_planned);
    let cells = share(done, model.games_planned, room);
    let percent = (u128::from(done) * 100).checked_div(model.games_planned.into()).unwrap_or(0);
    pen.line(
        row,
        &[
            piece(" ", Tone::Text),
            piece("━".repeat(cells), Tone::Good),
            piece("─".repeat(room - cells), Tone::Faint),
            piece(format!(" {percent:>3} %"), Tone::Faint),
        ],
    );
    if let Some(note) = &model.note {
        let below = Rect { y: row.y + 1, ..row };
        pen.line(below, &[piece(format!(" {}", plain(note)), Tone::Last)]);
    }
}

/// The cells of a bar, `room` cells long, that stand for a part of a whole.
fn share(part: u64, whole: u64, room: usize) -> usize {
    let cells = (u128::from(part) * room as u128).checked_div(whole.into()).unwrap_or(0);
    usize::try_from(cells).unwrap_or(room).min(room)
}

fn draw_standings(pen: &mut Pen<'_>, area: Rect, standings: &[Standing], top: usize) {
    let room = usize::from(area.height.saturating_sub(1));
    let top = top.min(standings.len().saturating_sub(room));
    let lines: Vec<[String; 6]> = standings.iter().map(numbers).collect();
    let label_width = standings.iter().map(|row| text::width(&plain(&row.label))).max().unwrap_or(0);
    // Each column is as wide as the widest thing in it, scrolled or not, so that nothing jumps.
    let widths: Vec<usize> = HEADS
        .iter()
        .enumerate()
        .map(|(column, head)| lines.iter().map(|line| line[column].len()).max().unwrap_or(0).max(head.len()))
        .collect();
    // If not everything fits, labels are cut rather than numbers.
    let taken = 7 + widths.iter().map(|width| width + 2).sum::<usize>();
    let room_for_labels = usize::from(area.width).saturating_sub(taken).clamp(6, LABEL_WIDTH_MAX);
    let label_width = label_width.clamp(6, room_for_labels);
    let heads: String = HEADS.iter().zip(&widths).map(|(head, &width)| format!("  {head:>width$}")).collect();
    pen.line(row_of(area, 0), &[piece(format!("     {:<label_width$}{heads}", "bot"), Tone::Faint)]);
    let shown = standings.iter().zip(&lines).enumerate().skip(top).take(room);
    for (row, (number, (standing, line))) in (1..).zip(shown) {
        let row = row_of(area, row);
        let label = fit(&standing.label, label_width);
        let pad = " ".repeat(label_width.saturating_sub(text::width(&label)));
        let place = if standing.is_out {
            piece(" out ", Tone::Fault)
        } else {
            piece(format!("{:>4} ", number + 1), Tone::Faint)
        };
        let mut pieces = vec![place, piece(label, Tone::Strong), piece(pad, Tone::Text)];
        for (column, (number, &width)) in line.iter().zip(&widths).enumerate() {
            let is_fault = HEADS[column] == "faults" && standing.faults > 0;
            pieces
                .push(piece(format!("  {number:>width$}"), if is_fault { Tone::Fault } else { Tone::Text }));
        }
        pieces.push(piece("  ", Tone::Text));
        let taken = pieces_width(&pieces);
        pieces.extend(share_bar(standing, usize::from(row.width).saturating_sub(taken)));
        pen.line(row, &pieces);
    }
    if top + room < standings.len() && area.height > 1 {
        let more = format!(" {} more ↓ ", standings.len() - top - room);
        pen.line_right(row_of(area, 0), &[piece(more, Tone::Last)]);
    }
}

/// The columns of the standings, after the label.
const HEADS: [&str; 6] = ["points", "games", "won", "drawn", "lost", "faults"];

fn numbers(standing: &Standing) -> [String; 6] {
    let Standing { games, wins, draws, losses, faults, .. } = standing;
    let points = points(standing.half_points);
    [points, games.to_string(), wins.to_string(), draws.to_string(), losses.to_string(), faults.to_string()]
}

/// The share of the points as a bar with a number, as far as there is room.
fn share_bar<'a>(standing: &Standing, room: usize) -> Vec<Piece<'a>> {
    /// ` 100.0 %` and the space at the end of the line.
    const NUMBER_WIDTH: usize = 9;
    let Some(share_per_mille) = standing.share_per_mille() else { return Vec::new() };
    let Some(room) = room.checked_sub(NUMBER_WIDTH) else { return Vec::new() };
    // Chosen: a longer bar is no clearer.
    let room = room.min(30);
    let cells = share(share_per_mille, 1_000, room);
    let number = format!("{}.{} %", share_per_mille / 10, share_per_mille % 10);
    vec![
        piece("█".repeat(cells), Tone::Good),
        piece("·".repeat(room - cells), Tone::Faint),
        piece(format!(" {number:>7} "), Tone::Text),
    ]
}

/// Points with a half as a half: `7` or `7.5`.
fn points(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", half_points / 2)
}

fn draw_faults(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    pen.line(row_of(area, 0), &[piece("faults", Tone::Strong)]);
    let refused = model.refused.iter().map(|refused| {
        vec![
            piece(format!("{} refused ", fit(&refused.label, 14)), Tone::Fault),
            piece(plain(&refused.why).into_owned(), Tone::Faint),
        ]
    });
    let faults = model.faults.iter().map(|fault| {
        let place = if fault.turn == 0 { "placing".to_owned() } else { format!("turn {}", fault.turn) };
        vec![
            piece(format!("{} ", fit(&fault.label, 14)), Tone::Text),
            piece(fault.class.name(), Tone::Fault),
            piece(format!(" game {}, {place}: {}", fault.game, plain(&fault.detail)), Tone::Faint),
        ]
    });
    if model.faults.is_empty() && model.refused.is_empty() {
        pen.line(row_of(area, 1), &[piece("none so far", Tone::Faint)]);
    }
    for (row, line) in (1..area.height).zip(refused.chain(faults)) {
        pen.line(row_of(area, row), &line);
    }
}

/// A running game in a small place: the names, a bar for each side, and the boards if they fit.
fn draw_small<G: OnScreen>(
    pen: &mut Pen<'_>,
    area: Rect,
    running: &Running<G>,
    is_selected: bool,
    has_boards: bool,
) {
    let [first, second] = running.names.each_ref().map(|name| fit(name, 9));
    let name = format!("{} {first} v {second}", running.number);
    let tone = if is_selected { Tone::Cursor } else { Tone::Text };
    pen.line(row_of(area, 0), &[piece(fit(&name, area.width.into()), tone)]);
    let half = (area.width.saturating_sub(1)) / 2;
    for (number, owner) in (0..).zip(Seat::BOTH) {
        let place = Rect { x: area.x + number * (half + 1), width: half, ..area }.intersection(area);
        let (hit, all) = G::damage(&running.moment, owner);
        let bar = share(hit.into(), all.into(), 5);
        let pieces = [
            piece("■".repeat(5 - bar), Tone::Ship),
            piece("·".repeat(bar), Tone::Faint),
            piece(format!(" {}/{all}", all.saturating_sub(hit)), Tone::Faint),
        ];
        pen.line(row_of(place, 1), &pieces);
        if has_boards {
            let board = Rect { y: place.y + 2, height: place.height.saturating_sub(2), ..place };
            draw_mini(pen, board, running, owner);
        }
    }
}

/// A board with a character for each cell.
fn draw_mini<G: OnScreen>(pen: &mut Pen<'_>, area: Rect, running: &Running<G>, owner: Seat) {
    let grid = G::board(&running.moment, owner);
    for row in 0..grid.size.height {
        let cells = (0..grid.size.width).filter_map(|column| grid.cell(Coord::new(row, column)));
        let pieces: Vec<Piece<'_>> = cells
            .map(|cell| {
                let glyph = cell.text.into_iter().find(|&glyph| glyph != ' ').unwrap_or(' ');
                piece(glyph.to_string(), cell.tone)
            })
            .collect();
        pen.line(row_of(area, row.into()), &pieces);
    }
}

/// A running game with its boards as large as they are elsewhere.
fn draw_large<G: OnScreen>(pen: &mut Pen<'_>, area: Rect, running: &Running<G>) {
    let [first, second] = Seat::BOTH.map(|owner| {
        let is_mover = running.moment.replay.to_move() == Some(owner);
        let name = format!("{} {}", u8::from(owner), running.names[owner.index()]);
        Block {
            title: Title {
                before: piece(if is_mover { "▸ " } else { "  " }, Tone::Last),
                name: piece(name, Tone::Strong),
                after: piece("", Tone::Text),
            },
            grid: G::board(&running.moment, owner),
            notes: vec![G::fleet_note(&running.moment, owner, Sight::Truth)],
            focus: Focus::default(),
        }
    });
    let layout = Layout::new(area, [&first, &second], 0);
    let rest = draw_blocks(pen, area, [&first, &second], layout);
    let number = format!("game {}", running.number);
    // If the boards leave no room for the number, it would be cut.
    if text::width(&number) <= rest.right.width.into() {
        pen.line(row_of(rest.right, 0), &[piece(number, Tone::Strong)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_left_is_never_rounded_down() {
        for (seconds, expected) in [
            (0, "0 s"),
            (99, "99 s"),
            (100, "2 min"),
            (120, "2 min"),
            (5_999, "100 min"),
            (6_000, "1 h 40 min"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), expected);
        }
    }
}
