//! The pages of a club, which the program serves itself.

use crate::access::{CONTRAST, FINDINGS};
use crate::browser::{Browser, LAPTOP, PHONE};
use crate::in_browsers;
use crate::support::{Place, Requirements, bot, program};
use data_encoding::BASE64;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest time that a test waits for a page. Chosen: a machine that is ten times as slow as usual.
const LONG: Duration = Duration::from_secs(120);

/// A club that is served, with two authors.
struct Served {
    place: Place,
    child: Child,
    address: String,
}

impl Served {
    fn start(name: &str) -> Self {
        let place = Place::new(name);
        for author in ["ann", "ben"] {
            let token = place.arena(&format!("club invite {author} --data club"));
            std::fs::write(place.path(author), token).expect("it is written");
        }
        let mut child = Command::new(program())
            .args(["club", "serve", "--data", "club", "--listen", "127.0.0.1:0", "--games", "20"])
            .current_dir(place.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it prints its address");
        Self { place, child, address: line.trim().to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until the page has this first heading. If there is an address, it is opened again and again.
fn wait_for_heading(browser: &mut Browser, address: Option<&str>, wanted: &str) {
    let begun = Instant::now();
    loop {
        if let Some(address) = address {
            browser.open(address);
        }
        let heading = browser.try_run::<String>("return document.querySelector('h1')?.textContent ?? ''");
        if heading.as_deref() == Ok(wanted) {
            return;
        }
        assert!(begun.elapsed() < LONG, "{heading:?} is not {wanted}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_bot_is_dropped_on_the_form_and_its_author_reads_the_verdict() {
    let file = BASE64.encode(&std::fs::read(bot("sweeper")).expect("it is built"));
    in_browsers(&[PHONE, LAPTOP.dark()], |browser, look| {
        let served = Served::start(&format!("club-{}-{}", browser.kind.programs()[0], look.width));
        let address = &served.address;
        browser.open(&format!("{address}/"));
        wait_for_heading(browser, None, "No game has been played yet");
        browser.open(&format!("{address}/submit"));
        let weak: Vec<String> = browser.run(CONTRAST);
        assert!(weak.is_empty(), "{look:?}: {weak:?}");
        let is_wide: bool = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert!(!is_wide, "{look:?}: it does not fit");
        if let Some(axe) = Requirements::axe() {
            browser.run::<Option<bool>>(&axe);
            let findings: Vec<String> = browser.run(FINDINGS);
            assert!(findings.is_empty(), "{findings:?}");
        }
        // A file that is dropped on a field of this kind becomes its file.
        browser.run::<Option<bool>>(&format!(
            "const bytes = Uint8Array.from(atob('{file}'), (it) => it.charCodeAt(0)); const dropped = new DataTransfer(); \
             dropped.items.add(new File([bytes], 'sweeper.wasm')); document.querySelector('#bot').files = dropped.files"
        ));
        browser.click("#token");
        browser.press(std::fs::read_to_string(served.place.path("ann")).expect("it is there").trim());
        browser.click("button");
        wait_for_heading(browser, None, "Version 1: plays");
        let finding: String = browser.run("return document.querySelector('pre').textContent");
        assert!(finding.contains("ready to play"), "{finding}");
        assert_eq!(browser.messages(), [""; 0], "{look:?}");

        // Against a second bot, games are played, and the pages have them.
        served.place.arena(&format!("submit {} --to {address} --token-file ben", bot("hunter")));
        wait_for_heading(browser, Some(address), "club");
        let names: Vec<String> = browser.run(
            "return [...document.querySelectorAll('a[href^=\"bots/\"], a[href^=\"labels/\"]')].map((it) => it.textContent)",
        );
        assert!(["ann", "ben"].iter().all(|name| names.iter().any(|it| it.contains(name))), "{names:?}");
        assert_eq!(browser.messages(), [""; 0], "{look:?}");
    });
}
