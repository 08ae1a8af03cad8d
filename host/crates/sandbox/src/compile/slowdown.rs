//! The slowdown of a machine: how much longer it takes to compile than the machine on which allowances were measured.
//!
//! It is measured once, by compiling a specimen that is made here. That happens in a child process that sees nothing else. The result is
//! cached for this machine and this build of the program. Components cannot influence it. Allowances of processor time grow with it,
//! so that a slower machine refuses no honest component. The growth is bounded, so that a wrong measurement does little harm.

use super::seal::{Key, Kind, Sealed};
use super::work::Work;
use super::{CachedCompiler, Compiler, Slot, kind_of_processor};
use crate::digest;
use crate::engine;
use crate::judge::Unjudged;
use crate::limits::CompileBudget;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use wasm_encoder::{
    BlockType, CodeSection, Function, FunctionSection, InstructionSink, MemArg, MemorySection, MemoryType,
    Module, TypeSection, ValType,
};

/// The processor time of a child that compiles the specimen, on the machine on which allowances were measured. Measured with the optimiser:
/// 0.018 of the time for a JavaScript bot of 12 MB, which was 12 to 17 s there, so 250 ms. On another machine, busy with other programs, it
/// was 0.316 s, the least of ten, and 0.0165 of that bot's 19.2 s: so allowances grow there as much as honest compiling does. Without the
/// optimiser, bots compile in 0.74 to 0.78 of the time, measured; chosen: three quarters.
const REFERENCE_TIME: Duration = Duration::from_millis(188);

/// The size of a component from which on its allowance grows with the slowdown of the machine, in bytes. Chosen: smaller ones need a
/// thirtieth of their allowance, which is less time than measuring the slowdown takes.
const SCALED_BYTES: usize = 1_000_000;

/// The number of functions of the specimen. Chosen: they take a quarter of a second, and the system counts 25 ticks in it.
const FUNCTIONS: u32 = 120;

/// The number of rounds in each function; they differ in their constants. Chosen: a function has some 600 bytes, as in honest components.
const ROUNDS: i32 = 16;

/// The largest slowdown, in percent. Chosen: a machine that is eight times slower is too slow for any contest.
const MAX_PERCENT: u32 = 800;

/// The step to which a slowdown is rounded up, in percent, so that another measurement mostly gives the same allowance. Chosen: a
/// quarter of an allowance.
const STEP_PERCENT: u32 = 25;

/// The slowdown of a machine, in percent of the reference: 100 to 800.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slowdown(u32);

impl Slowdown {
    /// The slowdown of the reference, and of any faster machine.
    pub(super) const REFERENCE: Self = Self(100);

    /// The largest slowdown that is accepted.
    pub(super) const SLOWEST: Self = Self(MAX_PERCENT);

    /// The slowdown of a machine on which the specimen took this processor time.
    pub(super) fn of(cpu_time: Duration) -> Self {
        let percent = cpu_time.as_micros().saturating_mul(100).div_ceil(REFERENCE_TIME.as_micros());
        let percent = u32::try_from(percent).unwrap_or(u32::MAX).min(MAX_PERCENT);
        // Up to a tenth counts as no slowdown: measurements differ by as much.
        let is_as_fast = percent <= 110;
        Self(if is_as_fast { 100 } else { percent.next_multiple_of(STEP_PERCENT).min(MAX_PERCENT) })
    }

    /// An allowance with this slowdown.
    pub(super) fn of_seconds(self, seconds: u64) -> u64 {
        seconds.saturating_mul(u64::from(self.0)).div_ceil(100)
    }

    /// The slowdown in the form in which it is cached.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        self.0.to_string().into_bytes()
    }

    /// Reads a cached slowdown; `None` when it is not within the bounds.
    pub(super) fn read(kept: &Sealed) -> Option<Self> {
        let percent = str::from_utf8(kept.contents()).ok()?.parse().ok()?;
        (kept.kind() == Kind::Time && (100..=MAX_PERCENT).contains(&percent)).then_some(Self(percent))
    }
}

