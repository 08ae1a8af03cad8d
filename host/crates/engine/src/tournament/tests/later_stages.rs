//! Stages after others: what is played again, what counts, and contests that are recalled.

use super::*;
use std::collections::HashMap;

/// Plays these stages in sequence, and returns the results and the fixtures that were asked for, by stage.
fn play_stages(stages: &[Stage]) -> (Results, Vec<Vec<Fixture>>) {
    let mut contest = Contest::new(CONTESTANTS);
    let asked = stages.iter().map(|stage| {
        let asked = std::sync::Mutex::new(Vec::new());
        let work = |_, fixture| {
            asked.lock().unwrap().push(fixture);
            Ok(Source::Taken(result_of(fixture)))
        };
        let show = Showing(|_: &GameSummary| Ok::<_, String>(()));
        contest.play(stage, 1, || false, one_by_one(work), show).unwrap();
        asked.into_inner().unwrap()
    });
    let asked = asked.collect();
    (contest.into_results(), asked)
}

#[test]
fn a_later_bot_plays_all_others_and_no_game_is_played_twice() {
    let settings = settings(Format::RoundRobin, None);
    let (results, asked) = play_stages(&[stage(&settings, &[1, 2]), stage(&settings, &[1, 2, 3])]);
    assert_eq!((asked[0].len(), asked[1].len()), (4, 8));
    assert!(asked[1].iter().all(|fixture| fixture.seats.contains(&3)));
    assert_eq!((results.games.len(), results.games_planned, results.complete), (12, 12, true));
    assert_eq!(
        results.games.iter().map(|game| game.number).collect::<Vec<_>>(),
        (1..=12).collect::<Vec<_>>()
    );
    assert_eq!(results.field, [1, 2, 3]);
}

#[test]
fn the_games_of_a_bot_that_has_left_stay() {
    let settings = settings(Format::RoundRobin, None);
    let (results, asked) = play_stages(&[stage(&settings, &[1, 2, 3]), stage(&settings, &[1, 3])]);
    assert_eq!(asked[1], []);
    assert_eq!((results.games.len(), results.games_planned, results.complete), (12, 12, true));
    assert_eq!(results.standings.against(2, 3).unwrap().1, 4);
}

#[test]
fn the_order_in_which_bots_are_named_changes_no_game() {
    let settings = settings(Format::RoundRobin, None);
    let (_, asked) = play_stages(&[stage(&settings, &[1, 2, 3]), stage(&settings, &[3, 1, 2])]);
    assert_eq!(asked[1], []);
}

#[test]
fn more_games_a_match_go_on_from_those_that_were_played() {
    let short = settings(Format::Gauntlet { challengers: 1 }, None);
    let long = Settings { games_per_match: 6, ..short };
    let (results, asked) = play_stages(&[stage(&short, &[1, 2, 3]), stage(&long, &[1, 2, 3])]);
    assert!(asked[1].iter().all(|fixture| fixture.game > 4), "{:?}", asked[1]);
    assert_eq!((results.games.len(), results.games_planned), (12, 12));
}

#[test]
fn bots_that_rest_play_nothing_and_have_not_left() {
    let near = Settings { resting: 1, ..settings(Format::Neighbours { neighbours: 1 }, None) };
    let (results, asked) = play_stages(&[stage(&near, &[3, 0, 2, 1])]);
    assert_eq!(asked[0].len(), 8);
    assert!(asked[0].iter().all(|fixture| fixture.seats.contains(&0) && !fixture.seats.contains(&1)));
    assert_eq!((results.complete, results.field.as_slice()), (true, &[3, 0, 2, 1][..]));
    let none = Settings { resting: 3, ..near };
    assert_eq!(Stage::new(none, vec![0, 1, 2, 3]).unwrap_err(), FormatError::TooFewContestants(1));
}

