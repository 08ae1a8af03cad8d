//! Tests of the replay of a game: its boards, its controls, its first screen.

use crate::browser::{Browser, LAPTOP, Look, key};
use crate::in_browsers;
use crate::support::Place;

/// The rows of both boards on the page of a game, side by side, without spaces and frames.
const ROWS: &str = r#"
    const boards = [...document.querySelectorAll("table.board")].map((board) => [...board.querySelectorAll("tbody tr")]);
    return boards[0].map((row, index) => (row.textContent + boards[1][index].textContent).replace(/\s/g, ""));
"#;

/// The boards after each event as `arena replay --headless` prints them, in the same form.
fn headless(place: &Place, game: u32) -> Vec<Vec<String>> {
    let printed = place.arena(&format!("replay --journal arena.db {game} --headless"));
    let plain = |line: &str| line.replace([' ', '[', ']', ':'], "");
    let is_row = |line: &&str| line.get(..2).is_some_and(|start| start.trim_start().parse::<u8>().is_ok());
    let boards = printed.split("\n\n").map(|block| block.lines().filter(is_row).map(plain).collect());
    boards.filter(|rows: &Vec<String>| !rows.is_empty()).collect()
}

/// Steps through a game with the keyboard, and compares each board with those of the terminal.
fn compare_each_step(browser: &mut Browser, place: &Place) {
    browser.open(&place.page("games/1.html"));
    let expected = headless(place, 1);
    assert!(expected.len() > 10);
    browser.press(key::HOME);
    for (step, rows) in expected.iter().enumerate() {
        browser.press(key::RIGHT);
        let shown: Vec<String> = browser.run(ROWS);
        assert_eq!(&shown, rows, "after step {}", step + 1);
    }
    browser.press(key::RIGHT);
    let status: String = browser.run("return document.getElementById('status').textContent");
    assert!(status.contains(" wins: "), "{status}");
    let shown: Vec<String> = browser.run(ROWS);
    assert_eq!(Some(&shown), expected.last());
}

#[test]
fn each_step_of_a_replay_has_the_boards_of_the_terminal() {
    in_browsers(&[LAPTOP], |browser, _| {
        compare_each_step(browser, Place::contest());
        compare_each_step(browser, Place::submarine());
        assert!(browser.messages().is_empty());
    });
}

#[test]
fn a_replay_is_played_paused_and_scrubbed() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("games/1.html"));
        let position = "return Number(document.getElementById('scrub').value)";
        let last: u32 = browser.run(&position.replace("value", "max"));
        browser.press("+");
        browser.press(" ");
        let label: String = browser.run("return document.getElementById('play').textContent");
        assert_eq!(label, "Pause");
        let live: String = browser.run("return document.getElementById('status').getAttribute('aria-live')");
        assert_eq!(live, "off", "a screen reader does not hear every turn of a running game");
        let mut played = 0;
        for _ in 0..100 {
            std::thread::sleep(std::time::Duration::from_millis(50));
            played = browser.run(position);
            if played > 2 {
                break;
            }
        }
        browser.click("#play");
        assert!(played > 2 && played < last, "{played} of {last}");
        let (before, after): (u32, u32) = (browser.run(position), {
            std::thread::sleep(std::time::Duration::from_millis(600));
            browser.run(position)
        });
        assert_eq!(before, after, "it is paused");
        // Once the position rests, the address names the turn.
        let link: String = browser.run("return location.hash");
        assert!(link.starts_with("#seat"), "{link}");
        browser.click("#scrub");
        let middle: u32 = browser.run(position);
        assert!(middle.abs_diff(last / 2) <= 2, "{middle} of {last}");
    });
}

#[test]
fn links_lead_to_a_turn_and_keys_change_the_view() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("games/1.html#seat2-turn7"));
        let status = "return document.getElementById('status').textContent";
        let words: String = browser.run(status);
        assert!(words.starts_with("turn 7: random "), "{words}");
        let ships = "return document.querySelectorAll('table.board[data-owner=\"2\"] td.ship').length";
        let all: u32 = browser.run(ships);
        assert!(all > 0);
        browser.press("b");
        let seen: u32 = browser.run(ships);
        assert_eq!(seen, 0, "seat 1 does not see the ships of seat 2");
        let own: u32 = browser.run(&ships.replace("\\\"2", "\\\"1").replace("=\"2\"", "=\"1\""));
        assert!(own > 0, "seat 1 sees its own");
        browser.press("g");
        let focus: String = browser.run("return document.activeElement.id");
        assert_eq!(focus, "goto");
        browser.press("30");
        browser.press(key::ENTER);
        let words: String = browser.run(status);
        assert!(words.starts_with("turn 30: "), "{words}");
        browser.open(&place.page("games/1.html"));
        let mut reached = Vec::new();
        for _ in 0..12 {
            browser.press(key::TAB);
            reached.push(browser.run::<String>("return document.activeElement.id"));
        }
        for control in ["scrub", "first", "back", "play", "forward", "final"] {
            assert!(reached.iter().any(|id| id == control), "{control} is not reached by Tab: {reached:?}");
        }
    });
}