impl CachedCompiler {
    /// The budget of a component of this size on this machine. It has more processor time if the machine is slower than the reference.
    pub(super) fn scaled(
        &self,
        budget: CompileBudget,
        size_bytes: usize,
        slot: &mut Slot<'_>,
    ) -> CompileBudget {
        let Compiler::Child { program, args } = &self.compiler else { return budget };
        if size_bytes < SCALED_BYTES {
            return budget;
        }
        let slowdown = match self.slowdown.get() {
            Some(slowdown) => *slowdown,
            // Others may measure it at the same time. Waiting for them could deadlock: they may need this one's slot.
            None => {
                let found = self.kept_slowdown().or_else(|| self.measured_slowdown(program, args, slot));
                self.agreed_slowdown(found)
            }
        };
        let cpu_seconds = slowdown.of_seconds(budget.cpu_seconds);
        budget.with_cpu_seconds(cpu_seconds)
    }

    fn slowdown_key(&self) -> Key {
        let hash =
            self.judges_hash_with(&format!("slowdown {} {}", self.compiler.build(), kind_of_processor()));
        Key::new(&digest::sha256(b"slowdown"), &hash)
    }

    fn kept_slowdown(&self) -> Option<Slowdown> {
        let kept = self.cache.as_ref()?.load(&self.slowdown_key(), Kind::Time, 0)?;
        Slowdown::read(&kept)
    }

    /// The slowdown that counts, once this one was found: of those found at the same time, the first, and the cached one before any other.
    /// Refusals are cached under their allowance, so that with two slowdowns in use they would not be found again.
    fn agreed_slowdown(&self, found: Option<Slowdown>) -> Slowdown {
        *self.slowdown.get_or_init(|| {
            // Another process may have cached one while this one was measured.
            if let Some(kept) = self.kept_slowdown() {
                return kept;
            }
            // If it cannot be measured, the reference's allowance is used, and judging the component shows what is wrong.
            let Some(measured) = found else { return Slowdown::REFERENCE };
            let key = self.slowdown_key();
            self.keep(&key, &Sealed::new(&key, Kind::Time, measured.to_bytes()));
            measured
        })
    }

    fn measured_slowdown(&self, program: &Path, args: &[OsString], slot: &mut Slot<'_>) -> Option<Slowdown> {
        let budget = self.limits.compile.budget(SCALED_BYTES);
        let cpu_seconds = Slowdown::SLOWEST.of_seconds(budget.cpu_seconds);
        let budget = budget.with_cpu_seconds(cpu_seconds);
        let asked = Key::new(&digest::sha256(&[]), &self.judges_hash);
        let task = self.task(program, args, &budget, Work::Slowdown, &asked, vec![&[]]);
        let (ending, used) = task.run_timed(slot);
        ending.made(Kind::Time).and(used).map(Slowdown::of)
    }
}

/// Compiles the specimen.
pub(super) fn compile_specimen() -> Result<(), Unjudged> {
    let machine = |error: wasmtime::Error| Unjudged::Machine(error.to_string());
    let engine = engine::compiler().map_err(|error| Unjudged::Machine(error.to_string()))?;
    engine.precompile_module(&specimen()).map(drop).map_err(machine)
}

/// A core module with the kinds of code that honest components have: arithmetic, loads and stores, branches, loops and calls.
fn specimen() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32, ValType::I64], [ValType::I32]);
    let (mut functions, mut memories, mut code) =
        (FunctionSection::new(), MemorySection::new(), CodeSection::new());
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    for index in 0..FUNCTIONS {
        functions.function(0);
        let mut function = Function::new([(2, ValType::I32), (2, ValType::I64), (1, ValType::F64)]);
        let mut sink = function.instructions();
        for round in 0..ROUNDS {
            add_round(&mut sink, i32::try_from(index).unwrap_or_default() * ROUNDS + round, index);
        }
        sink.local_get(2).end();
        code.function(&function);
    }
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&code);
    module.finish()
}

