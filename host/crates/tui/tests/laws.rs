//! Laws of all screens, for any keys and any content.

use crate::common::players::Sweeper;
use crate::common::{self, PLAIN, buffer, picture, pile, press, sweepers, transcript};
use arena_league::Row;
use arena_pictures::Timeline;
use arena_record::Transcript;
use arena_referee::{Event, FaultClass, Player};
use arena_rules::battleship::{self, Battleship, Placing, Ruleset};
use arena_rules::loaded::Loaded;
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Outcome, Reason, Seat, Size, with_game};
use arena_tui::{
    Colours, DashboardScreen, DashboardState, FaultNotice, GameLine, GameScreen, Gesture, KeyCode, KeyEvent,
    Model, Mouse, OnScreen, PlayScreen, RefusedBot, Screen, StandingsLine, Theme, Update, WallScreen, feed,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::any::Any;
use std::sync::LazyLock;
use std::time::Duration;

/// A recorded game of any kind.
#[derive(Clone, Debug)]
enum AnyGame {
    Battleship(Transcript<Battleship>),
    Submarine(Transcript<Submarine>),
    Loaded(Transcript<Loaded>),
}

/// Calls a generic function with the transcript of a game of any kind.
macro_rules! with_transcript {
    ($game:expr, $transcript:ident => $call:expr) => {
        match $game {
            AnyGame::Battleship($transcript) => $call,
            AnyGame::Submarine($transcript) => $call,
            AnyGame::Loaded($transcript) => $call,
        }
    };
}

/// Recorded games of every kind, and some on boards that fit no terminal, or fit any.
static GAMES: LazyLock<Vec<AnyGame>> = LazyLock::new(|| {
    let on = |width, height, fleet: &[u8]| {
        let rules = Ruleset { fleet: fleet.to_vec(), ..Ruleset::guide() };
        let rules = rules.with_size(Size::new(width, height));
        sweepers(&GameRules::Battleship(rules), ["left", "right"])
    };
    let names = ["guide", "classic", "pirates", "overruns", "panic"];
    let odd = [on(32, 32, &[30, 12, 3, 2, 1]), on(1, 1, &[1]), on(3, 30, &[20, 3])];
    let battleship = names.map(transcript).into_iter().chain(odd).map(AnyGame::Battleship);
    let pictures: [&[(&str, i64)]; 4] = [
        &[],
        &[("hidden", 1), ("rows", 7), ("columns", 30)],
        &[("rows", 300), ("columns", 400), ("fails", 1)],
        &[("pile", 400), ("columns", 1), ("rows", 1)],
    ];
    let loaded = pictures.map(|options| AnyGame::Loaded(crate::loaded::random(&pile::rules(options))));
    battleship.chain([AnyGame::Submarine(transcript("submarine"))]).chain(loaded).collect()
});

fn any_game() -> impl Strategy<Value = AnyGame> {
    select(GAMES.clone())
}

fn any_battleship_game() -> impl Strategy<Value = Transcript<Battleship>> {
    let games = GAMES.iter().filter_map(|game| match game {
        AnyGame::Battleship(game) => Some(game.clone()),
        AnyGame::Submarine(_) | AnyGame::Loaded(_) => None,
    });
    select(games.collect::<Vec<_>>())
}

fn any_key() -> impl Strategy<Value = KeyEvent> {
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up};
    let named = select(vec![Left, Right, Up, Down, Home, End, PageUp, PageDown, Enter, Esc, Backspace, Tab]);
    let letters =
        select("abcdefghijklmnopqrstuvwxyzGQ0123456789 ,?+-<>()".chars().collect::<Vec<_>>()).prop_map(Char);
    let code = prop_oneof![4 => letters, 4 => named, 1 => any::<char>().prop_map(Char)];
    prop_oneof![20 => code.prop_map(KeyEvent::from), 1 => Just(common::ctrl_c())]
}

