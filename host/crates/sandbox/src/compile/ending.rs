//! The ways in which compiling in a child ends, and who is to blame for each.

use super::artifact::Artifact;
use super::last_words;
use super::seal::{Kind, Sealed};
use crate::limits::CompileBudget;
use crate::refusal::{AdmitError, Refusal, RefusalKind, mib};
use arena_platform::child::How;
use arena_referee::{HostError, Trouble};
use std::process::ExitStatus;
use std::time::Duration;

/// The failure of a child with another task.
const NONSENSE: &str = "the compiler's process gave an answer that makes no sense";

/// The ways in which compiling ends.
pub(super) enum Ending {
    /// The component is admitted.
    Artifact(Box<Artifact>),
    /// The component is refused.
    Refused(Refusal),
    /// A skeleton, compiled functions, the name of a bot, or the end of the specimen.
    Made(Sealed),
    /// A limit was reached.
    Limit(Limit),
    /// The compiler crashed.
    Crash(String),
    /// The arena or the machine failed.
    Failure(HostError),
    /// The sandbox was asked to stop compiling.
    Abandoned,
}

/// The resources that compiling can run out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    ProcessorTime,
    AddressSpace,
    Stack,
    ArtifactBytes,
}

/// The end of a child that has not answered.
pub(super) struct Exit {
    pub(super) status: ExitStatus,
    /// The processor time that it used, if the system says.
    pub(super) cpu_time: Option<Duration>,
    /// The beginning of what it wrote on its standard error.
    pub(super) said: String,
    /// `None` when it was not confined yet; otherwise, true if the machine had room for it.
    pub(super) has_room: Option<bool>,
}

impl Ending {
    /// The ending that an answer stands for.
    pub(super) fn of_answer(answer: Sealed, has_room: bool, budget: &CompileBudget) -> Self {
        // Only short answers are text.
        let text = || String::from_utf8_lossy(answer.contents()).into_owned();
        let opened = match answer.kind() {
            Kind::Admitted => Artifact::open(answer).map(Box::new).map(Self::Artifact),
            Kind::Refused => Refusal::from_bytes(answer.contents()).map(Self::Refused),
            Kind::Skeleton | Kind::Functions | Kind::Name | Kind::Time => Some(Self::Made(answer)),
            Kind::OutOfMemory => Some(Self::out_of_memory(has_room, budget)),
            Kind::Panicked => Some(Self::Crash(format!("it panicked: {}", text()))),
            Kind::Failed => Some(Self::failure(format!("the compiler's process failed: {}", text()))),
            Kind::ReadyMessage => None,
        };
        opened.unwrap_or_else(|| Self::failure(NONSENSE))
    }

    /// The ending of a child that has not answered.
    pub(super) fn of_exit(exit: &Exit, budget: &CompileBudget) -> Self {
        let Some(has_room) = exit.has_room else {
            // It has not seen the component yet.
            return Self::Failure(exit.failure("the compiler's process could not start"));
        };
        let used_up = exit.cpu_time.is_some_and(|used| used >= Duration::from_secs(budget.cpu_seconds));
        match How::of(exit.status) {
            How::TimeUsedUp => Self::Limit(Limit::ProcessorTime),
            How::Killed if used_up => Self::Limit(Limit::ProcessorTime),
            How::Killed => Self::failure(
                Trouble::from(
                    "the compiler's process was killed from outside, most likely because the machine ran out of memory",
                )
                .with_next("free some memory, or use fewer `--jobs`"),
            ),
            // The standard library says why it aborts; a memory fault that it does not explain is a crash.
            How::Aborted | How::MemoryFault if exit.said.contains("has overflowed its stack") => {
                Self::Limit(Limit::Stack)
            }
            How::StackOverflow => Self::Limit(Limit::Stack),
            How::Aborted if exit.said.contains("memory allocation of") => {
                Self::out_of_memory(has_room, budget)
            }
            How::MemoryUsedUp => Self::Limit(Limit::AddressSpace),
            How::ForbiddenCall => {
                Self::Crash(format!("it made a system call that it does not need: {}", exit.describe()))
            }
            How::Aborted | How::MemoryFault | How::OtherFault => Self::Crash(exit.describe()),
            How::Otherwise => Self::Failure(exit.failure("the compiler's process ended early")),
        }
    }

    fn out_of_memory(has_room: bool, budget: &CompileBudget) -> Self {
        if has_room {
            return Self::Limit(Limit::AddressSpace);
        }
        let what = format!(
            "the machine does not have the {} of memory that compiling a component may need",
            mib(budget.address_space_bytes)
        );
        Self::failure(
            Trouble::from(what).with_next("free some memory, or run the arena on a machine with more"),
        )
    }

    /// A failure of the arena.
    pub(super) fn failure(what: impl Into<Trouble>) -> Self {
        Self::Failure(HostError::Process(what.into()))
    }

