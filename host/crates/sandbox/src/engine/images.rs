//! The fuel and the ends of instances whose memories have images, as on Linux, and of those whose data is copied, as elsewhere.

use super::{SPARSE_IMAGE_BYTES_MAX, config};
use crate::contract;
use crate::judge::Linked;
use crate::log::Log;
use crate::scan::{self, Additions};
use crate::state::State;
use crate::wasi;
use std::iter;
use std::sync::LazyLock;
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

/// The fuel of a call that does not end by it.
const MUCH: u64 = 1 << 40;

/// What became of an instance: the answer or the error, the fuel that is left, and the memory that it had.
type End<R> = (Result<R, String>, u64, usize);

/// The engines with and without images.
static ENGINES: LazyLock<[Engine; 2]> = LazyLock::new(|| {
    [true, false].map(|has_images| {
        let config = config(has_images).expect("it can be configured");
        Engine::new(&config).expect("an engine can be made")
    })
});

/// A component, compiled for both engines.
struct Both {
    additions: Additions,
    compiled: [Component; 2],
}

impl Both {
    fn new(bytes: &[u8], what: &str) -> wasmtime::Result<Self> {
        let additions = scan::validate(bytes).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
        let written = scan::with_additions(bytes, &additions).expect("it can be written").into_owned();
        let compile = |engine| Component::from_binary(engine, &written);
        Ok(Self { additions, compiled: [compile(&ENGINES[0])?, compile(&ENGINES[1])?] })
    }

    /// Makes an instance with each engine, and calls something of it.
    fn ends<R>(
        &self,
        fuel: u64,
        ask: impl Fn(&Component, &mut Store<State>) -> wasmtime::Result<R>,
    ) -> [End<R>; 2] {
        let run = |at: usize| {
            let mut state = State::new(64 << 20, 1, Log::new(1_000));
            state.copies_image = self.additions.has_image() && at == 1;
            let mut store = Store::new(&ENGINES[at], state);
            store.limiter(|state| &mut state.caps);
            store.call_hook(wasi::settle);
            store.set_fuel(fuel).expect("the engine counts fuel");
            store.set_epoch_deadline(1 << 20);
            let answer = ask(&self.compiled[at], &mut store).map_err(|error| error.root_cause().to_string());
            (answer, store.get_fuel().expect("it counts"), store.data().caps.memory_bytes)
        };
        [run(0), run(1)]
    }
}

/// Makes an instance, and calls its only function.
fn sum(component: &Component, store: &mut Store<State>) -> wasmtime::Result<u32> {
    let instance = Linker::new(store.engine()).instantiate(&mut *store, component)?;
    let function = instance.get_typed_func::<(), (u32,)>(&mut *store, "sum")?;
    function.call(store, ()).map(|(sum,)| sum)
}

