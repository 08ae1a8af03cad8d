//! What the system's numbers of errors mean.

use rustix::io::Errno;
use std::error::Error;
use std::io;

/// The reason for which the system refuses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This process has too many open files.
    FilesOfProcess,
    /// The machine has too many open files.
    FilesOfMachine,
    /// There is no memory left.
    Memory,
    /// There are too many threads or processes, or there is no room for the stack of one.
    Threads,
    /// The disk is full.
    Disk,
    /// The user's share of the disk is used up.
    Quota,
    /// The system does not have the call.
    NoSuchCall,
    /// The call is forbidden.
    CallForbidden,
    /// The user may not use the file.
    NoPermission,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::FilesOfProcess,
        Self::FilesOfMachine,
        Self::Memory,
        Self::Threads,
        Self::Disk,
        Self::Quota,
        Self::NoSuchCall,
        Self::CallForbidden,
        Self::NoPermission,
    ];

    /// The reason that a number stands for; `None` for another one.
    pub fn of(number: i32) -> Option<Self> {
        let is_of = |(numbers, _): &&(&[i32], Self)| numbers.contains(&number);
        NUMBERS.iter().find(is_of).map(|(_, reason)| *reason)
    }
}

impl From<Reason> for io::Error {
    fn from(reason: Reason) -> Self {
        let (numbers, _) = NUMBERS.iter().find(|(_, it)| *it == reason).expect("each reason has a number");
        Self::from_raw_os_error(numbers[0])
    }
}

/// The system's number of an error, if it is one of the system's. The errors that caused it are not looked at.
pub fn number(error: &(dyn Error + 'static)) -> Option<i32> {
    if let Some(number) = error.downcast_ref::<Errno>() {
        return Some(number.raw_os_error());
    }
    number_of(error.downcast_ref()?)
}

#[cfg(unix)]
fn number_of(error: &io::Error) -> Option<i32> {
    Errno::from_io_error(error).map(Errno::raw_os_error)
}

#[cfg(windows)]
fn number_of(error: &io::Error) -> Option<i32> {
    error.raw_os_error()
}

/// True if something cannot be written because its reader has gone away. Windows has two numbers for that of which Rust knows no kind:
/// ERROR_NO_DATA and ERROR_PIPE_NOT_CONNECTED.
pub fn is_reader_gone(error: &io::Error) -> bool {
    let is_of_windows = cfg!(windows) && matches!(error.raw_os_error(), Some(232 | 233));
    error.kind() == io::ErrorKind::BrokenPipe || is_of_windows
}

/// The numbers that stand for each reason.
#[cfg(unix)]
const NUMBERS: [(&[i32], Reason); 9] = [
    (&[Errno::MFILE.raw_os_error()], Reason::FilesOfProcess),
    (&[Errno::NFILE.raw_os_error()], Reason::FilesOfMachine),
    (&[Errno::NOMEM.raw_os_error()], Reason::Memory),
    (&[Errno::AGAIN.raw_os_error()], Reason::Threads),
    (&[Errno::NOSPC.raw_os_error()], Reason::Disk),
    (&[Errno::DQUOT.raw_os_error()], Reason::Quota),
    (&[Errno::NOSYS.raw_os_error()], Reason::NoSuchCall),
    (&[Errno::PERM.raw_os_error()], Reason::CallForbidden),
    (&[Errno::ACCESS.raw_os_error()], Reason::NoPermission),
];

/// The numbers that stand for each reason.
#[cfg(windows)]
const NUMBERS: [(&[i32], Reason); 9] = [
    // ERROR_TOO_MANY_OPEN_FILES
    (&[4], Reason::FilesOfProcess),
    // ERROR_SHARING_BUFFER_EXCEEDED
    (&[36], Reason::FilesOfMachine),
    // ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_COMMITMENT_LIMIT, ERROR_NO_SYSTEM_RESOURCES
    (&[8, 14, 1455, 1450], Reason::Memory),
    // ERROR_MAX_THRDS_REACHED, ERROR_NO_PROC_SLOTS
    (&[164, 89], Reason::Threads),
    // ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL
    (&[112, 39], Reason::Disk),
    // ERROR_DISK_QUOTA_EXCEEDED
    (&[1295], Reason::Quota),
    // ERROR_CALL_NOT_IMPLEMENTED, ERROR_NOT_SUPPORTED
    (&[120, 50], Reason::NoSuchCall),
    // ERROR_PRIVILEGE_NOT_HELD
    (&[1314], Reason::CallForbidden),
    // ERROR_ACCESS_DENIED
    (&[5], Reason::NoPermission),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_an_error_that_means_it() {
        for reason in Reason::ALL {
            let error = io::Error::from(reason);
            assert_eq!(number(&error).and_then(Reason::of), Some(reason), "{error}");
        }
        assert_eq!(number(&io::Error::other("nonsense")), None);
    }

    #[test]
    fn a_reader_that_has_gone_is_told_from_a_disk_that_is_full() {
        let mut numbers = vec![if cfg!(windows) { 109 } else { 32 }];
        numbers.extend([232, 233].iter().filter(|_| cfg!(windows)));
        for number in numbers {
            assert!(is_reader_gone(&io::Error::from_raw_os_error(number)), "{number}");
        }
        assert!(!is_reader_gone(&Reason::Disk.into()));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_number_of_the_system_is_none() {
        assert_eq!(number(&Errno::AGAIN), Some(Errno::AGAIN.raw_os_error()));
        for nonsense in [i32::MIN, -1, 0, 4_096, i32::MAX] {
            assert_eq!(number(&io::Error::from_raw_os_error(nonsense)), None, "{nonsense}");
        }
        for other in [Errno::NOENT, Errno::PIPE] {
            assert_eq!(Reason::of(other.raw_os_error()), None, "{other}");
        }
    }
}
