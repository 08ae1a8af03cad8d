//! Pictures of a game's screen.

mod common;

use arena_record::Transcript;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Seat, Size};
use arena_tui::{GameScreen, OnScreen, Screen, Theme, Timeline};
use common::{LARGE, SMALL, buffer, picture, press, replay, sweepers, transcript};
use ratatui::style::{Color, Modifier};

/// A recorded game after some keys, in a size of terminal.
fn check<G: OnScreen>(name: &str, game: &str, keys: &str, size: (u16, u16)) {
    let mut screen = replay::<G>(game);
    if !keys.is_empty() {
        press(&mut screen, keys);
    }
    insta::assert_snapshot!(name, picture(&screen, size));
}

/// A game of two sweepers on a square board.
fn sweepers_on(side: u8) -> Transcript<Battleship> {
    let rules = Ruleset::guide().with_size(Size::new(side, side));
    sweepers(&GameRules::Battleship(rules), ["left", "right"])
}

#[test]
fn a_game_at_its_beginning() {
    check::<Battleship>("beginning_small", "guide", "", SMALL);
}

#[test]
fn a_game_in_its_middle() {
    check::<Battleship>("middle_small", "guide", "g30<enter>", SMALL);
    check::<Battleship>("middle_large", "guide", "g30<enter>", LARGE);
    check::<Battleship>("middle_smallest", "guide", "g30<enter>", (60, 20));
}

#[test]
fn a_game_as_one_side_sees_it() {
    check::<Battleship>("as_first_sees_it_small", "guide", "g30<enter>b", SMALL);
    check::<Battleship>("as_second_sees_it_small", "guide", "g30<enter>bb", SMALL);
    check::<Battleship>("sunk_ships_are_known_where_they_are_told_large", "classic", "g38<enter>b", LARGE);
}

#[test]
fn the_end_of_a_game() {
    check::<Battleship>("end_small", "guide", "<end>", SMALL);
    check::<Battleship>("end_of_pirates_large", "pirates", "<end>", LARGE);
}

#[test]
fn faults_are_on_the_bar_and_in_the_table() {
    check::<Battleship>("faults_small", "overruns", "nnn", SMALL);
    check::<Battleship>("a_lost_game_small", "panic", "n", SMALL);
}

#[test]
fn logs_are_below_the_boards_or_beside_them_or_instead_of_them() {
    for (name, size) in [("small", SMALL), ("large", LARGE), ("smallest", (60, 20))] {
        let mut timeline = Timeline::of(&transcript::<Battleship>("panic")).unwrap();
        let log = std::fs::read_to_string("tests/data/panic.log").unwrap();
        timeline.set_whole_log(Seat::Second, log);
        let mut screen = GameScreen::replay(timeline);
        press(&mut screen, "<end>");
        let by_itself = picture(&screen, size);
        press(&mut screen, "l");
        let after_l = picture(&screen, size);
        // If there is room they are there from the start, and the key takes them away.
        let (shown, hidden) = if size == LARGE { (by_itself, after_l) } else { (after_l, by_itself) };
        insta::assert_snapshot!(format!("logs_{name}"), shown);
        assert!(!hidden.contains("log of"), "{hidden}");
    }
}

#[test]
fn a_game_of_submarine() {
    check::<Submarine>("submarine_small", "submarine", "g5<enter>", SMALL);
    check::<Submarine>("submarine_large", "submarine", "g5<enter><right>", LARGE);
    check::<Submarine>("submarine_after_a_move_small", "submarine", "g6<enter>", SMALL);
    check::<Submarine>("submarine_as_first_sees_it_small", "submarine", "g8<enter>b", SMALL);
    check::<Submarine>("submarine_end_small", "submarine", "<end>", SMALL);
}

fn check_help_fits<G: OnScreen>(game: &str) {
    let mut screen = common::saving(replay::<G>(game));
    press(&mut screen, "?");
    let picture = picture(&screen, (60, 20));
    assert!(picture.contains("the budget") && picture.contains('╰'), "all of it fits:\n{picture}");
}

#[test]
fn the_help_and_the_prompt() {
    check::<Battleship>("help_small", "guide", "?", SMALL);
    check::<Submarine>("help_large", "submarine", "?", LARGE);
    check::<Submarine>("help_smallest", "submarine", "?", (60, 20));
    check_help_fits::<Battleship>("guide");
    check_help_fits::<Submarine>("submarine");
    check::<Battleship>("go_to_small", "guide", "g4", SMALL);
    check::<Battleship>("no_fault_small", "guide", "n", SMALL);
}

#[test]
fn boards_that_do_not_fit_are_narrow_or_shown_in_part() {
    for (side, name, size) in
        [(20, "20", SMALL), (32, "32", SMALL), (32, "32_smallest", (60, 20)), (32, "32_large", LARGE)]
    {
        let game = sweepers_on(side);
        let mut screen = GameScreen::replay(Timeline::of(&game).unwrap());
        press(&mut screen, "g250<enter>");
        insta::assert_snapshot!(format!("board_of_{name}"), picture(&screen, size));
    }
}

