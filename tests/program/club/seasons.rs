//! The seasons of a club: frozen, revealed, and followed by another one; and the log of heads.

use super::{Served, Session, club};
use crate::support::Place;
use serde_json::Value;
use std::fs;

fn seasons(place: &Place) -> Vec<Value> {
    let list = place.arena("club season list --data club -o json").expect_code(0).json();
    list.as_array().expect("a list").clone()
}

/// The lines of the log of heads without their times: season, stage, links and head.
fn heads(log: &str) -> Vec<Vec<String>> {
    let line = |line: &str| {
        let parts: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!((parts.len(), parts[4].len()), (5, 64), "{line}");
        assert!(parts[0].ends_with('Z'), "{line}");
        parts[1..].to_vec()
    };
    log.lines().map(line).collect()
}

#[test]
fn a_frozen_season_takes_no_bots_and_plays_on() {
    let place = club();
    let served = Served::start(&place, "--games 40");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    let said = place.arena("club season freeze --data club").expect_code(0).stdout;
    assert_eq!(said, "season 1 is frozen: it takes no more bots, and those that play go on\n");
    assert_eq!(seasons(&place)[0]["state"], "frozen");
    for bot in ["hunter", "sweeper"] {
        let refused = served.submit(&format!("{bot}.wasm"), "ann").expect_code(2).stderr;
        let (said, next) =
            refused.split_once(" UTC, and the bots that play go on\n").expect("it has the time");
        assert!(said.starts_with("arena: the club: season 1 takes no bots: it is frozen since 20"), "{said}");
        assert_eq!(next, "  next: wait for the next season, or ask the organiser\n");
    }
    // Before the first game, and where bots are submitted.
    let own = Session::of(&served, "ann").get("").expect(200).body;
    for page in [served.get("/").expect(200).body, served.get("/submit").expect(200).body, own] {
        let notice = "This season takes no bots: it is frozen since 20";
        assert!(page.contains(notice) && !page.contains("type=\"file\""), "{page}");
    }
    assert_eq!(served.latest("ann")["state"], "plays");
    let again = place.arena("club season freeze --data club").expect_code(2).stderr;
    assert!(again.contains("season 1 is frozen already\n  next: "), "{again}");
    let undone = place.arena("club season freeze --data club --undo").expect_code(0).stdout;
    assert_eq!(undone, "season 1 takes bots again\n");
    let open = place.arena("club season freeze --data club --undo").expect_code(2).stderr;
    assert!(open.contains("season 1 is not frozen"), "{open}");
    served.submit("hunter.wasm", "ben").expect_code(0);
    assert!(served.get("/submit").expect(200).body.contains("type=\"file\""));
    served.wait_for_games("ann", 40);
    let pages = ["/", "/season.html", "/projector.html"];
    served.wait_for_page("/projector.html", "40 games");
    for page in pages {
        assert!(!served.get(page).expect(200).body.to_lowercase().contains("frozen"), "{page}");
    }
    // Another process freezes it when nothing is left to play.
    place.arena("club season freeze --data club").expect_code(0);
    served.wait_for_page("/projector.html", "frozen since 20");
    for page in pages {
        let text = served.wait_for_page(page, "since 20").to_lowercase();
        assert!(text.contains("frozen") && text.contains(" utc"), "{page}: {text}");
    }
}

