use super::*;

const TEN: Size = Size::new(10, 10);

fn at(name: &str) -> usize {
    TEN.index(spot::parse(TEN, name).expect("it is a cell")).expect("it is on the board")
}

fn numbers(printed: &str) -> Vec<(usize, f64)> {
    Overlay::of(printed, TEN).numbers.into_iter().collect()
}

/// The problems of the lines of a turn.
fn problems(printed: &str) -> Vec<String> {
    wrong_lines(printed, TEN).into_iter().map(|line| line.problem).collect()
}

#[test]
fn a_mark_is_a_cell_and_a_number_of_0_or_more() {
    for (line, number) in [
        ("@mark a7 0.8", 0.8),
        ("@mark a7 0", 0.0),
        ("@mark a7 -0", 0.0),
        ("@mark a7 1.0", 1.0),
        ("@mark a7 .25", 0.25),
        ("@mark a7 3210", 3210.0),
        ("@mark a7 1e-05", 0.000_01),
        ("@mark A7 0.8 ", 0.8),
        ("@mark 7,0 0.8", 0.8),
        ("@mark (7, 0) 0.8\r", 0.8),
        ("turn 12: @mark a7 0.8", 0.8),
        ("deploy: @mark a7 0.8", 0.8),
    ] {
        assert_eq!(numbers(line), [(at("a7"), number)], "{line}");
        assert_eq!(problems(line), [""; 0], "{line}");
    }
}

#[test]
fn a_line_that_does_not_begin_as_one_of_an_overlay_is_an_ordinary_line() {
    for line in
        ["", "@", "@marks a7 1", " @mark a7 1", "x @mark a7 1", "turn x: @mark a7 1", "@MARK a7 1", "note"]
    {
        assert_eq!((Overlay::of(line, TEN), problems(line)), (Overlay::default(), Vec::new()), "{line}");
    }
}

#[test]
fn a_wrong_line_draws_nothing_and_says_what_is_wrong_with_it() {
    for (line, words) in [
        ("@mark", "needs a cell and a number"),
        ("@mark a7", "needs a cell and a number"),
        ("@mark a7 -0.1", "“-0.1” is not a number of 0 or more"),
        ("@mark a7 NaN", "“NaN” is not a number"),
        ("@mark a7 inf", "“inf” is not a number"),
        ("@mark a7 1e999", "“1e999” is not a number"),
        ("@mark a7 0.8 0.9", "is not a spot"),
        ("@mark a70 0.8", "there is no row 70: rows are 0 to 9"),
        ("@mark k7 0.8", "there is no column k: columns are a to j"),
        ("@mark 99999999999999999999,0 0.8", "is not a spot"),
        ("@mark \u{1b}[31m 0.8", "is not a spot"),
        ("@shade", "needs a row"),
        ("@shade 0", "it has 0 numbers, and a row has 10 cells"),
        ("@shade 10 1", "there is no row 10"),
        ("@shade a 1", "is not a spot"),
        ("@shade 0 1 1 1 1 1 1 1 1 1 1 1", "it has 11 numbers, and a row has 10 cells"),
        ("@shade 0 .1 x", "“x” is not a number"),
        ("@scale 0", "a scale is more than 0"),
        ("@scale", "is not a number"),
        ("@line", "needs two cells"),
        ("@line a7", "needs two cells"),
        ("@line a7 a7", "its two cells are the same"),
        ("@line a7 k7", "there is no column k"),
        ("@line a7 b7 c7", "needs two cells"),
        ("@text a7", "needs a cell and a text"),
        ("@text a7 abc", "“abc” is not a text for a cell"),
        ("@text a7 é", "is not a text for a cell"),
        ("@text a7 数", "is not a text for a cell"),
        ("@text a7 e\u{301}", "is not a text for a cell"),
        ("@text a7 \u{7}", "is not a text for a cell"),
        ("@text a7 \u{202e}x", "is not a text for a cell"),
        ("@text k7 x", "there is no column k"),
        ("@note", "it has no text"),
        ("@note  ", "it has no text"),
    ] {
        let [wrong] = &wrong_lines(line, TEN)[..] else { panic!("{line}: {:?}", problems(line)) };
        assert!(wrong.problem.contains(words), "{line:?}: {wrong:?}");
        assert_eq!(
            (wrong.text.as_str(), Overlay::of(line, TEN)),
            (line.trim_end_matches('\n'), Overlay::default())
        );
    }
}

#[test]
fn the_example_of_a_wrong_line_is_right_on_any_board() {
    for size in
        [(2, 1), (1, 2), (5, 5), (10, 10), (27, 3), (32, 32)].map(|(width, height)| Size::new(width, height))
    {
        for line in ["@mark", "@shade", "@scale", "@line", "@text", "@note"] {
            let example = wrong_lines(line, size)[0].example.clone();
            assert!(
                example.starts_with(line) && wrong_lines(&example, size).is_empty(),
                "{size:?}: {example}"
            );
        }
    }
}

