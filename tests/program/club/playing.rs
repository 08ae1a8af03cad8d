//! What a club plays: first games, neighbours and full rounds, and the bots that it pauses.

use super::{Served, club, until};
use crate::support::{Place, command, house_bot};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};

/// A bot that passes its trial, and traps in its first turn if the opponent has begun as the sweeper does.
pub(super) const AFRAID_OF_SWEEPERS: &str = r"
(func $play (param $args i32) (result i32)
    (if (i32.and
            (i32.eq (i32.load offset=40 (local.get $args)) (i32.const 1))
            (i32.eq (i32.load8_u offset=60 (local.get $args)) (i32.const 1)))
        (then (if (i32.eqz (i32.load16_u offset=61 align=1 (local.get $args))) (then (unreachable)))))
    (call $sweep (local.get $args)))";

/// The time of all commands in these tests, in seconds since 1970: noon of a day in January 2026.
const NOON: u64 = 1_769_860_800;

/// Waits until the latest version of `ann` is paused, after this number of games at least, and returns it. It is paused a moment before its
/// games count.
fn wait_for_pause(served: &Served<'_>, games: u64) -> Value {
    let has_played = |latest: &Value| latest["standing"]["games"].as_u64() >= Some(games);
    served.wait_until("ann", |latest| latest["state"] == "paused" && has_played(latest))
}

#[test]
fn an_author_waits_for_an_opponent_and_no_longer_than_there_are_games() {
    let place = club();
    let served = Served::start(&place, "--games 8");
    let waits = format!("submit random.wasm --to http://{} --token-file ann --wait", served.address);
    let mut waiting = place.start(&waits);
    let mut said = BufReader::new(waiting.stderr.take().expect("it is a pipe"));
    let mut told = String::new();
    while !told.contains("version 1 plays; waiting for an opponent") {
        assert!(said.read_line(&mut told).expect("it is text") > 0, "it has ended: {told}");
    }
    served.submit("sweeper.wasm", "ben").expect_code(0);
    let waited = waiting.wait_with_output().expect("it is ours");
    assert!(waited.status.success(), "{told}");
    let printed = String::from_utf8(waited.stdout).expect("it is text");
    let end = "points in 8 games, 0 faults\nit has played all games that are planned; more follow when another bot joins";
    assert!(printed.contains(end), "{printed}");
}

#[test]
fn a_bot_that_is_at_fault_again_and_again_is_paused_until_its_author_submits_it_again() {
    let place = club();
    place.write("afraid.wasm", arena_testkit::component(AFRAID_OF_SWEEPERS).expect("it is a component"));
    let served = Served::start(&place, "--games 4000");
    served.submit("afraid.wasm", "ann").expect_code(0);
    served.submit("sweeper.wasm", "ben").expect_code(0);
    let paused = wait_for_pause(&served, 10);
    let games = |version: &Value| version["standing"]["games"].as_u64().expect("it has played");
    assert!((10..1_000).contains(&games(&paused)), "{paused}");
    let finding = paused["finding"].as_str().expect("it is a text");
    assert!(
        finding.starts_with("paused: it was at fault in 10 of its latest 20 games\n  next: "),
        "{finding}"
    );
    let mine = served.author("mine", "ann").expect_code(0).stdout;
    assert!(
        mine.contains("paused") && mine.contains("it was at fault in 10 of its latest 20 games"),
        "{mine}"
    );
    // It is resumed, and paused again.
    let again = served.submit("afraid.wasm", "ann").expect_code(0).json();
    assert_eq!(again["state"], "plays");
    wait_for_pause(&served, games(&paused) + 10);
    // So is one that the author waits for.
    place.write(
        "more.wasm",
        arena_testkit::component(&format!("{AFRAID_OF_SWEEPERS} (func)")).expect("it is one"),
    );
    let waited = served.author("submit more.wasm --wait", "ann").expect_code(3).stdout;
    assert!(waited.starts_with("version 2: paused because of its faults\n"), "{waited}");
    // A new version plays, and the pause is that of the old one.
    served.submit("random.wasm", "ann").expect_code(0);
    served.wait_for_games("ann", 20);
    assert_eq!(served.latest("ann")["state"], "plays");
    let said = served.interrupt();
    assert!(
        said.contains("ann, version 1 is paused: it was at fault in 10 of its latest 20 games"),
        "{said}"
    );
}

