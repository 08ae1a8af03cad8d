//! Games that are watched as they are played: at the reader's pace, to the end of one, and on to the next.

use crate::browser::{LAPTOP, PHONE, key};
use crate::club::{expect_accessible, expect_no_messages};
use crate::in_browsers;
use crate::support::{Serving, program};
use std::process::Command;

#[test]
fn a_series_is_watched_at_the_readers_pace_and_goes_on_to_the_next_game() {
    in_browsers(&[PHONE, LAPTOP.dark()], |browser, look| {
        let watch = "watch builtin:hunter builtin:random --web --games 2 --seed 1";
        let page = Serving::start(Command::new(program()).args(watch.split_whitespace()));
        browser.open_elsewhere(&page.address, &format!("{}1.html", page.address));
        // It plays from the first turn on, though the game may be over.
        browser.wait_until("document.querySelectorAll('#turns li').length > 20");
        browser.wait_until("document.querySelector('#status').textContent.includes('turn 2:')");
        expect_accessible(browser, look);
        let shown: u32 = browser.run("return Number(document.querySelector('#scrub').value)");
        assert!(shown < 20, "{look:?}: it is at event {shown}");
        browser.click("#play");
        browser.press(key::HOME);
        browser.wait_until("document.querySelector('#status').textContent === 'Before the first event'");
        browser.press("+++");
        browser.press(key::END);
        browser.wait_until("document.querySelector('#status').textContent.includes(' wins')");
        browser.wait_until("!document.querySelector('#next-game').disabled");
        browser.click("#next-game");
        browser.wait_until("document.title.includes('Game 2 of 2')");
        browser.wait_until("document.querySelectorAll('#turns li').length > 20");
        let speed: String = browser.run("return document.querySelector('#speed').value");
        assert_eq!(speed, "32", "{look:?}: the choice stays");
        browser.wait_until("document.querySelector('#status').textContent.includes(' wins')");
        assert_eq!(
            browser.run::<Option<String>>("return document.querySelector('#next-game')?.id ?? null"),
            None
        );
        expect_no_messages(browser, look);
    });
}
