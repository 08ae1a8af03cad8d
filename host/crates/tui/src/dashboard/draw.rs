//! The looks of the dashboard.

use super::games::GameList;
use super::progress::{draw_progress, state};
use super::{
    DashboardScreen, FaultGroup, Model, Running, StartedGame, View, games, podium, standings, workers,
};
use crate::canvas::{QUIT, canvas, footer, title, title_part, title_room};
use crate::game::draw_running;
use crate::grid::{Block, Focus, Layout, Title, draw_blocks};
use crate::pen::{Pen, part_below, part_right, pieces_width, row_from_end, row_of, share};
use crate::target::Target;
use crate::theme::Theme;
use crate::{OnScreen, help, sheet};
use arena_pictures::text::{self, fit, plain};
use arena_pictures::{Extent, Piece, Tone, Viewpoint, piece};
use arena_rules::{Coord, Rules, Seat, Size};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The smallest number of columns of the list of faults with the empty column before it. Chosen: two games of ten by ten
/// fit next to it on 80.
const FAULTS_WIDTH_MIN: u16 = 31;

/// The smallest number of columns and rows below the title for standings, faults, running games and the showcase at once.
/// Chosen: the showcase has boards of ten by ten with large cells.
const ALL_MIN: (u16, u16) = (118, 34);

/// The smallest number of columns of the showcase, if all is shown: those of its boards.
const SHOWCASE_WIDTH_MIN: u16 = 92;

/// The smallest number of columns of a running game.
const GAME_WIDTH_MIN: u16 = 23;

/// Columns between two running games.
const GAMES_GAP: u16 = 2;

/// The keys and the glyphs with their meanings.
const HELP: [&help::Keys; 2] = [
    &[
        ("← →", "the previous game, the next one"),
        ("enter", "enlarge the game; all games"),
        ("↑ ↓", "scroll the standings"),
        ("v", "the showcase, a game at human speed; back"),
        ("c n", "the kind of its next game; the next one now"),
        ("m", "showcase: the selected pairing's next game"),
        ("g", "the list of all games so far"),
        ("w", "the workers on other machines, if any"),
        ("t q", "other colours; close, the games go on"),
        ("ctrl-c", "stop the tournament"),
    ],
    &[
        ("■■■··", "the share of a fleet that is not hit"),
        ("■ X # o", "a ship, a hit, a ship that is sunk, a miss"),
    ],
];

impl<G: OnScreen> DashboardScreen<G> {
    pub(super) fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
        self.showcase_drawn.set(false);
        self.podium_drawn.set(false);
        let model = &self.seen.model;
        let quit = if model.is_over { QUIT } else { "q closes, games go on" };
        let Some((mut pen, area)) = canvas(theme, buffer, quit) else {
            self.targets.take();
            return;
        };
        let (row, name) = (row_of(area, 0), plain(&model.title));
        let state = |has_speed| [piece(state(model, self.ends_in(), has_speed), Tone::Faint)];
        // The speed gives way to the first part of the title.
        let has_speed = text::fits(title_part(&name), title_room(row, &state(true)));
        title(&mut pen, row, &name, &state(has_speed));
        // The page of the workers has a line about them itself.
        let line =
            model.workers.as_ref().filter(|_| self.workers.is_none()).map(|workers| workers.line.as_str());
        draw_progress(&mut pen, row_of(area, 1), model, line);
        let body = Rect { y: area.y + 3, height: area.height - 4, ..area };
        if let Some(list) = &self.list {
            list.draw(&mut pen, body, &self.shared);
            GameList::draw_keys(&mut pen, row_from_end(area, 0));
        } else if let (Some(page), Some(workers)) = (&self.workers, &model.workers) {
            page.draw(&mut pen, body, &workers.table);
            footer(&mut pen, row_from_end(area, 0), &[("↑↓", "scroll")], &[("?", "help"), ("w", "back")]);
        } else {
            match self.seen.running.get(self.selected()) {
                Some(running) if self.is_large => draw_large(&mut pen, body, running),
                _ => self.draw_body(&mut pen, body),
            }
            self.draw_keys(&mut pen, row_from_end(area, 0));
        }
        if self.has_help {
            let (title, lists): (&str, &[&help::Keys]) = match (&self.list, &self.workers) {
                (Some(_), _) => ("all games", &[games::KEYS]),
                (None, Some(_)) => ("workers", &[workers::KEYS, workers::COLUMNS]),
                (None, None) if G::HAS_BOARDS => ("a tournament", &HELP),
                (None, None) => ("a tournament", &HELP[..1]),
            };
            help::draw(&mut pen, area, title, lists);
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
        if model.workers.is_some() {
            list.push(("w", "workers"));
        }
        list.extend([("v", "showcase"), ("c", "choice"), ("g", "games")]);
        let quit = if model.is_over { "quit" } else { "close, games go on" };
        footer(pen, row, &list, &[("?", "help"), ("q", quit)]);
    }

