//! What experiments with a bot have measured: boards, fuel by function, decisions of another build, and tests of two builds.

use super::super::{BoardsOutput, Output, ProfileOutput, RerunOutput, SprtOutput};
use super::conditions;
use arena_experiments::boards::{BoardResult, Cleared};
use arena_experiments::profile::Profile;
use arena_experiments::rerun::{AskedTurn, TurnDecision};
use arena_experiments::sprt::{FaultsOf, Test, Tested};
use arena_league::{Decision, EloModel, PairTally, Pentanomial, ScoreDifferences, Sprt};
use arena_players::{Contestant, LimitOptions, Plan};
use arena_record::{BotId, Label};
use arena_referee::{Fault, FaultClass};
use arena_rules::Seat;
use arena_sandbox::{Sandbox, SandboxLimits};
use arena_text::shown;
use std::path::Path;
use std::sync::LazyLock;

/// Two bots, of which only the labels matter.
static BOTS: LazyLock<[Contestant; 2]> = LazyLock::new(|| {
    let sandbox = Sandbox::new(SandboxLimits::default()).expect("a sandbox can be made");
    let bot = sandbox.admit(&arena_testkit::zoo("sweeper")).expect("it is a bot");
    ["ann", "ben"].map(|label| {
        let id = BotId { label: label.into(), name: "Sweeper".into(), sha256: "aa".into() };
        Contestant { id, file: shown(Path::new(label)), path: label.into(), bot: bot.clone() }
    })
});

fn plan() -> Plan {
    let seed = arena_record::Seed::from(7).into();
    Plan::of(conditions().rules, "engine".into(), seed, &LimitOptions::default(), 1)
}

/// The boards on which a bot took these numbers of shots; it failed on those without one, each other time by an illegal shot.
fn boards(shots: &[Option<u32>]) -> Vec<BoardResult> {
    let board = |(number, shots): (u32, &Option<u32>)| {
        let class = if number % 2 == 1 { FaultClass::IllegalAction } else { FaultClass::Trap };
        let fault = || Fault::new(class, format!("=board {number}"));
        let cleared = |shots| Cleared { shots, fuel: 100 * u64::from(shots) + 7 };
        let result = shots.map(cleared).ok_or_else(fault);
        BoardResult { number, result, log: String::new(), transcript: Vec::new() }
    };
    (1..).zip(shots).map(board).collect()
}

#[test]
fn the_boards_of_a_bot_have_their_figures_the_worst_ones_and_the_faults() {
    let (plan, bots) = (plan(), &BOTS[..1]);
    let show = |name: &str, shots: &[Option<u32>]| {
        let played = [boards(shots)];
        let output = BoardsOutput { plan: &plan, bots, played: &played };
        insta::assert_snapshot!(format!("boards{name}"), output.text().as_str());
        let json = serde_json::to_string_pretty(&output.json()).unwrap();
        insta::assert_snapshot!(format!("boards_json{name}"), json);
    };
    let shots = [40, 61, 47, 61, 58, 90, 33, 71, 55].map(Some);
    show("", &[&shots[..], &[None, None, None]].concat());
    show("_one", &[Some(40)]);
    show("_none", &[None, None]);
}

#[test]
fn two_bots_are_compared_on_the_boards_that_both_cleared() {
    let (plan, bots) = (plan(), &BOTS[..]);
    let played =
        [boards(&[Some(40), None, Some(50), Some(60)]), boards(&[Some(43), Some(9), Some(52), None])];
    let output = BoardsOutput { plan: &plan, bots, played: &played };
    insta::assert_snapshot!("boards_compared", output.text().as_str());
    insta::assert_snapshot!("boards_compared_json", serde_json::to_string_pretty(&output.json()).unwrap());
    let csv: Vec<String> = output.csv().iter().map(|part| part.as_str().to_owned()).collect();
    let jsonl: Vec<String> = output.jsonl().map(|line| line.as_str().to_owned()).collect();
    insta::assert_snapshot!("boards_lines", [csv, jsonl].concat().join("\n"));
}

fn profile(stacks: &[(&[&str], u64)], overruns: usize, answered: u64, is_printed: bool) -> Profile {
    let stack = |&(names, count): &(&[&str], u64)| (names.iter().map(|&name| name.into()).collect(), count);
    let stacks = stacks.iter().map(stack).collect();
    Profile { stacks, answered, is_printed, fuel: 123_456, turns: 17, overruns }
}

