//! The verdict on a file that is submitted as a bot.

use crate::common::{self, admit, child, sandbox, sandbox_with, specimen};
use arena_rules::GameKind;
use arena_sandbox::{
    AdmitError, Allowance, CompileLimits, CompileOptions, RefusalKind, Sandbox, SandboxLimits,
};
use arena_testkit::giant;
use std::env;
use std::time::Duration;

#[test]
fn a_bot_is_known_by_its_file_and_shown_by_its_name() {
    let bytes = arena_testkit::zoo("sweeper");
    let bot = specimen("sweeper");
    assert_eq!(bot.name(), "zoo sweeper");
    assert_eq!(bot.size_bytes(), bytes.len());
    assert_eq!(bot.kind(), GameKind::Battleship);
    assert_eq!(bot.contract_version(), "0.1.0");
    assert_eq!(bot.hash().len(), 64);
    assert_eq!(bot.hash(), specimen("sweeper").hash());
    assert_ne!(bot.hash(), specimen("repeats").hash());
    assert!(bot.imports().is_empty());
}

#[test]
fn the_processor_time_of_a_child_counts_for_the_handle_that_has_started_it() {
    let limits =
        CompileLimits { cpu_seconds: Allowance { base: 1, per_megabyte: 0 }, ..CompileLimits::default() };
    let sandbox = sandbox_with(limits, CompileOptions { compiler: child(), cache: None });
    let (one, other) = (sandbox.metered(), sandbox.metered());
    // It is refused, and so has no bot that could tell.
    let refusal = common::refusal(one.clone().admit(&giant(1_000)));
    assert_eq!(refusal.kind, RefusalKind::CompileLimits);
    let used = one.processor_time();
    assert!(used >= Duration::from_millis(900), "{used:?}");
    let bot = other.admit(&arena_testkit::zoo("sweeper")).expect("it is a bot");
    assert!(other.processor_time() < used / 2 && one.processor_time() == used);
    assert_eq!(sandbox.processor_time(), Duration::ZERO);
    assert_eq!(bot.name(), "zoo sweeper");
}

#[test]
fn a_name_is_shown_without_control_sequences_and_cut_to_its_length() {
    assert_eq!(specimen("escape-name").name(), "zoo red x");
    assert_eq!(specimen("long-name").name(), format!("{}…", "a".repeat(63)));
    assert_eq!(specimen("empty-name").name(), "unnamed");
}

#[test]
fn imports_are_listed_with_their_versions() {
    assert_eq!(specimen("shoots-at-random").imports(), ["wasi:random/random@0.2.12"]);
}

#[test]
fn every_patch_release_of_wasi_0_2_is_linked() {
    for version in ["0.2.0", "0.2.3", "0.2.6", "0.2.12"] {
        for name in ["looks-around", "log-flood", "sleeps", "shoots-at-random"] {
            let text = arena_testkit::zoo_text(name);
            let bytes = arena_testkit::component_with_wasi(&text, version).expect("it can be made");
            let bot = admit(&bytes).unwrap_or_else(|refusal| panic!("{name} with {version}: {refusal}"));
            assert_eq!(
                common::spots(&bot, 1, 3),
                common::spots(&specimen(name), 1, 3),
                "{name} with {version}"
            );
        }
    }
}

#[test]
fn a_component_that_exports_nothing_is_refused_before_the_types_of_its_imports_are_checked() {
    let bytes = arena_testkit::component(
        r#"(component
            (import "wasi:random/random@0.2.12" (instance (export "get-random-u64" (func (result string))))))"#,
    );
    // The cheapest check comes first: it is not a bot.
    let refusal = admit(&bytes.expect("it can be made")).expect_err("it is not a bot");
    assert_eq!(refusal.kind, RefusalKind::NotABot);
}

#[test]
fn an_import_that_wasi_does_not_have_is_refused_by_its_name() {
    let text = arena_testkit::zoo_text("wrong-import-types").replace("get-random-u64", "get-luck");
    let refusal =
        admit(&arena_testkit::component(&text).expect("it can be made")).expect_err("there is none");
    assert_eq!(refusal.kind, RefusalKind::Import);
    assert!(refusal.message.contains("`get-luck`"), "{refusal}");
    assert!(refusal.message.ends_with("function implementation is missing"), "{refusal}");
}

#[test]
fn a_bot_in_place_of_a_game_is_called_one() {
    let admitted = sandbox().admit_component(&arena_testkit::zoo("sweeper"));
    let refusal = admitted.map(drop).expect_err("it is no game").to_string();
    assert_eq!(refusal, "is a bot for battleship, not a game");
}

#[test]
fn the_next_step_after_the_refusal_of_a_feature_is_about_that_feature() {
    for (name, words) in [
        ("two-memories", "with one memory, without the multi-memory feature"),
        ("memory64", "for wasm32"),
        ("shared-memory", "without the `atomics` target feature"),
        ("atomics", "without threads"),
        ("spawns-threads", "without threads"),
        ("async-function", "without asynchronous functions"),
        ("tail-calls", "without tail calls"),
        ("exceptions", "without WebAssembly's exceptions"),
        ("garbage-collection", "garbage collection and typed references of WebAssembly are not supported"),
        ("relaxed-simd", "without the `relaxed-simd` target feature"),
    ] {
        let refusal = admit(&arena_testkit::zoo(name)).expect_err(name);
        assert!(refusal.next_step.contains(words), "{name}: {}", refusal.next_step);
    }
}