/// The number of boards that are shown, the width of a cell, and the names of the parts of a replay that are not whole on the first screen.
const FIRST_SCREEN: &str = r##"
    const parts = "#status, table.board, #logs, #log-line, #scrub, #play, #final, #speed, #view, #heat, #copy, .more > summary";
    const shown = [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility());
    const boards = shown.filter((part) => part.matches("table.board"));
    const outside = shown.filter((part) => {
        const box = part.getBoundingClientRect();
        return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
    });
    return [boards.length, boards[0].querySelector("tbody td").getBoundingClientRect().width,
        outside.map((part) => `${part.id || part.className} ends at ${part.getBoundingClientRect().bottom} of ${innerHeight}`)];
"##;

/// The screens on which a replay is whole.
const SCREENS: [Look; 6] = [
    Look::of(1280, 720),
    Look::of(1366, 768),
    Look::of(1920, 1080),
    Look::of(768, 1024),
    Look::of(390, 844),
    Look::of(360, 640),
];

#[test]
fn a_replay_is_whole_on_the_first_screen() {
    in_browsers(&SCREENS, |browser, look| {
        let is_phone = look.width < 640;
        // A phone has room for one of the largest boards.
        let largest = if is_phone { 1 } else { 2 };
        for (place, boards) in
            [(Place::contest(), 2), (Place::submarine(), 2), (Place::logged(), 2), (Place::large(), largest)]
        {
            for turn in ["", "#seat1-turn5", "#end"] {
                browser.open(&place.page(&format!("games/1.html{turn}")));
                let (shown, cell, out): (u32, f64, Vec<String>) = browser.run(FIRST_SCREEN);
                let is_right = shown == boards && cell > 6.5 && out.is_empty();
                assert!(is_right, "{:?} {look:?} {turn}: {shown} boards, cell {cell}: {out:?}", browser.kind);
            }
        }
    });
}

/// The text of each log that is shown.
const LOGS: &str = "return [...document.querySelectorAll('#logs pre')].filter((it) => it.checkVisibility()).map((it) => it.textContent)";

#[test]
fn the_log_of_a_turn_is_next_to_the_boards_or_below_them() {
    in_browsers(&[LAPTOP, SCREENS[3]], |browser, look| {
        browser.open(&Place::logged().page("games/1.html#seat1-turn7"));
        let logs: Vec<String> = browser.run(LOGS);
        assert!(
            logs[0].starts_with("@note thought 7\nit is so and")
                && logs[0].ends_with("so\n@mark b9 1\n@mark a9 0.7\n@text c9 <x\n@line d9 j9\n@line k9 j9")
        );
        assert_eq!(logs[1], "", "the other bot printed nothing");
        let marked: String = browser
            .run("return document.querySelector('table.board[data-owner=\"2\"] tbody tr:last-child td').textContent");
        assert_eq!(marked, "7", "the mark is on the board");
        let places: [bool; 3] = browser.run(
            "const [log, boards, bar] = ['#logs', '.boards', '.bar'].map((it) => document.querySelector(it).getBoundingClientRect()); \
             return [log.left >= boards.right, log.top >= boards.bottom, log.top < bar.top]",
        );
        let is_upright = look.width < look.height;
        assert_eq!(
            places,
            [!is_upright, is_upright, true],
            "{look:?}: next to the boards, below them, above the controls"
        );
        browser.press("l");
        assert_eq!(browser.run::<Vec<String>>(LOGS), Vec::<String>::new());
        browser.press("l");
        browser.press(key::RIGHT);
        assert_eq!(browser.run::<Vec<String>>(LOGS), ["", ""]);
    });
}

#[test]
fn what_a_bot_drew_is_on_the_board_for_eyes_and_ears() {
    // The last row of the board: its texts, its labels, and the lines over the board, in words and at their places.
    const DRAWN: &str = "const board = document.querySelector('table.board[data-owner=\"2\"]'); \
                         const cells = [...board.querySelectorAll('tbody tr:last-child td')].slice(0, 3); \
                         const at = (it) => { const { left, top, right, bottom } = it.getBoundingClientRect(); return [left, top, right, bottom]; }; \
                         const [from, to] = ['td:nth-of-type(4)', 'td:nth-of-type(10)'].map((it) => at(board.querySelector('tbody tr:last-child ' + it))); \
                         const line = board.querySelector('line:last-child'); const drawn = line ? at(line) : []; \
                         const near = (one, other) => Math.abs(one - other) < (from[2] - from[0]) / 3; \
                         return [cells.map((it) => it.textContent), cells.map((it) => it.getAttribute('aria-label')), \
                           [...board.querySelectorAll('caption svg')].map((it) => it.getAttribute('aria-label')), \
                           line !== null && near(drawn[0], (from[0] + from[2]) / 2) && near(drawn[2], (to[0] + to[2]) / 2) \
                             && near((drawn[1] + drawn[3]) / 2, (from[1] + from[3]) / 2)]";
    in_browsers(&[LAPTOP, SCREENS[3]], |browser, look| {
        browser.open(&Place::logged().page("games/1.html#seat1-turn7"));
        let (texts, labels, lines, is_there): (Vec<String>, Vec<String>, Vec<String>, bool) =
            browser.run(DRAWN);
        assert_eq!(texts, ["7", "9", "<x"]);
        assert_eq!(labels, ["a9 water, shade 7", "b9 water, shade 9", "c9 water, text <x"]);
        assert_eq!(lines, ["Lines: d9 to j9"], "the one off the board is none");
        assert!(is_there, "{look:?}: the line is between its cells");
        // The other side does not see it, and the chances take its place.
        for keys in ["h", "hbb"] {
            browser.press(keys);
            let (texts, _, lines, _): (Vec<String>, Vec<String>, Vec<String>, bool) = browser.run(DRAWN);
            assert!(texts[2] != "<x" && lines.is_empty(), "{texts:?} {lines:?}");
        }
    });
}

