//! Tests of the replay of a game without boards: its pictures as text, and as the game draws them.

use crate::browser::{Browser, LAPTOP, Look, PHONE, key};
use crate::club::{expect_accessible, expect_no_messages};
use crate::in_browsers;
use crate::support::{Place, Serving, component, program};
use std::process::Command;

/// The picture on the page.
fn shown(browser: &mut Browser) -> String {
    browser.run("return document.getElementById('picture').textContent")
}

fn status(browser: &mut Browser) -> String {
    browser.run("return document.getElementById('status').textContent")
}

#[test]
fn each_step_of_a_replay_has_the_picture_of_the_terminal_and_signs_of_html_are_text() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::pictured();
        let printed = place.arena("replay --journal arena.db 1 --headless");
        let blocks: Vec<&str> = printed.split("\n\n").collect();
        browser.open(&place.page("games/1.html"));
        browser.press(key::HOME);
        assert_eq!(shown(browser), "<i>x</i>&|");
        assert_eq!(status(browser), "Before the first event");
        let turns = &blocks[1..blocks.len() - 1];
        assert!(turns.len() > 5);
        for block in turns {
            browser.press(key::RIGHT);
            let picture: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("   ")).collect();
            // The log of the bot is below the picture.
            let picture: Vec<&str> =
                picture.into_iter().filter(|line| !line.starts_with("log of ")).collect();
            assert_eq!(shown(browser), picture.join("\n"), "{block}");
            assert_eq!(Some(status(browser).as_str()), block.lines().next());
        }
        let made: u32 = browser.run("return document.querySelectorAll('#picture *').length");
        assert_eq!(made, 0, "a picture makes no element");
        assert!(browser.messages().is_empty());
    });
}

#[test]
fn keys_change_the_view_and_those_of_boards_do_nothing() {
    in_browsers(&[LAPTOP], |browser, _| {
        browser.open(&Place::pictured().page("games/1.html#seat1-turn1"));
        let all = shown(browser);
        assert_eq!(all, "<i>x</i>&");
        browser.press("b");
        assert_eq!(shown(browser), "<i>");
        browser.press("b");
        assert_eq!(shown(browser), "<i>");
        assert_eq!(status(browser), "turn 1: taker takes its turn", "a side may not know what the other did");
        browser.press("b");
        browser.press("h");
        browser.press("o");
        assert_eq!(shown(browser), all);
        let log: String = browser.run("return document.querySelector('#logs pre').textContent");
        assert_eq!(log, "one taken");
        browser.press(key::END);
        assert!(status(browser).contains(" wins: "), "{}", status(browser));
        browser.press("n");
        browser.press(" ");
        browser.press(" ");
        assert!(browser.messages().is_empty());
    });
}

#[test]
fn the_picture_and_the_controls_are_on_the_first_screen() {
    let looks = [Look::of(1280, 720), Look::of(768, 1024), Look::of(390, 844)];
    in_browsers(&looks, |browser, look| {
        browser.open(&Place::pictured().page("games/1.html"));
        let outside: Vec<String> = browser.run(
            r##"
            return [...document.querySelectorAll("#status, #picture, #scrub, #play")].filter((part) => {
                const box = part.getBoundingClientRect();
                return !part.checkVisibility() || box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
            }).map((part) => part.id);
        "##,
        );
        assert!(outside.is_empty(), "{look:?}: {outside:?}");
        let is_wider: bool = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert!(!is_wider, "{look:?}");
    });
}

/// The colour in the middle of the drawing on the page, once the browser has drawn it.
fn colour(browser: &mut Browser) -> Vec<u8> {
    browser.run(
        r"
        const drawing = document.getElementById('drawing');
        return drawing.decode().then(() => {
            const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
            canvas.drawImage(drawing, 0, 0);
            return [...canvas.getImageData(45, 30, 1, 1).data].slice(0, 3);
        });
    ",
    )
}

#[test]
fn a_game_that_draws_is_drawn_at_each_step_and_its_text_stays_for_those_who_hear_the_page() {
    in_browsers(&[LAPTOP, PHONE], |browser, look| {
        browser.open(&Place::drawn().page("games/1.html"));
        browser.press(key::HOME);
        assert_eq!(colour(browser), [255, 0, 0], "there are matches left");
        assert_eq!(shown(browser), "||||||||||");
        let is_on_screen: bool = browser.run(
            "const box = document.getElementById('drawing').getBoundingClientRect();
             return box.width > 200 && box.height > 150 && box.top >= 0 && box.bottom <= innerHeight",
        );
        assert!(is_on_screen, "{look:?}");
        browser.press(key::END);
        assert_eq!(colour(browser), [0, 255, 0], "there are none left");
        // The end has the drawing of the last turn.
        browser.press(key::LEFT);
        browser.press(key::LEFT);
        assert_eq!(colour(browser), [255, 0, 0]);
        browser.press("b");
        assert_eq!(colour(browser), [0, 0, 255], "a side has a drawing of its own");
        assert!(browser.messages().is_empty());
        expect_accessible(browser, look);
        // The check itself makes messages: it asks for the styles, which the policy forbids.
        browser.messages();
    });
}

#[test]
fn a_person_who_plays_a_game_that_draws_sees_what_it_draws_for_them() {
    in_browsers(&[LAPTOP, PHONE], |browser, look| {
        let [game, bot] = ["drawn", "taker"].map(component);
        let page = Serving::start(Command::new(program()).args(["play", "--game", &game, &bot, "--web"]));
        browser.open(&page.address);
        browser.wait_until("!document.querySelector('#drawing').hidden");
        assert_eq!(colour(browser), [0, 0, 255]);
        expect_accessible(browser, look);
        expect_no_messages(browser, look);
    });
}