    /// The selected game, or the last one if there are fewer now.
    pub(super) fn selected(&self) -> usize {
        self.selected.min(self.seen.running.len().saturating_sub(1))
    }

    fn draw_body(&self, pen: &mut Pen<'_>, area: Rect) {
        let model = &self.seen.model;
        let rows = model.standings.len() as u64 + 1;
        if self.view == View::Showcase {
            // The top of the standings stays visible.
            let standings = rows.min(u64::from((area.height / 5).max(4))) as u16;
            self.draw_standings(pen, Rect { height: standings, ..area });
            return self.draw_showcase(pen, part_below(area, standings + 1));
        }
        if area.width < ALL_MIN.0 || area.height < ALL_MIN.1 {
            // The standings take the rows they need, and at most half; the games and the faults have the rest.
            let standings = rows.min((area.height / 2).into()) as u16;
            self.draw_standings(pen, Rect { height: standings, ..area });
            let rest = part_below(area, standings + 1);
            if model.is_over && model.faults.is_empty() && model.refused.is_empty() {
                return self.draw_podium(pen, rest);
            }
            // The terminal is wide enough for both.
            let faults = FAULTS_WIDTH_MIN.max(rest.width * 3 / 8);
            let games = Rect { width: rest.width - faults, ..rest };
            match model.is_over {
                true => self.draw_podium(pen, games),
                false => self.draw_games(pen, games),
            }
            // An empty column is between the two.
            return draw_faults(pen, part_right(rest, usize::from(games.width) + 1), model);
        }
        // There is room for everything: standings and faults above, the showcase and the running games below.
        let showcase = SHOWCASE_WIDTH_MIN.max(area.width * 2 / 3);
        let standings = rows.min(u64::from(area.height * 2 / 7)) as u16;
        self.draw_standings(pen, Rect { height: standings, width: showcase, ..area });
        let right = part_right(area, showcase.into());
        draw_faults(pen, Rect { height: standings, ..right }, model);
        if model.is_over {
            return self.draw_podium(pen, part_below(area, standings + 1));
        }
        let below = part_below(area, standings + 1);
        // The games have the whole width until one of them can be shown.
        if self.showcase.game.is_none() && !self.seen.running.is_empty() {
            self.showcase_drawn.set(true);
            return self.draw_games(pen, below);
        }
        self.draw_showcase(pen, Rect { width: showcase, ..below });
        self.draw_games(pen, Rect { y: below.y, height: below.height, ..right });
    }

    fn draw_standings(&self, pen: &mut Pen<'_>, area: Rect) {
        standings::draw(pen, area, &self.seen.model.standings, self.top, &self.trend);
    }

    /// Draws the podium, with confetti around the champion's step.
    fn draw_podium(&self, pen: &mut Pen<'_>, area: Rect) {
        self.podium_drawn.set(true);
        podium::draw(pen, area, &self.seen.model);
        if let Some(confetti) = self.confetti {
            confetti.draw(pen, area, &self.seen.model.seed);
        }
    }

