//! The memory of the machine.

use std::fs;

/// The memory that the machine can give without swapping, but no more than the control group of this process is allowed.
/// `None` when the system does not say.
pub fn available_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| meminfo_available(&text));
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| {
        let limit = fs::read_to_string(format!("/sys/fs/cgroup{}/memory.max", group_path(&text)?)).ok()?;
        limit.trim().parse().ok()
    });
    [machine, group].into_iter().flatten().min()
}

fn meminfo_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// The path of a process's group in the second version of control groups.
fn group_path(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("0::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_system_are_read() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   22000000 kB\nBuffers:  1 kB\n";
        assert_eq!(meminfo_available(text), Some(22_000_000 << 10));
        assert_eq!(meminfo_available("MemTotal: 1 kB\n"), None);
        assert_eq!(group_path("4:memory:/old\n0::/user.slice/a\n"), Some("/user.slice/a"));
    }
}
