//! The pages of a signed-in author: what they show, and to whom.

use super::{Served, Session, club, form, token, until};
use std::fs;

#[test]
fn an_author_signs_in_with_the_token_and_out_again() {
    let place = club();
    let served = Served::start(&place, "");
    let page = served.get("/me/").expect(200);
    assert!(page.body.contains("type=\"password\"") && !page.head.contains("set-cookie"), "{}", page.body);
    assert!(served.get("/me").expect(303).head.contains("location: me/"));
    let ann = token(&place, "ann");
    let sign_in = |token: &str, headers: &str| {
        served.send(&form("/me/sign-in", headers, &[("token", token.as_bytes())]))
    };
    let wrong = sign_in("wrong", "").expect(401);
    assert!(wrong.body.contains("the token is wrong, or was revoked") && !wrong.head.contains("set-cookie"));
    for (headers, is_secure) in [
        ("", false),
        ("Origin: http://club\r\n", false),
        ("Origin: https://club\r\n", true),
        ("X-Forwarded-Proto: https\r\n", true),
    ] {
        let head = sign_in(&ann, headers).expect(303).head;
        let cookie =
            head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("it has a cookie");
        assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
        assert!(cookie.contains("; Secure") == is_secure, "{headers}: {cookie}");
        // It goes back to the pages of the author only, wherever the club is below a proxy.
        assert!(!cookie.contains("Path") && !cookie.contains("Domain") && !cookie.contains(&ann), "{cookie}");
    }
    for other in ["Origin: https://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        assert!(!sign_in(&ann, other).expect(403).head.contains("set-cookie"), "{other}");
    }

    let session = Session::of(&served, "ann");
    assert!(session.get("").expect(200).body.contains("Bots of <bdi>ann</bdi>"));
    let out = session.send("sign-out", "", &[("form", session.form.as_bytes())]).expect(303);
    assert!(out.head.contains("set-cookie: arena_club=; Max-Age=0"), "{}", out.head);
    assert!(
        session.get("").expect(200).body.contains("type=\"password\""),
        "the session is over at the club"
    );
    let again = Session::of(&served, "ann");
    place.arena("club revoke ann --data club").expect_code(0);
    assert!(again.get("").expect(200).body.contains("type=\"password\""), "so is one whose token is revoked");
    again.post("submit", "bot", b"x").expect(401);
}