#[test]
fn on_a_phone_a_line_of_the_log_opens_the_rest_over_the_boards() {
    in_browsers(&[SCREENS[4], SCREENS[5]], |browser, _| {
        browser.open(&Place::logged().page("games/1.html#seat1-turn7"));
        assert_eq!(browser.run::<Vec<String>>(LOGS), Vec::<String>::new());
        let line = "return document.getElementById('log-line').textContent";
        assert_eq!(browser.run::<String>(line), "Log of density: @note thought 7");
        browser.click("#log-line");
        assert!(browser.run::<Vec<String>>(LOGS)[0].contains("it is so"));
        let (_, _, out): (u32, f64, Vec<String>) = browser.run(FIRST_SCREEN);
        assert!(out.is_empty(), "the open log is on the first screen: {out:?}");
        browser.click("#logs pre");
        browser.click("#log-line");
        assert_eq!(browser.run::<Vec<String>>(LOGS), Vec::<String>::new());
        browser.press(key::RIGHT);
        assert_eq!(browser.run::<String>(line), "Log: nothing printed");
        let open = "return document.getElementById('log-line').getAttribute('aria-expanded')";
        assert_eq!(browser.run::<String>(open), "false");
    });
}

#[test]
fn on_a_phone_the_largest_boards_are_shown_one_at_a_time() {
    in_browsers(&[SCREENS[4]], |browser, _| {
        browser.open(&Place::large().page("games/1.html#seat1-turn7"));
        let shown = "return [...document.querySelectorAll('table.board')].filter((it) => it.checkVisibility()).map((it) => it.dataset.owner)";
        assert_eq!(browser.run::<Vec<String>>(shown), ["2"], "seat 1 shoots at the board of seat 2");
        browser.press(key::RIGHT);
        assert_eq!(browser.run::<Vec<String>>(shown), ["1"]);
        browser.press("oo");
        assert_eq!(browser.run::<Vec<String>>(shown), ["2"], "it is chosen, whatever the turn");
        browser.press(key::RIGHT);
        browser.press(key::RIGHT);
        assert_eq!(browser.run::<Vec<String>>(shown), ["2"]);
        browser.resize(SCREENS[0]);
        browser.run::<Option<bool>>("await new Promise((done) => setTimeout(done, 300))");
        assert_eq!(browser.run::<Vec<String>>(shown), ["1", "2"], "a larger window has both");
    });
}

#[test]
fn the_chances_of_a_replay_are_shown_on_open_cells_and_follow_the_game() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("games/1.html#seat1-turn20"));
        let largest: String = browser.run("return document.querySelector('#chance small').textContent");
        assert!(largest.ends_with(" if both hit equally often"), "{largest}");
        let digits = "return [...document.querySelectorAll('table.board tbody td')].filter((cell) => /^[0-9]$/.test(cell.textContent)).length";
        let before: u32 = browser.run(digits);
        browser.press("h");
        let (shown, shot): (u32, u32) = (
            browser.run(digits),
            browser.run("return document.querySelectorAll('table.board td.miss.mark, table.board td.hit.mark').length"),
        );
        assert!(before == 0 && shown > 50 && shot == 0, "{before} {shown} {shot}");
        let nines: u32 = browser.run("return document.querySelectorAll('table.board td.mark9').length");
        assert!(nines > 0, "the largest chance is the darkest, however small it is");
        let largest: String = browser.run("return document.querySelector('#chance small').textContent");
        assert!(largest.starts_with("9 is the largest chance: ") && largest.ends_with(" %"), "{largest}");
        let words = "return document.querySelector('#chance span').textContent";
        let chance: String = browser.run(words);
        assert!(chance.starts_with("hunter needs ") && chance.contains(" hits, "), "{chance}");
        browser.press(key::END);
        let end: String = browser.run(words);
        assert!(end.contains(" wins: "), "{end}");
    });
}

#[test]
fn a_link_to_a_turn_is_copied_or_shown() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("games/1.html#seat2-turn7"));
        browser.click("#copy");
        std::thread::sleep(std::time::Duration::from_millis(300));
        let (button, address): (String, String) = browser
            .run("return [document.getElementById('copy').textContent, document.querySelector('#address input').value]");
        assert!(button == "Copied" || address.ends_with("games/1.html#seat2-turn7"), "{button} {address}");
    });
}
