//! Tests of every kind of page: no errors, no requests elsewhere, no page wider than the screen.

use crate::browser::{Kind, LAPTOP, PHONE, PROJECTOR};
use crate::support::Place;
use crate::{PAGES, in_browsers, server};

#[test]
fn pages_open_from_disk_and_from_a_server_without_errors_or_requests_elsewhere() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::season();
        let host = server::serve(&place.path("site"));
        for site in [place.page("").trim_end_matches('/').to_owned(), host] {
            for page in PAGES {
                assert!(place.has_page(page), "{page}");
                browser.open(&format!("{site}/{page}"));
                let heading: String = browser.run("return document.querySelector('h1').textContent");
                assert!(!heading.is_empty(), "{page}");
                let colour: String = browser.run("return getComputedStyle(document.body).backgroundColor");
                assert_eq!(colour, "rgb(252, 252, 250)", "{page} has its style");
                if page.starts_with("games/") {
                    let plays: bool = browser.run("return !document.querySelector('.controls').hidden");
                    assert!(plays, "{site}/{page} has run its script");
                }
                let messages = browser.messages();
                assert!(messages.is_empty(), "{site}/{page}: {messages:?}");
                let requests = browser.requests();
                let elsewhere: Vec<_> = requests.iter().filter(|url| !url.starts_with(&site)).collect();
                let reports = browser.kind == Kind::Chromium || site.starts_with("http:");
                let is_right = elsewhere.is_empty() && requests.is_empty() != reports;
                assert!(is_right, "{:?} {site}/{page}: {requests:?}", browser.kind);
            }
        }
    });
}

#[test]
fn no_page_is_wider_than_a_phone() {
    in_browsers(&[PHONE], |browser, _| {
        for place in [Place::contest(), Place::submarine(), Place::season()] {
            for page in PAGES.iter().filter(|page| place.has_page(page)) {
                browser.open(&place.page(page));
                let (page_width, screen): (u32, u32) = browser.run(
                    "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]",
                );
                assert_eq!((page_width, screen), (PHONE.width, PHONE.width), "{page}");
            }
        }
    });
}

/// Screenshots for the README, in the folder that `ARENA_SCREENSHOTS` names, if it is set.
#[test]
fn screenshots_are_made_at_three_widths() {
    let folder = std::env::var_os("ARENA_SCREENSHOTS").map(std::path::PathBuf::from);
    in_browsers(&[PHONE, LAPTOP, LAPTOP.dark(), PROJECTOR], |browser, look| {
        let name = match look {
            PHONE => "phone",
            PROJECTOR => "projector",
            _ if look.is_dark => "dark",
            _ => "laptop",
        };
        for (page, title) in
            [("index.html", "front"), ("bots/1.html", "bot"), ("games/1.html#seat1-turn20", "game")]
        {
            browser.open(&Place::contest().page(page));
            let picture = browser.picture();
            assert!(picture.len() > 10_000, "{title} on {name} is not empty");
            if let Some(folder) = folder.as_ref().filter(|_| browser.kind == Kind::Chromium) {
                std::fs::write(folder.join(format!("report-{title}-{name}.png")), &picture)
                    .expect("the folder of screenshots can be written to");
            }
        }
    });
}

#[test]
fn a_violated_policy_and_a_missing_file_are_noticed() {
    in_browsers(&[LAPTOP], |browser, _| {
        let place = Place::contest();
        let page = std::fs::read_to_string(place.path("site/index.html")).expect("it is there");
        let with = |addition: &str| page.replace("</body>", &format!("{addition}</body>"));
        for (addition, found) in [
            ("<p style=\"color: red\">", "style-src"),
            ("<script>document.title = '';</script>", "script-src"),
            ("<img src=\"https://arena.invalid/\">", "img-src"),
            ("<img src=\"missing.svg\">", "missing.svg"),
        ] {
            let folder = tempfile::TempDir::new().expect("a temporary folder");
            std::fs::write(folder.path().join("index.html"), with(addition)).expect("it is written");
            for file in ["style.css", "standings.js", "icon.svg"] {
                std::fs::copy(place.path("site").join(file), folder.path().join(file)).expect("it is copied");
            }
            browser.open(&server::serve(folder.path()));
            let messages = browser.messages();
            assert!(
                messages.iter().any(|it| it.contains(found)),
                "{:?}: {found}: {messages:?}",
                browser.kind
            );
        }
    });
}
