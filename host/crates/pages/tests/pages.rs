//! The pages of a contest.

mod hostile;
mod index;
mod loaded;
mod podium;
mod season;

use arena_engine::Rating;
use arena_engine::internals::kept_games::StageEnd;
use arena_league::{Format, RatedGame, Row, Score, Side};
use arena_pages::{
    Change, Contest, Facts, Game, History, Journal, Notices, Page, RankedBot, Replays, Report, Reported,
    WatchedGame, facts, is_of_a_site,
};
use arena_pictures::{Frame, Map, Painted, Picture, Tone};
use arena_record::{BotId, Disqualified, GameResult, Transcript};
use arena_rules::battleship::Battleship;
use arena_rules::submarine::Submarine;
use arena_rules::{Coord, Seat, Size};
use arena_store::ChainHead;
use std::collections::BTreeMap;

/// A recorded game with a fault of each side's kind, or a whole one.
const GUIDE: &[u8] = include_bytes!("../../tui/tests/data/guide.jsonl");
const PANIC: &[u8] = include_bytes!("../../tui/tests/data/panic.jsonl");
const SUBMARINE: &[u8] = include_bytes!("../../tui/tests/data/submarine.jsonl");

/// The files of a site.
type Site = BTreeMap<String, String>;

/// A contest of a bot, two versions of another, a recorded game, and one that was not played, in which every text from outside is this one.
fn contest<G: Reported>(recording: &[u8], text: &str) -> (Contest, Transcript<G>) {
    contest_of(Transcript::read(recording).unwrap(), text)
}

/// The contest with this game: see [`contest`].
fn contest_of<G: Reported>(mut transcript: Transcript<G>, text: &str) -> (Contest, Transcript<G>) {
    let mut result = GameResult::of(&transcript.events).unwrap();
    for event in &mut transcript.events {
        if let arena_record::Event::Faulted { fault, .. } = event {
            fault.detail = text.into();
        }
    }
    result.faults.values_mut().for_each(|fault| fault.detail = text.into());
    let bot =
        |number| BotId { label: text.into(), name: text.into(), sha256: format!("{number:064}").into() };
    let rating = || Rating { elo: Some(5.0), low: Some(1.0), high: Some(9.0) };
    let standing = |bot| RankedBot {
        place: (bot == 0).then_some(1),
        rating: Some(Rating { elo: None, low: Some(5.0), high: None }),
        los: Some(0.975),
        newest: if bot == 2 { 1 } else { bot },
        change: Some(Change::By(12.5)),
        mean_score: None,
        score: Row { contestant: bot, games: 1, draws: 1, faults: 1, ..Row::default() },
    };
    let out = result.faults.first_key_value().map(|((_, class), fault)| Disqualified {
        contestant: 0,
        after_game: 1,
        class: *class,
        detail: fault.detail.clone(),
    });
    // Both versions have won and lost against the other bot.
    let rated = [1, 2].into_iter().flat_map(|version| {
        [Side::First, Side::Second].map(|side| RatedGame {
            seats: [0, version],
            pair: 0,
            score: Score::Win(side),
        })
    });
    let contest = Contest {
        title: text.into(),
        url: None,
        journal: Journal {
            name: text.into(),
            word: text.to_owned(),
            head: Some(ChainHead { sha256: text.to_owned(), links: 7 }),
            is_offered: false,
        },
        conditions: transcript.header.conditions.clone(),
        seed: None,
        format: Format::RoundRobin,
        games_per_match: 1,
        max_faults: Some(1),
        columns: ('a'..='z').collect(),
        bots: vec![bot(1), bot(2), bot(3)],
        standings: vec![standing(1), standing(0), standing(2)],
        history: Some(History {
            bots: vec![1, 0],
            points: vec![
                (1, [(1, rating()), (2, rating())].into()),
                (2, [(0, rating()), (1, rating())].into()),
            ],
            stages: vec![1],
        }),
        first_seat: None,
        notes_on_bots: vec![text.to_owned()],
        ratings: arena_league::rate(3, rated),
        placings: None,
        games: vec![
            Game {
                number: 1,
                seats: [0, 1],
                result: Some(result.clone().into()),
                is_played: true,
                stage: Some(1),
                at: Some(0),
            },
            Game {
                number: 2,
                seats: [0, 2],
                result: Some(result.into()),
                is_played: false,
                stage: None,
                at: None,
            },
        ],
        games_planned: 3,
        is_complete: false,
        is_closed: false,
        dates: Some([text.to_owned(), text.to_owned()]),
        disqualified: out.into_iter().collect(),
        components: Vec::new(),
        stages: vec![StageEnd { begun: Some(text.to_owned()), games: 1, head: None }],
        served: None,
        frozen_at: None,
        has_visitors: false,
        lone: None,
        notices: Notices::default(),
    };
    (contest, transcript)
}

