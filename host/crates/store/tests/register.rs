//! The register of a standing contest.

mod people;

use arena_store::{
    Author, Deleted, Deleter, Invited, JournalError, REFUSED_LISTED, Reader, Register, RegisterError,
    Submission, Version, VersionState,
};
use rusqlite::Connection;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A register in a folder of its own.
struct Setting {
    folder: TempDir,
    register: Register,
}

fn setting() -> Setting {
    let folder = TempDir::new().unwrap();
    let register = Register::open(&folder.path().join("club.db")).unwrap();
    Setting { folder, register }
}

impl Setting {
    fn path(&self) -> PathBuf {
        self.folder.path().join("club.db")
    }

    /// An author of this name, with a token that consists of the first letter.
    fn invite(&mut self, name: &str) -> Author {
        let token = [name.as_bytes()[0]; 32];
        assert_eq!(self.invited(name, token), Invited::New);
        self.register.author(&token).unwrap().expect("the token is right")
    }

    /// The result of an invitation with this hash of a token.
    fn invited(&mut self, name: &str, token: [u8; 32]) -> Invited {
        self.register.invite_all([(name, token)]).unwrap().remove(0)
    }

    /// A version of an author, whose component has a hash of this digit.
    fn submit(&mut self, author: &Author, digit: char) -> Version {
        let sha256 = digit.to_string().repeat(64);
        let entered = self
            .register
            .submit(author, &Submission { sha256: &sha256, size: 10, now: 0, is_draft: false })
            .unwrap();
        entered.expect("the season is open, and the author may submit")
    }

    fn admit(&mut self, author: &Author, digit: char) -> i64 {
        let id = self.submit(author, digit).id;
        self.register.judge(id, VersionState::Admitted, "ready to play").unwrap();
        id
    }

    /// The versions that play, as the names of their authors and their numbers.
    fn playing(&self) -> Vec<(String, u32)> {
        self.register.in_play().unwrap().into_iter().map(|it| (it.author, it.number)).collect()
    }
}

#[test]
fn the_newest_version_that_was_admitted_plays() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    it.admit(&ann, '1');
    it.admit(&ben, '2');
    let second = it.submit(&ann, '3');
    assert_eq!((second.number, second.state, second.plays), (2, VersionState::Waiting, false));
    assert_eq!(it.playing(), [("ann".into(), 1), ("ben".into(), 1)], "it has not been judged");
    it.register.judge(second.id, VersionState::Refused, "imports a clock").unwrap();
    let third = it.submit(&ann, '4');
    it.register.judge(third.id, VersionState::Faulted, "at fault").unwrap();
    assert_eq!(it.playing(), [("ann".into(), 1), ("ben".into(), 1)]);
    it.admit(&ann, '5');
    assert_eq!(it.playing(), [("ben".into(), 1), ("ann".into(), 4)]);
    let versions = it.register.versions(&ann).unwrap();
    let states: Vec<_> =
        versions.iter().map(|version| (version.number, version.state, version.plays)).collect();
    use VersionState::{Admitted, Faulted, Refused};
    assert_eq!(states, [(4, Admitted, true), (3, Faulted, false), (2, Refused, false), (1, Admitted, false)]);
    assert_eq!(versions[2].finding, "imports a clock");
}

#[test]
fn a_component_that_is_submitted_again_is_the_same_version_and_is_chosen_if_it_was_admitted() {
    let mut it = setting();
    let ann = it.invite("ann");
    let first = it.admit(&ann, '1');
    it.admit(&ann, '2');
    let again = it.submit(&ann, '1');
    assert_eq!((again.id, again.plays), (first, true));
    assert_eq!(it.playing(), [("ann".into(), 1)]);
    let refused = it.submit(&ann, '3');
    it.register.judge(refused.id, VersionState::Refused, "no").unwrap();
    assert_eq!(it.submit(&ann, '3').state, VersionState::Refused);
    assert_eq!(it.playing(), [("ann".into(), 1)]);
}

