//! Bots' names and output do not change the tags of pages.

use super::*;
use proptest::prelude::*;

/// Checks that a hostile text changes no tag of a site, compared with a harmless one.
fn check<G: Reported>(recording: &[u8], text: &str) {
    // A text with the same number of characters on a cell has the same width there.
    // One with a dot is no name of an author, which a club's addresses have.
    let harmless = "x.x";
    for site in [site::<G>, served::<G>] {
        let [plain, hostile] = [harmless, text].map(|text| site(recording, text, Replays::All));
        check_same(&plain, &hostile, text);
    }
}

/// Checks that a site with a hostile text has the tags of one with a harmless text.
pub fn check_same(plain: &Site, hostile: &Site, text: &str) {
    assert!(plain.keys().eq(hostile.keys()), "no text is in a path");
    assert!(hostile.keys().all(|path| is_of_a_site(path)));
    for (path, page) in pages(hostile) {
        assert_eq!(tags(page), tags(&plain[path]), "{path}: {text:?}");
    }
}

#[test]
fn no_hostile_text_is_more_than_text() {
    let texts = include_str!("../data/hostile.txt").lines().filter(|line| !line.starts_with('#'));
    for text in texts {
        check::<Battleship>(PANIC, text);
        check::<Submarine>(SUBMARINE, text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_text_is_more_than_text(
        // A plain word may be the name of an author, whose addresses a club has.
        text in "[<>&'\"/=!\\-a-z \\\\`{}%]{2,29}[<>&'\"/=! \\\\`{}%]",
    ) {
        check::<Battleship>(PANIC, &text);
    }
}

#[test]
fn the_data_of_a_replay_is_json_with_the_text_in_it() {
    let text = "</script><script>alert(1)</script>";
    let site = site::<Battleship>(PANIC, text, Replays::All);
    let page = &site["games/1.html"];
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"replay-data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["frames"][0]["p"][1], text);
    assert_eq!(data["frames"].as_array().unwrap().len(), page.matches("<li id=").count() + 1);
    assert_eq!(data["frames"][1]["d"][0].as_array().unwrap().len(), 0, "nothing has changed");
}