#[test]
fn a_new_version_has_its_first_games_against_those_who_are_not_slow() {
    // Some hundred times as much fuel as the others use, and far from the budget.
    const SLOW: &str = r"
        (func $play (param $args i32) (result i32)
            (local $left i32)
            (local.set $left (i32.const 1000000))
            (loop $again
                (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
            (call $sweep (local.get $args)))";
    let place = club();
    place.write("slow.wasm", arena_testkit::component(SLOW).expect("it is a component"));
    place.write("other.wasm", arena_testkit::component(&format!("{SLOW} (func)")).expect("it is one"));
    for author in ["cat", "dan"] {
        place.write(author, place.arena(&format!("club invite {author} --data club")).expect_code(0).stdout);
    }
    let served = Served::start(&place, "--games 24");
    served.submit("slow.wasm", "ann").expect_code(0);
    served.submit("other.wasm", "dan").expect_code(0);
    served.submit("sweeper.wasm", "ben").expect_code(0);
    // Most of those that play are slow.
    served.wait_for_games("ann", 1);
    served.submit("random.wasm", "cat").expect_code(0);
    // Twenty-four against the quick one, and then some against the slow one.
    served.wait_for_games("cat", 26);
    let games = place.arena("games club/season.db -o jsonl").expect_code(0).stdout;
    let games = games.lines().map(|game| serde_json::from_str::<Value>(game).expect("it is a document"));
    let seats =
        games.map(|game| [0, 1].map(|seat| game["seats"][seat].as_str().unwrap_or_default().to_owned()));
    let of_cat: Vec<[String; 2]> =
        seats.filter(|seats| seats.iter().any(|name| name == "author.3")).collect();
    assert!(
        of_cat[..20].iter().flatten().all(|name| ["author.2", "author.3"].contains(&name.as_str())),
        "{of_cat:?}"
    );
    assert!(
        of_cat[20..].iter().flatten().any(|name| ["author.1", "author.4"].contains(&name.as_str())),
        "{of_cat:?}"
    );
}

/// The number of games between each two bots.
fn games_of_pairs(place: &Place) -> BTreeMap<[String; 2], u32> {
    let games = place.arena("games club/season.db -o jsonl").expect_code(0).stdout;
    let mut pairs = BTreeMap::new();
    for game in games.lines() {
        let game: Value = serde_json::from_str(game).expect("it is a document");
        let mut pair = [0, 1].map(|seat| game["seats"][seat].as_str().expect("it has a name").to_owned());
        pair.sort();
        *pairs.entry(pair).or_default() += 1;
    }
    pairs
}

/// Waits until no games are added for some seconds. They are counted by looks: a machine that stands still stops those, too.
fn wait_until_idle(place: &Place) {
    const LOOKS: u32 = 60;
    let (mut before, mut looks) = (0, 0);
    let is_idle = until(|| {
        let now = place.games_in("club/season.db");
        looks = if now == before && now > 0 { looks + 1 } else { 0 };
        before = now;
        looks == LOOKS
    });
    assert!(is_idle, "it has no end");
}

#[test]
fn neighbours_by_rating_play_on_after_their_first_games_and_a_full_round_is_for_all() {
    let place = club();
    let bots = ["hunter", "random", "sweeper", "density"];
    fs::copy(house_bot("density"), place.path("density.wasm")).expect("it can be copied");
    let options = "--games 12 --games-min 4 --neighbours 1";
    let served = Served::start(&place, options);
    for bot in bots {
        let invited = place.arena(&format!("club invite of-{bot} --data club")).expect_code(0).stdout;
        place.write(&format!("of-{bot}"), invited);
        served.submit(&format!("{bot}.wasm"), &format!("of-{bot}")).expect_code(0);
    }
    // Each has its first four games against three others. The last one may still be judged while the others play.
    for bot in bots {
        served.wait_for_games(&format!("of-{bot}"), 12);
    }
    wait_until_idle(&place);
    let pairs = games_of_pairs(&place);
    assert_eq!(pairs.len(), 6, "{pairs:?}");
    assert!(pairs.values().all(|games| games % 2 == 0 && (4..=12).contains(games)), "{pairs:?}");
    // Each of the three pairs of neighbours at the end; the order may have changed before.
    assert!(pairs.values().filter(|games| **games == 12).count() >= 3, "{pairs:?}");

    // Each stage has all bots that play, so none of them has left.
    let info = place.arena("journal info club/season.db -o json").expect_code(0).json();
    let stages = info["stages"].as_array().expect("a list");
    let formats: Vec<&str> =
        stages.iter().filter_map(|stage| stage["settings"]["format"]["format"].as_str()).collect();
    assert!(formats.contains(&"gauntlet") && formats.contains(&"neighbours"), "{formats:?}");
    // Which pairs are neighbours is a matter of chance, because the season's seed is secret. There are three of them at a time.
    let of_neighbours = |stage: &&Value| stage["settings"]["format"]["format"] == "neighbours";
    for stage in stages.iter().filter(of_neighbours) {
        let games = [&stage["games"], &stage["settings"]["games-per-match"]]
            .map(|games| games.as_u64().expect("a number"));
        assert!(games[0] <= 3 * games[1], "{stage}");
    }
    assert!(stages.last().is_some_and(|stage| stage["bots"].as_array().is_some_and(|bots| bots.len() == 4)));
    let standings = place.arena("standings club/season.db").expect_code(0).stdout;
    assert!(!standings.contains("retired"), "{standings}");

    // The season began at noon. At one minute past two, the round of two is due.
    served.interrupt();
    let at = |hours: u64, minutes: u64| {
        let seconds = NOON + 3_600 * (hours - 12) + 60 * minutes;
        let args =
            format!("club serve --data club --listen 127.0.0.1:0 --jobs 1 {options} --full-round 14:00");
        let mut command = command(place.folder(), &args.split_whitespace().collect::<Vec<_>>());
        command.env("SOURCE_DATE_EPOCH", seconds.to_string());
        Served::of(&place, &mut command)
    };
    let served = at(13, 59);
    wait_until_idle(&place);
    assert_eq!(games_of_pairs(&place), pairs, "not before its time");
    served.interrupt();
    let served = at(14, 1);
    let games = pairs.values().map(|games| u64::from(*games)).sum::<u64>();
    assert!(until(|| place.games_in("club/season.db") >= games + 12), "it does not begin");
    wait_until_idle(&place);
    let after = games_of_pairs(&place);
    // The order may have changed, so some neighbours are new.
    assert!(pairs.iter().all(|(pair, games)| after[pair] >= games + 2), "{pairs:?} {after:?}");
    let info = place.arena("journal info club/season.db -o json").expect_code(0).json();
    let rounds = info["stages"].as_array().expect("a list").iter();
    let rounds: Vec<&Value> = rounds.filter(|stage| stage["settings"]["full-round"] == 1).collect();
    served.get("/games/1.html").expect(200);
    let said = served.interrupt();
    // Which of the two follows from the seed, too: a bot that has had much more of the machine waits until the others have played.
    let games: Vec<&Value> = rounds.iter().map(|stage| &stage["games"]).collect();
    assert!(games == [12] || games == [6, 6], "{rounds:?} {said}");
    assert!(!place.path("club/season.db-wal").exists(), "a club that ends leaves one file");
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);
    let again = place.arena("verify --journal club/season.db --replay-all").expect_code(0).stdout;
    assert!(again.starts_with("the same head: "), "{again}");
}
