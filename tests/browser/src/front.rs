//! Tests of the front page: its standings and its ratings over time.

use crate::access::CONTRAST;
use crate::browser::{LAPTOP, Look, PHONE, key};
use crate::in_browsers;
use crate::support::Place;

/// The bots of the standings that are shown, in their order.
const SHOWN: &str = "return [...document.querySelectorAll('#standings-table tbody')].filter((group) => !group.hidden).map((group) => \
                     group.querySelector('th a').textContent)";

/// The column by which the standings are sorted, and the direction.
const SORTED: &str = "return [...document.querySelectorAll('#standings-table th[aria-sort]')].map((it) => \
                      it.textContent.replace('\u{ad}', '') + ' ' + it.getAttribute('aria-sort'))";

#[test]
fn the_standings_are_sorted_and_searched_with_the_keyboard_and_the_mouse() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::season();
        browser.open(&place.page("index.html"));
        let by_place: Vec<String> = browser.run(SHOWN);
        assert_eq!(by_place.len(), 3, "one row for each label: {by_place:?}");
        let sorted: Vec<String> = browser.run(SORTED);
        assert_eq!(sorted, ["Place ascending"]);

        let heading = "return [...document.querySelectorAll('#standings-table thead button')].find((it) => it.textContent === 'Bot').focus()";
        browser.run::<Option<bool>>(heading);
        browser.press(key::ENTER);
        let by_name: Vec<String> = browser.run(SHOWN);
        assert_eq!(by_name, ["hunter", "random", "sweeper"]);
        browser.press(" ");
        let sorted: Vec<String> = browser.run(SORTED);
        assert_eq!(sorted, ["Bot descending"]);
        let focus: String = browser.run("return document.activeElement.textContent");
        assert_eq!(focus, "Bot", "the focus stays");

        for (column, order) in [(12, "Lost ascending"), (10, "Won descending")] {
            browser.click(&format!("#standings-table th:nth-child({column}) button"));
            let values = format!(
                "return [...document.querySelectorAll('#standings-table tbody')].map((group) => Number(group.rows[0].cells[{column} - 1].textContent))"
            );
            let values: Vec<f64> = browser.run(&values);
            let is_up = order.ends_with(" ascending");
            assert!(values.is_sorted_by(|a, b| if is_up { a <= b } else { a >= b }), "{order}: {values:?}");
            let sorted: Vec<String> = browser.run(SORTED);
            assert_eq!(sorted, [order]);
        }

        // An older version is found with its label's row, and shown in it.
        browser.click("#find");
        browser.press("hunter@1");
        let shown: Vec<String> = browser.run(SHOWN);
        assert_eq!(shown, ["hunter"]);
        let words: String = browser.run("return document.getElementById('found').textContent");
        assert_eq!(words, "1 of 3 bots");
        let older: String = browser.run(
            "const it = document.querySelector('tr.older details'); it.open = true; return it.innerText",
        );
        assert!(older.contains("1 older version of hunter") && older.contains("hunter@1"), "{older}");
        let messages = browser.messages();
        assert!(messages.is_empty(), "{messages:?}");
    });
}

#[test]
fn ratings_over_time_are_one_picture_that_fits_the_screen() {
    in_browsers(&[LAPTOP, PHONE, PHONE.dark()], |browser, look| {
        let place = Place::season();
        browser.open(&place.page("index.html"));
        let widths: Vec<f64> = browser
            .run("return [...document.querySelectorAll('.chart svg')].map((it) => it.getBoundingClientRect().width)");
        let shown: Vec<_> = widths.iter().filter(|&&width| width > 0.0).collect();
        assert!(shown.len() == 1 && *shown[0] <= f64::from(look.width), "{look:?}: {widths:?}");
        let size: f64 = browser
            .run("const text = [...document.querySelectorAll('.chart svg text')].find((it) => it.getBoundingClientRect().height); return text.getBoundingClientRect().height");
        assert!(size > 9.0, "its numbers can be read: {size}");
        let (width, screen): (u32, u32) = browser
            .run("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]");
        assert_eq!(width, screen);
        let weak: Vec<String> = browser.run(CONTRAST);
        assert!(weak.is_empty(), "{look:?}: {weak:?}");
    });
}

