//! The pages of an organiser, as a browser without scripts uses them.

use super::*;
use crate::clock::Clock;
use crate::club::ClubOptions;
use crate::support::{Setting, bot, club, cookie};
use std::sync::atomic::AtomicI64;

/// A browser in which an organiser is signed in.
struct Browser<'a> {
    it: &'a Setting,
    cookie: String,
    form: String,
}

fn sign_in<'a>(it: &'a Setting, token: &str) -> Browser<'a> {
    let cookie = cookie(&it.post("/organiser/sign-in", &[], &[("token", token)], "127.0.0.1"));
    let page = it.text(it.ask_with("/organiser/", &[("cookie", &cookie)]));
    let form = page.split("name=\"form\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    Browser { it, form: form.expect("it has forms").to_owned(), cookie }
}

impl Browser<'_> {
    fn page(&self, path: &str) -> (u16, String) {
        let answer = self.it.ask_with(path, &[("cookie", &self.cookie)]);
        (answer.status().as_u16(), self.it.text(answer))
    }

    fn answer(
        &self,
        headers: &[(&str, &str)],
        form: &str,
        action: &str,
        author: &str,
        text: &str,
    ) -> Response {
        let headers = [&[("cookie", self.cookie.as_str())], headers].concat();
        let fields = [("form", form), ("action", action), ("author", author), ("text", text)];
        self.it.post("/organiser/do", &headers, &fields, "127.0.0.1")
    }

    fn act(&self, action: &str, author: &str, text: &str) -> (u16, String) {
        let answer = self.answer(&[], &self.form, action, author, text);
        (answer.status().as_u16(), self.it.text(answer))
    }
}

/// The actions that the page offers, each with an author and a text with which it succeeds, in an order in which they do.
const ACTIONS: [(&str, &str, &str, &str); 16] = [
    ("invite", "", "Dan Lee", "invited"),
    ("open-join", "", "30", "opened the link to join"),
    ("close-join", "", "", "closed the link to join"),
    ("class-code", "", "", "put the pages behind a new code"),
    ("public", "", "", "made the pages public"),
    ("freeze", "", "", "froze the season"),
    ("unfreeze", "", "", "took bots again"),
    ("announce", "", "a text", "announced"),
    ("withdraw", "", "1", "withdrew an announcement"),
    ("disqualify", "ann", "two bots", "disqualified"),
    ("reinstate", "ann", "", "took back the disqualification"),
    ("pseudonym", "ann", "falcon", "set the pseudonym"),
    ("pseudonym", "ann", "", "removed the pseudonym"),
    ("delete-version", "ann", "1", "deleted the components of versions"),
    ("revoke", "ann", "", "revoked the token"),
    ("delete-author", "ann", "ann", "deleted the author"),
];

/// A club with two authors, of whom ann has a version.
fn setting() -> (Setting, String) {
    let it = club(ClubOptions::default());
    it.admit(&it.author("ann"), &bot("builtin:random", 10));
    it.author("ben");
    let token = it.folder.organised_by(None).add("eve").expect("the name is free");
    (it, token)
}

#[test]
fn all_that_the_page_offers_is_done_and_noted_with_the_organiser() {
    let (it, token) = setting();
    let browser = sign_in(&it, &token);
    let offered = browser.page("/organiser/").1 + &browser.page("/organiser/authors/1").1;
    for (action, author, text, noted) in ACTIONS {
        let status = browser.act(action, author, text).0;
        assert_eq!(status, if action == "invite" { 200 } else { 303 }, "{action}");
        let latest = it.folder.actions().expect("they can be read").remove(0);
        assert_eq!((latest.organiser.as_deref(), latest.what.as_str()), (Some("eve"), noted), "{action}");
    }
    let (_, page) = browser.page("/organiser/");
    assert!(ACTIONS.iter().all(|(.., noted)| page.contains(noted)), "{page}");
    // Each form of the pages has an action that was tried.
    let named = offered.split("name=\"action\" value=\"").skip(1).filter_map(|rest| rest.split('"').next());
    for action in named {
        assert!(ACTIONS.iter().any(|(known, ..)| *known == action), "{action}");
    }
}

