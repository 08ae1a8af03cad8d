//! A season of two stages as its pages tell it: who met whom, who won, what failed, and where each link leads.

mod limits;

use super::{Contest, Game, PANIC, RankedBot, Replays, Site, contest, facts};
use arena_engine::Rating;
use arena_engine::internals::kept_games::StageEnd;
use arena_league::{
    DecidedBy, Format, KnockoutMatch, MeanScore, Placings, RatedGame, Score, Side, Standings, SwissPlacing,
};
use arena_pages::{Change, Facts, History, Report};
use arena_record::{Disqualified, FaultCount, GameResult, Transcript};
use arena_referee::FaultClass;
use arena_rules::battleship::Battleship;
use arena_rules::{Outcome, Reason, Seat};

/// The labels, by bot. The standings have them in another order.
const LABELS: [&str; 7] = ["ann", "ben@1", "cat", "dan", "eve", "fay", "ben"];

/// The bots, best first.
const ORDER: [usize; 7] = [6, 0, 5, 2, 1, 4, 3];

/// The time of the first game: noon of 2026-01-31.
const BEGAN: i64 = 1_769_860_800;

fn bot(label: &str) -> usize {
    LABELS.iter().position(|known| *known == label).unwrap()
}

/// A word as formats have it.
fn word<T: serde::de::DeserializeOwned>(word: &str) -> T {
    serde_json::from_value(word.into()).unwrap()
}

/// A game of a line of the file.
fn game(number: usize, line: &str) -> Game {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [stage, hours, first, second, outcome, rest @ ..] = &words[..] else { panic!("{line}") };
    let outcome = match *outcome {
        "1-0" => Some(Outcome::Win(Seat::First)),
        "0-1" => Some(Outcome::Win(Seat::Second)),
        "½-½" => Some(Outcome::Draw),
        "0-0" => Some(Outcome::NoContest),
        _ => None,
    };
    let result = outcome.map(|outcome| {
        let [reason, one, two, faults @ ..] = rest else { panic!("{line}") };
        let fault = |fault: &&str| {
            let [seat, class, count, first_turn] = fault.split(':').collect::<Vec<_>>()[..] else {
                panic!("{fault}")
            };
            let seat = if seat == "1" { Seat::First } else { Seat::Second };
            let fault = FaultCount {
                count: count.parse().unwrap(),
                first_turn: first_turn.parse().unwrap(),
                detail: format!("detail of {class}").as_str().into(),
                stack: Vec::new(),
            };
            ((seat, word::<FaultClass>(class)), fault)
        };
        GameResult {
            outcome,
            reason: word::<Reason>(reason),
            scores: None,
            turns: [one, two].map(|turns| turns.parse().unwrap()),
            fuel: [1_000, 2_000],
            faults: faults.iter().map(fault).collect(),
            reproducible: true,
        }
    });
    Game {
        number,
        seats: [bot(first), bot(second)],
        result: result.map(Into::into),
        is_played: *stage != "-",
        stage: stage.parse().ok(),
        at: hours.parse().ok().map(|hours: i64| BEGAN + 3_600 * hours),
    }
}