#[test]
fn a_row_is_shaded_from_its_first_cell_on() {
    assert_eq!(numbers("@shade 7 0 .5 - 2"), [(at("a7"), 0.0), (at("b7"), 0.5), (at("d7"), 2.0)]);
    assert_eq!(numbers("@shade 9 1 1 1 1 1 1 1 1 1 1").len(), 10);
}

#[test]
fn a_shade_is_in_tenths_of_the_largest_number_or_of_the_scale() {
    let shades = |printed| Overlay::of(printed, TEN).shades().into_values().collect::<Vec<_>>();
    assert_eq!(shades("@shade 0 .02 .01 0 .0199"), [9, 5, 0, 9]);
    assert_eq!(shades("@shade 0 .02 .01 0 .0199\n@scale 0.1"), [2, 1, 0, 1]);
    assert_eq!(shades("@mark a0 7\n@scale 1"), [9], "a larger number is as dark as the scale");
    assert_eq!(shades("@mark a0 0"), [0], "nothing has no largest part");
}

#[test]
fn a_line_joins_two_cells_that_are_named_in_either_way() {
    let expected = [[Coord::new(7, 0), Coord::new(7, 3)]];
    for line in ["@line a7 d7", "@line 7,0 7,3", "@line (7, 0) (7, 3)", "@line 7 0 7 3", "@line a7 7,3"] {
        assert_eq!(Overlay::of(line, TEN).lines(), expected, "{line}");
    }
}

#[test]
fn of_two_numbers_texts_or_notes_for_one_place_the_later_counts() {
    let printed = "@mark a0 0.1\n@note one\n@text a0 x\n@mark a0 0.7\n@note two\r\n@text a0 <&\n";
    let overlay = Overlay::of(printed, TEN);
    assert_eq!((overlay.numbers[&0], overlay.note(), overlay.text(0)), (0.7, Some("two"), Some("<&")));
}

#[test]
fn what_a_turn_draws_is_bounded() {
    let size = Size::new(32, 32);
    let of_all = |word: &str, value: &str| -> String {
        size.coords().map(|at| format!("{word} {} {value}\n", spot::name(size, at))).collect()
    };
    let lines = |count: usize| "@line a0 b0\n".repeat(count);
    let most = of_all("@mark", "0.5") + &of_all("@text", "x") + &lines(LINES_MAX);
    assert_eq!(wrong_lines(&most, size), [], "as much as there can be");
    for (more, words) in [
        ("@mark a0 0.9", "1024 shaded cells"),
        ("@shade 0 0.9", "1024 shaded cells"),
        ("@text a0 y", "1024 texts"),
        ("@line a0 c0", "64 lines"),
    ] {
        let flood = format!("{most}{more}\n");
        assert_eq!(Overlay::of(&flood, size), Overlay::of(&most, size), "{more}");
        assert!(wrong_lines(&flood, size)[0].problem.contains(words), "{more}");
        // Another turn has the same room.
        let turn = |rest: usize| {
            let lines = flood.lines().skip(rest).step_by(2);
            lines.map(|line| format!("turn {}: {line}\n", rest + 1)).collect::<String>()
        };
        assert_eq!(wrong_lines(&(turn(0) + &turn(1)), size), []);
    }
    let note = |chars: usize| {
        Overlay::of(&format!("@note {}", "数".repeat(chars)), size).note().unwrap().chars().count()
    };
    assert_eq!([NOTE_CHARS_MAX, NOTE_CHARS_MAX + 1, 100_000].map(note), [NOTE_CHARS_MAX; 3]);
}

#[test]
fn a_line_that_draws_has_a_limited_length() {
    let line = |bytes: usize| format!("@shade 0 {:0>width$}", 1, width = bytes - "@shade 0 ".len());
    assert_eq!(numbers(&line(400)), [(0, 1.0)]);
    assert_eq!(numbers(&line(401)), []);
    assert_eq!(problems(&line(401)), ["it has 401 bytes, and 400 are the most"]);
}

#[test]
fn wrong_lines_have_their_turns() {
    let found = wrong_lines("deploy: @scale 0\nturn 2: @mark a0 1\nturn 3: @line a0\n@text a0 abc\n", TEN);
    let moments: Vec<_> = found.iter().map(|line| (line.moment, line.text.as_str())).collect();
    assert_eq!(
        moments,
        [
            (Some(LogMoment::Deploy), "@scale 0"),
            (Some(LogMoment::Turn(3)), "@line a0"),
            (None, "@text a0 abc"),
        ]
    );
}

#[test]
fn a_program_reads_an_overlay_as_json() {
    let overlay = Overlay::of("@mark b7 2\n@mark a0 1\n@text j9 \"<\n@line a0 j9\n@note \u{1b}", TEN);
    let expected = json!({
        "seat": 2,
        "turn": 7,
        "cells": [{ "cell": [0, 0], "number": 1.0, "shade": 5 }, { "cell": [7, 1], "number": 2.0, "shade": 9 }],
        "texts": [{ "cell": [9, 9], "text": "\"<" }],
        "lines": [[[0, 0], [9, 9]]],
        "note": "\u{1b}",
    });
    assert_eq!(overlay.json(Seat::Second, 7, TEN), expected);
    assert!(Overlay::of("@scale 3", TEN).is_empty() && !overlay.is_empty());
}