    fn draw_showcase(&self, pen: &mut Pen<'_>, area: Rect) {
        self.showcase_drawn.set(true);
        let kind = if self.rotates { "one of the best games" } else { self.showcase.choice.label() };
        let mut head = vec![piece(format!(" showcase: {kind}"), Tone::Strong)];
        if let Some(game) = &self.showcase.game {
            head.push(piece(format!("  {}", game.names()), Tone::Text));
        }
        let fits = pieces_width(&head) <= usize::from(area.width);
        pen.line(row_of(area, 0), if fits { &head } else { &head[..1] });
        let place = part_below(area, 1);
        match &self.showcase.game {
            Some(game) => game.draw_compact(pen, place, false),
            None => pen.line(row_of(place, 0), &[piece(" no game has ended yet", Tone::Faint)]),
        }
    }

    fn draw_games(&self, pen: &mut Pen<'_>, area: Rect) {
        let running = &self.seen.running;
        let head = format!(" playing {}", running.len());
        pen.line(row_of(area, 0), &[piece(head, Tone::Strong)]);
        let area = part_below(area, 1);
        let Some(first) = running.first() else {
            let text =
                if self.seen.model.is_over { " the tournament is over" } else { " no game is being played" };
            return pen.line(row_of(area, 0), &[piece(text, Tone::Faint)]);
        };
        if !G::HAS_BOARDS {
            return self.draw_pictures(pen, area);
        }
        let size = first.moment.rules().size().unwrap_or(Size::EMPTY);
        let rows = u16::from(size.height);
        // With spaces between the cells if all games then fit, without, or with no boards at all.
        let columns = |pitch: u16| 2 * u16::from(size.width) * pitch + 3;
        let fits = |pitch: u16| rows + 2 <= area.height && columns(pitch) < area.width;
        let room = |pitch: u16| if pitch > 0 { (columns(pitch), rows + 2) } else { (0, 2) };
        let pitch = if fits(2) && shown(area, room(2)) >= running.len() { 2 } else { u16::from(fits(1)) };
        self.draw_each(pen, area, room(pitch), |pen, place, number| {
            draw_small(pen, place, &running[number], pitch)
        });
    }

    /// Draws running games with their pictures, or their names alone where no picture fits.
    fn draw_pictures(&self, pen: &mut Pen<'_>, area: Rect) {
        let pictures = self.seen.running.iter().map(|it| G::picture(&it.moment, Viewpoint::Truth));
        let sheets: Vec<_> = pictures.collect();
        let side = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        let columns = sheets.iter().map(|sheet| side(sheet.extent().columns)).max().unwrap_or(0);
        let rows = sheets.iter().map(|sheet| side(sheet.extent().rows)).max().unwrap_or(0);
        let fits = rows < area.height && columns < area.width;
        let room = if fits { (columns, rows + 1) } else { (0, 1) };
        self.draw_each(pen, area, room, |pen, place, number| {
            sheet::draw(&sheets[number], pen, place, Extent::default())
        });
    }