#[test]
fn each_action_shows_on_the_page() {
    let (it, token) = setting();
    let browser = sign_in(&it, &token);
    let has = |path: &str, text: &str| browser.page(path).1.contains(text);
    let (_, invited) = browser.act("invite", "", "Dan  Lee");
    let of_dan = invited.split("<pre tabindex=\"0\">").nth(1).and_then(|rest| rest.split('<').next());
    let hash = token::hash(of_dan.expect("it has the token"));
    let author = it.club.state.register(|register| register.author(&hash)).expect("it can be read");
    assert_eq!(author.expect("the token is right").name, "Dan-Lee");
    assert!(!has("/organiser/", of_dan.expect("it has one")), "it is shown once");
    browser.act("disqualify", "ann", "<b>two bots");
    assert!(has("/organiser/", "disqualified") && has("/organiser/authors/1", "&#60;b&#62;two bots"));
    browser.act("pseudonym", "ann", "falcon");
    assert!(has("/organiser/", "<bdi>falcon</bdi>"));
    assert_eq!(browser.act("announce", "", &"😀".repeat(1_000)).0, 303, "it just fits");
    browser.act("freeze", "", "");
    assert!(has("/organiser/", "This season takes no bots") && has("/organiser/", "value=\"unfreeze\""));
    it.folder.organised_by(None).freeze(false).expect("it is frozen");
    it.upload(&it.author("ben"), &bot("builtin:random", 20), true).expect("it is taken");
    assert!(has("/organiser/", "wait to be judged: <bdi>ben</bdi> 1."));
    assert!(has("/organiser/authors/2", "waits to be judged"));
    browser.act("revoke", "ben", "");
    assert!(has("/organiser/authors/2", "The token is revoked"));
    browser.act("delete-author", "ann", "ann");
    assert_eq!(browser.page("/organiser/authors/1").0, 404);
    assert!(
        !has("/organiser/", "<bdi>ann</bdi>")
            && !has("/organiser/", "falcon")
            && !has("/organiser/", "two bots")
    );
}

