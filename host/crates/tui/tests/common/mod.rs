//! What the tests of the screens share.

#![allow(dead_code)]

pub mod players;

use arena_record::{Header, Transcript};
use arena_referee::{
    Event, GamePlan, Player, Stopped, SubmarinePlan, SubmarinePlayer, play_game, play_submarine,
};
use arena_rules::{GameRules, Outcome, Reason, Seat};
use arena_tui::{DashboardScreen, Effect, Feed, GameScreen, Key, Person, PlayScreen, Theme, Timeline};
use players::Sweeper;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use std::path::Path;
use std::time::Duration;

/// A recorded game of the test data.
pub fn transcript(name: &str) -> Transcript {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.jsonl"));
    let bytes = std::fs::read(&path).unwrap();
    Transcript::read(bytes.as_slice()).unwrap()
}

/// The screen of a recorded game.
pub fn replay(name: &str) -> GameScreen {
    GameScreen::replay(Timeline::of(&transcript(name)).unwrap())
}

/// Plays a game of these two, and tells what happens.
pub fn play(
    header: &Header,
    [first, second]: [&mut dyn AnyPlayer; 2],
    tell: &mut dyn FnMut(Event),
) -> Result<(Outcome, Reason), Stopped> {
    let fuel_per_turn = header.limits.fuel_per_turn;
    let side_seeds = [header.bots[0].seed, header.bots[1].seed];
    let starter = header.starter;
    match &header.rules {
        GameRules::Battleship(rules) => {
            let fleet_seed = header.fleet_seed;
            let plan =
                GamePlan { rules, fuel_per_turn, side_seeds, fleet_seed, starter, score_wall_clock: true };
            play_game(&plan, [first, second], tell)
        }
        GameRules::Submarine(rules) => {
            let plan = SubmarinePlan { rules, fuel_per_turn, side_seeds, starter, score_wall_clock: true };
            play_submarine(&plan, [first, second], tell)
        }
    }
}

/// A player of both games.
pub trait AnyPlayer: Player + SubmarinePlayer {}

impl<P: Player + SubmarinePlayer> AnyPlayer for P {}

/// A game by these rules between two sweepers.
pub fn sweepers(rules: &GameRules, labels: [&str; 2]) -> Transcript {
    let header = players::header(rules, labels);
    let mut events = Vec::new();
    play(&header, [&mut Sweeper, &mut Sweeper], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

/// A game of a person at a seat against a sweeper.
pub fn game_with_a_person(
    header: &Header,
    seat: Seat,
    mut person: Person,
    feed: &Feed,
) -> Result<(Outcome, Reason), Stopped> {
    let players: [&mut dyn AnyPlayer; 2] = match seat {
        Seat::First => [&mut person, &mut Sweeper],
        Seat::Second => [&mut Sweeper, &mut person],
    };
    play(header, players, &mut |event| feed.event(event))
}

/// Something that keys change and that can be drawn.
pub trait Pressed {
    fn press(&mut self, key: Key) -> Effect;
    fn pass(&mut self, time: Duration) -> bool;
    fn draw_on(&self, theme: Theme, buffer: &mut Buffer);
}

macro_rules! pressed {
    ($($screen:ty),*) => {$(
        impl Pressed for $screen {
            fn press(&mut self, key: Key) -> Effect {
                self.key(key)
            }

            fn pass(&mut self, time: Duration) -> bool {
                self.tick(time)
            }

            fn draw_on(&self, theme: Theme, buffer: &mut Buffer) {
                self.draw(theme, buffer);
            }
        }
    )*};
}

pressed!(GameScreen, PlayScreen, DashboardScreen);

/// The keys of a text: words in angle brackets are named keys, all else is characters.
pub fn keys(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((name, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            keys.push(match name {
                "left" => Key::Left,
                "right" => Key::Right,
                "up" => Key::Up,
                "down" => Key::Down,
                "home" => Key::Home,
                "end" => Key::End,
                "pgup" => Key::PageUp,
                "pgdn" => Key::PageDown,
                "enter" => Key::Enter,
                "esc" => Key::Esc,
                "back" => Key::Backspace,
                "tab" => Key::Tab,
                "ctrl-c" => Key::Interrupt,
                name => panic!("there is no key {name}"),
            });
            rest = after;
        } else {
            keys.push(Key::Char(c));
            rest = &rest[c.len_utf8()..];
        }
    }
    keys
}

/// Presses keys, and says what the last one came to.
pub fn press(screen: &mut impl Pressed, text: &str) -> Effect {
    keys(text).into_iter().map(|key| screen.press(key)).last().unwrap()
}

/// A screen drawn on a terminal of a size.
pub fn buffer(screen: &impl Pressed, theme: Theme, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw_on(theme, frame.buffer_mut())).unwrap();
    terminal.backend().buffer().clone()
}

/// The lines of a buffer, without the spaces at their ends.
pub fn text(buffer: &Buffer) -> String {
    let rows = buffer.area.rows().map(|row| {
        let mut line = String::new();
        // What follows a character of two cells is hidden behind it.
        let mut hidden = 0;
        for cell in row.columns() {
            if hidden == 0 {
                let symbol = buffer[(cell.x, cell.y)].symbol();
                line.push_str(symbol);
                hidden = arena_tui::text::width(symbol);
            }
            hidden -= 1;
        }
        line.trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A screen as text.
pub fn picture(screen: &impl Pressed, size: (u16, u16)) -> String {
    text(&buffer(screen, Theme::default(), size))
}

/// Both sizes that every screen is looked at in.
pub const SMALL: (u16, u16) = (80, 24);
/// See [`SMALL`].
pub const LARGE: (u16, u16) = (120, 40);
