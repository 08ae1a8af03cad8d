//! Pictures of a game's screen.

use crate::common::{self, LARGE, PLAIN, SMALL, WALL, buffer, picture, press, replay, sweepers, transcript};
use arena_pictures::Timeline;
use arena_record::Transcript;
use arena_rules::battleship::{Battleship, Ruleset};
use arena_rules::submarine::Submarine;
use arena_rules::{GameRules, Seat, Size};
use arena_tui::{Colours, GameScreen, OnScreen, Screen, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use std::time::Duration;

/// A recorded game after some keys, in a size of terminal.
fn check<G: OnScreen>(name: &str, game: &str, keys: &str, size: (u16, u16)) {
    let mut screen = replay::<G>(game);
    if keys != "-" {
        press(&mut screen, keys);
    }
    insta::assert_snapshot!(name, picture(&screen, size));
}

#[test]
fn recorded_games_look_as_before_at_these_places_and_sizes() {
    let table = include_str!("data/pictures.txt").lines().filter(|line| !line.starts_with('#'));
    for line in table {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, game, keys, size] = words[..] else { panic!("{line}") };
        let (columns, rows) = size.split_once('x').unwrap();
        let size = (columns.parse().unwrap(), rows.parse().unwrap());
        match game {
            "submarine" => check::<Submarine>(name, game, keys, size),
            _ => check::<Battleship>(name, game, keys, size),
        }
    }
}

/// A game of two sweepers on a square board.
fn sweepers_on(side: u8) -> Transcript<Battleship> {
    let rules = Ruleset::guide().with_size(Size::new(side, side));
    sweepers(&GameRules::Battleship(rules), ["left", "right"])
}

/// The colours of a part of a picture, pixel by pixel: a letter for each, and spaces for the terminal's own.
fn pixels(buffer: &Buffer, area: Rect) -> String {
    let letter = |colour: Color| match colour {
        Color::Blue => 'b',
        Color::Cyan => 'c',
        Color::Red => 'r',
        Color::Magenta => 'm',
        Color::Yellow => 'y',
        Color::Gray => 'g',
        Color::Reset => ' ',
        other => panic!("{other} is none of them"),
    };
    let mut lines = Vec::new();
    for row in area.rows() {
        let halves = row.columns().map(|place| {
            let cell = &buffer[(place.x, place.y)];
            match cell.symbol() {
                "▀" => [cell.fg, cell.bg],
                "▄" => [cell.bg, cell.fg],
                _ => [cell.bg, cell.bg],
            }
        });
        let halves: Vec<[Color; 2]> = halves.collect();
        lines.extend([0, 1].map(|half| {
            let line: String = halves.iter().map(|pair| letter(pair[half])).collect();
            line.trim_end().to_owned()
        }));
    }
    lines.join("\n")
}

#[test]
fn with_colours_ships_and_shots_are_drawn_in_pixels() {
    let mut screen = replay::<Battleship>("guide");
    press(&mut screen, "g30<enter>");
    // The second board, by the theme of sixteen colours: 4×2 characters a cell, then 8×4.
    for (name, size, area) in
        [("large", LARGE, Rect::new(50, 7, 40, 12)), ("wall", WALL, Rect::new(90, 8, 72, 20))]
    {
        let drawn = buffer(&screen, Theme::default(), size);
        insta::assert_snapshot!(format!("pixels_{name}"), pixels(&drawn, area));
    }
}

#[test]
fn a_shot_and_a_sinking_are_seen_to_happen() {
    for (what, turn, count) in [("miss", 13, 4), ("hit", 15, 4), ("sinking", 16, 8)] {
        let mut screen = replay::<Battleship>("classic");
        screen.offer(false, true);
        press(&mut screen, &format!("g{turn}<enter>"));
        let still = picture(&screen, SMALL);
        press(&mut screen, "<left><right>");
        let mut frames = Vec::new();
        while let Some(wait) = screen.wait() {
            frames.push(picture(&screen, SMALL));
            assert!(screen.tick(wait), "{what}");
        }
        assert_eq!(frames.len(), count, "{what}");
        assert_eq!(picture(&screen, SMALL), still, "{what}: after it, the board is as it is");
        let boards = frames.iter().map(|frame| frame.lines().skip(3).take(11).collect::<Vec<_>>().join("\n"));
        insta::assert_snapshot!(format!("animated_{what}"), boards.collect::<Vec<_>>().join("\n\n"));
    }
}

#[test]
fn nothing_is_animated_when_it_is_off_or_fast() {
    let mut screen = replay::<Battleship>("guide");
    press(&mut screen, "g29<enter><right>");
    assert_eq!(screen.wait(), None, "it is off");
    screen.offer(false, true);
    press(&mut screen, "<right>");
    assert!(screen.wait().is_some_and(|wait| wait <= Duration::from_millis(60)));
    press(&mut screen, "<left>");
    assert_eq!(screen.wait(), None, "a step back is none");
    press(&mut screen, "+++ ");
    screen.tick(Duration::from_millis(32));
    let step = Duration::from_secs(1) / 32;
    assert!(screen.wait().is_some_and(|wait| wait >= step), "{:?}", screen.wait());
}

