//! The engine in a program that embeds it. The program starts itself again for bots, so it has its own `main`.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

use arena_engine::internals::again::{AgainOptions, SeasonAgain};
use arena_engine::{
    Control, Error, FileError, FormatError, GameChoice, GameFilter, GameOptions, GameOrder, GameSummary,
    HostError, JournalError, Local, Mistake, Observer, Played, PreparedRun, Results, Roster, RoundQueue,
    RunOptions, SandboxLimits, Seed, SeedChoice, StoredSeason, Supplier, TournamentOptions, close_season,
    components, play, recording, sandbox,
};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

fn main() {
    // Before the hook, like a program without it.
    without_the_hook_an_error_names_it();
    arena_engine::start();
    for (name, test) in [
        ("a_season_is_played_and_its_standings_are_read", season as fn(&Path)),
        ("a_season_stays_open_for_another_stage_with_another_bot", stays_open),
        ("two_contests_play_at_the_same_time", two_at_once),
        ("a_run_that_is_cancelled_goes_on_later", cancelled),
        ("games_that_a_process_was_given_ahead_are_left_when_the_run_is_cancelled", left),
        ("a_run_that_is_paused_begins_no_game", paused),
        ("an_observer_ends_a_run", ended_by_observer),
        ("a_season_is_played_again_by_its_bots_to_the_same_head", played_again),
        ("a_program_can_match_the_mistakes_of_a_season", mistakes_of_a_season),
        ("a_program_can_match_the_mistakes_in_options", mistakes_in_options),
    ] {
        let place = tempfile::tempdir().expect("there is room");
        test(place.path());
        passed(name);
    }
}

#[expect(clippy::disallowed_macros, reason = "the names of tests, as a test harness prints them")]
fn passed(name: &str) {
    println!("test {name} ... ok");
}

fn without_the_hook_an_error_names_it() {
    let error = sandbox(SandboxLimits::default(), None).err().expect("no child could compile");
    assert!(matches!(&error, Error::Host(HostError::Defect(_))), "{error}");
    assert!(error.to_string().contains("`arena_engine::start()`"), "{error}");
}

/// Two bots in a folder.
fn bots(place: &Path) -> Vec<PathBuf> {
    let folder = place.join("bots");
    fs::create_dir_all(&folder).expect("there is room");
    for name in ["sweeper", "shoots-at-random"] {
        fs::write(folder.join(name).with_extension("wasm"), arena_testkit::zoo(name)).expect("there is room");
    }
    components(&[folder]).expect("they are there")
}

fn options(place: &Path, games: u32) -> RunOptions {
    RunOptions {
        journal: Some(place.join("season.db")),
        seed: Some(arena_engine::SeedChoice::Given(Seed::from(1))),
        tournament: TournamentOptions { games_per_match: Some(games), ..TournamentOptions::default() },
        game: GameOptions { jobs: Some(2), ..GameOptions::default() },
        ..RunOptions::default()
    }
}

/// The options that continue a journal: it has the seed.
fn resumed_options(place: &Path, games: u32) -> RunOptions {
    RunOptions { seed: None, resumes: true, ..options(place, games) }
}

/// The numbers of the games that were observed.
#[derive(Default)]
struct Observed {
    games: Vec<usize>,
    /// The number of games after which it ends the run.
    enough: Option<usize>,
    control: Control,
    /// The number of games after which it cancels.
    cancels_after: Option<usize>,
}