    /// Draws as many running games as there is room for, among them the selected one: the names of each, and what a function draws below
    /// them. A game needs these columns, or those of its names, and these rows.
    fn draw_each(
        &self,
        pen: &mut Pen<'_>,
        area: Rect,
        room: (u16, u16),
        draw: impl Fn(&mut Pen<'_>, Rect, usize),
    ) {
        let (running, shown, across) = (&self.seen.running, shown(area, room), across(area, room));
        let (width, height) = (GAME_WIDTH_MIN.max(room.0), room.1);
        let start = self.selected() / shown * shown;
        for (place, (number, running)) in (0..).zip(running.iter().enumerate().skip(start).take(shown)) {
            let (column, row): (u16, u16) = (place % across, place / across);
            let (x, y) = (area.x + 1 + column * (width + GAMES_GAP), area.y + row * (height + 1));
            let place = Rect { x, y, width, height }.intersection(area);
            pen.target(place, Target::Game(number));
            draw_names(pen, row_of(place, 0), &running.game, number == self.selected());
            draw(pen, part_below(place, 1), number);
        }
    }
}

/// The number of running games next to each other on an area; see [`DashboardScreen::draw_each`].
fn across(area: Rect, (width, _): (u16, u16)) -> u16 {
    ((area.width + 1) / (GAME_WIDTH_MIN.max(width) + GAMES_GAP)).max(1)
}

/// The number of running games that are shown on an area.
fn shown(area: Rect, room: (u16, u16)) -> usize {
    usize::from(across(area, room)) * usize::from(((area.height + 1) / (room.1 + 1)).max(1))
}

fn draw_faults(pen: &mut Pen<'_>, area: Rect, model: &Model) {
    pen.line(row_of(area, 0), &[piece("faults", Tone::Strong)]);
    // The arena's own words are whole before a label is.
    let label = |label: &str, others: &str| {
        let room = usize::from(area.width).saturating_sub(text::width(others));
        fit(label, room.clamp(6, standings::LABEL_WIDTH))
    };
    let refused = model.refused.iter().map(|refused| {
        const WORDS: &str = " refused ";
        vec![
            piece(format!("{}{WORDS}", label(&refused.label, WORDS)), Tone::Fault),
            piece(plain(&refused.why).into_owned(), Tone::Faint),
        ]
    });
    let faults = model.faults.iter().map(|FaultGroup { newest, count }| {
        let place = if newest.turn == 0 { "placing".to_owned() } else { format!("turn {}", newest.turn) };
        let count = if *count > 1 { format!("{}× ", arena_text::grouped(*count)) } else { String::new() };
        let (class, game) = (newest.class.name(), format!(" game {}", newest.game));
        vec![
            piece(format!("{} ", label(&newest.label, &format!(" {count}{class}{game}"))), Tone::Text),
            piece(count, Tone::Strong),
            piece(class, Tone::Fault),
            piece(format!("{game}, {place}: {}", plain(&newest.detail)), Tone::Faint),
        ]
    });
    if model.faults.is_empty() && model.refused.is_empty() {
        let text = if model.is_over { "none" } else { "none so far" };
        pen.line(row_of(area, 1), &[piece(text, Tone::Faint)]);
    }
    let rows = in_rows(refused.chain(faults), area.width.into(), usize::from(area.height.saturating_sub(1)));
    for (row, line) in (1..area.height).zip(rows) {
        pen.line(row_of(area, row), &line);
    }
}

/// A line whose last piece ends before a colon or comma if that fits. What follows the first colon is a bot's text, which may be
/// cut anywhere.
fn with_whole_words(mut line: Vec<Piece<'_>>, width: usize) -> Vec<Piece<'_>> {
    let Some((text, tone)) = line.pop() else { return line };
    let room = width.saturating_sub(pieces_width(&line));
    let (place, _) = text.split_once(": ").unwrap_or((&text, ""));
    // A colon, a space and an ellipsis need three cells.
    let text = if text::fits(&text, room) || text::fits(place, room.saturating_sub(3)) {
        text
    } else {
        text::shortened(&text, room, &[": ", ", "]).to_owned().into()
    };
    line.push((text, tone));
    line
}

/// Lines in at most `rows` rows. The last piece of one that is too long continues in further rows, as long as each line of those
/// that fit keeps a row.
fn in_rows<'a>(
    lines: impl Iterator<Item = Vec<Piece<'a>>>,
    width: usize,
    rows: usize,
) -> Vec<Vec<Piece<'a>>> {
    let lines: Vec<_> = lines.take(rows).collect();
    let mut free = rows - lines.len();
    let mut shown = Vec::new();
    for mut line in lines {
        let further: Vec<String> = match line.split_last() {
            Some(((text, _), _)) if pieces_width(&line) > width => {
                text::wrapped(text.trim_start(), width.saturating_sub(2))
            }
            _ => Vec::new(),
        };
        if further.is_empty() || further.len() > free {
            shown.push(with_whole_words(line, width));
            continue;
        }
        free -= further.len();
        let tone = line.pop().map_or(Tone::Faint, |(_, tone)| tone);
        shown.push(line);
        shown.extend(further.into_iter().map(|text| vec![piece(format!("  {text}"), tone)]));
    }
    shown
}

