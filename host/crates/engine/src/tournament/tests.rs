//! Stages with results that depend only on the fixture.

use super::*;
use crate::ranking::{Ranking, Rating};
use arena_league::FormatError;
use arena_record::{BotId, FaultCount};
use arena_referee::FaultClass;
use arena_rules::battleship::FLEET_SUNK;
use proptest::prelude::*;
use std::sync::Mutex;

mod later_stages;

/// The work of a worker that takes games one at a time, by number and fixture.
fn one_by_one(
    work: impl Fn(usize, Fixture) -> Result<Source, HostError> + Sync,
) -> impl Fn(&RoundGames<'_>) + Sync {
    move |games| {
        while let Some(asked) = games.take(true) {
            games.put(&asked, arena_players::worker_pool::caught(|| work(asked.number, asked.fixture)));
        }
    }
}

const CONTESTANTS: usize = 4;

fn settings(format: Format, max_faults: Option<u32>) -> Settings {
    Settings { format, games_per_match: 4, max_faults, resting: 0, games_before: 0, full_round: None }
}

/// A result that depends only on the fixture. Contestant 0 faults in all its games, and loses them.
fn result_of(fixture: Fixture) -> GameResult {
    let first_wins = (fixture.seats[0] + fixture.game as usize).is_multiple_of(2);
    let mut result = GameResult {
        outcome: Outcome::Win(if first_wins { Seat::First } else { Seat::Second }),
        reason: FLEET_SUNK,
        ..unplayed([false; 2])
    };
    if let Some(seat) = Seat::BOTH.into_iter().find(|seat| fixture.seats[seat.index()] == 0) {
        let fault = FaultCount { count: 1, first_turn: 3, detail: "it fell over".into(), stack: vec![] };
        result.faults.insert((seat, FaultClass::Trap), fault);
        result.outcome = Outcome::Win(seat.other());
    }
    result
}

/// A receiver that shows games, and does not keep them.
struct Showing<F>(F);

impl<E, F: FnMut(&GameSummary) -> Result<(), E>> Receiver for Showing<F> {
    type Error = E;

    fn keep(&mut self, games: &[Delivery]) -> (usize, Result<(), E>) {
        (games.len(), Ok(()))
    }

    fn show(&mut self, game: &GameSummary, _: Option<&Played>, _: &Results) -> Result<(), E> {
        self.0(game)
    }
}

fn stage(settings: &Settings, field: &[usize]) -> Stage {
    Stage::new(*settings, field.to_vec()).unwrap()
}

fn play_with(
    settings: &Settings,
    jobs: usize,
    work: impl Fn(Fixture) -> Result<Source, HostError> + Sync,
) -> Results {
    play_in(Contest::new(CONTESTANTS), settings, jobs, |_, fixture| work(fixture))
}

fn play_in(
    mut contest: Contest,
    settings: &Settings,
    jobs: usize,
    work: impl Fn(usize, Fixture) -> Result<Source, HostError> + Sync,
) -> Results {
    let all: Vec<usize> = (0..CONTESTANTS).collect();
    let show = Showing(|_: &GameSummary| Ok::<_, String>(()));
    contest.play(&stage(settings, &all), jobs, || false, one_by_one(work), show).unwrap();
    contest.into_results()
}

fn play_all(settings: &Settings, jobs: usize) -> Results {
    play_with(settings, jobs, |fixture| Ok(Source::Taken(result_of(fixture))))
}

const FORMATS: [Format; 5] = [
    Format::RoundRobin,
    Format::Gauntlet { challengers: 1 },
    Format::Neighbours { neighbours: 1 },
    Format::Swiss { rounds: 3 },
    Format::Knockout,
];

#[test]
fn every_format_is_played_to_its_end_with_the_same_results_for_any_number_of_workers() {
    for format in FORMATS {
        for max_faults in [None, Some(2)] {
            let settings = settings(format, max_faults);
            let alone = play_all(&settings, 1);
            assert!(alone.complete, "{format}");
            for jobs in [2, 5] {
                let crowd = play_all(&settings, jobs);
                assert_eq!(alone.games, crowd.games, "{format}");
                assert_eq!(alone.disqualified, crowd.disqualified, "{format}");
                assert_eq!(alone.placings, crowd.placings, "{format}");
            }
        }
    }
}

