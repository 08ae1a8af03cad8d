//! What an organiser does with a club, and what is left after a crash.

use super::playing::AFRAID_OF_SWEEPERS;
use super::{Served, club, form, token, upload};
use crate::support::{Run, command};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

#[test]
fn a_disqualified_author_is_told_why_and_plays_no_more_until_it_is_undone() {
    let place = club();
    let served = Served::start(&place, "--games 40 --rules small.toml");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 40);
    let reason = "two bots\u{1b}[31m that help each other";
    let args = ["club", "disqualify", "ann", "--data", "club", "--reason", reason];
    let said = Run::of(&mut command(place.folder(), &args)).expect_code(0).stdout;
    assert_eq!(said, "ann: disqualified: two bots that help each other\n");
    for bot in ["random", "sweeper"] {
        let refused = served.submit(&format!("{bot}.wasm"), "ann").expect_code(2).stderr;
        assert_eq!(
            refused,
            "arena: the club: ann is disqualified: two bots that help each other\n  next: ask the organiser\n"
        );
    }
    let latest = served.latest("ann");
    assert_eq!((&latest["state"], &latest["standing"]["games"]), (&"disqualified".into(), &40.into()));
    assert!(latest["finding"].to_string().contains("two bots that help each other"), "{latest}");
    // The others play on without the author.
    let invited = place.arena("club invite cat --data club").expect_code(0).stdout;
    place.write("cat", invited);
    served.submit("random.wasm", "cat").expect_code(0);
    served.wait_for_games("cat", 40);
    assert_eq!(served.latest("ann")["standing"]["games"], 40);
    assert_eq!(served.latest("ann")["standing"]["place"], Value::Null);

    let undone = place.arena("club disqualify ann --data club --undo").expect_code(0).stdout;
    assert_eq!(undone, "ann: plays again\n");
    served.wait_for_games("ann", 80);
    assert_eq!(served.latest("ann")["state"], "plays");
    for (args, message) in [
        ("club disqualify eve --data club", "eve: has no author of this name\n"),
        ("club disqualify ann --data club --undo", "ann: has no author of this name who is disqualified\n"),
        ("club disqualify ann --data club --undo --reason x", "cannot be used together"),
    ] {
        let refused = place.arena(args).expect_code(2);
        assert!(refused.stderr.contains(message), "{args}: {}", refused.stderr);
    }
}

#[test]
fn a_pupil_joins_with_the_code_on_the_wall_and_the_others_have_printed_slips() {
    let place = club();
    let served = Served::start(&place, "--games 4");
    let opened = place.arena("club join --places 1 --data club").expect_code(0);
    assert!(
        opened.stderr.contains("1 author may join with this code at the path /join"),
        "{}",
        opened.stderr
    );
    let code = opened.stdout.trim().to_owned();
    assert_eq!(place.arena("club join --data club").expect_code(0).stdout.trim(), code);
    let join =
        |name: &str| served.send(&form("/join", "", &[("code", code.as_bytes()), ("name", name.as_bytes())]));
    let page = join("Gül Öz").expect(200).body;
    let token = page.split("<pre tabindex=\"0\">").nth(1).and_then(|rest| rest.split('<').next());
    place.write("gül", token.expect("it has the token"));
    served.submit("random.wasm", "gül").expect_code(0);
    assert!(join("cat").expect(403).body.contains("there is no place left"));
    let closed = place.arena("club join --close --data club").expect_code(0);
    assert_eq!((closed.stdout.as_str(), closed.stderr.contains("joining by a link is closed")), ("", true));
    assert!(join("cat").expect(403).body.contains("the code is wrong, or the link is closed"));

    assert!(
        place.arena("club join --places 2000 --data club").expect_code(0).stderr.contains("2000 authors")
    );
    place.arena("club join --places 2001 --data club").expect_code(2);

    place.write("class.csv", "name,e-mail\nדן,dan@example.org\nann,\n");
    let tokens = place.arena("club invite --csv class.csv --data club").expect_code(0).stdout;
    let marks = place.arena("club export --data club -o csv").expect_code(0).stdout;
    for list in [&tokens, &marks] {
        assert!(
            list.lines().any(|line| line.starts_with("דן,")),
            "a program gets names as they are: {list:?}"
        );
    }
    place.write("tokens.csv", &tokens);
    let slips = "club slips tokens.csv slips.html --to https://club.example.org";
    assert_eq!(place.arena(slips).expect_code(0).stdout, "slips.html: has 1 page\n", "ann keeps her token");
    let page = fs::read_to_string(place.path("slips.html")).expect("it is there");
    let token = tokens.lines().nth(1).and_then(|line| line.split(',').nth(1)).expect("it has a token");
    assert!(page.contains(token) && page.contains("https://club.example.org/me/"), "{page}");
    let mode = fs::metadata(place.path("slips.html")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it has tokens");
    let again = place.arena(slips).expect_code(2).stderr;
    assert!(again.contains("slips.html: exists already"), "{again}");
    let other = place.arena("club slips class.csv other.html --to https://club.example.org").expect_code(2);
    assert!(other.stderr.contains("class.csv has no column `author`"), "{}", other.stderr);
}

#[test]
fn marks_are_exported_for_a_spreadsheet_in_the_order_of_the_standings() {
    let place = club();
    // Before the first game, all authors are there without places.
    let early = place.arena("club export --data club -o csv").expect_code(0).stdout;
    assert!(early.lines().any(|line| line.contains("ann") && line.ends_with(",0,,")), "{early}");
    let served = Served::start(&place, "--games 4");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 4);
    served.interrupt();
    let csv = place.arena("club export --data club -o csv --mark ann==1+1").expect_code(0).stdout;
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        lines[0].join(","),
        "author,place,elo,low,high,points,games,faults,versions,last submission,mark"
    );
    let row = |author: &str| lines.iter().find(|line| line[0] == author).expect("it is there");
    assert_eq!((row("ben")[1], row("ben")[6], row("ben")[8]), ("1", "4", "1"));
    assert_eq!((row("ben")[10], row("ann")[10]), ("'=1+1", ""), "no cell is a formula");
    let json = place.arena("club export --data club -o json --mark percentile").expect_code(0).json();
    assert_eq!((&json[0]["author"], &json[0]["mark"]), (&"ben".into(), &"100".into()));
    for (formula, message) in [("eve=1", "eve: has no author of this name"), ("best", "is not a formula")] {
        let refused = place.arena(&format!("club export --data club --mark {formula}")).expect_code(2).stderr;
        assert!(refused.contains(message), "{refused}");
    }
}

