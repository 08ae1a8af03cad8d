//! The pages of the report in Chromium and in Firefox: from disk and from a web server, with mouse and keyboard, on screens of several
//! sizes.

mod access;
mod bidi;
mod browser;
mod club;
mod front;
mod live;
mod pages;
mod pictured;
mod plain;
mod playing;
mod replay;
mod server;
mod support;
mod watching;

use browser::{Browser, Look};
use support::Requirements;

/// A page of each kind. Only a season has that of a label.
const PAGES: [&str; 6] = [
    "index.html",
    "replays.html",
    "bots/1.html",
    "pairs/1-2.html",
    "labels/1.html",
    "games/1.html#seat1-turn20",
];

/// Runs a test with each look in each browser that is installed. One browser serves all looks in the same colours.
fn in_browsers(looks: &[Look], test: impl FnMut(&mut Browser, Look)) {
    in_each(true, looks, test);
}

/// The same in browsers in which scripts are switched off.
fn without_scripts(looks: &[Look], test: impl FnMut(&mut Browser, Look)) {
    in_each(false, looks, test);
}

fn in_each(has_scripts: bool, looks: &[Look], mut test: impl FnMut(&mut Browser, Look)) {
    for kind in Requirements::browsers() {
        for is_dark in [false, true] {
            let mut looks = looks.iter().copied().filter(|look| look.is_dark == is_dark).peekable();
            let Some(&first) = looks.peek() else { continue };
            let mut browser = Browser::start(kind, first, has_scripts);
            for look in looks {
                // An empty page first: the same address again would load nothing.
                browser.open("about:blank");
                browser.resize(look);
                test(&mut browser, look);
            }
        }
    }
}