#[test]
fn an_author_reads_the_logs_of_own_games_and_another_author_reads_none_of_them() {
    let place = club();
    let invited = place.arena("club invite cat --data club").expect_code(0).stdout;
    place.write("cat", invited);
    let served = Served::start(&place, "--games 4");
    served.submit("log-half-lines.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 4);
    let [ann, ben, cat] = ["ann", "ben", "cat"].map(|author| Session::of(&served, author));
    let has_log = until(|| ann.get("").expect(200).body.contains("href=\"4.txt\""));
    assert!(has_log, "{}", ann.get("").body);
    let mine = ann.get("").expect(200).body;
    for part in [">plays<", "Finding on version 1", "ready to play", "The latest 4 of 4", "<bdi>ben</bdi>"] {
        assert!(mine.contains(part), "{part} is not in {mine}");
    }
    assert!(!ben.get("").expect(200).body.contains(".txt\""), "its bot prints nothing");

    for game in 1..=4 {
        let log = ann.get(&format!("{game}.txt")).expect(200);
        assert!(log.head.contains("content-type: text/plain") && log.body.contains("one "), "{}", log.body);
        let replay = ann.get(&format!("{game}.html")).expect(200).body;
        assert!(replay.contains("Log of <bdi>ann</bdi>") && replay.contains("one "), "{replay}");
        // The opponent sees the same game without the log, as everybody does.
        for seen in [ben.get(&format!("{game}.html")), served.get(&format!("/games/{game}.html"))] {
            let seen = seen.expect(200).body;
            assert!(
                seen.contains("id=\"replay\"") && !seen.contains("one ") && !seen.contains("Log of"),
                "{seen}"
            );
        }
        ben.get(&format!("{game}.txt")).expect(404);
        for kind in ["html", "txt"] {
            let of_other = cat.get(&format!("{game}.{kind}")).expect(404).body;
            assert_eq!(
                of_other,
                cat.get(&format!("99.{kind}")).expect(404).body,
                "the answers do not differ"
            );
            served.get(&format!("/me/{game}.{kind}")).expect(401);
        }
    }
    for wrong in ["4", "4.gif", "x.html", "..%2f4.txt", "4.txt/", "%2e%2e", "04294967297.html", "-1.html"] {
        assert!(["404", "401"].iter().any(|status| ann.get(wrong).head.contains(status)), "{wrong}");
    }
    assert!(!cat.get("").expect(200).body.contains("ann"), "nothing of another author is on the page");
    // They are for the organiser's eyes and their author's, in a folder of the season.
    let seasons = fs::read_dir(place.path("club/logs"))
        .expect("they are kept")
        .map(|entry| entry.expect("it is there"));
    let modes: Vec<u32> = seasons
        .map(|season| season.metadata().expect("it is there").permissions())
        .map(|permissions| std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o777)
        .collect();
    assert_eq!(modes, [0o700]);
}

#[test]
fn an_author_plays_an_older_version_by_one_click_and_no_other_site_can() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    let first = served.submit("sweeper.wasm", "ann").expect_code(0).json()["id"].to_string();
    let refused = served.submit("exports-nothing.wasm", "ann").expect_code(3).json()["id"].to_string();
    served.submit("random.wasm", "ann").expect_code(0);
    let of_other = served.submit("hunter.wasm", "ben").expect_code(0).json()["id"].to_string();
    let [ann, ben] = ["ann", "ben"].map(|author| Session::of(&served, author));
    let is_played = |number: usize| {
        let mine = served.author("mine -o json", "ann").expect_code(0).json();
        let plays =
            mine.as_array().expect("a list").iter().find(|it| it["state"] == "plays").expect("one plays");
        plays["version"] == number
    };
    assert!(is_played(3));
    let page = ann.get("").expect(200).body;
    assert_eq!(page.matches(">Play version 1</button>").count(), 1, "{page}");

    for (form, headers) in [
        (ben.form.as_str(), ""),
        ("", ""),
        (ann.form.as_str(), "Sec-Fetch-Site: same-site\r\n"),
        (ann.form.as_str(), "Origin: https://evil.example\r\n"),
        (ann.form.as_str(), "Origin: null\r\n"),
    ] {
        let fields: [(&str, &[u8]); 2] = [("form", form.as_bytes()), ("version", first.as_bytes())];
        let answer = ann.send("play", headers, &fields).expect(403);
        assert!(answer.body.contains("not sent by a page of your session"), "{}", answer.body);
    }
    // Without the field, and with the field alone.
    ann.send("play", "", &[("version", first.as_bytes())]).expect(400);
    served
        .send(&form("/me/play", "", &[("form", ann.form.as_bytes()), ("version", first.as_bytes())]))
        .expect(401);
    for other in [of_other.as_str(), refused.as_str(), "0", "99"] {
        ann.post("play", "version", other.as_bytes()).expect(404);
    }
    ann.post("play", "version", b"one").expect(400);
    assert!(is_played(3), "none of them has chosen a version");
    // The answer to a form is a page at its address. Opened again, it leads to the author's page.
    for form in ["sign-in", "sign-out", "submit", "play", "publish"] {
        assert!(ann.get(form).expect(303).head.contains("location: ./\r\n"), "{form}");
    }
    assert!(is_played(3), "none of them has chosen a version");

    let chosen = ann.post("play", "version", first.as_bytes()).expect(303);
    assert!(chosen.head.contains("location: ./#versions"), "{}", chosen.head);
    assert!(is_played(1));
    place.arena("club disqualify ann --data club").expect_code(0);
    let barred = ann.post("play", "version", first.as_bytes()).expect(403);
    assert!(barred.body.contains("ann is disqualified"), "{}", barred.body);
}

