//! The pages of the report in a real Chromium: from disk and from a web server, with mouse and keyboard, on screens of several sizes.

mod browser;
mod server;
mod support;

use browser::{Browser, LAPTOP, Look, PHONE, PROJECTOR};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use support::{Place, Requirements};
use thirtyfour::prelude::*;

/// A page of each kind. Only a season has that of a label.
const PAGES: [&str; 6] = [
    "index.html",
    "replays.html",
    "bots/1.html",
    "pairs/1-2.html",
    "labels/1.html",
    "games/1.html#seat1-turn20",
];

/// Runs a test in a browser, if there is one. The browser is closed even if the test fails.
fn in_browser(look: Look, test: impl AsyncFnOnce(&Browser)) {
    if !Requirements::is_here() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let browser = runtime.block_on(Browser::start(look));
    let tested = catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(&browser))));
    runtime.block_on(browser.quit());
    if let Err(panic) = tested {
        resume_unwind(panic);
    }
}

/// The rows of both boards on the page of a game, side by side, without spaces and frames.
const ROWS: &str = r#"
    const boards = [...document.querySelectorAll("table.board")].map((board) => [...board.querySelectorAll("tbody tr")]);
    return boards[0].map((row, index) => (row.textContent + boards[1][index].textContent).replace(/\s/g, ""));
"#;

/// The boards after each event as `arena replay --headless` prints them, in the same form.
fn headless(place: &Place, game: u32) -> Vec<Vec<String>> {
    let printed = place.arena(&format!("replay --journal arena.db {game} --headless"));
    let plain = |line: &str| line.replace([' ', '[', ']', ':'], "");
    let is_row = |line: &&str| line.get(..2).is_some_and(|start| start.trim_start().parse::<u8>().is_ok());
    let boards = printed.split("\n\n").map(|block| block.lines().filter(is_row).map(plain).collect());
    boards.filter(|rows: &Vec<String>| !rows.is_empty()).collect()
}

#[test]
fn pages_open_from_disk_and_from_a_server_without_errors_or_requests_elsewhere() {
    in_browser(LAPTOP, async |browser: &Browser| {
        let place = Place::with_a_season();
        let host = server::serve(&place.path("site"));
        for site in [place.page("").trim_end_matches('/').to_owned(), host] {
            for page in PAGES {
                assert!(place.has_page(page), "{page}");
                browser.driver.goto(format!("{site}/{page}")).await.expect("it opens");
                let heading: String = browser.run("return document.querySelector('h1').textContent").await;
                assert!(!heading.is_empty(), "{page}");
                let colour: String =
                    browser.run("return getComputedStyle(document.body).backgroundColor").await;
                assert_eq!(colour, "rgb(252, 252, 250)", "{page} has its style");
                if page.starts_with("games/") {
                    let plays: bool = browser.run("return !document.querySelector('.controls').hidden").await;
                    assert!(plays, "{site}/{page} has run its script");
                }
                let messages = browser.messages().await;
                assert!(messages.is_empty(), "{site}/{page}: {messages:?}");
                let requests = browser.requests().await;
                let elsewhere: Vec<_> = requests.iter().filter(|url| !url.starts_with(&site)).collect();
                assert!(elsewhere.is_empty() && !requests.is_empty(), "{site}/{page}: {elsewhere:?}");
            }
        }
    });
}

/// Steps through a game with the keyboard, and compares each board with those of the terminal.
async fn compare_each_step(browser: &Browser, place: &Place) {
    browser.driver.goto(place.page("games/1.html")).await.expect("it opens");
    let expected = headless(place, 1);
    assert!(expected.len() > 10);
    browser.press(Key::Home + "").await;
    for (step, rows) in expected.iter().enumerate() {
        browser.press(Key::Right + "").await;
        let shown: Vec<String> = browser.run(ROWS).await;
        assert_eq!(&shown, rows, "after step {}", step + 1);
    }
    browser.press(Key::Right + "").await;
    let status: String = browser.run("return document.getElementById('status').textContent").await;
    assert!(status.contains(" wins: "), "{status}");
    let shown: Vec<String> = browser.run(ROWS).await;
    assert_eq!(Some(&shown), expected.last());
}

#[test]
fn each_step_of_a_replay_has_the_boards_of_the_terminal() {
    in_browser(LAPTOP, async |browser: &Browser| {
        compare_each_step(browser, &Place::with_a_contest()).await;
        compare_each_step(browser, &Place::with_submarine()).await;
        assert!(browser.messages().await.is_empty());
    });
}

