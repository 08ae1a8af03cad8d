//! Limits of schedules, the serialised form of a format, and calls that a host must not make.

use arena_league::{
    Fixture, Format, FormatError, GAMES_MAX, GameScore, Placings, Planned, SWISS_CONTESTANTS_MAX, Schedule,
    Score, TIE_BREAK_PAIRS_MAX,
};

const SWISS: Format = Format::Swiss { rounds: 3 };

#[track_caller]
fn check_refused(format: Format, contestants: usize, games_per_match: u32, message: &str) {
    let refused = Schedule::new(format, contestants, games_per_match).unwrap_err();
    assert_eq!(refused.to_string(), message);
}

#[track_caller]
fn check_planned(format: Format, contestants: usize, games_per_match: u32, at_least: u64, at_most: u64) {
    let schedule = Schedule::new(format, contestants, games_per_match).unwrap();
    assert_eq!(schedule.games_planned(), Planned { at_least, at_most });
}

#[track_caller]
fn check_written(format: Format, json: &str, shown: &str) {
    assert_eq!(serde_json::to_string(&format).unwrap(), json);
    assert_eq!(serde_json::from_str::<Format>(json).unwrap(), format);
    assert_eq!(format.to_string(), shown);
}

#[test]
fn what_cannot_be_scheduled_is_refused_with_a_reason() {
    for format in [Format::RoundRobin, Format::Gauntlet { challengers: 1 }, SWISS, Format::Knockout] {
        check_refused(format, 0, 2, "0 contestants cannot meet: at least 2 are required");
        check_refused(format, 1, 2, "1 contestants cannot meet: at least 2 are required");
        check_refused(format, 2, 0, "a match must have at least 1 game");
    }
    let gauntlet = |challengers| Format::Gauntlet { challengers };
    check_refused(gauntlet(0), 5, 2, "a gauntlet of 5 contestants must have 1 to 4 challengers, not 0");
    check_refused(gauntlet(5), 5, 2, "a gauntlet of 5 contestants must have 1 to 4 challengers, not 5");
    check_refused(Format::Neighbours { neighbours: 0 }, 5, 2, "neighbours must be at least 1 place apart");
    check_refused(Format::Swiss { rounds: 0 }, 5, 2, "a swiss must have at least 1 round");
    check_refused(SWISS, 1_001, 2, "1001 contestants are too many for a swiss: the most is 1000");
}

#[test]
fn an_odd_number_of_games_is_refused_if_matches_decide_the_next_pairings() {
    for format in [SWISS, Format::Knockout] {
        let refused = Schedule::new(format, 4, 3).unwrap_err();
        assert_eq!(refused, FormatError::OddGames { format, games_per_match: 3 });
    }
    let message = "a match of a knockout must have an even number of games, not 3";
    check_refused(Format::Knockout, 4, 3, message);
    check_planned(Format::RoundRobin, 4, 3, 18, 18);
    check_planned(Format::Gauntlet { challengers: 2 }, 4, 3, 12, 12);
    check_planned(Format::Neighbours { neighbours: 2 }, 4, 3, 15, 15);
    check_planned(Format::Neighbours { neighbours: 9 }, 4, 3, 18, 18);
}

#[test]
fn a_tournament_with_too_many_games_is_refused() {
    let message = "20000000 games are too many for one tournament: the most is 10000000";
    check_refused(Format::RoundRobin, 2, 20_000_000, message);
    for format in [
        Format::RoundRobin,
        Format::Gauntlet { challengers: u32::MAX },
        Format::Neighbours { neighbours: u32::MAX },
        Format::Knockout,
        Format::Gauntlet { challengers: 9 },
    ] {
        let refused = Schedule::new(format, usize::MAX, 2 * (u32::MAX / 2)).unwrap_err();
        assert!(matches!(refused, FormatError::TooManyGames(games) if games > GAMES_MAX), "{refused}");
    }
    let refused = Schedule::new(Format::Swiss { rounds: u32::MAX }, SWISS_CONTESTANTS_MAX, 2).unwrap_err();
    assert_eq!(refused, FormatError::TooManyGames(500 * 2 * u64::from(u32::MAX)));
}

#[test]
fn the_number_of_games_is_known_before_the_first() {
    check_planned(Format::RoundRobin, 5, 10, 100, 100);
    check_planned(Format::Gauntlet { challengers: 2 }, 5, 10, 60, 60);
    check_planned(Format::Swiss { rounds: 4 }, 5, 10, 80, 80);
    check_planned(Format::Knockout, 5, 10, 40, 72);
}

