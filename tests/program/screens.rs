//! The commands with a screen, in a real pseudo-terminal.

use crate::support::Place;
use crate::terminal;
use std::path::Path;

#[test]
fn a_game_is_watched_and_its_result_stays_on_the_terminal() {
    let place = Place::with_house_bots();
    let mut terminal = terminal::start(&place, "watch hunter.wasm random.wasm");
    terminal.shows("hunter");
    terminal.shows("random");
    terminal.press(" ");
    terminal.press("\u{1b}[F");
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
    let submarine = Place::with_submarine_bots();
    let mut terminal = terminal::start(&submarine, "watch sub-random.wasm sub-tracker.wasm");
    terminal.shows("sub-tracker");
    terminal::quit(terminal);
}

#[test]
fn a_series_is_watched_side_by_side_and_each_result_stays_on_the_terminal() {
    let place = Place::with_house_bots();
    let mut terminal =
        terminal::start(&place, "watch hunter.wasm random.wasm --games 3 --boards 2 --no-animation");
    terminal.shows("0 of 3");
    terminal.press("\u{1b}[F");
    terminal.shows("2 of 3");
    terminal.shows("game 3");
    terminal.press("\u{1b}[F");
    terminal.shows("3 of 3");
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches("hunter").count(), 3, "{text}");
}

#[test]
fn a_recording_is_shown_from_a_file_and_from_a_journal_and_printed_for_a_pipe() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 2 --transcripts t --journal a.db").expect_code(0);
    for args in ["replay t/2-random-vs-hunter.jsonl", "replay --journal a.db 2", "replay a.db 2"] {
        let mut terminal = terminal::start(&place, args);
        terminal.shows("random");
        terminal.press("q");
        let (code, text) = terminal.end();
        assert_eq!(code, 0, "{args}");
        assert!(text.contains("random  0 - 1  hunter"), "its result is left on the terminal: {text}");
        let refused = place.arena(args).expect_code(2);
        assert!(refused.stderr.contains("--headless"), "{}", refused.stderr);
        let printed = place.arena(&format!("{args} --headless")).expect_code(0);
        assert!(printed.stdout.contains("hunter") && printed.stdout.lines().count() > 1_000);
    }
    // A game of a journal has its number there, not that in its match.
    place.arena("run hunter.wasm random.wasm sweeper.wasm --games 2 --journal b.db").expect_code(0);
    let mut terminal = terminal::start(&place, "replay b.db 5");
    terminal.shows("game 5");
    terminal::quit(terminal);
    let missing = place.arena("replay --journal a.db 3 --headless").expect_code(2);
    assert!(
        missing.stderr.contains("has no game \"3\": its games are numbered from 1 to 2"),
        "{}",
        missing.stderr
    );
    place.arena("replay --journal a.db two --headless").expect_code(2);
    let no_transcript = place.arena("replay a.db --headless").expect_code(2);
    assert!(no_transcript.stderr.contains("arena replay a.db 1"), "{}", no_transcript.stderr);
}

#[test]
fn a_person_places_a_random_fleet_shoots_and_leaves() {
    let place = Place::with_house_bots();
    let mut terminal = terminal::start(&place, "play random.wasm");
    terminal::begin_to_play(&mut terminal);
    assert_eq!(terminal::leave_the_game(terminal).trim(), "left before the end: the game has no result");
    let mut terminal = terminal::start(&place, "play random.wasm --name Anna");
    terminal.shows("place your ships");
    terminal.press("q");
    terminal.shows("leave the game?");
    terminal.press("r");
    terminal.shows("random wins");
    terminal.press("w");
    terminal.shows("saved: Anna-vs-random.jsonl");
    terminal.press("w");
    terminal.shows("already saved: Anna-vs-random.jsonl");
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("Anna  0 - 1  random"), "{text}");
    assert!(text.contains("seed "), "{text}");
    let printed = place.arena("replay Anna-vs-random.jsonl --headless").expect_code(0);
    assert!(printed.stdout.contains("random wins: Anna resigned"), "{}", printed.stdout);
    let verified = place.arena("verify Anna-vs-random.jsonl random.wasm").expect_code(3);
    assert!(verified.stdout.contains("Anna was not a component"), "{}", verified.stdout);
}

#[test]
fn a_tournament_is_watched_and_its_table_is_printed_afterwards() {
    let place = Place::with_house_bots();
    let args = "run hunter.wasm random.wasm sweeper.wasm --games 20 --watch --journal a.db";
    let mut terminal = terminal::start(&place, args);
    terminal.shows("60 of 60 games, over");
    terminal.press("q");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("60 games under the"), "{text}");
    assert!(!place.path("a.db-wal").exists(), "it leaves one file");
    assert_eq!(place.arena("standings a.db -o json").expect_code(0).json()["games-played"], 60);
    // It goes on when its screen is left.
    let mut terminal = terminal::start(&place, "run hunter.wasm random.wasm --games 2000 --watch");
    terminal.shows(" of 2,000 games");
    terminal.press("q");
    let (code, text) = terminal.end();
    assert!(code == 0 && text.contains("2000 games under the"), "{text}");
}