/// The site of a contest: see [`contest`].
fn site<G: Reported>(recording: &[u8], text: &str, replays: Replays) -> Site {
    site_of(contest::<G>(recording, text), text, replays)
}

/// The same site, served by a club.
fn served<G: Reported>(recording: &[u8], text: &str, replays: Replays) -> Site {
    let (contest, transcript) = contest::<G>(recording, text);
    site_of((Contest { served: Some(1), ..contest }, transcript), text, replays)
}

/// The site of a contest and its game, with this text at each position.
fn site_of<G: Reported>(
    (contest, transcript): (Contest, Transcript<G>),
    text: &str,
    replays: Replays,
) -> Site {
    let mut facts_of_all = Facts::new(&contest);
    facts_of_all.add(&contest, 0, facts(&transcript).unwrap());
    let mut pages = replay(&contest, &transcript, text, replays);
    let report = Report::new(&contest, replays);
    let best = || report.best(0, &transcript, positions(&contest, &transcript, text));
    let best = report.has_replay(0).then(best);
    report
        .pages::<G, ()>(&facts_of_all, best.as_ref(), |page| {
            pages.push(page);
            Ok(())
        })
        .unwrap();
    let pages = pages.into_iter().filter(|page| !page.path.ends_with(".gif"));
    pages.map(|page| (page.path, String::from_utf8(page.bytes).unwrap())).collect()
}

/// A board with this text on each cell.
fn board(size: Size, text: &str) -> Picture {
    let cell = Painted {
        text: text.chars().take(3).collect(),
        tone: Tone::Hit,
        is_last: true,
        shade: Some(7),
        written: text.chars().take(2).collect(),
        hull: None,
    };
    let lines = vec![[Coord::new(0, 0), Coord::new(1, 1)]];
    Picture { size, cells: vec![cell; size.cells()], lines }
}

/// A position with these boards and this text in all other parts.
fn position(boards: [Picture; 2], text: &str) -> Frame {
    Frame {
        text: text.to_owned(),
        text_of: [text.to_owned(), format!("{text}{text}")],
        printed: [text.to_owned(), text.to_owned()],
        heat: [Some(Map { largest: 0.5, tenths: vec![Some(9); boards[0].cells.len()] }), None],
        boards_seen: boards.clone(),
        boards,
        pictures: [text.into(), "".into(), text.into()],
        drawings: Default::default(),
        afloat: [text.to_owned(), text.to_owned()],
        chance_of_first: 0.5,
        hits_needed: [3, 0],
    }
}

/// The pages of the game of a contest, if it has a replay, with this text at each position.
fn replay<G: Reported>(
    contest: &Contest,
    transcript: &Transcript<G>,
    text: &str,
    replays: Replays,
) -> Vec<Page> {
    let report = Report::new(contest, replays);
    let positions = positions(contest, transcript, text);
    if report.has_replay(0) { report.game(0, transcript, positions).into() } else { Vec::new() }
}

