//! A season from its first stage to its end, played on a thread of this process, and everything that is read of its journal.

use crate::internals::recordings::{Recordings, SampleOptions};
use crate::internals::stored::At;
use crate::{
    Control, Error, GameOptions, Label, Local, Mistake, PreparedRun, Roster, Run, RunOptions, Sandbox,
    SandboxLimits, Seed, SeedChoice, StoredSeason, TournamentOptions, close_season,
};
use arena_record::RecordedSeed;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| Sandbox::new(SandboxLimits::default()).unwrap());

/// The files of bots, in this folder.
fn bots(place: &Path, names: &[&str]) -> Vec<PathBuf> {
    let file = |name: &&str| {
        let path = place.join(name).with_extension("wasm");
        fs::write(&path, arena_testkit::zoo(name)).unwrap();
        path
    };
    names.iter().map(file).collect()
}

fn roster(bots: &[PathBuf]) -> Roster {
    Roster::admit(&SANDBOX, bots, 1, || {}).unwrap()
}

/// Plays the next stage of the season in a folder, with two games a match.
fn play(place: &Path, bots: &[PathBuf], seed: u64) -> Run {
    let options = RunOptions {
        journal: Some(place.join("season.db")),
        transcripts: Some(place.join("games")),
        seed: Some(SeedChoice::Given(Seed::from(seed))),
        tournament: TournamentOptions { games_per_match: Some(2), ..TournamentOptions::default() },
        game: GameOptions { jobs: Some(1), ..GameOptions::default() },
        keeps_each_game: true,
        ..RunOptions::default()
    };
    let prepared = PreparedRun::new(options).unwrap();
    assert_eq!(prepared.jobs(), 1);
    let mut run = prepared.plan(&SANDBOX, roster(bots)).unwrap().open().unwrap();
    run.play(&Local::here(), &|_| None, &Control::default(), &mut ()).unwrap();
    assert!(run.is_over());
    run
}

fn mistake<T>(result: Result<T, Error>) -> Mistake {
    match result {
        Err(Error::Mistake(mistake)) => mistake,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it succeeds"),
    }
}

