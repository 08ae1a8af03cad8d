//! The pages of a club that keep themselves up to date, on a laptop, a phone and a projector.

use crate::browser::{Browser, LAPTOP, Look, PHONE, key};
use crate::club::{Served, expect_accessible, expect_no_messages, wait_for_heading};
use crate::in_browsers;

/// The pages that a club serves for everybody, one of each kind.
const PAGES: [&str; 7] = [
    "index.html",
    "season.html",
    "projector.html",
    "replays.html",
    "bots/1.html",
    "pairs/1-2.html",
    "games/1.html",
];

/// A club with games between two bots.
fn played(name: &str, browser: &mut Browser) -> Served {
    let served = Served::start(name);
    served.submit("sweeper", "ann");
    served.submit("hunter", "ben");
    wait_for_heading(browser, Some(&format!("{}/", served.address)), "club");
    served
}

#[test]
fn the_standings_change_under_their_reader_and_nothing_else_does() {
    in_browsers(&[LAPTOP], |browser, look| {
        let served = played(&format!("live-{}", browser.kind.programs()[0]), browser);
        browser.open(&format!("{}/", served.address));
        // Sorted by another column, with a search, something opened, and the focus in the field.
        browser.run::<Option<bool>>(
            "globalThis.isSame = true; document.querySelector('details.notes').open = true",
        );
        browser.click("#standings th[data-sort='text'] button");
        browser.click("#standings th[data-sort='text'] button");
        browser.click("#find");
        browser.press("n");
        let names = "[...document.querySelectorAll('#standings-table tbody th a')].map((it) => it.textContent).join(' ')";
        let before: String = browser.run(&format!("return {names}"));
        assert_eq!(before, "ben ann");
        served.submit("random", "ann");
        browser.wait_until("document.querySelector('#standings-table tr.older') !== null");
        let kept: [bool; 5] = browser.run(&format!(
            "return [globalThis.isSame === true, {names} === 'ben ann', document.activeElement.id === 'find' && document.activeElement.value === 'n', \
             document.querySelector('details.notes').open, document.querySelector('th[aria-sort=descending]').textContent === 'Bot']"
        ));
        assert_eq!(kept, [true; 5], "{look:?}: the page, the order, the search, what is open, the heading");
        browser.press("z");
        browser.wait_until("document.querySelector('#found').textContent === '0 of 2 bots'");
        browser.open(&format!("{}/projector.html", served.address));
        browser.run::<Option<bool>>("globalThis.isSame = true");
        let chain = "document.querySelector('#chain').textContent";
        let before: String = browser.run(&format!("return {chain}"));
        served.submit("density", "ben");
        browser.wait_until(&format!("{chain} !== '{before}'"));
        let is_same: bool = browser.run("return globalThis.isSame === true");
        assert!(is_same, "the projector's page changes without being loaded again");
        expect_no_messages(browser, look);
    });
}

#[test]
fn every_page_of_a_club_fits_a_phone_and_can_be_read_by_everybody() {
    let mut club = None;
    in_browsers(&[PHONE, LAPTOP.dark()], |browser, look| {
        let served = club.get_or_insert_with(|| played("live-pages", browser));
        browser.open("about:blank");
        browser.messages();
        for page in PAGES {
            browser.open(&format!("{}/{page}", served.address));
            expect_accessible(browser, look);
            // With a title and names as long and as wide as they can be.
            let width: u32 = browser.run(
                "document.querySelectorAll('bdi:not([aria-current] *)').forEach((it) => { it.textContent = 'M'.repeat(24); }); \
                 document.querySelectorAll('.trail li:first-child a, h1:not(:has(bdi))').forEach((it) => { it.textContent = 'W'.repeat(120); }); \
                 return document.documentElement.scrollWidth",
            );
            assert!(width <= look.width, "{look:?} {page}: {width} wide with long names");
            let small: Vec<String> = browser.run(
                "return [...document.querySelectorAll('nav a, button')].filter((it) => { const box = it.getBoundingClientRect(); \
                 return box.width && (box.width < 24 || box.height < 24); }).map((it) => it.textContent)",
            );
            assert!(small.is_empty(), "{look:?} {page}: too small: {small:?}");
            expect_no_messages(browser, look);
        }
        // Every page leads to the author's page and back by the keyboard.
        browser.open(&format!("{}/season.html", served.address));
        browser.press(key::TAB);
        let skip: String = browser.run("return document.activeElement.textContent");
        assert_eq!(skip, "Skip to the content");
        browser.run::<Option<bool>>("document.querySelector('nav.club a[href=\"me/\"]').focus()");
        browser.press(key::ENTER);
        wait_for_heading(browser, None, "Your bots");
        expect_no_messages(browser, look);
    });
}

#[test]
fn a_projector_shows_the_standings_large_and_by_themselves() {
    let mut club = None;
    in_browsers(&[Look::of(1280, 720), Look::of(1920, 1080).dark()], |browser, look| {
        let served = club.get_or_insert_with(|| played("live-projector", browser));
        browser.open(&format!("{}/projector.html", served.address));
        // As many bots and games as it shows at a time, with names as long as they can be, and as many bots again.
        browser.run::<Option<bool>>(
            "const table = document.querySelector('#standings table'); const rows = table.tBodies[0]; \
             while (rows.rows.length < 8) rows.append(rows.rows[0].cloneNode(true)); \
             const games = document.querySelector('#games ol'); while (games.children.length < 5) games.append(games.children[0].cloneNode(true)); \
             document.querySelectorAll('main bdi').forEach((it) => { it.textContent = 'M'.repeat(24); }); \
             const more = table.cloneNode(true); more.hidden = true; more.querySelector('td').textContent = '9'; table.after(more); \
             document.querySelectorAll('caption').forEach((it) => { it.className = ''; }); document.dispatchEvent(new Event('arena:shown'))",
        );
        let (width, height): (u32, u32) =
            browser.run("const it = document.documentElement; return [it.scrollWidth, it.scrollHeight]");
        assert_eq!((width, height), (look.width, look.height), "nothing scrolls");
        // A letter of a name is a twenty-fifth of the height or more: four centimetres on a screen of a metre.
        let smallest: f64 = browser.run(
            "return Math.min(...[...document.querySelectorAll('#standings :is(td, th[scope=row]), #games li span, h1')].map((it) => parseFloat(getComputedStyle(it).fontSize)))",
        );
        assert!(smallest >= 0.04 * f64::from(look.height), "{look:?}: {smallest}");
        let outside: Vec<String> = browser.run(
            "return [...document.querySelectorAll('main :not(bdi)')].filter((it) => { const box = it.getBoundingClientRect(); return box.width && !it.closest('.sr') && \
             (box.right > innerWidth + 1 || box.bottom > innerHeight + 1); }).map((it) => `${it.localName} ${it.textContent}`)",
        );
        assert!(outside.is_empty(), "{look:?}: {outside:?}");
        expect_accessible(browser, look);
        browser.wait_until("document.querySelector('#standings table:not([hidden]) td').textContent === '9'");
        browser.click("#pause");
        let words: String = browser.run("return document.querySelector('#pause').textContent");
        assert_eq!(words, "Go on");
        expect_no_messages(browser, look);
    });
}