#[test]
fn an_organiser_sets_all_dates_in_one_form_and_sees_the_time_that_is_left() {
    let clock = Arc::new(AtomicI64::new(1_788_739_200));
    let it = club(ClubOptions { clock: Clock::Set(clock), ..ClubOptions::default() });
    let token = it.folder.organised_by(None).add("eve").expect("the name is free");
    let browser = sign_in(&it, &token);
    let set = |dates: [&str; 3]| {
        let [start, freeze, end] = dates;
        let fields = [("form", &*browser.form), ("start", start), ("freeze", freeze), ("end", end)];
        let answer = it.post("/organiser/dates", &[("cookie", &browser.cookie)], &fields, "127.0.0.1");
        (answer.status().as_u16(), it.text(answer))
    };
    let dates = || it.folder.season().expect("it is there").dates;
    assert!(browser.page("/organiser/").1.contains("No date."));
    let [start, freeze, end] =
        ["2026-09-07 08:00 +02:00", "2026-12-18 18:00 +01:00", "2026-12-20T18:00+01:00"];
    assert_eq!(set([start, freeze, end]).0, 303);
    assert_eq!(dates().freeze.map(|it| it.text()).as_deref(), Some("2026-12-18T18:00:00+01:00"));
    let (_, page) = browser.page("/organiser/");
    for part in [
        "value=\"2026-09-07 08:00 +02:00\"",
        "Monday 2026-09-07 08:00 (UTC+02:00), in 6 hours",
        "value=\"2026-12-20 18:00 +01:00\"",
        "Sunday 2026-12-20 18:00 (UTC+01:00), in 104 days",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let noted = it.folder.actions().expect("they can be read").remove(0);
    assert_eq!((noted.organiser.as_deref(), noted.what.as_str()), (Some("eve"), "set the dates"));
    let before = dates();
    for (wrong, why) in [
        ([start, "<b>soon", end], "Bots until: &#39;&#60;b&#62;soon&#39; is not a date with a time"),
        ([start, end, freeze], "the dates are not in their order"),
    ] {
        let (status, page) = set(wrong);
        assert!(status == 400 && page.contains(why), "{why}: {page}");
    }
    assert_eq!(dates(), before, "what is refused changes nothing");
    // All are moved to before the first one at once, and an empty field has no date.
    assert_eq!(set(["2026-01-01 00:00 Z", "", "2026-02-01 00:00 Z"]).0, 303);
    assert_eq!(dates().freeze, None);
    assert!(browser.page("/organiser/").1.contains("Thursday 2026-01-01 00:00 (UTC), passed"));
}

#[test]
fn those_who_sign_in_as_authors_find_the_page_for_organisers() {
    let (it, _) = setting();
    assert!(it.get("/me/").1.contains("href=\"../organiser/\""));
    assert!(it.get("/organiser/").1.contains("Token of an organiser"));
}

#[test]
fn a_refusal_says_why_and_what_is_wrong_changes_nothing() {
    let (it, token) = setting();
    let browser = sign_in(&it, &token);
    let before = it.folder.actions().expect("they can be read");
    for (action, author, text, why) in [
        ("invite", "", "ann", "has a token already"),
        ("invite", "", "<b>", "is not a name"),
        ("invite", "", "author.7", "is not a name"),
        ("disqualify", "ann", " ", "the reason is empty"),
        ("disqualify", "cat", "x", "has no author of this name"),
        ("reinstate", "ann", "", "who is disqualified"),
        ("revoke", "cat", "", "with a token"),
        ("pseudonym", "ann", "Ben", "looks like the author ben"),
        ("pseudonym", "cat", "x", "has no author of this name"),
        ("delete-version", "ann", "7", "there is no such version"),
        ("delete-author", "ann", "", "ann is not deleted"),
        ("unfreeze", "", "", "is not frozen"),
        ("announce", "", "", "is empty or too long"),
        ("announce", "", &"ü".repeat(1_001), "is empty or too long"),
        ("announce", "", &"x".repeat(8_193), "not one of the club"),
        ("withdraw", "", "9", "there is no announcement 9"),
        ("open-join", "", "2001", "not one of the club"),
        ("delete-version", "ann", "x", "not one of the club"),
        ("explode", "", "", "not one of the club"),
    ] {
        let (status, page) = browser.act(action, author, text);
        assert!(status == 400 && page.contains(why), "{action} {text}: {status} {page}");
    }
    assert_eq!(it.folder.actions().expect("they can be read"), before);
}

#[test]
fn only_an_organiser_with_a_token_that_is_not_revoked_is_signed_in() {
    let (it, token) = setting();
    let of_author = it.folder.organised_by(None).invite("cat").expect("the name is free");
    for wrong in ["", "x", &of_author] {
        let refused = it.post("/organiser/sign-in", &[], &[("token", wrong)], "127.0.0.1");
        assert_eq!(refused.status(), 401, "{wrong}");
    }
    assert_eq!(it.post("/me/sign-in", &[], &[("token", &token)], "127.0.0.1").status(), 401);
    assert_eq!(it.ask_with("/mine", &[("authorization", &format!("Bearer {token}"))]).status(), 401);
    // A session of an author is no session of an organiser, though both have the same name.
    let of_author = cookie(&it.post("/me/sign-in", &[], &[("token", &of_author)], "127.0.0.1"));
    let page = it.text(it.ask_with("/organiser/", &[("cookie", &of_author)]));
    assert!(page.contains("Token of an organiser") && !page.contains("ann"), "{page}");
    assert_eq!(it.ask_with("/organiser/authors/1", &[("cookie", &of_author)]).status(), 401);
    let browser = sign_in(&it, &token);
    for other in ["", &of_author] {
        let other = Browser { it: &it, cookie: other.to_owned(), form: browser.form.clone() };
        assert_eq!(other.act("freeze", "", "").0, 303, "it leads to the page on which to sign in");
    }
    assert_eq!(browser.page("/organiser/authors/1").0, 200);
    it.folder.organised_by(None).remove("eve").expect("eve has a token");
    assert_eq!(browser.page("/organiser/authors/1").0, 401);
    browser.act("freeze", "", "");
    assert!(it.folder.season().expect("it is there").frozen_at.is_none());
    let again = it.folder.organised_by(None).add("eve").expect("the token was revoked");
    assert_eq!(sign_in(&it, &again).act("freeze", "", "").0, 303);
    assert!(it.folder.season().expect("it is there").frozen_at.is_some());
    let browser = sign_in(&it, &again);
    let signed_out = it.post(
        "/organiser/sign-out",
        &[("cookie", &browser.cookie)],
        &[("form", &browser.form)],
        "127.0.0.1",
    );
    assert_eq!((signed_out.status().as_u16(), browser.page("/organiser/authors/1").0), (303, 401));
}

#[test]
fn a_form_needs_the_text_of_its_session_and_a_page_of_the_club() {
    let (it, token) = setting();
    let (browser, other) = (sign_in(&it, &token), sign_in(&it, &token));
    let freeze =
        |headers: &[(&str, &str)], form: &str| browser.answer(headers, form, "freeze", "", "").status();
    for form in ["", "x", &other.form] {
        assert_eq!(freeze(&[], form), 403, "{form}");
    }
    for headers in [
        &[("sec-fetch-site", "cross-site")][..],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://other"), ("host", "club")],
    ] {
        assert_eq!(freeze(headers, &browser.form), 403, "{headers:?}");
        let refused = it.post("/organiser/sign-in", headers, &[("token", &token)], "127.0.0.1");
        assert_eq!(refused.status(), 403, "{headers:?}");
    }
    assert!(it.folder.season().expect("it is there").frozen_at.is_none());
    assert_eq!(freeze(&[("sec-fetch-site", "same-origin")], &browser.form), 303);
    let answer = it.ask_with("/organiser/", &[("cookie", &browser.cookie)]);
    let policy = answer.headers()["content-security-policy"].to_str().expect("it is text").to_owned();
    assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
}
