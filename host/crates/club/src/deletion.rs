//! Components that are deleted. Their games stay in the journal, with their chain and in the standings, and cannot be played again: a note
//! next to the journal says why.
//!
//! A component is deleted in the register first. Its files are removed by the process that serves the club, or by the next one: so none is
//! removed while a stage plays it, or while the same file is submitted again.

use crate::error::{ClubError, NotKept};
use crate::folder::Folder;
use crate::room::Room;
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::internals::kept_bots::KeptBots;
use arena_store::{Author, Deleted, Deleter, Register, RegisterError, Version};
use axum::http::StatusCode;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// An author of a club with the versions of the author's bot, the latest first.
#[derive(Clone, Debug)]
pub struct AuthorVersions {
    /// The name.
    pub author: String,
    /// The room that they take.
    pub room: Room,
    /// The versions.
    pub versions: Vec<Version>,
}

impl Folder {
    /// The versions of all authors of a club, in the order in which they were invited, or of the one with this name. The club may be served
    /// meanwhile.
    ///
    /// # Errors
    /// There is no club, or no such author.
    pub fn versions(&self, author: Option<&str>) -> Result<Vec<AuthorVersions>, ClubError> {
        let register = self.register()?;
        let read = || -> Result<Vec<AuthorVersions>, RegisterError> {
            let names = register.list_authors()?.into_iter().map(|author| author.name);
            let names = names.filter(|name| author.is_none_or(|author| author == name));
            let of_author = |author: String| {
                let versions = register.versions_of(&author)?;
                Ok(AuthorVersions { room: self.room(&register, &author, &versions)?, author, versions })
            };
            names.map(of_author).collect()
        };
        let all = read().map_err(|error| self.failure(error))?;
        match author {
            Some(name) if all.is_empty() => Err(self.unknown_author(name)),
            _ => Ok(all),
        }
    }

    /// Deletes the components of an author's versions with these numbers. Their games stay, and cannot be played again. Returns true if the
    /// files are removed; otherwise the process that serves the club does it within seconds.
    ///
    /// # Errors
    /// One of the versions does not exist or has no component: then none is deleted. Or the register cannot be written.
    pub(crate) fn delete_versions(&self, author: &str, numbers: &[u32]) -> Result<bool, ClubError> {
        let known = self.versions(Some(author))?.into_iter().flat_map(|it| it.versions).collect::<Vec<_>>();
        for &number in numbers {
            let version = known.iter().find(|version| version.number == number);
            if let Some(why) = not_kept(version) {
                let (author, folder) = (author.to_owned(), self.path().to_owned());
                return Err(ClubError::NotKept { author, number, why, folder });
            }
        }
        let mut register = self.register()?;
        for &number in numbers {
            register.delete(author, number, Deleter::Organiser).map_err(|error| self.failure(error))?;
        }
        self.remove_deleted_unless_served()
    }

    /// Removes the files of deleted components, and returns true, unless the club is served: then they may be in use.
    pub(crate) fn remove_deleted_unless_served(&self) -> Result<bool, ClubError> {
        let Ok(_lock) = self.lock() else { return Ok(false) };
        self.remove_deleted(&self.register()?, |_| false).map_err(|error| self.failure(error))?;
        Ok(true)
    }

    /// Removes the files of deleted components, but of those that are in use. Returns the numbers of the seasons whose pages may have one.
    ///
    /// # Errors
    /// The register cannot be read, or a file cannot be removed.
    pub(crate) fn remove_deleted(
        &self,
        register: &Register,
        is_in_use: impl Fn(&str) -> bool,
    ) -> Result<Vec<u32>, RegisterError> {
        let deleted: Vec<String> =
            register.deleted()?.into_iter().filter(|sha256| !is_in_use(sha256)).collect();
        let mut outdated = Vec::new();
        for season in self.season_files(register.season()?.number) {
            let kept = KeptBots::of(&season.journal);
            let mut is_outdated = false;
            for sha256 in &deleted {
                // First, so that a published copy goes when it is removed next to the journal.
                remove(&season.site.join(arena_pages::component(sha256)))?;
                is_outdated |= kept.delete(sha256).map_err(RegisterError::Io)?;
                for logs in season.logs_of(sha256) {
                    fs::remove_dir_all(logs).map_err(RegisterError::Io)?;
                }
            }
            outdated.extend(is_outdated.then_some(season.number));
        }
        deleted.iter().try_for_each(|sha256| remove(&self.bot(sha256)))?;
        Ok(outdated)
    }
}

fn remove(file: &Path) -> Result<(), RegisterError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RegisterError::Io(error)),
        _ => Ok(()),
    }
}

