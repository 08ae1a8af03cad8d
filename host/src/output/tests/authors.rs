//! What authors and organisers read of a club and of workers.

use super::super::{Mine, Output, Seasons, Versions, WorkersOutput, trail_note, workers_line};
use arena_club::{
    AuthorVersions, ChallengeProgress, LostGame, Room, SeasonState, SeasonSummary, SeenChallenge, SeenGame,
    SeenResult, Standing, Submitted, SubmittedState,
};
use arena_cluster::{PublicKey, Residual, Status, WorkerKey, WorkerStatus};
use arena_engine::Rating;
use arena_store::{ChainHead, Dates, GameRange, Trail, TrailEntry, TrailEvent, Version, VersionState};

fn submitted(version: u32, state: SubmittedState, standing: Option<Standing>) -> Submitted {
    Submitted {
        id: 1,
        version,
        sha256: "0123456789abcdef".into(),
        size_bytes: 1_000,
        submitted_at: "2026-01-31T12:00:00Z".into(),
        state,
        published: version == 1,
        finding: if version == 2 { "it fell over\n\nin three games".into() } else { String::new() },
        standing,
        awaits_games: state == SubmittedState::Plays && version != 1,
        change: (version == 1).then_some(12.5),
        lost: Vec::new(),
        challenges: Vec::new(),
        next: if version == 1 { "watch its games".into() } else { "".into() },
    }
}

fn standing(place: Option<u32>) -> Option<Standing> {
    let rating = Rating { elo: Some(120.0), low: Some(80.0), high: Some(160.0) };
    Some(Standing { place, games: 1, points: 0.5, faults: 2, rating })
}

#[test]
fn an_author_reads_the_state_of_each_version_and_the_standing_of_those_that_play() {
    let states = [
        SubmittedState::Plays,
        SubmittedState::Paused,
        SubmittedState::Superseded,
        SubmittedState::Waiting,
        SubmittedState::Refused,
        SubmittedState::Faulted,
        SubmittedState::Disqualified,
        SubmittedState::Replaced,
        SubmittedState::Deleted,
        SubmittedState::Draft,
    ];
    let version = |(number, state)| {
        let standing = standing((number == 1).then_some(3)).filter(|_| number < 4 || number == 9);
        submitted(number, state, standing)
    };
    let mut mine = Mine((1..).zip(states).map(version).collect());
    mine.0[0].lost = vec![LostGame {
        number: 7,
        opponent: "ben".into(),
        why: "it was at fault in turn 3: trap".into(),
        address: "game/1/2/7".into(),
    }];
    let game = |number, result| SeenGame {
        number,
        seat: 1,
        result,
        ending: "all ships sunk".into(),
        turns: 40,
        faults: 0,
    };
    let challenge = |asked, progress, games| SeenChallenge {
        id: 4,
        asked,
        opponent: "cat".into(),
        opponent_version: 2,
        asked_at: "2026-01-31T12:00:00Z".into(),
        progress,
        games,
    };
    let results = [SeenResult::Won, SeenResult::Lost, SeenResult::Won, SeenResult::NotCounted];
    let games = (1..).zip(results).map(|(number, result)| game(number, result)).collect();
    mine.0[9].challenges = vec![
        challenge(true, ChallengeProgress::Waiting, Vec::new()),
        challenge(true, ChallengeProgress::Played, games),
        challenge(false, ChallengeProgress::Failed, Vec::new()),
    ];
    let each: Vec<String> = mine.0.iter().map(|it| it.text().as_str().to_owned()).collect();
    insta::assert_snapshot!("mine", [mine.text().as_str(), &each.join("\n---\n")].join("\n===\n"));
    let none = "no bot was submitted with this token\n  next: arena submit BOT.wasm --to URL";
    assert_eq!(Mine(Vec::new()).text().as_str(), none);
}

#[test]
fn an_organiser_reads_the_versions_of_each_author_and_the_room_of_those_that_are_kept() {
    let version = |number, state, deleted_at: Option<&str>, has_played| Version {
        id: 1,
        author: "ann".into(),
        label: "author.1".into(),
        number,
        sha256: "0123456789abcdef".into(),
        size: 3 << 19,
        submitted_at: "2026-01-31T12:00:00Z".into(),
        state,
        is_draft: false,
        plays: true,
        finding: String::new(),
        disqualified: None,
        paused: None,
        published: false,
        replaced_by: None,
        game_fuel: 0,
        deleted_at: deleted_at.map(str::to_owned),
        has_played,
    };
    let versions = vec![
        version(3, VersionState::Admitted, None, true),
        version(2, VersionState::Admitted, Some("2026-02-01T12:00:00Z"), true),
        version(1, VersionState::Refused, None, false),
    ];
    let room = Room { bots_bytes: 3 << 19, logs_bytes: 1 << 20, replays_bytes: 7 << 20 };
    let ann = AuthorVersions { author: "ann".into(), room, versions };
    let ben = AuthorVersions { author: "ben".into(), room: Room::default(), versions: Vec::new() };
    let output = Versions(vec![ann, ben]);
    let json = serde_json::to_string_pretty(&output.json()).unwrap();
    insta::assert_snapshot!("versions", [output.text().as_str(), &json].join("\n"));
    let none = "no author is invited\n  next: arena club invite NAME --data DIR";
    assert_eq!(Versions(Vec::new()).text().as_str(), none);
}