#[test]
fn a_season_is_revealed_and_another_one_begins_with_the_same_authors() {
    let place = club();
    let early = place.arena("club season new --data club").expect_code(2).stderr;
    assert!(early.contains("season 1 has no games yet"), "{early}");
    let options = "--games 8 --title Autumn";
    let served = Served::start(&place, options);
    served.get("/heads.txt").expect(404);
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 8);
    served.wait_for_page("/", "ben");
    for command in ["reveal", "new"] {
        let busy = place.arena(&format!("club season {command} --data club")).expect_code(2).stderr;
        assert!(busy.contains("another `arena club` serves this club"), "{busy}");
    }
    let log = served.get("/heads.txt").expect(200);
    assert!(log.head.contains("content-type: text/plain"), "{}", log.head);
    served.interrupt();
    let goes_on = place.arena("club season new --data club").expect_code(2).stderr;
    assert!(goes_on.contains("season 1 goes on, after 8 games\n  next: "), "{goes_on}");

    let revealed = place.arena("club season reveal --data club --title Autumn").expect_code(0);
    assert!(revealed.stdout.starts_with("season 1 is over, after "), "{}", revealed.stdout);
    assert!(revealed.stdout.contains("secret seed: ") && revealed.stderr.contains("arena club season new"));
    let again = place.arena("club season reveal --data club").expect_code(2).stderr;
    assert!(again.contains("the season is closed already"), "{again}");
    let frozen = place.arena("club season freeze --data club").expect_code(2).stderr;
    assert!(frozen.contains("season 1 is over"), "{frozen}");
    let verified = place.arena("verify --journal club/season.db").expect_code(0).stdout;
    assert!(verified.contains("is intact"), "{verified}");

    // The pages of a season that is over stay, and nothing else does.
    let served = Served::start(&place, options);
    let page = served.get("/").expect(200).body;
    assert!(page.contains("Autumn") && page.contains("closed"), "{page}");
    let over = served.submit("random.wasm", "ann").expect_code(2).stderr;
    assert!(over.contains("season 1 takes no bots: it is over"), "{over}");
    assert_eq!(served.latest("ann")["standing"]["games"], 8);
    let said = served.interrupt();
    assert!(said.contains("season 1 is over: its pages are served"), "{said}");

    let begun = place.arena("club season new --data club").expect_code(0).stdout;
    assert_eq!(begun, "season 2 begins with the authors of before, and their bots\n");
    let served = Served::start(&place, "--games 8 --title Winter");
    assert_eq!(served.latest("ann")["state"], "plays", "the versions stay");
    let counted = served.wait_for_games("ann", 8);
    assert_eq!(counted["standing"]["games"], 8, "it begins anew");
    served.wait_for_page("/", "Winter");
    for path in ["/seasons/1/", "/seasons/1/index.html"] {
        assert!(served.get(path).expect(200).body.contains("Autumn"), "{path}");
    }
    served.get("/seasons/1/bots/1.html").expect(200);
    for path in [
        "/seasons/1/season.db",
        "/seasons/1/../club.db",
        "/seasons/1/..%2f..%2fclub.db",
        "/seasons/01/index.html",
        "/seasons/9/index.html",
        "/seasons/1",
        "/seasons/../index.html",
    ] {
        served.get(path).expect(404);
    }
    let list = seasons(&place);
    let column = |name: &str| list.iter().map(|season| season[name].clone()).collect::<Vec<Value>>();
    assert_eq!(column("number"), [1, 2]);
    assert_eq!(column("state"), ["revealed", "open"]);
    assert_eq!((column("games"), column("bots")), (vec![8.into(), 8.into()], vec![2.into(), 2.into()]));
    let table = place.arena("club season list --data club").expect_code(0).stdout;
    assert!(table.lines().count() == 3 && table.contains("revealed"), "{table}");

    // Each head is in the log, once, in the order in which they came; and the journals still have it.
    let log = served.get("/heads.txt").expect(200).body;
    let lines = heads(&log);
    for (season, place_of_journal) in [("1", "club/seasons/1/season.db"), ("2", "club/season.db")] {
        let of_season: Vec<&Vec<String>> = lines.iter().filter(|line| line[0] == season).collect();
        let links: Vec<u64> = of_season.iter().map(|line| line[2].parse().expect("it is a number")).collect();
        assert!(!links.is_empty() && links.is_sorted_by(|one, next| one < next), "{log}");
        for line in of_season {
            let verify = format!("verify --journal {place_of_journal} --sample 1 --head {}", line[3]);
            let verified = place.arena(&verify);
            assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
        }
    }
    let last_of = |season: &str| lines.iter().rfind(|line| line[0] == season).map(|line| line[3].clone());
    let heads_of_list: Vec<String> =
        list.iter().map(|season| season["head"].as_str().expect("it has one").to_owned()).collect();
    assert_eq!(last_of("1").as_ref(), heads_of_list.first());

    // A backup has all seasons.
    place.arena("club backup all.tar --data club").expect_code(0);
    served.interrupt();
    place.arena("club restore all.tar --data restored").expect_code(0);
    for file in ["seasons/1/season.db", "season.db"] {
        let standings =
            |folder: &str| place.arena(&format!("standings {folder}/{file}")).expect_code(0).stdout;
        assert_eq!(standings("restored"), standings("club"));
    }
    assert!(!place.files("restored/seasons/1/season.db.bots").is_empty());
    assert!(fs::read_to_string(place.path("restored/heads.txt")).is_ok_and(|log| log.contains(" 2 1 ")));
}

#[test]
fn a_season_that_was_begun_by_a_stopped_process_is_finished() {
    let place = club();
    let served = Served::start(&place, "--games 20");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 20);
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
    // Some files are moved, and the register knows nothing of it.
    fs::create_dir_all(place.path("club/seasons/1")).expect("it can be made");
    fs::rename(place.path("club/season.db.bots"), place.path("club/seasons/1/season.db.bots"))
        .expect("it is there");
    let served = Served::start(&place, "--games 20");
    assert_eq!(seasons(&place).len(), 2);
    served.wait_for_games("ann", 20);
    served.interrupt();
    place.arena("verify --journal club/seasons/1/season.db").expect_code(0);
    // All files are moved.
    place.arena("club season reveal --data club").expect_code(0);
    fs::create_dir_all(place.path("club/seasons/2")).expect("it can be made");
    for file in ["season.db", "season.db.bots", "site"] {
        let moved =
            fs::rename(place.path(&format!("club/{file}")), place.path(&format!("club/seasons/2/{file}")));
        moved.expect("it is there");
    }
    let begun = place.arena("club season new --data club").expect_code(0).stdout;
    assert!(begun.starts_with("season 3 begins"), "{begun}");
    assert_eq!(
        seasons(&place).iter().map(|season| season["games"].as_u64()).collect::<Vec<_>>(),
        [Some(20), Some(20), Some(0)]
    );
}

