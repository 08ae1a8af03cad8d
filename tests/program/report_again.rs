//! `arena report` of a site that an earlier report has written: it continues from the site's index, and writes what a new one writes.

use crate::chain::drop_triggers;
use crate::labels;
use crate::report::tree;
use crate::season::{bring, play as play_season};
use crate::support::{Beginning, Place, SEED};
use arena_pages::{INDEX, Index, Sha256Bytes, Sums, sha256};
use std::collections::BTreeMap;

/// The bots of the journals here. One plays by its random seed, and one faults.
const BOTS: [&str; 3] = ["shoots-at-random", "repeats-once-then-valid", "divides-by-zero"];

/// A place with a journal `a.db` of two games a match, and its site.
fn place_with_a_site() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(|| {
        let place = Place::with_specimens(&BOTS);
        play(&place, "a.db", 2, SEED);
        place.arena("report a.db -o site --replays 4").expect_code(0);
        place
    })
}

/// Plays until each match of a journal has this number of games. A stage of a journal that is there draws a seed of its own.
fn play(place: &Place, journal: &str, games: u32, seed: &str) {
    let seed = if place.path(journal).exists() { String::new() } else { format!(" --seed {seed}") };
    let bots = BOTS.map(|name| format!("{name}.wasm")).join(" ");
    place.arena(&format!("run {bots} --games {games} --journal {journal}{seed}")).expect_code(0);
}

/// Writes the report with these arguments to the site that is there and to a new folder, and checks that the two are the same, byte for
/// byte.
#[track_caller]
fn check(place: &Place, args: &str) {
    place.arena(&format!("report {args} -o site")).expect_code(0);
    let (continued, fresh) = (tree(&place.path("site")), fresh(place, args));
    assert!(continued.keys().eq(fresh.keys()), "{args}");
    for (path, page) in &continued {
        assert!(*page == fresh[path], "{args}: {path} differs");
    }
}

/// The files of a site that is written to a new folder.
fn fresh(place: &Place, args: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::TempDir::new_in(place.folder()).unwrap();
    let below = folder.path().join("fresh");
    let name = below.strip_prefix(place.folder()).unwrap().to_str().unwrap();
    place.arena(&format!("report {args} -o {name}")).expect_code(0);
    tree(&below)
}

/// The program that the tests run, by its hash.
fn program() -> Sha256Bytes {
    sha256(&std::fs::read(env!("CARGO_BIN_EXE_arena")).unwrap())
}

/// The index of the site of a journal.
fn index_of(place: &Place, journal: &str) -> Index {
    let bytes = &fresh(place, &format!("{journal} --replays 4"))[INDEX];
    Index::read(bytes, &program()).expect("a report writes an index")
}

#[test]
fn a_report_after_more_games_is_the_same_as_a_new_one() {
    let place = place_with_a_site();
    check(&place, "a.db --replays 4");
    for games in [4, 6] {
        play(&place, "a.db", games, SEED);
        check(&place, "a.db --replays 4");
    }
    check(&place, "a.db --replays all --jobs 1");
    check(&place, "a.db --replays none");
    check(&place, "a.db --replays 4 --title Other --url https://example.org/");
}

#[test]
fn a_report_with_a_new_bot_or_with_another_journal_is_the_same_as_a_new_one() {
    let place = place_with_a_site();
    std::fs::copy(place.path("shoots-at-random.wasm"), place.path("again.wasm")).unwrap();
    let newcomer = Place::with_specimens(&["always-skips"]);
    std::fs::copy(newcomer.path("always-skips.wasm"), place.path("always-skips.wasm")).unwrap();
    play(&place, "b.db", 4, "2");
    check(&place, "b.db --replays 4");
    check(&place, "a.db --replays 4");
    place.arena("run shoots-at-random.wasm always-skips.wasm --games 2 --journal a.db").expect_code(0);
    check(&place, "a.db --replays 4");
    check(&place, "a.db --replays all");
}

