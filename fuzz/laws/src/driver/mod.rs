//! The search for input that breaks a law, on stable Rust and without a fuzzer: seeds, random bytes, and seeds with a few
//! changes.

mod changes;

use crate::Law;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest number of random bytes. Chosen: most drawn games end within a few hundred.
const RANDOM_BYTES_MAX: usize = 600;

/// A law and its seeds.
pub struct Driver {
    law: Law,
    seeds: Vec<Vec<u8>>,
}

/// Input that breaks a law, reduced as far as possible.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The message of the panic.
    pub why: String,
    /// The input.
    pub input: Vec<u8>,
}

impl Driver {
    /// Reads the seeds of a law.
    ///
    /// # Panics
    /// The law has no seeds, or one that cannot be read.
    pub fn new(law: Law) -> Self {
        Self { law, seeds: seeds(law.name) }
    }

    /// The number of seeds.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// Tries the law on each seed, and calls `on_input` before each of them.
    ///
    /// # Panics
    /// A seed breaks the law.
    pub fn try_seeds(&self, on_input: impl Fn(&[u8])) {
        for seed in &self.seeds {
            on_input(seed);
            (self.law.check)(seed);
        }
    }

    /// Tries the law on this number of inputs, and calls `on_input` before each of them. Each call tries different inputs.
    ///
    /// # Errors
    /// An input that breaks the law.
    ///
    /// # Panics
    /// No input can be made.
    pub fn try_inputs(&self, inputs: u32, on_input: impl Fn(&[u8])) -> Result<(), Violation> {
        let Self { law, seeds } = self;
        let random = prop::collection::vec(any::<u8>(), 0..RANDOM_BYTES_MAX);
        let changed = (prop::sample::select(seeds.clone()), changes::few()).prop_map(|(seed, changes)| {
            changes.iter().fold(seed, |bytes, change| change.apply(bytes, seeds))
        });
        let input = prop_oneof![1 => random, 2 => changed];
        // The whole input is reported, so that it can become a seed once the defect is repaired.
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(inputs) };
        let ran = TestRunner::new(config).run(&input, |bytes| {
            on_input(&bytes);
            (law.check)(&bytes);
            Ok(())
        });
        match ran {
            Ok(()) => Ok(()),
            Err(TestError::Fail(why, input)) => Err(Violation { why: why.message().to_owned(), input }),
            Err(TestError::Abort(why)) => panic!("{}: {why}", law.name),
        }
    }
}

/// The folder with the fuzz targets and the seeds.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the laws are in a folder of it").to_path_buf()
}

/// The folder with the seeds of a law.
pub fn corpus(law: &str) -> PathBuf {
    folder().join("corpus").join(law)
}

/// The names in a folder.
///
/// # Panics
/// The folder cannot be read, or has a name that is not text.
pub fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("it can be listed").file_name().into_string().expect("it is text"))
        .collect()
}

/// The seeds of a law in the order of their names. Findings have names of 40 hexadecimal digits. They are left out, so that
/// the tests are the same on every machine.
fn seeds(law: &str) -> Vec<Vec<u8>> {
    let is_found = |name: &str| name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let names = names(&corpus(law));
    let seeds: Vec<_> = names
        .into_iter()
        .filter(|name| !is_found(name))
        .map(|name| fs::read(corpus(law).join(name)).expect("a seed can be read"))
        .collect();
    assert!(!seeds.is_empty(), "{law} has seeds");
    seeds
}
