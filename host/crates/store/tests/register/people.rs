//! The people of a club: authors and their accounts, challenges between them, the names that others see, deletion, and organisers.

use super::setting;
use arena_store::{
    Account, Challenged, Deleter, Invited, NewAction, REFUSED_LISTED, Register, Renamed, VersionState,
};
use std::fs;

#[test]
fn an_author_without_a_token_does_not_play_until_invited_again() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    it.admit(&ann, '1');
    it.admit(&ben, '2');
    assert!(it.register.revoke("ann").unwrap());
    assert!(!it.register.revoke("ann").unwrap() && !it.register.revoke("eve").unwrap());
    assert_eq!(it.register.author(&[b'a'; 32]).unwrap(), None);
    assert_eq!(it.playing(), [("ben".into(), 1)]);
    assert_eq!(it.register.authors().unwrap(), 1);
    assert_eq!(it.invited("ben", [7; 32]), Invited::Known);
    assert_eq!(it.register.author(&[7; 32]).unwrap(), None, "the token of before stays");
    assert_eq!(it.invited("ann", [8; 32]), Invited::Again);
    assert_eq!(it.register.author(&[8; 32]).unwrap(), Some(ann));
    assert_eq!(it.playing(), [("ann".into(), 1), ("ben".into(), 1)]);
}

#[test]
fn an_account_is_kept_for_each_author() {
    let mut it = setting();
    it.invite("ann");
    it.invite("ben");
    let used = Account { milliseconds: 7_500, hour: 490_000 };
    it.register.set_account("ann", used).unwrap();
    let other = Register::open_existing(&it.path()).unwrap();
    assert_eq!(other.account("ann").unwrap(), used);
    assert_eq!(other.account("ben").unwrap(), Account::default());
    assert!(other.account("eve").is_err(), "there is no eve");
}

#[test]
fn two_authors_differ_in_more_than_the_case_of_letters() {
    let mut it = setting();
    it.invite("ann");
    assert_eq!(it.invited("Ann", [b'A'; 32]), Invited::Alike("ann".into()));
    it.invite("gül");
    assert_eq!(it.invited("GÜL", [b'A'; 32]), Invited::Alike("gül".into()));
    assert!(it.register.author(&[b'A'; 32]).unwrap().is_none());
    assert_eq!(it.invited("gul", [b'A'; 32]), Invited::New);
}

#[test]
fn a_challenge_goes_with_a_version_that_is_forgotten() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    let own = it.admit(&ann, '1');
    it.admit(&ben, '2');
    let Challenged::Waits(id) = it.register.challenge(&ann, own, "ben").unwrap() else { panic!("it waits") };
    assert_eq!(it.register.challenge(&ann, own, "eve").unwrap(), Challenged::NoOpponent);
    it.register.delete("ann", 1, Deleter::Author).unwrap();
    assert_eq!(it.register.challenge(&ann, own, "ben").unwrap(), Challenged::NoVersion);
    assert!(it.register.has_challenge(id).unwrap());
    for number in 0..=REFUSED_LISTED {
        let version = it.submit(&ann, char::from(b'c' + number as u8));
        it.register.judge(version.id, VersionState::Refused, "").unwrap();
    }
    it.submit(&ann, 'z');
    assert!(!it.register.has_challenge(id).unwrap());
    assert!(it.register.challenges_waiting().unwrap().is_empty());
}

#[test]
fn a_challenge_has_the_names_that_others_see_and_goes_with_either_author() {
    let mut it = setting();
    let (ann, ben) = (it.invite("ann"), it.invite("ben"));
    let own = it.admit(&ann, '1');
    it.admit(&ben, '2');
    it.register.set_pseudonym("ben", Some("falcon"), true).unwrap();
    assert_eq!(
        it.register.challenge(&ann, own, "ben").unwrap(),
        Challenged::NoOpponent,
        "nobody sees this name"
    );
    let Challenged::Waits(id) = it.register.challenge(&ann, own, "falcon").unwrap() else {
        panic!("it waits")
    };
    let of_ben = it.register.challenges_of("ben").unwrap();
    let names = of_ben[0].sides.each_ref().map(|side| (side.author.as_str(), side.shown.as_str()));
    assert_eq!(names, [("ann", "ann"), ("ben", "falcon")]);
    it.register.delete_author("ben").unwrap().unwrap();
    assert!(!it.register.has_challenge(id).unwrap(), "its games have ben's name");
}

#[test]
fn a_pseudonym_is_shown_and_like_no_other_name() {
    let mut it = setting();
    let ann = it.invite("ann");
    it.invite("ben");
    let own = it.admit(&ann, '1');
    it.register.set_own_name(own, "Hunter 2").unwrap();
    let mut set = |author: &str, name| it.register.set_pseudonym(author, name, false).unwrap();
    for alike in ["BEN", "\u{ff42}en"] {
        assert_eq!(set("ann", Some(alike)), Renamed::Alike("ben".to_owned()), "{alike}");
    }
    assert_eq!(set("ann", Some("Ann")), Renamed::Done, "like the author's own");
    assert_eq!(set("ann", Some("falcon")), Renamed::Done);
    assert_eq!(set("ben", Some("Falcon")), Renamed::Alike("falcon".to_owned()));
    assert_eq!(set("cat", Some("x")), Renamed::Unknown);
    assert_eq!(it.invited("FALCON", [7; 32]), Invited::Alike("falcon".to_owned()));
    let shown = it.register.shown_names().unwrap();
    let of = |key: &str| shown.get(key).map(String::as_str);
    assert_eq!((of("author.1"), of("author.2"), shown.len()), (Some("falcon"), Some("ben"), 3));
    assert_eq!(of(&"1".repeat(64)), Some("Hunter 2"));
    assert_eq!(it.register.set_pseudonym("ann", None, false).unwrap(), Renamed::Done);
    assert_eq!(it.register.shown_names().unwrap()["author.1"], "ann");
}