#[test]
fn a_report_with_a_new_version_is_the_same_as_a_new_one() {
    let place = labels::season();
    place.arena("report league.db -o site --replays 4").expect_code(0);
    let label = place.path("site/labels/2.html");
    let before = std::fs::read(&label).unwrap();
    bring(&place, "bob", "shoots-at-random");
    play_season(&place, "--seed 4").expect_code(0);
    check(&place, "league.db --replays 4");
    assert!(std::fs::read(label).unwrap() != before, "it has a version more");
}

#[test]
fn games_that_the_index_has_are_not_read_again() {
    let place = place_with_a_site();
    play(&place, "b.db", 2, "2");
    // With the sums of other games under the key of these, the pages of the bots are wrong: so the sums are used, and it is their key
    // that protects them in the other tests.
    let (own, other) = (index_of(&place, "a.db"), index_of(&place, "b.db"));
    let (own_sums, other_sums) = (own.sums.clone().unwrap(), other.sums.unwrap());
    assert!(own_sums.key != other_sums.key && own_sums.games == other_sums.games);
    let wrong = Index { sums: Some(Sums { key: own_sums.key, ..other_sums }), ..own };
    place.write(&format!("site/{INDEX}"), wrong.to_bytes());
    place.arena("report a.db -o site --replays 4").expect_code(0);
    assert!(tree(&place.path("site")) != fresh(&place, "a.db --replays 4"));
}

#[test]
fn an_index_that_is_foreign_stale_altered_or_cut_off_is_ignored() {
    let place = place_with_a_site();
    play(&place, "b.db", 2, "2");
    play(&place, "long.db", 4, "2");
    let own = index_of(&place, "a.db");
    let own_sums = own.sums.clone().unwrap();
    let foreign = index_of(&place, "b.db");
    let wrong =
        Index { sums: Some(Sums { key: own_sums.key, ..foreign.sums.clone().unwrap() }), ..own.clone() };
    let (bytes, wrong_bytes) = (own.to_bytes(), wrong.to_bytes());
    let flipped = |place: usize| {
        let mut bytes = wrong_bytes.clone();
        bytes[place] ^= 1;
        bytes
    };
    let mut other_format = wrong_bytes.clone();
    other_format[19] += 1;
    assert!(other_format.starts_with(b"arena-report-index 2\n"));
    let tree_of_own = fresh(&place, "a.db --replays 4");
    let indexes = [
        ("of another journal", foreign.to_bytes()),
        ("of a longer journal", index_of(&place, "long.db").to_bytes()),
        ("of another program", Index { program: [7; 32], ..wrong.clone() }.to_bytes()),
        (
            "of more games",
            Index { sums: Some(Sums { games: 600, ..own_sums.clone() }), ..own.clone() }.to_bytes(),
        ),
        ("of fewer games", Index { sums: Some(Sums { games: 5, ..own_sums }), ..own }.to_bytes()),
        ("of another format", other_format),
        ("altered at its end", flipped(wrong_bytes.len() - 1)),
        ("altered in its middle", flipped(wrong_bytes.len() / 2)),
        ("altered in its hash", flipped(30)),
        ("cut off", wrong_bytes[..wrong_bytes.len() - 1].to_vec()),
        ("longer", [&wrong_bytes[..], b"\0"].concat()),
        ("cut off in its hash", bytes[..30].to_vec()),
        ("empty", Vec::new()),
        ("text", b"hello".to_vec()),
    ];
    for (what, index) in indexes {
        place.write(&format!("site/{INDEX}"), index);
        place.arena("report a.db -o site --replays 4").expect_code(0);
        assert!(tree(&place.path("site")) == tree_of_own, "an index {what}");
    }
    std::fs::remove_file(place.path("site").join(INDEX)).unwrap();
    check(&place, "a.db --replays 4");
}