#[test]
fn a_worker_takes_each_game_by_the_number_that_it_has_in_the_stage() {
    for format in FORMATS {
        let settings = settings(format, None);
        let taken = Mutex::new(Vec::new());
        let work = |number, fixture| {
            taken.lock().unwrap().push((number, fixture));
            Ok(Source::Taken(result_of(fixture)))
        };
        let results = play_in(Contest::new(CONTESTANTS), &settings, 2, work);
        let mut taken = taken.into_inner().unwrap();
        taken.sort_by_key(|(number, _)| *number);
        let games = results.games.iter().map(|game| (game.number, game.fixture));
        assert!(games.eq(taken), "{format}");
    }
}

#[test]
fn a_bot_that_keeps_failing_is_disqualified_and_loses_the_games_it_does_not_play() {
    let results = play_all(&settings(Format::RoundRobin, Some(2)), 2);
    let detail = "it fell over".into();
    let out = Disqualified { contestant: 0, after_game: 2, class: FaultClass::Trap, detail };
    assert_eq!(results.disqualified, [out]);
    let others = results.games.iter().filter(|game| game.fixture.contestants()[0] == 0).skip(2);
    for game in others {
        assert!(!game.is_played());
        let winner = game.fixture.seats.iter().position(|&contestant| contestant != 0).unwrap();
        assert_eq!(game.result.as_ref().unwrap().outcome, Outcome::Win(Seat::BOTH[winner]));
    }
    assert_eq!(results.standings.rows()[0].losses, 12);
}

#[test]
fn a_contest_that_sums_games_up_has_the_same_results_and_keeps_the_games_that_are_not_plain() {
    let result = |fixture: Fixture| match fixture {
        Fixture { seats: [2, 3], game: 1, .. } => Err(HostError::Machine("no power".into())),
        _ => Ok(Source::Taken(result_of(fixture))),
    };
    for format in FORMATS {
        let settings = settings(format, Some(3));
        let all = play_with(&settings, 2, result);
        let mut contest = Contest::new(CONTESTANTS);
        contest.sum_up();
        let summed_up = play_in(contest, &settings, 2, |_, fixture| result(fixture));
        assert_eq!(summed_up.sums, all.sums, "{format}");
        assert_eq!(summed_up.standings, all.standings, "{format}");
        assert_eq!(summed_up.disqualified, all.disqualified, "{format}");
        assert_eq!(summed_up.placings, all.placings, "{format}");
        let is_plain = |game: &GameSummary| {
            game.disqualified == [false; 2]
                && game.result.as_ref().is_ok_and(|result| result.faults.is_empty())
        };
        let others: Vec<_> = all.games.iter().filter(|game| !is_plain(game)).cloned().collect();
        assert_eq!(summed_up.games, others, "{format}");
        // The challenger of the gauntlet is the one that faults in each game.
        let has_plain = !matches!(format, Format::Gauntlet { .. });
        assert_eq!(others.len() < all.games.len(), has_plain, "{format}");
    }
}

#[test]
fn two_disqualified_bots_have_no_contest() {
    assert_eq!(unplayed([true, true]).outcome, Outcome::NoContest);
    assert_eq!(unplayed([false, true]).outcome, Outcome::Win(Seat::First));
}

#[test]
fn a_missing_game_is_not_counted_and_ends_what_depends_on_it() {
    for format in FORMATS {
        let settings = settings(format, None);
        let results = play_with(&settings, 2, |fixture| match fixture {
            Fixture { pair: 0, game: 2, .. } => Ok(Source::Missing),
            _ => Ok(Source::Taken(result_of(fixture))),
        });
        assert!(!results.complete, "{format}");
        assert!(results.games.iter().all(|game| game.fixture.game != 2), "{format}");
        assert!(!results.games.is_empty(), "{format}");
    }
}

#[test]
fn a_failure_of_the_arena_is_not_a_loss_and_the_tournament_continues() {
    let settings = settings(Format::Swiss { rounds: 2 }, None);
    let results = play_with(&settings, 2, |fixture| match fixture.game {
        1 => Err(HostError::Machine("no power".into())),
        2 => panic!("no light"),
        _ => Ok(Source::Taken(result_of(fixture))),
    });
    assert!(results.complete);
    let failed: Vec<_> = results.games.iter().filter_map(|game| game.result.as_ref().err()).collect();
    assert_eq!(failed.len(), 8);
    assert!(failed.contains(&&HostError::Panic("no light".into())));
    let scored: u32 = results.standings.rows().iter().map(|row| row.games).sum();
    assert_eq!(scored as usize, 2 * (results.games.len() - failed.len()));
}