/// The reason why a version has no component that could be deleted; `None` when it has one.
fn not_kept(version: Option<&Version>) -> Option<NotKept> {
    match version {
        None => Some(NotKept::NoVersion),
        Some(version) if version.is_kept() => None,
        Some(Version { deleted_at: Some(at), .. }) => Some(NotKept::Deleted(at.clone())),
        Some(_) => Some(NotKept::Refused),
    }
}

impl State {
    /// Removes the files of components that were deleted, also by another process. Returns the seasons before the one that is played whose
    /// pages have to be written again.
    ///
    /// # Errors
    /// The register cannot be read, or a file cannot be removed.
    pub(crate) fn remove_deleted(&self) -> Result<Vec<u32>, ClubError> {
        let deleted = self.register(|register| register.deleted())?;
        if deleted.is_empty() {
            return Ok(Vec::new());
        }
        if deleted.iter().any(|sha256| self.admitted(sha256).is_some()) {
            // It leaves with the next stage, and is removed after that.
            self.end_stage();
        }
        deleted.iter().for_each(|sha256| self.logs.forget(sha256));
        // No upload can end meanwhile, because that needs the register, too.
        let is_in_use = |sha256: &str| self.admitted(sha256).is_some();
        let outdated = self.register(|register| self.folder.remove_deleted(register, is_in_use))?;
        if !outdated.is_empty() {
            self.forget_taken();
        }
        if outdated.contains(&self.season) {
            self.outdate_site();
        }
        Ok(outdated.into_iter().filter(|&season| self.is_past(season)).collect())
    }

