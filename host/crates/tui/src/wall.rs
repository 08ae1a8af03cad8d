//! Several games of the same two at the same time, side by side.

use crate::canvas::{QUIT, canvas, footer, title};
use crate::game::{GameScreen, Playback, Score};
use crate::help;
use crate::on_screen::OnScreen;
use crate::pen::{row_from_end, row_of};
use crate::screen::{Ended, Gesture, KeyEffect, Mouse, Screen};
use crate::target::{Clicked, Target, Targets};
use crate::theme::Theme;
use arena_pictures::{Tone, piece};
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cell::RefCell;
use std::time::Duration;

/// The keys of the screen with their meanings.
const HELP: [(&str, &str); 7] = [
    ("tab", "the next game, also if it is not shown"),
    ("enter esc", "enlarge the game; all games"),
    ("space", "pause or play all"),
    ("← →", "step in all; home, end: the start, the end"),
    ("+ -", "all faster, slower"),
    ("b h", "one side's view or all; chances of a ship"),
    ("t q", "other colours; quit"),
];

/// The line of [`HELP`] for a game without boards.
const VIEW: (&str, &str) = ("b", "one side's view or all");

/// Several games at the same time: keys go to all of them, until one is shown large.
#[derive(Debug)]
pub struct WallScreen<G: OnScreen> {
    games: Vec<GameScreen<G>>,
    /// The number of games of the series.
    total: u32,
    selected: usize,
    /// True if the selected game has the whole screen.
    is_large: bool,
    has_help: bool,
    /// The parts of the last picture that can be clicked on.
    targets: RefCell<Targets>,
}

impl<G: OnScreen> WallScreen<G> {
    /// The screen of these games. They are the first ones of a series. There is at least one.
    pub fn new(games: Vec<GameScreen<G>>, total: u32) -> Self {
        Self { games, total, selected: 0, is_large: false, has_help: false, targets: RefCell::default() }
    }

    /// The sum of the scores of all games that have been shown.
    pub fn score(&self) -> Score {
        self.games.iter().map(GameScreen::score).fold(Score::default(), Score::plus)
    }

    /// Sends a key to all games.
    fn send_all(&mut self, key: KeyCode) -> KeyEffect {
        let effects: Vec<KeyEffect> = self.games.iter_mut().map(|game| game.key(key)).collect();
        let has_changed = effects.into_iter().any(|effect| effect != KeyEffect::Nothing);
        if has_changed { KeyEffect::Changed } else { KeyEffect::Nothing }
    }

    fn select(&mut self, game: usize) -> KeyEffect {
        let was_selected = self.selected == game;
        self.selected = game;
        self.is_large = was_selected;
        KeyEffect::Changed
    }

    /// The columns and rows of games on an area: as many games at once as fit completely, or one.
    fn arrangement(&self, area: Rect) -> (u16, u16) {
        let count = self.games.len();
        let arrangements = [(2, 2), (2, 1), (1, 2)];
        let fits = |&(columns, rows): &(u16, u16)| {
            usize::from(columns * rows) <= count.next_multiple_of(2)
                && self
                    .games
                    .iter()
                    .zip(places(area, columns, rows).cycle())
                    .all(|(game, place)| game.fits_compact(place))
        };
        arrangements.into_iter().find(fits).unwrap_or((1, 1))
    }

