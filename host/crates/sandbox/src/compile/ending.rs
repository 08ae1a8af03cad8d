//! How compiling in a child ends, and whose doing that is.

use super::answer::Answer;
use super::artifact::Artifact;
use crate::limits::CompileLimits;
use crate::refusal::{AdmitError, Refusal, RefusalKind, mib};
use crate::sanitize;
use arena_referee::HostError;
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// The longest line of a child's that is told, in characters. Chosen: a line and a half of 80.
const LINE_CHARS_MAX: usize = 120;

/// How it ended.
pub(super) enum Ending {
    /// With code.
    Artifact(Artifact),
    /// With the compiler's no.
    Rejected(String),
    /// At a limit.
    Limit(Limit),
    /// With a crash of the compiler.
    Crash(String),
    /// With a failure of ours or of the machine's: what, and what to do about it.
    Failure(String),
    /// Because the sandbox was told to.
    Abandoned,
}

/// What there was not enough of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    ProcessorTime,
    AddressSpace,
    Stack,
    ArtifactBytes,
}

/// How a child ended that has not answered.
pub(super) struct Exit {
    pub(super) status: ExitStatus,
    /// The processor time it had used, where the system says.
    pub(super) cpu_time: Option<Duration>,
    /// What it wrote on its standard error, cut to a bound.
    pub(super) said: String,
    /// Whether its limits were set and, if so, whether the machine had room for it.
    pub(super) greeting: Option<bool>,
}

impl Ending {
    /// The ending that an answer is.
    pub(super) fn of_answer(answer: Answer, has_room: bool, limits: &CompileLimits) -> Self {
        match answer {
            Answer::Artifact(artifact) => Self::Artifact(artifact),
            Answer::Rejected(why) => Self::Rejected(why),
            Answer::OutOfMemory(_) => Self::out_of_memory(has_room, limits),
            Answer::Panicked(message) => Self::Crash(format!("panicked: {message}")),
            Answer::Failed(what) => Self::Failure(format!("the compiler's process failed: {what}")),
        }
    }

    /// The ending of a child that has not answered.
    pub(super) fn of_exit(exit: &Exit, limits: &CompileLimits) -> Self {
        let Some(has_room) = exit.greeting else {
            // It has not seen the component yet.
            return Self::Failure(format!("the compiler's process could not begin: {}", exit.describe()));
        };
        let cpu_time_max = Duration::from_secs(limits.cpu_seconds_max);
        let used_up = exit.cpu_time.is_some_and(|used| used >= cpu_time_max);
        let signal = exit.status.signal().and_then(Signal::from_named_raw);
        match signal {
            Some(Signal::XCPU) => Self::Limit(Limit::ProcessorTime),
            Some(Signal::KILL) if used_up => Self::Limit(Limit::ProcessorTime),
            Some(Signal::KILL) => Self::Failure(
                "the compiler's process was killed from outside, most likely because the machine ran out of memory; \
                 free some, or use fewer `--jobs`"
                    .into(),
            ),
            // The standard library says what it aborts for; a fault in memory that it does not know is a crash.
            Some(Signal::ABORT | Signal::SEGV) if exit.said.contains("has overflowed its stack") => {
                Self::Limit(Limit::Stack)
            }
            Some(Signal::ABORT) if exit.said.contains("memory allocation of") => {
                Self::out_of_memory(has_room, limits)
            }
            Some(Signal::ABORT | Signal::SEGV | Signal::ILL | Signal::FPE | Signal::TRAP) => {
                Self::Crash(exit.describe())
            }
            _ => Self::Failure(format!("the compiler's process ended early: {}", exit.describe())),
        }
    }

    fn out_of_memory(has_room: bool, limits: &CompileLimits) -> Self {
        if has_room {
            return Self::Limit(Limit::AddressSpace);
        }
        Self::Failure(format!(
            "the machine has not the {} of memory that compiling a component may take; run the arena where there is more",
            mib(limits.address_space_bytes_max)
        ))
    }

    /// Whether it may end otherwise at another time, with no change to the component.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Failure(_) | Self::Crash(_))
    }

    /// What it means for the component.
    pub(super) fn verdict(self, limits: &CompileLimits) -> Result<Artifact, AdmitError> {
        match self {
            Self::Artifact(artifact) => Ok(artifact),
            Self::Rejected(why) => Err(rejected(&why).into()),
            Self::Limit(limit) => Err(limit.refusal(limits).into()),
            Self::Crash(how) => Err(Refusal::new(
                RefusalKind::CompilerCrash,
                format!("the compiler fails on it: {how}"),
                "build it with another version of your toolchain or with other optimisation, and report the file",
            )
            .into()),
            Self::Failure(what) => Err(HostError(what).into()),
            Self::Abandoned => Err(HostError("compiling was stopped".into()).into()),
        }
    }
}

