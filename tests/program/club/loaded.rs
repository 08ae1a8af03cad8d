//! A club that plays a game that is a component.

use super::{Served, Session};
use crate::support::{Place, house_bot};
use std::fs;
use std::thread;
use std::time::Duration;

/// Invites authors, whose tokens are in files of their names.
fn invite(place: &Place, authors: &[&str]) {
    for author in authors {
        let invited = place.arena(&format!("club invite {author} --data club")).expect_code(0);
        place.write(author, invited.stdout);
    }
}

#[test]
fn a_club_plays_a_game_that_is_a_component_and_goes_on_without_its_file() {
    let place = Place::with_game("connect-four", "one-ahead");
    place.copy_game("liars-dice", "odds");
    place.write("any.wasm", include_bytes!("../../../host/crates/engine/builtin/game-random.wasm"));
    fs::copy(house_bot("random"), place.path("ships.wasm")).expect("it can be copied");
    invite(&place, &["ann", "ben", "cat"]);
    let served = Served::start(&place, "--game connect-four.wasm --set columns=8 --games 8 --games-min 4");
    served.submit("one-ahead.wasm", "ann").expect_code(0);
    served.submit("any.wasm", "ben").expect_code(0);
    // Bots of other games, of which one is a component, too.
    for (bot, phrases) in [
        ("odds", ["this game is for `games:connect-four/bot@1.0.0`", "arena wit GAME.wasm"]),
        (
            "ships",
            ["plays battleship, and this club plays connect-four, columns=8", "submit a bot for that game"],
        ),
    ] {
        let refused = served.submit(&format!("{bot}.wasm"), "cat").expect_code(3).json();
        assert_eq!(refused["state"], "refused", "{bot}");
        let finding = refused["finding"].as_str().expect("it has a finding");
        for phrase in phrases {
            assert!(finding.contains(phrase), "{phrase} is not in {finding}");
        }
    }
    served.wait_for_games("ann", 8);
    let front = served.wait_for_page("/", "8 games between 2 bots of connect-four");
    assert!(front.contains("columns=8"), "{front}");
    let page = served.wait_for_page("/games/1.html", "ann");
    assert!(page.contains("|"), "the picture of the game is on the page: {page}");
    assert!(served.download("/games/1.gif").starts_with(b"GIF8"));
    let tried = served.author("submit one-ahead.wasm --challenge ben -o json", "ann").expect_code(0).json();
    let challenge = &tried["challenges"][0];
    assert_eq!(challenge["games"].as_array().map(Vec::len), Some(10), "{challenge}");
    let replay = Session::of(&served, "ben").get(&format!("challenges/{}/games/1.html", challenge["id"]));
    assert!(replay.expect(200).body.contains("|"), "the picture of the game is on the page");
    let verified = place.arena("verify --journal club/season.db");
    assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
    place.arena("report club/season.db --output pages").expect_code(0);
    assert!(place.path("pages/games/8.html").exists());
    served.interrupt();
    // The file alone has everything.
    fs::copy(place.path("club/season.db"), place.path("copy.db")).expect("it can be copied");
    let copied = place.arena("journal info copy.db").expect_code(0).stdout;
    assert!(copied.contains("8 of 8 games by 2 bots"), "{copied}");

    for other in ["--game liars-dice.wasm", "--game connect-four.wasm --set columns=9", "--rules guide"] {
        let args = format!("club serve --data club --listen 127.0.0.1:0 {other}");
        let refused = place.arena(&args).expect_code(2).stderr;
        assert!(
            refused.contains(
                "its season has begun with other rules or limits: `connect-four, columns=8`, and not `"
            ),
            "{refused}"
        );
        assert!(refused.contains("leave out --game, --set, --rules"), "{refused}");
    }
    // The journal has the game.
    fs::remove_file(place.path("connect-four.wasm")).expect("it is there");
    let served = Served::start(&place, "--games 12 --games-min 4");
    served.wait_for_games("ann", 12);
    let again = served.submit("odds.wasm", "cat").expect_code(3).json();
    assert_eq!(again["state"], "refused");
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    let verified = place.arena("verify --journal club/season.db").expect_code(0).stdout;
    assert!(verified.contains("verified 12 of 12"), "{verified}");
}

/// A game that fails when ten matches were taken one by one, as two bots do that take one each.
const FAILS_AT_THE_END: &str = r"
(func $pass (param $state i32)
    (i32.store offset=12 (local.get $state) (i32.add (i32.load offset=12 (local.get $state)) (i32.const 1)))
    (i32.store offset=4 (local.get $state) (i32.xor (i32.load offset=4 (local.get $state)) (i32.const 1))))
(func $outcome (param $state i32) (result i32)
    (if (i32.eq (i32.load offset=12 (local.get $state)) (i32.const 9)) (then (unreachable)))
    (i32.store8 (i32.const 0) (i32.const 1))
    (i32.store8 (i32.const 1) (i32.load offset=8 (local.get $state)))
    (call $text (i32.const 4) (i32.const 144) (i32.const 10))
    (i32.store8 (i32.const 16) (i32.const 0))
    (i32.const 0))";

#[test]
fn a_game_that_fails_stops_the_stage_for_a_while_and_charges_no_bot() {
    let place = Place::empty();
    place.write("game.wasm", arena_testkit::game_component(FAILS_AT_THE_END).expect("it is a game"));
    let bot = arena_testkit::game_bot_component("").expect("it is a bot");
    invite(&place, &["ann", "ben"]);
    let mut served = Served::start(&place, "--game game.wasm --games 4");
    for author in ["ann", "ben"] {
        // The same bot with a section after it, which makes it another component.
        let section = [&[0, 1 + author.len() as u8, author.len() as u8], author.as_bytes()].concat();
        place.write("bot.wasm", [&bot[..], &section].concat());
        served.submit("bot.wasm", author).expect_code(0);
    }
    let said = served.said_with("the game itself failed in game 1, turn ");
    assert!(said.contains(": `outcome` failed: wasm `unreachable`"), "{said}");
    assert!(said.contains("; no bot is charged with it"), "{said}");
    // Each attempt would say so again.
    thread::sleep(Duration::from_secs(8));
    assert_eq!(served.latest("ann")["state"], "plays");
    assert_eq!(served.latest("ann")["standing"]["games"], 0);
    let said = served.interrupt();
    assert!(!said.contains("the game itself failed"), "{said}");
    let info = place.arena("journal info club/season.db").expect_code(0).stdout;
    assert!(info.contains("0 of 4 games by 2 bots"), "{info}");
}