#[test]
fn a_journal_that_was_changed_in_its_middle_is_read_anew() {
    let place = place_with_a_site();
    // The same bots and as many games, then more: only the chain shows that the first games are others.
    play(&place, "b.db", 2, "2");
    std::fs::copy(place.path("b.db"), place.path("a.db")).unwrap();
    check(&place, "a.db --replays 4");
    play(&place, "c.db", 4, "3");
    std::fs::copy(place.path("c.db"), place.path("a.db")).unwrap();
    check(&place, "a.db --replays 4");
    // A journal that has lost its last games.
    play(&place, "d.db", 2, "3");
    std::fs::copy(place.path("d.db"), place.path("a.db")).unwrap();
    check(&place, "a.db --replays 4");
}

#[test]
fn a_row_of_a_game_that_was_altered_is_found_although_its_sums_are_known() {
    let place = place_with_a_site();
    let before = tree(&place.path("site"));
    let connection = rusqlite::Connection::open(place.path("a.db")).unwrap();
    drop_triggers(&connection);
    for change in [
        "UPDATE game SET events = zeroblob(length(events)) WHERE number = 2",
        "UPDATE game SET first_turns = first_turns + 1 WHERE number = 1",
    ] {
        assert_eq!(connection.execute(change, []).unwrap(), 1);
        let refused = place.arena("report a.db -o site --replays 4").expect_code(2);
        assert!(refused.stderr.contains("it was changed after it was written"), "{}", refused.stderr);
        assert!(tree(&place.path("site")) == before);
    }
}

#[test]
fn a_replay_that_was_altered_removed_or_has_other_logs_is_written_anew() {
    let place = Place::with_specimens(&["sweeper", "log-escapes"]);
    place
        .arena(&format!(
            "run sweeper.wasm log-escapes.wasm --games 2 --journal a.db --logs logs --seed {SEED}"
        ))
        .expect_code(0);
    place.arena("report a.db -o site").expect_code(0);
    for name in ["site/games/1.html", "site/games/2.gif"] {
        place.write(name, "altered");
        check(&place, "a.db");
        std::fs::remove_file(place.path(name)).unwrap();
        check(&place, "a.db");
    }
    check(&place, "a.db --logs logs");
    std::fs::remove_dir_all(place.path("logs")).unwrap();
    std::fs::create_dir(place.path("logs")).unwrap();
    check(&place, "a.db --logs logs");
}

#[test]
fn a_log_stays_with_its_game_when_the_label_goes_to_a_later_version() {
    let place = Place::with_specimens(&["log-escapes", "log-flood", "sweeper"]);
    let play = |version: &str| {
        std::fs::create_dir(place.path(version)).unwrap();
        let bot = if version == "v1" { "log-escapes" } else { "log-flood" };
        std::fs::copy(place.path(&format!("{bot}.wasm")), place.path(&format!("{version}/cbot.wasm")))
            .unwrap();
        place
            .arena(&format!("run {version}/cbot.wasm sweeper.wasm --games 2 --journal a.db --logs logs"))
            .expect_code(0);
    };
    let pages_with_a_log = || {
        place.arena("report a.db -o site --logs logs --replays all").expect_code(0);
        let has_log = |game: &usize| {
            let page = std::fs::read_to_string(place.path(&format!("site/games/{game}.html"))).unwrap();
            page.contains("id=\"logs\"")
        };
        (1..=4)
            .filter(|game| place.path(&format!("site/games/{game}.html")).exists())
            .filter(has_log)
            .collect::<Vec<_>>()
    };
    play("v1");
    assert_eq!(pages_with_a_log(), [1, 2]);
    play("v2");
    assert_eq!(pages_with_a_log(), [1, 2, 3, 4]);
    // The label of the first version is another one now.
    let table = place.arena("standings a.db").expect_code(0).stdout;
    assert!(table.contains("cbot@1 (left)"), "{table}");
}