#[test]
fn a_tied_match_has_at_least_one_more_pair_of_games() {
    let draw = GameScore { score: Score::Draw, faults: [0, 0], turns: [9, 9] };
    let mut schedule = Schedule::new(Format::Knockout, 2, 2).unwrap();
    for tie_break in 0..=TIE_BREAK_PAIRS_MAX {
        let games = u64::from(2 + 2 * tie_break);
        assert_eq!(schedule.games_planned(), Planned { at_least: games, at_most: 10 });
        for fixture in schedule.next_round().unwrap().fixtures.iter() {
            schedule.record(fixture, Some(draw));
        }
    }
    assert_eq!((schedule.next_round(), schedule.games_planned().exact()), (None, Some(10)));
}

#[test]
fn a_format_is_serialised_with_its_parameter() {
    check_written(Format::RoundRobin, r#"{"format":"round-robin"}"#, "round-robin");
    check_written(
        Format::Gauntlet { challengers: 1 },
        r#"{"format":"gauntlet","challengers":1}"#,
        "gauntlet of 1 challenger",
    );
    check_written(
        Format::Gauntlet { challengers: 2 },
        r#"{"format":"gauntlet","challengers":2}"#,
        "gauntlet of 2 challengers",
    );
    check_written(
        Format::Neighbours { neighbours: 3 },
        r#"{"format":"neighbours","neighbours":3}"#,
        "neighbours within 3 places",
    );
    check_written(Format::Swiss { rounds: 1 }, r#"{"format":"swiss","rounds":1}"#, "swiss of 1 round");
    check_written(Format::Swiss { rounds: 5 }, r#"{"format":"swiss","rounds":5}"#, "swiss of 5 rounds");
    check_written(Format::Knockout, r#"{"format":"knockout"}"#, "knockout");
    for wrong in [
        r#"{"format":"swiss"}"#,
        r#"{"format":"swiss","rounds":5,"challengers":1}"#,
        r#"{"format":"ladder"}"#,
    ] {
        assert!(serde_json::from_str::<Format>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_schedule_knows_its_number_of_rounds() {
    let rounds = |format, contestants| Schedule::new(format, contestants, 2).unwrap().rounds();
    assert_eq!(
        [2, 3, 4, 5, 8, 9].map(|contestants| rounds(Format::Knockout, contestants)),
        [1, 2, 2, 3, 3, 4]
    );
    assert_eq!((rounds(SWISS, 4), rounds(Format::RoundRobin, 4)), (3, 1));
}

#[test]
fn places_count_completed_rounds_only() {
    let draw = GameScore { score: Score::Draw, faults: [0, 0], turns: [9, 9] };
    let mut schedule = Schedule::new(SWISS, 3, 2).unwrap();
    let before = schedule.placings();
    let round = schedule.next_round().unwrap();
    schedule.record(round.fixtures.get(0).unwrap(), Some(draw));
    assert_eq!(schedule.placings(), before);
    schedule.record(round.fixtures.get(1).unwrap(), Some(draw));
    let Some(Placings::Swiss(places)) = schedule.placings() else { panic!("a swiss has places") };
    let points: Vec<_> = places.iter().map(|line| (line.contestant, line.points(), line.byes)).collect();
    assert_eq!(points, [(2, 2.0, 1), (0, 1.0, 0), (1, 1.0, 0)]);
}

#[test]
fn a_serialised_row_has_everything_but_the_contestant() {
    let mut schedule = Schedule::new(Format::Knockout, 2, 2).unwrap();
    let Some(Placings::Knockout { places, .. }) = schedule.placings() else {
        panic!("a knockout has places")
    };
    assert_eq!(serde_json::to_string(&places[0]).unwrap(), r#"{"place":1,"knocked-out-in":null}"#);
    assert!(schedule.next_round().is_some());
    let swiss = Schedule::new(SWISS, 2, 2).unwrap();
    let Some(Placings::Swiss(places)) = swiss.placings() else { panic!("a swiss has places") };
    let json = r#"{"place":1,"points":0.0,"buchholz":0.0,"wins":0,"byes":0,"games-without-result":0}"#;
    assert_eq!(serde_json::to_string(&places[0]).unwrap(), json);
}

#[test]
#[should_panic(expected = "all results of a round must be recorded")]
fn the_next_round_cannot_be_asked_for_before_all_results_are_recorded() {
    let mut schedule = Schedule::new(SWISS, 4, 2).unwrap();
    let round = schedule.next_round().unwrap();
    schedule.record(round.fixtures.get(0).unwrap(), None);
    schedule.next_round();
}

#[test]
#[should_panic(expected = "results come in the order of the fixtures")]
fn results_cannot_be_recorded_out_of_order() {
    let mut schedule = Schedule::new(SWISS, 4, 2).unwrap();
    let round = schedule.next_round().unwrap();
    schedule.record(round.fixtures.get(1).unwrap(), None);
}

#[test]
#[should_panic(expected = "results are recorded while a round is being played")]
fn results_cannot_be_recorded_while_no_round_is_played() {
    let mut schedule = Schedule::new(SWISS, 4, 2).unwrap();
    schedule.record(Fixture { seats: [0, 2], pair: 0, game: 1 }, None);
}