#[test]
fn a_replay_is_played_paused_and_scrubbed() {
    in_browser(LAPTOP, async |browser: &Browser| {
        let place = Place::with_a_contest();
        browser.driver.goto(place.page("games/1.html")).await.expect("it opens");
        let position = "return Number(document.getElementById('scrub').value)";
        let last: u32 = browser.run(&position.replace("value", "max")).await;
        browser.press("+").await;
        browser.press(" ").await;
        let label: String = browser.run("return document.getElementById('play').textContent").await;
        assert_eq!(label, "Pause");
        let live: String =
            browser.run("return document.getElementById('status').getAttribute('aria-live')").await;
        assert_eq!(live, "off", "a screen reader does not hear every turn of a running game");
        let mut played = 0;
        for _ in 0..100 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            played = browser.run(position).await;
            if played > 2 {
                break;
            }
        }
        browser.click("play").await;
        assert!(played > 2 && played < last, "{played} of {last}");
        let (before, after): (u32, u32) = (browser.run(position).await, {
            tokio::time::sleep(std::time::Duration::from_millis(600)).await;
            browser.run(position).await
        });
        assert_eq!(before, after, "it is paused");
        // Once the position rests, the address names the turn.
        let link: String = browser.run("return location.hash").await;
        assert!(link.starts_with("#seat"), "{link}");
        let scrub = browser.driver.find(By::Id("scrub")).await.expect("there is a slider");
        scrub.click().await.expect("the middle of it is clicked");
        let middle: u32 = browser.run(position).await;
        assert!(middle.abs_diff(last / 2) <= 2, "{middle} of {last}");
    });
}

#[test]
fn links_lead_to_a_turn_and_keys_change_the_view() {
    in_browser(LAPTOP, async |browser: &Browser| {
        let place = Place::with_a_contest();
        browser.driver.goto(place.page("games/1.html#seat2-turn7")).await.expect("it opens");
        let status = "return document.getElementById('status').textContent";
        let words: String = browser.run(status).await;
        assert!(words.starts_with("turn 7: random "), "{words}");
        let ships = "return document.querySelectorAll('table.board[data-owner=\"2\"] td.ship').length";
        let all: u32 = browser.run(ships).await;
        assert!(all > 0);
        browser.press("b").await;
        let seen: u32 = browser.run(ships).await;
        assert_eq!(seen, 0, "seat 1 does not see the ships of seat 2");
        let own: u32 = browser.run(&ships.replace("\\\"2", "\\\"1").replace("=\"2\"", "=\"1\"")).await;
        assert!(own > 0, "seat 1 sees its own");
        browser.press("g").await;
        let focus: String = browser.run("return document.activeElement.id").await;
        assert_eq!(focus, "goto");
        browser.press("30").await;
        browser.press(Key::Enter + "").await;
        let words: String = browser.run(status).await;
        assert!(words.starts_with("turn 30: "), "{words}");
        browser.driver.goto(place.page("games/1.html")).await.expect("it opens");
        let mut reached = Vec::new();
        for _ in 0..12 {
            browser.press(Key::Tab + "").await;
            reached.push(browser.run::<String>("return document.activeElement.id").await);
        }
        for control in ["scrub", "first", "back", "play", "forward", "final"] {
            assert!(reached.iter().any(|id| id == control), "{control} is not reached by Tab: {reached:?}");
        }
    });
}

/// The bots of the standings that are shown, in their order.
const SHOWN: &str = "return [...document.querySelectorAll('#standings-table tbody')].filter((group) => !group.hidden).map((group) => \
                     group.querySelector('th a').textContent)";

/// The column by which the standings are sorted, and the direction.
const SORTED: &str = "return [...document.querySelectorAll('#standings-table th[aria-sort]')].map((it) => \
                      it.textContent.replace('\u{ad}', '') + ' ' + it.getAttribute('aria-sort'))";