/// A component with an instance before this module, which uses up fuel, and some instances of it.
fn component(parts: &str, instances: usize) -> Vec<u8> {
    let all = "(core instance $i (instantiate $m (with \"env\" (instance $env))))".repeat(instances);
    // The last one has the name.
    let all = all.replacen("$i", "", instances - 1);
    let text = format!(
        "(component
            (core module $burns
                (func $burn (loop))
                (start $burn))
            (core instance (instantiate $burns))
            (core module $e (global (export \"place\") i32 (i32.const 8)) (table (export \"table\") 2 funcref))
            (core instance $env (instantiate $e))
            (core module $m {parts}
                (func $f)
                (func (export \"sum\") (result i32) (local $sum i32) (local $at i32)
                    (loop
                        (local.set $sum (i32.mul (i32.const 31) (i32.add (local.get $sum) (i32.load8_u (local.get $at)))))
                        (local.set $at (i32.add (i32.const 1) (local.get $at)))
                        (br_if 0 (i32.lt_u (local.get $at) (i32.const 64))))
                    (local.get $sum)))
            {all}
            (func (export \"sum\") (result u32) (canon lift (core func $i \"sum\"))))"
    );
    arena_testkit::component(&text).expect("it is a component")
}

/// Checks that a component ends in the same way with and without images, whatever fuel it has.
#[track_caller]
fn check(bytes: &[u8], what: &str) -> Both {
    let both = Both::new(bytes, what).expect("it can be compiled");
    let [(_, left, _), _] = both.ends(MUCH, sum);
    let used = (MUCH - left).max(4);
    // Also with the budgets at which each of the first steps, or the last ones, use up the fuel.
    for fuel in iter::once(MUCH).chain(0..50).chain(used - 4..used + 4) {
        let [mapped, copied] = both.ends(fuel, sum);
        assert_eq!(mapped, copied, "{what}: {fuel} of {used} units");
    }
    both
}

const DATA: &[&str] = &[
    "",
    "(data (i32.const 8) \"text\")",
    "(data (i32.const 8) \"one\") (data (i32.const 9) \"another\") (data \"passive\")",
    "(data (i32.const 8) \"\")",
    "(data (i32.const 8) \"\\00\\00\")",
    "(data (i32.const 65532) \"last\")",
    "(data (i32.const 65533) \"outside\")",
    "(data (i32.const 65533) \"long\") (data (i32.const 8) \"later\")",
    "(data (i32.const 65536) \"\")",
    "(data (i32.const 65537) \"\")",
    "(data (i32.const -2) \"text\")",
    "(data \"passive\")",
    "(data (i32.const 8) \"text\") (data (global.get $place) \"TEXT\")",
    "(data (i32.add (i32.const 4) (i32.const 4)) \"text\")",
];

const MORE: &[&str] = &[
    "",
    "(start $f)",
    "(start $out) (func $out (drop (i32.load (i32.const -4))))",
    "(global i64 (i64.const 1)) (global (mut f32) (f32.const 1)) (global f64 (f64.const 1)) (global v128 (v128.const i64x2 1 1))",
    "(global i32 (i32.add (i32.const 1) (i32.const 1)))",
    "(global i32 (global.get $place))",
    "(global funcref (ref.func $f))",
    "(global funcref (ref.null func))",
    "(table 3 funcref) (elem (i32.const 1) $f $f) (elem declare func $f)",
    "(table 3 funcref) (elem (i32.const 2) $f $f)",
    "(table 3 funcref) (elem (global.get $place) $f)",
    "(table 3 funcref) (elem (i32.const 1) funcref (ref.func $f) (ref.null func))",
    "(table 3 funcref) (table $t 9 funcref) (elem (table $t) (i32.const 3) func $f)",
    "(elem (table $imported) (i32.const 1) func $f)",
    "(elem func $f $f)",
    "(data $named \"named\") (func (memory.init $named (i32.const 0) (i32.const 0) (i32.const 5)) (data.drop $named))",
];

#[test]
fn every_start_of_a_module_ends_and_costs_the_same_with_and_without_images() {
    let imports = "(import \"env\" \"place\" (global $place i32)) (import \"env\" \"table\" (table $imported 2 funcref))";
    let mut with_image = 0;
    for memory in ["(memory 1)", "(memory 0)", "(memory 1 2)"] {
        for data in DATA {
            for more in if memory == "(memory 1)" { MORE } else { &MORE[..2] } {
                // Without the import, a table has another index.
                let imports = if more.contains("$imported") {
                    imports
                } else {
                    imports.split_once(" (import").map_or("", |(first, _)| first)
                };
                let instances = 1 + usize::from(memory.contains('2'));
                let parts = format!("{imports} {memory} {data} {more}");
                let both = check(&component(&parts, instances), &parts);
                with_image += u32::from(both.additions.has_image());
            }
        }
    }
    // Six kinds of data: with nothing, plain globals, elements of one or another table, or a segment that is named, and in two instances.
    assert_eq!(with_image, 6 * 5 + 6);
}

#[test]
fn the_data_of_a_memory_of_another_module_and_a_wide_range_of_little_data_cost_the_same() {
    let of_another = "(component
            (core module $o (memory (export \"memory\") 1) (data (i32.const 2) \"own\"))
            (core instance $owner (instantiate $o))
            (core module $m
                (import \"env\" \"memory\" (memory 1))
                (data (i32.const 8) \"another's\")
                (func (export \"sum\") (result i32) (i32.load (i32.const 8))))
            (core instance $i (instantiate $m (with \"env\" (instance $owner))))
            (func (export \"sum\") (result u32) (canon lift (core func $i \"sum\"))))";
    check(&arena_testkit::component(of_another).expect("it is a component"), "the memory of another module");
    for (end, has_image) in [(SPARSE_IMAGE_BYTES_MAX - 1, true), (SPARSE_IMAGE_BYTES_MAX, false)] {
        let parts = format!("(memory 300) (data (i32.const 0) \"a\") (data (i32.const {}) \"b\")", end - 1);
        let both = check(&component(&parts, 1), &parts);
        assert_eq!(both.additions.has_image(), has_image, "{parts}");
    }
    let dense = format!(
        "(memory 300) (data (i32.const 0) \"{}\") (data (i32.const 0x1100000) \"b\")",
        "a".repeat(9 << 20)
    );
    assert!(check(&component(&dense, 1), "dense").additions.has_image());
}

#[test]
fn every_specimen_starts_for_the_same_fuel_with_and_without_images() {
    let mut with_image = 0;
    for name in arena_testkit::zoo_names() {
        let bytes = arena_testkit::zoo(&name);
        let Ok(outline) = scan::scan(&bytes) else { continue };
        let (Ok(contract), true) = (contract::identify(&outline.exports), scan::validate(&bytes).is_ok())
        else {
            continue;
        };
        // One of them has what wasmtime has not.
        let Ok(both) = Both::new(&bytes, &name) else { continue };
        let [mapped, copied] = both.ends(1_000_000, |component, store| {
            let given = wasi::given(store.engine())?;
            let linked = Linked::new(&given, component, contract)
                .map_err(|refusal| wasmtime::format_err!("{refusal}"))?;
            let instance = linked.instance_pre.instantiate(&mut *store)?;
            let Some(exports) = linked.exports else { return Ok(None) };
            let name = instance.get_typed_func::<(), (String,)>(&mut *store, &exports.name)?;
            name.call(store, ()).map(Some)
        });
        assert_eq!(mapped, copied, "{name}");
        with_image += u32::from(both.additions.has_image());
    }
    assert!(with_image > 20, "{with_image}");
}
