//! The processor that bots are compiled for: a common level instead of this machine's processor, so that the compiled
//! code, and with it the depth of a recursion, is the same wherever a match is replayed.

use arena_referee::{HostError, Trouble};
use wasmtime::Config;

/// The kind of machine. On other platforms, it is this machine's.
const TARGET: Option<&str> = if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
    Some("x86_64-unknown-linux-gnu")
} else if cfg!(all(target_arch = "aarch64", target_os = "linux")) {
    Some("aarch64-unknown-linux-gnu")
} else {
    None
};

/// The level of the x86-64 processor, by the compiler's name for it: every processor from Intel since 2009, from AMD since
/// 2011, and from Intel's small series since 2013 reaches it. Measured against the first level, which has no instructions to
/// round vectors, to permute them and to count bits: rounding a vector takes 3.4 ns instead of 7 to 14, and permuting one is
/// no longer among the slow operators. Chosen: the next level would exclude more machines, and nothing is left that is slow
/// for the lack of it.
const LEVEL: Option<&str> =
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) { Some("x86-64-v2") } else { None };

/// Sets the processor to compile for.
pub(crate) fn choose(config: &mut Config) -> Result<(), HostError> {
    if let Some(target) = TARGET {
        config
            .target(target)
            .map_err(|error| HostError::machine(format!("cannot compile for {target}"), error))?;
    }
    if let Some(level) = LEVEL {
        // SAFETY: a flag must not break what wasmtime relies on. This one only allows the compiler the instructions of a
        // level of processors. wasmtime looks for each of them in the processor before it loads code, and so does `check`.
        #[allow(unsafe_code, reason = "the level of the processor can be chosen in no other way")]
        unsafe {
            config.cranelift_flag_enable(level);
        }
    }
    Ok(())
}

/// Returns an error if this processor does not have the instructions that bots are compiled to.
pub(crate) fn check() -> Result<(), HostError> {
    let missing: Vec<&str> =
        instructions().into_iter().filter(|(_, has)| !has).map(|(name, _)| name).collect();
    error_about(&missing).map_or(Ok(()), Err)
}

/// The instruction sets of the level, each with true if this processor has it.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn instructions() -> [(&'static str, bool); 6] {
    use std::is_x86_feature_detected as has;
    [
        ("SSE3", has!("sse3")),
        ("SSSE3", has!("ssse3")),
        ("SSE4.1", has!("sse4.1")),
        ("SSE4.2", has!("sse4.2")),
        ("POPCNT", has!("popcnt")),
        ("CMPXCHG16B", has!("cmpxchg16b")),
    ]
}

/// There is no level to reach.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn instructions() -> [(&'static str, bool); 0] {
    []
}

fn error_about(missing: &[&str]) -> Option<HostError> {
    if missing.is_empty() {
        return None;
    }
    let what = "this processor does not have the instructions that bots are compiled to";
    let trouble = Trouble::from(what).because(format!("{} missing", missing.join(", ")));
    Some(HostError::Machine(trouble.with_next(
        "run the arena on an x86-64-v2 processor (Intel since 2009, AMD since 2011), and let a virtual machine show the \
         processor of its host",
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_processor_is_distinguished_from_one_that_runs_bots() {
        assert_eq!(error_about(&[]), None);
        let error = error_about(&["SSE4.2", "POPCNT"]).expect("it is an error");
        assert!(
            error.to_string().contains("SSE4.2, POPCNT missing; run the arena on an x86-64-v2 processor"),
            "{error}"
        );
    }

    #[test]
    fn the_level_decides_the_code() {
        let hash = |config: &Config| {
            crate::engine::hash(&wasmtime::Engine::new(config).expect("an engine can be made"))
        };
        let mut chosen = Config::new();
        choose(&mut chosen).expect("the processor can be chosen");
        let mut without_level = Config::new();
        without_level.target(TARGET.expect("the tests run on a known platform")).expect("it is a target");
        assert_eq!(hash(&chosen) != hash(&without_level), LEVEL.is_some());
        // This processor runs the tests' bots.
        assert_eq!(check(), Ok(()));
    }
}
