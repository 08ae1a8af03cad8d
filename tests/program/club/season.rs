//! A season from the first invitation to the revealed seed, and what its authors see.

use super::{Served, club, token};
use crate::support::{Place, Run, command, house_bot};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = include_str!("../../../docs/guide/src/club.md");

/// The page of the guide about privacy.
const PRIVACY: &str = include_str!("../../../docs/guide/src/privacy.md");

#[test]
fn a_name_may_have_letters_of_any_language() {
    let place = Place::with_house_bots();
    for author in ["gül", "李明"] {
        place.write(author, place.arena(&format!("club invite {author} --data club")).expect_code(0).stdout);
    }
    let served = Served::start(&place, "--games 4");
    served.submit("random.wasm", "gül").expect_code(0);
    served.submit("hunter.wasm", "李明").expect_code(0);
    served.wait_for_games("gül", 4);
    let page = served.wait_for_page("/", "李明");
    assert!(page.contains("gül"), "{page}");
    // As browsers write both names.
    for path in ["/bot/g%C3%BCl", "/bot/%E6%9D%8E%E6%98%8E"] {
        let head = served.get(path).expect(302).head;
        assert!(head.contains("location: ../bots/"), "{head}");
    }
    // An author names them in commands, too.
    let versions = place.arena("club versions gül --data club").expect_code(0).stdout;
    assert!(versions.contains("gül") && !versions.contains("李明"), "{versions}");
    let refused = place.arena("club invite GÜL --data club").expect_code(2);
    assert!(refused.stderr.contains("GÜL: looks like the author gül"), "{}", refused.stderr);
}

#[test]
fn a_class_is_invited_by_a_list_and_again_when_there_are_more() {
    let place = Place::with_house_bots();
    let invite = |list: &str| {
        place.write("class.csv", list);
        place.arena("club invite --csv class.csv --data club")
    };
    // As a spreadsheet in German saves it, with a byte order mark.
    let first = invite("\u{feff}E-Mail;Name\r\nann@example.org;Ann Lee\r\n=1+1;gül\r\n;\r\n").expect_code(0);
    assert!(first.stderr.contains("2 authors invited"), "{}", first.stderr);
    let rows: Vec<Vec<&str>> = first.stdout.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), &rows[0][..]), (3, &["author", "token", "E-Mail"][..]));
    assert_eq!(
        (rows[1][0], rows[1][2], rows[2][0], rows[2][2]),
        ("Ann-Lee", "ann@example.org", "gül", "'=1+1")
    );
    place.write("gül", rows[2][1]);
    // Who comes later is added, and the others keep their tokens.
    let second = invite("name\nAnn Lee\ngül\ncat\n").expect_code(0);
    assert!(second.stderr.contains("2 authors had a token already"), "{}", second.stderr);
    let rows: Vec<&str> = second.stdout.lines().collect();
    assert_eq!(rows[1..3], ["Ann-Lee,", "gül,"]);
    assert!(rows[3].starts_with("cat,") && rows[3].len() == 4 + 43, "{}", rows[3]);
    let served = Served::start(&place, "");
    assert_eq!(served.submit("random.wasm", "gül").expect_code(0).json()["state"], "plays");

    // One that is wrong enters nobody.
    for (list, what) in [
        ("", "class.csv has no column `name` in its first line"),
        ("name,e-mail\n,\n", "class.csv has no names"),
        ("e-mail\nann@example.org\n", "class.csv has no column `name` in its first line"),
        ("name\nnew\nnew\n", "class.csv has the author new twice"),
        ("name\nnew\nO.Neill\n", "O.Neill: is not a name"),
        ("name\nnew\nCat\n", "Cat: looks like the author cat"),
        ("name\nnew\nNew\n", "New: looks like the author new"),
        ("name,e-mail\nnew\n", "class.csv: "),
    ] {
        let refused = invite(list).expect_code(2);
        assert!(refused.stderr.contains(what), "{list}: {}", refused.stderr);
        let versions = place.arena("club versions --data club").expect_code(0).stdout;
        assert!(!versions.contains("new"), "{versions}");
    }
}

