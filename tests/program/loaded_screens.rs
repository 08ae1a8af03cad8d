//! Games that are components, on screens and pages: their pictures, a person who plays, and games with hostile pictures.

use crate::support::Place;
use crate::terminal;

/// A folder with the well-behaved game of the zoo, two bots for it, and games whose pictures fail.
fn place() -> Place {
    let place = Place::empty();
    let bot = |name: &str| {
        let part = format!("(data $name-text (i32.const 64) \"{name}\")");
        arena_testkit::game_bot_component(&part).expect("it is a bot")
    };
    place.write("matches.wasm", arena_testkit::game_component("").expect("it is a game"));
    place.write("taker.wasm", bot("taker"));
    place.write("other.wasm", bot("other"));
    for name in HOSTILE {
        let parts = arena_testkit::zoo_text(&format!("games/{name}"));
        place.write(&format!("{name}.wasm"), arena_testkit::game_component(&parts).expect("it is a game"));
    }
    place
}

/// The games of the zoo with hostile pictures.
const HOSTILE: [&str; 3] = ["picture-with-escapes", "picture-of-a-megabyte", "picture-of-a-gigabyte"];

fn read(place: &Place, file: &str) -> String {
    std::fs::read_to_string(place.path(file)).expect("the file is text")
}

/// A journal of some games.
fn journal(place: &Place, game: &str) {
    place
        .arena(&format!("run --game {game}.wasm taker.wasm other.wasm --games 4 --journal a.db"))
        .expect_code(0);
}

#[test]
fn a_person_plays_a_game_that_is_a_component_by_choosing_and_typing() {
    let place = place();
    let mut terminal = terminal::start(&place, "play --game matches.wasm taker.wasm");
    terminal.shows("your turn");
    terminal.shows("legal actions 3");
    terminal.shows("||||||||||");
    terminal.press("{take: 9}\r");
    terminal.shows("not a legal action: ");
    terminal.press("\u{1b}");
    terminal.shows("choose one with");
    terminal.press("\t");
    terminal.shows("> {take: 1}_");
    terminal.press("\r");
    terminal.shows("taker plays {take: 1}");
    terminal.press("{take: 3}\r");
    terminal.shows("human plays {take: 3}");
    terminal.press("\u{1b}");
    terminal.shows("leave the game?");
    terminal::quit(terminal);
}

#[test]
fn a_person_plays_both_seats_and_a_mistyped_action_is_answered_with_the_type_and_an_example() {
    let place = place();
    let mut terminal = terminal::start(&place, "play --game matches.wasm --set matches=4 --name anna");
    terminal.shows("turn of seat 1");
    terminal.press("{take: one}\r");
    terminal.shows("one: invalid value type; write it like {take: ");
    terminal.shows("record { take: u32 }");
    terminal.press("\u{1b}");
    terminal.shows("choose one with");
    terminal.press("{take: 1}\r");
    terminal.shows("turn of seat 2");
    terminal.press("{take: 3}\r");
    terminal.shows(" won ");
    terminal.press("q");
    let (code, said) = terminal.end();
    assert!(code == 0 && said.contains("anna 1") && said.contains("seed "), "{said}");
    let refused = place.arena("play --game matches.wasm --seat 2").expect_code(2).stderr;
    assert!(refused.contains("<BOT> is missing"), "{refused}");
}

#[test]
fn a_game_that_is_a_component_is_watched_in_all_ways() {
    let place = place();
    let mut terminal = terminal::start(&place, "watch --game matches.wasm taker.wasm other.wasm");
    terminal.shows(" plays {take: 1}");
    terminal::quit(terminal);
    let args = "run --game matches.wasm taker.wasm other.wasm --games 20 --watch --journal a.db";
    let mut terminal = terminal::start(&place, args);
    terminal.shows("20 of 20 games, over");
    terminal.press("g");
    terminal.shows("seat 1");
    terminal.press("\r");
    terminal.shows("the game is about to begin");
    terminal.shows("||||||||||");
    terminal.press("qqq");
    assert_eq!(terminal.end().0, 0);
    let mut terminal = terminal::start(&place, "replay a.db 1");
    terminal.shows("||||||||||");
    terminal::quit(terminal);
    let mut terminal = terminal::start(&place, "watch --tv a.db");
    terminal.shows("20 of 20 games");
    terminal.press("v");
    terminal.shows("showcase:");
    terminal.shows(" plays {take: 1}");
    terminal::quit(terminal);
}

#[test]
fn a_recording_as_text_has_the_picture_after_each_turn() {
    let place = place();
    journal(&place, "matches");
    let text = place.arena("replay a.db 1 --headless").expect_code(0).stdout;
    assert!(text.contains("plays {take: 1}: 9\n   |||||||||\n"), "{text}");
    assert!(text.ends_with("\n"), "{text}");
}

#[test]
fn a_hostile_picture_is_a_sentence_on_screens_and_pages() {
    for game in HOSTILE {
        let place = place();
        journal(&place, game);
        let text = place.arena("replay a.db 1 --headless").expect_code(0).stdout;
        assert!(text.contains("   The game draws no picture: `picture` "), "{game}:\n{text}");
        let count = text.matches("   The game draws no picture").count();
        assert!(count > 2, "{game}: each turn has the sentence:\n{text}");
        assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "{game}");
        assert!(text.contains(" wins: "), "{game}: the game goes on:\n{text}");
        place.arena("report -o site a.db").expect_code(0);
        let page = read(&place, "site/games/1.html");
        assert!(page.contains("The game draws no picture: `picture` "), "{game}:\n{page}");
        assert!(!page.contains('\u{1b}'), "{game}");
        place.arena("verify --journal a.db taker.wasm other.wasm").expect_code(0);
    }
}

#[test]
fn a_report_of_a_game_that_is_a_component_has_its_pictures_and_its_own_words() {
    let place = place();
    journal(&place, "matches");
    place.arena("report -o site a.db").expect_code(0);
    let page = read(&place, "site/games/1.html");
    for text in ["id=\"picture\"", r#""lines":["||||||||||","|||||||||""#, "plays {take: 1}: 9"] {
        assert!(page.contains(text), "{text} is not in:\n{page}");
    }
    let front = read(&place, "site/index.html");
    for text in [
        "games between 2 bots of matches ",
        "<dt>SHA-256 of the game’s component</dt>",
        "<dt>matches</dt><dd>10 (1 to 10)",
    ] {
        assert!(front.contains(text), "{text} is not in:\n{front}");
    }
}