/// The season, with the facts about its games: each is told as that of a recording with a panic.
fn season() -> (Contest, Transcript<Battleship>) {
    let (contest, transcript) = contest::<Battleship>(PANIC, "x");
    let lines = include_str!("../data/season.txt").lines().filter(|line| !line.starts_with('#'));
    let games: Vec<Game> = (1..).zip(lines).map(|(number, line)| game(number, line)).collect();
    let mut standings = Standings::new(LABELS.len());
    let mut rated = Vec::new();
    for game in &games {
        let Some(result) = &game.result else { continue };
        let score = match result.outcome {
            Outcome::Win(Seat::First) => Score::Win(Side::First),
            Outcome::Win(Seat::Second) => Score::Win(Side::Second),
            Outcome::Draw => Score::Draw,
            Outcome::NoContest => Score::NoContest,
        };
        standings.add(game.seats, score, Seat::BOTH.map(|seat| result.fault_count(seat)));
        rated.extend(game.played().map(|_| RatedGame { seats: game.seats, pair: 0, score }));
    }
    let rating = |elo, low, high| Some(Rating { elo, low, high });
    let row = |(place, bot): (usize, usize)| RankedBot {
        // Bots 1 and 2 have left.
        place: [Some(1), Some(2), Some(3), None, None, Some(4), Some(5)][place],
        mean_score: (place < 2)
            .then(|| MeanScore { mean: 61.25 - 70.0 * place as f64, error: (bot > 0).then_some(3.5) }),
        rating: [
            rating(Some(120.4), Some(20.1), Some(220.7)),
            rating(Some(80.0), Some(-12.0), Some(172.0)),
            rating(Some(0.0), Some(0.0), Some(0.0)),
            rating(Some(-15.2), Some(-90.0), Some(59.6)),
            rating(None, None, Some(-30.5)),
            None,
            rating(None, Some(-400.0), None),
        ][place],
        los: [Some(0.75), Some(0.9996), Some(0.5), None, None, None, None][place],
        newest: if bot == 1 { 6 } else { bot },
        change: [Some(Change::New), Some(Change::By(-12.34)), Some(Change::By(0.0)), None, None, None, None]
            [place],
        score: standings.rows()[bot].clone(),
    };
    let elo = |elo: f64| Rating { elo: Some(elo), low: Some(elo - 50.0), high: Some(elo + 50.0) };
    let at = |games: usize, ratings: &[(usize, f64)]| {
        (games, ratings.iter().map(|&(bot, it)| (bot, elo(it))).collect())
    };
    let contest = Contest {
        format: Format::Swiss { rounds: 5 },
        max_faults: Some(2),
        bots: LABELS
            .iter()
            .enumerate()
            .map(|(index, label)| arena_record::BotId {
                label: (*label).into(),
                name: format!("name of {label}").as_str().into(),
                sha256: format!("{index:064}").into(),
            })
            .collect(),
        standings: ORDER.into_iter().enumerate().map(row).collect(),
        history: Some(History {
            bots: vec![6, 0, 5],
            points: vec![
                at(5, &[(0, 40.0), (1, -40.0), (5, 0.0)]),
                at(10, &[(0, 90.0), (6, 100.0), (5, 0.0)]),
                at(14, &[(0, 80.0), (6, 120.4), (5, 0.0)]),
            ],
            stages: vec![7],
        }),
        first_seat: Some("+12 ± 40".into()),
        notes_on_bots: vec!["a note on the anchor".into()],
        ratings: arena_league::rate(LABELS.len(), rated),
        placings: Some(Placings::Swiss(vec![
            SwissPlacing {
                contestant: 6,
                place: 1,
                half_points: 8,
                buchholz_half_points: 9,
                wins: 3,
                byes: 1,
                games_without_result: 0,
            },
            SwissPlacing { contestant: 3, place: 2, ..SwissPlacing::default() },
        ])),
        games_planned: 1_020,
        dates: Some(["2026-01-31T12:00:00Z", "2026-02-10T17:00:00Z"].map(str::to_owned)),
        disqualified: vec![Disqualified {
            contestant: 3,
            after_game: 5,
            class: FaultClass::Trap,
            detail: "detail of trap".into(),
        }],
        components: vec![0, 6],
        stages: [7, 7].map(|games| StageEnd { begun: None, games, head: None }).into(),
        games,
        ..contest
    };
    (contest, transcript)
}

/// The pages of a contest, whose games are all told as this recording.
fn pages(contest: &Contest, transcript: &Transcript<Battleship>, replays: Replays) -> Site {
    let mut facts_of_all = Facts::new(contest);
    (0..contest.games.len()).for_each(|index| facts_of_all.add(contest, index, facts(transcript).unwrap()));
    let mut site = Site::new();
    let put = |page: arena_pages::Page| {
        if page.path.ends_with(".html") {
            site.insert(page.path, String::from_utf8(page.bytes).unwrap());
        }
        Ok(())
    };
    Report::new(contest, replays).pages::<Battleship, ()>(&facts_of_all, None, put).unwrap();
    site
}

