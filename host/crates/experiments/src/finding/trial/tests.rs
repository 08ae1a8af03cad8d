//! Tests of what is told of trial games.

use super::*;
use crate::finding::Finding;
use crate::testing::Bots;
use crate::trial::{self, TrialOptions};
use arena_engine::Roster;
use arena_players::Contestant;
use arena_referee::Fault;
use std::sync::LazyLock;
use std::time::Duration;

/// A trial game of the house's sweeper with this much fuel a turn, or with that of the rules; and its bot.
fn played(fuel_per_turn: Option<u64>) -> (TrialGame, Vec<Contestant>) {
    let Bots { sandbox, contestants, plan } = Bots::of(&["sweeper"]);
    let rules = vec![plan.conditions.rules];
    let options = TrialOptions { rules, fuel_per_turn, is_quick: true, turns_of_fuel: None };
    let games = trial::play(&contestants[0], &sandbox, &options, || true).expect("the arena does not fail");
    (games[0].clone(), contestants)
}

/// Checks what is told of three trial games of the house's sweeper, each changed as this says.
fn told(change: impl Fn(usize, &mut TrialGame), check: impl FnOnce(Trial<'_>)) {
    static PLAYED: LazyLock<(TrialGame, Vec<Contestant>)> = LazyLock::new(|| played(None));
    let (game, contestants) = &*PLAYED;
    let mut games = vec![game.clone(); 3];
    games.iter_mut().enumerate().for_each(|(index, game)| change(index, game));
    check(Trial { bot: &contestants[0].bot, games: &games });
}

#[test]
fn results_are_told_from_the_bots_side_and_times_for_the_budget_of_its_turns() {
    let (game, contestants) = played(Some(100_000));
    let roster = Roster { contestants, refused: Vec::new(), failed: Vec::new() };
    for (outcome, words, word) in [
        (Outcome::Win(Seat::First), "wins: ", "win"),
        (Outcome::Win(Seat::Second), "loses: ", "loss"),
        (Outcome::Draw, "draws: ", "draw"),
        (Outcome::NoContest, "no contest: ", "no-contest"),
    ] {
        let mut changed = game.clone();
        changed.played.result.outcome = outcome;
        changed.throughput = Throughput { fuel: 100_000_000, time: Duration::from_millis(3_200) };
        let games = [changed];
        let finding = Finding::of(&roster).with_games(Some(&games));
        assert!(finding.text().as_str().contains(words) && !finding.has_faults(), "{}", finding.text());
        let document = finding.json();
        let game = &document["trial"]["games"][0];
        assert_eq!((&game["outcome"], &game["seat"], &game["faults"]), (&json!(word), &json!(1), &json!([])));
        let fuel = &game["fuel"];
        assert_eq!((&fuel["budget"], &fuel["budget-ms-here"]), (&json!(100_000), &json!(3.2)));
        assert_eq!(document["trial"]["is-slow"], json!(true));
    }
    let mut game = game;
    game.faults.push(fault(FaultClass::Trap, "panicked", Verdict::TurnSkipped));
    assert!(Finding::of(&roster).with_games(Some(&[game])).has_faults());
}

#[test]
fn the_verdict_counts_the_games_with_faults() {
    told(
        |_, _| {},
        |trial| {
            assert_eq!(trial.verdict(), "ready to play; no fault in 3 trial games against a random player");
            assert_eq!(Trial { games: &[], ..trial }.verdict(), "ready to play; no trial game was played");
        },
    );
    told(
        |index, game| {
            game.faults.extend((index < 2).then(|| fault(FaultClass::Trap, "", Verdict::Loses)));
        },
        |trial| {
            assert_eq!(trial.verdict(), "may play; at fault in 2 of 3 trial games against a random player");
        },
    );
}

#[test]
fn each_kind_of_fault_has_an_entry_with_its_first_turns_and_the_number_of_the_others() {
    let add = |kinds: u16, turns: u16| {
        move |index: usize, game: &mut TrialGame| {
            let kinds = (0..if index == 0 { kinds } else { 0 }).flat_map(|kind| {
                let of_turn = move |turn: u16| TrialFault {
                    turn: turn.into(),
                    ..fault(FaultClass::Trap, &format!("panic {kind}"), Verdict::TurnSkipped)
                };
                (1..=turns).map(of_turn)
            });
            game.faults = kinds.collect();
        }
    };
    let shown_max = u16::try_from(PLACES_SHOWN_MAX).expect("they are few");
    told(add(1, shown_max), |trial| {
        let entries = trial.faults();
        let [("fault", text)] = &entries[..] else { panic!("{entries:?}") };
        assert!(text.contains("panic 0, the turn is skipped") && !text.contains("more turn"), "{text}");
        assert_eq!(text.matches(NEXT_LINE).count(), PLACES_SHOWN_MAX, "{text}");
    });
    told(add(1, shown_max + 1), |trial| {
        let text = &trial.faults()[0].1;
        assert!(text.ends_with("and in 1 more turn"), "{text}");
    });
    let kinds_max = u16::try_from(FAULTS_SHOWN_MAX).expect("they are few");
    told(add(kinds_max, 1), |trial| assert_eq!(trial.faults().len(), FAULTS_SHOWN_MAX));
    told(add(kinds_max + 2, 1), |trial| {
        let entries = trial.faults();
        assert_eq!(entries.len(), FAULTS_SHOWN_MAX + 1);
        assert_eq!(entries[FAULTS_SHOWN_MAX], ("fault", "2 others, see --json".into()));
    });
}

#[test]
fn a_bot_that_cannot_print_is_not_told_to_flush() {
    told(|_, _| {}, |trial| assert_eq!(trial.log(), "it printed nothing"));
}

fn fault(class: FaultClass, detail: &str, verdict: Verdict) -> TrialFault {
    TrialFault { turn: 1, fault: Fault::new(class, detail), verdict }
}

#[test]
fn faults_are_shown_as_one_only_if_they_have_the_same_consequence() {
    use FaultClass::{OutOfFuel, Trap};
    use Verdict::{Loses, TurnSkipped};
    let skipped = fault(Trap, "panicked", TurnSkipped);
    assert!(is_same_kind(&skipped, &fault(Trap, "panicked", TurnSkipped)));
    assert!(!is_same_kind(&skipped, &fault(Trap, "panicked", Loses)));
    assert!(!is_same_kind(&skipped, &fault(Trap, "another panic", TurnSkipped)));
    let overrun = fault(OutOfFuel, "used up its fuel in a", TurnSkipped);
    assert!(is_same_kind(&overrun, &fault(OutOfFuel, "used up its fuel in b", TurnSkipped)));
    assert!(!is_same_kind(&overrun, &fault(OutOfFuel, "used up its fuel in a", Loses)));
    assert!(!is_same_kind(&overrun, &skipped));
}

#[test]
fn a_bot_is_called_slow_with_the_time_of_a_budget_and_what_is_allowed_for() {
    let of =
        |nanoseconds: u64| Throughput { fuel: 100_000_000, time: Duration::from_millis(nanoseconds * 100) };
    assert_eq!(slow(of(2), 300_000_000), None);
    let text = slow(of(40), 300_000_000).expect("it is slow");
    let expected = "a unit of its fuel takes 40.0 ns here: bots in Rust take less than 0.2, and 10 at most are allowed for\n         \
                    a turn of 300,000,000 fuel would take 12000 ms, and 3000 are allowed for\n         \
                    run it again on a machine that is less busy; if it is the same, report the bot to the arena's maintainers";
    assert_eq!(text, expected);
    let text = slow(of(5), 300_000_000).expect("it is slow");
    assert!(text.contains("avoid reads all over a large memory") && !text.contains("report"), "{text}");
}

#[test]
fn the_middle_of_an_even_number_of_figures_is_the_lower_one() {
    assert_eq!([&[][..], &[5], &[5, 7], &[5, 7, 9]].map(median), [None, Some(5), Some(5), Some(7)]);
}