#[test]
fn a_season_is_played_in_stages_read_at_its_moments_verified_and_closed() {
    let place = tempfile::tempdir().unwrap();
    let (place, path) = (place.path(), place.path().join("season.db"));
    let bots = bots(place, &["sweeper", "shoots-at-random", "off-board-once"]);
    let first = play(place, &bots[..2], 1);
    assert_eq!((first.games_planned(), first.results().sums.played), (2, 2));
    let labels = ["sweeper", "shoots-at-random"].map(Label::from);
    let transcript = place.join("games/1-sweeper-vs-shoots-at-random.jsonl");
    assert_eq!(first.transcript_of(1, labels.each_ref()).as_str(), transcript.to_str().unwrap());
    assert!(transcript.is_file());
    assert_eq!(fs::read_dir(place.join("season.db.bots")).unwrap().count(), 2, "both are kept");
    drop(first);
    let second = play(place, &bots, 2);
    assert_eq!((second.games_planned(), second.results().sums.played), (6, 6));
    assert_eq!(second.planned().season.changes, ["off-board-once is new"]);
    let head = second.head().unwrap();
    drop(second);

    let (kept, _) = StoredSeason::read(&path).unwrap();
    assert_eq!((kept.places.len(), kept.results.complete, &kept.notes), (6, true, &Vec::new()));
    assert_eq!(kept.content.head.as_ref(), Some(&head));
    for (fixture, place) in &kept.places {
        let seed = &kept.seed_of(fixture).unwrap().recorded;
        assert_eq!(*seed, RecordedSeed::Open(Seed::from(place.stage as u64)));
    }
    // The second stage has an anchor, and ratings are differences to it.
    assert!(kept.results.anchor.is_some());
    let at = |at: At| StoredSeason::read_at(&path, Some(&at)).map(|(kept, _)| kept);
    let of_first = at(At::Stage(1)).unwrap();
    let bots_then = of_first.content.tournament.bots.len();
    assert_eq!((of_first.results.sums.played, bots_then, of_first.results.anchor), (2, 2, None));
    assert_eq!(at(At::Time("9999".into())).unwrap().results.sums.played, 6);
    for stage in [0, 3] {
        assert!(matches!(mistake(at(At::Stage(stage))), Mistake::NoSuchStage { stages: 2, .. }));
    }
    let before = mistake(at(At::Time("1970-01-01".into())));
    assert!(matches!(before, Mistake::BeforeFirstStage { at, .. } if at == "1970-01-01"));
    let (note, history) = StoredSeason::history(&path).unwrap();
    let played: Vec<usize> = history.map(|season| season.results.sums.played).collect();
    assert_eq!((note, played), (None, vec![2, 6]));

    let of_journal = |sample, head: Option<&str>| {
        let options =
            SampleOptions { sample, sample_seed: Some(7), head: head.map(str::to_owned), game: None };
        Recordings::of_journal(&path, &options, &bots)
    };
    let names = |sample| {
        let mut recordings = of_journal(sample, Some(&head.sha256)).unwrap();
        assert_eq!((recordings.games_left(), recordings.notes().len()), (0, 0));
        assert_eq!((recordings.head(), recordings.trail().is_some()), (Some(&head), true));
        let count = recordings.count();
        let mut names = Vec::new();
        while let Some(next) = recordings.read_next().unwrap() {
            assert!(next.recording.is_ok(), "{:?}", next.recording);
            names.push(next.name.as_str().rsplit(' ').next().unwrap().to_owned());
        }
        assert_eq!(count, names.len());
        names
    };
    assert_eq!(names(None), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!((names(Some(99)), names(Some(3))), (names(None), names(Some(3))));
    assert!(names(Some(3)).is_sorted() && names(Some(3)).len() == 3);
    let other = "0".repeat(64);
    assert!(matches!(mistake(of_journal(None, Some(&other))), Mistake::UnknownHead { .. }));
    let without_bots = Recordings::of_journal(&path, &SampleOptions::default(), &[]);
    assert!(matches!(mistake(without_bots), Mistake::NoBots { .. }));

    let of_files = |paths: &[&PathBuf]| {
        let paths: Vec<PathBuf> = paths.iter().copied().cloned().collect();
        Recordings::of_files(&paths, None)
    };
    let (mut files, others) = of_files(&[&transcript, &transcript, &bots[0], &bots[1]]).unwrap();
    assert_eq!((files.count(), others.as_slice()), (2, &bots[..2]));
    assert!(files.read_next().unwrap().unwrap().recording.is_ok());
    assert_eq!((files.head(), files.trail().is_none(), files.games_left()), (None, true, 0));
    assert!(matches!(mistake(of_files(&[])), Mistake::NoTranscript { .. }));
    assert!(matches!(mistake(of_files(&[&transcript])), Mistake::NoBots { .. }));
    assert!(of_files(&[&bots[0], &bots[1]]).is_err() && of_files(&[&path, &bots[1]]).is_err());

    let closed = close_season(&path, false).unwrap();
    assert_eq!(closed.content.revealed_seed, Some(Seed::from(1)));
    let again = mistake(close_season(&path, false));
    assert!(matches!(again, Mistake::SeasonClosed { again: true, .. }));
}

#[test]
fn a_match_needs_two_bots_and_of_more_each_plays_once() {
    let place = tempfile::tempdir().unwrap();
    let bots = bots(place.path(), &["sweeper", "shoots-at-random"]);
    let copy = place.path().join("copy.wasm");
    fs::copy(&bots[0], &copy).unwrap();
    let self_play = roster(&[bots[0].clone(), copy.clone()]);
    assert!(self_play.refused.is_empty() && self_play.require_a_match(true).is_ok());
    let three = roster(&[bots[0].clone(), copy.clone(), bots[1].clone()]);
    let refused: Vec<&str> = three.refused.iter().map(|refused| refused.kind).collect();
    assert_eq!((refused, three.contestants.len()), (vec!["same-component"], 2));
    assert!(three.require_a_match(false).is_ok());
    assert!(matches!(mistake(three.require_a_match(true)), Mistake::BotsRefused { refused: 1 }));
    let alone = mistake(roster(&bots[..1]).require_a_match(false));
    assert!(matches!(alone, Mistake::TooFewBotsLeft { playing: 1 }));
}