#[test]
fn a_full_round_is_one_more_pair_of_games_for_each_two_also_if_it_has_several_stages() {
    let first = settings(Format::RoundRobin, None);
    let longer = Settings { games_per_match: 6, ..first };
    let round = |number| Settings { games_per_match: 2, full_round: Some(number), ..first };
    let stages = [
        stage(&first, &[0, 1, 2]),
        stage(&longer, &[1, 2]),
        // The third rests at first, and the last one joins.
        stage(&Settings { resting: 1, ..round(1) }, &[0, 1, 2]),
        stage(
            &Settings { games_per_match: 4, ..settings(Format::Gauntlet { challengers: 1 }, None) },
            &[3, 0, 1, 2],
        ),
        stage(&round(1), &[0, 1, 2, 3]),
        stage(&round(2), &[0, 1, 2, 3]),
    ];
    let (results, asked) = play_stages(&stages);
    let of_pairs = |fixtures: &[Fixture]| -> Vec<([usize; 2], u32)> {
        fixtures.iter().map(|fixture| (fixture.contestants(), fixture.game)).collect()
    };
    assert_eq!(of_pairs(&asked[2]), [([0, 1], 5), ([0, 1], 6)]);
    let mut rest = of_pairs(&asked[4]);
    rest.sort_unstable();
    assert_eq!(rest, [([0, 2], 5), ([0, 2], 6), ([1, 2], 7), ([1, 2], 8)], "the one that joined has met all");
    let mut second = of_pairs(&asked[5]);
    second.sort_unstable();
    let games = |pair: [usize; 2], before: u32| [(pair, before + 1), (pair, before + 2)];
    let expected = [
        games([0, 1], 6),
        games([0, 2], 6),
        games([0, 3], 4),
        games([1, 2], 8),
        games([1, 3], 4),
        games([2, 3], 4),
    ];
    assert_eq!(second, expected.concat());
    assert!(
        asked
            .iter()
            .flatten()
            .all(|fixture| (fixture.seats[0] < fixture.seats[1]) == (fixture.game % 2 == 1))
    );
    assert_eq!((results.games.len(), results.games_planned, results.complete), (44, 44, true));
}

#[test]
fn a_schedule_that_begins_after_some_games_has_only_the_later_ones() {
    let first = settings(Format::RoundRobin, None);
    let longer = Settings { games_per_match: 8, ..first };
    let later = Settings { games_per_match: 10, games_before: 4, ..first };
    let stages = [stage(&first, &[0, 1, 2]), stage(&longer, &[1, 2]), stage(&later, &[0, 1, 2])];
    assert_eq!(stages[2].games_planned(), 3 * 6);
    let (results, asked) = play_stages(&stages);
    let games = |pair: [usize; 2]| -> Vec<u32> {
        asked[2].iter().filter(|game| game.contestants() == pair).map(|game| game.game).collect()
    };
    assert_eq!(games([0, 1]), [5, 6, 7, 8, 9, 10]);
    assert_eq!(games([1, 2]), [9, 10]);
    assert_eq!((results.games.len(), results.games_planned, results.complete), (30, 30, true));
    let refused = Stage::new(Settings { games_before: 10, ..later }, vec![0, 1, 2]).unwrap_err();
    assert_eq!(refused, FormatError::NoGames);
}

#[test]
fn a_game_without_a_result_is_played_in_a_later_stage_and_counted_once() {
    let settings = settings(Format::RoundRobin, None);
    let mut contest = Contest::new(CONTESTANTS);
    let show = || Showing(|_: &GameSummary| Ok::<_, String>(()));
    let failing = |_, fixture: Fixture| match fixture.game {
        2 => Err(HostError::Machine("no power".into())),
        _ => Ok(Source::Taken(result_of(fixture))),
    };
    contest.play(&stage(&settings, &[1, 2]), 1, || false, one_by_one(failing), show()).unwrap();
    assert_eq!((contest.results().games.len(), contest.results().sums.played), (4, 3));
    let asked = std::sync::Mutex::new(Vec::new());
    let work = |_, fixture| {
        asked.lock().unwrap().push(fixture);
        Ok(Source::Taken(result_of(fixture)))
    };
    for field in [[1, 2, 3], [1, 2, 0]] {
        contest.play(&stage(&settings, &field), 1, || false, one_by_one(work), show()).unwrap();
    }
    let asked = asked.into_inner().unwrap();
    assert_eq!(
        asked.iter().filter(|game| game.contestants() == [1, 2]).map(|game| game.game).collect::<Vec<_>>(),
        [2]
    );
    let results = contest.results();
    assert_eq!(
        (results.games.len(), results.sums.played, results.standings.against(1, 2).unwrap().1),
        (20, 20, 4)
    );
}

