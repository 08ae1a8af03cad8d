//! Files of a club that are lost, old or damaged: nothing is replaced, and nothing is played again.

use super::{Served, club, read_answer, token, upload};
use crate::support::{Beginning, Place};
use arena_testkit::wait_for;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};

/// A club whose two bots have played, and that is not served any more.
fn played() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(play)
}

fn play() -> Place {
    let place = club();
    let served = Served::start(&place, "--games 4");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("random.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 4);
    served.interrupt();
    place
}

/// Checks that a command refuses with this text and a next step, and changes no journal.
#[track_caller]
fn check_refused(place: &Place, args: &str, phrase: &str) {
    let journals = || {
        ["club/season.db", "club/season.db.seed", "club/seasons/1/season.db"]
            .map(|name| fs::read(place.path(name)).ok())
    };
    let before = journals();
    let run = place.arena(args).expect_code(2);
    assert!(run.stderr.contains(phrase) && run.stderr.contains("next: "), "{args}: {}", run.stderr);
    assert!(journals() == before, "{args}: a journal is changed");
}

#[test]
fn a_register_of_an_earlier_season_replaces_no_journal() {
    let place = played();
    fs::copy(place.path("club/club.db"), place.path("old.db")).unwrap();
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("club season new --data club").expect_code(0);
    let served = Served::start(&place, "--games 4");
    served.wait_for_games("ann", 4);
    served.interrupt();
    fs::copy(place.path("old.db"), place.path("club/club.db")).unwrap();
    for args in ["club serve --data club --listen 127.0.0.1:0", "club season new --data club"] {
        check_refused(&place, args, "club.db: is older than the folder: it says that season 1 is played");
    }
    // Also when the later season has no game yet, but its secret seed.
    fs::remove_file(place.path("club/season.db")).unwrap();
    assert!(place.path("club/season.db.seed").exists());
    check_refused(&place, "club serve --data club --listen 127.0.0.1:0", "is older than the folder");
}

#[test]
fn a_journal_that_is_lost_is_not_begun_again_and_a_register_that_is_empty_is_not_used() {
    let place = played();
    place.arena("club backup whole.tar --data club").expect_code(0);
    fs::rename(place.path("club/season.db"), place.path("elsewhere")).unwrap();
    let missing = "season.db: is missing, and club/heads.txt has heads of season 1";
    check_refused(&place, "club serve --data club --listen 127.0.0.1:0", missing);
    check_refused(&place, "club backup part.tar --data club", missing);
    assert!(!place.path("part.tar").exists());
    fs::rename(place.path("elsewhere"), place.path("club/season.db")).unwrap();
    place.write("club/club.db", "");
    for args in ["club season list --data club", "club invite cat --data club"] {
        check_refused(&place, args, "club.db: is empty, and next to it is the journal of a season");
    }
}

#[test]
fn a_journal_that_is_older_than_the_log_of_heads_is_named_and_not_played_on() {
    let place = played();
    fs::copy(place.path("club/season.db"), place.path("old.db")).unwrap();
    let log = fs::read_to_string(place.path("club/heads.txt")).unwrap();
    let served = Served::start(&place, "--games 8");
    served.wait_for_games("ann", 8);
    served.interrupt();
    fs::copy(place.path("club/season.db"), place.path("new.db")).unwrap();
    fs::copy(place.path("old.db"), place.path("club/season.db")).unwrap();
    let older = "club/season.db: is older than club/heads.txt: it has ";
    for args in [
        "club serve --data club --listen 127.0.0.1:0",
        "club season reveal --data club",
        "club season new --data club",
        "club backup part.tar --data club",
    ] {
        check_refused(&place, args, older);
    }
    assert!(!place.path("part.tar").exists());
    // As the message says: the latest journal, or the log of the older one's time.
    fs::copy(place.path("new.db"), place.path("club/season.db")).unwrap();
    place.arena("club backup whole.tar --data club").expect_code(0);
    fs::copy(place.path("old.db"), place.path("club/season.db")).unwrap();
    place.write("club/heads.txt", log);
    let served = Served::start(&place, "--games 8");
    served.wait_for_games("ann", 8);
}

#[test]
fn a_journal_that_is_damaged_is_not_backed_up() {
    let place = played();
    let mut bytes = fs::read(place.path("club/season.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 6_000].fill(7);
    place.write("club/season.db", bytes);
    check_refused(&place, "club backup part.tar --data club", "keep the earlier backups");
    assert!(!place.path("part.tar").exists());
}

#[test]
fn an_upload_that_ends_after_its_author_may_submit_no_more_is_refused() {
    let place = club();
    let bot = fs::read(place.path("sweeper.wasm")).unwrap();
    let served = Served::start(&place, "");
    for (author, command, phrase) in [
        ("ann", "club season freeze --data club", "it is frozen"),
        ("ann", "club disqualify ann --reason copied --data club", "or its author was disqualified"),
        ("ben", "club revoke ben --data club", "the token was revoked during the upload"),
    ] {
        let mut slow = served.connect();
        let head = upload(&token(&place, author), &format!("Content-Length: {}", bot.len()));
        slow.write_all(head.as_bytes()).unwrap();
        slow.write_all(&bot[..1_000]).unwrap();
        // Its rights are read once it is on its way.
        let has_begun = || place.files("club/bots").keys().any(|name| name.ends_with(".part"));
        wait_for(|| has_begun().then_some(())).expect("it begins");
        place.arena(command).expect_code(0);
        slow.write_all(&bot[1_000..]).unwrap();
        let answer = read_answer(slow).expect(403);
        assert!(answer.body.contains(phrase), "{command}: {}", answer.body);
        assert!(place.files("club/bots").is_empty(), "its file is removed");
        // For the next one.
        place.arena("club season freeze --undo --data club");
    }
}

#[test]
fn a_copy_of_anothers_bot_has_no_games_of_its_own() {
    let place = played();
    let served = Served::start(&place, "--games 4");
    let refused = served.submit("random.wasm", "ann").expect_code(3);
    assert!(
        refused.stdout.contains("same-component") || refused.stderr.contains("ben"),
        "{}",
        refused.stdout
    );
    let latest = served.latest("ann");
    assert_eq!(
        (&latest["state"], &latest["standing"]),
        (&"refused".into(), &serde_json::Value::Null),
        "{latest}"
    );
    assert!(served.latest("ben")["standing"]["games"].as_u64() >= Some(4));
}

#[test]
fn an_author_who_waits_outlives_a_club_that_is_served_again() {
    let place = club();
    let served = Served::start(&place, "--games 20");
    let address = served.address.clone();
    let waits = format!("submit random.wasm --to http://{address} --token-file ann --wait -o json");
    let mut waiting = place.start(&waits);
    // It has no opponent yet.
    served.wait_until("ann", |latest| latest["state"] == "plays");
    served.interrupt();
    let mut said = BufReader::new(waiting.stderr.take().expect("it is a pipe"));
    let mut told = String::new();
    while !told.contains("; trying again") {
        assert!(said.read_line(&mut told).expect("it is text") > 0, "it has ended: {told}");
    }
    let served = Served::at(&place, &address, "--games 20");
    served.submit("sweeper.wasm", "ben").expect_code(0);
    said.read_to_string(&mut told).expect("it is text");
    assert!(waiting.wait().expect("it is ours").success(), "{told}");
}
