//! Drafts and challenges of authors, on the command line and on the author's page.

use super::{Served, Session, club};
use std::fs;

#[test]
fn an_author_tries_a_draft_against_another_bot_and_then_lets_it_play() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    served.submit("hunter.wasm", "ben").expect_code(0);
    let unknown = served.author("submit log-half-lines.wasm --challenge eve", "ann").expect_code(2);
    assert!(unknown.stderr.contains("no other bot of \"eve\" plays"), "{}", unknown.stderr);
    let tried =
        served.author("submit log-half-lines.wasm --challenge ben -o json", "ann").expect_code(0).json();
    assert_eq!((&tried["state"], &tried["version"]), (&"draft".into(), &1.into()));
    let challenge = &tried["challenges"][0];
    assert_eq!((&challenge["progress"], &challenge["asked"]), (&"played".into(), &true.into()));
    assert_eq!(challenge["games"].as_array().map(Vec::len), Some(10));
    let mine = served.author("mine", "ben").expect_code(0).stdout;
    assert!(mine.contains("version 1 was challenged by ann, version 1: "), "{mine}");
    assert!(!place.path("club/season.db").exists(), "no game of the season was played");

    // A bot at fault in its trial has no challenge.
    served.author("submit divides-by-zero.wasm --challenge ben", "ann").expect_code(3);
    let [ann, ben] = ["ann", "ben"].map(|author| Session::of(&served, author));
    let game = |kind: &str| format!("challenges/{}/games/10.{kind}", challenge["id"]);
    let [own, other] = [&ann, &ben].map(|author| author.get(&game("html")).expect(200).body);
    assert!(own.contains("Log of <bdi>ann, version 1</bdi>") && own.contains("one "), "{own}");
    assert!(
        other.contains("id=\"replay\"") && !other.contains("Log of") && !other.contains("one "),
        "{other}"
    );
    assert!(ann.get(&game("txt")).expect(200).body.contains("one "));
    ben.get(&game("txt")).expect(404);
    let id = tried["id"].to_string();
    let send = |opponent: &str| {
        let fields =
            [("form", ann.form.as_bytes()), ("version", id.as_bytes()), ("opponent", opponent.as_bytes())];
        ann.send("challenge", "", &fields)
    };
    assert!(send("ben").expect(303).head.contains("location: ./#challenges"));
    let sweeper = fs::read(place.path("sweeper.wasm")).expect("it is there");
    let page = ann.post("submit?draft", "bot", &sweeper).expect(200).body;
    assert!(page.contains("Version 3: admitted as a draft"), "{page}");
    assert!(page.contains("Version 1 challenged <bdi>ben</bdi>, version 1: "), "{page}");

    served.author("submit log-half-lines.wasm", "ann").expect_code(0);
    let plays = served.wait_until("ann", |latest| latest["version"] == 3);
    assert_eq!(plays["state"], "draft", "{plays}");
    let mine = served.mine("ann");
    let first =
        mine.as_array().and_then(|all| all.iter().find(|it| it["version"] == 1)).expect("it is there");
    assert_eq!(first["state"], "plays");
    served.wait_until("ben", |latest| latest["standing"]["games"].as_u64() >= Some(4));
    let verified = place.arena("verify --journal club/season.db");
    assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
}
