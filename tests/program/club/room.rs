//! The room that an author's bots, logs and replays take, and what is deleted.

use super::{Served, Session, club, token, upload};
use crate::support::Place;
use arena_testkit::wait_for;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A bot with a section of zeros behind it, which makes it larger and plays the same.
fn padded(place: &Place, bot: &str, size: usize) -> Vec<u8> {
    let mut bot = fs::read(place.path(bot)).expect("it is there");
    // A section of its own has a length in five bytes, and an empty name.
    let content = size.checked_sub(bot.len() + 6).expect("it is larger than the bot");
    bot.push(0);
    bot.extend((0..5).map(|at| ((content >> (7 * at)) & 0x7f) as u8 | if at < 4 { 0x80 } else { 0 }));
    bot.resize(size, 0);
    bot
}

/// The versions of authors, as the organiser sees them.
fn versions(place: &Place, args: &str) -> Vec<Value> {
    let list = place.arena(&format!("club versions --data club -o json {args}")).expect_code(0).json();
    list.as_array().expect("a list").clone()
}

/// The state of an author's versions, the latest first.
fn states(served: &Served<'_>, author: &str) -> Vec<Value> {
    let mine = served.author("mine -o json", author).expect_code(0).json();
    let rows = mine.as_array().expect("a list").iter().map(|it| json!([it["version"], it["state"]]));
    rows.collect()
}

#[test]
fn an_author_has_a_quota_of_bytes_in_which_padding_counts() {
    let place = club();
    let served = Served::start(&place, "--games 4 --quota 1");
    place.write("half.wasm", padded(&place, "sweeper.wasm", 600_000));
    place.write("other.wasm", padded(&place, "sweeper.wasm", 500_000));
    served.submit("half.wasm", "ann").expect_code(0);
    for _ in 0..2 {
        let refused = served.submit("other.wasm", "ann").expect_code(2).stderr;
        assert_eq!(
            refused,
            "arena: the club: the file has 0.5 MiB, and does not fit: 0.6 of your 1.0 MiB are taken \
             (bots 0.6 MiB, logs 0.0 MiB, replays 0.0 MiB)\n  \
             next: delete versions that have not played, at `/me/` or with `arena mine --delete N`, or ask the \
             organiser to delete others\n"
        );
    }
    let bytes = fs::read(place.path("other.wasm")).unwrap();
    // Without a length, as soon as it is too large; and in the form of a browser.
    let head = upload(&token(&place, "ann"), "Transfer-Encoding: chunked");
    let size = format!("\r\n{:x}\r\n", bytes.len());
    let chunked = [head.trim_end().as_bytes(), b"\r\n", size.as_bytes(), &bytes, b"\r\n0\r\n\r\n"].concat();
    assert!(served.send(&chunked).expect(403).body.contains("does not fit"));
    let session = Session::of(&served, "ann");
    let page = session.post("submit", "bot", &bytes).expect(403).body;
    assert!(page.contains("does not fit: 0.6 of your 1.0 MiB are taken"), "{page}");
    assert!(page.contains("Your bots, logs and replays take 0.6 of 1.0 MiB."), "{page}");
    assert_eq!(states(&served, "ann"), [json!([1, "plays"])], "refused uploads take no numbers");
    served.submit("other.wasm", "ben").expect_code(0);
    assert!(place.files("club/bots").keys().all(|name| name.ends_with(".wasm")));
    // With the copies next to the journal, there is too much, and the bot does not play on.
    let paused = served.wait_until("ann", |latest| latest["state"] == "paused");
    let finding = paused["finding"].as_str().expect("it is a text");
    assert!(finding.starts_with("paused: 1.1 of the 1.0 MiB of ann are taken (bots 1.1 MiB, "), "{finding}");
    let mine = served.author("mine", "ann").expect_code(0).stdout;
    assert!(mine.contains("next: delete versions that have not played"), "{mine}");
}

#[test]
fn an_author_deletes_a_version_that_has_not_played_and_the_organiser_any() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    // There is no opponent yet.
    for bot in ["hunter", "sweeper"] {
        served.submit(&format!("{bot}.wasm"), "ann").expect_code(0);
    }
    let unknown = served.author("mine --delete 3", "ann").expect_code(2).stderr;
    assert!(unknown.contains("you have no version 3\n  next: "), "{unknown}");
    let deleted = served.author("mine --delete 1", "ann").expect_code(0).stdout;
    assert!(deleted.contains("deleted"), "{deleted}");
    assert_eq!(states(&served, "ann"), [json!([2, "plays"]), json!([1, "deleted"])]);
    assert_eq!(place.files("club/bots").len(), 1);
    let again = served.author("mine --delete 1", "ann").expect_code(2).stderr;
    assert!(again.contains("the club: version 1 was deleted already, at 20"), "{again}");
    // Submitted again, it is judged again; then the button on the author's page deletes it.
    served.submit("hunter.wasm", "ann").expect_code(0);
    assert_eq!(states(&served, "ann"), [json!([2, "superseded"]), json!([1, "plays"])]);
    let session = Session::of(&served, "ann");
    let id = served.author("mine -o json", "ann").expect_code(0).json()[1]["id"].to_string();
    assert!(session.get("").expect(200).body.contains("Delete version 1"));
    session.post("delete", "version", id.as_bytes()).expect(303);
    assert_eq!(states(&served, "ann"), [json!([2, "plays"]), json!([1, "deleted"])]);
    let page = session.get("").expect(200).body;
    for gone in ["Delete version 1", "Play version 1", "Publish version 1"] {
        assert!(!page.contains(gone), "{gone}");
    }
    for path in ["play", "publish"] {
        let fields = [("form", session.form.as_bytes()), ("version", id.as_bytes()), ("publish", b"yes")];
        session.send(path, "", &fields).expect(404);
    }
    // What others have played against stays.
    served.submit("random.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 4);
    let refused = served.author("mine --delete 2", "ann").expect_code(2).stderr;
    assert!(refused.contains("the club: version 2 has begun to play, so it stays"), "{refused}");
    assert!(!session.get("").expect(200).body.contains("Delete version"));
    let refused = session.post("delete", "version", b"2").expect(409).body;
    assert!(refused.contains("version 2 has begun to play"), "{refused}");
    for wrong in [&b"x"[..], b""] {
        session.post("delete", "version", wrong).expect(400);
    }
    let other = Session::of(&served, "ben").post("delete", "version", b"2").expect(404).body;
    assert!(other.contains("you have no such version"), "{other}");
}

