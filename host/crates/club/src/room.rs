//! The room that an author's bots, logs and replays take together, and its limit.
//!
//! What takes room is counted as it is on the disk: a component once for each copy of it, and a game's part of a journal by what its side has
//! written. An upload that does not fit is refused. Games go on after it, so a version is paused when what they add does not fit any more.
//! Logs of versions that do not play make room first.

use crate::error::ClubError;
use crate::folder::Folder;
use crate::state::State;
use crate::uploads::Refusal;
use arena_engine::internals::kept_bots::KeptBots;
use arena_store::{Register, RegisterError, Version};
use axum::http::StatusCode;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The room that an author's bots, logs and replays take, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Room {
    /// The components, once for each copy: as they were submitted, next to the journals in which they play, and published.
    pub bots_bytes: u64,
    /// What they have printed in their latest games.
    pub logs_bytes: u64,
    /// Their side of all games in the journals.
    pub replays_bytes: u64,
}

/// The files of a season.
pub(crate) struct SeasonFiles {
    pub(crate) number: u32,
    pub(crate) journal: PathBuf,
    pub(crate) site: PathBuf,
    /// Has a folder for each season in turn that had this place.
    logs: PathBuf,
}

impl Room {
    /// All of it.
    pub fn sum(&self) -> u64 {
        self.bots_bytes + self.logs_bytes + self.replays_bytes
    }

    /// The parts in words.
    pub(crate) fn parts(&self) -> String {
        let [bots, logs, replays] = [self.bots_bytes, self.logs_bytes, self.replays_bytes].map(mib);
        format!("bots {bots} MiB, logs {logs} MiB, replays {replays} MiB")
    }
}

/// A number of bytes in MiB, with a decimal.
pub(crate) fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

/// The size of a file; 0 when there is none.
fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}

/// The size of the files in a folder.
fn size_within(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}

impl SeasonFiles {
    /// The folders with the logs of a version.
    pub(crate) fn logs_of(&self, sha256: &str) -> Vec<PathBuf> {
        let seasons = fs::read_dir(&self.logs).into_iter().flatten().flatten();
        seasons.map(|season| season.path().join(sha256)).filter(|folder| folder.is_dir()).collect()
    }
}

impl Folder {
    /// The files of the seasons up to this one, which is played.
    pub(crate) fn season_files(&self, season: u32) -> Vec<SeasonFiles> {
        let past = (1..season).map(|number| SeasonFiles {
            number,
            journal: self.past_journal(number),
            site: self.past_site(number),
            logs: self.past_season(number).join(crate::folder::LOGS),
        });
        let now =
            SeasonFiles { number: season, journal: self.journal(), site: self.site(), logs: self.logs() };
        past.chain([now]).collect()
    }

    /// The room that an author's bots, logs and replays take, by the author's versions.
    pub(crate) fn room(
        &self,
        register: &Register,
        author: &str,
        versions: &[Version],
    ) -> Result<Room, RegisterError> {
        let seasons = self.season_files(register.season()?.number);
        let mut room = Room { replays_bytes: register.played_bytes(author)?, ..Room::default() };
        for Version { sha256, .. } in versions.iter().filter(|version| version.is_kept()) {
            room.bots_bytes += size(&self.bot(sha256));
            for season in &seasons {
                let kept = KeptBots::of(&season.journal).find(sha256);
                room.bots_bytes += kept.map_or(0, |kept| size(&kept));
                room.bots_bytes += size(&season.site.join(arena_pages::component(sha256)));
                room.logs_bytes +=
                    season.logs_of(sha256).iter().map(|folder| size_within(folder)).sum::<u64>();
            }
        }
        Ok(room)
    }
}

impl State {
    /// Measures the room that an author's bots, logs and replays take. It waits for the disk.
    ///
    /// # Errors
    /// The register cannot be read.
    fn measure(&self, author: &str) -> Result<(Room, Vec<Version>), ClubError> {
        let (room, versions) = self.register(|register| {
            let versions = register.versions_of(author)?;
            Ok((self.folder.room(register, author, &versions)?, versions))
        })?;
        self.set_taken(author, room.sum());
        Ok((room, versions))
    }