fn any_mouse() -> impl Strategy<Value = Mouse> {
    let gestures = [Gesture::Press, Gesture::Turn, Gesture::Drag, Gesture::Up, Gesture::Down];
    (select(gestures.to_vec()), 0u16..210, 0u16..70).prop_map(|(gesture, column, row)| Mouse {
        gesture,
        column,
        row,
    })
}

fn any_size() -> impl Strategy<Value = (u16, u16)> {
    prop_oneof![
        3 => (60u16..=200, 20u16..=60),
        1 => (1u16..=200, 1u16..=60),
    ]
}

/// An input of a screen.
#[derive(Clone, Debug)]
enum Input {
    Press(KeyEvent),
    Click(Mouse),
    Wait(u64),
    Draw((u16, u16)),
}

fn any_inputs() -> impl Strategy<Value = Vec<Input>> {
    let input = prop_oneof![
        6 => any_key().prop_map(Input::Press),
        2 => any_mouse().prop_map(Input::Click),
        1 => (0u64..5_000).prop_map(Input::Wait),
        2 => any_size().prop_map(Input::Draw),
    ];
    prop::collection::vec(input, 1..25)
}

/// A valid picture: no control character, and no cell wider than its place.
fn check_picture(screen: &impl Screen, size: (u16, u16)) {
    let ascii = Theme { is_ascii: true, ..Theme::default() };
    let light = Theme { colours: Colours::Light, ..Theme::default() };
    for theme in [Theme::default(), PLAIN, ascii, light] {
        let buffer = buffer(screen, theme, size);
        for row in buffer.area.rows() {
            let mut hidden = 0;
            for cell in row.columns() {
                let symbol = buffer[(cell.x, cell.y)].symbol();
                assert!(!symbol.contains(char::is_control), "{symbol:?}");
                assert!(!theme.is_ascii || symbol.is_ascii(), "{symbol:?}");
                if hidden > 0 {
                    assert_eq!(symbol, " ", "something is behind a wide character");
                    hidden -= 1;
                    continue;
                }
                let width = arena_pictures::text::width(symbol) as u16;
                // A wide letter with four marks that have a cell of their own.
                assert!((1..=6).contains(&width), "{symbol:?}");
                assert!(cell.x + width <= buffer.area.width, "{symbol:?} hangs over the edge");
                hidden = width - 1;
            }
        }
    }
}

fn live_through(screen: &mut impl Screen, inputs: &[Input]) {
    for input in inputs {
        match input {
            Input::Press(key) => _ = screen.key_event(key),
            Input::Click(mouse) => _ = screen.mouse(*mouse),
            Input::Wait(milliseconds) => _ = screen.tick(Duration::from_millis(*milliseconds)),
            Input::Draw(size) => check_picture(screen, *size),
        }
    }
    check_picture(screen, (80, 24));
}

/// Hostile text, mixed with harmless text.
fn any_text() -> impl Strategy<Value = String> {
    let harm = select(vec![
        "\u{1b}[2J",
        "\u{202e}",
        "\u{200b}",
        "\r\n",
        "\u{9b}31m",
        "e\u{301}\u{301}",
        "数",
        "שלום",
        "👩\u{200d}👩",
        "\u{0}",
        "﷽",
        "x",
    ]);
    prop_oneof![prop::collection::vec(harm, 0..12).prop_map(|parts| parts.concat()), any::<String>(),]
}

fn look_at<G: OnScreen>(game: &Transcript<G>, inputs: &[Input]) {
    let mut screen = common::saving(GameScreen::replay(Timeline::of(game).unwrap()));
    screen.offer(false, inputs.len().is_multiple_of(2));
    live_through(&mut screen, inputs);
}