#[test]
fn settings_are_written_as_before_unless_they_are_of_a_club() {
    let usual = settings(Format::RoundRobin, None);
    let text = r#"{"format":{"format":"round-robin"},"games-per-match":4,"max-faults":null}"#;
    assert_eq!(serde_json::to_string(&usual).unwrap(), text);
    let of_club = Settings { resting: 2, games_before: 2, full_round: Some(3), ..usual };
    assert_eq!(serde_json::from_str::<Settings>(&serde_json::to_string(&of_club).unwrap()).unwrap(), of_club);
    assert_eq!(of_club.to_string(), "full round 3: round-robin, 4 games a match after 2, 2 bots resting");
}

#[test]
fn a_swiss_goes_on_with_more_rounds() {
    let rounds = |rounds| stage(&settings(Format::Swiss { rounds }, None), &[0, 1, 2, 3]);
    let (whole, _) = play_stages(&[rounds(3)]);
    let (later, asked) = play_stages(&[rounds(2), rounds(3)]);
    assert_eq!((asked[0].len(), asked[1].len()), (16, 8));
    assert_eq!((later.games, later.placings), (whole.games, whole.placings));
}

#[test]
fn a_disqualified_bot_stays_so_until_the_limit_is_lifted() {
    let strict = settings(Format::RoundRobin, Some(2));
    let (results, asked) = play_stages(&[stage(&strict, &[0, 1, 2]), stage(&strict, &[0, 1, 2, 3])]);
    assert!(asked[1].iter().all(|fixture| fixture.contestants()[0] != 0));
    assert_eq!(
        results.disqualified.iter().map(|it| (it.contestant, it.after_game)).collect::<Vec<_>>(),
        [(0, 2)]
    );
    assert_eq!(results.games.iter().filter(|game| !game.is_played()).count(), 10);

    let (results, asked) =
        play_stages(&[stage(&strict, &[0, 1]), stage(&settings(Format::RoundRobin, None), &[0, 1])]);
    // A forfeit stays a forfeit, and is not played later.
    assert_eq!(asked[1], []);
    assert_eq!(results.disqualified, []);
    assert_eq!(results.games.iter().filter(|game| !game.is_played()).count(), 2);
}

#[test]
fn a_lower_limit_disqualifies_at_once() {
    let mild = settings(Format::RoundRobin, None);
    let strict = settings(Format::RoundRobin, Some(3));
    let (results, asked) = play_stages(&[stage(&mild, &[0, 1]), stage(&strict, &[0, 1, 2])]);
    assert!(asked[1].iter().all(|fixture| fixture.contestants()[0] != 0));
    assert_eq!(
        results.disqualified.iter().map(|it| (it.contestant, it.after_game)).collect::<Vec<_>>(),
        [(0, 4)]
    );
}