#[test]
fn a_bot_with_too_many_faults_is_disqualified_with_its_author() {
    let place = club();
    place.write("afraid.wasm", arena_testkit::component(AFRAID_OF_SWEEPERS).expect("it is a component"));
    let served = Served::start(&place, "--games 40 --max-faults 3");
    served.submit("afraid.wasm", "ann").expect_code(0);
    served.submit("sweeper.wasm", "ben").expect_code(0);
    // It is disqualified a moment before its games count.
    let disqualified = served
        .wait_until("ann", |latest| latest["state"] == "disqualified" && latest["standing"]["faults"] == 3);
    let finding = disqualified["finding"].to_string();
    assert!(finding.contains("disqualified: version 1 was at fault in too many games"), "{finding}");
    let refused = served.submit("random.wasm", "ann").expect_code(2).stderr;
    assert!(refused.contains("ann is disqualified: version 1 was at fault"), "{refused}");
    assert!(served.interrupt().contains("ann is disqualified: version 1 was at fault in too many games"));
}

#[test]
fn a_club_is_restored_from_a_backup_that_was_made_while_it_was_served() {
    let place = club();
    let served = Served::start(&place, "--games 40 --rules small.toml");
    place.arena("club backup empty.tar --data club").expect_code(0);
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    let games = |version: &Value| version["standing"]["games"].as_u64().expect("it has played");
    let before = games(&served.wait_for_games("ann", 1));
    place.arena("club backup monday.tar --data club").expect_code(0);
    let secret = fs::metadata(place.path("monday.tar")).expect("it is there").permissions();
    assert_eq!(secret.mode() & 0o777, 0o600, "it has the secret");
    let again = place.arena("club backup monday.tar --data club").expect_code(2);
    assert!(again.stderr.contains("monday.tar: exists already"), "{}", again.stderr);
    let used = place.arena("club restore monday.tar --data club").expect_code(2);
    assert!(used.stderr.contains("club: is there already"), "{}", used.stderr);
    served.kill();
    let lost = fs::read_to_string(place.path("club/season.db.seed")).expect("it is there");
    fs::remove_dir_all(place.path("club")).expect("it can be lost");

    let restored = place.arena("club restore monday.tar --data club").expect_code(0);
    assert_eq!(restored.stdout, "club: is the club of monday.tar\n");
    assert_eq!(fs::read_to_string(place.path("club/season.db.seed")).expect("it is there"), lost);
    let served = Served::start(&place, "--games 40");
    assert!(games(&served.latest("ann")) >= before, "{}", served.latest("ann"));
    served.wait_for_games("ben", 40);
    served.wait_for_page("/", "ben");
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);

    // A club before its first game, and a closed one.
    place.arena("club restore empty.tar --data other").expect_code(0);
    let invited = place.arena("club invite ann --data other").expect_code(2);
    assert!(invited.stderr.contains("ann has a token already"), "{}", invited.stderr);
    assert!(place.path("other/season.db.seed").exists(), "its secret was committed already");
    place.arena("club backup closed.tar --data club").expect_code(0);
    place.arena("club restore closed.tar --data closed").expect_code(0);
    place.arena("verify --journal closed/season.db").expect_code(0);
}

