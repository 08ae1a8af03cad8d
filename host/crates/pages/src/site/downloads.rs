//! Copies in the site for those who verify the contest: the journal and components.
//!
//! A journal names a secret seed only by its hash until its season is closed: the seed itself is in a file next to it, which is never
//! copied.

use super::error::RESTORE;
use super::{GameReader, SiteError, SiteFolder};
use crate::Contest;
use crate::layout::{self, JOURNAL, Page};
use arena_engine::Error;
use std::sync::PoisonError;

/// The files that the site offers to download, for those who verify the contest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Downloads {
    /// Nothing.
    None,
    /// A copy of the journal.
    #[default]
    Journal,
    /// The journal, and the bots' components that are kept next to it.
    All,
}

/// The largest component that is offered, in bytes. Chosen: eight times the largest that a sandbox admits by default.
const COMPONENT_BYTES_MAX: u64 = 512 << 20;

impl GameReader {
    /// Writes the copies that the contest's pages offer. One that the old site has already is kept.
    pub(super) fn write_downloads(&self, contest: &Contest, folder: &SiteFolder) -> Result<(), SiteError> {
        if contest.journal.is_offered {
            let [old, new] = folder.places(JOURNAL)?;
            let reader = self.journal.first.lock().unwrap_or_else(PoisonError::into_inner);
            reader.copy_to(&new, &old).map_err(|error| {
                let what = format!("cannot copy {} into the site", self.journal.name.as_str());
                Error::machine(
                    what,
                    error,
                    "make room on the disk, or leave the copy out with --downloads none",
                )
            })?;
        }
        for &bot in &contest.components {
            let sha256 = contest.bots[bot].sha256.as_str();
            let bytes = self.component(sha256)?;
            folder.put(&Page { path: layout::component(sha256), bytes })?;
        }
        Ok(())
    }

    /// A component that is kept next to the journal.
    fn component(&self, sha256: &str) -> Result<Vec<u8>, SiteError> {
        match self.components.read(sha256, COMPONENT_BYTES_MAX) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(SiteError::ComponentChanged { sha256: sha256.to_owned() }),
            Err(error) => {
                Err(Error::machine(format!("cannot read the component {sha256}"), error, RESTORE).into())
            }
        }
    }
}