#[test]
fn a_draft_plays_once_it_is_chosen_also_if_it_was_deleted_or_replaced_before() {
    let mut it = setting();
    let ann = it.invite("ann");
    let draft = |it: &mut Setting, digit: char| {
        let submission =
            Submission { sha256: &digit.to_string().repeat(64), size: 10, now: 0, is_draft: true };
        it.register.submit(&ann, &submission).unwrap().expect("the season is open")
    };
    let admit = |it: &mut Setting, id: i64| it.register.judge(id, VersionState::Admitted, "").unwrap();
    // The first version of all.
    let first = draft(&mut it, '1');
    admit(&mut it, first.id);
    let only = it.register.version(first.id).unwrap().unwrap();
    assert!(only.is_draft && !only.plays && only.may_play() && it.playing().is_empty());
    assert!(it.register.choose(&ann, first.id).unwrap());
    assert_eq!(it.playing(), [("ann".into(), 1)]);
    // One that is submitted for play while it waits plays as soon as it is admitted.
    let second = draft(&mut it, '2');
    assert!(!it.submit(&ann, '2').is_draft);
    admit(&mut it, second.id);
    assert_eq!(it.playing(), [("ann".into(), 2)]);
    assert!(!draft(&mut it, '2').is_draft, "it has been chosen");
    assert_eq!(it.playing(), [("ann".into(), 2)]);
    let third = draft(&mut it, '3');
    it.register.delete("ann", 3, Deleter::Author).unwrap();
    let again = draft(&mut it, '3');
    assert_eq!((again.id, again.state, again.is_draft), (third.id, VersionState::Waiting, true));
    let fourth = draft(&mut it, '4');
    it.register.replace_waiting(&ann, &fourth, None).unwrap();
    let again = draft(&mut it, '3');
    assert_eq!((again.state, again.replaced_by, again.is_draft), (VersionState::Waiting, None, true));
    admit(&mut it, third.id);
    assert_eq!(it.playing(), [("ann".into(), 2)]);
    assert!(it.submit(&ann, '3').plays);
}

#[test]
fn an_author_chooses_an_admitted_version_of_the_own_ones() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    let first = it.admit(&ann, '1');
    let second = it.admit(&ann, '2');
    let refused = it.submit(&ann, '3').id;
    it.register.judge(refused, VersionState::Refused, "no").unwrap();
    let waiting = it.submit(&ann, '4').id;
    for (author, id) in [(&ann, refused), (&ann, waiting), (&ben, first), (&ann, 99)] {
        assert!(!it.register.choose(author, id).unwrap(), "{} {id}", author.name);
    }
    assert_eq!(it.playing(), [("ann".into(), 2)]);
    assert!(it.register.choose(&ann, first).unwrap());
    assert_eq!(it.playing(), [("ann".into(), 1)]);
    assert!(it.register.choose(&ann, second).unwrap());
    assert_eq!(it.playing(), [("ann".into(), 2)]);
}

#[test]
fn a_disqualified_author_keeps_the_token_and_does_not_play_until_it_is_undone() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    it.admit(&ann, '1');
    it.admit(&ben, '2');
    let waiting = it.submit(&ann, '3').id;
    assert!(it.register.disqualify("ann", Some("two bots")).unwrap());
    it.register.judge(waiting, VersionState::Admitted, "ready to play").unwrap();
    assert_eq!(it.playing(), [("ben".into(), 1)], "another version does not play either");
    let known = it.register.author(&[b'a'; 32]).unwrap().expect("the token is valid");
    assert_eq!((known.id, known.disqualified.as_deref()), (ann.id, Some("two bots")));
    for version in it.register.versions(&ann).unwrap() {
        assert_eq!((version.disqualified.as_deref(), version.plays), (Some("two bots"), false));
    }
    assert!(it.register.disqualify("ann", Some("another reason")).unwrap());
    assert!(it.register.disqualify("ann", None).unwrap());
    assert_eq!(it.playing(), [("ben".into(), 1), ("ann".into(), 2)]);
    assert!(!it.register.disqualify("ann", None).unwrap(), "ann is not disqualified");
    assert!(!it.register.disqualify("eve", Some("")).unwrap(), "there is no eve");
}

