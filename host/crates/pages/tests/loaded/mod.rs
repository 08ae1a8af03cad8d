//! The pages of a contest in a game that draws itself.

#[path = "../../../tui/tests/common/pile.rs"]
mod pile;

use crate::hostile::check_same;
use crate::{contest_of, pages, position, site_of, tags};
use arena_pages::{Contest, Replays, Report};
use arena_pictures::{Frame, Picture};
use arena_record::{BotId, Conditions, FORMAT, Header, Limits, Seated, Transcript};
use arena_referee::{GamePlan, RandomPlayer, play_game};
use arena_rules::loaded::Loaded;
use arena_rules::{Listed, Seat};
use proptest::prelude::*;

/// A game between two random players, in which a side has a fault or not.
fn game() -> Transcript<Loaded> {
    let rules = pile::rules(&[("hidden", 1)]);
    let bot =
        |number: u64| BotId { label: "b".into(), name: "b".into(), sha256: format!("{number:064}").into() };
    let header = Header {
        arena_transcript: FORMAT,
        conditions: Conditions {
            arena: "0.1.0".into(),
            wasmtime: "0".into(),
            engine: "none".into(),
            rules: rules.clone(),
            limits: Limits { fuel_per_turn: 300_000_000, memory_bytes: 0 },
            seed: 1.into(),
        },
        contract: "".into(),
        game: 1,
        bots: [1, 2].map(|number| Seated { bot: bot(number), seed: number }),
        fleet_seed: 3,
        starter: Seat::First,
    };
    let rules = Loaded::rules(&rules).unwrap();
    let plan = GamePlan {
        rules,
        fuel_per_turn: 300_000_000,
        side_seeds: [1, 2],
        fleet_seed: 3,
        starter: Seat::First,
        score_wall_clock: false,
    };
    let [mut one, mut two] = [1, 2].map(|seed| RandomPlayer::<Loaded>::new(rules, seed));
    let mut events = Vec::new();
    play_game(&plan, [&mut one, &mut two], &mut |event| events.push(event)).unwrap();
    Transcript { header, events }
}

fn contest(text: &str) -> (Contest, Transcript<Loaded>) {
    contest_of(game(), text)
}

/// The page of the game with these pictures, one after the other; the last one stays.
fn page(pictures: &[String]) -> String {
    let (contest, transcript) = contest("x");
    let positions = (0..=transcript.events.len()).map(|index| Frame {
        pictures: [pictures[index.min(pictures.len() - 1)].as_str().into(), "one".into(), "two".into()],
        ..position([Picture::default(), Picture::default()], "x")
    });
    let [page, _] = Report::new(&contest, Replays::All).game(0, &transcript, positions);
    String::from_utf8(page.bytes).unwrap()
}

/// The data of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"replay-data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// The picture that a page shows without scripts.
fn shown(page: &str) -> &str {
    let (_, rest) = page.split_once("id=\"picture\"").unwrap();
    let (_, rest) = rest.split_once(">\n").unwrap();
    rest.split_once("</pre>").unwrap().0
}

