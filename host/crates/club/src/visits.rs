//! The visits of a browser: an author who signs in and sends forms, and the addresses that stay.

use crate::club::ClubOptions;
use crate::support::{Setting, bot, club, played_club};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{Method, Request};
use axum::response::Response;

/// A header in which a browser says where a request comes from.
const FROM_SITE: &str = "sec-fetch-site";

/// The answer to a form with these fields, sent by a page of this kind of site with this cookie.
fn send(it: &Setting, path: &str, site: &str, cookie: &str, fields: &[(&str, &str)]) -> Response {
    let part = |(name, value): &(&str, &str)| {
        format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body: String = fields.iter().map(part).chain(["--edge--\r\n".to_owned()]).collect();
    let request = Request::post(path)
        .header(CONTENT_TYPE, "multipart/form-data; boundary=edge")
        .header(FROM_SITE, site)
        .header(COOKIE, cookie)
        .body(Body::from(body));
    it.send(request.expect("it is right"), "127.0.0.1")
}

/// The value of a header of an answer.
fn header(answer: &Response, name: axum::http::HeaderName) -> String {
    answer.headers().get(name).map_or_else(String::new, |value| value.to_str().expect("it is text").into())
}

/// Signs an author in, and returns the cookie with the text that each form has.
fn sign_in(it: &Setting, token: &str) -> (String, String) {
    let answer = send(it, "/me/sign-in", "same-origin", "", &[("token", token)]);
    assert_eq!((answer.status().as_u16(), header(&answer, LOCATION)), (303, "./".into()));
    let cookie = header(&answer, SET_COOKIE).split(';').next().unwrap_or_default().to_owned();
    let page = my_page(it, &cookie);
    let (_, form) = page.split_once("name=\"form\" value=\"").expect("it has a form");
    (cookie, form.split('"').next().unwrap_or_default().to_owned())
}

/// The page of the author with this cookie.
fn my_page(it: &Setting, cookie: &str) -> String {
    let request = Request::get("/me/").header(COOKIE, cookie).body(Body::empty());
    it.text(it.send(request.expect("it is right"), "127.0.0.1"))
}

#[test]
fn an_author_signs_in_with_a_token_that_is_known_on_a_page_of_the_club() {
    let it = club(ClubOptions::default());
    it.author("ann");
    let longest = "x".repeat(1_024);
    for (site, token, status) in [
        ("same-origin", "eve", 401),
        ("cross-site", "ann", 403),
        ("same-origin", &longest, 401),
        ("same-origin", &format!("{longest}x"), 400),
    ] {
        let answer = send(&it, "/me/sign-in", site, "", &[("token", token)]);
        assert_eq!(
            (answer.status().as_u16(), header(&answer, SET_COOKIE)),
            (status, String::new()),
            "{token}"
        );
    }
    let answer = send(&it, "/me/sign-in", "same-origin", "", &[("name", "ann")]);
    assert_eq!(answer.status(), 400, "it is another form");
    let (cookie, form) = sign_in(&it, " ann\n");
    assert!(my_page(&it, &cookie).contains("sign-out"));
    let answer = send(&it, "/me/sign-out", "same-origin", &cookie, &[("form", &form)]);
    assert!(answer.status() == 303 && header(&answer, SET_COOKIE).contains("Max-Age=0"));
    assert!(!my_page(&it, &cookie).contains("sign-out"), "the session has ended");
}

#[test]
fn the_page_of_an_author_does_not_say_that_nothing_was_played_while_the_list_of_games_is_made() {
    let it = club(ClubOptions::default());
    let ann = it.author("ann");
    let (cookie, _) = sign_in(&it, "ann");
    assert!(my_page(&it, &cookie).contains("None of your bots has played yet"));
    it.admit(&ann, &bot("builtin:random", 10));
    it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
    it.play();
    let page = my_page(&it, &cookie);
    assert!(page.contains("<td class=\"n\">4</td>"), "its version has 4 games: {page}");
    assert!(page.contains("The list of games is being made") && !page.contains("has played yet"), "{page}");
    it.write_pages(1);
    assert!(my_page(&it, &cookie).contains("The latest 4 of 4."));
}

#[test]
fn a_form_changes_the_versions_of_the_author_whose_session_has_sent_it() {
    let it = club(ClubOptions::default());
    let (ann, ben) = (it.author("ann"), it.author("ben"));
    let [first, second] = [10, 11].map(|padding| it.admit(&ann, &bot("builtin:random", padding)));
    let of_ben = it.admit(&ben, &bot("builtin:hunter", 10));
    let (cookie, form) = sign_in(&it, "ann");
    let check = |path: &str, site: &str, cookie: &str, fields: &[(&str, &str)], status: u16| {
        let answer = send(&it, path, site, cookie, fields);
        assert_eq!(answer.status().as_u16(), status, "{path} {site} {fields:?}");
        if status == 303 {
            assert_eq!(header(&answer, LOCATION), "./#versions");
        }
    };
    let [one, two, other] = [&first, &second, &of_ben].map(|version| version.id.to_string());
    for (path, right) in [
        ("/me/publish", &[("form", &*form), ("version", &*one), ("publish", "yes")][..]),
        ("/me/play", &[("form", &*form), ("version", &*one)]),
        ("/me/delete", &[("form", &*form), ("version", &*two)]),
    ] {
        let with = |at: usize, value: &'static str| {
            let mut fields = right.to_vec();
            fields[at].1 = value;
            fields
        };
        check(path, "same-origin", "", right, 401);
        check(path, "cross-site", &cookie, right, 403);
        check(path, "same-origin", &cookie, &with(0, "other"), 403);
        check(path, "same-origin", &cookie, &with(1, "first"), 400);
        check(path, "same-origin", &cookie, &with(1, "99"), 404);
        let mut of_other = right.to_vec();
        of_other[1].1 = &other;
        check(path, "same-origin", &cookie, &of_other, 404);
    }
    let is_changed = [&first, &second, &of_ben].map(|version| it.version(version.id) != *version);
    assert_eq!(
        is_changed,
        [true, false, false],
        "the first one was replaced, and no form has changed another"
    );
    let publish = |yes| {
        let status = if yes == "maybe" { 400 } else { 303 };
        check(
            "/me/publish",
            "same-origin",
            &cookie,
            &[("form", &form), ("version", &one), ("publish", yes)],
            status,
        );
        it.version(first.id).published
    };
    assert_eq!(["yes", "maybe", "no"].map(publish), [true, true, false]);
    let plays = || [&first, &second].map(|version| it.version(version.id).plays);
    assert_eq!(plays(), [false, true], "the newest one plays");
    check("/me/play", "same-origin", &cookie, &[("form", &form), ("version", &one)], 303);
    assert_eq!(plays(), [true, false]);
    check("/me/delete", "same-origin", &cookie, &[("form", &form), ("version", &two)], 303);
    let is_deleted = [&first, &second].map(|version| it.version(version.id).deleted_at.is_some());
    assert_eq!(is_deleted, [false, true]);
}

