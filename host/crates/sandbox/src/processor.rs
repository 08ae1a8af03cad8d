//! The processor that bots are compiled for: a common level instead of this machine's processor, so that the compiled
//! code is the same on all of a kind.

use arena_platform::machine::{INSTRUCTIONS, LEVEL, target};
use arena_referee::{HostError, Trouble};
use wasmtime::Config;

/// Sets the processor to compile for.
pub(crate) fn choose(config: &mut Config) -> Result<(), HostError> {
    let target = target();
    config
        .target(&target)
        .map_err(|error| HostError::machine(format!("cannot compile for {target}"), error))?;
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
    let missing: Vec<&str> = INSTRUCTIONS.iter().filter(|(_, has)| !has()).map(|(name, _)| *name).collect();
    error_about(&missing).map_or(Ok(()), Err)
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
        without_level.target(&target()).expect("it is a target");
        assert_eq!(hash(&chosen) != hash(&without_level), LEVEL.is_some());
        // This processor runs the tests' bots.
        assert_eq!(check(), Ok(()));
    }
}
