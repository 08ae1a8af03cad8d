//! The machine and the versions that a run was measured on.

use anyhow::{Context, Result};
use arena_sandbox::WASMTIME_VERSION;
use std::env;
use std::fs;
use std::process::Command;
use std::thread;

/// The machine and the versions, without the machine's name.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The model of the processor.
    pub processor: String,
    /// The number of cores that a process may use.
    pub cores: usize,
    /// The release of the kernel.
    pub kernel: String,
    /// The version of the Rust compiler.
    pub rustc: String,
    /// The version of wasmtime.
    pub wasmtime: String,
}

impl Machine {
    /// This machine.
    ///
    /// # Errors
    /// The kernel or the compiler does not answer.
    pub fn this() -> Result<Self> {
        let processors = fs::read_to_string("/proc/cpuinfo").context("cannot read /proc/cpuinfo")?;
        let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let kernel =
            fs::read_to_string("/proc/sys/kernel/osrelease").context("cannot read the kernel's release")?;
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let version = Command::new(rustc).arg("--version").output().context("cannot start rustc")?;
        Ok(Self {
            processor: model.map_or("unknown", |(_, model)| model).trim().to_owned(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            kernel: format!("Linux {}", kernel.trim()),
            rustc: String::from_utf8_lossy(&version.stdout).trim().to_owned(),
            wasmtime: WASMTIME_VERSION.to_owned(),
        })
    }
}
