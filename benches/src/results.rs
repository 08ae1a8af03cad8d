//! The results of benchmarks, by name: those of criterion, and those of the benchmark `program`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Figures by name. Those of criterion are nanoseconds for each element; the names of the others end in their unit.
pub type Values = BTreeMap<String, f64>;

/// The file with the results of the benchmark `program`, in the folder of criterion's results.
const PROGRAM_FILE: &str = "program.json";

/// The file with the slowest units of fuel, which the sandbox's benchmark `fuel` writes there: nanoseconds by the work.
const WORST_UNIT_FILE: &str = "worst-unit.json";

/// The variable that names the folder of results, for criterion and this program.
pub const FOLDER_VARIABLE: &str = "CRITERION_HOME";

/// The folder of results: the one that the environment names, or criterion's usual one.
fn folder() -> PathBuf {
    env::var_os(FOLDER_VARIABLE)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/criterion"), PathBuf::from)
}

/// Adds figures to those of the benchmark `program`, and returns the file that has them.
///
/// # Errors
/// The file cannot be read or written.
pub fn add(values: &Values) -> Result<PathBuf> {
    let file = folder().join(PROGRAM_FILE);
    let mut all = if file.exists() { program_values(&file)? } else { Values::new() };
    all.extend(values.clone());
    fs::create_dir_all(folder())?;
    fs::write(&file, serde_json::to_vec_pretty(&all)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

fn program_values(file: &Path) -> Result<Values> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is not a list of figures", file.display()))
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Results(Values);

/// The part of criterion's `benchmark.json` that we read.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
    throughput: Option<Throughput>,
}

#[derive(Deserialize)]
enum Throughput {
    Elements(u64),
}

/// The part of criterion's `estimates.json` that we read.
#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

impl Results {
    /// Reads all results in a folder.
    ///
    /// # Errors
    /// A file that cannot be read, or a folder without results.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut results = Self::default();
        results.read_criterion(folder)?;
        for name in [PROGRAM_FILE, WORST_UNIT_FILE] {
            let file = folder.join(name);
            if file.exists() {
                results.0.extend(program_values(&file)?);
            }
        }
        if results.0.is_empty() {
            bail!("{} has no results of benchmarks. Run `cargo xtask bench`", folder.display());
        }
        Ok(results)
    }

    fn read_criterion(&mut self, folder: &Path) -> Result<()> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.join("benchmark.json").is_file() {
                // Next to the newest results there are those of baselines, under their names.
                if path.file_name().is_some_and(|name| name == "new") {
                    let benchmark: Benchmark = read_json(&path.join("benchmark.json"))?;
                    let estimates: Estimates = read_json(&path.join("estimates.json"))?;
                    let elements = match benchmark.throughput {
                        Some(Throughput::Elements(elements)) => elements as f64,
                        None => 1.0,
                    };
                    self.0.insert(benchmark.full_id, estimates.median.point_estimate / elements);
                }
            } else if path.is_dir() {
                self.read_criterion(&path)?;
            }
        }
        Ok(())
    }

    /// The figures whose names begin so, with the rest of their names.
    pub fn beginning(&self, first: &str) -> Vec<(&str, f64)> {
        self.0.iter().filter_map(|(name, value)| Some((name.strip_prefix(first)?, *value))).collect()
    }

    /// The figure of a name.
    ///
    /// # Errors
    /// It was not measured.
    pub fn get(&self, name: &str) -> Result<f64> {
        self.0.get(name).copied().with_context(|| {
            format!("`{name}` was not measured. Run `cargo xtask bench` without other arguments")
        })
    }
}

fn read_json<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<T> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is not a result of criterion", file.display()))
}