    /// The bytes that an author's bots, logs and replays take, or somewhat more: what was measured last, and what has come since.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn taken(&self, author: &str) -> Result<u64, ClubError> {
        match self.known_taken(author) {
            Some(taken) => Ok(taken),
            None => Ok(self.measure(author)?.0.sum()),
        }
    }

    /// Makes room for this number of bytes of an author, if there is a limit: by removing logs of versions that do not play, the oldest
    /// first. Returns the room that is taken then, which may be too much still.
    fn make_room(&self, author: &str, wanted: u64) -> Result<Room, ClubError> {
        let (mut room, versions) = self.measure(author)?;
        let max = self.author_bytes_max.unwrap_or(u64::MAX);
        for version in versions.iter().rev().filter(|version| version.is_kept() && !version.plays) {
            if room.sum().saturating_add(wanted) <= max {
                break;
            }
            room.logs_bytes = room.logs_bytes.saturating_sub(self.forget_logs(&version.sha256));
        }
        self.set_taken(author, room.sum());
        Ok(room)
    }

    /// Removes all logs of a version, and returns their size.
    fn forget_logs(&self, sha256: &str) -> u64 {
        let seasons = self.folder.season_files(self.season);
        let folders: Vec<PathBuf> = seasons.iter().flat_map(|season| season.logs_of(sha256)).collect();
        let bytes = folders.iter().map(|folder| size_within(folder)).sum();
        self.logs.forget(sha256);
        // What stays is counted again.
        folders.iter().for_each(|folder| drop(fs::remove_dir_all(folder)));
        bytes
    }

    /// The number of bytes that an upload of an author may have, of this length if that is known, and the refusal of a longer one.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn room_for_upload(
        &self,
        author: &str,
        length: Option<u64>,
    ) -> Result<(u64, Refusal), ClubError> {
        let wanted = length.unwrap_or(self.component_bytes_max).min(self.component_bytes_max);
        let room = self.make_room(author, wanted)?;
        let max = self.author_bytes_max.unwrap_or(u64::MAX);
        let left = max.saturating_sub(room.sum());
        if left >= self.component_bytes_max {
            let what = format!("the file is larger than {} bytes", self.component_bytes_max);
            let next = "submit a component, which `arena check` admits";
            return Ok((self.component_bytes_max, Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, what, next)));
        }
        let file =
            length.map_or("the file".to_owned(), |length| format!("the file has {} MiB, and", mib(length)));
        let what = format!(
            "{file} does not fit: {} of your {} MiB are taken ({})",
            mib(room.sum()),
            mib(max),
            room.parts()
        );
        Ok((left, Refusal::new(StatusCode::FORBIDDEN, what, MAKE_ROOM)))
    }

    /// The room that an author's bots, logs and replays take, in a sentence, if there is a limit.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn room_in_words(&self, author: &str) -> Result<Option<String>, ClubError> {
        let Some(max) = self.author_bytes_max else { return Ok(None) };
        let (taken, max) = (mib(self.taken(author)?), mib(max));
        Ok(Some(format!("Your bots, logs and replays take {taken} of {max} MiB.")))
    }

    /// The refusal of everything that lets an author's bots play while they take too much room; `None` when they do not.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn refuse_without_room(&self, author: &str) -> Result<Option<Refusal>, ClubError> {
        let Some(max) = self.author_bytes_max else { return Ok(None) };
        if self.taken(author)? <= max {
            return Ok(None);
        }
        let room = self.make_room(author, 0)?;
        Ok((room.sum() > max).then(|| {
            let what = format!(
                "{} of the {} MiB of {author} are taken ({})",
                mib(room.sum()),
                mib(max),
                room.parts()
            );
            Refusal::new(StatusCode::FORBIDDEN, what, MAKE_ROOM)
        }))
    }
}