/// A running game in a small place: a bar for each side, and the boards with a cell every `pitch` columns; without boards if that is 0.
fn draw_small<G: OnScreen>(pen: &mut Pen<'_>, area: Rect, running: &Running<G>, pitch: u16) {
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
        pen.line(row_of(place, 0), &pieces);
        if pitch > 0 {
            draw_mini(pen, part_below(place, 1), running, owner, pitch);
        }
    }
}

/// The number and the names of a running game, in a row.
fn draw_names(
    pen: &mut Pen<'_>,
    row: Rect,
    StartedGame { number, names, .. }: &StartedGame,
    is_selected: bool,
) {
    let [first, second] = names;
    let room = usize::from(row.width).saturating_sub(number.to_string().len() + " ".len() + " v ".len());
    // A name takes half of the room, and what the other one leaves.
    let first = fit(first, (room / 2).max(room.saturating_sub(text::width(second))));
    let second = fit(second, room.saturating_sub(text::width(&first)));
    let tone = if is_selected { Tone::Cursor } else { Tone::Text };
    pen.line(row, &[piece(fit(&format!("{number} {first} v {second}"), row.width.into()), tone)]);
}

/// A board with a character for each cell.
fn draw_mini<G: OnScreen>(pen: &mut Pen<'_>, area: Rect, running: &Running<G>, owner: Seat, pitch: u16) {
    let grid = G::board(&running.moment, owner);
    for row in 0..grid.size.height {
        let cells = (0..grid.size.width).filter_map(|column| grid.cell(Coord::new(row, column)));
        let pieces: Vec<Piece<'_>> = cells
            .map(|cell| {
                let glyph = cell.text.into_iter().find(|&glyph| glyph != ' ').unwrap_or(' ');
                piece(format!("{glyph:<0$}", pitch.into()), cell.tone)
            })
            .collect();
        pen.line(row_of(area, row.into()), &pieces);
    }
}

/// A running game with its boards as large as they are elsewhere.
fn draw_large<G: OnScreen>(pen: &mut Pen<'_>, area: Rect, running: &Running<G>) {
    let StartedGame { number, names, .. } = &*running.game;
    let mover = running.moment.replay().to_move();
    let titles = Seat::BOTH.map(|owner| {
        Title::new(format!("{} {}", u8::from(owner), names[owner.index()]), mover == Some(owner), false)
    });
    if !G::HAS_BOARDS {
        let sheet = G::picture(&running.moment, Viewpoint::Truth);
        return draw_running(pen, area, &sheet, titles);
    }
    let [first, second] = titles;
    let [first, second] = [(first, Seat::First), (second, Seat::Second)].map(|(title, owner)| Block {
        title,
        grid: G::board(&running.moment, owner),
        notes: vec![G::fleet_note(&running.moment, owner, Viewpoint::Truth)],
        focus: Focus::default(),
    });
    let layout = Layout::new(area, [&first, &second], 0);
    let rest = draw_blocks(pen, area, [&first, &second], layout);
    let number = format!("game {number}");
    // Below the boards there is room for the whole names.
    let whole = format!(" {number}: {} v {}", names[0], names[1]);
    if rest.below.height > 1 && text::fits(&whole, rest.below.width.into()) {
        pen.line(row_of(rest.below, 1), &[piece(whole, Tone::Strong)]);
    } else if text::fits(&number, rest.right.width.into()) {
        pen.line(row_of(rest.right, 0), &[piece(number, Tone::Strong)]);
    }
}