#[test]
fn what_the_organiser_deletes_plays_no_more_and_its_games_stay_in_a_journal_that_is_intact() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    let sha256 = served.submit("sweeper.wasm", "ann").expect_code(0).json()["sha256"].clone();
    let sha256 = sha256.as_str().expect("it is a text");
    served.submit("random.wasm", "ben").expect_code(0);
    let invited = place.arena("club invite cat --data club").expect_code(0).stdout;
    place.write("cat", invited);
    served.submit("hunter.wasm", "cat").expect_code(0);
    for author in ["ann", "ben", "cat"] {
        served.wait_for_games(author, 8);
    }
    let listed = versions(&place, "ann");
    assert_eq!(
        (&listed[0]["author"], &listed[0]["versions"][0]["has-played"]),
        (&json!("ann"), &json!(true))
    );
    assert!(listed[0]["room"]["replays-bytes"].as_u64() > Some(0), "{listed:?}");
    let table = place.arena("club versions --data club").expect_code(0).stdout;
    assert!(table.contains("replays") && table.contains(&sha256[..12]), "{table}");
    for (args, phrase) in [
        ("ann --delete 2", "ann, version 2: there is no such version\n  next: "),
        ("eve --delete 1", "eve: has no author of this name\n  next: "),
        ("--delete 1", "NAME"),
    ] {
        let refused = place.arena(&format!("club versions --data club {args}")).expect_code(2).stderr;
        assert!(refused.contains(phrase), "{args}: {refused}");
    }
    let said = place.arena("club versions ann --data club --delete 1").expect_code(0);
    assert!(said.stdout.contains("deleted") && said.stderr.contains("within seconds"), "{}", said.stderr);
    let kept = |name: &str| place.path(&format!("{name}/{sha256}.wasm")).exists();
    wait_for(|| (!kept("club/bots") && !kept("club/season.db.bots")).then_some(()))
        .expect("they are removed");
    let latest = served.latest("ann");
    assert_eq!((&latest["state"], &latest["standing"]["games"]), (&json!("deleted"), &json!(8)));
    // The season goes on without it.
    served.submit("exports-nothing.wasm", "ann");
    place.write("another.wasm", padded(&place, "sweeper.wasm", 200_000));
    served.submit("another.wasm", "ben").expect_code(0);
    served.wait_for_games("cat", 12);
    assert_eq!(versions(&place, "ann")[0]["versions"][1]["state"], "deleted");
    let page = served.wait_for_page("/", "12 games");
    assert!(page.contains("ann"), "its games stay: {page}");
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);

    let verified = place.arena("verify --journal club/season.db").expect_code(3).stdout;
    assert!(verified.contains("is intact"), "{verified}");
    let told = format!(
        "8 games could not be played again: the component of author.1, {sha256}, was deleted by the organiser\n"
    );
    assert!(verified.contains(&told) && verified.contains("verified 8 of 16"), "{verified}");
    let findings = place.arena("verify --journal club/season.db -o json").expect_code(3).json();
    let of_deleted = |it: &&Value| it["verdict"] == "bot-deleted";
    assert_eq!(findings["findings"].as_array().expect("a list").iter().filter(of_deleted).count(), 8);
    place.arena("standings club/season.db").expect_code(0);
    // A backup has the note, and a copy of the journal alone says what is missing.
    place.arena("club backup all.tar --data club").expect_code(0);
    place.arena("club restore all.tar --data restored").expect_code(0);
    let verified = place.arena("verify --journal restored/season.db").expect_code(3).stdout;
    assert!(verified.contains(&told), "{verified}");
    // When all are deleted, the chain is checked all the same.
    for (author, number) in [("ben", 1), ("ben", 2), ("cat", 1)] {
        let said =
            place.arena(&format!("club versions {author} --data club --delete {number}")).expect_code(0);
        assert!(said.stderr.contains("their files are removed"), "{}", said.stderr);
    }
    assert!(Path::new(&place.path("club/season.db.bots")).is_dir());
    let verified = place.arena("verify --journal club/season.db").expect_code(3).stdout;
    assert!(verified.contains("is intact") && verified.contains("verified 0 of 16"), "{verified}");
    let served = Served::start(&place, "--games 4");
    served.wait_for_page("/season.html", "The season");
}