#[test]
fn a_large_board_is_scrolled_and_follows_the_shots_again() {
    let game = sweepers_on(32);
    let mut screen = GameScreen::replay(Timeline::of(&game).unwrap());
    let rows = |screen: &GameScreen<Battleship>| {
        let line = picture(screen, SMALL).lines().nth(1).unwrap().to_owned();
        line.split("rows ").nth(1).unwrap().split(' ').next().unwrap().to_owned()
    };
    assert_eq!(rows(&screen), "0–15");
    press(&mut screen, "<down>");
    assert_eq!(rows(&screen), "4–19");
    press(&mut screen, "<pgdn>");
    assert_eq!(rows(&screen), "16–31");
    press(&mut screen, "<right><right><right>");
    assert_eq!(rows(&screen), "16–31");
    press(&mut screen, "f");
    assert_eq!(rows(&screen), "0–15");
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let screen = replay::<Battleship>("guide");
    assert_eq!(picture(&screen, (40, 10)).trim(), "too small: needs 60×20, is 40×10");
    assert_eq!(picture(&screen, (12, 3)).trim(), "needs 60×20\nis 12×3", "the sizes are what matters");
    assert_eq!(picture(&screen, (10, 1)), "needs 60×…");
    assert_eq!(picture(&screen, (1, 1)), "…");
}

fn check_table<G: OnScreen>(game: &str) {
    let mut screen = replay::<G>(game);
    for keys in ["<end>", "b", "b"] {
        press(&mut screen, keys);
        let seen = picture(&screen, SMALL);
        // Names are cut, above it.
        let table: Vec<String> =
            seen.lines().skip(3).take(17).map(|line| line.chars().skip(55).collect()).collect();
        assert!(table.concat().contains("placed") || !table[16].is_empty(), "it is there:\n{seen}");
        assert!(!table.concat().contains('…'), "{game}:\n{seen}");
    }
}

#[test]
fn no_line_of_the_table_of_turns_is_cut_on_80_columns() {
    for game in ["guide", "classic", "pirates", "overruns", "panic"] {
        check_table::<Battleship>(game);
    }
    check_table::<Submarine>("submarine");
}

#[test]
fn without_colours_nothing_has_one_and_all_is_there() {
    let mut screen = replay::<Battleship>("overruns");
    press(&mut screen, "<end>");
    let plain = buffer(&screen, Theme { colours: false }, SMALL);
    let coloured = buffer(&screen, Theme { colours: true }, SMALL);
    assert!(plain.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(coloured.content.iter().any(|cell| cell.fg == Color::Red));
    assert_eq!(common::text(&plain), common::text(&coloured));
    // The result stands out in either.
    for buffer in [plain, coloured] {
        let row = buffer.area.height - 3;
        assert!(buffer[(2, row)].modifier.contains(Modifier::REVERSED), "{:?}", buffer[(2, row)]);
    }
}

fn check_colours<G: OnScreen>(game: &str) {
    let mut screen = replay::<G>(game);
    for key in ["l", "b", "b", "<end>", "?"] {
        press(&mut screen, key);
        let buffer = buffer(&screen, Theme::default(), LARGE);
        let is_plain = |colour: Color| !matches!(colour, Color::Rgb(..) | Color::Indexed(_));
        assert!(buffer.content.iter().all(|cell| is_plain(cell.fg) && is_plain(cell.bg)));
    }
}

#[test]
fn only_the_sixteen_colours_of_any_terminal_are_used() {
    check_colours::<Battleship>("guide");
    check_colours::<Battleship>("overruns");
    check_colours::<Submarine>("submarine");
}

#[test]
fn untrusted_names_stay_in_their_place() {
    let mut game = transcript::<Battleship>("panic");
    game.header.bots[0].bot.label = "\u{1b}[31m\u{202e}evil\u{7}\u{200b}".into();
    game.header.bots[1].bot.label = "数独数独数独数独数独 e\u{301} שלום".into();
    let mut screen = GameScreen::replay(Timeline::of(&game).unwrap());
    press(&mut screen, "l<end>");
    insta::assert_snapshot!("untrusted_names_small", picture(&screen, SMALL));
    let buffer = buffer(&screen, Theme::default(), SMALL);
    assert!(buffer.content.iter().all(|cell| !cell.symbol().contains(char::is_control)));
}

/// The same screen is drawn on a fresh buffer and on a used one.
#[test]
fn a_used_buffer_does_not_shine_through() {
    let screen = replay::<Battleship>("guide");
    let fresh = buffer(&screen, Theme::default(), SMALL);
    let mut used = buffer(&replay::<Submarine>("submarine"), Theme::default(), SMALL);
    screen.draw(Theme::default(), &mut used);
    assert_eq!(fresh, used);
}
