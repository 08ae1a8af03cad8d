//! The pages of labels in `arena report`: the versions of a bot, and what changed from one to the next.

use crate::report::tree;
use crate::season::{bring, league, play};
use crate::support::Place;
use std::collections::BTreeMap;

/// A season of three stages: `bob` has three versions, and the others have one.
pub fn season() -> Place {
    let place = league(&[("ann", "sweeper"), ("bob", "always-skips"), ("cleo", "repeats-once-then-valid")]);
    play(&place, "--games 20 --seed 1").expect_code(0);
    // The same play in another component: it has a section more.
    let mut sweeper = std::fs::read(place.path("sweeper.wasm")).unwrap();
    sweeper.extend([0, 2, 1, b'v']);
    place.write("bots/bob.wasm", sweeper);
    play(&place, "--seed 2").expect_code(0);
    bring(&place, "bob", "traps-on-third-play");
    play(&place, "--seed 3").expect_code(0);
    place
}

/// The pages of labels of a site, by path.
fn pages(place: &Place, site: &str) -> BTreeMap<String, String> {
    let pages = tree(&place.path(site)).into_iter().filter(|(path, _)| path.starts_with("labels/"));
    pages.map(|(path, bytes)| (path, String::from_utf8(bytes).expect("pages are text"))).collect()
}

/// The text of a page's main part, without pictures.
fn text(page: &str) -> String {
    let (_, main) = page.split_once("<main id=\"main\">").expect("a page has a main part");
    let (main, _) = main.split_once("</main>").expect("it ends");
    let (mut text, mut is_picture) = (String::new(), false);
    for piece in main.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').expect("every tag ends");
        match tag.split([' ', '\n']).next() {
            Some("svg") => is_picture = true,
            Some("/svg") => is_picture = false,
            Some("/td" | "/th") => text += " | ",
            Some("/caption" | "/li") => text += "\n",
            _ => {}
        }
        text += if is_picture { "" } else { after };
    }
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_page_has_the_versions_of_a_bot_and_what_changed_from_one_to_the_next() {
    let place = season();
    place.arena("report league.db -o site --replays none").expect_code(0);
    let pages = pages(&place, "site");
    assert!(pages.keys().eq(["labels/2.html"]), "a bot with one version has no page: {:?}", pages.keys());
    insta::with_settings!({snapshot_path => "../snapshots", filters => vec![(r"games \| .*", "games | <fuel>")]}, {
        insta::assert_snapshot!("label", text(&pages["labels/2.html"]));
    });
}