#[test]
fn a_paused_version_does_not_play_until_it_is_submitted_again_or_another_one_is() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    it.admit(&ann, '1');
    it.admit(&ben, '2');
    let second = it.admit(&ann, '3');
    it.register.pause(second, "at fault").unwrap();
    assert_eq!(it.playing(), [("ben".into(), 1)], "the version before it does not play either");
    let paused = it.register.version(second).unwrap().expect("it is there");
    assert_eq!((paused.state, paused.paused.as_deref()), (VersionState::Admitted, Some("at fault")));
    assert!(it.register.needs(&paused.sha256).unwrap(), "its component is kept");
    let resumed = it.submit(&ann, '3');
    assert_eq!((resumed.plays, resumed.paused), (true, None));
    it.register.pause(second, "at fault").unwrap();
    it.admit(&ann, '4');
    assert_eq!(it.playing(), [("ben".into(), 1), ("ann".into(), 3)]);
}

#[test]
fn a_season_is_frozen_until_it_is_undone_or_another_one_begins() {
    let mut it = setting();
    let season = |it: &Setting| {
        let season = it.register.season().unwrap();
        (season.number, season.frozen_at.is_some())
    };
    assert_eq!(season(&it), (1, false));
    it.register.freeze(true).unwrap();
    assert_eq!(season(&it), (1, true));
    it.register.freeze(false).unwrap();
    assert_eq!(season(&it), (1, false));
    it.register.freeze(true).unwrap();
    it.register.begin_season(2).unwrap();
    assert_eq!(season(&it), (2, false));
    assert!(it.register.begin_season(2).is_err(), "it has begun already");
}

#[test]
fn a_component_is_published_only_if_its_author_agrees_and_it_was_admitted() {
    let mut it = setting();
    let ann = it.invite("ann");
    let (first, second) = (it.admit(&ann, '1'), it.admit(&ann, '2'));
    assert!(it.register.published().unwrap().is_empty());
    assert!(it.register.publish(&ann, second, true).unwrap());
    let waits = it.submit(&ann, '3').id;
    assert!(it.register.publish(&ann, waits, true).unwrap());
    let ben = it.invite("ben");
    for (id, is_published) in [(first, true), (second, false), (99, true)] {
        assert!(!it.register.publish(&ben, id, is_published).unwrap(), "{id} is not a version of ben");
    }
    assert_eq!(it.register.published().unwrap(), ["2".repeat(64)]);
    let published = |id| it.register.version(id).unwrap().expect("it is there").published;
    assert_eq!([first, second, waits].map(published), [false, true, true]);
    assert!(it.submit(&ann, '2').published, "it stays so when it is submitted again");
    assert!(it.register.publish(&ann, second, false).unwrap());
    assert!(it.register.published().unwrap().is_empty(), "its author does not agree any more");
}

#[test]
fn a_component_of_two_authors_belongs_to_the_first_one() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    let (of_ann, of_ben) = (it.submit(&ann, '1'), it.submit(&ben, '1'));
    assert_eq!(it.register.other_author_of(&of_ann).unwrap(), None);
    assert_eq!(it.register.other_author_of(&of_ben).unwrap().as_deref(), Some("ann"));
    it.register.judge(of_ann.id, VersionState::Refused, "").unwrap();
    assert_eq!(it.register.other_author_of(&of_ben).unwrap(), None, "a refused one belongs to no author");
    let needs = |it: &Setting| it.register.needs(&of_ben.sha256).unwrap();
    assert!(needs(&it), "the other one waits");
    it.register.judge(of_ben.id, VersionState::Faulted, "").unwrap();
    assert!(!needs(&it));
}