/// What these pages say: see [`words`].
fn site(contest: &Contest, transcript: &Transcript<Battleship>, replays: Replays) -> Site {
    pages(contest, transcript, replays).into_iter().map(|(path, page)| (path, words(&page))).collect()
}

/// The pictures of a page: the name and the places of each line, bar and text.
fn pictures(page: &str) -> String {
    let pictures = page.split("<svg ").skip(1).map(|picture| {
        let (picture, _) = picture.split_once("</svg>").unwrap();
        let looks =
            ["fill", "opacity", "stroke", "font-family", "font-size"].map(|look| format!("{look}=\""));
        let is_place = |part: &&str| !looks.iter().any(|look| part.starts_with(look));
        let lines = picture.lines().skip(1).filter(|line| !line.starts_with("</"));
        let lines = lines.map(|line| line.split(' ').filter(is_place).collect::<Vec<_>>().join(" "));
        lines.collect::<Vec<_>>().join("\n")
    });
    pictures.collect::<Vec<_>>().join("\n\n")
}

/// What a page says: its words, a line for each row or paragraph, with the targets of links and the classes that have a number.
/// Pictures are left out.
fn words(page: &str) -> String {
    let (_, body) = page.split_once("<main").unwrap();
    let (body, _) = body.split_once("</main>").unwrap();
    let mut text = String::new();
    let mut rest = body.split_once('>').unwrap().1;
    while let Some((before, after)) = rest.split_once('<') {
        let is_spaced = |end: Option<char>| if end.is_some_and(char::is_whitespace) { " " } else { "" };
        let middle = before.split_whitespace().collect::<Vec<_>>().join(" ");
        text += &[is_spaced(before.chars().next()), &middle, is_spaced(before.chars().last())].concat();
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        if name == "svg" {
            rest = rest.split_once("</svg>").unwrap().1;
            text += "(picture)";
        }
        let value =
            |attribute: &str| Some(attributes.split_once(&format!("{attribute}=\""))?.1.split_once('"')?.0);
        text += match name {
            "tr" | "p" | "li" | "h1" | "h2" | "h3" | "dt" | "figure" | "div" | "summary" | "pre" => "\n",
            "td" | "th" | "dd" => " | ",
            _ => "",
        };
        text.extend(value("href").map(|link| format!("[{link}]")));
        text.extend(value("data-by").map(|by| format!("{{{by}}}")));
        let classes = value("class").unwrap_or_default().split(' ');
        let is_telling = |class: &&str| class.ends_with(|c: char| c.is_ascii_digit()) || *class == "won";
        text.extend(classes.filter(is_telling).map(|class| format!("<{class}>")));
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n").replace("&#62;", ">").replace("&#60;", "<").replace("&#38;", "&")
}

#[track_caller]
fn check(name: &str, site: &Site, pages: &[&str]) {
    let pages = pages.iter().map(|page| format!("=== {page}\n{}", site[*page]));
    insta::assert_snapshot!(name, pages.collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn the_pages_of_a_season_say_who_met_whom_and_how_it_ended() {
    let (contest, transcript) = season();
    let of_season = site(&contest, &transcript, Replays::Most(4));
    check("front", &of_season, &["index.html"]);
    check("bots", &of_season, &["bots/1.html", "bots/4.html", "bots/7.html"]);
    check(
        "labels_and_pairs",
        &of_season,
        &["labels/2.html", "pairs/1-7.html", "pairs/1-3.html", "pairs/4-5.html", "replays.html"],
    );
}

#[test]
fn half_of_the_points_are_half_as_dark_as_all_of_them() {
    let (contest, transcript) = season();
    let fay = &site(&contest, &transcript, Replays::None)["bots/6.html"];
    assert!(fay.contains("eve | 0.5 | 2 | <h4>50.0% | 0 | 1 | 0"), "{fay}");
}

#[test]
fn a_seat_without_a_win_has_a_line_and_draws_have_one_only_if_there_are_any() {
    let (contest, transcript) = season();
    let games = contest.games[..2].to_vec();
    let front = &site(&Contest { games, ..contest }, &transcript, Replays::None)["index.html"];
    assert!(front.contains("seat 1 | 2 | 100.0%") && front.contains("seat 2 | 0 | 0.0%"), "{front}");
    assert!(!front.contains("nobody: a draw"), "{front}");
}

#[test]
fn a_game_that_ended_a_week_before_the_latest_one_is_not_of_the_last_seven_days() {
    let (contest, transcript) = season();
    let [mut long, mut short] = [0, 6].map(|index: usize| contest.games[index].clone());
    for (hours, longest) in [(168, 21), (167, 41)] {
        (long.at, short.at) = (Some(BEGAN), Some(BEGAN + 3_600 * hours));
        let games = vec![long.clone(), short.clone()];
        let contest = Contest { games, ..season().0 };
        let front = &site(&contest, &transcript, Replays::None)["index.html"];
        let (_, game) = front.split_once("Longest game of the last seven days").expect("it is there");
        assert!(game.lines().nth(2).is_some_and(|line| line.contains(&format!("{longest} turns"))), "{game}");
    }
}

#[test]
fn the_pages_of_a_closed_knockout_at_a_club_have_its_bracket_and_how_to_verify_it() {
    let (contest, transcript) = season();
    let match_of = |round, contestants, winner, half_points, decided_by| KnockoutMatch {
        round,
        contestants,
        half_points,
        tie_break_pairs: 0,
        games_without_result: 0,
        winner,
        decided_by,
    };
    let matches = vec![
        match_of(1, [0, 1], 0, [2, 0], DecidedBy::Points),
        match_of(2, [0, 2], 2, [1, 1], DecidedBy::Turns),
        match_of(3, [2, 6], 6, [0, 3], DecidedBy::TieBreak),
    ];
    let contest = Contest {
        format: Format::Knockout,
        placings: Some(Placings::Knockout { places: Vec::new(), matches }),
        served: Some(2),
        games_planned: 14,
        is_complete: true,
        is_closed: true,
        max_faults: None,
        components: Vec::new(),
        ..contest
    };
    let site = site(&contest, &transcript, Replays::All);
    check("knockout", &site, &["index.html", "season.html", "projector.html"]);
}

#[test]
fn the_pictures_of_a_season_have_their_lines_and_bars_where_the_figures_are() {
    let (contest, transcript) = season();
    let pages = pages(&contest, &transcript, Replays::None);
    let pictures = ["index.html", "bots/1.html"].map(|page| pictures(&pages[page]));
    insta::assert_snapshot!("pictures", pictures.join("\n\n"));
}

#[test]
fn the_front_page_shows_the_latest_clean_win_between_the_bots_with_the_best_places() {
    let (contest, transcript) = season();
    let report = Report::new(&contest, Replays::All);
    let best = report.best_game().expect("there are wins on the board");
    let place = |bot: usize| ORDER.iter().position(|&of| of == bot).unwrap();
    let sum = |index: usize| contest.games[index].seats.map(place).iter().sum::<usize>();
    let is_clean = |index: &usize| {
        let result = contest.games[*index].played();
        result.is_some_and(|result| result.is_won_on_board() && result.faults().is_empty())
    };
    let others = (0..contest.games.len()).filter(is_clean);
    assert!(
        is_clean(&best)
            && others
                .filter(|&other| other != best)
                .all(|other| (sum(best), best) != (sum(other), other)
                    && (sum(best) < sum(other) || best > other)),
        "{best}"
    );
    let positions = arena_pictures::frames(&transcript, [None, None]).unwrap();
    let shown = report.best(best, &transcript, positions);
    let mut front = String::new();
    let put = |page: arena_pages::Page| {
        if page.path == "index.html" {
            front = String::from_utf8(page.bytes).unwrap();
        }
        Ok(())
    };
    report.pages::<Battleship, ()>(&Facts::new(&contest), Some(&shown), put).unwrap();
    let link = format!("The whole replay of game {}", contest.games[best].number);
    assert!(front.contains(&link) && front.contains("<td class=\"ship "), "{front}");
    assert!(front.contains("id=\"best-data\"") && front.len() < 100_000, "{} bytes", front.len());
    assert_eq!(Report::new(&contest, Replays::None).best_game(), None);
}
