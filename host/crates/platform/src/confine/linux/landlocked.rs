//! Landlock: no files, no network, no signals to other processes.

use crate::confine::measures::{Gap, Measure, Taken};
use landlock::{ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetError, Scope};

/// The newest version of Landlock whose rights are denied. All of them are, so a newer one denies more and breaks nothing.
const NEWEST: ABI = ABI::V9;

/// The version of Landlock that each measure needs, and the first Linux with it.
const NEEDS: [(Measure, ABI, &str); 3] = [
    (Measure::LandlockFiles, ABI::V1, "5.13"),
    (Measure::LandlockNetwork, ABI::V4, "6.7"),
    (Measure::LandlockScopes, ABI::V6, "6.12"),
];

/// Denies this thread, and those that it starts, everything that the kernel's Landlock can deny.
pub(super) fn enter() -> [Taken; 3] {
    let status = restrict().map_err(|error| error.to_string());
    NEEDS.map(|(measure, needed, linux)| {
        let gap = match &status {
            Ok(LandlockStatus::Available { effective_abi, .. }) if *effective_abi >= needed => {
                return (measure, Ok(()));
            }
            Ok(LandlockStatus::Available { effective_abi, .. }) => Gap::new(
                format!(
                    "the kernel has version {effective_abi} of Landlock, and this needs version {needed}"
                ),
                format!("use Linux {linux} or later"),
            ),
            Ok(LandlockStatus::NotEnabled) => Gap::new(
                "the kernel was started without Landlock",
                "add `landlock` to the kernel's parameter `lsm=`",
            ),
            Ok(LandlockStatus::NotImplemented) => Gap::new(
                "the kernel has no Landlock, or a container hides it",
                format!("use Linux {linux} or later, and allow Landlock's system calls in a container"),
            ),
            Err(error) => Gap::new(
                format!("Landlock failed: {error}"),
                "allow Landlock's system calls if the arena runs in a container",
            ),
        };
        (measure, Err(gap))
    })
}

/// Enters a domain without any rules. By default the crate leaves out what the kernel does not have.
fn restrict() -> Result<LandlockStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    Ok(ruleset.restrict_self()?.landlock)
}
