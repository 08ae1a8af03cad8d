//! The limits of a process on Unix. What the kernel says in files is there on Linux only.

use super::{Limits, Used};
use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn read() -> Limits {
    let of = |resource| getrlimit(resource).current;
    let user = getuid();
    let machine = number_in("/proc/sys/kernel/threads-max").into_iter();
    let machine = machine.chain(number_in("/proc/sys/kernel/pid_max")).min();
    let [address_space, data] = memory_used().unwrap_or_default();
    Limits {
        files: of(Resource::Nofile),
        user: of(Resource::Nproc)
            .filter(|_| !user.is_root())
            .map(|max| Used { now: threads_of_user(user.as_raw()), max }),
        group: group(),
        machine: machine.zip(threads_of_machine()).map(|(max, now)| Used { now, max }),
        address_space: of(Resource::As).map(|max| Used { now: address_space, max }),
        data: of(Resource::Data).map(|max| Used { now: data, max }),
    }
}

pub(super) fn allow_many_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raise = |current| setrlimit(Resource::Nofile, Rlimit { current, maximum });
    // macOS has a further limit, its `OPEN_MAX`, and refuses a larger one.
    let _ = raise(maximum).or_else(|_| raise(Some(10_240)));
}

fn number_in(path: impl AsRef<Path>) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The threads of the processes of a user.
fn threads_of_user(user: u32) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok());
    let statuses = processes.filter_map(|entry| fs::read_to_string(entry.path().join("status")).ok());
    statuses.filter_map(|status| threads_in(&status, user)).sum()
}

/// The number of threads by the status of a process, if it belongs to this user.
fn threads_in(status: &str, user: u32) -> Option<u64> {
    let field = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    (field("Uid:")? == u64::from(user)).then(|| field("Threads:"))?
}

/// The threads of all processes, as `/proc/loadavg` counts them.
fn threads_of_machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

/// The address space and the data of this process, in bytes.
fn memory_used() -> Option<[u64; 2]> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: Vec<u64> = text.split_whitespace().filter_map(|pages| pages.parse().ok()).collect();
    let page = rustix::param::page_size() as u64;
    Some([pages.first()? * page, pages.get(5)? * page])
}

/// The threads of the fullest control group that limits this process.
fn group() -> Option<Used> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let folders = folders_of_groups(&groups);
    let used = folders.iter().filter_map(|folder| {
        Some(Used { now: number_in(folder.join("pids.current"))?, max: number_in(folder.join("pids.max"))? })
    });
    used.min_by_key(|used| used.max.saturating_sub(used.now))
}

/// The folders of the groups of a process and of all groups above them, for both versions of control groups. A container may see
/// its own group at the top, so that is looked at as well.
fn folders_of_groups(groups: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let top = match controllers {
            "" => "/sys/fs/cgroup",
            _ if controllers.split(',').any(|controller| controller == "pids") => "/sys/fs/cgroup/pids",
            _ => continue,
        };
        let group = Path::new(path.trim_start_matches('/'));
        folders.extend(group.ancestors().map(|group| Path::new(top).join(group)));
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_of_both_versions_are_found_with_those_above_them() {
        let both = "8:pids:/a/b\n4:memory:/c\n0::/d\n";
        let expected =
            ["pids/a/b", "pids/a", "pids/", "d", ""].map(|path| Path::new("/sys/fs/cgroup").join(path));
        assert_eq!(folders_of_groups(both), expected);
        assert_eq!(folders_of_groups("nonsense"), Vec::<PathBuf>::new());
    }

    #[test]
    fn the_threads_of_a_user_are_those_of_its_processes() {
        let status = "Name:\tarena\nUid:\t1000\t1000\t1000\t1000\nThreads:\t7\n";
        assert_eq!(threads_in(status, 1000), Some(7));
        assert_eq!(threads_in(status, 0), None);
        #[cfg(target_os = "linux")]
        assert!(threads_of_user(getuid().as_raw()) >= 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_limits_of_this_process_can_be_read() {
        let limits = Limits::read();
        assert!(limits.machine.is_some_and(|machine| machine.now > 0 && machine.max >= machine.now));
        assert!(memory_used().is_some_and(|[address_space, data]| address_space > data && data > 0));
    }
}