fn look_at_several<G: OnScreen>(games: Vec<Transcript<G>>, inputs: &[Input], batch: usize) {
    let first = games[0].header.clone();
    let screens = games.iter().map(|game| {
        let timeline = Timeline::new(game.header.clone()).unwrap();
        let mut screen = GameScreen::watch(timeline).of_series(&first, 2);
        game.events.iter().take(batch).for_each(|event| _ = screen.receive(Update::Event(event.clone())));
        // The next game begins, regardless of what has become of this one.
        screen.receive(Update::Game(Box::new(game.header.clone())));
        game.events.iter().for_each(|event| _ = screen.receive(Update::Event(event.clone())));
        screen
    });
    let mut wall = WallScreen::new(screens.collect(), 8);
    wall.offer(true, true);
    live_through(&mut wall, inputs);
}

fn look_on<G: OnScreen>(game: Transcript<G>, inputs: &[Input], batch: usize) {
    let mut screen = GameScreen::watch(Timeline::new(game.header).unwrap());
    let mut events = game.events.into_iter();
    for inputs in inputs.chunks(4) {
        for event in events.by_ref().take(batch) {
            screen.receive(Update::Event(event));
        }
        live_through(&mut screen, inputs);
    }
    screen.close_feed();
    live_through(&mut screen, inputs);
}

fn check_steps<G: OnScreen>(game: &Transcript<G>, start: Index, keys: &str) {
    let timeline = Timeline::of(game).unwrap();
    let start = start.index(timeline.len());
    let mut screen = GameScreen::replay(timeline);
    (0..start).for_each(|_| _ = press(&mut screen, "<right>"));
    keys.chars().for_each(|key| _ = screen.key(KeyCode::Char(key)));
    let before = picture(&screen, (80, 24));
    press(&mut screen, "<right><left>");
    assert_eq!(picture(&screen, (80, 24)), before);
    // The way to a position does not matter.
    press(&mut screen, "<end>");
    while screen.position() > start {
        press(&mut screen, "<left>");
    }
    assert_eq!(picture(&screen, (80, 24)), before);
}

