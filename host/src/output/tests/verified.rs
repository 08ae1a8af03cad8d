//! The verdicts of `arena verify`.

use super::super::{AgainOutput, Output, Verdicts, Verification, Verified};
use arena_engine::internals::again::{AgainDifference, PlayedAgain};
use arena_experiments::verification::Verdict;
use arena_record::ReplayError;
use arena_store::{ChainHead, LinkDifference};

fn verified(name: &str, verdict: Verdict) -> Verified {
    Verified { recording: name.into(), verdict }
}

fn missing(label: &str) -> Verdict {
    Verdict::OtherBot { label: label.into(), sha256: "aa".into(), given: None }
}

fn head() -> ChainHead {
    ChainHead { links: 9, sha256: "cc".into() }
}

#[test]
fn each_verdict_says_what_is_wrong_and_what_to_do() {
    let verdicts = [
        Verdict::Same { events: 1 },
        Verdict::SeedNotTold { events: 2 },
        Verdict::OtherSeed { recorded: "00".into(), told: arena_record::Seed::from(7) },
        Verdict::Unreadable("it ends early".into()),
        Verdict::OtherVersion { what: "engine", recorded: "1".into(), here: "2".into(), by: "0.9.0".into() },
        missing("ann"),
        Verdict::OtherBot { label: "ann".into(), sha256: "aa".into(), given: Some("bb".into()) },
        Verdict::BotDeleted { label: "ann".into(), sha256: "aa".into() },
        Verdict::NoComponent { label: "ann".into() },
        Verdict::DecidedByClock,
        Verdict::OtherHeader { what: "starter", recorded: "1".into(), expected: "2".into() },
        Verdict::Impossible(ReplayError { event: 4, problem: "no turn".into(), failure: None }),
        Verdict::GameFailed("it trapped".into()),
        Verdict::Differs { event: 4, recorded: Some("{\"a\":1}".into()), played: None },
    ];
    let all: Vec<Verified> =
        (1..).zip(verdicts).map(|(number, it)| verified(&format!("game {number}"), it)).collect();
    let mut shown = Verdicts::default();
    let lines: Vec<String> = all
        .iter()
        .filter_map(|it| shown.add(it.clone(), true, false).map(|line| line.as_str().to_owned()))
        .collect();
    assert_eq!(shown.shared().count(), 0, "all are shown");
    let head = head();
    let output = Verification { verified: &shown.verified, refused: &[], head: Some(&head), games_left: 1 };
    let json = serde_json::to_string_pretty(&output.json()).unwrap();
    insta::assert_snapshot!("verified", format!("{}\n{}\n{json}", lines.join("\n"), output.text().as_str()));
    let plain = Verification { head: None, games_left: 0, verified: &all[..1], ..output };
    assert_eq!(plain.text().as_str(), "verified 1 of 1");
}

#[test]
fn of_games_that_are_not_verified_for_one_reason_the_first_is_shown_and_the_others_are_counted() {
    let deleted = || Verdict::BotDeleted { label: "ben".into(), sha256: "bb".into() };
    let mut verdicts = Verdicts::default();
    let shown: Vec<bool> = [
        Verdict::Same { events: 1 },
        missing("ann"),
        missing("ann"),
        missing("ben"),
        missing("ann"),
        Verdict::DecidedByClock,
        Verdict::DecidedByClock,
        deleted(),
        Verdict::SeedNotTold { events: 3 },
        Verdict::SeedNotTold { events: 4 },
    ]
    .into_iter()
    .map(|verdict| verdicts.add(verified("game", verdict), false, false).is_some())
    .collect();
    assert_eq!(shown, [false, true, false, true, false, true, true, false, true, false]);
    let lines: Vec<String> = verdicts.shared().map(|line| line.as_str().to_owned()).collect();
    let unnamed = "ann is not among the bots given: no file has the hash aa";
    let secret = "the same, but their seeds cannot be checked before the tournament's seed is revealed";
    assert_eq!(
        lines,
        [
            format!("2 more games: {unnamed}; --verbose lists them"),
            "1 game could not be played again: the component of ben, bb, was deleted by the organiser".into(),
            format!("1 more game: {secret}; --verbose lists them"),
        ]
    );
    let alone = |verdict| Verdicts::default().add(verified("game", verdict), false, true).is_some();
    assert_eq!(
        [alone(Verdict::Same { events: 1 }), alone(missing("ann")), alone(deleted())],
        [true, true, false]
    );
}

#[test]
fn a_season_that_was_played_again_has_the_same_head_or_its_first_difference() {
    let link = || LinkDifference { number: 5, here: None, there: None };
    let game = Some(("ann".to_owned(), "ben".to_owned(), 3));
    let differs = |game, is_by_clock| Some(AgainDifference { link: link(), game, is_by_clock });
    let cases = [
        (vec![], None, true),
        (vec![2, 8], None, false),
        ((1..=11).collect(), differs(game, false), false),
        (vec![], differs(None, true), false),
    ]
    .map(|(by_clock, difference, is_reproduced)| {
        let again = PlayedAgain { games: 12, by_clock, head: head(), difference };
        let output = AgainOutput(&again);
        assert_eq!(output.is_reproduced(), is_reproduced);
        format!("{}\n{}", output.text().as_str(), serde_json::to_string(&output.json()).unwrap())
    });
    insta::assert_snapshot!("again", cases.join("\n---\n"));
}