/// The refusal of a component that the compiler does not take. It has been validated, so that what is left are the bounds
/// of the compiler and of the pool, and the little of the component model that wasmtime does not have.
pub(super) fn rejected(why: &str) -> Refusal {
    if why.contains("not implemented") {
        return Refusal::new(
            RefusalKind::Feature,
            format!("it uses the component model in a way that bots cannot: {why}"),
            "build with your toolchain's default features, and export the contract's interface alone",
        );
    }
    Refusal::new(
        RefusalKind::OverLimits,
        format!("it is over a limit of the sandbox: {why}"),
        "build it as one module, with optimisation, so that what is unused is removed",
    )
}

impl Limit {
    fn refusal(self, limits: &CompileLimits) -> Refusal {
        let takes = match self {
            Self::ProcessorTime => format!("{} seconds of processor time", limits.cpu_seconds_max),
            Self::AddressSpace => format!("{} of address space", mib(limits.address_space_bytes_max)),
            Self::Stack => format!("{} of stack", mib(limits.stack_bytes_max as u64)),
            Self::ArtifactBytes => format!("{} for its code", mib(limits.artifact_bytes_max as u64)),
        };
        Refusal::new(
            RefusalKind::CompileLimits,
            format!("compiling it takes more than {takes}, the most that is given"),
            "build it with optimisation, so that what is unused is removed, and split its largest functions",
        )
    }
}

impl Exit {
    /// How it ended and its first line about it.
    fn describe(&self) -> String {
        let line = self.said.lines().map(str::trim).find(|line| !line.is_empty());
        let line = line.map(|line| sanitize::line(line, LINE_CHARS_MAX));
        match line {
            Some(line) => format!("{}: {line}", self.status),
            None => self.status.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    const SIGSEGV: i32 = 11;
    const SIGTERM: i32 = 15;
    const SIGXCPU: i32 = 24;
    const EXIT_1: i32 = 1 << 8;

    const OVERFLOW: &str =
        "\nthread 'compiler' has overflowed its stack\nfatal runtime error: stack overflow";
    const ALLOCATION: &str = "memory allocation of 1048576 bytes failed";

    /// The verdict on a child that greeted, if it did, and ended so: the refusal's kind, or `None` for a failure of ours.
    fn verdict(raw_status: i32, cpu_seconds: u64, said: &str, greeting: Option<bool>) -> Option<RefusalKind> {
        let exit = Exit {
            status: ExitStatus::from_raw(raw_status),
            cpu_time: Some(Duration::from_secs(cpu_seconds)),
            said: said.into(),
            greeting,
        };
        let limits = CompileLimits::default();
        match Ending::of_exit(&exit, &limits).verdict(&limits) {
            Err(AdmitError::Refused(refusal)) => {
                assert!(!refusal.next_step.is_empty());
                Some(refusal.kind)
            }
            Err(AdmitError::Host(error)) => {
                assert!(error.0.len() > 20, "{error}");
                None
            }
            _ => panic!("it has not answered"),
        }
    }

    #[test]
    fn a_limit_is_the_bots_and_an_end_from_outside_is_ours() {
        let room = Some(true);
        assert_eq!(verdict(SIGXCPU, 60, "", room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGKILL, 61, "", room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGABRT, 1, OVERFLOW, room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGSEGV, 1, OVERFLOW, room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGABRT, 1, ALLOCATION, room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGABRT, 1, ALLOCATION, Some(false)), None, "the machine had no room");
        assert_eq!(verdict(SIGABRT, 1, "", room), Some(RefusalKind::CompilerCrash));
        assert_eq!(verdict(SIGSEGV, 1, "", room), Some(RefusalKind::CompilerCrash));
        for (status, cpu_seconds) in [(SIGKILL, 59), (SIGTERM, 61), (EXIT_1, 1), (0, 1)] {
            assert_eq!(verdict(status, cpu_seconds, "", room), None, "{status}");
        }
    }

    #[test]
    fn whoever_has_not_begun_has_not_seen_the_component() {
        for status in [SIGABRT, SIGKILL, SIGSEGV, SIGTERM, SIGXCPU, EXIT_1, 0] {
            assert_eq!(verdict(status, 99, OVERFLOW, None), None, "{status}");
        }
    }
}
