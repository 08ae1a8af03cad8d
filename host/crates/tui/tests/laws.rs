//! What holds for every screen, whatever is pressed and whatever is shown.

mod common;

use arena_record::Transcript;
use arena_referee::{Event, FaultClass};
use arena_rules::{GameRules, Placing, Ruleset, Seat, Size};
use arena_tui::{
    DashboardScreen, FaultNews, GameScreen, Key, Model, PlayScreen, Refused, Shared, Standing, Theme,
    Timeline, Update, feed,
};
use common::{Pressed, buffer, picture, press, sweepers, transcript};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;
use std::time::Duration;

/// Recorded games of every kind, and some on boards that fit no terminal, or fit any.
static GAMES: LazyLock<Vec<Transcript>> = LazyLock::new(|| {
    let on = |width, height, fleet: &[u8]| {
        let rules = Ruleset { fleet: fleet.to_vec(), ..Ruleset::guide() };
        let rules = rules.with_size(Size::new(width, height));
        sweepers(&GameRules::Battleship(rules), ["left", "right"])
    };
    let names = ["guide", "classic", "pirates", "submarine", "overruns", "panic"];
    let odd = [on(32, 32, &[30, 12, 3, 2, 1]), on(1, 1, &[1]), on(3, 30, &[20, 3])];
    names.map(transcript).into_iter().chain(odd).collect()
});

fn any_game() -> impl Strategy<Value = Transcript> {
    select(GAMES.clone())
}

fn any_key() -> impl Strategy<Value = Key> {
    use Key::{Backspace, Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up};
    let named = select(vec![
        Left,
        Right,
        Up,
        Down,
        Home,
        End,
        PageUp,
        PageDown,
        Enter,
        Esc,
        Backspace,
        Tab,
        Key::Interrupt,
    ]);
    let letters =
        select("abcdefghijklmnopqrstuvwxyzGQ0123456789 ,?+-".chars().collect::<Vec<_>>()).prop_map(Char);
    prop_oneof![4 => letters, 4 => named, 1 => any::<char>().prop_map(Char)]
}

fn any_size() -> impl Strategy<Value = (u16, u16)> {
    prop_oneof![
        3 => (60u16..=200, 20u16..=60),
        1 => (1u16..=200, 1u16..=60),
    ]
}

/// What happens to a screen.
#[derive(Clone, Debug)]
enum Deed {
    Press(Key),
    Wait(u64),
    Draw((u16, u16)),
}

fn any_deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        6 => any_key().prop_map(Deed::Press),
        1 => (0u64..5_000).prop_map(Deed::Wait),
        2 => any_size().prop_map(Deed::Draw),
    ];
    prop::collection::vec(deed, 1..25)
}

/// A picture on which everything is in its place: no control character, and no cell wider than its place.
fn check_picture(screen: &impl Pressed, size: (u16, u16)) {
    for theme in [Theme { colours: true }, Theme { colours: false }] {
        let buffer = buffer(screen, theme, size);
        for row in buffer.area.rows() {
            let mut hidden = 0;
            for cell in row.columns() {
                let symbol = buffer[(cell.x, cell.y)].symbol();
                assert!(!symbol.contains(char::is_control), "{symbol:?}");
                if hidden > 0 {
                    assert_eq!(symbol, " ", "something is behind a wide character");
                    hidden -= 1;
                    continue;
                }
                let width = arena_tui::text::width(symbol) as u16;
                assert!((1..=2).contains(&width), "{symbol:?}");
                assert!(cell.x + width <= buffer.area.width, "{symbol:?} hangs over the edge");
                hidden = width - 1;
            }
        }
    }
}

fn live_through(screen: &mut impl Pressed, deeds: &[Deed]) {
    for deed in deeds {
        match deed {
            Deed::Press(key) => _ = screen.press(*key),
            Deed::Wait(milliseconds) => _ = screen.pass(Duration::from_millis(*milliseconds)),
            Deed::Draw(size) => check_picture(screen, *size),
        }
    }
    check_picture(screen, (80, 24));
}

/// Text that means harm, mixed with text that does not.
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

