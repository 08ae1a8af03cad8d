//! A class that plays a term as its teacher runs it: invited by a list, with a deadline in each week, announcements, drafts, challenges and a
//! pseudonym, and marks at the end. The clock is set: the club is served twice in each week.

use super::{bots, variant};
use crate::club::{Served, until};
use crate::support::{Place, Run, command};
use serde_json::Value;
use std::env;

/// The variable with the size of a class: pupils, and weeks.
const SIZE: &str = "ARENA_CLUB_CLASS";

/// The names of the first pupils, as a school has them. The others have numbers.
const NAMES: [&str; 8] = ["Ann Lee", "gül", "Łukasz", "李明", "ليلى", "Анна", "Zoë", "Íñigo de la Cruz"];

/// A week in seconds, and the Monday on which the term begins: 2026-09-07, at 00:00 UTC.
const DAY: i64 = 86_400;
const MONDAY: i64 = 1_788_739_200;

/// The weeks before clocks are put back by an hour.
const SUMMER_WEEKS: u32 = 7;

/// A time of a week of the term with the offset of its zone, on a day from 0 for Monday, as an organiser writes it.
fn written(week: u32, day: u32, time: &str) -> String {
    let (mut date, mut month) = (7 + 7 * week + day, 9);
    for days in [30, 31, 30] {
        if date > days {
            (date, month) = (date - days, month + 1);
        }
    }
    let offset = if week < SUMMER_WEEKS { "+02:00" } else { "+01:00" };
    format!("2026-{month:02}-{date:02}T{time}{offset}")
}

/// Serves the club at an hour, in UTC, of a day of a week.
fn serve_at(place: &Place, week: u32, day: i64, hour: i64) -> Served<'_> {
    let args = "club serve --data club --listen 127.0.0.1:0 --jobs 1 --games 4 --neighbours 1 --games-min 2 --rules small.toml";
    let mut command = command(place.folder(), &args.split(' ').collect::<Vec<_>>());
    let time = MONDAY + (7 * i64::from(week) + day) * DAY + hour * 3_600;
    command.env("SOURCE_DATE_EPOCH", time.to_string());
    Served::of(place, &mut command)
}

/// Submits a bot of a pupil, whose token is in a file of this name, and returns the version after its verdict.
fn submit(served: &Served, bot: &str, pupil: &str, options: &str) -> Value {
    let submitted = served.author(&format!("submit {bot} -o json {options}"), pupil).expect_code(0).json();
    served.wait_until(pupil, |latest| latest["id"] == submitted["id"] && latest["state"] != "waiting")
}

/// The standings of the club's pages, by the author: place, points, games and faults.
fn of_pages(served: &Served, author: &str) -> Option<[Value; 4]> {
    let answer = served.get("/api/v1/standings");
    let all: Value = serde_json::from_str(&answer.body).ok()?;
    let row = all.as_array()?.iter().find(|row| row["bot"] == author)?;
    Some(["place", "points", "games", "faults"].map(|key| row[key].clone()))
}

