//! `arena cache`: the compiled bots that are kept.

use crate::support::Place;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

/// The number of files of the cache in the folder `kept`, of all kinds.
fn count(place: &Place) -> u64 {
    let document = place.arena("cache show --cache kept -o json").expect_code(0).json();
    let files = document["files"].as_array().unwrap();
    files.iter().map(|files| files["files"].as_u64().unwrap()).sum()
}

#[test]
fn the_cache_is_shown_and_cleared_and_files_of_others_stay() {
    let place = Place::with_specimens(&["sweeper", "imports-http"]);
    assert_eq!(count(&place), 0);
    assert!(!place.path("kept").exists(), "showing makes no folder");
    place.arena("check sweeper.wasm --cache kept --quick").expect_code(0);
    place.arena("check imports-http.wasm --cache kept").expect_code(3);
    let text = place.arena("cache show --cache kept").expect_code(0).stdout;
    for part in ["of 2,048 MiB", "compiled bots", "refusals"] {
        assert!(text.contains(part), "{text}");
    }
    // Files of somebody else, one of which looks like something that was left behind.
    for name in ["kept/notes.txt", "kept/notes.tmp", "kept/a-1-2.tmp"] {
        let file = File::create(place.path(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(100 * 3_600)).unwrap();
    }
    place.arena("check sweeper.wasm --cache kept --quick").expect_code(0);
    let ours = count(&place);
    let told = place.arena("cache clear --cache kept").expect_code(0).stdout;
    assert!(told.contains(&format!("removed {ours} files")), "{told}");
    assert_eq!(count(&place), 0);
    let left = place.files("kept");
    assert_eq!(left.keys().collect::<Vec<_>>(), ["a-1-2.tmp", "notes.tmp", "notes.txt"]);
}

#[test]
fn the_cache_has_a_size_and_the_bot_that_was_not_used_for_longest_goes_first() {
    let place = Place::with_specimens(&["sweeper"]);
    place.arena("check sweeper.wasm --cache kept --cache-size 0 --quick").expect_code(0);
    assert_eq!(count(&place), 0);
    place.arena("check sweeper.wasm --cache kept --quick").expect_code(0);
    assert!(count(&place) > 0);
    // The size counts from the next run on.
    place.arena("check sweeper.wasm --cache kept --cache-size 0 --quick").expect_code(0);
    assert_eq!(count(&place), 0);
}

#[test]
fn a_cache_that_others_may_write_to_is_not_touched() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::empty();
    fs::create_dir(place.path("kept")).unwrap();
    fs::set_permissions(place.path("kept"), fs::Permissions::from_mode(0o777)).unwrap();
    let told = place.arena("cache clear --cache kept").expect_code(2).stderr;
    assert!(told.contains("others may write to the folder") && told.contains("next: "), "{told}");
}