#[test]
fn a_club_whose_pages_were_read_leaves_one_file() {
    let place = club();
    let served = Served::start(&place, "--games 20");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 20);
    served.wait_for_page("/", "ann");
    served.get("/games/1.html").expect(200);
    served.interrupt();
    assert!(!place.path("club/season.db-wal").exists());
    fs::copy(place.path("club/season.db"), place.path("copy.db")).expect("it can be copied");
    let copied = place.arena("journal info copy.db").expect_code(0);
    assert!(copied.stdout.contains("20 of 20 games") && copied.stderr.is_empty(), "{}", copied.stderr);
}

#[test]
fn other_commands_read_the_journal_while_the_club_is_served() {
    let place = club();
    let served = Served::start(&place, "--games 100000 --rules small.toml");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    served.submit("hunter.wasm", "ben").expect_code(0);
    served.wait_for_games("ann", 20);
    let standings = place.arena("standings club/season.db").expect_code(0).stdout;
    assert!(standings.contains("author.1") && standings.contains("author.2"), "{standings}");
    place.arena("games club/season.db --upsets --top 3").expect_code(0);
    place.arena("report club/season.db --output report --replays 5").expect_code(0);
    assert!(fs::read_to_string(place.path("report/index.html")).is_ok_and(|page| page.contains("author.1")));
    let verified = place.arena("verify --journal club/season.db");
    assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
    // It goes on.
    let games = place.games_in("club/season.db");
    served.wait_for_games("ann", games + 20);
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);
}

#[test]
fn bots_whose_authors_agree_are_published_when_the_season_is_over_and_verified_elsewhere() {
    let place = club();
    let served = Served::start(&place, "--games 8 --rules small.toml");
    let invited = place.arena("club invite cat --data club").expect_code(0).stdout;
    place.write("cat", invited);
    let submit = |bot: &str, author: &str, options: &str| {
        let submitted =
            served.author(&format!("submit {bot}.wasm -o json {options}"), author).expect_code(0).json();
        (submitted["sha256"].as_str().expect("it is a text").to_owned(), submitted["published"] == true)
    };
    let (sweeper, is_published) = submit("sweeper", "ann", "--publish");
    assert!(is_published);
    let (hunter, is_published) = submit("hunter", "ben", "");
    assert!(!is_published);
    // Their author agrees later.
    submit("random", "cat", "");
    let (random, is_published) = submit("random", "cat", "--publish");
    assert!(is_published && served.latest("cat")["published"] == true);
    served.wait_for_games("cat", 16);
    served.wait_for_page("/", "cat");
    let component = |sha256: &str| format!("/downloads/{sha256}.wasm");
    for sha256 in [&sweeper, &hunter, &random] {
        served.get(&component(sha256)).expect(404);
    }
    served.interrupt();
    place.arena("club season reveal --data club").expect_code(0);

    // On another machine, there is nothing but what the pages offer.
    let served = Served::start(&place, "--games 8");
    let front = served.wait_for_page("/", "closed");
    assert!(front.contains(&sweeper) && !front.contains(&component(&hunter)[1..]), "{front}");
    served.get(&component(&hunter)).expect(404);
    fs::create_dir(place.path("elsewhere")).expect("it can be made");
    for (path, name) in [
        ("/downloads/journal.db".to_owned(), "journal.db"),
        (component(&sweeper), "one.wasm"),
        (component(&random), "other.wasm"),
    ] {
        let body = served.download(&path);
        place.write(&format!("elsewhere/{name}"), body);
    }
    let verified =
        place.arena("verify --journal elsewhere/journal.db elsewhere/one.wasm elsewhere/other.wasm -o json");
    let document = verified.json();
    assert_eq!((&document["verified"], &document["recordings"]), (&8.into(), &24.into()), "{document}");
    // The other games are those of the bot that is not there.
    let findings = document["findings"].as_array().expect("a list");
    let is_of_ben = |finding: &&Value| finding["verdict"] == "other-bot" && finding["what"] == "author.2";
    assert_eq!(findings.iter().filter(is_of_ben).count(), 16, "{document}");
}