#[test]
fn with_one_ship_left_the_title_says_so_and_each_event_is_shown_for_twice_as_long() {
    let mut screen = replay::<Battleship>("guide");
    screen.offer(false, true);
    let step = |screen: &mut GameScreen<Battleship>| {
        press(screen, " ");
        let wait = screen.wait().unwrap();
        press(screen, " ");
        wait.as_millis()
    };
    press(&mut screen, "g30<enter>");
    assert!(!picture(&screen, LARGE).contains("last ship"));
    assert_eq!(step(&mut screen), 250);
    press(&mut screen, "<end>");
    assert!(!picture(&screen, LARGE).contains("last ship"), "a game that is over has no suspense");
    press(&mut screen, "<left><left><left><left>");
    insta::assert_snapshot!("last_ship_large", picture(&screen, LARGE));
    insta::assert_snapshot!("last_ship_wall", picture(&screen, WALL));
    assert_eq!(step(&mut screen), 500);
    let position = screen.position();
    press(&mut screen, " ");
    screen.tick(Duration::from_millis(499));
    assert_eq!(screen.position(), position);
    screen.tick(Duration::from_millis(1));
    assert_eq!(screen.position(), position + 1, "only the pace differs");
    press(&mut screen, " <left>");
    screen.offer(false, false);
    assert_eq!(step(&mut screen), 250, "without animations there is none");
    let [as_first, as_second] = ["b", "b"].map(|key| {
        press(&mut screen, key);
        picture(&screen, LARGE)
    });
    assert_ne!(as_first.contains("last ship"), as_second.contains("last ship"), "sinkings are hidden");
}

#[test]
fn where_the_locale_is_not_of_utf_8_everything_is_ascii() {
    let mut screen = replay::<Battleship>("guide");
    press(&mut screen, "g30<enter>");
    let ascii = Theme { is_ascii: true, ..PLAIN };
    insta::assert_snapshot!("ascii_large", common::text(&buffer(&screen, ascii, LARGE)));
    press(&mut screen, "?");
    let help = common::text(&buffer(&screen, ascii, SMALL));
    assert!(help.is_ascii() && help.contains("S .          a ship, water"), "{help}");
}

#[test]
fn true_colours_fill_the_screen_with_their_background() {
    let screen = replay::<Battleship>("guide");
    let grounds = [Colours::Dark, Colours::Light].map(|colours| {
        let drawn = buffer(&screen, Theme { colours, ..PLAIN }, SMALL);
        assert!(drawn.content.iter().all(|cell| matches!(cell.bg, Color::Rgb(..))), "{colours:?}");
        drawn[(0, 23)].bg
    });
    assert_ne!(grounds[0], grounds[1]);
}

#[test]
fn a_long_name_is_shown_as_far_as_there_is_room() {
    let mut game = transcript::<Battleship>("guide");
    game.header.bots[0].bot.label = "a-bot-with-24-characters".into();
    let screen = GameScreen::replay(Timeline::of(&game).unwrap());
    assert!(!picture(&screen, SMALL).contains("1 a-bot-with-24-characters"));
    assert!(picture(&screen, LARGE).contains("1 a-bot-with-24-characters"));
}

#[test]
fn the_chance_of_a_ship_is_shown_on_each_cell() {
    let mut screen = replay::<Battleship>("guide");
    press(&mut screen, "g30<enter>");
    let before = picture(&screen, SMALL);
    press(&mut screen, "h");
    assert_ne!(picture(&screen, SMALL), before);
    press(&mut screen, "h");
    assert_eq!(picture(&screen, SMALL), before, "the key takes them away again");
}

#[test]
fn what_a_bot_marks_is_on_the_board_of_the_other_side_until_it_is_taken_away() {
    let timeline = |name: &str| {
        let log = "turn 5: @mark a0 0.1\nturn 5: @mark c2 0.55\nturn 5: @mark j9 1\nturn 5: @mark z9 1\nturn 5: @note a \x1b[31mred line\n";
        Timeline::of(&transcript::<Battleship>(name)).unwrap().with_logs([Some(log.into()), None])
    };
    let mut screen = GameScreen::replay(timeline("classic"));
    press(&mut screen, "g5<enter>");
    insta::assert_snapshot!("marks_small", picture(&screen, SMALL));
    let shown = picture(&screen, SMALL);
    press(&mut screen, "m");
    let without = picture(&screen, SMALL);
    assert_ne!(shown, without);
    assert!(shown.contains("a ␛[31mred line") && !without.contains("red line"));
    // The other side does not see it.
    press(&mut screen, "mb");
    assert!(picture(&screen, SMALL).contains("red line"));
    press(&mut screen, "b");
    assert!(!picture(&screen, SMALL).contains("red line"));
    // A turn without marks has none.
    press(&mut screen, "bg7<enter>");
    assert!(!picture(&screen, SMALL).contains("red line"));
}