#[test]
fn files_of_other_kinds_are_recognised() {
    let engine = wasmtime::Engine::default();
    let sweeper = arena_testkit::zoo("sweeper");
    let compiled = engine.precompile_component(&sweeper).expect("it can be compiled");
    let module = sweeper.windows(8).position(|bytes| bytes == b"\0asm\x01\0\0\0").expect("it has a module");
    for (bytes, kind) in [
        (b"".as_slice(), RefusalKind::Empty),
        (&compiled, RefusalKind::Precompiled),
        (&sweeper[module..], RefusalKind::CoreModule),
        (arena_testkit::zoo_text("sweeper").as_bytes(), RefusalKind::NotWasm),
        (b"(component)", RefusalKind::NotWasm),
        (&sweeper[..sweeper.len() / 2], RefusalKind::Invalid),
    ] {
        assert_eq!(admit(bytes).expect_err("it is not a component").kind, kind);
    }
}

#[test]
fn a_component_cut_off_before_its_exports_is_refused() {
    let bytes = arena_testkit::zoo("shoots-at-random");
    let admitted: Vec<usize> = (0..bytes.len()).filter(|&length| admit(&bytes[..length]).is_ok()).collect();
    // The exports are followed by names and the producers' marks, which a component does not need; between two such
    // sections it is complete.
    assert!(admitted.len() <= 3 && admitted.iter().all(|length| *length > bytes.len() / 2), "{admitted:?}");
}

#[test]
fn a_component_with_any_byte_changed_is_refused_or_plays() {
    let bytes = arena_testkit::zoo("sweeper");
    for at in (8..bytes.len()).step_by(3) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        // With another name of its export, it is a bot for a game that is a component.
        if let Some(bot) = admit(&changed).ok().filter(|bot| bot.kind() == GameKind::Battleship) {
            let mut player = common::player(&bot, 1);
            let _ = common::deploy(&mut player, common::FUEL);
            let _ = common::play(&mut player, 1, common::FUEL);
        }
    }
}

#[test]
fn a_file_is_admitted_and_one_over_the_cap_is_not_read_to_its_end() {
    let path = env::temp_dir().join(format!("arena-sandbox-{}.wasm", std::process::id()));
    std::fs::write(&path, arena_testkit::zoo("sweeper")).expect("it can be written");
    let admitted = sandbox().admit_file(&path);
    std::fs::remove_file(&path).expect("it was written");
    assert_eq!(admitted.expect("it is a bot").name(), "zoo sweeper");

    let Err(AdmitError::Unreadable(_)) = sandbox().admit_file(&path) else { panic!("it is gone") };
    let Err(AdmitError::Unreadable(_)) = sandbox().admit_file(env::temp_dir()) else {
        panic!("it is a directory")
    };

    let limits = SandboxLimits { component_bytes_max: 1 << 20, workers: 1, ..SandboxLimits::default() };
    let small = Sandbox::new(limits).expect("a sandbox can be made");
    std::fs::File::create(&path).and_then(|file| file.set_len(2 << 20)).expect("it can be written");
    let admitted = small.admit_file(&path);
    std::fs::remove_file(&path).expect("it was written");
    let Err(AdmitError::Refused(refusal)) = admitted else { panic!("it is over the cap") };
    assert_eq!(refusal.kind, RefusalKind::TooLarge);
}

#[test]
fn what_is_not_a_file_is_not_read() {
    let folder = env::temp_dir().join(format!("arena-sandbox-{}-pipe", std::process::id()));
    std::fs::create_dir(&folder).expect("it can be made");
    let pipe = folder.join("bot.wasm");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("there is a mkfifo command").success());
    for path in [pipe.as_path(), "/dev/zero".as_ref(), folder.as_path()] {
        match sandbox().admit_file(path) {
            Err(AdmitError::Unreadable(_)) => {}
            other => panic!("{}: {other:?}", path.display()),
        }
    }
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn wasmtimes_version_is_the_one_that_is_built_and_pinned() {
    let manifest = include_str!("../../../../Cargo.toml");
    let lock = include_str!("../../../../Cargo.lock");
    let version = arena_sandbox::WASMTIME_VERSION;
    for package in ["wasmtime", "wasmtime-wasi", "wasmtime-wasi-io"] {
        // It is the version that is built, and no other may be.
        let built: Vec<&str> = lock
            .split("[[package]]")
            .filter(|entry| entry.contains(&format!("name = \"{package}\"\n")))
            .collect();
        assert_eq!(built.len(), 1, "{package}");
        assert!(built[0].contains(&format!("version = \"{version}\"\n")), "{}", built[0]);
        let pin = format!("{package} = {{ version = \"={version}\"");
        assert!(manifest.lines().any(|line| line.starts_with(&pin)), "{package}");
    }
}