#[test]
fn a_version_that_waits_is_replaced_by_a_newer_one_of_its_author_unless_judging_it_has_begun() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    it.admit(&ann, '1');
    let (begun, waits, of_ben) = (it.submit(&ann, '2'), it.submit(&ann, '3'), it.submit(&ben, '4'));
    let newest = it.submit(&ann, '5');
    let replaced = it.register.replace_waiting(&ann, &newest, Some(begun.id)).unwrap();
    assert_eq!(replaced, [waits.sha256.as_str()]);
    let state = |it: &Setting, version: &Version| {
        let version = it.register.version(version.id).unwrap().expect("it is there");
        (version.number, version.state, version.replaced_by)
    };
    use VersionState::{Refused, Waiting};
    assert_eq!(state(&it, &waits), (3, Refused, Some(4)), "its number stays");
    assert!(!it.register.needs(&waits.sha256).unwrap());
    for (version, number) in [(&begun, 2), (&of_ben, 1), (&newest, 4)] {
        assert_eq!(state(&it, version), (number, Waiting, None));
    }
    // One that was replaced is no refused one: it waits again when it is submitted again.
    let again = it.submit(&ann, '3');
    assert_eq!((again.id, again.number, again.state, again.replaced_by), (waits.id, 3, Waiting, None));
    let replaced = it.register.replace_waiting(&ann, &again, None).unwrap();
    assert_eq!(replaced, [begun.sha256, newest.sha256]);
    assert_eq!(it.playing(), [("ann".into(), 1)], "an admitted one plays on");
}

#[test]
fn a_component_that_was_admitted_belongs_to_its_author_though_another_one_had_submitted_it_before() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    let of_ann = it.submit(&ann, '1');
    let newer = it.submit(&ann, '2');
    it.register.replace_waiting(&ann, &newer, None).unwrap();
    it.admit(&ben, '1');
    let again = it.submit(&ann, '1');
    assert_eq!((again.id, again.state), (of_ann.id, VersionState::Waiting));
    assert_eq!(it.register.other_author_of(&again).unwrap().as_deref(), Some("ben"));
}

#[test]
fn another_process_sees_what_was_written_and_the_versions_that_wait() {
    let mut it = setting();
    let ann = it.invite("ann");
    let version = it.submit(&ann, '1');
    let other = Register::open_existing(&it.path()).unwrap();
    assert_eq!(other.waiting().unwrap(), std::slice::from_ref(&version));
    assert_eq!(other.version(version.id).unwrap(), Some(version));
    assert_eq!(other.version(99).unwrap(), None);
}

#[test]
fn only_its_user_can_read_a_register() {
    use std::os::unix::fs::PermissionsExt;
    let mut it = setting();
    it.invite("ann");
    for ending in ["", "-wal"] {
        let mut path = it.path().into_os_string();
        path.push(ending);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{ending}");
    }
}

#[test]
fn a_file_that_is_no_register_is_refused_and_stays_as_it_is() {
    let folder = TempDir::new().unwrap();
    let refused = |name: &str| Register::open(&folder.path().join(name)).err().expect("it is no register");
    fs::write(folder.path().join("text"), "this is not a database, but a text of some length").unwrap();
    assert!(matches!(refused("text"), RegisterError::Foreign));
    let foreign = Connection::open(folder.path().join("foreign")).unwrap();
    foreign.execute_batch("CREATE TABLE notes (text)").unwrap();
    assert!(matches!(refused("foreign"), RegisterError::Foreign));

    let change = |name: &str, sql: &str| {
        drop(Register::open(&folder.path().join(name)).unwrap());
        Connection::open(folder.path().join(name)).unwrap().execute_batch(sql).unwrap();
        refused(name)
    };
    for version in [2, 3, 99] {
        let other = change(&version.to_string(), &format!("PRAGMA user_version = {version}"));
        assert!(matches!(other, RegisterError::Version(found) if found == version), "{other}");
    }
    for sql in [
        "CREATE TRIGGER a AFTER INSERT ON version BEGIN DELETE FROM author; END",
        "ALTER TABLE author ADD COLUMN note TEXT",
        "DROP INDEX version_by_state",
    ] {
        let changed = change("changed", sql);
        assert!(matches!(changed, RegisterError::Damaged(_)), "{changed}");
        fs::remove_file(folder.path().join("changed")).unwrap();
    }
    assert!(matches!(
        Register::open_existing(&folder.path().join("missing")).err(),
        Some(RegisterError::Missing)
    ));
    drop(Register::open(&folder.path().join("club.db")).unwrap());
    let journal = Reader::open(&folder.path().join("club.db")).err();
    assert!(matches!(journal, Some(JournalError::Foreign)), "a register is no journal");
}