proptest! {
    #[test]
    fn a_recorded_game_can_be_looked_at_in_any_way(game in any_game(), inputs in any_inputs()) {
        with_transcript!(game, game => look_at(&game, &inputs));
    }

    #[test]
    fn a_game_that_is_played_can_be_looked_at_in_any_way(game in any_game(), inputs in any_inputs(), batch in 1usize..60) {
        with_transcript!(game, game => look_on(game, &inputs, batch));
    }

    #[test]
    fn several_games_can_be_looked_at_in_any_way(games in prop::collection::vec(any_battleship_game(), 1..5), inputs in any_inputs(), batch in 0usize..200) {
        look_at_several(games, &inputs, batch);
    }

    #[test]
    fn a_step_on_and_a_step_back_give_the_same_screen(game in any_game(), start in any::<Index>(), keys in "[bl]{0,4}") {
        with_transcript!(game, game => check_steps(&game, start, &keys));
    }

    #[test]
    fn untrusted_text_moves_nothing(names in [any_text(), any_text()], detail in any_text(), log in any_text(), keys in "[bl?]{0,3}", size in any_size()) {
        let mut game = transcript::<Battleship>("panic");
        let plain = GameScreen::replay(Timeline::of(&game).unwrap());
        for (bot, name) in game.header.bots.iter_mut().zip(names) {
            bot.bot.label = name.into();
        }
        for event in &mut game.events {
            if let Event::Faulted { fault, .. } = event {
                fault.detail = detail.as_str().into();
            }
        }
        if let GameRules::Battleship(rules) = &mut game.header.conditions.rules {
            rules.name.clone_from(&detail);
        }
        let mut timeline = Timeline::of(&game).unwrap();
        timeline.set_whole_log(Seat::First, format!("@mark {log}\n@text a0 {log}\n@line a0 {log}\n@shade 0 {log}\n@note {log}\n{log}"));
        let mut screen = GameScreen::replay(timeline);
        // Both boards are where they are with any other name.
        let boards = |screen: &GameScreen<Battleship>| {
            let text = picture(screen, (80, 24));
            text.lines().skip(3).take(11).map(|row| row.chars().take(50).collect::<String>()).collect::<Vec<_>>()
        };
        prop_assert_eq!(boards(&screen), boards(&plain));
        for key in keys.chars() {
            screen.key(KeyCode::Char(key));
            check_picture(&screen, size);
        }
        press(&mut screen, "<end>");
        check_picture(&screen, size);
        for block in arena_tui::headless(Timeline::of(&game).unwrap()) {
            prop_assert!(block.chars().all(|c| !c.is_control() || c == '\n'));
        }
    }

    #[test]
    fn a_dashboard_can_be_looked_at_in_any_way(
        games in prop::collection::vec((any_battleship_game(), 0usize..100), 0..6),
        rows in prop::collection::vec((any_text(), any::<[u32; 3]>()), 0..40),
        texts in [any_text(), any_text(), any_text()],
        counts in any::<[u64; 2]>(),
        rate in any::<Option<f64>>(),
        seconds in any::<Option<u32>>(),
        inputs in any_inputs(),
    ) {
        let [title, label, why] = texts;
        let labels: Vec<String> = rows.iter().map(|(label, _)| label.clone()).collect();
        let standing = |(label, [losses, games, faults]): (String, [u32; 3])| {
            let elo = (games % 2 == 0).then(|| label.clone());
            // Fewer games than 2^30 have half points that are a number of 32 bits.
            let score = Row { games, wins: games >> 2, draws: faults >> 2, losses, faults, ..Row::default() };
            StandingsLine {
                label,
                elo,
                strength_tenths: (faults % 5 > 0).then_some(i64::from(faults)),
                score,
                is_tied: games % 3 == 1,
                is_out: faults % 2 == 1,
                has_left: faults % 3 == 1,
            }
        };
        let mut model = Model {
            title,
            games_done: counts[0],
            games_planned: counts[1],
            games_per_second: rate,
            time_left: seconds.map(|seconds| Duration::from_secs(seconds.into())),
            standings: rows.into_iter().map(standing).collect(),
            refused: vec![RefusedBot { label: label.clone(), why: why.clone() }],
            note: Some(why.clone()),
            ..Model::default()
        };
        model.fault(FaultNotice { game: counts[0], label, turn: 3, class: FaultClass::Trap, detail: why });
        let shared = DashboardState::new(model);
        let slots: Vec<_> = games.iter().map(|(game, events)| common::playing(&shared, 1, game, *events)).collect();
        for (number, two) in (1..).zip(labels.windows(2)) {
            shared.add_game(GameLine {
                number,
                labels: [0, 1].map(|seat| two[seat].as_str().into()),
                outcome: Outcome::Win(Seat::BOTH[number as usize % 2]),
                reason: Reason::Forfeit,
                turns: u32::MAX,
                faults: [u32::MAX; 2],
            });
        }
        let mut screen = DashboardScreen::new(std::sync::Arc::clone(&shared));
        live_through(&mut screen, &inputs);
        screen.opened(1, games.first().map(|(game, _)| game.clone()).ok_or_else(|| labels.concat()));
        live_through(&mut screen, &inputs);
        for (number, (game, _)) in (1..).zip(games.iter().take(1)) {
            shared.offer(number, game.clone());
            live_through(&mut screen, &inputs);
        }
        drop(slots);
        shared.update(|model| model.is_over = true);
        live_through(&mut screen, &inputs);
    }
}