#[test]
fn a_stage_that_was_broken_off_is_recalled_as_it_was_played() {
    let strict = settings(Format::RoundRobin, Some(3));
    let stages = [stage(&strict, &[0, 1, 2]), stage(&strict, &[0, 1, 2, 3])];
    for played in 0..12 {
        // The first stage ends after some games, and the second one continues from there.
        let mut known = HashMap::new();
        let mut contest = Contest::new(CONTESTANTS);
        for (number, stage) in (1..).zip(&stages) {
            let stop = || number == 1;
            let work = |index: usize, fixture| match () {
                () if stop() && index > played => Ok(Source::Missing),
                () => Ok(Source::Taken(result_of(fixture))),
            };
            let keep = Showing(|game: &GameSummary| {
                if game.is_played() {
                    known.insert(game.fixture, (number, game.result.clone().unwrap()));
                }
                Ok::<_, String>(())
            });
            contest.play(stage, 1, || false, one_by_one(work), keep).unwrap();
        }
        let mut recalled = Contest::new(CONTESTANTS);
        for (number, stage) in (1..).zip(&stages) {
            recalled.recall(stage, |fixture| {
                known.get(&fixture).filter(|(stage, _)| *stage <= number).map(|(_, result)| result.clone())
            });
        }
        let (live, recalled) = (contest.into_results(), recalled.into_results());
        assert_eq!(live.games, recalled.games, "{played}");
        assert_eq!(live.disqualified, recalled.disqualified, "{played}");
    }
}

#[test]
fn a_contest_that_stays_open_is_the_one_that_is_recalled() {
    let settings = settings(Format::RoundRobin, None);
    let stages = [stage(&settings, &[0, 1, 2]), stage(&settings, &[0, 1, 2, 3])];
    for first in 0..=12 {
        let mut known = HashMap::new();
        let mut contest = Contest::new(3);
        // The first stage is broken off after some games, goes on, and a bot comes before the second one.
        for (number, bots, goes_on) in [(1, 3, false), (1, 3, true), (2, CONTESTANTS, false)] {
            contest.enter(bots, goes_on);
            let is_over = |game: &GameSummary| (number, goes_on) == (1, false) && game.number > first;
            let keep = Showing(|game: &GameSummary| {
                if is_over(game) {
                    return Err("it is broken off");
                }
                let kept = known.insert(game.fixture, (number, game.result.clone().unwrap()));
                assert!(kept.is_none(), "it is played once");
                Ok(())
            });
            let work = |_, fixture| Ok(Source::Taken(result_of(fixture)));
            let played = contest.play(&stages[number - 1], 1, || false, one_by_one(work), keep);
            assert_eq!(played.is_err(), number == 1 && !goes_on && first < 12);
            assert!(contest.is_as_recalled());
        }
        let recalled = crate::stored::recalled(CONTESTANTS, &stages, &known);
        let (live, recalled) = (contest.into_results(), recalled.into_results());
        assert_eq!(live.games, recalled.games, "{first}");
        assert_eq!(live.standings, recalled.standings, "{first}");
        assert_eq!(live.sums, recalled.sums, "{first}");
        assert_eq!(live.anchor, recalled.anchor, "{first}");
        assert!(live.anchor.is_some());
        assert_eq!(live.games_planned, recalled.games_planned, "{first}");
    }
}

#[test]
fn a_contest_that_is_not_the_one_that_is_recalled_says_so() {
    let failing = |_, fixture: Fixture| match fixture.game {
        2 => Err(HostError::Machine("no power".into())),
        _ => Ok(Source::Taken(result_of(fixture))),
    };
    let show = || Showing(|_: &GameSummary| Ok::<_, String>(()));
    let mut failed = Contest::new(CONTESTANTS);
    failed
        .play(&stage(&settings(Format::RoundRobin, None), &[1, 2]), 1, || false, one_by_one(failing), show())
        .unwrap();
    assert!(!failed.is_as_recalled());
    // When it is recalled, bot 0 has lost the rest of its games.
    let strict = stage(&settings(Format::RoundRobin, Some(2)), &[0, 1, 2]);
    let work = |_, fixture| Ok(Source::Taken(result_of(fixture)));
    let mut broken_off = Contest::new(CONTESTANTS);
    let until = Showing(|game: &GameSummary| if game.number > 3 { Err("it is broken off") } else { Ok(()) });
    broken_off.play(&strict, 1, || false, one_by_one(work), until).unwrap_err();
    assert!(!broken_off.is_as_recalled());
    let mut whole = Contest::new(CONTESTANTS);
    whole.play(&strict, 1, || false, one_by_one(work), show()).unwrap();
    assert!(whole.is_as_recalled());
}
