//! The finding of `arena check` about a game.

use super::super::{GameFinding, Output};
use arena_loaded::trial::{Trial, TrialFault};
use arena_loaded::{About, Answer, CallFuel, Ending, FaultKind, GameFault, Parameter};
use arena_rules::Seat;
use arena_rules::loaded::Reproduction;
use arena_sandbox::{Component, Sandbox, SandboxLimits};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

static GAME: LazyLock<Component> = LazyLock::new(|| {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("a sandbox can be made");
    let bytes = arena_testkit::game_component("").expect("it is well-formed");
    sandbox.admit_component(&bytes).expect("it is a component")
});

fn trial() -> Trial {
    let fuel = CallFuel { calls: 1_200, total: 3_600_000, max: 9_000 };
    Trial {
        games: 4,
        turns: vec![3, 5, 8, 9],
        wins: [2, 1],
        draws: 1,
        endings: vec![2, 1],
        odd_actions: 1_001,
        retries: 1_002,
        lost: 1_003,
        overrun_turns: 1_004,
        overrun_games: 1_005,
        resampled: 1_006,
        resampled_otherwise: 1_007,
        other_options: 1_008,
        other_values: vec![1_009],
        refused_settings: 2,
        fuel: BTreeMap::from([("apply".to_owned(), fuel)]),
        observation_bytes: 1_010,
        picture: [2, 3],
        memory_bytes: 3 << 19,
        last_picture: "ab\nabc".into(),
        ..Trial::default()
    }
}

fn answer(trial: Option<Trial>) -> Answer {
    let ending = |name: &str, text: &str| Ending { name: name.into(), text: text.into() };
    let size = Parameter { name: "size".into(), help: "cells".into(), default: 3, minimum: 2, maximum: 9 };
    let about = About {
        name: "dots".into(),
        version: "1".into(),
        parameters: vec![size],
        endings: vec![ending("line", "a line"), ending("full", "a full board")],
        max_game_length: 1_100,
        turn_milliseconds: 1_500,
        scores: None,
    };
    Answer {
        about,
        lists_actions: true,
        resamples: true,
        refused: None,
        contract: None,
        trial,
        random: None,
        bots: Vec::new(),
    }
}

fn fault() -> TrialFault {
    let mut reproduction =
        Reproduction::new(BTreeMap::from([("size".to_owned(), 3)]), u64::MAX, Seat::Second);
    reproduction.turns.push("a".into());
    let fault =
        GameFault { kind: FaultKind::Contradiction, call: "apply".into(), what: "says two things".into() };
    TrialFault { game: 5, turn: 2, reproduction, fault }
}

/// The text about an answer, without the lines that the component has, and whose time varies.
fn text(answer: Result<&Answer, &GameFault>, games: u32, is_interrupted: bool) -> String {
    let finding = GameFinding { file: "dots.wasm".into(), component: &GAME, answer, games, is_interrupted };
    let of_component = ["sha256", "size", "contract", "imports", "shape", "compile"];
    let text = finding.text().as_str().to_owned();
    let mut is_kept = true;
    let kept = text.lines().filter(|line| {
        if !line.starts_with(' ') {
            is_kept = !of_component.iter().any(|name| line.split(' ').next() == Some(name));
        }
        is_kept
    });
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_game_without_a_fault_has_all_figures_of_its_trial() {
    let answer = answer(Some(trial()));
    insta::assert_snapshot!("game", text(Ok(&answer), 4, false));
    let finding = GameFinding {
        file: "dots.wasm".into(),
        component: &GAME,
        answer: Ok(&answer),
        games: 4,
        is_interrupted: false,
    };
    let mut json = serde_json::to_value(finding.json()).unwrap();
    let document = json.as_object_mut().unwrap();
    for of_component in ["sha256", "size-bytes", "contract", "imports", "shape", "compile-ms"] {
        document.remove(of_component).expect(of_component);
    }
    insta::assert_snapshot!("game_json", serde_json::to_string_pretty(&json).unwrap());
}

#[test]
fn a_trial_says_what_there_was_none_of() {
    let few = Trial {
        games: 1,
        turns: vec![7],
        draws: 0,
        lost: 0,
        overrun_games: 0,
        resampled_otherwise: 0,
        refused_settings: 0,
        ..trial()
    };
    let mut answer = answer(Some(few.clone()));
    (answer.lists_actions, answer.about.parameters) = (false, Vec::new());
    insta::assert_snapshot!("game_few", text(Ok(&answer), 1, false));
    answer.trial = Some(Trial { resampled: 0, ..few });
    assert!(text(Ok(&answer), 1, false).contains("hidden   drawn again in no finished game"));
    answer.resamples = false;
    assert!(!text(Ok(&answer), 1, false).contains("hidden "));
}

#[test]
fn the_verdict_says_how_many_games_were_played_and_why_not_all() {
    let answer = |games| answer(Some(Trial { games, ..trial() }));
    let verdict = |answer: &Answer, games, is_interrupted| {
        let text = text(Ok(answer), games, is_interrupted);
        text.lines().last().unwrap_or_default().to_owned()
    };
    let all = "verdict  no fault in 1,234 random games, each played twice";
    assert_eq!(verdict(&answer(1_234), 1_234, false), all);
    assert_eq!(verdict(&answer(1_234), 1_234, true), all);
    let few = format!("{all}; there was no fuel for all 2,000");
    assert_eq!(verdict(&answer(1_234), 2_000, false), few);
    let interrupted = format!("{all}, before the trial was interrupted");
    assert_eq!(verdict(&answer(1_234), 2_000, true), interrupted);
    let one = "verdict  no fault in 1 random game, each played twice";
    assert_eq!(verdict(&answer(1), 1, false), one);
    let none = "verdict  its contract is right; no game was played";
    assert_eq!(verdict(&answer(0), 0, false), none);
    assert_eq!(verdict(&Answer { trial: None, ..answer(0) }, 0, false), none);
}

#[test]
fn a_fault_names_the_game_the_turn_and_the_next_step() {
    let faulted = answer(Some(Trial { fault: Some(fault()), turns: Vec::new(), ..trial() }));
    insta::assert_snapshot!("game_fault", text(Ok(&faulted), 9, false));
    let unplayable = GameFault { kind: FaultKind::WrongTypes, ..fault().fault };
    insta::assert_snapshot!("game_unplayable", text(Err(&unplayable), 9, false));
    let finding = |answer| GameFinding {
        file: arena_text::shown(Path::new("dots.wasm")),
        component: &GAME,
        answer,
        games: 9,
        is_interrupted: false,
    };
    assert_eq!(finding(Ok(&faulted)).fault(), Some(&fault().fault));
    let json = serde_json::to_value(finding(Ok(&faulted)).json()).unwrap();
    insta::assert_snapshot!("game_fault_json", serde_json::to_string_pretty(&json["fault"]).unwrap());
    assert_eq!(json["verdict"], "faulted");
}
