//! Stages of a club whose bots are played in this process.

use super::{
    Club, Control, InPlay, Instant, LatestFaults, Observed, Observer, Sandbox, VersionState, play_next,
    recall,
};
use crate::club::ClubOptions;
use crate::folder::Folder;
use arena_engine::StoredSeason;
use arena_league::Fixture;
use arena_store::{Register, Submission};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Enters a built-in opponent with a section after it that makes it another component, and returns its SHA-256.
fn enter(register: &mut Register, folder: &Folder, author: &str, bot: &str) -> String {
    let bot = arena_engine::internals::builtin::component(Path::new(bot))
        .expect("it is known")
        .expect("it is built in");
    let section = [&[0, 1 + author.len() as u8, author.len() as u8], author.as_bytes()].concat();
    let component = [bot, &section].concat();
    let sha256 = HEXLOWER.encode(&Sha256::digest(&component));
    fs::write(folder.bot(&sha256), component).expect("it can be written");
    let token = Sha256::digest(author).into();
    register.invite_all([(author, token)]).expect("it can be written");
    let author = register.author(&token).expect("it can be read").expect("the author is known");
    let submission = Submission { sha256: &sha256, size: 1, now: 0, is_draft: false };
    let version = register.submit(&author, &submission).expect("it can be written");
    let version = version.expect("the season is open");
    register.judge(version.id, VersionState::Admitted, "").expect("it can be written");
    sha256
}

#[test]
fn a_club_that_is_served_again_knows_which_version_came_before_another() {
    let place = tempfile::tempdir().expect("there is room");
    let folder = Folder::at(&place.path().join("club"));
    let options = ClubOptions { games_min: 2, games_max: 2, neighbours: 1, ..ClubOptions::default() };
    let club = Club::open(&folder, options).expect("it can be made");
    let sandbox = Sandbox::new(club.sandbox_limits()).expect("there is room");
    let mut so_far = recall(&club).expect("it has no games");
    let versions = [
        ("ann", "builtin:hunter"),
        ("ben", "builtin:random"),
        ("ann", "builtin:random"),
        ("cat", "builtin:hunter"),
    ];
    for (author, bot) in versions {
        club.state.register(|register| Ok(enter(register, &folder, author, bot))).expect("it can be entered");
        while play_next(&club, &sandbox, &mut so_far, 0).expect("it can be played") {
            let recalled = recall(&club).expect("it can be read").past;
            assert_eq!(recalled.without_times(), so_far.past.without_times());
        }
    }
    assert!(club.state.take_notes().is_empty());
    let latest = ["author.1", "author.2", "author.3"].map(|author| so_far.past.latest_of(author));
    assert_eq!(latest, [Some(2), Some(1), Some(3)]);
}

#[test]
fn a_stage_that_has_had_its_time_keeps_the_games_in_progress() {
    let place = tempfile::tempdir().expect("there is room");
    let folder = Folder::at(&place.path().join("club"));
    let club = Club::open(&folder, ClubOptions::default()).expect("it can be made");
    for (seconds, is_over) in [(3_600, false), (0, true)] {
        let control = Control::default();
        let mut observed = Observed {
            logs: &club.state.logs,
            until: Instant::now() + Duration::from_secs(seconds),
            control: control.clone(),
            games: Vec::new(),
            added: std::collections::HashMap::new(),
            latest_faults: LatestFaults::default(),
            pauses: false,
            failures: Vec::new(),
            game_failed: None,
            metrics: &club.state.metrics,
        };
        // After a break, what was begun would be played for nothing.
        assert!(observed.after_batch().is_continue());
        assert_eq!(control.is_cancelled(), is_over);
    }
}

#[test]
fn a_club_that_is_served_again_knows_what_it_knew_and_plans_the_same() {
    let place = tempfile::tempdir().expect("there is room");
    let folder = Folder::at(&place.path().join("club"));
    let options = ClubOptions {
        games_min: 4,
        games_max: 8,
        neighbours: 1,
        full_round: Some(0),
        ..ClubOptions::default()
    };
    let club = Club::open(&folder, options).expect("it can be made");
    let sandbox = Sandbox::new(club.sandbox_limits()).expect("there is room");
    let authors = [("ann", "builtin:hunter"), ("ben", "builtin:random"), ("cat", "builtin:hunter")];
    let enter_all =
        |register: &mut Register| Ok(authors.map(|(author, bot)| enter(register, &folder, author, bot)));
    let components = club.state.register(enter_all).expect("they can be entered");
    let components: Vec<InPlay<'_>> = components
        .iter()
        .zip(authors)
        .map(|(sha256, (author, _))| InPlay { sha256, author, game_fuel: 0 })
        .collect();
    // The journal has the times of this machine, and not those of the test.
    let without_clock = ClubOptions { full_round: None, ..club.options.clone() };
    let mut so_far = recall(&club).expect("it has no games");
    let today = arena_store::seconds_now();
    for day in 0..3 {
        let at = today + day * 24 * 3_600;
        while play_next(&club, &sandbox, &mut so_far, at).expect("it can be played") {
            assert!(so_far.season.is_some(), "the journal need not be read again");
            let past = &so_far.past;
            let recalled = recall(&club).expect("it can be read").past;
            assert_eq!(recalled.without_times(), past.without_times());
            let plans = [&recalled, past].map(|past| past.plan(&components, &without_clock, at));
            let plans = plans.map(|plan| plan.map(|plan| (plan.stage, plan.full_round)));
            assert_eq!(plans[0], plans[1]);
        }
        assert_eq!(i64::from(so_far.past.full_rounds()), day, "a full round each day after the first");
    }
    assert!(club.state.take_notes().is_empty());
    let (season, _) = StoredSeason::read(&folder.journal()).expect("it can be read");
    // The first games of three pairs, four more of each two neighbours, and two full rounds.
    let games = season.results.standings.rows().iter().map(|row| row.games).sum::<u32>() / 2;
    assert!((3 * 4 + 2 * 4 + 2 * 6..=3 * 8 + 2 * 6).contains(&games), "{games}");
    assert!(season.content.stages.iter().all(|stage| stage.field.len() == 3), "no bot has left");
    // No fleets come twice, also in a later stage of the same bots.
    let mut played = HashSet::new();
    for game in &season.results.games {
        let Fixture { mut seats, pair, game } = game.fixture;
        seats.sort_unstable();
        assert!(played.insert((seats, pair, game)), "{seats:?} play game {game} of pair {pair} again");
    }
    assert_eq!(played.len(), games as usize);
    // Authors are told the places of the table.
    let ranking = season.ranking();
    let mut places: Vec<_> =
        super::standings(&ranking).into_iter().map(|(sha256, it)| (it.place, sha256)).collect();
    places.sort();
    let order = ranking.order();
    let places_of_table =
        (1..).zip(order).map(|(place, bot)| (Some(place), ranking.bots[bot].sha256.to_string()));
    assert_eq!(places, places_of_table.collect::<Vec<_>>());
}
