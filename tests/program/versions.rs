//! Transcripts of other versions of the format, which are refused, and those that leave switches out.

use crate::support::Place;

const GAME: &str = "t/1-sweeper-vs-repeats-once-then-valid.jsonl";

/// A place with two specimens and a transcript of a game between them, [`GAME`].
fn place_with_a_game() -> Place {
    let place = Place::with_specimens(&["sweeper", "repeats-once-then-valid"]);
    place.arena("run sweeper.wasm repeats-once-then-valid.wasm --games 1 --transcripts t").expect_code(0);
    place
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
fn a_transcript_of_another_version_is_refused_with_the_versions() {
    let place = place_with_a_game();
    for version in ["2.0", "1.1", "0.9"] {
        place.alter(GAME, 1, |header| header["arena-transcript"] = version.into());
        let says = format!("the format is {version}, and this arena reads 1.0 only");
        let replay = place.arena(&format!("replay {GAME} --headless")).expect_code(2);
        assert!(replay.stderr.contains(&says) && replay.stderr.contains("next: "), "{}", replay.stderr);
        let verified = place.arena(&format!("verify {GAME} .")).expect_code(3);
        assert!(verified.stdout.contains(&says), "{}", verified.stdout);
    }
}
