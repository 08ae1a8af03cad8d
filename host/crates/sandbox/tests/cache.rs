//! The cache of compiled components, which saves time and changes no result, for any content of its files.

use crate::common::{self, sandbox_with, script, specimen, spots};
use arena_sandbox::{Bot, CacheOptions, CompileLimits, CompileOptions, Sandbox};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The header of a file in the cache: magic, the component's hash, a hyphen, the engine's hash, kind, length and digest.
const HEADER_BYTES: usize = KIND + 1 + 8 + 32;
const ENGINE: usize = 8 + 64 + 1;
const KIND: usize = ENGINE + 16;

/// A cache in a separate folder, and a count of the compilations for it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    fn cache(&self) -> PathBuf {
        self.0.path().join("caches/arena")
    }

    /// A new sandbox with the cache, as in another run of a program. Each compilation adds a line to a file.
    fn sandbox(&self) -> Sandbox {
        self.sandbox_with(CacheOptions::at(self.cache()))
    }

    fn sandbox_with(&self, cache: CacheOptions) -> Sandbox {
        let compiler = script(&format!(r#"echo >> {}; exec "$0" "$@""#, self.count().display()));
        sandbox_with(CompileLimits::default(), CompileOptions { compiler, cache: Some(cache) })
    }

    fn count(&self) -> PathBuf {
        self.0.path().join("count")
    }

    /// Admits a specimen in a new sandbox, and checks that it plays as it should.
    fn admit(&self, name: &str) -> Sandbox {
        let sandbox = self.sandbox();
        let bot = admit(&sandbox, name);
        assert_eq!(spots(&bot, 1, 5), spots(&specimen(name), 1, 5), "{name}");
        sandbox
    }

    fn compiled(&self) -> usize {
        fs::read_to_string(self.count()).map_or(0, |text| text.lines().count())
    }

    /// The names of the cache's files, without the times that compiling took, which are beside the code.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.cache()).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".time"));
        names.sort();
        names
    }

    /// The file of a specimen.
    fn entry(&self, name: &str) -> PathBuf {
        let hash = specimen(name).hash().to_owned();
        let names = self.names();
        let name = names.iter().find(|name| name.starts_with(&hash)).expect("it is in the cache");
        self.cache().join(name)
    }
}