/// The positions of a game, all with this text.
fn positions<G: Reported>(
    contest: &Contest,
    transcript: &Transcript<G>,
    text: &str,
) -> impl Iterator<Item = Frame> + use<G> {
    let board = board(contest.conditions.rules.size().unwrap_or(Size::EMPTY), text);
    let position = position([board.clone(), board], text);
    std::iter::repeat_n(position, transcript.events.len() + 1)
}

/// The pages of a site, without its style sheet, script and icon.
fn pages(site: &Site) -> impl Iterator<Item = (&String, &String)> {
    site.iter().filter(|(path, _)| path.ends_with(".html"))
}

/// The tags of a page in order, each with the names of its attributes, and its links. Text between them is left out.
fn tags(page: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, tag)) = rest.split_once('<') {
        let mut quoted = false;
        let end = tag
            .find(|c| {
                quoted ^= c == '"';
                c == '>' && !quoted
            })
            .expect("every tag ends");
        let (inside, after) = tag.split_at(end);
        let mut parts = inside.split('"');
        let mut shape = String::new();
        // Outside of quotes are names; within them only links are of interest.
        while let Some(name) = parts.next() {
            shape += name;
            let value = parts.next().unwrap_or_default();
            if ["href=", "src="].iter().any(|link| name.ends_with(link)) {
                shape += value;
            }
        }
        tags.push(shape);
        rest = after;
    }
    tags
}

/// The links in a tag.
fn links(tag: &str) -> Vec<String> {
    let links =
        tag.split([' ', '\n']).filter_map(|part| part.strip_prefix("href=").or(part.strip_prefix("src=")));
    links.map(str::to_owned).collect()
}

#[test]
fn a_game_with_one_board_for_both_sides_has_the_board_that_its_picture_has() {
    let (contest, transcript) = contest::<Battleship>(GUIDE, "b");
    let report = Report::new(&contest, Replays::All);
    let one = position([board(Size::new(7, 6), "o"), Picture::default()], "o");
    let positions = std::iter::repeat_n(one, transcript.events.len() + 1);
    let [page, _] = report.game(0, &transcript, positions);
    let page = String::from_utf8(page.bytes).unwrap();
    let count = |text: &str| page.matches(text).count();
    assert_eq!(count("<table class=\"board"), 1);
    assert_eq!(count("<th scope=\"col\">"), 7);
    assert_eq!(count("<th scope=\"row\">"), 6);
    assert_eq!(count(" columns7 rows6\""), 1);
    assert_eq!(count("<figure class=\"side\">"), 2, "each side still has its name and its fuel");
}

#[test]
fn what_a_bot_prints_in_a_watched_game_is_in_the_step_of_that_event_alone() {
    let (_, transcript) = contest::<Battleship>(GUIDE, "x");
    let mut game = WatchedGame::new(transcript.header).unwrap();
    let steps = transcript.events.into_iter().enumerate().map(|(index, event)| {
        if index == 2 {
            game.log(Seat::Second, "turn 1: hello\n".into());
        }
        game.event(event).unwrap()
    });
    let printed: Vec<bool> = steps.map(|step| step.contains("hello")).collect();
    assert_eq!(printed[..4], [false, false, true, false]);
}

#[test]
fn every_link_leads_to_a_page_of_the_site() {
    for replays in [Replays::All, Replays::None, Replays::Most(1)] {
        let site = site::<Battleship>(GUIDE, "bot", replays);
        for (path, page) in pages(&site) {
            let depth = path.matches('/').count();
            for link in tags(page).iter().flat_map(|tag| links(tag)) {
                let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
                let target = if depth == 1 { file.strip_prefix("../").unwrap_or(file) } else { file };
                let target = if file.is_empty() { path.as_str() } else { target };
                let found = site.get(target).unwrap_or_else(|| panic!("{path}: no {link}"));
                let is_there = anchor.is_empty() || found.contains(&format!("id=\"{anchor}\""));
                assert!(is_there, "{path}: no {link}");
            }
        }
        assert_eq!(site.contains_key("games/1.html"), replays != Replays::None);
    }
}