proptest! {
    #[test]
    fn what_cannot_be_delivered_is_not_counted(fails_at in 1usize..24, jobs in 1usize..5) {
        let settings = settings(Format::RoundRobin, None);
        let mut contest = Contest::new(CONTESTANTS);
        let delivered = contest.play(
            &stage(&settings, &[0, 1, 2, 3]),
            jobs,
            || false,
            one_by_one(|_, fixture| Ok(Source::Taken(result_of(fixture)))),
            Showing(|game: &GameSummary| if game.number == fails_at { Err("full") } else { Ok(()) }),
        );
        let results = contest.results();
        prop_assert_eq!(delivered, Err("full"));
        prop_assert_eq!(results.games.len(), fails_at - 1);
        prop_assert!(!results.complete);
    }
}

#[test]
fn earlier_ratings_are_those_of_the_first_games_and_the_last_ones_those_of_the_table() {
    let settings = settings(Format::RoundRobin, None);
    let results = play_with(&settings, 1, |fixture| Ok(Source::Taken(result_of(fixture))));
    let bot = |number: usize| BotId {
        label: format!("bot{number}").as_str().into(),
        name: "".into(),
        sha256: "".into(),
    };
    let bots: Vec<_> = (0..CONTESTANTS).map(bot).collect();
    let ranking = Ranking::new(&settings, &bots, &results);
    let all = results.games.len();
    let numbers: Vec<_> = (0..CONTESTANTS).collect();
    let games = results.games.iter().map(GameSummary::rated);
    let after = ranking.ratings_after(games, &[0, 1, all].map(|count| (count, numbers.clone())));
    assert!(after[0].iter().all(Rating::is_unknown), "nothing has been played");
    assert_eq!(after[1].iter().filter(|rating| !rating.is_unknown()).count(), 0, "the anchor has not played");
    for row in ranking.rows() {
        assert_eq!(after[2][row.score.contestant], row.rating, "{}", row.bot);
    }
}

#[test]
fn the_settings_of_a_stage_are_told_in_one_line() {
    let plain = Settings { games_per_match: 1, ..settings(Format::RoundRobin, None) };
    assert_eq!(plain.to_string(), "round-robin, 1 game a match");
    let full = Settings { games_before: 2, resting: 1, full_round: Some(3), max_faults: Some(2), ..plain };
    let full = Settings { games_per_match: 4, ..full };
    let expected = "full round 3: round-robin, 4 games a match after 2, 1 bot resting, disqualified after faults in 2 games";
    assert_eq!(full.to_string(), expected);
    let json = serde_json::to_string(&plain).unwrap();
    assert!(!json.contains("resting") && !json.contains("before") && !json.contains("full"), "{json}");
    for settings in [plain, full] {
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
    }
}

#[test]
fn a_game_counts_for_ratings_if_it_was_played_and_has_a_result() {
    let fixture = Fixture { seats: [1, 2], pair: 3, game: 7 };
    let game = |result, disqualified| GameSummary { number: 9, fixture, result, disqualified };
    let won = || Ok(GameResult { outcome: Outcome::Win(Seat::Second), ..unplayed([false; 2]) });
    let played = game(won(), [false; 2]);
    assert_eq!(played.rated(), Some(RatedGame { seats: [1, 2], pair: 3, score: Score::Win(Side::Second) }));
    let forfeit = game(Ok(unplayed([true, false])), [true, false]);
    assert_eq!(forfeit.result.as_ref().map(|result| result.outcome), Ok(Outcome::Win(Seat::Second)));
    let failed = game(Err(HostError::Defect("no luck".into())), [false; 2]);
    assert_eq!([&forfeit, &failed].map(|game| (game.is_played(), game.rated())), [(false, None); 2]);
    let mut results = Results::new(3);
    for game in [played, forfeit, failed] {
        results.count(game, Vec::new(), false);
    }
    assert_eq!((results.sums.delivered, results.sums.played, results.sums.last), (3, 1, 9));
    let points = results.standings.rows().iter().map(arena_league::Row::points).collect::<Vec<_>>();
    assert_eq!(points, [0.0, 0.0, 2.0], "a forfeit counts in the table");
}