#[test]
fn a_backup_that_is_damaged_or_something_else_is_refused_and_leaves_nothing() {
    let place = club();
    let served = Served::start(&place, "--games 40 --rules small.toml");
    let sha256 = served.submit("sweeper.wasm", "ann").expect_code(0).json()["sha256"].clone();
    let sha256 = sha256.as_str().expect("it is a text");
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 40);
    served.interrupt();
    place.arena("club backup whole.tar --data club").expect_code(0);
    place.arena("club restore whole.tar --data whole").expect_code(0);
    let whole = fs::read(place.path("whole.tar")).expect("it is there");
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let sweeper = fs::read(place.path("sweeper.wasm")).expect("it is there");
    let first_in =
        |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).position(|it| it == part).expect("it is there");
    let last = |part: &[u8]| whole.windows(part.len()).rposition(|it| it == part).expect("it is there");
    let of_bot = last(&sweeper[..2000]) + 1000;
    let journal = first_in(&whole, b"SQLite format 3");
    let of_journal = journal + first_in(&whole[journal..], sha256.as_bytes());
    let register = last(b"SQLite format 3") - 512;
    let files: [(&str, Vec<u8>, &str); 6] = [
        ("text.tar", b"this is a text".repeat(100), "is not a whole backup"),
        ("half.tar", whole[..whole.len() / 2].to_vec(), "is not a whole backup"),
        ("short.tar", whole[..register].to_vec(), "it is cut off"),
        ("bot.tar", changed(of_bot), "a component has changed"),
        ("journal.tar", changed(of_journal), "is not a whole backup"),
        ("empty.tar", Vec::new(), "it is cut off"),
    ];
    for (name, bytes, message) in files {
        place.write(name, bytes);
        let refused = place.arena(&format!("club restore {name} --data restored")).expect_code(2);
        assert!(refused.stderr.contains(message), "{name}: {}", refused.stderr);
    }
    // Other archives.
    for (name, args) in [
        ("other.tar", "-cf other.tar ann"),
        ("up.tar", "-cPf up.tar --transform s,^,../, ann"),
        ("link.tar", "-cf link.tar club.db"),
    ] {
        let _ = std::os::unix::fs::symlink("/etc/hostname", place.path("club.db"));
        let made = Command::new("tar").args(args.split(' ')).current_dir(place.folder()).status();
        assert!(made.expect("it starts").success());
        let refused = place.arena(&format!("club restore {name} --data restored")).expect_code(2);
        assert!(refused.stderr.contains("is not a whole backup of a club: it has "), "{}", refused.stderr);
    }
    assert!(!place.path("restored").exists());
    let left = fs::read_dir(place.folder()).expect("it is there").filter_map(Result::ok);
    assert!(!left.map(|it| it.file_name()).any(|name| name.to_string_lossy().starts_with(".tmp")));
    let missing = place.arena("club restore nothing.tar --data restored").expect_code(2);
    assert!(missing.stderr.contains("nothing.tar"), "{}", missing.stderr);
}

#[test]
fn a_club_that_is_killed_loses_no_submission_and_no_game() {
    let place = club();
    let served = Served::start(&place, "--games 100000 --rules small.toml");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    let games = |version: &Value| version["standing"]["games"].as_u64().expect("it has played");
    let mut before = games(&served.wait_for_games("ann", 20));
    served.kill();
    for bot in ["random", "hunter", "log-escapes"] {
        let served = Served::start(&place, "--games 100000");
        let standing = games(&served.latest("ben"));
        assert!(standing >= before, "{standing} of {before} games");
        before = standing;
        // Killed in the moment in which it is answered, and in the middle of another upload.
        let mut cut = served.connect();
        let head = upload(&token(&place, "ben"), "Content-Length: 1000");
        cut.write_all(head.as_bytes()).expect("it is read");
        let length = fs::metadata(place.path(&format!("{bot}.wasm"))).expect("it is there").len();
        let head = upload(&token(&place, "ann"), &format!("Content-Length: {length}"));
        let bytes = fs::read(place.path(&format!("{bot}.wasm"))).expect("it is there");
        let answer = served.send(&[head.as_bytes(), &bytes].concat()).expect(200);
        let answered: Value = serde_json::from_str(&answer.body).expect("it is a document");
        served.kill();
        let served = Served::start(&place, "--games 100000");
        let versions = served.author("mine -o json", "ann").expect_code(0).json();
        let ids: Vec<&Value> = versions.as_array().expect("a list").iter().map(|it| &it["id"]).collect();
        assert!(ids.contains(&&answered["id"]), "{answered} is not in {ids:?}");
        assert!(place.files("club/bots").keys().all(|name| name.ends_with(".wasm")), "a part is left");
        served.kill();
    }
    let verified = place.arena("verify --journal club/season.db");
    assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
    place.arena("club season reveal --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);
}