#[test]
fn a_season_that_is_frozen_says_since_when() {
    let pages_of = |frozen_at: Option<&str>| {
        let (contest, transcript) = contest::<Battleship>(GUIDE, "ann");
        let frozen_at = frozen_at.map(str::to_owned);
        let contest = Contest { served: Some(1), frozen_at, ..contest };
        site_of((contest, transcript), "ann", Replays::None)
    };
    let frozen = pages_of(Some("2026-01-31T12:00:00Z"));
    let open = pages_of(None);
    for path in ["index.html", "season.html", "projector.html"] {
        let text = |site: &Site| site[path].to_lowercase();
        assert!(
            text(&frozen).contains("since 2026-01-31 12:00:00 utc") && text(&frozen).contains("frozen"),
            "{path}"
        );
        assert!(!text(&open).contains("frozen"), "{path}");
    }
}

#[test]
fn every_link_of_a_club_leads_to_a_page_of_the_site_or_to_an_address_of_the_club() {
    let pages_of_club = served::<Battleship>(GUIDE, "ann", Replays::Most(1));
    assert!(
        ["season.html", "projector.html", "live.js", "projector.js"]
            .iter()
            .all(|path| pages_of_club.contains_key(*path))
    );
    for (path, page) in pages(&pages_of_club) {
        for link in tags(page).iter().flat_map(|tag| links(tag)) {
            let file = link.split('#').next().unwrap_or_default();
            let target = if path.contains('/') { file.strip_prefix("../").unwrap_or(file) } else { file };
            let hash = format!("version/{:064}", 1);
            let is_of_club = target == "me/"
                || target == "heads.txt"
                || target == "bot/ann"
                || target == "game/1/1/1"
                || target.len() == hash.len() && target.starts_with("version/");
            assert!(
                target.is_empty() || is_of_club || pages_of_club.contains_key(target),
                "{path}: no {link}"
            );
        }
        assert_eq!(page.contains("live.js"), !path.starts_with("games/"), "{path} is kept up to date");
        assert!(
            page.contains("href=\"../season.html\"")
                || page.contains("href=\"season.html\"")
                || path == "projector.html"
        );
    }
    let other = site::<Battleship>(GUIDE, "ann", Replays::All);
    assert!(pages(&other).all(|(path, page)| !page.contains("live.js")
        && !page.contains("me/")
        && !path.starts_with("season")));
    // Any game has a replay at a club.
    let none = served::<Battleship>(GUIDE, "ann", Replays::None);
    assert!(none["index.html"].contains("games/1.html") && !none["index.html"].contains("games/2.html"));
    assert!(none["season.html"].contains("--at 1") && none["season.html"].contains("arena verify --journal"));
}

#[test]
fn a_club_leads_from_the_names_of_bots_and_games_to_their_pages() {
    let (contest, _) = contest::<Battleship>(GUIDE, "x");
    let mut named = Contest { served: Some(3), ..contest };
    for (bot, label) in named.bots.iter_mut().zip(["ann", "ben", "ben@1"]) {
        bot.label = label.into();
    }
    assert_eq!(named.page_of_label("ann").as_deref(), Some("bots/1.html"));
    assert_eq!(named.page_of_label("ben").as_deref(), Some("labels/2.html"), "it has two versions");
    assert_eq!(named.page_of_version(&format!("{:064}", 3)).as_deref(), Some("bots/3.html"));
    assert_eq!(named.page_of_game(3, 1, 1).as_deref(), Some("games/1.html"));
    for none in [
        named.page_of_label("eve"),
        named.page_of_label("ben@1"),
        named.page_of_game(1, 1, 1),
        named.page_of_version("3"),
        named.page_of_game(3, 2, 1),
        named.page_of_game(3, 1, 2),
    ] {
        assert_eq!(none, None);
    }
}