/// Adds a round of a function. The parameters are the locals 0 and 1.
fn add_round(sink: &mut InstructionSink<'_>, constant: i32, index: u32) {
    let at = |offset: u64| MemArg { offset, align: 2, memory_index: 0 };
    sink.local_get(0).i32_const(constant).i32_add().local_tee(2).i32_const(0xfff).i32_and().local_set(3);
    sink.block(BlockType::Empty);
    sink.local_get(3).i32_load(at(16)).local_get(2).i32_lt_u().br_if(0);
    sink.local_get(3).local_get(2).local_get(3).i32_mul().i32_store(at(32));
    sink.local_get(1).local_get(2).i64_extend_i32_u().i64_xor().local_set(4);
    sink.local_get(4).f64_convert_i64_u().local_get(6).f64_add().local_set(6);
    sink.end();
    sink.loop_(BlockType::Empty);
    sink.local_get(2).i32_const(1).i32_sub().local_tee(2).i32_const(constant).i32_gt_s().br_if(0);
    sink.end();
    if let Some(callee) = index.checked_sub(1) {
        sink.local_get(2).local_get(4).call(callee).local_set(2);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CacheOptions, CompileOptions};
    use super::*;
    use crate::limits::SandboxLimits;

    fn compiler_with_cache(folder: &Path) -> CachedCompiler {
        let options = CompileOptions { cache: Some(CacheOptions::at(folder)), ..CompileOptions::default() };
        let engine = engine::compiler().unwrap();
        CachedCompiler::open(options, &SandboxLimits::default(), &engine).unwrap()
    }

    fn percent_of(milliseconds: u64) -> u32 {
        Slowdown::of(Duration::from_millis(milliseconds)).0
    }

    #[test]
    fn a_slowdown_is_rounded_up_and_stays_within_its_bounds() {
        let reference = REFERENCE_TIME.as_millis() as u64;
        assert_eq!(percent_of(0), 100, "a faster machine has the same allowances");
        assert_eq!(percent_of(reference), 100);
        assert_eq!(percent_of(2 * reference), 200);
        assert_eq!(percent_of(2 * reference + 1), 225);
        assert_eq!(percent_of(1_000 * reference), MAX_PERCENT);
        assert_eq!(Slowdown::of(Duration::MAX), Slowdown::SLOWEST);
        assert_eq!([1, 39].map(|seconds| Slowdown(225).of_seconds(seconds)), [3, 88]);
    }

    #[test]
    fn a_cached_slowdown_outside_its_bounds_is_not_read() {
        let read = |kind, text: &str| {
            Slowdown::read(&Sealed::new(&Key::of_ready_message("0123456789abcdef"), kind, text.into()))
        };
        assert_eq!(read(Kind::Time, "225"), Some(Slowdown(225)));
        assert_eq!(read(Kind::Time, "800"), Some(Slowdown::SLOWEST));
        for (kind, text) in [
            (Kind::Time, "99"),
            (Kind::Time, "801"),
            (Kind::Time, "4294967296"),
            (Kind::Time, "-1"),
            (Kind::Time, ""),
            (Kind::Name, "225"),
        ] {
            assert_eq!(read(kind, text), None, "{text}");
        }
        for slowdown in [Slowdown::REFERENCE, Slowdown(225), Slowdown::SLOWEST] {
            assert_eq!(read(Kind::Time, &String::from_utf8(slowdown.to_bytes()).unwrap()), Some(slowdown));
        }
    }

    #[test]
    fn of_two_measurements_at_the_same_time_one_counts_now_and_in_later_runs() {
        let folder = tempfile::tempdir().unwrap();
        let open = || compiler_with_cache(folder.path());
        let (run, beside) = (open(), open());
        assert_eq!(run.agreed_slowdown(Some(Slowdown(125))), Slowdown(125));
        assert_eq!(run.agreed_slowdown(Some(Slowdown(150))), Slowdown(125), "by another thread");
        assert_eq!(beside.agreed_slowdown(Some(Slowdown(150))), Slowdown(125), "by another process");
        assert_eq!(open().kept_slowdown(), Some(Slowdown(125)));
    }

    #[test]
    fn a_slowdown_that_cannot_be_measured_is_not_cached() {
        let folder = tempfile::tempdir().unwrap();
        let run = compiler_with_cache(folder.path());
        assert_eq!(run.agreed_slowdown(None), Slowdown::REFERENCE);
        assert_eq!(run.kept_slowdown(), None);
    }

    #[test]
    fn the_specimen_compiles() {
        assert!(specimen().len() > 100_000);
        compile_specimen().expect("it is valid");
    }
}