#[test]
fn a_version_is_entered_only_while_the_season_is_open_and_its_author_may_submit() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    let submission = Submission { sha256: &"1".repeat(64), size: 10, now: 0, is_draft: false };
    it.register.freeze(true).unwrap();
    assert_eq!(it.register.submit(&ann, &submission).unwrap(), None);
    it.register.freeze(false).unwrap();
    it.register.disqualify("ann", Some("a reason")).unwrap();
    assert_eq!(it.register.submit(&ann, &submission).unwrap(), None);
    it.register.disqualify("ann", None).unwrap();
    it.register.revoke("ben").unwrap();
    assert_eq!(it.register.submit(&ben, &submission).unwrap(), None);
    assert!(it.register.submit(&ann, &submission).unwrap().is_some());
}

#[test]
fn a_version_that_is_deleted_plays_no_more_and_the_newest_of_the_others_does() {
    let mut it = setting();
    let ann = it.invite("ann");
    let (first, second) = (it.admit(&ann, '1'), it.admit(&ann, '2'));
    assert!(it.register.publish(&ann, second, true).unwrap());
    assert!(it.register.begin_to_play(1, &[&"2".repeat(64)]).unwrap());
    let refused = it.register.delete("ann", 2, Deleter::Author).unwrap();
    assert!(matches!(refused, Deleted::HasPlayed(version) if version.id == second));
    assert_eq!(it.playing(), [("ann".into(), 2)]);
    let deleted = it.register.delete("ann", 2, Deleter::Organiser).unwrap();
    assert!(matches!(deleted, Deleted::Done(version) if version.id == second));
    assert_eq!(it.playing(), [("ann".into(), 1)], "the newest one that is left");
    assert!(!it.register.choose(&ann, second).unwrap() && !it.register.publish(&ann, second, true).unwrap());
    assert!(it.register.published().unwrap().is_empty());
    assert!(!it.register.begin_to_play(1, &[&"1".repeat(64), &"2".repeat(64)]).unwrap(), "it is deleted");
    assert!(!it.register.version(first).unwrap().expect("it is there").has_played, "the stage is not played");
    assert_eq!(it.register.needed().unwrap(), ["1".repeat(64)]);
    assert_eq!(it.register.deleted().unwrap(), ["2".repeat(64)]);
    // A verdict that comes late changes nothing.
    it.register.judge(second, VersionState::Refused, "late").unwrap();
    let version = it.register.version(second).unwrap().expect("it is listed");
    assert_eq!((version.state, version.finding.as_str()), (VersionState::Admitted, ""));
    assert!(version.deleted_at.is_some() && version.has_played && !version.is_kept());
    assert!(matches!(it.register.delete("ann", 2, Deleter::Organiser).unwrap(), Deleted::NotKept(_)));
    assert_eq!(it.register.delete("ann", 3, Deleter::Organiser).unwrap(), Deleted::Unknown);
    assert_eq!(it.register.delete("eve", 1, Deleter::Organiser).unwrap(), Deleted::Unknown);
    // Its games stay those of its author.
    let ben = it.invite("ben");
    let copy = it.submit(&ben, '2');
    assert_eq!(it.register.other_author_of(&copy).unwrap().as_deref(), Some("ann"));
    assert!(it.register.deleted().unwrap().is_empty(), "the same component is needed now");
    // Submitted again, it is the same version, and is judged again.
    let again = it.submit(&ann, '2');
    assert_eq!((again.id, again.number, again.state), (second, 2, VersionState::Waiting));
    assert!(again.is_kept() && !again.published);
    it.register.judge(second, VersionState::Admitted, "").unwrap();
    assert_eq!(it.playing(), [("ann".into(), 2)]);
}

