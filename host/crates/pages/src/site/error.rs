//! The ways in which a site is not written, each with its data.

use arena_engine::Error;
use arena_text::shown;
use std::path::PathBuf;

/// The next step when a component cannot be offered.
pub(super) const RESTORE: &str =
    "restore it from a copy, or leave the components out with --downloads journal";

/// The reason why a site was not written. The folder is as it was. Its text has the next step in a second line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum SiteError {
    /// The caller has stopped it.
    #[error("interrupted: the folder is as it was")]
    Stopped,
    /// Another process is writing the same site.
    #[error("{}: another `arena report` is writing this site\n  next: wait until it has ended, or name another folder", shown(.site))]
    InUse { site: PathBuf },
    /// The place of the site is not a folder.
    #[error("{}: is not a folder\n  next: name a folder for the site", shown(.site))]
    NotAFolder { site: PathBuf },
    /// The folder has other files, and is not a site.
    #[error(
        "{}: is a folder with other files, which would be lost\n  \
         next: name a new or empty folder, or one that `arena report` has written",
        shown(.folder)
    )]
    OtherFiles { folder: PathBuf },
    /// The folder is a site, and has another file.
    #[error(
        "{}: has {}, which is not of the site and would be lost\n  next: move it away, or name another folder",
        shown(.site),
        shown(.file)
    )]
    OtherFile { site: PathBuf, file: PathBuf },
    /// A component that is kept next to the journal is not the one that has played.
    #[error("the component {sha256} next to the journal has changed\n  next: {}", RESTORE)]
    ComponentChanged { sha256: String },
    /// The engine fails: a recording cannot be read, or a page cannot be written.
    #[error(transparent)]
    Engine(#[from] Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::MARKER;
    use crate::site::SiteFolder;
    use std::fs;

    #[test]
    fn a_caller_can_match_what_is_wrong_with_the_folder_of_a_site() {
        let place = tempfile::tempdir().expect("there is room");
        let path = place.path().join("site");
        let begin = || SiteFolder::begin(&path);
        fs::write(&path, "").expect("it can be written");
        assert!(matches!(begin(), Err(SiteError::NotAFolder { site }) if site == path));
        fs::remove_file(&path).expect("it can be removed");
        fs::create_dir(&path).expect("it can be made");
        fs::write(path.join("notes.txt"), "").expect("it can be written");
        assert!(matches!(begin(), Err(SiteError::OtherFiles { folder }) if folder == path));
        fs::write(path.join(MARKER), "").expect("it can be written");
        assert!(matches!(begin(), Err(SiteError::OtherFile { file, .. }) if file.as_os_str() == "notes.txt"));
        fs::remove_file(path.join("notes.txt")).expect("it can be removed");
        let first = begin().expect("it is a site");
        assert!(matches!(begin(), Err(SiteError::InUse { site }) if site == path));
        drop(first);
        begin().expect("it is free again");
    }
}