/// Plays with these keys and clicks, and checks that no input was invalid.
fn play_with<G: OnScreen>(rules: &GameRules, inputs: Vec<Input>, size: (u16, u16))
where
    Sweeper: Player<G>,
{
    let header = common::players::header(rules, ["person", "sweeper"]);
    let (feed, updates) = feed();
    let timeline = Timeline::<G>::new(header.clone()).unwrap();
    let (mut screen, person) = PlayScreen::new(timeline, Seat::First, updates);
    let game = std::thread::spawn(move || common::game_with_a_person(&header, Seat::First, person, &feed));
    // With animation, an answer is shown some time after it came.
    let animates = inputs.len().is_multiple_of(2);
    screen.offer(false, animates);
    let elapsed = if animates { Duration::from_millis(200) } else { Duration::ZERO };
    for (number, input) in inputs.into_iter().enumerate() {
        while !screen.is_asked() && !game.is_finished() {
            screen.tick(elapsed);
            std::thread::sleep(Duration::from_micros(20));
        }
        screen.tick(Duration::ZERO);
        match input {
            Input::Press(key) => _ = screen.key_event(&key),
            Input::Click(mouse) => _ = screen.mouse(mouse),
            Input::Wait(_) | Input::Draw(_) => {}
        }
        if number % 8 == 0 {
            check_picture(&screen, size);
        }
    }
    screen.tick(Duration::ZERO);
    for event in screen.game().timeline().events_until(usize::MAX) {
        match event {
            Event::Faulted { seat: Seat::First, fault, .. } => {
                assert_eq!(fault.class, FaultClass::Resigned);
            }
            Event::Acted { seat: Seat::First, effect, attempts, .. } => {
                assert_eq!(*attempts, None, "{event:?} was sent");
                // In Battleship, an invalid shot may take the turn.
                let effect: &dyn Any = effect;
                let is_wasted = matches!(effect.downcast_ref(), Some(battleship::Effect::Wasted { .. }));
                assert!(!is_wasted, "{event:?} was sent");
            }
            _ => {}
        }
    }
    drop(screen);
    // The game ends: with a result, or because the person has left.
    game.join().unwrap().ok();
}

/// Keys and clicks of a person who plays: often those that do something.
fn any_playing_input() -> impl Strategy<Value = Input> {
    let key = prop_oneof![
        2 => Just(KeyCode::Enter.into()),
        1 => Just(KeyCode::Char('x').into()),
        3 => any_key().prop_filter("leaving is for the end", |key| *key != common::ctrl_c()),
    ];
    prop_oneof![3 => key.prop_map(Input::Press), 1 => any_mouse().prop_map(Input::Click)]
}

proptest! {
    // Each case has a referee on a separate thread, or many large pictures.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn several_games_with_pictures_can_be_looked_at_in_any_way(
        sizes in prop::collection::vec((0i64..60, 0i64..200), 1..5), inputs in any_inputs(), batch in 0usize..20
    ) {
        let game = |(rows, columns)| {
            crate::loaded::random(&pile::rules(&[("hidden", 1), ("rows", rows), ("columns", columns)]))
        };
        let games: Vec<Transcript<Loaded>> = sizes.into_iter().map(game).collect();
        let shared = DashboardState::new(Model::default());
        let slots: Vec<_> = games.iter().map(|game| common::playing(&shared, 1, game, batch)).collect();
        let mut dashboard = DashboardScreen::new(std::sync::Arc::clone(&shared));
        live_through(&mut dashboard, &inputs);
        drop(slots);
        live_through(&mut dashboard, &inputs);
        look_at_several(games, &inputs, batch);
    }

    #[test]
    fn no_keys_of_a_person_send_an_illegal_input(
        rules in select(vec!["guide", "pirates", "submarine", "32", "loaded"]),
        inputs in prop::collection::vec(any_playing_input(), 0..150),
        size in any_size(),
    ) {
        let rules = GameRules::named(rules).unwrap_or_else(|| {
            if rules == "loaded" {
                return pile::rules(&[("pile", 30), ("hidden", 1), ("rows", 20)]);
            }
            let rules = Ruleset { placing: Placing::Engine, ..Ruleset::guide() };
            GameRules::Battleship(rules.with_size(Size::new(32, 32)))
        });
        with_game!(rules.kind(), G => play_with::<G>(&rules, inputs, size));
    }
}