#[test]
fn a_class_by_a_list_plays_a_term_with_weekly_deadlines_and_its_marks_are_its_standings() {
    let size = env::var(SIZE).unwrap_or_else(|_| "8,3".into());
    let numbers: Vec<u32> = size.split(',').map(|it| it.parse().expect("numbers with commas")).collect();
    let [pupils, weeks] = numbers[..] else { panic!("{SIZE} has two numbers") };
    assert!(pupils >= 8 && (3..=15).contains(&weeks), "{size}: no class, or no term");
    let place = Place::empty();
    place.write("small.toml", "name = \"small\"\nwidth = 6\nheight = 6\nfleet = [3, 2, 1]\n");
    let names: Vec<String> = (0..pupils as usize)
        .map(|number| NAMES.get(number).map_or_else(|| format!("pupil {number}"), |name| (*name).to_owned()))
        .collect();
    let rows: String = names.iter().map(|name| format!("{name};red;\n")).collect();
    place.write("class.csv", format!("name;team;e-mail\r\n{rows}"));
    let list = place.arena("club invite --csv class.csv --data club").expect_code(0).stdout;
    place.write("tokens.csv", &list);
    let slips = place.arena("club slips tokens.csv slips.html --to https://club.example.org").expect_code(0);
    assert_eq!(slips.stdout, format!("slips.html: has {pupils} pages\n"));
    let authors: Vec<String> = names.iter().map(|name| arena_club::name_of(name)).collect();
    let files: Vec<String> = (0..pupils).map(|number| format!("token-{number}")).collect();
    for ((line, author), file) in list.lines().skip(1).zip(&authors).zip(&files) {
        let (name, rest) = line.split_once(',').expect("it has two columns");
        assert_eq!(name, *author);
        place.write(file, rest.split(',').next().expect("it has a token"));
    }
    let (bots, mut number) = (bots(), 0_u32);
    let end = written(weeks - 1, 6, "18:00");
    place
        .arena(&format!("club season dates --data club --start {} --end {end}", written(0, 0, "08:00")))
        .expect_code(0);
    for week in 0..weeks {
        let freeze = written(week, 4, "18:00");
        place.arena(&format!("club season dates --data club --freeze {freeze}")).expect_code(0);
        let announced = format!("Week {}: until Friday at six.", week + 1);
        Run::of(&mut command(place.folder(), &["club", "announce", &announced, "--data", "club"]))
            .expect_code(0);
        let served = serve_at(&place, week, 0, 10);
        // A third of the class has a new version in each week.
        let busy: Vec<usize> = (0..pupils).filter(|it| (it + week) % 3 == 0).map(|it| it as usize).collect();
        for &pupil in &busy {
            number += 1;
            let bot = format!("{number}.wasm");
            place.write(&bot, variant(&bots[number as usize % bots.len()], number));
            let (file, other) = (&files[pupil], &authors[busy[0]]);
            if week > 0 && pupil == busy[1] {
                let draft = submit(&served, &bot, file, &format!("--challenge {other}"));
                assert_eq!(draft["state"], "draft", "{draft}");
                let played = served.wait_until(file, |it| it["challenges"][0]["progress"] != "waiting");
                assert_eq!(played["challenges"][0]["progress"], "played", "{played}");
                assert!(played["standing"].is_null(), "its games count for nothing: {played}");
            }
            let version = submit(&served, &bot, file, "");
            assert_eq!(version["state"], "plays", "{} is charged for {version}", authors[pupil]);
        }
        let notice = served.author("mine", &files[0]).expect_code(0).stderr;
        assert!(notice.contains(&announced) && notice.contains("bots until Friday"), "{notice}");
        served.interrupt();

        // On Friday evening, it is too late.
        let served = serve_at(&place, week, 4, 18);
        place.write("late.wasm", variant(&bots[0], 1_000_000));
        let late = served.submit("late.wasm", &files[busy[0]]).expect_code(2).stderr;
        assert!(late.contains(&format!("it is frozen since {}", &freeze[..10])), "{late}");
        let is_done = || busy.iter().all(|&it| served.mine(&files[it])[0]["awaits-games"] == false);
        // A whole class has many games to play.
        assert!(
            (0..5).any(|_| until(is_done)),
            "the bots that play go on until all games of the week are played"
        );
        served.interrupt();
    }

    // After the end, nothing moves any more, and the marks are those of the standings.
    let served = serve_at(&place, weeks - 1, 6, 20);
    served.wait_for_page("/", "Announcements");
    let chosen = served.author("mine --pseudonym falcon", &files[0]).expect_code(0).stderr;
    assert!(chosen.contains("the pages show falcon"), "{chosen}");
    assert!(until(|| of_pages(&served, "falcon").is_some()), "the pages have the pseudonym");
    let marks = place.arena("club export --data club --mark percentile -o json").expect_code(0).json();
    let marks = marks.as_array().expect("a list");
    assert_eq!(marks.len(), pupils as usize);
    let journal = place.arena("standings club/season.db -o json").expect_code(0).json();
    for (index, row) in marks.iter().enumerate() {
        let author = row["author"].as_str().expect("it has a name");
        let shown_as = if author == authors[0] { "falcon" } else { author };
        let own = ["place", "points", "games", "faults"].map(|key| row[key].clone());
        assert_eq!(of_pages(&served, shown_as), Some(own.clone()), "{author}");
        assert_eq!((&own[0], &own[3]), (&(index + 1).into(), &0.into()), "{row}");
        let behind = pupils as usize - 1 - index;
        let mark = (200 * behind + pupils as usize - 1) / (2 * (pupils as usize - 1));
        assert_eq!(row["mark"], mark.to_string(), "{row}");
        let number = authors.iter().position(|it| it == author).expect("it is a pupil") + 1;
        // The journal has all versions: `author.7` and `author.7@1`.
        let is_own = |it: &&Value| {
            let bot = it["bot"].as_str().expect("it has a label");
            bot.split('@').next() == Some(&format!("author.{number}"))
        };
        let played = journal["standings"].as_array().expect("a list").iter().filter(is_own);
        let figures: Vec<_> = played.map(|it| [&it["points"], &it["games"], &it["faults"]]).collect();
        assert!(figures.contains(&[&own[1], &own[2], &own[3]]), "{author}: {own:?}, {figures:?}");
    }
    let csv = place.arena("club export --data club --mark percentile -o csv").expect_code(0).stdout;
    let in_order: Vec<_> = csv.lines().skip(1).map(|line| line.split(',').next()).collect();
    let expected: Vec<_> = marks.iter().map(|row| row["author"].as_str()).collect();
    assert_eq!(in_order, expected, "the table for a spreadsheet has the same order");
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);
}