#[test]
fn the_versions_of_a_bot_are_reached_from_the_standings_and_their_changes_seen_on_a_phone() {
    in_browsers(&[PHONE], |browser, _| {
        let place = Place::season();
        browser.open(&place.page("index.html"));
        let is_seen: bool = browser.run(
            "const box = document.querySelector('tr.older a.more').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth",
        );
        assert!(is_seen, "the link is on the screen without scrolling sideways");
        browser.click("tr.older a.more");
        browser.wait_until("document.querySelector('h1').textContent === 'All versions of hunter'");
        browser.wait_until("document.readyState === 'complete'");
        // Without scrolling the table sideways: the rating of each version, and the change.
        let hidden: Vec<String> = browser.run(
            "return [...document.querySelectorAll('table.versions tr')].flatMap((row) => [...row.cells].slice(0, 4)).filter((cell) => \
             cell.getBoundingClientRect().right > innerWidth).map((cell) => cell.textContent)",
        );
        assert!(hidden.is_empty(), "{hidden:?}");
        let numbers: Vec<String> = browser
            .run("return [...document.querySelectorAll('.for-narrow svg text')].map((it) => it.textContent.trim()).slice(-2)");
        assert_eq!(numbers, ["1", "2"], "a line for each version");
        let weak: Vec<String> = browser.run(CONTRAST);
        assert!(weak.is_empty(), "{weak:?}");
        let messages = browser.messages();
        assert!(messages.is_empty(), "{messages:?}");
    });
}

#[test]
fn the_standings_on_a_phone_show_interval_bars() {
    in_browsers(&[Look::of(360, 640)], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("index.html"));
        let (bars, hidden): (usize, Vec<String>) = browser
            .run(
                "const bars = [...document.querySelectorAll('#standings td.plot svg')].map((bar) => bar.getBoundingClientRect()); \
                 return [bars.length, bars.filter((it) => it.width < 60 || it.height < 4 || it.left < 0 || it.right > innerWidth) \
                 .map((it) => `${it.left} to ${it.right}, ${it.height} high`)]",
            );
        assert!(bars == 3 && hidden.is_empty(), "{bars} bars, not whole on the screen: {hidden:?}");
        let page: u32 = browser.run("return document.documentElement.scrollWidth");
        assert_eq!(page, 360, "the page itself does not scroll sideways");
    });
}

#[test]
fn the_best_game_plays_by_itself_until_it_is_paused() {
    in_browsers(&[LAPTOP, PHONE], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("index.html"));
        browser.run::<Option<bool>>("document.getElementById('best').scrollIntoView(); return null");
        let words = "return document.getElementById('best-words').textContent";
        let end: String = browser
            .run("return JSON.parse(document.getElementById('best-data').textContent).frames.at(-1).text");
        assert!(end.contains(" wins: "), "{end}");
        let playing = (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            browser.run::<String>(words).starts_with("turn ")
        });
        assert!(playing, "{}", browser.run::<String>(words));
        browser.click("#best-play");
        let (button, before): (String, String) = browser
            .run("return [document.getElementById('best-play').textContent, document.getElementById('best-words').textContent]");
        std::thread::sleep(std::time::Duration::from_millis(1000));
        assert_eq!((button.as_str(), browser.run::<String>(words)), ("Play", before));
        let wide: bool = browser.run("return document.getElementById('best').scrollWidth <= innerWidth");
        assert!(wide);
        assert!(browser.messages().is_empty());
    });
}

#[test]
fn games_are_filtered_by_bot_result_and_upset_without_a_server() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::contest();
        browser.open(&place.page("replays.html"));
        let shown = "return [...document.querySelectorAll('table.list tbody tr')].filter((row) => !row.hidden).map((row) => \
                     [...row.cells].slice(1, 4).map((cell) => cell.textContent))";
        let all: Vec<[String; 3]> = browser.run(shown);
        let choose = |browser: &mut crate::browser::Browser, name: &str, value: &str| {
            browser.run::<Option<bool>>(&format!(
                "const it = document.querySelector('#filter [name={name}]'); it.value = '{value}'; it.dispatchEvent(new Event('change')); return null"
            ));
        };
        choose(browser, "bot", "random");
        choose(browser, "result", "lost");
        let lost: Vec<[String; 3]> = browser.run(shown);
        let expected = all.iter().filter(|[first, second, score]| {
            (first == "random" && score == "0–1") || (second == "random" && score == "1–0")
        });
        assert!(lost.len() > 3 && lost.iter().eq(expected), "{lost:?}");
        let words: String = browser.run("return document.querySelector('#filter [role=status]').textContent");
        assert_eq!(words, format!("{} of {} games", lost.len(), all.len()));
        choose(browser, "result", "");
        choose(browser, "bot", "");
        assert_eq!(browser.run::<Vec<[String; 3]>>(shown), all);
        assert!(browser.messages().is_empty());
    });
}