#[test]
fn the_standings_are_sorted_and_searched_with_the_keyboard_and_the_mouse() {
    in_browser(LAPTOP, async |browser: &Browser| {
        let place = Place::with_a_season();
        browser.driver.goto(place.page("index.html")).await.expect("it opens");
        let by_place: Vec<String> = browser.run(SHOWN).await;
        assert_eq!(by_place.len(), 3, "one row for each label: {by_place:?}");
        let sorted: Vec<String> = browser.run(SORTED).await;
        assert_eq!(sorted, ["Place ascending"]);

        let heading = "return [...document.querySelectorAll('#standings-table thead button')].find((it) => it.textContent === 'Bot').focus()";
        browser.run::<Option<bool>>(heading).await;
        browser.press(Key::Enter + "").await;
        let by_name: Vec<String> = browser.run(SHOWN).await;
        assert_eq!(by_name, ["hunter", "random", "sweeper"]);
        browser.press(" ").await;
        let sorted: Vec<String> = browser.run(SORTED).await;
        assert_eq!(sorted, ["Bot descending"]);
        let focus: String = browser.run("return document.activeElement.textContent").await;
        assert_eq!(focus, "Bot", "the focus stays");

        for (column, value) in [("Lost", "cells[10]"), ("Won", "cells[8]")] {
            let button = format!("//table[@id='standings-table']//button[text()='{column}']");
            browser
                .driver
                .find(By::XPath(button))
                .await
                .expect("it is a button")
                .click()
                .await
                .expect("it is clicked");
            let values = format!(
                "return [...document.querySelectorAll('#standings-table tbody')].map((group) => Number(group.rows[0].{value}.textContent))"
            );
            let values: Vec<f64> = browser.run(&values).await;
            let is_up = column == "Lost";
            assert!(values.is_sorted_by(|a, b| if is_up { a <= b } else { a >= b }), "{column}: {values:?}");
        }

        // An older version is found with its label's row, and shown in it.
        browser
            .driver
            .find(By::Id("find"))
            .await
            .expect("it is there")
            .send_keys("hunter@1")
            .await
            .expect("it takes text");
        let shown: Vec<String> = browser.run(SHOWN).await;
        assert_eq!(shown, ["hunter"]);
        let words: String = browser.run("return document.getElementById('found').textContent").await;
        assert_eq!(words, "1 of 3 bots");
        let older: String = browser
            .run("const it = document.querySelector('tr.older details'); it.open = true; return it.innerText")
            .await;
        assert!(older.contains("1 older version of hunter") && older.contains("hunter@1"), "{older}");
        let messages = browser.messages().await;
        assert!(messages.is_empty(), "{messages:?}");
    });
}

