//! What a journal has: its games and their faults, its stages and bots, its trail, and its tables after each stage.

use super::super::{
    CacheOutput, FaultsList, GamesList, History, JournalOutput, Output, SandboxOutput, closed,
    missing_measures, revealed,
};
use super::*;
use arena_engine::{GameFilter, GameOrder, GamePlace, StoredSeason};
use arena_record::{Commitment, RecordedSeed, Seed};
use arena_sandbox::{CacheFiles, CacheOptions, Confinement, Measure, SandboxLimits};
use arena_store::{ChainHead, Entrant, GameRange, Moment, Stage, Tournament, TrailEntry, TrailEvent, Writer};

fn head(links: u64) -> ChainHead {
    ChainHead { links, sha256: "cc".into() }
}

/// The season of a journal with the games of [`tournament`], and one that a weaker bot has won.
fn season() -> StoredSeason {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("season.db");
    let label = |bot: usize| Entrant { bot, label: bots(4)[bot].label.clone() };
    let settings = serde_json::to_string(&settings(Format::RoundRobin)).unwrap();
    let entry = Stage { settings, entrants: (0..4).map(label).collect(), draw: None };
    let of_journal = Tournament { conditions: conditions(), bots: bots(4) };
    drop(Writer::open(&path, &of_journal, &entry).unwrap());
    let (mut kept, _) = StoredSeason::read(&path).unwrap();
    kept.results = tournament();
    for number in 11..17 {
        let game = faulted(won(number, [BEN, ANN]), FaultClass::Trap, 2, 5);
        kept.results.count(game, Vec::new(), false);
    }
    let place = |game: &GameSummary| {
        let number = game.number as u64;
        (Fixture { game: game.number as u32, ..game.fixture }, GamePlace { stage: 1, number })
    };
    kept.places = kept.results.games.iter().map(place).collect();
    kept.content.moments = vec![Moment { stage: 1, game: 1, at: "2026-01-31T12:00:00Z".into() }];
    kept.content.head = Some(head(17));
    kept.content.clock = Some(head(2));
    kept
}

/// All forms of a list.
fn forms(output: &impl Output) -> String {
    let csv = output.csv().iter().map(|part| part.as_str().to_owned()).collect::<Vec<_>>();
    let jsonl = output.jsonl().map(|line| line.as_str().to_owned()).collect::<Vec<_>>();
    [vec![output.text().as_str().to_owned()], csv, jsonl].concat().join("\n")
}

#[test]
fn games_are_listed_with_what_is_left_out_and_with_the_chance_of_an_upset() {
    let kept = season();
    let all = GameFilter::default();
    let upsets = GameFilter { order: GameOrder::Upsets, ..GameFilter::default() };
    let none = GameFilter { won_by: Some(DAN), ..GameFilter::default() };
    insta::assert_snapshot!("games", forms(&GamesList::new(&kept, &all, None)));
    insta::assert_snapshot!("games_upsets", forms(&GamesList::new(&kept, &upsets, Some(2))));
    assert_eq!(GamesList::new(&kept, &upsets, Some(1)).first(), Some(4));
    let none = GamesList::new(&kept, &none, None);
    assert_eq!((none.text().as_str(), none.first()), ("0 games, of 14 games played", None));
}

#[test]
fn faults_are_grouped_by_bot_and_description_the_most_frequent_first() {
    let kept = season();
    let (all, of_ben) = (GameFilter::default(), GameFilter { bots: vec![BEN, CAT], ..GameFilter::default() });
    insta::assert_snapshot!("faults", forms(&FaultsList(GamesList::new(&kept, &all, None))));
    insta::assert_snapshot!("faults_of_the_top", forms(&FaultsList(GamesList::new(&kept, &all, Some(1)))));
    let none = FaultsList(GamesList::new(&kept, &of_ben, None));
    assert_eq!(none.text().as_str(), "0 kinds of fault in 14 games");
}