    /// Deletes the component of an author's version that has not played.
    pub(crate) async fn delete_own(self: &Arc<Self>, author: &Author, id: i64) -> Result<Version, Refusal> {
        let name = author.name.clone();
        let deleted = self.with_register(move |register| {
            let version = register.version(id)?.filter(|version| version.author == name);
            version.map_or(Ok(Deleted::Unknown), |it| register.delete(&name, it.number, Deleter::Author))
        });
        let refuse = |status, what: String, next| Err(Refusal::new(status, what, next));
        match deleted.await? {
            Deleted::Done(version) => {
                // If a file stays, it is removed later.
                let _ = self.blocking(|state| state.remove_deleted().map(drop)).await;
                self.forget_taken();
                self.note_change();
                Ok(version)
            }
            Deleted::HasPlayed(Version { number, .. }) => refuse(
                StatusCode::CONFLICT,
                format!("version {number} has begun to play, so it stays: its games are verified with it"),
                "delete others, or ask the organiser to delete it",
            ),
            Deleted::NotKept(version) => {
                let why = not_kept(Some(&version)).unwrap_or(NotKept::NoVersion);
                let what = format!("version {} {why}", version.number);
                refuse(StatusCode::CONFLICT, what, "delete another one")
            }
            Deleted::Unknown => refuse(
                StatusCode::NOT_FOUND,
                "you have no such version".to_owned(),
                "choose one in the list of your versions",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{Setting, bot, club};
    use arena_engine::StoredSeason;
    use std::path::PathBuf;

    /// A club in which version 2 of ann has played against ben's bot, with the files of that version.
    fn played() -> (Setting, [i64; 2], Vec<PathBuf>) {
        let it = club(ClubOptions::default());
        let (ann, ben) = (it.author("ann"), it.author("ben"));
        let [first, second] = [100, 200].map(|padding| it.admit(&ann, &bot("builtin:random", padding)));
        it.admit(&ben, &bot("builtin:hunter", 10));
        it.play();
        let kept = KeptBots::of(&it.folder.journal()).find(&second.sha256).expect("it has played");
        let log = it.club.state.logs.folder_of(&second.sha256).join("1.log");
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        fs::write(&log, "a log").unwrap();
        let published = it.folder.site().join(arena_pages::component(&second.sha256));
        fs::create_dir_all(published.parent().unwrap()).unwrap();
        fs::write(&published, "a copy").unwrap();
        let files = vec![it.folder.bot(&second.sha256), kept, log, published];
        (it, [first.id, second.id], files)
    }

    #[test]
    fn an_author_deletes_only_what_has_not_played() {
        let (it, [first, second], files) = played();
        let ann = it.author("ann");
        let refused = it.wait(it.club.state.delete_own(&ann, second)).expect_err("it has played");
        assert_eq!(refused.status, StatusCode::CONFLICT);
        assert!(refused.what.contains("version 2 has begun to play, so it stays"), "{}", refused.what);
        assert!(files.iter().all(|file| file.exists()));
        let unplayed = it.folder.bot(&it.version(first).sha256);
        assert!(unplayed.exists());
        it.wait(it.club.state.delete_own(&ann, first)).expect("it has not played");
        assert!(!unplayed.exists());
        let again = it.wait(it.club.state.delete_own(&ann, first)).expect_err("it is deleted");
        assert!(again.what.contains("version 1 was deleted already, at "), "{}", again.what);
        for (author, id) in [("ben", second), ("ann", 0)] {
            let refused =
                it.wait(it.club.state.delete_own(&it.author(author), id)).expect_err("it is another's");
            assert_eq!(refused.status, StatusCode::NOT_FOUND);
        }
    }

    #[test]
    fn what_the_organiser_deletes_is_removed_everywhere_when_no_stage_plays_it_and_its_games_stay() {
        let (it, [_, second], files) = played();
        let (before, _) = StoredSeason::read(&it.folder.journal()).unwrap();
        assert!(it.folder.delete_versions("ann", &[2, 9]).is_err(), "there is no version 9");
        assert!(it.version(second).is_kept(), "all are deleted, or none");
        assert!(!it.folder.delete_versions("ann", &[2]).unwrap(), "the club is served");
        assert!(it.club.state.remove_deleted().unwrap().is_empty());
        assert!(files.iter().all(|file| file.exists()), "its stage has not been left");
        // The next stage is without it.
        assert!(it.play().is_empty());
        assert!(!it.version(second).plays);
        it.club.state.remove_deleted().unwrap();
        for file in &files {
            assert!(!file.exists(), "{}", file.display());
        }
        let (after, _) = StoredSeason::read(&it.folder.journal()).unwrap();
        let games = |season: &StoredSeason| season.results.standings.rows().iter().map(|row| row.games).max();
        assert_eq!(games(&before), Some(4));
        assert_eq!(games(&after), Some(8), "version 1 has played, and the games of version 2 stay");
        let sha256 = it.version(second).sha256;
        assert!(KeptBots::of(&it.folder.journal()).is_deleted(&sha256));
        // Submitted again, it plays on from its games.
        let ann = it.author("ann");
        assert_eq!(it.admit(&ann, &bot("builtin:random", 200)).id, second);
        it.admit(&it.author("cat"), &bot("builtin:hunter", 20));
        assert!(it.play().is_empty());
        let kept = KeptBots::of(&it.folder.journal());
        assert!(kept.find(&sha256).is_some() && !kept.is_deleted(&sha256));
    }

    #[test]
    fn a_club_that_is_served_again_removes_what_was_deleted_meanwhile() {
        let (it, [_, second], files) = played();
        it.club.state.register(|register| register.delete("ann", 2, Deleter::Organiser)).unwrap();
        let it = it.again(ClubOptions::default());
        assert!(files.iter().all(|file| !file.exists()));
        assert!(!it.version(second).is_kept());
    }

    #[test]
    fn a_component_is_removed_from_all_seasons_and_the_pages_of_those_that_are_over_are_written_again() {
        let (it, [_, second], _) = played();
        let sha256 = it.version(second).sha256;
        let it = it.between(|folder| {
            folder.reveal().unwrap();
            folder.new_season().unwrap();
        });
        it.play();
        let places = |season: u32| {
            let files = it.folder.season_files(2).remove(season as usize - 1);
            (files.journal.clone(), files.logs_of(&sha256), files.site.join(arena_pages::component(&sha256)))
        };
        let (past, now) = (places(1), places(2));
        assert!([&past.0, &now.0].iter().all(|journal| KeptBots::of(journal).find(&sha256).is_some()));
        assert!(past.2.exists() && past.1.len() == 1);
        let room = it.folder.versions(Some("ann")).unwrap()[0].room;
        let size = it.version(second).size;
        assert!(room.bots_bytes > 3 * size && room.logs_bytes >= 5, "{room:?}");
        it.folder.delete_versions("ann", &[2]).unwrap();
        it.play();
        assert_eq!(it.club.state.remove_deleted().unwrap(), [1]);
        assert!(it.club.state.take_outdated_site(), "also those of the season that is played");
        assert!([past.0, now.0].iter().all(|journal| KeptBots::of(journal).is_deleted(&sha256)));
        assert!(!past.2.exists() && past.1.iter().all(|logs| !logs.exists()));
        assert!(it.club.state.remove_deleted().unwrap().is_empty(), "once");
        let left = it.folder.versions(Some("ann")).unwrap()[0].room;
        assert_eq!((left.logs_bytes, left.replays_bytes >= room.replays_bytes), (0, true));
    }

    #[test]
    fn a_deleted_component_does_not_hinder_a_backup_or_a_restored_club() {
        let (it, _, _) = played();
        it.folder.delete_versions("ann", &[2]).unwrap();
        let it = it.again(ClubOptions::default());
        let place = tempfile::tempdir().unwrap();
        let backup = place.path().join("backup.tar");
        it.folder.back_up(&backup).unwrap();
        let restored = Folder::at(&place.path().join("restored"));
        restored.restore(&backup).unwrap();
        let of_ann = restored.versions(Some("ann")).unwrap();
        let sha256 = &of_ann[0].versions[0].sha256;
        assert!(KeptBots::of(&restored.journal()).is_deleted(sha256), "it says why it is missing");
    }
}