#[test]
fn ratings_over_time_are_one_picture_that_fits_the_screen() {
    for look in [LAPTOP, PHONE, PHONE.dark()] {
        in_browser(look, async |browser: &Browser| {
            let place = Place::with_a_season();
            browser.driver.goto(place.page("index.html")).await.expect("it opens");
            let widths: Vec<f64> = browser
                .run("return [...document.querySelectorAll('.chart svg')].map((it) => it.getBoundingClientRect().width)")
                .await;
            let shown: Vec<_> = widths.iter().filter(|&&width| width > 0.0).collect();
            assert!(shown.len() == 1 && *shown[0] <= f64::from(look.width), "{look:?}: {widths:?}");
            let size: f64 = browser
                .run("const text = [...document.querySelectorAll('.chart svg text')].find((it) => it.getBoundingClientRect().height); return text.getBoundingClientRect().height")
                .await;
            assert!(size > 9.0, "its numbers can be read: {size}");
            let (width, screen): (u32, u32) = browser
                .run("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
                .await;
            assert_eq!(width, screen);
            let weak: Vec<String> = browser.run(CONTRAST).await;
            assert!(weak.is_empty(), "{look:?}: {weak:?}");
        });
    }
}

#[test]
fn the_versions_of_a_bot_are_reached_from_the_standings_and_their_changes_seen_on_a_phone() {
    in_browser(PHONE, async |browser: &Browser| {
        let place = Place::with_a_season();
        browser.driver.goto(place.page("index.html")).await.expect("it opens");
        let link = browser.driver.find(By::Css("tr.older a.more")).await.expect("there is a link");
        link.click().await.expect("it is whole on the screen");
        let heading: String = browser.run("return document.querySelector('h1').textContent").await;
        assert_eq!(heading, "All versions of hunter");
        // Without scrolling the table sideways: the rating of each version, and the change.
        let hidden: Vec<String> = browser
            .run(
                "return [...document.querySelectorAll('table.versions tr')].flatMap((row) => [...row.cells].slice(0, 4)).filter((cell) => \
                 cell.getBoundingClientRect().right > innerWidth).map((cell) => cell.textContent)",
            )
            .await;
        assert!(hidden.is_empty(), "{hidden:?}");
        let numbers: Vec<String> = browser
            .run("return [...document.querySelectorAll('.for-narrow svg text')].map((it) => it.textContent.trim()).slice(-2)")
            .await;
        assert_eq!(numbers, ["1", "2"], "a line for each version");
        let weak: Vec<String> = browser.run(CONTRAST).await;
        assert!(weak.is_empty(), "{weak:?}");
        let messages = browser.messages().await;
        assert!(messages.is_empty(), "{messages:?}");
    });
}

/// The names of the parts of a replay that are not whole on the first screen.
const OUT_OF_SIGHT: &str = r##"
    const parts = [["words", "#status"], ["board 1", "table.board[data-owner='1']"], ["board 2", "table.board[data-owner='2']"],
        ["slider", "#scrub"], ["play", "#play"], ["last", "#final"]];
    return parts.filter(([, selector]) => {
        const box = document.querySelector(selector).getBoundingClientRect();
        return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
    }).map(([name, selector]) => `${name} ends at ${document.querySelector(selector).getBoundingClientRect().bottom} of ${innerHeight}`);
"##;

#[test]
fn a_replay_is_whole_on_the_first_screen() {
    for (width, height) in [(1280, 720), (1366, 768), (1920, 1080), (768, 1024), (390, 844), (360, 640)] {
        in_browser(Look::of(width, height), async |browser: &Browser| {
            for place in [Place::with_a_contest(), Place::with_submarine()] {
                for turn in ["", "#seat1-turn5", "#end"] {
                    browser.driver.goto(place.page(&format!("games/1.html{turn}"))).await.expect("it opens");
                    let out: Vec<String> = browser.run(OUT_OF_SIGHT).await;
                    assert!(out.is_empty(), "{width}×{height} {turn}: {out:?}");
                }
            }
        });
    }
}

#[test]
fn the_chances_of_a_replay_are_shown_on_open_cells_and_follow_the_game() {
    in_browser(LAPTOP, async |browser: &Browser| {
        let place = Place::with_a_contest();
        browser.driver.goto(place.page("games/1.html#seat1-turn20")).await.expect("it opens");
        let digits = "return [...document.querySelectorAll('table.board tbody td')].filter((cell) => /^[0-9]$/.test(cell.textContent)).length";
        let before: u32 = browser.run(digits).await;
        browser.press("h").await;
        let (shown, shot): (u32, u32) = (
            browser.run(digits).await,
            browser.run("return document.querySelectorAll('table.board td.miss.mark, table.board td.hit.mark').length").await,
        );
        assert!(before == 0 && shown > 50 && shot == 0, "{before} {shown} {shot}");
        let words = "return document.querySelector('#chance span').textContent";
        let chance: String = browser.run(words).await;
        assert!(
            chance.starts_with("hunter wins ") && chance.ends_with(" of 100 games from here"),
            "{chance}"
        );
        browser.press(Key::End + "").await;
        let end: String = browser.run(words).await;
        assert!(end.contains(" wins: "), "{end}");
    });
}

#[test]
fn a_link_to_a_turn_is_copied_or_shown() {
    in_browser(LAPTOP, async |browser: &Browser| {
        let place = Place::with_a_contest();
        browser.driver.goto(place.page("games/1.html#seat2-turn7")).await.expect("it opens");
        browser.click("copy").await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let (button, address): (String, String) = browser
            .run("return [document.getElementById('copy').textContent, document.querySelector('#address input').value]")
            .await;
        assert!(button == "Copied" || address.ends_with("games/1.html#seat2-turn7"), "{button} {address}");
    });
}

#[test]
fn no_page_is_wider_than_a_phone() {
    in_browser(PHONE, async |browser: &Browser| {
        for place in [Place::with_a_contest(), Place::with_submarine(), Place::with_a_season()] {
            for page in PAGES.iter().filter(|page| place.has_page(page)) {
                browser.driver.goto(place.page(page)).await.expect("it opens");
                let (page_width, screen): (u32, u32) = browser
                    .run(
                        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]",
                    )
                    .await;
                assert_eq!((page_width, screen), (PHONE.width, PHONE.width), "{page}");
            }
        }
    });
}

#[test]
fn buttons_are_as_large_as_a_finger_and_text_stands_out_in_light_and_dark() {
    for look in [PHONE, PHONE.dark()] {
        in_browser(look, async |browser: &Browser| {
            let place = Place::with_a_contest();
            browser.driver.goto(place.page("games/1.html#seat1-turn20")).await.expect("it opens");
            let small: Vec<String> = browser
                .run(
                    "return [...document.querySelectorAll('button, select, input')].filter((it) => { const box = \
                     it.getBoundingClientRect(); return box.width && (box.width < 40 || box.height < 40); }).map((it) => it.id)",
                )
                .await;
            assert!(small.is_empty(), "too small: {small:?}");
            let weak: Vec<String> = browser.run(CONTRAST).await;
            assert!(weak.is_empty(), "{look:?}: {weak:?}");
        });
    }
}