impl Observer for Observed {
    fn game(&mut self, game: &GameSummary, played: Option<&Played>, results: &Results) -> ControlFlow<()> {
        assert_eq!(results.sums.delivered, self.games.len(), "the results are those before it");
        assert!(played.is_some() || game.number <= results.sums.delivered + 1);
        self.games.push(game.number);
        if self.cancels_after == Some(self.games.len()) {
            self.control.cancel();
        }
        if self.enough == Some(self.games.len()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn season(place: &Path) {
    let mut observed = Observed::default();
    let run =
        play(options(place, 10), &bots(place), &Control::default(), &mut observed).expect("it is played");
    assert!(run.is_over());
    assert_eq!(observed.games, (1..=10).collect::<Vec<_>>());
    let journal = place.join("season.db");
    let (season, reader) = StoredSeason::read(&journal).expect("it was kept");
    let rows = |ranking: arena_engine::Ranking<'_>| {
        ranking
            .rows()
            .iter()
            .map(|row| (row.bot.to_string(), row.points, row.score.games))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(season.ranking()), rows(run.ranking()));
    assert_eq!(season.content.head, run.head());
    let games = season.games(&GameFilter { order: GameOrder::Longest, ..GameFilter::default() });
    assert!(games.len() == 10 && games.is_sorted_by(|one, other| one.turns() >= other.turns()));
    let longest = games[0].game;
    let kept = reader.transcript(season.places[&longest.fixture].number).expect("it can be read");
    let recording = recording(&journal, longest.number).expect("it is there");
    assert_eq!(Some(recording.to_bytes()), kept);
    let missing = arena_engine::recording(&journal, 11).expect_err("there are ten");
    assert!(
        matches!(missing, Error::Mistake(Mistake::NoSuchGame { .. })) && missing.cause().is_none(),
        "{missing}"
    );
}

fn stays_open(place: &Path) {
    let bots = bots(place);
    let seed = Some(arena_engine::SeedChoice::Secret);
    let options = RunOptions { seed, keeps_each_game: true, ..options(place, 400) };
    let mut observed = Observed { cancels_after: Some(3), ..Observed::default() };
    let control = observed.control.clone();
    let run = play(options, &bots, &control, &mut observed).expect("it ends well");
    assert!(!run.is_over());
    let mut open = run.into_season().expect("nothing has failed");
    let sandbox = sandbox(SandboxLimits::default(), None).expect("there is room");
    let more = [bots.clone(), vec!["builtin:random".into()]].concat();
    // The stage that was cancelled, a longer one, and then one with another bot.
    for (games, bots) in [(400, &bots), (402, &bots), (4, &more)] {
        assert!(open.is_current() && open.stored().is_none());
        let tournament = TournamentOptions { games_per_match: Some(games), ..TournamentOptions::default() };
        let prepared = open.stage(tournament).expect("it goes on");
        let roster = Roster::admit(&sandbox, bots, 2, || {}).expect("they can be read");
        let mut run =
            prepared.plan(&sandbox, roster).and_then(|planned| planned.open()).expect("it can begin");
        let local = Local::start(&sandbox, &run, false).expect("they start");
        run.play(&local, &|_| None, &Control::default(), &mut ()).expect("it is played");
        let (stored, _) = StoredSeason::read(&place.join("season.db")).expect("others read it meanwhile");
        assert_eq!((&stored.results.games, stored.content.head), (&run.results().games, run.head()));
        assert_eq!(stored.results.standings, run.results().standings);
        open = run.into_season().expect("nothing has failed");
    }
    let resumed = || play(resumed_options(place, 6), &more, &Control::default(), &mut ());
    let refused = resumed().err().expect("it is open");
    assert!(refused.to_string().contains("another arena is writing this journal"), "{refused}");
    drop(open);
    resumed().expect("it is closed");
}

fn two_at_once(place: &Path) {
    let bots = bots(place);
    // The whole chain except the time, which the chain covers.
    let content = |journal: &Path| {
        let (season, reader) = StoredSeason::read(journal).expect("it was kept");
        let transcripts: Vec<_> =
            (1..=20).map(|game| reader.transcript(game).expect("it can be read")).collect();
        assert!(season.places.len() == 20 && transcripts.iter().all(Option::is_some));
        (season.places, season.results.games, season.content.seeds, transcripts)
    };
    let [one, other] = thread::scope(|scope| {
        let contest = |name: &str| {
            let place = place.join(name);
            fs::create_dir(&place).expect("there is room");
            let (bots, content) = (&bots, &content);
            scope.spawn(move || {
                play(options(&place, 20), bots, &Control::default(), &mut ()).expect("it is played");
                content(&place.join("season.db"))
            })
        };
        let contests = ["one", "other"].map(contest);
        contests.map(|contest| contest.join().expect("it does not panic"))
    });
    assert!(one == other, "the same bots and the same seed play the same games");
}

fn cancelled(place: &Path) {
    let bots = bots(place);
    let mut observed = Observed { cancels_after: Some(3), ..Observed::default() };
    let control = observed.control.clone();
    let run = play(options(place, 2_000), &bots, &control, &mut observed).expect("it ends well");
    let kept = run.results().sums.played;
    assert!(!run.is_over() && (3..2_000).contains(&kept), "{kept}");
    drop(run);
    let run = play(resumed_options(place, 2_000), &bots, &Control::default(), &mut ()).expect("it goes on");
    assert!(run.is_over());
    assert_eq!(run.results().sums.played, 2_000);
}

/// The processes of this machine, of which each cancels the run with its own game of this number.
struct Cancelling<'a> {
    local: &'a Local,
    control: &'a Control,
    after: usize,
    played: AtomicUsize,
}

impl Supplier for Cancelling<'_> {
    fn supply(&self, games: &RoundQueue<'_, '_>) {
        let ready = |played| {
            if self.played.fetch_add(1, Ordering::SeqCst) + 1 == self.after {
                self.control.cancel();
            }
            (games.ready)(played)
        };
        let RoundQueue { games, runner, season, watch, control, known, .. } = *games;
        self.local.supply(&RoundQueue { games, runner, season, watch, control, known, ready: &ready });
    }
}

