//! Writes the tables of a run of the benchmarks into a document. `cargo xtask bench` runs it.

use anyhow::{Context, Result};
use arena_benches::document;
use arena_benches::machine::Machine;
use arena_benches::results::Results;
use arena_benches::tables;
use clap::Parser;
use std::fs;
use std::path::PathBuf;

/// Write the tables of a run of the benchmarks into a document
#[derive(Debug, Parser)]
struct Args {
    /// Folder with the results of the run
    results: PathBuf,

    /// Document with a place for each table
    document: PathBuf,

    /// Write the table of the slowest units of fuel only
    #[arg(long)]
    worst_unit: bool,

    /// Print the document instead of writing it
    #[arg(long)]
    print: bool,
}

fn main() -> Result<()> {
    let Args { results, document, worst_unit, print } = Args::parse();
    let results = Results::read(&results)?;
    let tables = if worst_unit {
        vec![tables::worst_unit(&results)?, tables::worst_call(&results)?]
    } else {
        tables::all(&results, &Machine::this()?)?
    };
    let text =
        fs::read_to_string(&document).with_context(|| format!("cannot read {}", document.display()))?;
    let text = document::with_tables(&text, &tables)?;
    if print {
        print!("{text}");
        return Ok(());
    }
    fs::write(&document, text).with_context(|| format!("cannot write {}", document.display()))
}