#[test]
fn a_version_that_waits_and_is_deleted_leaves_the_queue() {
    let mut it = setting();
    let ann = it.invite("ann");
    it.submit(&ann, '1');
    assert!(matches!(it.register.delete("ann", 1, Deleter::Author).unwrap(), Deleted::Done(_)));
    assert!(it.register.waiting().unwrap().is_empty());
    assert!(!it.register.needs(&"1".repeat(64)).unwrap());
    // Nobody has played it, so another author may submit it.
    let ben = it.invite("ben");
    let of_ben = it.submit(&ben, '1');
    assert_eq!(it.register.other_author_of(&of_ben).unwrap(), None);
    let refused = it.submit(&ann, '2').id;
    it.register.judge(refused, VersionState::Refused, "").unwrap();
    assert!(matches!(it.register.delete("ann", 2, Deleter::Author).unwrap(), Deleted::NotKept(_)));
}

#[test]
fn of_versions_that_take_no_room_the_latest_are_listed_and_no_number_is_given_twice() {
    let mut it = setting();
    let ann = it.invite("ann");
    let sha256 = |number: u32| format!("{number:064}");
    let submit = |it: &mut Setting, number: u32| {
        let version = it
            .register
            .submit(&ann, &Submission { sha256: &sha256(number), size: 10, now: 0, is_draft: false })
            .unwrap();
        version.expect("the season is open")
    };
    // Kept ones, of which one has played and is deleted then.
    for number in [1, 2] {
        let id = submit(&mut it, number).id;
        it.register.judge(id, VersionState::Admitted, "").unwrap();
    }
    assert!(it.register.begin_to_play(1, &[&sha256(1)]).unwrap());
    it.register.delete("ann", 1, Deleter::Organiser).unwrap();
    for number in 3..=100 {
        let version = submit(&mut it, number);
        assert_eq!(version.number, number);
        if number % 2 == 0 {
            it.register.judge(version.id, VersionState::Refused, "").unwrap();
        } else {
            it.register.delete("ann", number, Deleter::Author).unwrap();
        }
    }
    submit(&mut it, 101);
    let listed: Vec<u32> = it.register.versions(&ann).unwrap().iter().map(|version| version.number).collect();
    let expected: Vec<u32> = (101 - REFUSED_LISTED..=101).rev().chain([2, 1]).collect();
    assert_eq!(listed, expected);
    assert!(it.register.versions(&ann).unwrap().iter().filter(|version| version.is_kept()).count() == 2);
}

#[test]
fn what_an_author_has_played_is_summed_over_all_seasons() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    it.admit(&ann, '1');
    it.admit(&ben, '2');
    let [one, two] = ["1", "2"].map(|digit| digit.repeat(64));
    assert!(it.register.begin_to_play(1, &[&one, &two]).unwrap());
    it.register.add_played(1, [(one.as_str(), 100), (two.as_str(), 30)]).unwrap();
    it.register.add_played(1, [(one.as_str(), 1)]).unwrap();
    it.register.begin_season(2).unwrap();
    assert!(it.register.begin_to_play(2, &[&one]).unwrap());
    assert!(it.register.begin_to_play(2, &[&one]).unwrap(), "the next stage");
    it.register.add_played(2, [(one.as_str(), 1_000)]).unwrap();
    it.register.delete("ann", 1, Deleter::Organiser).unwrap();
    let bytes = ["ann", "ben", "eve"].map(|name| it.register.played_bytes(name).unwrap());
    assert_eq!(bytes, [1_101, 30, 0], "games stay when their component is deleted");
    let listed = it.register.list_authors().unwrap().into_iter().map(|author| author.name);
    assert_eq!(listed.collect::<Vec<_>>(), ["ann", "ben"]);
}