    fn draw_wall(&self, theme: Theme, buffer: &mut Buffer) {
        let Some((mut pen, area)) = canvas(theme, buffer, QUIT) else {
            self.targets.take();
            return;
        };
        let first = &self.games[0];
        let body = Rect { y: area.y + 1, height: area.height - 2, ..area };
        let (columns, rows) = self.arrangement(body);
        let count = usize::from(columns * rows);
        let start = self.selected / count * count;
        let shown = self.games.iter().enumerate().skip(start).take(count);
        let score = format!("{} of {}, {} ", self.score().games(), self.total, self.score().text(false));
        let mut names = first.names();
        if count < self.games.len() {
            let last = (start + count).min(self.games.len());
            let board = if G::HAS_BOARDS { "board" } else { "game" };
            let which = if count == 1 {
                format!("{board} {last}")
            } else {
                format!("{board}s {}–{last}", start + 1)
            };
            names += &format!("  {which} of {}", self.games.len());
        }
        title(&mut pen, row_of(area, 0), &names, &[piece(score, Tone::Strong)]);
        for ((number, game), place) in shown.zip(places(body, columns, rows)) {
            game.draw_compact(&mut pen, place, number == self.selected);
            pen.target(place, Target::Game(number));
        }
        let is_paused = first.playback() == Playback::Paused;
        let mut list = vec![
            ("space", if is_paused { "play" } else { "pause" }),
            ("tab", "game"),
            ("enter", "enlarge"),
            ("+-", "speed"),
            ("b", "view"),
        ];
        list.extend(G::HAS_BOARDS.then_some(("h", "chances")));
        list.push(("←→", "step"));
        footer(&mut pen, row_from_end(area, 0), &list, &[("?", "help"), ("q", "quit")]);
        if self.has_help {
            let keys = HELP.map(|line| if line.0 == "b h" && !G::HAS_BOARDS { VIEW } else { line });
            help::draw(&mut pen, area, &first.names(), &[&keys, G::GLYPHS]);
        }
        self.targets.replace(pen.into_targets());
    }
}

/// The places of games in columns and rows on an area, row by row.
fn places(area: Rect, columns: u16, rows: u16) -> impl Iterator<Item = Rect> + Clone {
    let (width, height) = (area.width / columns, area.height / rows);
    (0..columns * rows).map(move |number| {
        let (column, row) = (number % columns, number / columns);
        Rect { x: area.x + column * width, y: area.y + row * height, width, height }
    })
}

impl<G: OnScreen> Screen for WallScreen<G> {
    type Game = G;

    fn draw(&self, theme: Theme, buffer: &mut Buffer) {
        if self.is_large {
            return self.games[self.selected].draw(theme, buffer);
        }
        self.draw_wall(theme, buffer);
    }

    fn key(&mut self, key: KeyCode) -> KeyEffect {
        if self.is_large {
            let game = &mut self.games[self.selected];
            if key == KeyCode::Esc && !game.has_overlay() {
                self.is_large = false;
                return KeyEffect::Changed;
            }
            return game.key(key);
        }
        if std::mem::take(&mut self.has_help) {
            return KeyEffect::Changed;
        }
        match key {
            KeyCode::Char('q') => KeyEffect::End(Ended::Quit),
            KeyCode::Char('t') => KeyEffect::Theme,
            KeyCode::Char('?') => {
                self.has_help = true;
                KeyEffect::Changed
            }
            KeyCode::Tab => {
                self.selected = (self.selected + 1) % self.games.len();
                KeyEffect::Changed
            }
            KeyCode::Enter => {
                self.is_large = true;
                KeyEffect::Changed
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End => self.send_all(key),
            KeyCode::Char(' ' | '+' | '=' | '-' | '_' | 'b' | 'h') => self.send_all(key),
            _ => KeyEffect::Nothing,
        }
    }

    fn mouse(&mut self, mouse: Mouse) -> KeyEffect {
        if self.is_large {
            return self.games[self.selected].mouse(mouse);
        }
        let clicked = self.targets.borrow().at(mouse.column, mouse.row);
        match (mouse.gesture, clicked) {
            (Gesture::Press, _) if self.has_help => self.key(KeyCode::Esc),
            (Gesture::Press, Some(Clicked::Game(game))) => self.select(game),
            _ => KeyEffect::Nothing,
        }
    }

    fn tick(&mut self, elapsed: Duration) -> bool {
        // Each of them has to go on.
        self.games.iter_mut().map(|game| game.tick(elapsed)).fold(false, |changed, it| changed | it)
    }

    fn wait(&self) -> Option<Duration> {
        self.games.iter().filter_map(GameScreen::wait).min()
    }

    fn game_screen(&mut self) -> Option<&mut dyn Screen<Game = G>> {
        Some(&mut self.games[self.selected])
    }

    fn offer(&mut self, can_save: bool, animates: bool) {
        self.games.iter_mut().for_each(|game| game.offer(can_save, animates));
    }
}