#[test]
fn a_season_is_played_from_the_first_invitation_to_the_revealed_seed() {
    let place = club();
    let served = Served::start(&place, "--games 24 --title Autumn");
    assert!(served.get("/").expect(200).body.contains("No game has been played yet"));
    let first = served.submit("sweeper.wasm", "ann").expect_code(0).json();
    assert_eq!((&first["version"], &first["state"]), (&1.into(), &"plays".into()));
    served.submit("hunter.wasm", "ben").expect_code(0);
    let waited = served.author("submit hunter.wasm --wait", "ben").expect_code(0);
    assert!(waited.stdout.starts_with("version 1: plays\nplace 1, "), "{}", waited.stdout);
    served.wait_for_games("ann", 24);
    let page = served.wait_for_page("/", "ben");
    assert!(page.contains("Autumn") && page.contains("ann"), "{page}");

    // A bot that has played all its games is not waited for any longer.
    served.wait_until("ann", |latest| latest["awaits-games"] == false);

    // A new version takes the place of the old one, which stays in the list.
    served.submit("random.wasm", "ann").expect_code(0);
    let second = served.wait_for_games("ann", 24);
    assert_eq!((&second["version"], &second["state"]), (&2.into(), &"plays".into()));
    let mine = served.author("mine", "ann").expect_code(0).stdout;
    let states: Vec<_> = mine.lines().skip(1).map_while(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(states[..2], ["plays", "admitted"], "{mine}");
    assert!(
        mine.lines().skip(3).all(|line| ["lost game ", "  next: "].iter().any(|it| line.starts_with(it))),
        "{mine}"
    );
    served.wait_for_page("/", "ann@1");
    // An author goes back to an earlier version by submitting it again.
    let again = served.submit("sweeper.wasm", "ann").expect_code(0).json();
    assert_eq!((&again["version"], &again["state"]), (&1.into(), &"plays".into()));

    let info = place.arena("journal info club/season.db").expect_code(0).stdout;
    assert!(info.contains("48 of 48 games by 3 bots"), "{info}");
    let verified = place.arena("verify --journal club/season.db");
    assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
    let busy = place.arena("club season reveal --data club").expect_code(2);
    assert!(busy.stderr.contains("another `arena club` serves this club"), "{}", busy.stderr);

    let said = served.interrupt();
    assert!(said.contains("all games that were played are kept"), "{said}");
    for other in ["--rules classic", "--fuel 5", "--memory 65"] {
        let args = format!("club serve --data club --listen 127.0.0.1:0 {other}");
        let refused = place.arena(&args).expect_code(2);
        assert!(
            refused.stderr.contains("its season has begun with other rules or limits"),
            "{}",
            refused.stderr
        );
    }
    let served = Served::start(&place, "--games 24");
    assert_eq!(served.latest("ann")["standing"]["games"], 24, "nothing is lost, and nothing played again");
    served.interrupt();

    let closed = place.arena("club season reveal --data club").expect_code(0);
    assert!(closed.stdout.contains("seed"), "{}", closed.stdout);
    assert!(!place.path("club/season.db.seed").exists());
    let front = fs::read_to_string(place.path("club/site/index.html")).expect("it is there");
    assert!(!front.contains("live.js") && !front.contains("me/"), "the pages need no club any more: {front}");
    place.arena("verify --journal club/season.db").expect_code(0);
}

#[test]
fn a_bot_is_refused_in_the_words_of_check_and_the_version_before_plays_on() {
    let place = club();
    let served = Served::start(&place, "");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    for (bot, state) in [("exports-nothing", "refused"), ("divides-by-zero", "faulted")] {
        let submitted = served.submit(&format!("{bot}.wasm"), "ann").expect_code(3).json();
        assert_eq!(submitted["state"], state, "{bot}");
        let finding = submitted["finding"].as_str().expect("it has a finding");
        let check = place.arena(&format!("check {bot}.wasm --rules guide")).expect_code(3).stdout;
        let is_same =
            |line: &&str| ["why", "next", "fault", "verdict"].iter().any(|word| line.starts_with(word));
        let of_check: Vec<&str> = check.lines().filter(is_same).collect();
        assert!(of_check.len() > 1, "{check}");
        of_check.iter().for_each(|line| assert!(finding.contains(line), "{line} is not in\n{finding}"));
        // The same file has the same verdict.
        assert_eq!(served.submit(&format!("{bot}.wasm"), "ann").expect_code(3).json(), submitted);
    }
    let core = b"\0asm\x01\0\0\0";
    place.write("core.wasm", core);
    let core = served.submit("core.wasm", "ann").expect_code(3).json();
    let check = place.arena("check core.wasm").expect_code(3).stdout;
    let why = check.lines().find(|line| line.starts_with("why")).expect("it has a reason");
    assert!(core["finding"].as_str().is_some_and(|finding| finding.contains(why)), "{core}");
    let of_other = served.submit("sweeper.wasm", "ben").expect_code(3).json();
    assert!(
        of_other["finding"].to_string().contains("the same component as a bot of another author"),
        "{of_other}"
    );

    let mine = served.author("mine -o json", "ann").expect_code(0).json();
    let states: Vec<&str> =
        mine.as_array().expect("a list").iter().filter_map(|it| it["state"].as_str()).collect();
    assert_eq!(states, ["refused", "faulted", "refused", "plays"]);
    let kept = place.files("club/bots").len();
    assert_eq!(kept, 1, "components that do not play are not kept");
}

#[test]
fn an_author_sees_nothing_of_another_and_without_a_token_nothing_at_all() {
    let place = club();
    let served = Served::start(&place, "");
    let id = served.submit("sweeper.wasm", "ann").expect_code(0).json()["id"].clone();
    let ask = |path: &str, author: &str| {
        let token = token(&place, author);
        let request = format!("GET {path} HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {token}\r\n\r\n");
        served.send(request.as_bytes())
    };
    ask(&format!("/submissions/{id}"), "ann").expect(200);
    let of_other = ask(&format!("/submissions/{id}"), "ben").expect(404).body;
    let of_none = ask("/submissions/99", "ben").expect(404).body;
    assert_eq!(of_other, of_none, "the answers do not differ");
    assert_eq!(ask("/mine", "ben").expect(200).body, "[]");
    place.write("wrong", "9OsfOMSukxKkM85pQEi1M4zUPSl2dOcRTgzAQh6gU4k");
    for path in ["/mine", &format!("/submissions/{id}")] {
        let none = served.get(path).expect(401);
        assert!(none.head.contains("www-authenticate: Bearer"), "{}", none.head);
        ask(path, "wrong").expect(401);
    }
    let wrong = served.submit("hunter.wasm", "wrong").expect_code(2);
    assert!(
        wrong.stderr.contains("the club: the token is wrong, or was revoked\n  next: "),
        "{}",
        wrong.stderr
    );
    let missing = place.arena(&format!("mine --to http://{}", served.address)).expect_code(2);
    assert!(
        missing.stderr.contains("--token-file") && missing.stderr.contains("ARENA_TOKEN"),
        "{}",
        missing.stderr
    );

    // What another process revokes and enters is known at once.
    place.arena("club revoke ann --data club").expect_code(0);
    ask("/mine", "ann").expect(401);
    let again = place.arena("club invite ann --data club").expect_code(0).stdout;
    place.write("ann", again);
    ask("/mine", "ann").expect(200);
    for (args, message) in [
        ("club invite ann --data club", "ann has a token already"),
        ("club invite ../x --data club", "is not a name"),
        ("club revoke eve --data club", "no author of this name"),
        ("club revoke eve --data nothing", "nothing: has no club"),
        ("club serve --data .", "no club"),
        ("mine --to ftp://club", "is not the address of a club"),
    ] {
        let refused = place.arena(args).expect_code(2);
        assert!(refused.stderr.contains(message), "{args}: {}", refused.stderr);
    }
    let database = fs::read(place.path("club/club.db")).expect("it is there");
    let wal = fs::read(place.path("club/club.db-wal")).unwrap_or_default();
    for author in ["ann", "ben"] {
        let token = token(&place, author);
        for bytes in [&database, &wal] {
            assert!(!bytes.windows(token.len()).any(|part| part == token.as_bytes()), "a token is kept");
        }
    }
}

#[test]
fn the_commands_of_the_guide_play_a_season() {
    let place = Place::empty();
    fs::copy(house_bot("sweeper"), place.path("my_bot.wasm")).expect("it can be copied");
    fs::copy(house_bot("hunter"), place.path("hunter.wasm")).expect("it can be copied");
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().expect("it is in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("there is a path"));
    let mut served = None;
    let mut commands = 0;
    let blocks = [PAGE, PRIVACY].into_iter().flat_map(|page| page.split("```").skip(1).step_by(2));
    let blocks = blocks.filter_map(|block| block.strip_prefix("sh\n"));
    for line in blocks.flat_map(str::lines) {
        let line = line.split(" # ").next().unwrap_or(line).trim();
        commands += 1;
        if line == "arena club serve --data club" {
            let started = Served::start(&place, "--games 20");
            // Somebody else to play against.
            let invited = place.arena("club invite ben --data club").expect_code(0).stdout;
            place.write("ben", invited);
            started.submit("hunter.wasm", "ben").expect_code(0);
            served = Some(started);
            continue;
        }
        if line.starts_with("arena club season reveal ") {
            served.take().map(Served::interrupt);
        }
        // The last season is over, and its club is served for this command alone.
        let again = (line.starts_with("arena mine ") && served.is_none()).then(|| Served::start(&place, ""));
        let line = match again.as_ref().or(served.as_ref()) {
            Some(served) => line.replace("127.0.0.1:8080", &served.address),
            None => line.to_owned(),
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(place.folder()).stdin(Stdio::null());
        let usual = command(place.folder(), &[] as &[&str]);
        shell.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PATH", &path);
        Run::of(&mut shell).expect_code(0);
        again.map(Served::interrupt);
    }
    assert_eq!(commands, 19);
}
