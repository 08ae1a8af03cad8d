//! The pages of a club in a browser in which scripts are switched off.

use crate::browser::{Browser, LAPTOP, PHONE, WAIT_MAX, key};
use crate::club::{Served, expect_no_messages, wait_for_heading};
use crate::support::bot;
use crate::without_scripts;
use std::time::{Duration, Instant};

/// Opens an address again, as a reader does, until an expression is true.
fn reload_until(browser: &mut Browser, address: &str, condition: &str) {
    let begun = Instant::now();
    loop {
        browser.open(address);
        if browser.run::<bool>(&format!("return {condition}")) {
            return;
        }
        assert!(begun.elapsed() < WAIT_MAX, "{:?}: it stays false: {condition}", browser.kind);
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// True in a page that shows this text.
fn shows(text: &str) -> String {
    format!("document.body.innerText.includes('{text}')")
}

#[test]
fn an_author_and_a_reader_do_everything_in_a_club_without_scripts() {
    without_scripts(&[PHONE, LAPTOP.dark()], |browser, look| {
        let served = Served::start(&format!("plain-{}-{}", browser.kind.programs()[0], look.width));
        let [front, me] = ["", "me/"].map(|path| format!("{}/{path}", served.address));
        browser.open(&front);
        wait_for_heading(browser, None, "No game has been played yet");
        assert!(browser.run::<bool>(&format!("return {}", shows("Load the page again"))), "{look:?}");

        browser.click("nav a[href$='me/']");
        wait_for_heading(browser, None, "Your bots");
        browser.click("#token");
        browser.press(std::fs::read_to_string(served.place.path("ann")).expect("it is there").trim());
        browser.press(key::ENTER);
        wait_for_heading(browser, None, "Bots of ann");
        // The answer to the form is the author's page, with the verdict.
        browser.choose_file("#bot", &bot("sweeper"));
        browser.click("#upload-form button");
        browser.wait_until("document.querySelector('#answer h2')?.textContent === 'Version 1: plays'");
        browser.choose_file("#bot", &bot("random"));
        browser.click("#upload-form input[type=checkbox]");
        browser.click("#upload-form button");
        browser.wait_until("document.querySelector('#answer h2')?.textContent === 'Version 2: plays'");
        let files: Vec<String> = browser.run(
            "return [...document.querySelectorAll('form[action=publish]')].map((it) => it.parentElement.firstChild.textContent.trim())",
        );
        assert_eq!(files, ["is published", "stays private"], "{look:?}");
        browser.click("#version-2 form[action=publish] button");
        browser.wait_until(
            "location.hash === '#versions' && document.querySelector('#version-2 form[action=publish]').parentElement.textContent.includes('private')",
        );
        // The address of the answer, opened again, leads back.
        browser.open_elsewhere(&format!("{me}submit"), &me);

        served.submit("hunter", "ben");
        reload_until(browser, &me, "document.querySelectorAll('#games tbody tr').length > 0");
        browser.click("#version-1 form[action=play] button");
        browser
            .wait_until("document.querySelector('#version-1 td')?.firstChild.textContent.trim() === 'plays'");
        browser.wait_until("location.hash === '#versions' && document.readyState === 'complete'");
        browser.run::<Option<bool>>("document.querySelector('#games tbody a').focus()");
        browser.press(key::ENTER);
        browser
            .wait_until(&format!("document.querySelector('#replay') && {}", shows("at the end of the game")));
        let (has_controls, turns): (bool, u32) = browser.run(
            "return [[...document.querySelectorAll('.controls')].some((it) => !it.hidden), document.querySelectorAll('#turns li').length]",
        );
        assert!(!has_controls && turns > 10, "{look:?}: nothing is shown that does nothing; {turns} turns");

        reload_until(browser, &front, "document.querySelectorAll('#standings-table tbody tr').length >= 2");
        // What does nothing without scripts is not there, and what takes its place is. The box for all columns needs the style sheet only.
        let columns = "[...document.querySelectorAll('#standings-table th')].filter((it) => it.checkVisibility()).length";
        if look == PHONE {
            let few: u32 = browser.run(&format!("return {columns}"));
            browser.click("#all-columns");
            browser.wait_until(&format!("{columns} > {few}"));
        }
        let dead: Vec<String> = browser.run(
            "return [...document.querySelectorAll('main button, main input:not(#all-columns)')].filter((it) => it.checkVisibility()).map((it) => it.outerHTML)",
        );
        assert_eq!(dead, [""; 0], "{look:?}");
        assert!(browser.run::<bool>(&format!("return {}", shows("Load the page again"))), "{look:?}");
        assert!(
            browser.run::<bool>(&format!("return {}", shows("The standings in another order"))),
            "{look:?}"
        );
        for page in ["season.html", "projector.html", "replays.html", "bots/1.html", "pairs/1-2.html"] {
            browser.open(&format!("{front}{page}"));
            let (text, width): (u32, u32) = browser
                .run("return [document.querySelector('main').innerText.length, document.documentElement.scrollWidth]");
            assert!(text > 100 && width <= look.width, "{look:?} {page}: {text} characters, {width} wide");
        }
        browser.open(&me);
        browser.click("#who button");
        wait_for_heading(browser, None, "Your bots");
        expect_no_messages(browser, look);
    });
}
