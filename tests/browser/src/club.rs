//! The pages of a club on which bots are submitted. The program serves them itself.

use crate::access::{CONTRAST, FINDINGS};
use crate::browser::{Browser, LAPTOP, Look, PHONE, WAIT_MAX, key};
use crate::in_browsers;
use crate::support::{Place, Requirements, Serving, bot, program};
use data_encoding::BASE64;
use std::process::Command;
use std::time::{Duration, Instant};

/// A club that is served, with two authors.
pub struct Served {
    // It ends before its folder goes.
    _program: Serving,
    pub place: Place,
    pub address: String,
}

impl Served {
    pub fn start(name: &str) -> Self {
        let place = Place::new(name);
        for author in ["ann", "ben"] {
            let token = place.arena(&format!("club invite {author} --data club"));
            std::fs::write(place.path(author), token).expect("it is written");
        }
        let program = Serving::start(
            Command::new(program())
                .args(["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--games", "20"])
                .current_dir(place.path("")),
        );
        Self { address: program.address.clone(), _program: program, place }
    }
}

impl Served {
    /// Submits a house bot as an author.
    pub fn submit(&self, name: &str, author: &str) {
        self.place.arena(&format!("submit {} --to {} --token-file {author}", bot(name), self.address));
    }
}

/// Waits until the page has this first heading. If there is an address, it is opened again and again.
pub fn wait_for_heading(browser: &mut Browser, address: Option<&str>, wanted: &str) {
    let begun = Instant::now();
    loop {
        if let Some(address) = address {
            browser.open(address);
        }
        let heading = browser.try_run::<String>("return document.querySelector('h1')?.textContent ?? ''");
        if heading.as_deref() == Ok(wanted) {
            return;
        }
        assert!(begun.elapsed() < WAIT_MAX, "{heading:?} is not {wanted}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Requires that a page fits the screen, can be read, and has nothing that axe finds.
pub fn expect_accessible(browser: &mut Browser, look: Look) {
    let weak: Vec<String> = browser.run(CONTRAST);
    assert!(weak.is_empty(), "{look:?}: {weak:?}");
    let width: u32 = browser.run("return document.documentElement.scrollWidth");
    assert!(width <= look.width, "{look:?}: it is {width} wide");
    if let Some(axe) = Requirements::axe() {
        browser
            .run::<Option<bool>>("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
        browser.run::<Option<bool>>(&axe);
        let findings: Vec<String> = browser.run(FINDINGS);
        assert!(findings.is_empty(), "{:?} {look:?}: {findings:?}", browser.kind);
    }
}

/// Requires that the pages since the last call had no message. Firefox reports what a page that is left has not loaded from the club, such as
/// its stream of events.
pub fn expect_no_messages(browser: &mut Browser, look: Look) {
    let mut messages = browser.messages();
    messages.retain(|message| !message.starts_with("network.fetchError: \"http://127.0.0.1:"));
    assert_eq!(messages, [""; 0], "{look:?}");
}

/// A script that makes a bot's file, as `file`.
fn file_of(name: &str) -> String {
    let bytes = BASE64.encode(&std::fs::read(bot(name)).expect("it is built"));
    format!(
        "const bytes = Uint8Array.from(atob('{bytes}'), (it) => it.charCodeAt(0)); \
         const file = new DataTransfer(); file.items.add(new File([bytes], '{name}.wasm'));"
    )
}

#[test]
fn an_author_signs_in_drops_a_bot_and_goes_back_to_it_later() {
    in_browsers(&[PHONE, LAPTOP.dark()], |browser, look| {
        let served = Served::start(&format!("club-{}-{}", browser.kind.programs()[0], look.width));
        let address = &served.address;
        browser.open(&format!("{address}/"));
        wait_for_heading(browser, None, "No game has been played yet");
        expect_accessible(browser, look);
        browser.click("nav a[href$='me/']");
        wait_for_heading(browser, None, "Your bots");
        expect_accessible(browser, look);
        // By the keyboard alone.
        browser.run::<Option<bool>>("document.querySelector('#token').focus()");
        browser.press(std::fs::read_to_string(served.place.path("ann")).expect("it is there").trim());
        browser.press(key::ENTER);
        wait_for_heading(browser, None, "Bots of ann");
        let cookies: String = browser.run("return document.cookie");
        assert_eq!(cookies, "", "no script can read the session");
        expect_accessible(browser, look);

        // A file that is dropped anywhere is sent, and the answer comes on the same page.
        browser.run::<Option<bool>>(&format!(
            "globalThis.isSame = true; {} for (const kind of ['dragover', 'drop']) document.querySelector('h1').dispatchEvent(new DragEvent(kind, \
             {{ dataTransfer: file, bubbles: true, cancelable: true }}))",
            file_of("sweeper")
        ));
        browser.wait_until("document.querySelector('#answer h2')?.textContent === 'Version 1: plays'");
        let finding: String = browser.run("return document.querySelector('#answer pre').textContent");
        assert!(finding.contains("ready to play"), "{finding}");
        browser
            .wait_until("document.querySelector('#version-1 td').firstChild.textContent.trim() === 'plays'");
        expect_accessible(browser, look);
        // One that is chosen is sent by the button.
        browser.run::<Option<bool>>(&format!(
            "{} document.querySelector('#bot').files = file.files",
            file_of("random")
        ));
        browser.click("#upload-form button");
        browser.wait_until("document.querySelector('#answer h2')?.textContent === 'Version 2: plays'");
        let is_same: bool =
            browser.run("return globalThis.isSame === true && document.activeElement.id === 'answer'");
        assert!(is_same, "the page is the one of before, and the answer has the focus");
        browser.run::<Option<bool>>(&format!(
            "{} document.querySelector('#bot').files = file.files",
            file_of("density")
        ));
        browser.click("#upload-form button[formaction]");
        browser.wait_until(
            "document.querySelector('#answer h2')?.textContent === 'Version 3: admitted as a draft: it does not play yet'",
        );

        // Against a second bot, games are played. The page shows them by itself, and the answer stays.
        served.submit("hunter", "ben");
        browser.wait_until("document.querySelectorAll('#games tbody tr').length > 0");
        let is_same: bool =
            browser.run("return globalThis.isSame === true && document.querySelector('#answer h2') !== null");
        assert!(is_same, "it was not loaded again");
        browser.click("#version-1 button");
        browser
            .wait_until("document.querySelector('#version-1 td').firstChild.textContent.trim() === 'plays'");
        browser.wait_until("document.readyState === 'complete'");
        // The list may be replaced meanwhile: the link keeps the focus.
        browser.run::<Option<bool>>("document.querySelector('#games tbody a').focus()");
        browser.press(key::ENTER);
        browser.wait_until("document.querySelector('#replay .controls')?.hidden === false");
        expect_no_messages(browser, look);

        browser.open(&format!("{address}/me/"));
        browser.click("#who button");
        wait_for_heading(browser, None, "Your bots");
        expect_no_messages(browser, look);
        wait_for_heading(browser, Some(&format!("{address}/")), "club");
        let names: Vec<String> = browser.run(
            "return [...document.querySelectorAll('a[href^=\"bots/\"], a[href^=\"labels/\"]')].map((it) => it.textContent)",
        );
        assert!(["ann", "ben"].iter().all(|name| names.iter().any(|it| it.contains(name))), "{names:?}");
        expect_no_messages(browser, look);
    });
}

#[test]
fn a_bot_is_submitted_by_a_form_that_needs_no_cookie() {
    in_browsers(&[PHONE], |browser, look| {
        let served = Served::start(&format!("club-form-{}", browser.kind.programs()[0]));
        browser.open(&format!("{}/submit", served.address));
        expect_accessible(browser, look);
        // A file that is dropped on a field of this kind becomes its file.
        browser.run::<Option<bool>>(&format!(
            "{} document.querySelector('#bot').files = file.files",
            file_of("sweeper")
        ));
        browser.click("#token");
        browser.press(std::fs::read_to_string(served.place.path("ann")).expect("it is there").trim());
        browser.click("form button");
        wait_for_heading(browser, None, "Version 1: plays");
        let finding: String = browser.run("return document.querySelector('pre').textContent");
        assert!(finding.contains("ready to play"), "{finding}");
        expect_no_messages(browser, look);
    });
}