fn admit(sandbox: &Sandbox, name: &str) -> Bot {
    sandbox.admit(&arena_testkit::zoo(name)).expect("it is a bot")
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn a_component_is_compiled_once() {
    let place = Place::new();
    for _ in 0..3 {
        let sandbox = place.admit("shoots-at-random");
        assert_eq!(sandbox.cache_trouble(), None);
    }
    assert_eq!(place.compiled(), 1);
    place.admit("remembers");
    assert_eq!((place.compiled(), place.names().len()), (2, 2));
    assert_eq!((mode(&place.cache()), mode(&place.entry("remembers"))), (0o700, 0o600));
}

#[test]
fn an_entry_that_was_changed_is_compiled_again_and_replaced() {
    let place = Place::new();
    place.admit("remembers");
    place.admit("shoots-at-random");
    let (entry, other) = (place.entry("shoots-at-random"), place.entry("remembers"));
    let whole = fs::read(&entry).unwrap();
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut compiled = place.compiled();
    for (what, bytes) in [
        ("nothing", Vec::new()),
        ("a part of its header", whole[..HEADER_BYTES - 1].to_vec()),
        ("its header alone", whole[..HEADER_BYTES].to_vec()),
        ("all but a byte", whole[..whole.len() - 1].to_vec()),
        ("a byte too many", [whole.as_slice(), &[0]].concat()),
        ("of another version of the format", changed(7)),
        ("of another component", changed(8)),
        ("of another engine", changed(ENGINE)),
        ("of another kind", changed(KIND)),
        ("of another length", changed(KIND + 1)),
        ("of another digest", changed(HEADER_BYTES - 1)),
        ("of a changed artifact", changed(HEADER_BYTES)),
        ("of an artifact changed in its middle", changed(whole.len() / 2)),
        ("another component's", fs::read(&other).unwrap()),
    ] {
        fs::write(&entry, bytes).unwrap();
        place.admit("shoots-at-random");
        compiled += 1;
        assert_eq!(place.compiled(), compiled, "{what}");
        assert!(fs::read(&entry).unwrap() == whole, "{what} was replaced");
        assert_eq!(mode(&entry), 0o600);
    }
}

#[test]
fn an_entry_that_others_could_have_written_is_compiled_again_and_replaced() {
    let place = Place::new();
    place.admit("shoots-at-random");
    let entry = place.entry("shoots-at-random");
    let elsewhere = place.0.path().join("elsewhere");
    fs::copy(&entry, &elsewhere).unwrap();
    let spoilers: [(&str, &dyn Fn()); 4] = [
        ("writable by the group", &|| set_mode(&entry, 0o660)),
        ("writable by all", &|| set_mode(&entry, 0o602)),
        ("a link to elsewhere", &|| {
            fs::remove_file(&entry).unwrap();
            symlink(&elsewhere, &entry).unwrap();
        }),
        ("a pipe", &|| {
            fs::remove_file(&entry).unwrap();
            let made = std::process::Command::new("mkfifo").arg(&entry).status();
            assert!(made.expect("there is a mkfifo command").success());
        }),
    ];
    for (count, (what, spoil)) in spoilers.iter().enumerate() {
        spoil();
        place.admit("shoots-at-random");
        assert_eq!(place.compiled(), count + 2, "{what}");
        let now = fs::symlink_metadata(&entry).unwrap();
        assert!(now.is_file() && mode(&entry) == 0o600, "{what} was replaced");
        place.admit("shoots-at-random");
        assert_eq!(place.compiled(), count + 2, "{what}");
    }
    assert!(elsewhere.exists());
}

#[test]
fn a_folder_that_others_may_write_to_is_not_used() {
    for mode in [0o770, 0o707, 0o777, 0o1777] {
        let place = Place::new();
        fs::create_dir_all(place.cache()).unwrap();
        set_mode(&place.cache(), mode);
        let sandbox = place.admit("sweeper");
        let trouble = sandbox.cache_trouble().expect("it is reported");
        assert!(trouble.contains("others may write to the folder"), "{trouble}");
        assert!(place.names().is_empty());
    }
}

#[test]
fn a_path_that_is_not_a_folder_of_this_user_is_not_used() {
    let place = Place::new();
    fs::create_dir_all(place.cache().parent().unwrap()).unwrap();
    File::create(place.cache()).unwrap();
    let trouble = |place: &Place| place.admit("sweeper").cache_trouble().expect("it is reported").to_owned();
    assert!(trouble(&place).contains("cannot be created"), "{}", trouble(&place));

    fs::remove_file(place.cache()).unwrap();
    let real = place.0.path().join("real");
    fs::create_dir(&real).unwrap();
    symlink(&real, place.cache()).unwrap();
    assert!(trouble(&place).contains("symbolic link"), "{}", trouble(&place));
    assert_eq!(fs::read_dir(real).unwrap().count(), 0);
}

#[test]
fn a_folder_that_can_no_longer_be_written_to_costs_only_a_note() {
    let place = Place::new();
    let sandbox = place.sandbox();
    assert_eq!(sandbox.cache_trouble(), None);
    fs::remove_dir(place.cache()).unwrap();
    admit(&sandbox, "sweeper");
    let trouble = sandbox.cache_trouble().expect("it is reported").to_owned();
    assert!(trouble.contains("cannot be written to"), "{trouble}");
    admit(&sandbox, "repeats");
    assert_eq!(sandbox.cache_trouble(), Some(trouble.as_str()), "once is enough");
}

#[test]
fn the_least_recently_used_entries_make_room_for_new_ones() {
    let place = Place::new();
    let names = ["sweeper", "repeats", "remembers", "shoots-at-random"];
    names.iter().for_each(|name| drop(place.admit(name)));
    let bytes: u64 = names.iter().map(|name| fs::metadata(place.entry(name)).unwrap().len()).sum();
    fs::remove_file(place.entry("shoots-at-random")).unwrap();
    let age = |name: &str, seconds: u64| {
        let file = File::options().write(true).open(place.entry(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    };
    age("sweeper", 300);
    age("repeats", 200);
    age("remembers", 100);
    // The oldest is used, so it becomes the newest.
    place.admit("sweeper");
    assert_eq!(place.compiled(), 4);
    fs::write(place.cache().join("notes.txt"), "not the cache's").unwrap();

    let small = CacheOptions { bytes_max: bytes - 1, ..CacheOptions::at(place.cache()) };
    admit(&place.sandbox_with(small), "shoots-at-random");
    let hashes =
        ["sweeper", "remembers", "shoots-at-random"].map(|name| specimen(name).hash()[..64].to_owned());
    let left: Vec<String> = place.names();
    for hash in hashes {
        assert!(left.iter().any(|name| name.starts_with(&hash)), "{left:?}");
    }
    assert!(left.contains(&"notes.txt".to_owned()));
    assert_eq!(left.len(), 4, "{left:?}");

    let none = CacheOptions { bytes_max: 0, ..CacheOptions::at(place.cache()) };
    admit(&place.sandbox_with(none), "shoots-at-random");
    assert_eq!(place.names(), ["notes.txt"], "nothing fits any more");
}

#[test]
fn an_incomplete_file_of_a_dead_process_is_removed_after_a_while() {
    let place = Place::new();
    fs::create_dir_all(place.cache()).unwrap();
    set_mode(&place.cache(), 0o700);
    for (name, hours) in [("1-0.tmp", 2), ("2-0.tmp", 0)] {
        let file = File::create(place.cache().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3_600)).unwrap();
    }
    place.admit("sweeper");
    let names = place.names();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"2-0.tmp".to_owned()), "its writer may still live");
}