#[test]
fn every_page_has_the_same_strict_policy_and_nothing_inline() {
    let [site, served] =
        [site::<Submarine>, served::<Submarine>].map(|it| it(SUBMARINE, "bot", Replays::All));
    for (path, page) in pages(&site).chain(pages(&served)) {
        assert!(page.contains("default-src 'none'; script-src 'self'; style-src 'self';"), "{path}");
        for tag in tags(page) {
            assert!(!tag.contains(" style=") && !tag.contains(" on"), "{path}: {tag}");
        }
        let is_relative = |link: &str| !link.contains(':') && !link.starts_with('/');
        let links: Vec<_> = tags(page).iter().flat_map(|tag| links(tag)).collect();
        assert!(links.len() > 3 && links.iter().all(|link| is_relative(link)), "{path}: {links:?}");
        assert!(page.contains("<main") && page.contains("<h1>") && page.contains("<title>"), "{path}");
    }
}

#[test]
fn the_front_page_says_the_state_and_marks_a_departed_bot() {
    let site = site::<Battleship>(GUIDE, "x", Replays::None);
    let front = &site["index.html"];
    for text in ["<dd>running, 2 of 3 games played</dd>", "<dd>x</dd>", "97.5%", "0.5 of 1"] {
        assert!(front.contains(text), "{text}");
    }
    let departed = front.matches(r#"<span class="tag">departed</span>"#).count();
    assert_eq!(departed, 1);
}

#[test]
fn a_page_of_a_label_has_each_version_and_the_page_of_each_leads_to_it() {
    let site = site::<Battleship>(GUIDE, "x", Replays::None);
    let labels: Vec<_> = site.keys().filter(|path| path.starts_with("labels/")).collect();
    assert_eq!(labels, ["labels/2.html"], "a bot with one version has none");
    let page = &site["labels/2.html"];
    for text in [
        "2 versions have played. Version 1 was the last one: rating &#62; 5 Elo.",
        "<td>1970-01-01</td>",
        "<h3 id=\"change-2\">Version 2 after version 1</h3>",
        "<a href=\"../pairs/1-3.html\">",
        "0.0 (−",
        ">0<small>/1</small></a>",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    let link = |path: &str| site[path].contains("labels/2.html");
    let leading: Vec<_> = pages(&site).map(|(path, _)| path).filter(|path| link(path)).collect();
    assert_eq!(leading, ["bots/2.html", "bots/3.html", "index.html", "pairs/1-2.html", "pairs/1-3.html"]);
}

#[test]
fn whatever_changes_the_page_of_a_game_changes_it_without_its_replay() {
    type Alteration = (&'static str, fn(&mut Contest));
    let changes: &[Alteration] = &[
        ("title", |contest| contest.title = "other".into()),
        ("address", |contest| contest.url = Some("https://example.org/".into())),
        ("journal", |contest| contest.journal.name = "other".into()),
        ("journal in a command", |contest| contest.journal.word = "other".into()),
        ("label of seat 1", |contest| contest.bots[0].label = "other".into()),
        ("label of seat 2", |contest| contest.bots[1].label = "other".into()),
        ("seats", |contest| contest.games[0].seats = [1, 0]),
        ("number", |contest| contest.games[0].number = 7),
        ("version", |contest| contest.conditions.arena = "other".into()),
        ("budget", |contest| contest.conditions.limits.fuel_per_turn += 1),
        ("letters", |contest| contest.columns = "zyx".into()),
    ];
    let (original, transcript) = contest::<Battleship>(PANIC, "x");
    let of = |contest: &Contest| {
        let without = Report::new(contest, Replays::All).game_without_replay::<Battleship>(0);
        (replay(contest, &transcript, "x", Replays::All), without)
    };
    let (page, without) = of(&original);
    for (what, change) in changes {
        let mut contest = original.clone();
        change(&mut contest);
        let (page_now, without_now) = of(&contest);
        assert!(page_now != page, "{what}: the page does not have it");
        assert!(without_now != without, "{what}");
    }
}
