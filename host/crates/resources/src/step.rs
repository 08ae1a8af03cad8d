//! The next step after an error of the system, by its cause.

use arena_platform::machine::{Limits, Used};
use arena_platform::refusals::{self, Reason};
use arena_referee::{HostError, Trouble};
use std::error::Error;
use std::io;

/// A failure of the machine: the system refuses something that is not a file with a path, such as a thread, a process, a pipe or
/// memory. Its next step is that of the cause.
pub fn refused(what: impl Into<Trouble>, cause: impl Into<Box<dyn Error + Send + Sync>>) -> HostError {
    let (what, cause) = (what.into(), cause.into());
    let next = reason(cause.as_ref()).and_then(|reason| match reason {
        // Without a path, there are no permissions to change.
        Reason::CallForbidden | Reason::NoPermission => Some(
            "a rule of the system forbids it: look at the profile of the container (seccomp), or run the arena outside of it"
                .into(),
        ),
        reason => of(reason, Limits::read),
    });
    let trouble = what.because(cause);
    HostError::Machine(match next {
        Some(next) => trouble.with_next(next),
        None => trouble,
    })
}

/// The next step: that of the cause, or else the usual one of the place where it happened. If the disk is full, it is either of them.
pub fn step_or(cause: &(dyn Error + 'static), usual: impl Into<String>) -> String {
    let usual = usual.into();
    match reason(cause) {
        Some(Reason::Disk) => format!("make room on the disk, or {usual}"),
        Some(Reason::Quota) => format!("delete some of your files on the disk, or {usual}"),
        Some(reason) => of(reason, Limits::read).unwrap_or(usual),
        None => usual,
    }
}

/// True if a limit of this process or of the machine is the cause, so that nothing is wrong with the file that was to be opened.
pub fn is_limit(cause: &(dyn Error + 'static)) -> bool {
    let limits = [Reason::FilesOfProcess, Reason::FilesOfMachine, Reason::Memory, Reason::Threads];
    reason(cause).is_some_and(|reason| limits.contains(&reason))
}

fn reason(cause: &(dyn Error + 'static)) -> Option<Reason> {
    errno(cause).and_then(Reason::of)
}

/// The system's number of an error, or of one that caused it.
pub fn errno(cause: &(dyn Error + 'static)) -> Option<i32> {
    let mut next = Some(cause);
    while let Some(cause) = next {
        if let Some(number) = refusals::number(cause) {
            return Some(number);
        }
        // An error in it may have the number.
        let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(number) = inner.and_then(|inner| errno(inner)) {
            return Some(number);
        }
        next = cause.source();
    }
    None
}

/// The next step for a reason. Limits are read only when it is about one of them.
fn of(reason: Reason, limits: impl FnOnce() -> Limits) -> Option<String> {
    match reason {
        Reason::FilesOfProcess => Some(match limits().files {
            Some(max) => format!("allow this program more open files: it may have {max} (`ulimit -n`)"),
            None => "allow this program more open files (`ulimit -n`)".into(),
        }),
        Reason::FilesOfMachine => {
            Some("close other programs: the machine has as many open files as it may (`sysctl fs.file-max`)".into())
        }
        Reason::Memory => Some(memory(&limits()).unwrap_or_else(|| {
            "free some memory, use fewer `--jobs`, or run the arena on a machine with more memory".into()
        })),
        Reason::Threads => Some(threads(&limits())),
        Reason::Disk => Some("make room on the disk".into()),
        Reason::Quota => Some("delete some of your files on the disk".into()),
        Reason::NoSuchCall => Some(
            "use a newer kernel, or run the arena outside of the container or filter of system calls that hides this one".into(),
        ),
        Reason::CallForbidden | Reason::NoPermission => None,
    }
}

/// The limit on memory, if this process has one.
fn memory(limits: &Limits) -> Option<String> {
    let text = |what: &str, option: &str, used: Used| {
        format!("lift the limit on {what} (`ulimit -{option} unlimited`): it is {} KiB", used.max >> 10)
    };
    let address_space = limits.address_space.map(|used| text("virtual memory", "v", used));
    address_space.or_else(|| limits.data.map(|used| text("data", "d", used)))
}

/// The limit on threads and processes that is reached, or all that there are.
fn threads(limits: &Limits) -> String {
    let user = ("this user", "`ulimit -u`", limits.user);
    let group = ("this container or control group", "`pids.max`", limits.group);
    let machine = ("the machine", "`sysctl kernel.threads-max`", limits.machine);
    let known = [group, user, machine].into_iter().filter_map(|(who, name, used)| Some((who, name, used?)));
    let text = |(who, name, Used { now, max }): (&str, &str, Used)| {
        format!("{who} has {now} of at most {max} ({name})")
    };
    const BEGIN: &str = "end other programs, or allow more threads and processes";
    if let Some(near) = known.clone().find(|(.., used)| used.is_near()) {
        return format!("{BEGIN}: {}", text(near));
    }
    // A thread's stack is refused with the same number as the thread.
    if let Some(memory) = memory(limits) {
        return memory;
    }
    let all: Vec<String> = known.map(text).collect();
    if all.is_empty() { BEGIN.into() } else { format!("{BEGIN}: {}", all.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    const fn used(now: u64, max: u64) -> Option<Used> {
        Some(Used { now, max })
    }

    /// Limits that are far away, and some changes.
    fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
        let mut limits = Limits {
            files: Some(1_024),
            user: used(30, 1_000),
            group: used(30, 2_000),
            machine: used(100, 32_768),
            address_space: None,
            data: None,
        };
        change(&mut limits);
        limits
    }

    #[test]
    fn the_step_names_the_limit_that_is_reached_and_its_value() {
        for (reason, limits, expected) in [
            (
                Reason::FilesOfProcess,
                limits(|it| it.files = Some(8)),
                "more open files: it may have 8 (`ulimit -n`)",
            ),
            (Reason::FilesOfMachine, limits(|_| ()), "as many open files as it may (`sysctl fs.file-max`)"),
            (
                Reason::Threads,
                limits(|it| it.user = used(40, 40)),
                ": this user has 40 of at most 40 (`ulimit -u`)",
            ),
            (
                Reason::Threads,
                limits(|it| it.group = used(11, 12)),
                ": this container or control group has 11 of at most 12 (`pids.max`)",
            ),
            (
                Reason::Threads,
                limits(|it| it.machine = used(32_760, 32_768)),
                ": the machine has 32760 of at most 32768 (`sysctl kernel.threads-max`)",
            ),
            // The stack of a thread has no room.
            (
                Reason::Threads,
                limits(|it| it.address_space = used(390 << 10, 400 << 10)),
                "virtual memory (`ulimit -v unlimited`): it is 400 KiB",
            ),
            (
                Reason::Threads,
                limits(|_| ()),
                "processes: this container or control group has 30 of at most 2000 (`pids.max`), this user has 30 of at most 1000 \
                 (`ulimit -u`), the machine has 100 of at most 32768 (`sysctl kernel.threads-max`)",
            ),
            (
                Reason::Memory,
                limits(|it| it.address_space = used(1 << 20, 4 << 20)),
                "(`ulimit -v unlimited`): it is 4096 KiB",
            ),
            (
                Reason::Memory,
                limits(|it| it.data = used(1 << 20, 4 << 20)),
                "data (`ulimit -d unlimited`): it is 4096 KiB",
            ),
            (Reason::Memory, limits(|_| ()), "free some memory"),
            (Reason::Disk, limits(|_| ()), "make room on the disk"),
            (Reason::NoSuchCall, limits(|_| ()), "use a newer kernel"),
        ] {
            let step = of(reason, || limits).unwrap_or_default();
            assert!(step.contains(expected), "{reason:?}: {step}");
        }
        for reason in [Reason::CallForbidden, Reason::NoPermission] {
            assert_eq!(of(reason, Limits::default), None, "{reason:?}");
        }
        for number in [Errno::NOENT, Errno::ACCESS, Errno::PERM, Errno::PIPE] {
            assert_eq!(step_or(&io::Error::from(number), "the usual"), "the usual", "{number}");
        }
    }

    #[test]
    fn no_step_is_longer_than_what_a_message_may_have() {
        let full = used(u64::MAX - 1, u64::MAX);
        let limits = || Limits {
            files: Some(u64::MAX),
            user: full,
            group: full,
            machine: full,
            address_space: full,
            data: full,
        };
        for reason in Reason::ALL.into_iter().take(7) {
            let step = of(reason, limits).unwrap_or_default();
            assert!((10..=250).contains(&step.len()), "{}: {step}", step.len());
        }
    }

    #[test]
    fn a_call_that_is_forbidden_is_not_a_lack_of_files_or_memory() {
        for (reason, expected) in
            [(Reason::NoSuchCall, "newer kernel"), (Reason::CallForbidden, "a rule of the system forbids it")]
        {
            let error = refused("cannot keep the code of a bot", io::Error::from(reason));
            let next = error.trouble().next().unwrap_or_default();
            assert!(
                next.contains(expected) && !next.contains("memory") && !next.contains("open files"),
                "{next}"
            );
        }
    }

    #[test]
    fn the_cause_decides_the_step_and_otherwise_the_place() {
        let or = |reason: Reason| step_or(&io::Error::from(reason), "name another folder");
        assert_eq!(or(Reason::NoPermission), "name another folder");
        assert_eq!(or(Reason::Disk), "make room on the disk, or name another folder");
        assert!(or(Reason::FilesOfProcess).contains("`ulimit -n`"));
        assert_eq!(step_or(&io::Error::other("nonsense"), "look again"), "look again");
    }

    #[test]
    fn the_number_is_found_in_an_error_that_another_one_has_as_its_cause() {
        let inner = io::Error::from(Reason::FilesOfProcess);
        assert_eq!(reason(&io::Error::other(inner)), Some(Reason::FilesOfProcess));
        assert_eq!(errno(&io::Error::other(Errno::NOMEM)), Some(Errno::NOMEM.raw_os_error()));
        assert_eq!(errno(&Errno::AGAIN), Some(Errno::AGAIN.raw_os_error()));
        assert_eq!(errno(&io::Error::other("nonsense")), None);
        for nonsense in [i32::MIN, -1, 0, 4_096, i32::MAX] {
            assert_eq!(errno(&io::Error::from_raw_os_error(nonsense)), None, "{nonsense}");
        }
        let nested = HostError::machine("it", io::Error::from(Reason::NoSuchCall));
        assert_eq!(nested.trouble().cause().and_then(|cause| reason(cause)), Some(Reason::NoSuchCall));
    }

    #[test]
    fn a_limit_of_the_machine_is_told_from_what_is_wrong_with_a_file() {
        for (error, is_reached) in [
            (io::Error::from(Reason::FilesOfProcess), true),
            (Reason::FilesOfMachine.into(), true),
            (Reason::Memory.into(), true),
            (io::Error::other(io::Error::from(Reason::Threads)), true),
            (Errno::NOENT.into(), false),
            (io::Error::other("nonsense"), false),
        ] {
            assert_eq!(is_limit(&error), is_reached, "{error}");
        }
        assert_eq!(errno(&io::Error::from(Errno::NOENT)), Some(2));
        assert_eq!(errno(&io::Error::other("nonsense")), None);
    }
}