#[test]
fn an_author_publishes_a_file_by_the_box_of_a_form_or_by_one_click_and_withdraws_it() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    let bytes = |bot: &str| fs::read(place.path(&format!("{bot}.wasm"))).expect("it is there");
    let [ann, ben] = ["ann", "ben"].map(|author| Session::of(&served, author));
    let published = |author: &str| {
        let mine = served.author("mine -o json", author).expect_code(0).json();
        let rows = mine.as_array().expect("a list").iter().rev();
        rows.map(|it| (it["id"].to_string(), it["published"] == true)).collect::<Vec<_>>()
    };
    let page = ann.get("").expect(200).body;
    assert!(page.contains("name=\"publish\" type=\"checkbox\"") && !page.contains("checked"), "{page}");
    ann.post("submit", "bot", &bytes("sweeper")).expect(200);
    let fields: [(&str, &[u8]); 3] =
        [("form", ann.form.as_bytes()), ("bot", &bytes("random")), ("publish", b"yes")];
    let page = ann.send("submit", "", &fields).expect(200).body;
    assert!(page.contains("is published <form") && page.contains("stays private <form"), "{page}");
    // The form without a cookie has the same box.
    assert!(served.get("/submit").expect(200).body.contains("name=\"publish\" type=\"checkbox\""));
    let token = token(&place, "ben");
    let fields: [(&str, &[u8]); 3] =
        [("token", token.as_bytes()), ("bot", &bytes("hunter")), ("publish", b"yes")];
    served.send(&form("/submit", "", &fields)).expect(200);
    let (of_ann, of_ben) = (published("ann"), published("ben"));
    let [(first, false), (second, true)] = &of_ann[..] else { panic!("{of_ann:?}") };
    let [(of_other, true)] = &of_ben[..] else { panic!("{of_ben:?}") };

    let publish = |session: &Session<'_>, text: &str, headers: &str, id: &str, is: &str| {
        let fields: [(&str, &[u8]); 3] =
            [("form", text.as_bytes()), ("version", id.as_bytes()), ("publish", is.as_bytes())];
        session.send("publish", headers, &fields)
    };
    for (text, headers) in [
        (ben.form.as_str(), ""),
        ("", ""),
        (ann.form.as_str(), "Sec-Fetch-Site: cross-site\r\n"),
        (ann.form.as_str(), "Origin: https://evil.example\r\n"),
    ] {
        publish(&ann, text, headers, first, "yes").expect(403);
    }
    publish(&ann, &ann.form, "", of_other, "no").expect(404);
    publish(&ann, &ann.form, "", "99", "yes").expect(404);
    publish(&ann, &ann.form, "", "one", "yes").expect(400);
    publish(&ann, &ann.form, "", first, "on").expect(400);
    ann.post("publish", "version", first.as_bytes()).expect(400);
    assert_eq!((published("ann"), published("ben")), (of_ann.clone(), of_ben.clone()), "none has changed it");
    for (id, is) in [(first, "yes"), (second, "no")] {
        let noted = publish(&ann, &ann.form, "", id, is).expect(303);
        assert!(noted.head.contains("location: ./#versions"), "{}", noted.head);
    }
    assert_eq!(published("ann"), [(first.clone(), true), (second.clone(), false)]);
    // Until the season is over, nobody gets it. Then, its author can still withdraw it.
    served.wait_for_games("ben", 4);
    served.wait_for_page("/", "ben");
    let sha256 = served.latest("ben")["sha256"].as_str().expect("it is a text").to_owned();
    let file = format!("/downloads/{sha256}.wasm");
    served.get(&file).expect(404);
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    let served = Served::start(&place, "--games 4");
    served.download(&file);
    let ben = Session::of(&served, "ben");
    publish(&ben, &ben.form, "", of_other, "no").expect(303);
    assert!(until(|| served.get(&file).head.starts_with("HTTP/1.1 404")), "it is still there");
}

#[test]
fn a_bot_is_uploaded_on_the_authors_page_and_refused_in_the_words_of_check() {
    let place = club();
    let served = Served::start(&place, "");
    let ann = Session::of(&served, "ann");
    let bytes = |bot: &str| fs::read(place.path(&format!("{bot}.wasm"))).expect("it is there");
    let submitted = ann.post("submit", "bot", &bytes("sweeper")).expect(200).body;
    assert!(submitted.contains("Version 1: plays") && submitted.contains("ready to play"), "{submitted}");
    for (version, bot, words) in
        [(2, "exports-nothing", "refused"), (3, "divides-by-zero", "at fault in its trial games")]
    {
        let page = ann.post("submit", "bot", &bytes(bot)).expect(200).body;
        assert!(page.contains(&format!("Version {version}: {words}")), "{page}");
        let check = place.arena(&format!("check {bot}.wasm --rules guide")).expect_code(3).stdout;
        let why = check.lines().find(|line| ["why", "fault"].iter().any(|word| line.starts_with(word)));
        let why = why.expect("it has a reason").replace('`', "&#96;");
        assert!(page.replace('`', "&#96;").contains(&why), "{why} is not in {page}");
    }
    // Names and logs of bots are shown as text.
    for bot in ["escape-name", "log-escapes", "link-name"] {
        let page = ann.post("submit", "bot", &bytes(bot)).expect(200).body;
        assert!(!page.contains(['\u{1b}', '\u{202e}', '\u{7}']) && !page.contains("<b>"), "{page}");
    }
    let empty = ann.post("submit", "bot", b"").expect(400).body;
    assert!(
        empty.contains("no file was sent") && empty.contains("Version 1") || empty.contains("version-1"),
        "{empty}"
    );
    ann.send("submit", "Sec-Fetch-Site: cross-site\r\n", &[("form", ann.form.as_bytes()), ("bot", b"x")])
        .expect(403);
    ann.send("submit", "", &[("bot", b"x")]).expect(400);
}