#[test]
fn an_address_of_a_bot_a_version_or_a_game_leads_to_its_page_once_it_has_played() {
    let it = club(ClubOptions::default());
    let ann = it.admit(&it.author("ann"), &bot("builtin:random", 10));
    it.admit(&it.author("ben"), &bot("builtin:hunter", 10));
    let leads = |path: &str| {
        let answer = it.ask(Method::GET, path, "127.0.0.1");
        (answer.status().as_u16(), header(&answer, LOCATION))
    };
    let version = format!("/version/{}", ann.sha256);
    let paths = ["/bot/ann", &version, "/game/1/1/1"];
    assert_eq!(paths.map(leads), [404, 404, 404].map(|status| (status, String::new())));
    it.play();
    it.write_pages(1);
    let expected = ["../bots/1.html", "../bots/1.html", "../../../games/1.html"];
    assert_eq!(paths.map(leads), expected.map(|page| (302, page.into())));
    for path in ["/bot/eve", "/version/00", "/game/1/1/99", "/game/1/2/1", "/game/2/1/1", "/game/1/1/one"] {
        assert_eq!(leads(path).0, 404, "{path}");
    }
}

#[test]
fn an_author_sees_the_own_games_of_a_season_that_is_over_and_nobody_elses() {
    let it = played_club();
    it.author("eve");
    let it = it.between(|folder| {
        folder.reveal().expect("it is not served");
        folder.new_season().expect("it is over");
    });
    it.with_replays(|| check_own_games_of_the_past(&it));
}

/// Checks what ann sees of the first season, which is over, and eve, who has not played in it.
fn check_own_games_of_the_past(it: &Setting) {
    let ask = |cookie: &str, path: &str| {
        let answer = it.ask_with(path, &[("cookie", cookie)]);
        let (status, to) = (answer.status().as_u16(), header(&answer, LOCATION));
        (status, to, it.text(answer))
    };
    let [ann, eve] = ["ann", "eve"].map(|token| sign_in(it, token).0);
    let (status, _, page) = ask(&ann, "/me/seasons/1/");
    assert!(status == 200 && page.contains("The latest 4 of 4."), "{status} {page}");
    let (status, _, page) = ask(&eve, "/me/seasons/1/");
    assert!(status == 200 && !page.contains("The latest"), "{status} {page}");
    for (cookie, path, status, words) in [
        (&ann, "/me/seasons/1/games/1.html", 200, "id=\"replay\""),
        (&ann, "/me/seasons/1/games/1.txt", 404, "there is no log of your bot in game 1"),
        (&ann, "/me/seasons/1/games/5.html", 404, "there is no such game of yours"),
        (&ann, "/me/seasons/1/games/one.html", 404, "there is no such game of yours"),
        (&eve, "/me/seasons/1/games/1.html", 404, "there is no such game of yours"),
        (&ann, "/me/seasons/01/", 404, "there is no such season that is over"),
        (&ann, "/me/seasons/2/", 404, "there is no such season that is over"),
        (&ann, "/me/seasons/0/games/1.html", 404, "there is no such season that is over"),
        (&ann, "/me/seasons/1/nothing", 404, "there is no such game of yours"),
    ] {
        let (found, _, page) = ask(cookie, path);
        assert!(found == status && page.contains(words), "{path}: {found} {page}");
    }
    // What the season has for everybody is there.
    for (path, to) in [
        ("season.html", "../../../seasons/1/season.html"),
        ("games/1.gif", "../../../../seasons/1/games/1.gif"),
    ] {
        let (status, found, _) = ask(&ann, &format!("/me/seasons/1/{path}"));
        assert_eq!((status, found.as_str()), (302, to), "{path}");
    }
}
