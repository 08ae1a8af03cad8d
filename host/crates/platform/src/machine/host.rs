//! The name of this machine, and its memory.

/// The name of this machine; `None` when it has none.
pub fn name() -> Option<String> {
    #[cfg(target_os = "linux")]
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    #[cfg(target_os = "macos")]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(windows)]
    let name = std::env::var("COMPUTERNAME").ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The memory of this machine in bytes; `None` when it is unknown.
pub fn memory_bytes() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return memory_of(&std::fs::read_to_string("/proc/meminfo").ok()?);
    #[cfg(not(target_os = "linux"))]
    None
}

/// The memory of the machine in bytes, in the text of `/proc/meminfo`.
#[cfg(target_os = "linux")]
fn memory_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1_024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read_where_the_kernel_tells_it() {
        let text = "MemTotal:        8000000 kB\nMemFree:          100 kB\n";
        assert_eq!(memory_of(text), Some(8_192_000_000));
        for other in ["", "MemFree: 100 kB\n", "MemTotal: soon\n", "MemTotal: 18446744073709551615 kB\n"] {
            assert_eq!(memory_of(other), None, "{other}");
        }
    }
}