/// Lists elements whose text has a contrast below 4.5 to 1 with its background, as WCAG 2 counts it.
const CONTRAST: &str = r#"
    const parse = (text) => { const it = text.match(/[\d.]+/g).map(Number); return [it[0], it[1], it[2], it[3] ?? 1]; };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const ground = (element) => {
        if (!element) return [255, 255, 255, 1];
        const own = parse(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, ground(element.parentElement));
    };
    const light = (colour) => {
        const part = colour.slice(0, 3).map((it) => it / 255).map((it) => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    const texts = [...document.querySelectorAll("main *")].filter((it) => it.checkVisibility()
        && [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
    return texts.map((it) => {
        const below = ground(it);
        const [a, b] = [light(over(parse(getComputedStyle(it).color), below)), light(below)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return [ratio, `${it.tagName} .${it.className} "${it.textContent.trim().slice(0, 20)}" ${ratio.toFixed(1)}`];
    }).filter(([ratio]) => ratio < 4.5).map(([, words]) => words).slice(0, 5);
"#;

/// Lists what axe finds on the page, each with the first element that has it.
const FINDINGS: &str = "return axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((it) => \
    `${it.id}: ${it.help}: ${it.nodes.length} times, first ${it.nodes[0].html.slice(0, 160)}`))";

#[test]
fn axe_reports_nothing_on_any_page_in_light_and_dark_at_two_widths() {
    let Some(axe) = Requirements::axe() else { return };
    let mut all = Vec::new();
    for look in [PHONE, PHONE.dark(), LAPTOP, LAPTOP.dark()] {
        in_browser(look, async |browser: &Browser| {
            for place in [Place::with_a_contest(), Place::with_submarine(), Place::with_a_season()] {
                for page in PAGES.iter().filter(|page| place.has_page(page)) {
                    browser.driver.goto(place.page(page)).await.expect("it opens");
                    // What is folded is read too, once it is open.
                    let open = "document.querySelectorAll('details').forEach((it) => { it.open = true; })";
                    browser.run::<Option<bool>>(open).await;
                    browser.run::<Option<bool>>(&axe).await;
                    let found: Vec<String> = browser.run(FINDINGS).await;
                    all.extend(found.iter().map(|it| {
                        format!("{}×{} dark {}: {page}: {it}", look.width, look.height, look.is_dark)
                    }));
                }
            }
        });
    }
    assert!(all.is_empty(), "axe found:\n{}", all.join("\n"));
}

#[test]
fn the_standings_on_a_phone_show_interval_bars() {
    in_browser(Look::of(360, 640), async |browser: &Browser| {
        let place = Place::with_a_contest();
        browser.driver.goto(place.page("index.html")).await.expect("it opens");
        let (bars, hidden): (usize, Vec<String>) = browser
            .run(
                "const bars = [...document.querySelectorAll('#standings td.plot svg')].map((bar) => bar.getBoundingClientRect()); \
                 return [bars.length, bars.filter((it) => it.width < 60 || it.height < 4 || it.left < 0 || it.right > innerWidth) \
                 .map((it) => `${it.left} to ${it.right}, ${it.height} high`)]",
            )
            .await;
        assert!(bars == 3 && hidden.is_empty(), "{bars} bars, not whole on the screen: {hidden:?}");
        let page: u32 = browser.run("return document.documentElement.scrollWidth").await;
        assert_eq!(page, 360, "the page itself does not scroll sideways");
    });
}

/// Screenshots for the README, in the folder that `ARENA_SCREENSHOTS` names, if it is set.
#[test]
fn screenshots_are_made_at_three_widths() {
    let folder = std::env::var_os("ARENA_SCREENSHOTS").map(std::path::PathBuf::from);
    for (look, name) in
        [(PHONE, "phone"), (LAPTOP, "laptop"), (LAPTOP.dark(), "dark"), (PROJECTOR, "projector")]
    {
        in_browser(look, async |browser: &Browser| {
            let place = Place::with_a_contest();
            for (page, title) in
                [("index.html", "front"), ("bots/1.html", "bot"), ("games/1.html#seat1-turn20", "game")]
            {
                browser.driver.goto(place.page(page)).await.expect("it opens");
                let picture = browser.driver.screenshot_as_png().await.expect("it has a picture");
                assert!(picture.len() > 10_000, "{title} on {name} is not empty");
                if let Some(folder) = &folder {
                    std::fs::write(folder.join(format!("report-{title}-{name}.png")), &picture)
                        .expect("the folder of screenshots can be written to");
                }
            }
        });
    }
}