#[test]
fn the_games_of_a_watched_tournament_are_listed_and_one_is_replayed_from_its_journal() {
    let place = Place::with_house_bots();
    let args = "run hunter.wasm random.wasm sweeper.wasm --games 20 --watch --journal a.db";
    let mut terminal = terminal::start(&place, args);
    terminal.shows("60 of 60 games, over");
    terminal.press("g");
    terminal.shows("60 games");
    terminal.shows("seat 1");
    terminal.press("\r");
    terminal.shows("the game is about to begin");
    terminal.press("\u{1b}[F");
    terminal.shows(" wins: ");
    terminal.press("q");
    terminal.shows("seat 1");
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);

    let mut terminal = terminal::start(&place, &args.replace(" --journal a.db", ""));
    terminal.shows("60 of 60 games, over");
    terminal.press("g");
    terminal.shows("seat 1");
    terminal.press("\r");
    terminal.shows("that takes --journal");
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_watched_season_has_the_games_that_were_played_before() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 20 --seed 1 --journal a.db").expect_code(0);
    let season = "run hunter.wasm random.wasm sweeper.wasm --journal a.db --watch";
    let mut terminal = terminal::start(&place, season);
    terminal.shows("60 of 60 games, over");
    terminal.press("g");
    terminal.shows("60 games");
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn the_screen_of_a_tournament_ends_by_itself_after_a_time_without_keys() {
    let place = Place::with_house_bots();
    let args = "run hunter.wasm random.wasm --games 4 --watch --linger 1";
    let (code, text) = terminal::start(&place, args).end();
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("4 games under the"), "{text}");
    let refused = place.arena("run hunter.wasm random.wasm --linger 1").expect_code(2);
    assert!(refused.stderr.contains("--watch"), "{}", refused.stderr);
}

#[test]
fn a_journal_is_shown_on_a_projector_while_it_is_written() {
    let place = Place::with_house_bots();
    let run = |games: u32| {
        let args = format!("run hunter.wasm random.wasm sweeper.wasm --games {games} --journal a.db");
        place.arena(&args).expect_code(0);
    };
    run(4);
    let mut terminal = terminal::start(&place, "watch --tv a.db");
    terminal.shows("12 of 12 games");
    terminal.shows("hunter");
    terminal.press("v");
    terminal.shows("showcase:");
    terminal.shows(" shoots ");
    run(6);
    terminal.shows("18 of 18 games");
    terminal::quit(terminal);
    for (args, phrase) in [
        ("watch --tv a.db", "arena standings"),
        ("watch --tv nowhere.db", "nowhere.db"),
        ("watch --tv a.db hunter.wasm random.wasm", "--tv"),
        ("watch hunter.wasm", "BOT"),
    ] {
        let refused = place.arena(args).expect_code(2);
        assert!(refused.stderr.contains(phrase), "{args}: {}", refused.stderr);
    }
}

#[test]
fn each_screen_is_left_with_q_in_a_terminal_of_any_size() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 2 --journal a.db").expect_code(0);
    for (args, keys) in [
        ("watch hunter.wasm random.wasm", "q"),
        ("replay a.db 1", "q"),
        ("run hunter.wasm random.wasm --games 2 --watch", "q"),
        ("watch --tv a.db", "q"),
        ("play random.wasm", "qq"),
    ] {
        // In the first two there is no room, the third one has no size yet, and the last one claims to be enormous.
        let sizes = [(59, 19), (20, 6), (0, 0), (u16::MAX, u16::MAX)];
        for (size, phrase) in sizes.into_iter().zip(["needs 60×20", "q ", "? help", "? help"]) {
            let mut terminal = terminal::start_with(&place, args, &[], size);
            terminal.shows(phrase);
            terminal.press(keys);
            let (code, text) = terminal.end();
            assert_eq!(code, 0, "{args} at {size:?}: {text}");
        }
    }
}

#[test]
fn where_the_locale_is_not_of_utf_8_progress_is_ascii() {
    let place = Place::with_house_bots();
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap().display().to_string();
    let path = format!("{program}:/usr/bin:/bin");
    for (command, progress) in [
        // A bar, and the sign that turns where the number of all is not known.
        ("run hunter.wasm random.wasm --games 100000", "games  "),
        ("bench hunter.wasm --boards 1000000", "boards  "),
        ("sprt hunter.wasm hunter.wasm --elo0 0 --elo1 1", "/s"),
    ] {
        for locale in ["C", "C.UTF-8"] {
            let line = format!("LC_ALL={locale} arena {command} > /dev/null");
            let mut terminal = terminal::start_line(&place, &line, &path);
            terminal.shows(progress);
            let text = terminal.text();
            assert_eq!(text.is_ascii(), locale == "C", "{command}: {text}");
            terminal.press("\u{3}\u{3}");
            terminal.end();
        }
    }
}

#[test]
fn without_a_terminal_a_command_with_a_screen_says_what_to_do_instead() {
    let place = Place::with_house_bots();
    for (args, phrase) in [
        ("watch hunter.wasm random.wasm", "arena replay --headless"),
        ("play random.wasm", "play in a terminal"),
        ("run hunter.wasm random.wasm --watch", "leave out --watch"),
    ] {
        let run = place.arena(args).expect_code(2);
        assert!(run.stderr.contains(phrase), "{args}: {}", run.stderr);
    }
}