/// The next step of an author without room.
const MAKE_ROOM: &str = "delete versions that have not played, at `/me/` or with `arena mine --delete N`, or ask the organiser to delete others";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::ClubOptions;
    use crate::support::{bot, club};

    /// A club that gives each author this number of bytes.
    fn with_max(author_bytes_max: u64) -> ClubOptions {
        ClubOptions { author_bytes_max: Some(author_bytes_max), ..ClubOptions::default() }
    }

    #[test]
    fn an_upload_that_does_not_fit_is_refused_and_one_that_just_fits_is_taken() {
        let [first, second, third] = [10_000, 500_000, 20_000].map(|padding| bot("builtin:random", padding));
        let max = (first.len() + second.len()) as u64;
        for has_length in [true, false] {
            let it = club(with_max(max));
            let (ann, ben) = (it.author("ann"), it.author("ben"));
            it.upload(&ann, &first, has_length).expect("it fits");
            let padded = bot("builtin:random", 500_001);
            let refused = it.upload(&ann, &padded, has_length).expect_err("it has a byte too many");
            assert_eq!(refused.status, StatusCode::FORBIDDEN);
            for part in ["does not fit", "MiB are taken (bots ", "logs 0.0 MiB, replays 0.0 MiB"] {
                assert!(refused.what.contains(part), "{}", refused.what);
            }
            assert!(refused.next.contains("arena mine --delete"), "{}", refused.next);
            it.upload(&ann, &second, has_length).expect("it just fits");
            it.upload(&ann, &third, has_length).expect_err("nothing is left");
            let part = |entry: fs::DirEntry| entry.path().extension().is_some_and(|it| it == "part");
            let mut left = fs::read_dir(it.folder.bots()).unwrap().map(Result::unwrap);
            assert!(!left.any(part), "a part of a refused upload is left");
            it.upload(&ben, &third, has_length).expect("others have their own");
            // What is deleted before it has played makes room at once.
            let versions = it.club.state.register(|register| register.versions(&ann)).unwrap();
            assert_eq!(versions.len(), 2, "refused uploads are no versions");
            it.wait(it.club.state.delete_own(&ann, versions[0].id)).expect("it has not played");
            it.upload(&ann, &third, has_length).expect("there is room again");
        }
    }

    #[test]
    fn copies_logs_and_replays_count_and_older_logs_make_room_first() {
        let it = club(with_max(u64::MAX));
        let (ann, ben) = (it.author("ann"), it.author("ben"));
        let bots = [bot("builtin:random", 50_000), bot("builtin:random", 60_000)];
        let [older, newer] = [0, 1].map(|index| it.admit(&ann, &bots[index]));
        it.admit(&ben, &bot("builtin:hunter", 10));
        assert!(it.play().is_empty());
        let logs = |version: &Version| it.club.state.logs.folder_of(&version.sha256);
        for version in [&older, &newer] {
            fs::create_dir_all(logs(version)).unwrap();
            fs::write(logs(version).join("1.log"), vec![b'x'; 1_000]).unwrap();
        }
        let (room, _) = it.club.state.measure("ann").unwrap();
        // The newer one has played, so it has a copy next to the journal.
        assert_eq!(room.bots_bytes, (bots[0].len() + 2 * bots[1].len()) as u64);
        assert_eq!(room.logs_bytes, 2_000);
        assert!((4 * 200..4 * 1_000).contains(&room.replays_bytes), "{room:?}");
        assert_eq!(room.sum(), it.club.state.taken("ann").unwrap());

        let it = it.again(with_max(room.sum() + 20_000));
        let logs = |version: &Version| it.club.state.logs.folder_of(&version.sha256);
        let third = bot("builtin:random", 100);
        assert!(third.len() > 20_000 && third.len() < 21_000 + 100_000);
        let small = vec![7; 20_500];
        it.upload(&ann, &small, true).expect("the older logs make room");
        assert!(!logs(&older).exists() && logs(&newer).exists());
        let refused =
            it.upload(&ann, &vec![8; 1_000], true).expect_err("the log of the one that plays stays");
        assert!(refused.what.starts_with("the file has 0.0 MiB, and does not fit"), "{}", refused.what);
    }

    #[test]
    fn a_version_whose_games_take_too_much_is_paused_and_plays_on_when_there_is_room() {
        let it = club(with_max(u64::MAX));
        let (ann, ben) = (it.author("ann"), it.author("ben"));
        let (of_ann, of_ben) =
            (it.admit(&ann, &bot("builtin:random", 500_000)), it.admit(&ben, &bot("builtin:hunter", 10)));
        let older = it.upload(&ann, &[7; 10_000], true).unwrap();
        // It has a copy next to the journal when it plays, and then room for no game.
        let it = it.again(with_max(10_000 + 2 * of_ann.size));
        let notes = it.play();
        assert!(notes.len() == 1 && notes[0].starts_with("ann, version 1 is paused: "), "{notes:?}");
        let paused = it.version(of_ann.id);
        assert!(!paused.plays && it.version(of_ben.id).plays);
        let reason = paused.paused.unwrap();
        assert!(
            reason.contains("of ann are taken (bots ") && reason.contains("\n  next: delete "),
            "{reason}"
        );
        let refused = it.club.state.refuse_without_room("ann").unwrap().expect("it takes too much");
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert_eq!(it.club.state.refuse_without_room("ben").unwrap(), None);
        it.wait(it.club.state.delete_own(&ann, older.id)).expect("it has not played");
        let room = it.club.state.refuse_without_room("ann").unwrap();
        assert_eq!(room, None, "four games take less than the other version");
    }

    #[test]
    fn two_hundred_refused_versions_keep_no_author_from_submitting() {
        let it = club(ClubOptions::default());
        let (ann, ben) = (it.author("ann"), it.author("ben"));
        for number in 0..200_u32 {
            let submit = |author| {
                let sha256 = format!("{author:?}{number:064}");
                let sha256 = &sha256[sha256.len() - 64..];
                let submission = arena_store::Submission { sha256, size: 10, now: 0, is_draft: false };
                let version = it.club.state.register(|register| register.submit(author, &submission));
                version.unwrap().expect("the season is open")
            };
            let refused = submit(&ann);
            let judge = |id, state| it.club.state.register(|register| register.judge(id, state, "")).unwrap();
            judge(refused.id, arena_store::VersionState::Refused);
            judge(submit(&ben).id, arena_store::VersionState::Admitted);
        }
        let version = it.upload(&ann, b"a bot", true).expect("refused ones do not count");
        assert_eq!(version.number, 201);
        let refused = it.upload(&ben, b"another bot", true).expect_err("those that are kept count");
        assert!(refused.what.starts_with("there are 200 versions"), "{}", refused.what);
        let delete = |register: &mut Register| {
            let first = register.versions(&ben)?.pop().expect("it is there");
            register.begin_to_play(1, &[&first.sha256])?;
            register.delete("ben", first.number, arena_store::Deleter::Organiser)
        };
        it.club.state.register(delete).unwrap();
        it.upload(&ben, b"another bot", true).expect("one that was deleted does not count");
    }
}