proptest! {
    #[test]
    fn a_recorded_game_can_be_looked_at_in_any_way(game in any_game(), deeds in any_deeds()) {
        let mut screen = GameScreen::replay(Timeline::of(&game).unwrap()).with_saving();
        live_through(&mut screen, &deeds);
    }

    #[test]
    fn a_game_that_is_played_can_be_looked_at_in_any_way(game in any_game(), deeds in any_deeds(), batch in 1usize..60) {
        let mut screen = GameScreen::watch(Timeline::new(game.header).unwrap());
        let mut events = game.events.into_iter();
        for deeds in deeds.chunks(4) {
            for event in events.by_ref().take(batch) {
                screen.receive(Update::Event(event));
            }
            live_through(&mut screen, deeds);
        }
        screen.close_feed();
        live_through(&mut screen, &deeds);
    }

    #[test]
    fn a_step_on_and_a_step_back_come_to_the_same_screen(game in any_game(), start in any::<prop::sample::Index>(), keys in "[bl]{0,4}") {
        let timeline = Timeline::of(&game).unwrap();
        let start = start.index(timeline.len());
        let mut screen = GameScreen::replay(timeline);
        (0..start).for_each(|_| _ = press(&mut screen, "<right>"));
        keys.chars().for_each(|key| _ = screen.key(Key::Char(key)));
        let before = picture(&screen, (80, 24));
        press(&mut screen, "<right><left>");
        prop_assert_eq!(&picture(&screen, (80, 24)), &before);
        // However one gets there, it is the same place.
        press(&mut screen, "<end>");
        while screen.position() > start {
            press(&mut screen, "<left>");
        }
        prop_assert_eq!(&picture(&screen, (80, 24)), &before);
    }

    #[test]
    fn untrusted_text_moves_nothing(names in [any_text(), any_text()], detail in any_text(), log in any_text(), keys in "[bl?]{0,3}", size in any_size()) {
        let mut game = transcript("panic");
        let plain = GameScreen::replay(Timeline::of(&game).unwrap());
        for (bot, name) in game.header.bots.iter_mut().zip(names) {
            bot.label = name;
        }
        for event in &mut game.events {
            if let Event::Fault { fault, .. } = event {
                fault.detail.clone_from(&detail);
            }
        }
        if let GameRules::Battleship(rules) = &mut game.header.rules {
            rules.name.clone_from(&detail);
        }
        let mut timeline = Timeline::of(&game).unwrap();
        timeline.set_whole_log(Seat::First, log);
        let mut screen = GameScreen::replay(timeline);
        // Both boards are where they are with any other name.
        let boards = |screen: &GameScreen| {
            let text = picture(screen, (80, 24));
            text.lines().skip(3).take(11).map(|row| row.chars().take(50).collect::<String>()).collect::<Vec<_>>()
        };
        prop_assert_eq!(boards(&screen), boards(&plain));
        for key in keys.chars() {
            screen.key(Key::Char(key));
            check_picture(&screen, size);
        }
        press(&mut screen, "<end>");
        check_picture(&screen, size);
        for block in arena_tui::headless(&game).unwrap() {
            prop_assert!(block.chars().all(|c| !c.is_control() || c == '\n'));
        }
    }

    #[test]
    fn a_dashboard_can_be_looked_at_in_any_way(
        games in prop::collection::vec((any_game(), 0usize..100), 0..6),
        rows in prop::collection::vec((any_text(), any::<[u32; 3]>()), 0..40),
        texts in [any_text(), any_text(), any_text()],
        counts in any::<[u64; 2]>(),
        rate in any::<Option<f64>>(),
        seconds in any::<Option<u32>>(),
        deeds in any_deeds(),
    ) {
        let [title, label, why] = texts;
        let standing = |(label, [half_points, games, faults]): (String, [u32; 3])| {
            Standing { label, half_points, games, wins: games, draws: faults, losses: half_points, faults }
        };
        let mut model = Model {
            title,
            games_done: counts[0],
            games_planned: counts[1],
            games_per_second: rate,
            time_left: seconds.map(|seconds| Duration::from_secs(seconds.into())),
            standings: rows.into_iter().map(standing).collect(),
            refused: vec![Refused { label: label.clone(), why: why.clone() }],
            note: Some(why.clone()),
            ..Model::default()
        };
        model.fault(FaultNews { game: counts[0], label, turn: 3, class: FaultClass::Trap, detail: why });
        let shared = Shared::new(model);
        let desks: Vec<_> = games.iter().map(|(game, events)| {
            let desk = shared.desk();
            desk.begin(1, &game.header);
            game.events.iter().take(*events).for_each(|event| desk.event(event));
            desk
        }).collect();
        let mut screen = DashboardScreen::new(std::sync::Arc::clone(&shared));
        live_through(&mut screen, &deeds);
        drop(desks);
        shared.update(|model| model.is_over = true);
        live_through(&mut screen, &deeds);
    }
}

/// Keys that a person may press while it plays: often those that do something.
fn any_playing_key() -> impl Strategy<Value = Key> {
    prop_oneof![
        2 => Just(Key::Enter),
        1 => Just(Key::Char('x')),
        3 => any_key().prop_filter("leaving is for the end", |key| *key != Key::Interrupt),
    ]
}

proptest! {
    // Each case has a referee on a thread of its own.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn whatever_a_person_presses_nothing_illegal_is_sent(
        rules in select(vec!["guide", "pirates", "submarine", "32"]),
        keys in prop::collection::vec(any_playing_key(), 0..150),
        size in any_size(),
    ) {
        let rules = GameRules::named(rules).unwrap_or_else(|| {
            let rules = Ruleset { placing: Placing::Engine, ..Ruleset::guide() };
            GameRules::Battleship(rules.with_size(Size::new(32, 32)))
        });
        let header = common::players::header(&rules, ["person", "sweeper"]);
        let (feed, updates) = feed();
        let (mut screen, person) = PlayScreen::new(Timeline::new(header.clone()).unwrap(), Seat::First, updates);
        let game = std::thread::spawn(move || common::game_with_a_person(&header, Seat::First, person, &feed));
        for (number, key) in keys.into_iter().enumerate() {
            while !screen.is_asked() && !game.is_finished() {
                screen.tick(Duration::ZERO);
                std::thread::sleep(Duration::from_micros(20));
            }
            screen.tick(Duration::ZERO);
            screen.key(key);
            if number % 8 == 0 {
                check_picture(&screen, size);
            }
        }
        screen.tick(Duration::ZERO);
        for event in screen.game().timeline().events_until(usize::MAX) {
            match event {
                Event::Fault { seat: Seat::First, fault, .. } => {
                    prop_assert_eq!(&fault.detail, "resigned");
                }
                Event::Wasted { seat: Seat::First, .. }
                | Event::Shot { seat: Seat::First, attempts: Some(_), .. }
                | Event::Skipped { seat: Seat::First, attempts: Some(_), .. } => {
                    prop_assert!(false, "{:?} was sent", event);
                }
                _ => {}
            }
        }
        drop(screen);
        // The game ends: with a result, or because the person has left.
        game.join().unwrap().ok();
    }
}