#[test]
fn a_journal_has_its_stages_bots_heads_and_the_latest_sixty_rows_of_its_trail() {
    let mut kept = season();
    let show = |name: &str, kept: &StoredSeason| {
        let output = JournalOutput::new(kept);
        let json = serde_json::to_string_pretty(&output.json()).unwrap();
        insta::assert_snapshot!(name, [output.text().as_str(), &json].join("\n"));
    };
    show("journal", &kept);
    let row = |number: u32| TrailEntry {
        at: "2026-01-31T12:00:00Z".into(),
        event: if number == 2 { TrailEvent::Excluded } else { TrailEvent::Admitted },
        key: "U".into(),
        name: format!("w{number}").as_str().into(),
        owner: "an owner with a long name".into(),
        why: if number == 2 { "it lied" } else { "" }.into(),
        games: (number == 2).then_some(GameRange { bots: [0, 1], first: 3, last: 5 }).into_iter().collect(),
    };
    kept.content.trail.head = Some(head(61));
    kept.content.trail.entries = (1..=2).map(row).collect();
    kept.seed = RecordedSeed::Secret(Commitment::to(&Seed::from(3)));
    show("journal_secret", &kept);
    let rows = |kept: &StoredSeason| {
        let text = JournalOutput::new(kept).text().as_str().to_owned();
        (text.matches("admitted").count(), text.contains("1 row before these: see -o json"))
    };
    kept.content.trail.entries = (3..=62).map(row).collect();
    assert_eq!(rows(&kept), (60, false));
    kept.content.trail.entries.push(row(63));
    assert_eq!(rows(&kept), (60, true));
    kept.content.revealed_seed = Some(Seed::from(3));
    let name = "season.db".into();
    let texts = [
        closed(&kept, &name).as_str().to_owned(),
        revealed(2, &kept).as_str().to_owned(),
        JournalOutput::new(&kept).text().as_str().lines().skip(3).take(3).collect::<Vec<_>>().join("\n"),
    ];
    insta::assert_snapshot!("journal_closed", texts.join("\n---\n"));
}

#[test]
fn a_history_has_the_bots_that_have_played_after_each_stage() {
    let history = || History::new([season(), season()].into_iter());
    insta::assert_snapshot!("history", history().text().as_str());
    let json = serde_json::to_value(history().json()).unwrap();
    let stages = json.as_array().unwrap().iter();
    let stages = stages.map(|it| {
        [&it["stage"], &it["begun"], &it["games-played"], &it["complete"]].map(ToString::to_string)
    });
    assert_eq!(
        stages.collect::<Vec<_>>(),
        [["1", "\"2026-01-31T12:00:00Z\"", "14", "false"], ["2", "null", "14", "false"]]
    );
}

#[test]
fn a_cache_has_the_kinds_of_its_files_and_their_sizes() {
    let files = |what, count, bytes| CacheFiles { what, count, bytes };
    let files = vec![files("code", 1_200, 3 << 19), files("refusals", 0, 0), files("names", 1, 1 << 19)];
    let output = CacheOutput { files, options: &CacheOptions::at("/cache") };
    assert_eq!(
        output.text().as_str(),
        "/cache: 2.0 of 2,048 MiB\nkept   files  MiB\ncode   1,200  1.5\nnames      1  0.5"
    );
    let json = serde_json::to_value(output.json()).unwrap();
    assert_eq!([&json["bytes"], &json["bytes-max"]], [2 << 20, 2_u64 << 30]);
    assert_eq!(json["files"][1], serde_json::json!({ "kept": "refusals", "files": 0, "bytes": 0 }));
}

#[test]
fn a_measure_that_is_missing_is_named_with_the_reason_and_the_next_step() {
    let of = |missing: &[usize]| -> Confinement {
        let gap = serde_json::json!({ "Err": { "why": "an old kernel", "next": "use a newer one" } });
        let taken = Measure::ALL.iter().enumerate().map(|(place, measure)| {
            let taken =
                if missing.contains(&place) { gap.clone() } else { serde_json::json!({ "Ok": null }) };
            serde_json::json!([measure, taken])
        });
        serde_json::from_value(taken.collect()).expect("it is a report")
    };
    let limits = SandboxLimits::default();
    let text = |confinement: &Confinement| {
        let text = SandboxOutput::new(confinement, &limits).text().as_str().to_owned();
        let of_compiler = text.lines().take_while(|line| !line.starts_with("bot")).map(str::to_owned);
        of_compiler.chain(text.lines().last().map(str::to_owned)).collect::<Vec<_>>().join("\n")
    };
    let (all, some) = (of(&[]), of(&[6, 7]));
    insta::assert_snapshot!("confinement", [text(&all), text(&some)].join("\n---\n"));
    assert_eq!((SandboxOutput::new(&some, &limits).missing(), missing_measures(&all)), (2, None));
    let note = missing_measures(&some).unwrap_or_default();
    assert!(note.starts_with("note: the processes that compile and play are confined without landlock-files, landlock-network\n"), "{note}");
    let json = |confinement| serde_json::to_value(SandboxOutput::new(confinement, &limits).json()).unwrap();
    let [of_all, of_some] = [json(&all), json(&some)];
    assert_eq!([&of_all["verdict"], &of_some["verdict"]], ["complete", "incomplete"]);
    assert_eq!(of_all["compiler"][6]["enforced"], true);
    assert_eq!(
        (&of_some["compiler"][6]["enforced"], &of_some["compiler"][6]["why"]),
        (&false.into(), &"an old kernel".into())
    );
}