#[test]
fn an_author_cannot_change_the_pseudonym_that_the_organiser_has_set_until_it_is_removed() {
    let mut it = setting();
    it.invite("ann");
    let mut set = |name, is_by_organiser| it.register.set_pseudonym("ann", name, is_by_organiser).unwrap();
    assert_eq!(set(Some("rude"), false), Renamed::Done);
    assert_eq!(set(Some("falcon"), true), Renamed::Done);
    assert_eq!([set(Some("rude"), false), set(None, false)], [Renamed::Fixed, Renamed::Fixed]);
    assert_eq!(it.register.shown_names().unwrap()["author.1"], "falcon");
    assert!(it.register.list_authors().unwrap()[0].has_fixed_pseudonym);
    let mut set = |name, is_by_organiser| it.register.set_pseudonym("ann", name, is_by_organiser).unwrap();
    assert_eq!([set(None, true), set(Some("hawk"), false)], [Renamed::Done, Renamed::Done]);
    assert!(!it.register.list_authors().unwrap()[0].has_fixed_pseudonym);
}

#[test]
fn of_an_author_who_is_deleted_the_label_stays_and_no_file_has_the_name() {
    let mut it = setting();
    let (ann, ben) = (it.invite("Annabel"), it.invite("ben"));
    let played = it.admit(&ann, '1');
    let waiting = it.submit(&ann, '2').id;
    it.register.judge(played, VersionState::Admitted, "Annabel: ready").unwrap();
    it.admit(&ben, '3');
    it.register.begin_to_play(1, &[&"1".repeat(64)]).unwrap();
    it.register.set_pseudonym("Annabel", Some("falcon"), true).unwrap();
    let about =
        NewAction { organiser: Some("eve"), author: Some("Annabel"), what: "asked", detail: "Annabel!" };
    it.register.note_action(&about).unwrap();
    assert_eq!(it.register.delete_author("Annabel").unwrap().as_deref(), Some("author.1"));
    for name in ["Annabel", "author.1"] {
        assert_eq!(it.register.delete_author(name).unwrap(), None);
        assert_eq!(it.register.set_pseudonym(name, Some("x"), true).unwrap(), Renamed::Unknown);
        assert!(!it.register.disqualify(name, Some("x")).unwrap());
    }
    assert_eq!(it.register.author(&[b'A'; 32]).unwrap(), None, "the token is revoked");
    assert_eq!(it.playing(), [("ben".to_owned(), 1)]);
    let deleted: Vec<String> = it.register.deleted().unwrap();
    assert_eq!(deleted, ["1", "2"].map(|digit| digit.repeat(64)));
    for id in [played, waiting] {
        let version = it.register.version(id).unwrap().unwrap();
        assert_eq!((version.author.as_str(), version.finding.as_str()), ("author.1", ""));
        assert!(!version.is_kept() && version.label == "author.1");
    }
    let latest = it.register.actions(1).unwrap().remove(0);
    assert_eq!((latest.author.as_deref(), latest.detail.as_str()), (Some("author.1"), ""));
    assert_eq!(it.register.shown_names().unwrap()["author.1"], "author.1");
    let files = fs::read_dir(it.folder.path()).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    for bytes in files {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("Annabel") && !text.contains("falcon"));
    }
    assert_eq!(it.register.account("author.1").unwrap(), Account::default());
    assert_eq!(it.invited("annabel", [7; 32]), Invited::New);
}

#[test]
fn an_organiser_has_one_token_at_a_time_and_the_latest_actions_come_first() {
    let mut it = setting();
    assert!(it.register.add_organiser("eve", &[1; 32]).unwrap());
    assert!(!it.register.add_organiser("eve", &[2; 32]).unwrap());
    assert_eq!(it.register.organiser(&[1; 32]).unwrap().as_deref(), Some("eve"));
    assert_eq!(
        (it.register.organiser(&[2; 32]).unwrap(), it.register.author(&[1; 32]).unwrap()),
        (None, None)
    );
    assert!(it.register.revoke_organiser("eve").unwrap() && !it.register.revoke_organiser("eve").unwrap());
    assert!(
        it.register.organiser(&[1; 32]).unwrap().is_none() && it.register.organisers().unwrap().is_empty()
    );
    assert!(it.register.add_organiser("eve", &[2; 32]).unwrap());
    assert_eq!(it.register.organisers().unwrap(), ["eve"]);
    for what in ["one", "two", "three"] {
        let action = NewAction { organiser: None, author: Some("nobody"), what, detail: "" };
        it.register.note_action(&action).unwrap();
    }
    let latest: Vec<_> = it.register.actions(2).unwrap().into_iter().map(|it| (it.what, it.author)).collect();
    assert_eq!(latest, [("three".to_owned(), None), ("two".to_owned(), None)]);
}
