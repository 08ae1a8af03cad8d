//! `arena cache`: shows and clears the cache of compiled bots.

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
fn the_cache_is_shown_and_cleared_and_other_files_stay() {
    let place = Place::with_specimens(&["sweeper", "imports-http"]);
    assert_eq!(count(&place), 0);
    assert!(!place.path("kept").exists(), "`show` creates no folder");
    place.arena("check sweeper.wasm --cache kept --quick").expect_code(0);
    place.arena("check imports-http.wasm --cache kept").expect_code(3);
    let text = place.arena("cache show --cache kept").expect_code(0).stdout;
    for part in ["of 2,048 MiB", "compiled bots", "refusals"] {
        assert!(text.contains(part), "{text}");
    }
    // Files that no arena has made. Two of them look like incomplete files that were left behind.
    for name in ["kept/notes.txt", "kept/notes.tmp", "kept/a-1-2.tmp"] {
        let file = File::create(place.path(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(100 * 3_600)).unwrap();
    }
    place.arena("check sweeper.wasm --cache kept --quick").expect_code(0);
    let before = count(&place);
    let output = place.arena("cache clear --cache kept").expect_code(0).stdout;
    assert!(output.contains(&format!("removed {before} files")), "{output}");
    assert_eq!(count(&place), 0);
    let left = place.files("kept");
    assert_eq!(left.keys().collect::<Vec<_>>(), ["a-1-2.tmp", "notes.tmp", "notes.txt"]);
}

#[test]
fn a_cache_of_size_0_keeps_nothing() {
    let place = Place::with_specimens(&["sweeper"]);
    place.arena("check sweeper.wasm --cache kept --cache-size 0 --quick").expect_code(0);
    assert_eq!(count(&place), 0);
    place.arena("check sweeper.wasm --cache kept --quick").expect_code(0);
    assert!(count(&place) > 0);
    // A smaller size takes effect in the next run.
    place.arena("check sweeper.wasm --cache kept --cache-size 0 --quick").expect_code(0);
    assert_eq!(count(&place), 0);
}

#[test]
fn a_cache_that_others_may_write_to_is_not_touched() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::empty();
    fs::create_dir(place.path("kept")).unwrap();
    fs::set_permissions(place.path("kept"), fs::Permissions::from_mode(0o777)).unwrap();
    let error = place.arena("cache clear --cache kept").expect_code(2).stderr;
    assert!(error.contains("others may write to the folder") && error.contains("next: "), "{error}");
}
