//! Sealed files in memory.

use super::{Received, number};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::thread;
use std::time::Duration;

/// The seals: the memory cannot change, and no seal can be removed.
const SEALS: SealFlags =
    SealFlags::WRITE.union(SealFlags::GROW).union(SealFlags::SHRINK).union(SealFlags::SEAL);

/// The pauses between the attempts to seal, in milliseconds: chosen, 20 seconds in all. The system itself waits up to 150 in each attempt.
const PAUSES_MS: [u64; 8] = [10, 20, 50, 100, 300, 1_500, 6_000, 12_020];

/// Memory that children can read and no process can change.
#[derive(Debug)]
pub struct Shared {
    file: File,
}

impl Shared {
    /// Memory with these bytes. The name is for people who look at processes.
    ///
    /// # Errors
    /// The system has no memory or no descriptor left.
    pub fn new(name: &str, bytes: &[u8]) -> io::Result<Self> {
        Self::sealed(name, bytes, SEALS)
    }

    fn sealed(name: &str, bytes: &[u8], seals: SealFlags) -> io::Result<Self> {
        let mut file = File::from(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
        file.write_all(bytes)?;
        again_while_busy(|| fcntl_add_seals(&file, seals), thread::sleep)?;
        Ok(Self { file })
    }

    /// The message to a child, which [reads](Received::read) it: the descriptor, in eight bytes, little-endian.
    pub fn message(&self) -> Vec<u8> {
        let descriptor = u64::try_from(self.file.as_raw_fd()).expect("a descriptor is not negative");
        descriptor.to_le_bytes().to_vec()
    }
}

/// Seals. While the system uses a page for itself, which a machine under load does, it refuses a seal with `EBUSY`: this is tried again
/// after each of the [pauses](PAUSES_MS).
fn again_while_busy(
    mut seal: impl FnMut() -> Result<(), Errno>,
    mut pause: impl FnMut(Duration),
) -> Result<(), Errno> {
    for milliseconds in PAUSES_MS {
        match seal() {
            Err(Errno::BUSY) => pause(Duration::from_millis(milliseconds)),
            sealed => return sealed,
        }
    }
    seal()
}

pub(super) fn receive(input: &mut impl Read, parent: u32) -> io::Result<Received> {
    let descriptor = number(input)?;
    let file = File::open(format!("/proc/{parent}/fd/{descriptor}"))?;
    if !fcntl_get_seals(&file)?.contains(SEALS) {
        return Err(io::Error::other("it is not sealed"));
    }
    let path = format!("/proc/self/fd/{}", file.as_raw_fd()).into();
    Ok(Received::File(file, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::id;

    fn shared(seals: SealFlags) -> Shared {
        Shared::sealed("code", b"code", seals).expect("there is room")
    }

    fn received(shared: &Shared) -> io::Result<Received> {
        receive(&mut shared.message().as_slice(), id())
    }

    #[test]
    fn a_sealed_file_is_opened() {
        let Ok(Received::File(file, _)) = received(&shared(SEALS)) else { panic!("it is sealed") };
        assert_eq!(io::read_to_string(file).expect("it is text"), "code");
    }

    #[test]
    fn a_file_that_can_still_be_changed_is_not_opened() {
        for missing in SEALS.iter() {
            let why = received(&shared(SEALS.difference(missing))).expect_err("it can be changed");
            assert!(why.to_string().contains("not sealed"), "{why}");
        }
    }

    /// Seals memory for which the system gives these answers, and then that it is busy. Returns the result, and the pauses.
    fn sealing(answers: &[Result<(), Errno>]) -> (Result<(), Errno>, Vec<u128>) {
        let mut pauses = Vec::new();
        let mut answers = answers.iter().copied();
        let sealed = again_while_busy(
            || answers.next().unwrap_or(Err(Errno::BUSY)),
            |pause| pauses.push(pause.as_millis()),
        );
        (sealed, pauses)
    }

    #[test]
    fn memory_that_the_system_uses_for_a_moment_is_sealed_after_a_pause() {
        let (busy, all) = (Err(Errno::BUSY), PAUSES_MS.map(u128::from).to_vec());
        assert_eq!(sealing(&[Ok(())]), (Ok(()), vec![]));
        assert_eq!(sealing(&[busy, busy, Ok(())]), (Ok(()), all[..2].to_vec()));
        let last = [vec![busy; all.len()], vec![Ok(())]].concat();
        assert_eq!(sealing(&last), (Ok(()), all));
    }

    #[test]
    fn memory_that_stays_busy_or_cannot_be_sealed_is_an_error() {
        assert_eq!(sealing(&[]), (Err(Errno::BUSY), PAUSES_MS.map(u128::from).to_vec()));
        assert_eq!(sealing(&[Err(Errno::PERM), Ok(())]), (Err(Errno::PERM), vec![]));
    }

    #[test]
    fn a_sealed_file_cannot_be_changed() {
        let mut shared = shared(SEALS);
        assert!(shared.file.write_all(b"more").is_err() && shared.file.set_len(0).is_err());
    }
}