fn left(place: &Path) {
    // So many quick games that the process has some ahead.
    const AFTER: usize = 200;
    let one_job = GameOptions { jobs: Some(1), ..GameOptions::default() };
    let prepared = PreparedRun::new(RunOptions { game: one_job, ..options(place, 2_000) });
    let prepared = prepared.expect("they are right");
    let sandbox = sandbox(prepared.sandbox_limits(), None).expect("there is room");
    let roster = Roster::admit(&sandbox, &bots(place), 2, || {}).expect("they can be read");
    let mut run = prepared.plan(&sandbox, roster).and_then(|planned| planned.open()).expect("it can begin");
    let local = Local::start(&sandbox, &run, false).expect("they start");
    let control = Control::default();
    let supplier = Cancelling { local: &local, control: &control, after: AFTER, played: AtomicUsize::new(0) };
    run.play(&supplier, &|_| None, &control, &mut ()).expect("it ends well");
    // Each of them could have been a slow one.
    assert_eq!((supplier.played.into_inner(), run.results().sums.played), (AFTER, AFTER));
    drop(run);
    let run = play(resumed_options(place, 2_000), &bots(place), &Control::default(), &mut ());
    assert_eq!(run.expect("it goes on").results().sums.played, 2_000);
}

fn paused(place: &Path) {
    let prepared = PreparedRun::new(options(place, 500)).expect("they are right");
    let sandbox = sandbox(prepared.sandbox_limits(), None).expect("there is room");
    let roster = Roster::admit(&sandbox, &bots(place), 2, || {}).expect("they can be read");
    let mut run = prepared.plan(&sandbox, roster).and_then(|planned| planned.open()).expect("it can begin");
    let local = Local::start(&sandbox, &run, false).expect("they start");
    let control = Control::default();
    control.pause();
    let mut observed = Observed::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            let (season, _) = StoredSeason::read(&place.join("season.db")).expect("it has begun");
            assert_eq!(season.results.sums.played, 0, "it is paused");
            control.resume();
        });
        run.play(&local, &|_| None, &control, &mut observed).expect("it is played");
    });
    assert_eq!(observed.games.len(), 500);
}

fn ended_by_observer(place: &Path) {
    let mut observed = Observed { enough: Some(5), ..Observed::default() };
    let run =
        play(options(place, 1_000), &bots(place), &Control::default(), &mut observed).expect("it ends well");
    assert_eq!(observed.games.len(), 5);
    assert!(!run.is_over());
    drop(run);
    let (season, _) = StoredSeason::read(&place.join("season.db")).expect("it was kept");
    assert!(season.results.sums.played >= 5, "what was kept stays");
}

/// The mistake for which a run is refused, and its text.
#[track_caller]
fn mistake<T>(result: Result<T, Error>) -> (Mistake, String) {
    match result.err().expect("it is refused") {
        Error::Mistake(mistake) => {
            let text = mistake.to_string();
            (mistake, text)
        }
        error => panic!("it is no mistake: {error}"),
    }
}

fn played_again(place: &Path) {
    let (bots, journal) = (bots(place), place.join("season.db"));
    let run = play(options(place, 10), &bots, &Control::default(), &mut ()).expect("it is played");
    let sandbox = sandbox(SandboxLimits::default(), None).expect("there is room");
    let again = SeasonAgain::read(&journal, &bots, None).expect("it can be read");
    assert!(again.notes().is_empty(), "the journal is whole");
    let played = |bots: &[PathBuf], control: &Control| {
        let roster = Roster::admit(&sandbox, bots, 2, || {}).expect("they can be read");
        let mut games = 0;
        let played = again.play(&sandbox, &roster, AgainOptions::default(), control, &mut || games += 1);
        played.map(|played| (played, games))
    };
    let (same, games) = played(&bots, &Control::default()).expect("the arena does not fail");
    let same = same.expect("it was not cancelled");
    assert_eq!((again.games(), same.games, games), (10, 10, 10));
    assert!(same.difference.is_none() && same.by_clock.is_empty(), "{same:?}");
    assert_eq!(Some(same.head), run.head());
    let (missing, _) = mistake(played(&bots[..1], &Control::default()));
    assert!(matches!(missing, Mistake::BotMissing { .. }), "{missing}");
    let control = Control::default();
    control.cancel();
    assert!(played(&bots, &control).expect("it ends well").0.is_none());
    assert!(again.check_head("00ff").is_err());
    // A season whose seed is secret.
    let secret = place.join("secret.db");
    let options =
        RunOptions { journal: Some(secret.clone()), seed: Some(SeedChoice::Secret), ..options(place, 2) };
    play(options, &bots, &Control::default(), &mut ()).expect("it is played");
    let (hidden, _) = mistake(SeasonAgain::read(&secret, &bots, None));
    assert!(matches!(hidden, Mistake::SecretNotRevealed { .. }), "{hidden}");
    let (other, _) = mistake(SeasonAgain::read(&secret, &bots, Some(Seed::from(2))));
    assert!(matches!(other, Mistake::NotTheSecret { .. }), "{other}");
    close_season(&secret, false).expect("it is over");
    SeasonAgain::read(&secret, &bots, None).expect("its seed is revealed");
}