#[test]
fn several_sandboxes_may_use_one_cache_at_the_same_time() {
    let place = Place::new();
    let names = ["sweeper", "repeats", "remembers", "shoots-at-random"];
    thread::scope(|scope| {
        for worker in 0..4 {
            let (place, names) = (&place, &names);
            scope.spawn(move || {
                // A limit that evicts entries that others are about to load.
                let cache = CacheOptions { bytes_max: 100_000, ..CacheOptions::at(place.cache()) };
                let sandbox = place.sandbox_with(cache);
                for turn in 0..12 {
                    let name = names[(worker + turn) % names.len()];
                    assert_eq!(spots(&admit(&sandbox, name), 1, 3), spots(&specimen(name), 1, 3));
                }
                assert_eq!(sandbox.cache_trouble(), None);
            });
        }
    });
    assert!(place.names().iter().all(|name| name.ends_with(".artifact")), "{:?}", place.names());
}

#[test]
fn a_refusal_is_remembered_for_the_same_limits() {
    let place = Place::new();
    let refused = |name: &str| common::refusal(place.sandbox().admit(&arena_testkit::zoo(name)));
    for (count, name) in ["many-instances", "wrong-types", "imports-http"].into_iter().enumerate() {
        let first = refused(name);
        assert_eq!(refused(name), first);
        assert_eq!(first, common::refused(name));
        assert_eq!((place.compiled(), place.names().len()), (count + 1, count + 1));
    }
    let limits = CompileLimits { stack_bytes: 8 << 20, ..CompileLimits::default() };
    let compiler = script(&format!(r#"echo >> {}; exec "$0" "$@""#, place.count().display()));
    let cache = Some(CacheOptions::at(place.cache()));
    let other = sandbox_with(limits, CompileOptions { compiler, cache });
    common::refusal(other.admit(&arena_testkit::zoo("wrong-types")));
    assert_eq!(place.compiled(), 4, "with other limits it might be admitted");
}

#[test]
fn a_refusal_that_was_changed_is_not_believed() {
    let place = Place::new();
    let admit = || common::refusal(place.sandbox().admit(&arena_testkit::zoo("wrong-types")));
    let refusal = admit();
    let [entry] = &place.names()[..] else { panic!("there is one: {:?}", place.names()) };
    let entry = place.cache().join(entry);
    let mut bytes = fs::read(&entry).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&entry, &bytes).unwrap();
    assert_eq!(admit(), refusal);
    assert_eq!(place.compiled(), 2);
    assert!(fs::read(&entry).unwrap() != bytes, "it was replaced");
}

#[test]
fn a_refusal_by_the_sandboxs_own_limit_on_memory_is_not_remembered() {
    let place = Place::new();
    let refusal = common::refusal(place.sandbox().admit(&arena_testkit::zoo("huge-memory")));
    assert_eq!(refusal, common::refused("huge-memory"));
    assert!(place.names().iter().all(|name| name.ends_with(".artifact")), "{:?}", place.names());
}

#[test]
fn code_that_is_compiled_in_this_process_is_kept_too() {
    let place = Place::new();
    for _ in 0..2 {
        let cache = Some(CacheOptions::at(place.cache()));
        let sandbox = sandbox_with(CompileLimits::default(), CompileOptions { cache, ..Default::default() });
        assert_eq!(spots(&admit(&sandbox, "remembers"), 1, 5), spots(&specimen("remembers"), 1, 5));
    }
    let by_process = fs::read(place.entry("remembers")).unwrap();
    // A child makes the same file, to the byte.
    fs::remove_file(place.entry("remembers")).unwrap();
    place.admit("remembers");
    assert!(fs::read(place.entry("remembers")).unwrap() == by_process);
}
