//! Large components with the same skeleton, such as two bots in one interpreted language: their functions are compiled once.

use crate::common::{self, sandbox_with, script, specimen, spots};
use arena_rules::Coord;
use arena_sandbox::{Allowance, Bot, CacheOptions, CompileLimits, CompileOptions, Compiler, Sandbox};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;

/// The instructions of a sweeper that is large, and of one that is medium.
const LARGE: usize = 4_200_000;
const MEDIUM: usize = 1_200_000;

/// A sweeper with this name of eleven letters, beside this many instructions.
fn with_code(name: &str, instructions: usize) -> Vec<u8> {
    let named = format!(r#"(data $name-text (i32.const 64) "{name}")"#);
    arena_testkit::with_nops(arena_testkit::component(&named).expect("it can be made"), instructions)
}

/// A cache in a separate folder, and the work of the children that used it.
struct Place {
    folder: TempDir,
    /// The part of the usual sizes from which on a bot is large or medium here.
    part: usize,
}

impl Place {
    /// Bots are large or medium from a hundredth of the usual sizes on.
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder"), part: 100 }
    }

    /// Bots are large or medium as for a program that chooses nothing.
    fn with_usual_sizes() -> Self {
        Self { part: 1, ..Self::new() }
    }

    fn cache(&self) -> CacheOptions {
        let usual = CacheOptions::at(self.file("cache"));
        CacheOptions {
            large_bytes: usual.large_bytes / self.part,
            medium_bytes: usual.medium_bytes / self.part,
            ..usual
        }
    }

    fn large(&self, name: &str) -> Vec<u8> {
        with_code(name, LARGE / self.part)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn sandbox(&self, compiler: Compiler) -> Sandbox {
        let cache = Some(self.cache());
        sandbox_with(CompileLimits::default(), CompileOptions { compiler, cache })
    }

    /// A compiler that notes the work of each child.
    fn compiler(&self) -> Compiler {
        script(&format!(r#"echo "$7" >> {}; exec "$0" "$@""#, self.file("work").display()))
    }

    /// Admits a large component in a new sandbox, and returns the work that its children did.
    fn admit(&self, name: &str) -> String {
        self.work_of(|| self.check(&self.sandbox(self.compiler()), name))
    }

    /// Admits a large component and checks that it plays as it should.
    fn check(&self, sandbox: &Sandbox, name: &str) {
        let bot: Bot = sandbox.admit(&self.large(name)).expect("it is a bot");
        assert_eq!(bot.name(), name);
        assert_eq!(shots(&bot), shots(&specimen("sweeper")));
    }

    /// The work that children do in an admission.
    fn work_of(&self, admit: impl FnOnce()) -> String {
        let _ = fs::remove_file(self.file("work"));
        admit();
        fs::read_to_string(self.file("work")).unwrap_or_default().lines().collect::<Vec<_>>().join(" ")
    }

    /// The files of the cache with this ending.
    fn files(&self, ending: &str) -> Vec<PathBuf> {
        let files = fs::read_dir(self.file("cache")).expect("the folder is there");
        let files = files.map(|file| file.expect("it can be listed").path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == ending)).collect()
    }

    fn only_file(&self, ending: &str) -> PathBuf {
        let [file] = &self.files(ending)[..] else { panic!("there is not one: {:?}", self.files(ending)) };
        file.clone()
    }
}

/// The first shots of a game. A bot with much code needs more fuel for them than the specimen does.
fn shots(bot: &Bot) -> Vec<Option<Coord>> {
    spots(bot, 1, 5).into_iter().map(|(spot, _)| spot).collect()
}

#[test]
fn an_edited_bot_is_compiled_from_kept_functions_to_the_same_code() {
    let place = Place::with_usual_sizes();
    assert_eq!(place.admit("first words"), "slowdown skeleton functions judge");
    assert_eq!(place.admit("first words"), "");
    fs::remove_file(place.only_file("artifact")).unwrap();
    assert_eq!(place.admit("other words"), "skeleton judge");
    let with_functions = fs::read(place.only_file("artifact")).unwrap();

    let without = Place::with_usual_sizes();
    without.check(&without.sandbox(Compiler::InProcess), "other words");
    assert!(without.files("functions").is_empty());
    assert!(fs::read(without.only_file("artifact")).unwrap() == with_functions);
}

#[test]
fn functions_that_were_changed_or_that_others_could_have_written_are_compiled_again() {
    let place = Place::new();
    place.admit("first words");
    let functions = place.only_file("functions");
    let whole = fs::read(&functions).unwrap();
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let artifact = fs::read(place.only_file("artifact")).unwrap();
    for (what, bytes, mode) in [
        ("of another version of the format", changed(7), 0o600),
        ("of another skeleton", changed(8), 0o600),
        ("of another engine", changed(8 + 64 + 1), 0o600),
        ("of another kind", changed(8 + 81), 0o600),
        ("changed in the middle", changed(whole.len() / 2), 0o600),
        ("cut off", whole[..whole.len() - 1].to_vec(), 0o600),
        ("an artifact", artifact, 0o600),
        ("writable by all", whole.clone(), 0o602),
    ] {
        fs::write(&functions, bytes).unwrap();
        fs::set_permissions(&functions, Permissions::from_mode(mode)).unwrap();
        fs::remove_file(place.only_file("artifact")).unwrap();
        assert_eq!(place.admit("other words"), "skeleton functions judge", "{what}");
        assert!(fs::read(&functions).unwrap() == whole, "{what}");
    }
}

#[test]
fn a_bot_is_admitted_without_functions_if_anything_goes_wrong_with_them() {
    for fails in [
        r#"skeleton) echo nonsense;;"#,
        r#"skeleton) kill -KILL $$;;"#,
        r#"functions) kill -KILL $$;;"#,
        // A child that answers another question.
        r#"skeleton) exec "$0" "$1" "$2" "$3" "$4" "$5" "$6" judge 0;;"#,
        r#"functions) exec "$0" "$1" "$2" "$3" "$4" "$5" "$6" skeleton 0;;"#,
    ] {
        let place = Place::new();
        let compiler = script(&format!(r#"case "$7" in {fails} *) exec "$0" "$@";; esac"#));
        let sandbox = place.sandbox(compiler);
        place.check(&sandbox, "first words");
        assert_eq!(sandbox.cache_trouble(), None);
        assert_eq!(sandbox.functions_trouble().is_some(), fails.starts_with("functions"), "{fails}");
        assert!(place.files("functions").is_empty(), "{fails}");
    }
}

#[test]
fn functions_that_need_too_much_are_said_and_not_tried_again_after_an_edit() {
    let place = Place::new();
    let log = format!(r#"echo "$7" >> {}"#, place.file("work").display());
    // The child that compiles functions has less stack than the one that judges.
    let compiler = script(&format!(
        r#"{log}; case "$7" in functions) exec "$0" "$1" "$2" "$3" "$4" "$5" 65536 functions 0;; *) exec "$0" "$@";; esac"#
    ));
    let sandboxes = [(), ()].map(|()| place.sandbox(compiler.clone()));
    for (sandbox, words, work) in [
        (&sandboxes[0], "first words", "skeleton functions judge"),
        (&sandboxes[1], "other words", "skeleton judge"),
    ] {
        assert_eq!(place.work_of(|| place.check(sandbox, words)), work);
        let trouble = sandbox.functions_trouble().expect("it says so");
        assert!(
            trouble.contains("compiling them needs more than") && trouble.contains("of stack"),
            "{trouble}"
        );
    }
}

#[test]
fn functions_of_a_medium_component_are_kept_when_its_skeleton_is_seen_for_the_second_time() {
    let place = Place::with_usual_sizes();
    let admit = |name: &str, instructions: usize| {
        place.work_of(|| {
            let sandbox = place.sandbox(place.compiler());
            let bot = sandbox.admit(&with_code(name, instructions)).expect("it is a bot");
            assert_eq!(shots(&bot), shots(&specimen("sweeper")));
        })
    };
    assert_eq!(admit("first words", MEDIUM), "slowdown skeleton judge");
    assert_eq!(admit("other words", MEDIUM + 1), "skeleton judge", "it has another skeleton");
    assert_eq!(admit("other words", MEDIUM), "skeleton functions judge");
    assert_eq!(admit("third words", MEDIUM), "skeleton judge");
    assert_eq!(place.files("functions").len(), 1);
}

/// The instructions of a build. It is medium where the sizes are a hundredth of the usual ones.
const BUILD: usize = MEDIUM / 100;

/// The processor time that a build may take.
const ALLOWANCE: Allowance = Allowance { base: 2, per_megabyte: 0 };

/// Admits a bot with this many instructions as a build of the project in this folder, or in none, and returns the work of the children.
fn admit_build(place: &Place, compiler: Compiler, project: Option<&str>, instructions: usize) -> String {
    place.work_of(|| {
        let cache = CacheOptions { project: project.map(PathBuf::from), ..place.cache() };
        let limits = CompileLimits { cpu_seconds: ALLOWANCE, ..CompileLimits::default() };
        let sandbox = sandbox_with(limits, CompileOptions { compiler, cache: Some(cache) });
        let bot = sandbox.admit(&with_code("first words", instructions)).expect("it is a bot");
        assert_eq!((bot.name(), shots(&bot)), ("first words", shots(&specimen("sweeper"))));
    })
}

#[test]
fn a_build_in_a_project_is_compiled_from_the_functions_of_an_earlier_one_and_not_kept_for_others() {
    let place = Place::new();
    let admit = |project, instructions| admit_build(&place, place.compiler(), project, instructions);
    assert_eq!(admit(Some("mine"), BUILD), "skeleton functions judge");
    let kept = place.files("artifact");
    assert_eq!(admit(Some("mine"), BUILD + 1), "skeleton judge", "its code has changed");
    assert_eq!(admit(Some("mine"), BUILD + 1), "skeleton judge", "it is not kept");
    assert_eq!(place.files("artifact"), kept);
    assert_eq!(admit(None, BUILD + 1), "skeleton judge");
    assert_eq!(place.files("artifact").len(), 2, "it is kept when it was compiled without them");
    assert_eq!(admit(Some("other"), BUILD + 2), "skeleton functions judge", "it is another project");
}

#[test]
fn functions_of_a_project_that_help_too_little_are_compiled_again() {
    let place = Place::new();
    let admit = |compiler, instructions| admit_build(&place, compiler, Some("mine"), instructions);
    admit(place.compiler(), BUILD);
    // The child that judges takes a second of processor time: more than a tenth of its allowance, and less than all of it.
    let read = r"read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ < /proc/$$/stat; ticks=$((user + system))";
    let busy = format!(r#"case "$7" in judge) ticks=0; while [ "$ticks" -lt 100 ]; do {read}; done;; esac"#);
    let slow = script(&format!(r#"echo "$7" >> {}; {busy}; exec "$0" "$@""#, place.file("work").display()));
    assert_eq!(admit(slow, BUILD + 1), "skeleton judge");
    assert_eq!(admit(place.compiler(), BUILD + 2), "skeleton functions judge");
    assert_eq!(admit(place.compiler(), BUILD + 3), "skeleton judge");
}

#[test]
fn a_build_in_a_project_is_admitted_if_the_entry_of_the_project_is_damaged() {
    let place = Place::new();
    let admit = |instructions| admit_build(&place, place.compiler(), Some("mine"), instructions);
    admit(BUILD);
    for path in place.files("time") {
        fs::write(path, "nonsense").unwrap();
    }
    assert_eq!(admit(BUILD + 1), "skeleton functions judge");
    fs::remove_file(place.files("functions").pop().unwrap()).unwrap();
    fs::remove_file(place.files("functions").pop().unwrap()).unwrap();
    assert_eq!(admit(BUILD + 2), "skeleton functions judge");
}

#[test]
fn the_time_that_compiling_took_is_known_beside_its_allowance_and_kept() {
    let place = Place::new();
    let time = || {
        let bot = place.sandbox(place.compiler()).admit(&with_code("first words", MEDIUM));
        bot.expect("it is a bot").compile_time().expect("it is known")
    };
    let first = time();
    assert!(!first.used.is_zero() && first.used < first.allowed, "{first:?}");
    // 3 s and 3 s for each of two megabytes, and more on a machine that is slower than the reference.
    assert!((9..=72).contains(&first.allowed.as_secs()), "{first:?}");
    assert_eq!(place.work_of(|| assert_eq!(time(), first)), "");
}

#[test]
fn a_large_component_that_is_refused_is_refused_as_by_this_process() {
    let place = Place::new();
    let mut component = place.large("first words");
    component.truncate(component.len() - 1);
    let refusal = common::refusal(place.sandbox(place.compiler()).admit(&component));
    assert_eq!(refusal, common::admit(&component).expect_err("it is cut off"));
    assert!(place.files("functions").is_empty());
}

#[test]
fn small_components_and_those_without_a_cache_are_compiled_as_they_are() {
    let place = Place::with_usual_sizes();
    place.sandbox(place.compiler()).admit(&arena_testkit::zoo("sweeper")).expect("it is a bot");
    let options = CompileOptions { compiler: place.compiler(), cache: None };
    place.check(&sandbox_with(CompileLimits::default(), options), "first words");
    assert_eq!(fs::read_to_string(place.file("work")).unwrap(), "judge\nslowdown\njudge\n");
}