#[test]
fn lines_texts_and_shades_of_a_bot_are_on_small_and_large_boards_with_colours_and_in_ascii() {
    let log = "turn 5: @shade 1 0 .1 .2 .3 .4 .5 .6 .7 .8 .9\nturn 5: @scale 1\nturn 5: @line a3 j3\nturn 5: @line b2 b9\n\
               turn 5: @line j0 a9\nturn 5: @line d5 h7\nturn 5: @text c1 x1\nturn 5: @text e8 <\nturn 5: @text f8 abc\nturn 5: @line a0 z9\n";
    fn check<G: OnScreen>(name: &str, log: &str, shades: usize) {
        let timeline = Timeline::of(&transcript::<G>(name)).unwrap().with_logs([Some(log.into()), None]);
        let mut screen = GameScreen::replay(timeline);
        press(&mut screen, "g5<enter>");
        for (size_name, size) in [("small", SMALL), ("large", LARGE)] {
            insta::assert_snapshot!(format!("overlay_{name}_{size_name}"), picture(&screen, size));
        }
        let ascii = common::text(&buffer(&screen, Theme { is_ascii: true, ..PLAIN }, SMALL));
        assert!(ascii.is_ascii());
        insta::assert_snapshot!(format!("overlay_{name}_ascii"), ascii);
        // Two pixels to a character, on the second board.
        let drawn = buffer(&screen, Theme::default(), LARGE);
        insta::assert_snapshot!(format!("overlay_{name}_pixels"), pixels(&drawn, Rect::new(50, 4, 43, 22)));
        press(&mut screen, "m");
        let without = picture(&screen, SMALL);
        assert!(!without.contains(['╱', '╲', '┼']) && !without.contains("x1"), "{without}");
        // Any pair of neighbours of a scale differs in true colours, and each has its digit.
        press(&mut screen, "m");
        for colours in [Colours::Dark, Colours::Light] {
            let drawn = buffer(&screen, Theme { colours, ..PLAIN }, LARGE);
            let grounds: std::collections::BTreeSet<String> =
                drawn.content.iter().map(|cell| format!("{:?}", cell.bg)).collect();
            assert!(grounds.len() >= shades, "{name}: {grounds:?}");
        }
    }
    check::<Battleship>("classic", log, 10);
    check::<Submarine>(
        "submarine",
        "turn 5: @shade 1 0 1 2 3 4\nturn 5: @line a0 e4\nturn 5: @line e2 a3\nturn 5: @text c4 ab\nturn 5: @text d4 c\n",
        5,
    );
}

#[test]
fn logs_are_below_the_boards_or_next_to_them_or_instead_of_them() {
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

fn check_help_fits<G: OnScreen>(game: &str) {
    let mut screen = common::saving(replay::<G>(game));
    press(&mut screen, "?");
    let picture = picture(&screen, (60, 20));
    assert!(picture.contains("the budget") && picture.contains('╰'), "all of it fits:\n{picture}");
}

#[test]
fn the_help_fits_the_smallest_terminal() {
    check_help_fits::<Battleship>("guide");
    check_help_fits::<Submarine>("submarine");
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
    assert_eq!(rows(&screen), "0–14");
    press(&mut screen, "<down>");
    assert_eq!(rows(&screen), "4–18");
    press(&mut screen, "<pgdn>");
    assert_eq!(rows(&screen), "17–31");
    press(&mut screen, "<right><right><right>");
    assert_eq!(rows(&screen), "17–31");
    press(&mut screen, "f");
    assert_eq!(rows(&screen), "0–14");
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    let screen = replay::<Battleship>("guide");
    assert_eq!(picture(&screen, (40, 10)).trim(), "too small: needs 60×20, is 40×10\nq quits");
    assert_eq!(picture(&screen, (12, 3)), "needs 60×20\nis 12×3\nq quits", "the sizes are what matters");
    assert_eq!(picture(&screen, (12, 2)), "needs 60×20\nq quits");
    assert_eq!(picture(&screen, (59, 1)), "too small: needs 60×20, is 59×1: q quits");
    assert_eq!(picture(&screen, (20, 1)), "needs 60×20: q quits");
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
            seen.lines().skip(3).take(16).map(|line| line.chars().skip(55).collect()).collect();
        assert!(table.concat().contains("placed") || !table[15].is_empty(), "it is there:\n{seen}");
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
    let plain = buffer(&screen, PLAIN, SMALL);
    let coloured = buffer(&screen, Theme::default(), SMALL);
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