    /// Returns true if compiling the same component may end differently the next time.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Failure(_) | Self::Crash(_))
    }

    /// The answer, if one of this kind was given.
    pub(super) fn made(self, kind: Kind) -> Option<Sealed> {
        match self {
            Self::Made(sealed) if sealed.kind() == kind => Some(sealed),
            _ => None,
        }
    }

    /// The reason why functions were not compiled, to go on after a colon.
    pub(super) fn why_not(self, budget: &CompileBudget) -> String {
        match self {
            Self::Limit(limit) => format!("compiling them needs more than {}", limit.words(budget)),
            other => match other.verdict(budget) {
                Err(error) => error.to_string(),
                Ok(_) => NONSENSE.to_owned(),
            },
        }
    }

    /// The consequence for the component.
    pub(super) fn verdict(self, budget: &CompileBudget) -> Result<Artifact, AdmitError> {
        Err(match self {
            Self::Artifact(artifact) => return Ok(*artifact),
            Self::Refused(refusal) => refusal.into(),
            Self::Made(_) => HostError::Process(NONSENSE.into()).into(),
            Self::Limit(limit) => limit.refusal(budget).into(),
            Self::Crash(how) => Refusal::new(
                RefusalKind::CompilerCrash,
                format!("makes the compiler crash: {how}"),
                "build with another version of your toolchain or other optimisation settings, and report the file",
            )
            .into(),
            Self::Failure(error) => error.into(),
            Self::Abandoned => stopped().into(),
        })
    }
}

/// The failure of an admission that was stopped on request.
pub(super) fn stopped() -> HostError {
    HostError::Process("compiling was stopped".into())
}

impl Limit {
    fn words(self, budget: &CompileBudget) -> String {
        match self {
            Self::ProcessorTime => format!("{} seconds of processor time", budget.cpu_seconds),
            Self::AddressSpace => format!("{} of address space", mib(budget.address_space_bytes)),
            Self::Stack => format!("{} of stack", mib(budget.stack_bytes as u64)),
            Self::ArtifactBytes => format!("{} for its code", mib(budget.artifact_bytes as u64)),
        }
    }

    fn refusal(self, budget: &CompileBudget) -> Refusal {
        let limit = self.words(budget);
        Refusal::new(
            RefusalKind::CompileLimits,
            format!("needs more to compile than a file of its size may: {limit}"),
            "build with optimisation, and split the largest functions; `--no-cache` tries again",
        )
    }
}

impl Exit {
    /// The status and the first line of standard error.
    fn describe(&self) -> String {
        last_words::crash(self.status, &self.said)
    }

    /// The failure of the arena that it means.
    fn failure(&self, what: &str) -> HostError {
        last_words::ended(what, Some(&self.status.to_string()), &self.said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Allowance, CompileLimits};
    use std::os::unix::process::ExitStatusExt;

    const SECONDS: Allowance = Allowance { base: 60, per_megabyte: 0 };

    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    const SIGSEGV: i32 = 11;
    const SIGTERM: i32 = 15;
    const SIGXCPU: i32 = 24;
    const SIGSYS: i32 = 31;
    const EXIT_1: i32 = 1 << 8;

    const OVERFLOW: &str =
        "\nthread 'compiler' has overflowed its stack\nfatal runtime error: stack overflow";
    const ALLOCATION: &str = "memory allocation of 1048576 bytes failed";

    /// The verdict on a child that has not answered: the refusal's kind, or `None` for a failure of the arena.
    fn verdict(raw_status: i32, cpu_seconds: u64, said: &str, has_room: Option<bool>) -> Option<RefusalKind> {
        let exit = Exit {
            status: ExitStatus::from_raw(raw_status),
            cpu_time: Some(Duration::from_secs(cpu_seconds)),
            said: said.into(),
            has_room,
        };
        let budget = CompileLimits { cpu_seconds: SECONDS, ..CompileLimits::default() }.budget(75_000);
        match Ending::of_exit(&exit, &budget).verdict(&budget) {
            Err(AdmitError::Refused(refusal)) => {
                assert!(!refusal.next_step.is_empty());
                Some(refusal.kind)
            }
            Err(AdmitError::Host(error)) => {
                assert!(error.to_string().len() > 20, "{error}");
                None
            }
            _ => panic!("it has not answered"),
        }
    }

    #[test]
    fn a_limit_is_the_bots_fault_and_an_end_from_outside_is_the_arenas_failure() {
        let room = Some(true);
        assert_eq!(verdict(SIGXCPU, 60, "", room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGKILL, 61, "", room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGABRT, 1, OVERFLOW, room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGSEGV, 1, OVERFLOW, room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGABRT, 1, ALLOCATION, room), Some(RefusalKind::CompileLimits));
        assert_eq!(verdict(SIGABRT, 1, ALLOCATION, Some(false)), None, "the machine had no room");
        assert_eq!(verdict(SIGABRT, 1, "", room), Some(RefusalKind::CompilerCrash));
        assert_eq!(verdict(SIGSEGV, 1, "", room), Some(RefusalKind::CompilerCrash));
        assert_eq!(verdict(SIGSYS, 1, "", room), Some(RefusalKind::CompilerCrash));
        for (status, cpu_seconds) in [(SIGKILL, 59), (SIGTERM, 61), (EXIT_1, 1), (0, 1)] {
            assert_eq!(verdict(status, cpu_seconds, "", room), None, "{status}");
        }
    }

    #[test]
    fn a_child_that_has_not_started_has_not_seen_the_component() {
        for status in [SIGABRT, SIGKILL, SIGSEGV, SIGTERM, SIGXCPU, SIGSYS, EXIT_1, 0] {
            assert_eq!(verdict(status, 99, OVERFLOW, None), None, "{status}");
        }
    }
}
