//! The ways in which a club cannot do what it was asked for, each with its data.

use crate::heads::LoggedHead;
use crate::token::NAME_CHARS_MAX;
use arena_cluster::ClusterError;
use arena_engine::Error;
use arena_pages::{SiteError, time_in_words};
use arena_store::{ANNOUNCEMENT_CHARS_MAX, RegisterError};
use arena_text::{counted, quoted, shown};
use std::path::PathBuf;

/// The next step when the journal and the log of heads contradict each other.
const LATEST: &str = "restore the latest journal; if it is lost, also put the log of the older journal's time there, and say so to those \
                      who have kept later heads";

/// The reason why a club cannot do what it was asked for. Its text has the next step in a second line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum ClubError {
    /// The folder has no club.
    #[error(
        "{}: has no club\n  next: check the path; `arena club serve --data DIR` and `arena club invite` make a club",
        shown(.folder)
    )]
    NoClub { folder: PathBuf },
    /// A club cannot be made in the folder, because it has other files.
    #[error(
        "{}: is a folder with other files, and no club\n  next: name a new or empty folder, or that of a club",
        shown(.folder)
    )]
    OtherFiles { folder: PathBuf },
    /// Another process serves the club, or changes its season.
    #[error(
        "{}: another `arena club` serves this club\n  next: stop it first, or name another folder",
        shown(.folder)
    )]
    InUse { folder: PathBuf },

    /// The register is not that of a club, or damaged.
    #[error("{}: {error}\n  next: name another folder, or restore the file from a copy", shown(.register))]
    WrongRegister { register: PathBuf, error: RegisterError },
    /// The register is empty, and the season has a journal.
    #[error(
        "{}: is empty, and next to it is the journal of a season\n  \
         next: restore the register from a copy of the same time, or the whole club from a backup",
        shown(.register)
    )]
    EmptyRegister { register: PathBuf },
    /// The register says that a season is played whose files were moved to those that are over.
    #[error(
        "{}: is older than the folder: it says that season {season} is played, and {} has its journal already\n  \
         next: restore the register of the same time, or the whole club from a backup",
        shown(.register),
        shown(.moved_to)
    )]
    OldRegister { register: PathBuf, season: u32, moved_to: PathBuf },
    /// The journal of the season is missing, and heads of it are public.
    #[error(
        "{}: is missing, and {} has heads of season {season}\n  \
         next: restore the journal from a copy, or the whole club from a backup",
        shown(.journal),
        shown(.log)
    )]
    NoJournal { journal: PathBuf, log: PathBuf, season: u32 },
    /// The journal, with this number of links, is older than the log of heads, whose latest one is this.
    #[error(
        "{}: is older than {}: it has {}, and the head of {head}, has {}\n  next: {}",
        shown(.journal),
        shown(.log),
        counted(*.links, "link"),
        .head.links,
        LATEST
    )]
    OldJournal { journal: PathBuf, links: u64, log: PathBuf, head: Box<LoggedHead> },
    /// The journal has another chain than the log of heads, whose latest one is this.
    #[error(
        "{}: is not the journal of {}: it does not have the head of {head}\n  next: {}",
        shown(.journal),
        shown(.log),
        LATEST
    )]
    OtherJournal { journal: PathBuf, log: PathBuf, head: Box<LoggedHead> },
    /// The seed of the journal is not secret, so it is not that of a club.
    #[error(
        "{}: is the journal of another contest, because its seed is not secret\n  next: name another folder",
        shown(.journal)
    )]
    OpenSeed { journal: PathBuf },

    /// The season has begun with other rules than those of the options.
    #[error(
        "{}: its season has begun with other rules or limits{}\n  \
         next: leave out --game, --set, --rules, --width and --height, or name another folder",
        shown(.folder),
        unlike(.its, .asked)
    )]
    OtherRules { folder: PathBuf, its: String, asked: String },
    /// The season has begun with other limits than those of the options.
    #[error(
        "{}: its season has begun with other rules or limits\n  next: leave out --fuel and --memory, or name another folder",
        shown(.folder)
    )]
    OtherLimits { folder: PathBuf },
    /// The season is over: its seed is revealed.
    #[error(
        "{}: season {season} is over\n  next: begin another with `arena club season new`",
        shown(.folder)
    )]
    SeasonOver { folder: PathBuf, season: u32 },
    /// The season is frozen already.
    #[error("{}: season {season} is frozen already\n  next: take bots again with --undo", shown(.folder))]
    Frozen { folder: PathBuf, season: u32 },
    /// The season is not frozen, so that it takes bots already.
    #[error("{}: season {season} is not frozen\n  next: leave out --undo to freeze it", shown(.folder))]
    NotFrozen { folder: PathBuf, season: u32 },
    /// The dates of a season are not in their order.
    #[error(
        "the dates are not in their order\n  next: the start is before the freeze, and the freeze before the end"
    )]
    DatesOutOfOrder,
    /// An announcement is empty or too long.
    #[error("the announcement is empty or too long\n  next: write 1 to {ANNOUNCEMENT_CHARS_MAX} characters")]
    WrongAnnouncement,
    /// There is no announcement with this number.
    #[error("there is no announcement {id}\n  next: `arena club announce --data DIR` lists them")]
    NoAnnouncement { id: i64 },
    /// Another season cannot begin, because the seed of this one is not revealed.
    #[error(
        "{}: season {season} goes on, after {}\n  next: end it with `arena club season reveal`",
        shown(.folder),
        counted(*.games, "game")
    )]
    SeasonGoesOn { folder: PathBuf, season: u32, games: usize },
    /// Another season cannot begin, because this one has no games.
    #[error("{}: season {season} has no games yet\n  next: serve it with `arena club serve`", shown(.folder))]
    NoGames { folder: PathBuf, season: u32 },

    /// A name that an author cannot have.
    #[error(
        "{}: is not a name\n  next: choose 1 to {} letters, digits, - and _, without spaces, and with one alphabet in a word",
        quoted(.name),
        NAME_CHARS_MAX
    )]
    WrongName { name: String },
    /// The author has a token.
    #[error(
        "{name} has a token already\n  next: choose another name; a lost token is replaced by `arena club revoke {name}` \
         and another `invite`"
    )]
    AuthorKnown { name: String },
    /// The name is the one of another author, or looks like it.
    #[error(
        "{name}: looks like the author {other}\n  next: choose another name, so that people can tell them apart"
    )]
    SimilarAuthor { name: String, other: String },
    /// The organiser has set the pseudonym of an author, who cannot change it.
    #[error("the organiser has set the name that the pages show\n  next: ask the organiser for another one")]
    FixedPseudonym,
    /// The club has no author of this name.
    #[error(
        "{}: has no author of this name\n  next: `arena club versions --data {}` lists them",
        quoted(.name),
        shown(.folder)
    )]
    UnknownAuthor { name: String, folder: PathBuf },
    /// The club has no author of this name with a token.
    #[error("{}: has no author of this name with a token\n  next: check the name", quoted(.name))]
    NoToken { name: String },
    /// The club has no author of this name who is disqualified.
    #[error("{}: has no author of this name who is disqualified\n  next: check the name", quoted(.name))]
    NotDisqualified { name: String },
    /// There is an organiser of this name with a token.
    #[error("{name}: is an organiser already\n  next: choose another name, or revoke that token first")]
    OrganiserKnown { name: String },
    /// The club has no organiser of this name with a token.
    #[error("{}: has no organiser of this name with a token\n  next: `arena club organiser list` lists them", quoted(.name))]
    NoOrganiser { name: String },
    /// The deletion of an author was not confirmed by the name.
    #[error(
        "{name} is not deleted\n  next: write the name of the author into the field, because this cannot be undone"
    )]
    NotConfirmed { name: String },
    /// An author cannot be disqualified without a reason.
    #[error("the reason is empty\n  next: say why: the author and everybody else read it")]
    NoReason,
    /// A version has no component that could be deleted.
    #[error(
        "{author}, version {number}: {why}\n  next: `arena club versions {author} --data {}` lists them",
        shown(.folder)
    )]
    NotKept { author: String, number: u32, why: NotKept, folder: PathBuf },
    /// The component of a version is not the one that was submitted.
    #[error(
        "{}: has changed since it was submitted\n  next: leave the folder of a club to the arena",
        shown(.component)
    )]
    ComponentChanged { component: PathBuf },

    /// The file of a new backup exists.
    #[error("{}: exists already\n  next: name a new file", shown(.file))]
    FileExists { file: PathBuf },
    /// The club is damaged, so that it cannot be backed up.
    #[error(
        "{}: cannot be backed up: {why}\n  next: keep the earlier backups, and restore the club from the latest one",
        shown(.folder)
    )]
    Damaged { folder: PathBuf, why: String },
    /// The folder of a club to be restored has files.
    #[error("{}: is there already\n  next: name a new folder, or move that one away", shown(.folder))]
    FolderExists { folder: PathBuf },
    /// The folder in which a club is to be restored does not exist.
    #[error("{}: there is no such folder\n  next: make it first", shown(.folder))]
    NoFolder { folder: PathBuf },
    /// A file is not a backup, or is damaged.
    #[error("{}: is not a whole backup of a club: {why}\n  next: restore another backup", shown(.file))]
    WrongBackup { file: PathBuf, why: String },

    /// Something else answers at the address of a club.
    #[error("the address answers with status {status}, and not as a club\n  next: check the address of --to")]
    NotAClub { status: u16 },

    /// Workers on other machines cannot be used.
    #[error(transparent)]
    Workers(#[from] ClusterError),
    /// The pages cannot be written.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The engine fails.
    #[error(transparent)]
    Engine(#[from] Error),
}

/// The names of two rules, if they differ: a game that was built again has the same name.
fn unlike(its: &str, asked: &str) -> String {
    if its == asked { String::new() } else { format!(": `{its}`, and not `{asked}`") }
}

/// The reason why a version has no component that could be deleted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// The author has no such version.
    #[error("there is no such version")]
    NoVersion,
    /// It was deleted at this time, in UTC.
    #[error("was deleted already, at {}", time_in_words(.0))]
    Deleted(String),
    /// It was refused.
    #[error("was refused, so its component is not kept")]
    Refused,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;
    use crate::support::played_club;
    use std::fs;

    #[test]
    fn a_caller_can_match_what_a_club_refuses() {
        let place = tempfile::tempdir().expect("there is room");
        let club = Folder::at(&place.path().join("club"));
        assert!(matches!(club.seasons(), Err(ClubError::NoClub { folder }) if folder == club.path()));
        club.organised_by(None).invite("ann").expect("the name is free");
        assert!(
            matches!(club.organised_by(None).invite("ann"), Err(ClubError::AuthorKnown { name }) if name == "ann")
        );
        assert!(
            matches!(club.organised_by(None).invite("Ann"), Err(ClubError::SimilarAuthor { other, .. }) if other == "ann")
        );
        // Of a list with a wrong name, no author is entered.
        let names = ["ben", "a b"].map(str::to_owned);
        assert!(matches!(club.invite_all(&names), Err(ClubError::WrongName { name }) if name == "a b"));
        assert!(matches!(club.revoke("ben"), Err(ClubError::NoToken { name }) if name == "ben"));
        assert!(matches!(club.disqualify("ann", Some(" ")), Err(ClubError::NoReason)));
        let unknown = club.disqualify("ben", Some("two bots"));
        assert!(matches!(unknown, Err(ClubError::UnknownAuthor { name, .. }) if name == "ben"));
        assert!(matches!(club.versions(Some("ben")), Err(ClubError::UnknownAuthor { .. })));
        assert!(matches!(club.disqualify("ann", None), Err(ClubError::NotDisqualified { .. })));
        let deleted = club.delete_versions("ann", &[3]);
        assert!(matches!(deleted, Err(ClubError::NotKept { number: 3, why: NotKept::NoVersion, .. })));

        assert!(matches!(club.freeze(false), Err(ClubError::NotFrozen { season: 1, .. })));
        club.freeze(true).expect("it takes bots");
        assert!(matches!(club.freeze(true), Err(ClubError::Frozen { season: 1, .. })));
        assert!(matches!(club.new_season(), Err(ClubError::NoGames { season: 1, .. })));
        let lock = club.lock().expect("no other process serves it");
        assert!(matches!(club.new_season(), Err(ClubError::InUse { .. })));
        drop(lock);

        let file = place.path().join("club.tar");
        fs::write(&file, "no backup").expect("it can be written");
        assert!(matches!(club.back_up(&file), Err(ClubError::FileExists { .. })));
        assert!(matches!(club.restore(&file), Err(ClubError::FolderExists { .. })));
        let other = Folder::at(&place.path().join("other"));
        assert!(matches!(other.restore(&file), Err(ClubError::WrongBackup { .. })));
        assert!(matches!(other.restore(&place.path().join("none.tar")), Err(ClubError::Engine(_))));
        let below = Folder::at(&other.path().join("below"));
        assert!(
            matches!(below.restore(&file), Err(ClubError::NoFolder { folder }) if folder == other.path())
        );
        let error =
            Folder::at(place.path()).organised_by(None).invite("ann").expect_err("it has other files");
        assert!(matches!(error, ClubError::OtherFiles { .. }));
        let what = format!("{}: is a folder with other files, and no club", shown(place.path()));
        assert_eq!(error.to_string(), what + "\n  next: name a new or empty folder, or that of a club");
        let new = Folder::at(&place.path().join("new"));
        fs::create_dir(new.path()).expect("there is room");
        fs::write(new.path().join("club.db"), "").expect("it can be written");
        new.organised_by(None).invite("ann").expect("a register without games may be empty");
        fs::write(club.path().join("club.db"), "no register").expect("it can be written");
        assert!(matches!(club.season(), Err(ClubError::WrongRegister { .. })));
    }

    #[test]
    fn the_names_of_other_rules_are_told_if_they_differ() {
        let refused = |its: &str| {
            let (its, asked) = (its.to_owned(), "guide".to_owned());
            ClubError::OtherRules { folder: "club".into(), its, asked }.to_string()
        };
        assert!(
            refused("classic").contains("begun with other rules or limits: `classic`, and not `guide`\n")
        );
        assert!(refused("guide").contains("begun with other rules or limits\n"));
    }

    #[test]
    fn a_caller_can_match_the_state_of_a_season() {
        let it = played_club();
        it.between(|folder| {
            assert!(matches!(folder.new_season(), Err(ClubError::SeasonGoesOn { season: 1, games: 4, .. })));
            folder.reveal().expect("it has games");
            assert!(matches!(folder.freeze(true), Err(ClubError::SeasonOver { season: 1, .. })));
            let journal = fs::read(folder.journal()).expect("it is there");
            let register = folder.path().join("club.db");
            let content = fs::read(&register).expect("it is there");
            fs::write(&register, "").expect("it can be written");
            assert!(matches!(folder.season(), Err(ClubError::EmptyRegister { .. })));
            fs::write(&register, content).expect("it can be written");
            fs::remove_file(folder.journal()).expect("it can be removed");
            assert!(matches!(folder.new_season(), Err(ClubError::NoJournal { season: 1, .. })));
            fs::write(folder.journal(), journal).expect("it can be written");
        });
    }
}
