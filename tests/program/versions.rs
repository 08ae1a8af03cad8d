//! Transcripts of other versions of the format: those of a later minor version are read, all others name what reads them.

use crate::support::Place;

const GAME: &str = "t/1-sweeper-vs-repeats-once-then-valid.jsonl";

/// A place with two specimens and a transcript of a game between them, [`GAME`].
fn place_with_a_game() -> Place {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    place.arena("run sweeper.wasm repeats-once-then-valid.wasm --games 1 --transcripts t").expect_code(0);
    place
}

#[test]
fn a_transcript_of_a_later_minor_version_with_unknown_fields_is_replayed_and_verified() {
    let place = place_with_a_game();
    let replay = format!("replay {GAME} --headless");
    let before = place.arena(&replay).expect_code(0).stdout;
    place.alter(GAME, 1, |header| {
        assert_eq!(header["arena-transcript"], "1.1");
        header["arena-transcript"] = "1.7".into();
        header["weather"] = "rain".into();
        header["bots"][0]["colours"] = serde_json::json!(["red", "white"]);
        header["limits"]["log-bytes"] = 65_536.into();
    });
    place.alter(GAME, 4, |acted| acted["mood"] = serde_json::json!({ "confidence": 1.0 }));
    assert_eq!(place.arena(&replay).expect_code(0).stdout, before);
    place.arena(&format!("verify {GAME} .")).expect_code(0);
}

#[test]
fn a_switch_that_a_transcript_does_not_mention_has_its_default() {
    let place = place_with_a_game();
    place.alter(GAME, 1, |header| {
        let switches = header["rules"].as_object_mut().unwrap();
        for switch in ["may-touch", "skip", "sinkings-announced", "turns-max"] {
            assert!(switches.remove(switch).is_some(), "{switch}");
        }
    });
    place.arena(&format!("verify {GAME} .")).expect_code(0);
}

#[test]
fn a_transcript_of_another_major_version_is_refused_with_the_versions() {
    let place = place_with_a_game();
    for (version, says) in [
        ("2.0", "the format is 2.0; this arena reads 1.x; use the arena that wrote it, or a later one"),
        ("0.9", "the format is 0.9; this arena reads 1.x; only the arena that wrote it reads it"),
    ] {
        place.alter(GAME, 1, |header| header["arena-transcript"] = version.into());
        let replay = place.arena(&format!("replay {GAME} --headless")).expect_code(2);
        assert!(replay.stderr.contains(says) && replay.stderr.contains("next: "), "{}", replay.stderr);
        let verified = place.arena(&format!("verify {GAME} .")).expect_code(3);
        assert!(verified.stdout.contains(says), "{}", verified.stdout);
    }
}

/// Before the first release, the version was a number and not a text.
#[test]
fn a_transcript_of_a_development_version_is_refused_kindly() {
    let place = place_with_a_game();
    place.alter(GAME, 1, |header| header["arena-transcript"] = 1.into());
    let replay = place.arena(&format!("replay {GAME} --headless")).expect_code(2);
    assert!(replay.stderr.contains("development version"), "{}", replay.stderr);
    assert!(replay.stderr.contains("next: "), "{}", replay.stderr);
    let verified = place.arena(&format!("verify {GAME} .")).expect_code(3);
    assert!(verified.stdout.contains("development version"), "{}", verified.stdout);
}
