//! A game against a bot in a browser: placing by dragging, by the keyboard and at random, shots by click and by key, on a laptop and on a phone.

use crate::browser::{Browser, LAPTOP, Look, PHONE, key};
use crate::club::{expect_accessible, expect_no_messages};
use crate::in_browsers;
use crate::support::{Serving, component, program};
use std::process::Command;

/// Serves a page on which a person plays.
fn serve(game: &str) -> Serving {
    Serving::start(Command::new(program()).args(format!("play {game} --web").split_whitespace()))
}

/// The number of cells of a board with this class.
fn count(browser: &mut Browser, board: &str, class: &str) -> u32 {
    browser.run(&format!("return document.querySelectorAll('#{board} td.{class}').length"))
}

/// Requires that an element is on the first screen.
fn expect_on_screen(browser: &mut Browser, look: Look, selector: &str) {
    let bottom: f64 =
        browser.run(&format!("return document.querySelector('{selector}').getBoundingClientRect().bottom"));
    assert!(bottom <= f64::from(look.height), "{look:?}: {selector} ends at {bottom}");
}

#[test]
fn a_person_places_ships_shoots_and_watches_the_replay() {
    in_browsers(&[PHONE, LAPTOP.dark()], |browser, look| {
        let page = serve("builtin:random");
        browser.open(&page.address);
        browser.wait_until("!document.querySelector('#placing').hidden");
        expect_accessible(browser, look);
        expect_on_screen(browser, look, "#own table");
        // A ship of four cells is dragged to the first row, and turned by a click.
        browser.drag("#tray button", "#own-2");
        assert_eq!(count(browser, "own", "ship"), 4);
        browser.click("#own-3");
        browser.wait_until("document.querySelector('#own-32').classList.contains('ship')");
        // One that is on the board is dragged to another place.
        browser.drag("#own-12", "#own-16");
        browser.wait_until("document.querySelector('#own-36').classList.contains('ship')");
        assert_eq!(count(browser, "own", "ship"), 4);
        // The next one by the keyboard, downwards like the one before. Eastwards, there is no room for another one at the right edge.
        browser.run::<Option<bool>>("document.querySelector('#own table').focus()");
        browser.press(&format!("{}{}{}", key::HOME, key::ENTER, key::END));
        assert_eq!(count(browser, "own", "ship"), 7);
        browser.press(&format!("r{}", key::ENTER));
        browser.wait_until("document.querySelector('#problem').textContent.includes('no room')");
        assert_eq!(count(browser, "own", "ship"), 7);
        browser.press("x");
        browser.wait_until("!document.querySelector('#begin').disabled");
        assert_eq!(count(browser, "own", "ship"), 20);
        browser.click("#begin");
        browser.wait_until("document.querySelector('#target').classList.contains('asked')");
        expect_accessible(browser, look);
        expect_on_screen(browser, look, "#target table");
        // A shot by click, and one by the keyboard.
        browser.click("#target-55");
        browser.wait_until("document.querySelector('#said').textContent.includes('f5')");
        browser.wait_until("document.querySelector('#target').classList.contains('asked')");
        browser.run::<Option<bool>>("document.querySelector('#target table').focus()");
        browser.press(&format!("{}{}{}", key::HOME, key::RIGHT, key::ENTER));
        browser.wait_until("document.querySelector('#said').textContent.includes('b5')");
        browser.wait_until("document.querySelector('#target').classList.contains('asked')");
        let shots = count(browser, "target", "miss")
            + count(browser, "target", "hit")
            + count(browser, "target", "sunk");
        assert_eq!(shots, 2);
        assert_eq!(count(browser, "target", "ship"), 0, "no ship of the bot is seen");
        expect_no_messages(browser, look);
        // The page has everything again after it was loaded again.
        browser.open(&page.address);
        browser.wait_until("document.querySelector('#target').classList.contains('asked')");
        assert!(count(browser, "own", "ship") >= 18, "the bot has shot twice");
        browser.click("#resign");
        browser.click("#resign");
        browser.wait_until("document.querySelector('#verdict').textContent.includes('has won')");
        assert!(count(browser, "target", "ship") > 17, "all ships are seen");
        expect_accessible(browser, look);
        browser.click("#replay");
        browser.wait_until(
            "document.querySelector('#replay-data') !== null && document.readyState === 'complete'",
        );
        expect_accessible(browser, look);
        browser.open(&page.address);
        browser.wait_until("!document.querySelector('#again').closest('.panel').hidden");
        browser.click("#again");
        browser.wait_until("!document.querySelector('#placing').hidden");
        expect_no_messages(browser, look);
    });
}

#[test]
fn a_game_that_draws_itself_is_played_by_a_list_and_by_a_form() {
    in_browsers(&[PHONE, LAPTOP.dark()], |browser, look| {
        let page = serve(&format!("--game {} {}", component("matches"), component("taker")));
        browser.open(&page.address);
        browser.wait_until("!document.querySelector('#acting').hidden");
        browser.wait_until("document.querySelector('#picture').textContent.trim() !== ''");
        expect_accessible(browser, look);
        browser.wait_until("document.querySelector('#form').firstChild !== null");
        // What the game does not allow is answered with its reason, and the game goes on.
        browser.click("#action");
        browser.press(&format!("nonsense{}", key::ENTER));
        browser.wait_until("!document.querySelector('#problem').hidden");
        let said = "document.querySelectorAll('#said li').length";
        let before: u32 = browser.run(&format!("return {said}"));
        browser.run::<Option<bool>>(
            "const field = document.querySelector('#action'); field.value = ''; field.dispatchEvent(new Event('input'))",
        );
        browser.wait_until("document.querySelector('#legal button') !== null");
        browser.click("#legal button");
        browser.wait_until(&format!("{said} > {before}"));
        // A refusal is an answer with a status that browsers report.
        browser.messages();
    });
}