#[test]
fn the_fuel_of_a_function_is_its_own_and_with_that_of_the_functions_that_it_calls_once() {
    let show = |name: &str, profile: &Profile| {
        let output = ProfileOutput { contestant: &BOTS[0], rules: "guide", profile };
        let json = serde_json::to_string_pretty(&output.json()).unwrap();
        let all = [output.text().as_str(), output.folded().as_str(), &json].join("\n---\n");
        insta::assert_snapshot!(name, all);
    };
    // From the outermost function to the innermost.
    let nested: &[(&[&str], u64)] = &[
        (&["play", "search", "search", "count;all"], 60),
        (&["play", "search"], 30),
        (&["play"], 9),
        (&[], 1),
    ];
    show("profile", &profile(nested, 2, 3, false));
    show("profile_printed", &profile(&nested[..3], 1, 1, true));
    let names: Vec<String> = (10..31).map(|number| format!("f{number}")).collect();
    let names: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
    let many: Vec<(&[&str], u64)> = names.iter().map(|name| (&name[..], 1)).collect();
    let text = |stacks: &[(&[&str], u64)], overruns| {
        let profile = profile(stacks, overruns, 0, false);
        ProfileOutput { contestant: &BOTS[0], rules: "guide", profile: &profile }.text().to_string()
    };
    assert!(!text(&many[..20], 0).contains("more function"));
    let of_all = text(&many, 0);
    assert!(of_all.ends_with("\nand 1 more function"), "{of_all}");
    // Only a turn that ran out of fuel has a place that `arena check` names.
    for (overruns, is_told) in [(0, false), (1, true)] {
        let unnamed = text(&[(&[], 1)], overruns);
        assert!(unnamed.contains("\nnext: keep the names of functions"), "{unnamed}");
        assert_eq!(unnamed.contains("`arena check` names the place"), is_told, "{unnamed}");
    }
}

fn asked(turn: u32, recorded: &str, now: &str, fuel: Option<u64>) -> AskedTurn {
    let of = |text: &str, fuel| TurnDecision { text: text.into(), fuel };
    let printed = vec!["I see a ship".to_owned(), String::new()];
    let event = turn as usize;
    AskedTurn {
        turn,
        event,
        recorded: of(recorded, Some(10)),
        now: of(now, fuel),
        differs: recorded != now,
        printed,
    }
}

#[test]
fn a_rerun_lists_the_turns_that_differ_and_the_fuel_of_all() {
    let turns = [
        asked(0, "[]", "[1]", Some(1)),
        asked(1, "A1", "A1", Some(5)),
        asked(2, "B1", "trap: it fell over", None),
    ];
    let [recorded, bot] = [&BOTS[0].id, &BOTS[1].id];
    let name = "game.jsonl".into();
    let output =
        RerunOutput { recording: &name, seat: Seat::Second, recorded, bot, asked: &turns, shown: None };
    let other = BotId { sha256: "bb".into(), ..bot.clone() };
    let same = RerunOutput { bot: &other, asked: &turns[1..2], ..output };
    let boards = "the boards";
    let shown = |turn| RerunOutput { shown: Some((turn, boards)), ..output };
    let json = serde_json::to_string(&output.json()).unwrap();
    let json_of_one = serde_json::to_string(&shown(&turns[0]).json()).unwrap();
    let all = [output, same, shown(&turns[0]), shown(&turns[2])].map(|it| it.text().as_str().to_owned());
    insta::assert_snapshot!("rerun", [all.join("\n---\n"), json, json_of_one].join("\n---\n"));
}

#[test]
fn a_test_says_what_is_accepted_or_why_it_is_not_decided_and_whose_faults_there_were() {
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Normalized).expect("it is one");
    let tally =
        PairTally { pairs: Pentanomial([1, 2, 9, 5, 3]), wins: 20, draws: 3, losses: 17, incomplete: 0 };
    let faults = || FaultsOf { count: 2, first: Some((FaultClass::Trap, "it fell over".into())) };
    let tested = |decision| Tested {
        test: Test::Results(test),
        tally,
        scores: ScoreDifferences::default(),
        decision,
        faults: [FaultsOf::default(), faults()],
        has_contest: true,
        failed: None,
    };
    let none = PairTally { incomplete: PairTally::UNCOUNTED_MAX, ..PairTally::default() };
    let few = PairTally { incomplete: PairTally::UNCOUNTED_MAX - 1, ..none };
    let undecided = || tested(Decision::Continue);
    let failed = arena_engine::Error::machine("it is broken", "no power", "repair it");
    let cases = [
        tested(Decision::AcceptH1),
        tested(Decision::AcceptH0),
        undecided(),
        Tested { failed: Some(failed), ..undecided() },
        Tested { tally: none, ..undecided() },
        Tested { tally: none, has_contest: false, ..undecided() },
        Tested { tally: few, ..undecided() },
    ];
    let labels = ["new", "old"].map(Label::from);
    let text = |tested: &Tested| {
        let output = SprtOutput {
            labels: labels.each_ref(),
            tested,
            seed: arena_record::Seed::from(7),
            games_planned: 1_000,
        };
        let mut json = serde_json::to_value(output.json()).unwrap();
        // The last digits may differ from machine to machine.
        for figure in ["llr", "bounds", "estimate"] {
            json.as_object_mut().unwrap().remove(figure).expect(figure);
        }
        format!("{}\n{json}", output.text().as_str())
    };
    insta::assert_snapshot!("sprt", cases.iter().map(text).collect::<Vec<_>>().join("\n---\n"));
}