fn mistakes_of_a_season(place: &Path) {
    let (bots, journal) = (bots(place), place.join("season.db"));
    let run = |options| mistake(play(options, &bots, &Control::default(), &mut ()));
    let (missing, _) = run(resumed_options(place, 2));
    assert!(matches!(missing, Mistake::NothingToContinue { .. }), "{missing}");
    // A season that has begun, and has no games.
    let control = Control::default();
    control.cancel();
    play(options(place, 2), &bots, &control, &mut ()).expect("it ends well");
    let (empty, text) = mistake(SeasonAgain::read(&journal, &bots, None));
    assert!(matches!(&empty, Mistake::NoGames { journal } if journal.ends_with("season.db")), "{empty}");
    assert!(text.contains("has no games yet\n  next: wait until"), "{text}");
    let (unfinished, _) = mistake(close_season(&journal, false));
    assert!(matches!(unfinished, Mistake::SeasonUnfinished { played: 0, planned: 2, .. }), "{unfinished}");
    let (other, _) =
        run(RunOptions { seed: Some(SeedChoice::Given(Seed::from(2))), ..resumed_options(place, 2) });
    assert!(matches!(other, Mistake::OtherDraw { what: "random seed", .. }), "{other}");
    close_season(&journal, true).expect("it can be closed");
    let (closed, text) = run(resumed_options(place, 2));
    assert!(matches!(closed, Mistake::SeasonClosed { again: false, .. }), "{closed}");
    assert!(
        text.contains(": the season is closed, and its seed is revealed\n  next: begin another"),
        "{text}"
    );
    let (closed, text) = mistake(close_season(&journal, true));
    assert!(matches!(closed, Mistake::SeasonClosed { again: true, .. }), "{closed}");
    assert!(text.contains(": the season is closed already\n  next: `arena journal info "), "{text}");
    // Another file.
    fs::write(&journal, "none").expect("there is room");
    let (foreign, _) = mistake(StoredSeason::read(&journal));
    assert!(matches!(foreign, Mistake::Journal { error: JournalError::Foreign, .. }), "{foreign}");
}

fn mistakes_in_options(place: &Path) {
    let bots = bots(place);
    let run = |options| mistake(play(options, &bots, &Control::default(), &mut ()));
    let tournament = TournamentOptions { rounds: Some(3), ..TournamentOptions::default() };
    let (stray, _) = run(RunOptions { tournament, ..options(place, 2) });
    assert!(
        matches!(stray, Mistake::OptionOfAnotherFormat { option: "--rounds", formats: "swiss" }),
        "{stray}"
    );
    let (none, _) = run(options(place, 0));
    assert!(matches!(none, Mistake::Format(FormatError::NoGames)), "{none}");
    let of_game = |game| run(RunOptions { game, ..options(place, 2) });
    let (unknown, _) = of_game(GameOptions { rules: Some("none".into()), ..GameOptions::default() });
    assert!(matches!(&unknown, Mistake::NoSuchRules { known, .. } if !known.is_empty()), "{unknown}");
    let (other, text) = of_game(GameOptions { rules: Some("submarine".into()), ..GameOptions::default() });
    assert!(matches!(other, Mistake::BotOfOtherGame { .. }), "{other}");
    assert!(
        text.contains("shoots-at-random.wasm plays battleship, and the rules `submarine` are for submarine"),
        "{text}"
    );
    let game = GameChoice::new(bots[0].clone(), Vec::new(), None);
    let (foreign, _) = of_game(GameOptions { game: Some(game), ..GameOptions::default() });
    assert!(matches!(foreign, Mistake::NotAGame { .. }), "{foreign}");
    let (missing, text) = mistake(components(&[place.join("none.wasm")]));
    assert!(matches!(missing, Mistake::File { error: FileError::Io(_), wanted: "bot", .. }), "{missing}");
    assert!(
        text.ends_with("none.wasm: no such file\n  next: check the path, or build the bot first"),
        "{text}"
    );
    let (folder, _) = mistake(components(&[place.join("bots"), place.to_owned()]));
    assert!(matches!(folder, Mistake::NoComponents { .. }), "{folder}");
}
