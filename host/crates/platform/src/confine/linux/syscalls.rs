//! Seccomp: the system calls that are left to a child once it is ready.
//!
//! The lists were found by trial: compiling, refusals, games, faults, panics, a stack that overflows, memory that runs out, each
//! with its message, on glibc 2.36. Any other call ends the process, because only exploited code makes one.

use crate::confine::Purpose;
use crate::confine::measures::Gap;
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};
use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::process;

/// System calls that are allowed with any arguments.
const ALLOWED: &[i64] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // Synchronisation of two threads, and their end.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    // Signals, which report an overflow of the stack. A wait is restarted after the child was stopped for others.
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    // Random keys of hash maps, and time where the kernel gives it by a call only.
    libc::SYS_clock_gettime,
    libc::SYS_getrandom,
    // The C library: the number of processors, for its pools of memory; and its own numbers, for `abort`.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_sched_getaffinity,
    // Closing its pipes.
    libc::SYS_close,
    // Loading code where the processor's caches are not coherent.
    libc::SYS_membarrier,
];

/// System calls that fail and do no harm. The C library looks at settings in `/proc` when it gives memory back, and
/// works without them.
const DENIED: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    libc::SYS_openat,
];

/// The one command of `ioctl` that wasmtime uses: it asks the process's own page map which pages were written to.
const PAGEMAP_SCAN: u64 = 0xc060_6610;

/// The process itself, as an argument of calls that expect a process.
const PIDFD_SELF: u64 = (-10_000_i32).cast_unsigned() as u64;

/// Leaves the listed system calls to all threads of this process.
pub(super) fn limit(purpose: Purpose) -> Result<(), Gap> {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return Err(Gap::new(
            "there is no list of system calls for this processor",
            "run the arena on x86-64 or aarch64",
        ));
    }
    let programs = programs(purpose);
    // The last one forbids to install any more.
    programs
        .and_then(|programs| programs.iter().try_for_each(|program| apply_filter_all_threads(program)))
        .map_err(|error| {
            let why = match error {
                Error::Prctl(error) | Error::Seccomp(error) => error.to_string(),
                other => other.to_string(),
            };
            Gap::new(
                format!("the kernel takes no seccomp filter: {why}"),
                "use a kernel with CONFIG_SECCOMP_FILTER, and allow seccomp in a container",
            )
        })
}

/// The two filters, in the order in which they are installed: one for the calls that fail, one for the calls that are fatal.
/// Of two answers of filters the kernel takes the stricter one.
fn programs(purpose: Purpose) -> Result<[BpfProgram; 2], Error> {
    let arch = TargetArch::try_from(ARCH)?;
    let any = |calls: &[i64]| calls.iter().map(|&call| (call, Vec::new())).collect::<BTreeMap<_, _>>();
    let denied = any(DENIED);
    let mut passed = any(ALLOWED);
    passed.extend(denied.clone());
    passed.extend(allowed_in_part()?);
    passed.extend(match purpose {
        Purpose::Compiling => of_compiling()?.to_vec(),
        Purpose::Playing => of_playing()?.to_vec(),
    });
    let errno = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let failing = SeccompFilter::new(denied, SeccompAction::Allow, errno, arch)?;
    let fatal = SeccompFilter::new(passed, SeccompAction::KillProcess, SeccompAction::Allow, arch)?;
    Ok([failing.try_into()?, fatal.try_into()?])
}

/// System calls that are allowed with some arguments: each has a list of rules, one of which must hold.
fn allowed_in_part() -> Result<[(i64, Vec<SeccompRule>); 4], Error> {
    let to_output = || Ok::<_, Error>(vec![argument(0, equal(), 1)?, argument(0, equal(), 2)?]);
    Ok([
        (libc::SYS_read, vec![argument(0, equal(), 0)?]),
        (libc::SYS_write, to_output()?),
        (libc::SYS_writev, to_output()?),
        // Its own threads: `abort` is a signal to itself.
        (libc::SYS_tgkill, vec![argument(0, equal(), process::id().into())?]),
    ])
}

/// The system calls of compiling, in addition to these: it loads the code that it has made once.
fn of_compiling() -> Result<[(i64, Vec<SeccompRule>); 2], Error> {
    let anonymous = u64::from(libc::MAP_ANONYMOUS.unsigned_abs());
    Ok([
        (libc::SYS_mprotect, Vec::new()),
        // Memory, not files.
        (libc::SYS_mmap, vec![argument(3, SeccompCmpOp::MaskedEq(anonymous), anonymous)?]),
    ])
}

/// The system calls of playing, in addition to these: memory of instances, which is never executable. A mapped file is the
/// first memory of a bot, which is sealed. No other file is open.
fn of_playing() -> Result<[(i64, Vec<SeccompRule>); 4], Error> {
    let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
    let not_executable = || argument(2, SeccompCmpOp::MaskedEq(executable), 0);
    Ok([
        (libc::SYS_mprotect, vec![not_executable()?]),
        (libc::SYS_mmap, vec![not_executable()?]),
        (libc::SYS_ioctl, vec![argument(1, equal(), PAGEMAP_SCAN)?]),
        // Gives back several pieces of its own memory at once.
        (libc::SYS_process_madvise, vec![argument(0, equal(), PIDFD_SELF)?]),
    ])
}

fn equal() -> SeccompCmpOp {
    SeccompCmpOp::Eq
}

/// The rule that compares an argument, of which the kernel reads 32 bits, with a value.
fn argument(index: u8, compares: SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
    let condition = SeccompCondition::new(index, SeccompCmpArgLen::Dword, compares, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}
