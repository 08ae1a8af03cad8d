//! Helpers that the tests of the screens share.

pub mod person_game;
pub mod pile;
pub mod players;

use arena_pictures::Timeline;
use arena_record::{Header, Transcript};
use arena_referee::{End, Event, GamePlan, Player, Stopped, play_game};
use arena_rules::{Game, GameRules, Listed, Seat};
use arena_tui::{
    Colours, DashboardState, Feed, GameScreen, KeyCode, KeyEffect, KeyEvent, OnScreen, Person, Screen, Slot,
    Theme,
};
use crossterm::event::KeyModifiers;
use players::Sweeper;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use std::path::Path;
use std::sync::Arc;

/// A recorded game of the test data.
pub fn transcript<G: Game>(name: &str) -> Transcript<G> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.jsonl"));
    let bytes = std::fs::read(&path).unwrap();
    Transcript::read(bytes.as_slice()).unwrap()
}

/// The screen of a recorded game.
pub fn replay<G: OnScreen>(name: &str) -> GameScreen<G> {
    GameScreen::replay(Timeline::of(&transcript(name)).unwrap())
}

/// The same screen, which offers to save the game.
pub fn saving<S: Screen>(mut screen: S) -> S {
    screen.offer(true, false);
    screen
}

/// Plays a game of these two, and reports its events.
pub fn play<G: Listed>(
    header: &Header,
    players: [&mut dyn Player<G>; 2],
    tell: &mut dyn FnMut(Event<G>),
) -> Result<End, Stopped> {
    let plan = GamePlan {
        rules: G::rules(&header.conditions.rules).unwrap(),
        fuel_per_turn: header.conditions.limits.fuel_per_turn,
        side_seeds: [header.bots[0].seed, header.bots[1].seed],
        fleet_seed: header.fleet_seed,
        starter: header.starter,
        score_wall_clock: true,
    };
    play_game(&plan, players, tell)
}

/// A game by these rules between two sweepers.
pub fn sweepers<G: Listed>(rules: &GameRules, labels: [&str; 2]) -> Transcript<G>
where
    Sweeper: Player<G>,
{
    let header = players::header(rules, labels);
    let mut events = Vec::new();
    play(&header, [&mut Sweeper, &mut Sweeper], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

/// A game of a person at a seat against a sweeper.
pub fn game_with_a_person<G: OnScreen>(
    header: &Header,
    seat: Seat,
    mut person: Person<G>,
    feed: &Feed<G>,
) -> Result<End, Stopped>
where
    Sweeper: Player<G>,
{
    let players: [&mut dyn Player<G>; 2] = match seat {
        Seat::First => [&mut person, &mut Sweeper],
        Seat::Second => [&mut Sweeper, &mut person],
    };
    play(header, players, &mut |event| feed.event(event))
}

/// A game of a tournament that is being played, after a number of its events.
pub fn playing<G: OnScreen>(
    shared: &Arc<DashboardState<G>>,
    number: u64,
    game: &Transcript<G>,
    events: usize,
) -> Slot<G> {
    let slot = shared.slot();
    slot.begin(number, &game.header);
    game.events.iter().take(events).for_each(|event| slot.event(event));
    slot
}

/// Ctrl with a letter.
fn ctrl(letter: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

/// Ctrl-C.
pub fn ctrl_c() -> KeyEvent {
    ctrl('c')
}

/// The keys of a text: words in angle brackets are named keys, all else is characters.
pub fn keys(text: &str) -> Vec<KeyEvent> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((name, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            keys.push(match name {
                "ctrl-c" => ctrl_c(),
                "ctrl-d" => ctrl('d'),
                "ctrl-l" => ctrl('l'),
                "ctrl-q" => ctrl('q'),
                "ctrl-z" => ctrl('z'),
                "left" => KeyCode::Left.into(),
                "right" => KeyCode::Right.into(),
                "up" => KeyCode::Up.into(),
                "down" => KeyCode::Down.into(),
                "home" => KeyCode::Home.into(),
                "end" => KeyCode::End.into(),
                "pgup" => KeyCode::PageUp.into(),
                "pgdn" => KeyCode::PageDown.into(),
                "enter" => KeyCode::Enter.into(),
                "esc" => KeyCode::Esc.into(),
                "back" => KeyCode::Backspace.into(),
                "tab" => KeyCode::Tab.into(),
                name => panic!("there is no key {name}"),
            });
            rest = after;
        } else {
            keys.push(KeyCode::Char(c).into());
            rest = &rest[c.len_utf8()..];
        }
    }
    keys
}

/// Presses keys. Returns the effect of the last one.
pub fn press(screen: &mut impl Screen, text: &str) -> KeyEffect {
    keys(text).into_iter().map(|key| screen.key_event(&key)).last().unwrap()
}

/// A screen drawn on a terminal of a size.
pub fn buffer(screen: &impl Screen, theme: Theme, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(theme, frame.buffer_mut())).unwrap();
    terminal.backend().buffer().clone()
}

/// The lines of a buffer, without the spaces at their ends.
pub fn text(buffer: &Buffer) -> String {
    let rows = buffer.area.rows().map(|row| {
        let mut line = String::new();
        // The cell after a character of two cells is hidden behind it.
        let mut hidden = 0;
        for cell in row.columns() {
            if hidden == 0 {
                let symbol = buffer[(cell.x, cell.y)].symbol();
                line.push_str(symbol);
                hidden = arena_pictures::text::width(symbol);
            }
            hidden -= 1;
        }
        line.trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A screen as text, with the boards in characters.
pub fn picture(screen: &impl Screen, size: (u16, u16)) -> String {
    text(&buffer(screen, PLAIN, size))
}

/// The sizes in which every screen is tested.
pub const SMALL: (u16, u16) = (80, 24);
/// See [`SMALL`].
pub const LARGE: (u16, u16) = (120, 40);

/// A terminal on a wall.
pub const WALL: (u16, u16) = (200, 60);

/// The looks without colours, in which a picture says everything in its characters.
pub const PLAIN: Theme = Theme { colours: Colours::None, is_ascii: false };