#[test]
fn the_seasons_of_a_club_have_their_states_and_heads() {
    let season = |(number, state): (u32, SeasonState)| SeasonSummary {
        number,
        state,
        dates: Dates::default(),
        begun: (number < 3).then(|| "2026-01-31T12:00:00Z".into()),
        latest: (number < 2).then(|| "2026-02-01T12:00:00Z".into()),
        games: 7,
        bots: 3,
        links: 12,
        head: (number < 2).then(|| "cc".into()),
    };
    let states = [SeasonState::Revealed, SeasonState::Frozen, SeasonState::Open];
    let output = Seasons((1..).zip(states).map(season).collect());
    insta::assert_snapshot!("seasons", output.text().as_str());
}

fn worker(name: &str, key: &PublicKey, turnaround_ms: Option<u64>) -> WorkerStatus {
    WorkerStatus {
        name: name.into(),
        owner: "an owner with a long name".into(),
        key: key.clone(),
        machine: "m1".into(),
        arena: "0.1.0".into(),
        jobs: 4,
        games: 30,
        games_per_second: 12.34,
        games_in_flight: 5,
        silent_ms: Some(250),
        turnaround_ms,
        checks_same: 7,
        checks_others: 1,
        failures: 2,
        late: 3,
        residual: None,
        refused: None,
    }
}

#[test]
fn workers_are_in_the_order_of_their_turnaround_the_slowest_first() {
    let key = WorkerKey::fresh().public();
    let residual = Some(Residual { standard_errors: -3.456, bot: "a bot with a long label".into() });
    let workers = vec![
        worker("quick", &key, Some(400)),
        WorkerStatus { silent_ms: None, games: 10, ..worker("gone", &key, None) },
        WorkerStatus { residual, ..worker("slow", &key, Some(1_500)) },
        WorkerStatus { refused: Some("it lied".into()), ..worker("also slow", &key, Some(1_500)) },
    ];
    let status = Status {
        workers,
        workers_left_out: 2,
        runs: 1,
        jobs: 4,
        games_per_second: 1_234.5,
        games_in_flight: 5_000,
        is_connected: true,
        ..Status::default()
    };
    let more = Status { runs: 3, workers_left_out: 0, ..status.clone() };
    let lines = [
        workers_line(&status, None),
        workers_line(&more, Some(2)),
        workers_line(&Status { runs: 0, ..more.clone() }, None),
        workers_line(&Status { is_connected: false, ..more.clone() }, None),
    ];
    let [left_out, all] = [&status, &more].map(|status| WorkersOutput(status).text().as_str().to_owned());
    let sum = all.lines().last().map(str::to_owned);
    insta::assert_snapshot!(
        "workers",
        format!("{left_out}\n{}\n{}", sum.unwrap_or_default(), lines.join("\n"))
    );
    assert_eq!(WorkersOutput(&Status::default()).text().as_str(), "no workers yet");
}

#[test]
fn a_trail_counts_the_workers_that_were_excluded_and_the_games_that_were_thrown_away() {
    let entry = |event, first, last| TrailEntry {
        at: "2026-01-31T12:00:00Z".into(),
        event,
        key: "U".into(),
        name: "north".into(),
        owner: "ann".into(),
        why: "it lied".into(),
        games: vec![GameRange { bots: [0, 1], first, last }],
    };
    let head = Some(ChainHead { links: 2, sha256: "cc".into() });
    let note = |entries| trail_note(&Trail { entries, head: head.clone() }).unwrap_or_default();
    assert_eq!(
        note(vec![entry(TrailEvent::Excluded, 1, 4), entry(TrailEvent::Dropped, 6, 6)]),
        "1 worker was excluded, and 5 games of workers thrown away; the head of their trail after 2 rows is cc"
    );
    assert_eq!(
        note(vec![]),
        "0 workers were excluded, and 0 games of workers thrown away; the head of their trail after 2 rows is cc"
    );
    assert_eq!(trail_note(&Trail { entries: Vec::new(), head: None }), None);
}