#[test]
fn no_hostile_picture_or_text_is_more_than_text() {
    let texts = include_str!("../data/hostile.txt").lines().filter(|line| !line.starts_with('#'));
    let plain = site_of(contest("xxx"), "xxx", Replays::All);
    for text in texts {
        check_same(&plain, &site_of(contest(text), text, Replays::All), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_picture_is_more_than_text(text in "[<>&'\"/=!\\-a-z \\\\`{}%\n]{3,60}") {
        let plain = page(&["x".into()]);
        let page = page(std::slice::from_ref(&text));
        prop_assert_eq!(tags(&page), tags(&plain));
        let data = data(&page);
        let lines = data["pictures"][0].as_array().unwrap().iter();
        let lines: Vec<_> =
            lines.map(|line| data["lines"][line.as_u64().unwrap() as usize].as_str().unwrap()).collect();
        prop_assert_eq!(lines, text.lines().collect::<Vec<_>>());
    }
}

#[test]
fn a_page_has_each_picture_once_and_the_last_one_without_scripts() {
    let page = page(&["a\nb".into(), "a\nc".into(), "a\nb".into(), "end <&>".into()]);
    assert_eq!(shown(&page), "end &#60;&#38;&#62;");
    let data = data(&page);
    assert_eq!(data["lines"], serde_json::json!(["a", "b", "one", "two", "c", "end <&>"]));
    assert_eq!(data["pictures"], serde_json::json!([[0, 1], [2], [3], [0, 4], [5]]));
    let places: Vec<_> = data["frames"].as_array().unwrap().iter().map(|frame| frame["i"].clone()).collect();
    let [from, to] = [[0, 1, 2], [3, 1, 2]].map(|places| serde_json::json!(places));
    assert_eq!(places[..4], [from.clone(), to, from, serde_json::json!([4, 1, 2])]);
    assert!(places[4..].iter().all(serde_json::Value::is_null), "it stays");
    assert!(!page.contains("cut after") && !page.contains("left out, because"), "all is shown");
}

#[test]
fn a_page_has_each_line_of_a_drawing_once_and_the_policy_lets_it_show_images_of_its_own() {
    let (contest, transcript) = contest("x");
    let positions = (0..=transcript.events.len()).map(|index| {
        let svg: std::sync::Arc<str> =
            format!("<svg>\n<g>\n{}</svg>\n", "</g>\n".repeat(index.min(1))).into();
        let drawings = [Some(std::sync::Arc::clone(&svg)), Some(svg), None];
        Frame { drawings, ..position([Picture::default(), Picture::default()], "x") }
    });
    let [drawn, _] = Report::new(&contest, Replays::All).game(0, &transcript, positions);
    let drawn = String::from_utf8(drawn.bytes).unwrap();
    assert!(drawn.contains("img-src 'self' data:;") && drawn.contains("<img class=\"drawing\""), "{drawn}");
    let data = data(&drawn);
    assert_eq!(data["drawings"]["lines"], serde_json::json!(["<svg>", "<g>", "</svg>", "</g>"]));
    assert_eq!(data["drawings"]["pictures"], serde_json::json!([[0, 1, 2], [0, 1, 3, 2]]));
    let places: Vec<_> = data["frames"].as_array().unwrap().iter().map(|frame| frame["g"].clone()).collect();
    let [first, second] = [0, 1].map(|place| serde_json::json!([place, place, null]));
    assert_eq!(places[..2], [first, second]);
    assert!(places[2..].iter().all(serde_json::Value::is_null), "it stays");
    let plain = page(&["a".into()]);
    assert!(self::data(&plain)["drawings"].is_null() && self::data(&plain)["frames"][0]["g"].is_null());
}

#[test]
fn a_page_shows_a_part_of_a_large_picture_and_says_so() {
    let row = "x".repeat(1_000);
    let page = page(&[format!("{row}\n").repeat(300)]);
    let shown: Vec<&str> = shown(&page).lines().collect();
    assert_eq!((shown.len(), shown[0].len()), (200, 400));
    assert!(
        page.contains("Pictures are cut after 200 rows and 400 columns. A terminal shows them whole."),
        "{page}"
    );
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

#[test]
fn pictures_for_which_a_page_has_no_room_are_left_out_but_not_the_last_one_without_scripts() {
    let row = |number: usize| format!("{}{number:010}\n", "数".repeat(390));
    let picture = |seed: usize| (0..200).map(|place| row(seed * 1_000 + place)).collect::<String>();
    // A picture has 240 KB, and a page has room for eight that have no common line.
    let pictures: Vec<String> = (0..game().events.len() * 4 + 1).map(picture).collect();
    let (contest, transcript) = contest("x");
    let positions = (0..=transcript.events.len()).map(|index| Frame {
        pictures: [0, 1, 2].map(|viewer| pictures[index * 3 + viewer].as_str().into()),
        ..position([Picture::default(), Picture::default()], "x")
    });
    let [page, _] = Report::new(&contest, Replays::All).game(0, &transcript, positions);
    let page = String::from_utf8(page.bytes).unwrap();
    let count = 3 * (transcript.events.len() + 1);
    let data = data(&page);
    let kept = data["pictures"].as_array().unwrap().len();
    assert!(kept < count, "{kept} of {count}");
    assert!(page.contains(&format!("{} pictures are left out", count - kept)), "{kept} of {count}");
    assert!(page.len() < 5 << 20, "{} bytes", page.len());
    assert!(data["frames"][transcript.events.len()]["i"][0].is_null(), "the last one has no room");
    assert_eq!(
        format!("{}\n", shown(&page)),
        pictures[3 * transcript.events.len()],
        "it is shown nevertheless"
    );
}

#[test]
fn no_page_has_a_word_about_ships() {
    let site = site_of(contest("x"), "x", Replays::All);
    for (path, page) in pages(&site) {
        let (page, _) = page.split_once("<script type=\"application/json\"").unwrap_or((page, ""));
        let page = page.to_lowercase();
        for word in
            ["ship", "shot", "shoot", "fleet", "sunk", "sink", "afloat", "deploy", "both hit", "boards above"]
        {
            assert!(!page.contains(word), "{path}: {word}");
        }
    }
    for gone in ["id=\"chance\"", "id=\"heat\"", "id=\"which\"", "class=\"board\"", "and signs"] {
        assert!(!site["games/1.html"].contains(gone), "{gone}");
    }
}

#[test]
fn the_front_page_has_the_game_with_its_options_and_endings() {
    let site = site_of(contest("x"), "x", Replays::None);
    let front = &site["index.html"];
    for text in [
        "2 games between 3 bots of pile 1.2.3, round-robin, 1 game a match.",
        "<dt>Game</dt><dd>pile 1.2.3</dd>",
        &format!("<dd>{}</dd>", "ab".repeat(32)),
        "<summary>The options of the game</summary>",
        "<dt>hidden</dt><dd>1 (0 to 1): the number for hidden</dd>",
        "<th scope=\"row\">took last: the last one is taken</th>",
    ] {
        assert!(front.contains(text), "{text}");
    }
}
