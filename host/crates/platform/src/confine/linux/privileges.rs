//! Everything that a child inherits and does not need: open descriptors and capabilities.

use crate::confine::measures::Gap;
use rustix::io::Errno;
use rustix::thread::{self, CapabilitySet, CapabilitySets};
use std::os::fd::RawFd;
use std::{fs, io};

/// The last descriptor that the child keeps: standard error.
const LAST_KEPT: RawFd = 2;

/// The number of capabilities that a kernel can have: the bits of a set.
const CAPABILITIES_MAX: u32 = u64::BITS;

/// Closes all descriptors except the three standard ones. A shell may have passed on others.
///
/// It is for the beginning of a process, which owns none of them yet.
pub(super) fn close_descriptors() -> Result<(), Gap> {
    let open = open_descriptors().map_err(|error| {
        Gap::new(format!("/proc/self/fd cannot be listed: {error}"), "mount /proc where the arena runs")
    })?;
    for descriptor in open.into_iter().filter(|&descriptor| descriptor > LAST_KEPT) {
        // It fails for the descriptor of the listing itself, which is closed by now.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

fn open_descriptors() -> io::Result<Vec<RawFd>> {
    let names = fs::read_dir("/proc/self/fd")?.map(|entry| Ok(entry?.file_name()));
    let names = names.collect::<io::Result<Vec<_>>>()?;
    Ok(names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect())
}

/// Empties all sets of capabilities of this thread, and of those that it starts.
pub(super) fn drop_capabilities() -> Result<(), Gap> {
    let gap = |why: &str| {
        Gap::new(format!("capabilities cannot be given up: {why}"), "run the arena as an ordinary user")
    };
    for bit in 0..CAPABILITIES_MAX {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        match thread::capability_is_in_bounding_set(capability) {
            // An ordinary user may not, and need not: without new privileges, the set has no effect.
            Ok(true) => {
                let _ = thread::remove_capability_from_bounding_set(capability);
            }
            Ok(false) => {}
            // The kernel has no further ones.
            Err(_) => break,
        }
    }
    match thread::clear_ambient_capability_set() {
        // A kernel before 4.3 does not have the set.
        Ok(()) | Err(Errno::INVAL) => {}
        Err(error) => return Err(gap(&error.to_string())),
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    thread::set_capabilities(None, sets).map_err(|error| gap(&error.to_string()))?;
    let left = thread::capabilities(None).map_err(|error| gap(&error.to_string()))?;
    if left == sets { Ok(()) } else { Err(gap("some are left")) }
}
