//! `arena report`: a site that is written whole or not at all, from journals of real games.

use crate::chain::drop_triggers;
use crate::support::{Beginning, Place, Run, SEED, signal};
use arena_pages::INDEX;
use arena_testkit::wait_for;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// The files of a folder and of the folders in it, by path.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(tree(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
    files
}

/// The site in a folder of a place, as text; without its pictures, downloads and index.
fn site(place: &Place, folder: &str) -> BTreeMap<String, String> {
    let text = |bytes| String::from_utf8(bytes).expect("pages are text");
    let is_text = |path: &str| !path.ends_with(".gif") && !path.starts_with("downloads/") && path != INDEX;
    let pages = tree(&place.path(folder)).into_iter().filter(|(path, _)| is_text(path));
    pages.map(|(path, bytes)| (path, text(bytes))).collect()
}

/// A place with a journal, `a.db`, of the games of three specimens, of which one faults.
fn place_with_a_journal() -> Place {
    static BEGINNING: Beginning = Beginning::new();
    BEGINNING.copy(play_a_journal)
}

fn play_a_journal() -> Place {
    let names = ["sweeper", "repeats-once-then-valid", "log-escapes", "divides-by-zero"];
    let place = Place::with_specimens(&names);
    let bots: Vec<String> = names.iter().map(|name| format!("{name}.wasm")).collect();
    let args = format!("run {} --games 2 --journal a.db --logs logs --seed {SEED}", bots.join(" "));
    place.arena(&args).expect_code(0);
    place
}

#[test]
fn a_link_to_a_game_has_a_picture_at_the_address_of_the_site() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 1 --journal a.db").expect_code(0);
    place.arena("report a.db -o site --url https://example.org/autumn").expect_code(0);
    let page = std::fs::read_to_string(place.path("site/games/1.html")).unwrap();
    assert!(
        page.contains(r#"property="og:image" content="https://example.org/autumn/games/1.gif""#),
        "{page}"
    );
    let picture = std::fs::read(place.path("site/games/1.gif")).unwrap();
    assert!(picture.starts_with(b"GIF89a"));
    // The site is still one, and is replaced.
    place.arena("report a.db -o site").expect_code(0);
    for wrong in ["example.org", "https://", "javascript:alert(1)", "https://example.org/\"><script>"] {
        let run = place.arena(&format!("report a.db -o site --url {wrong}")).expect_code(2);
        assert!(run.stderr.contains("is not the address of a site"), "{}", run.stderr);
    }
}

#[test]
fn a_site_is_the_same_for_any_number_of_workers_and_each_time_it_is_written() {
    let place = place_with_a_journal();
    let told = place.arena("report a.db -o site --logs logs --jobs 1").expect_code(0).stdout;
    assert_eq!(told, "site/index.html: 12 games of 4 bots, 12 with a replay\n");
    let first = tree(&place.path("site"));
    place.arena("report a.db -o site --logs logs --jobs 4").expect_code(0);
    assert_eq!(tree(&place.path("site")), first);
    assert!(!place.path("site.part").exists());
    place.arena("report a.db -o empty/below --replays none").expect_code(0);
    assert!(!place.path("empty/below/games").exists());
}

#[test]
fn a_page_that_has_not_changed_keeps_its_time() {
    let place = place_with_a_journal();
    let time = |page: &str| std::fs::metadata(place.path(page)).unwrap().modified().unwrap();
    place.arena("report a.db -o site --title Old").expect_code(0);
    let (style, front) = (time("site/style.css"), time("site/index.html"));
    sleep(Duration::from_millis(20));
    place.arena("report a.db -o site --title New").expect_code(0);
    assert_eq!(time("site/style.css"), style);
    assert!(time("site/index.html") > front, "its title has changed");
    place.arena("report a.db -o fresh --title New").expect_code(0);
    assert!(tree(&place.path("site")) == tree(&place.path("fresh")));
}

#[test]
fn the_front_page_has_the_standings_and_a_fault_leads_to_its_turn() {
    let place = place_with_a_journal();
    place.arena("report a.db -o site --logs logs --title Finals").expect_code(0);
    let site = site(&place, "site");
    let front = &site["index.html"];
    assert!(front.contains("<h1>Finals</h1>") && front.contains("The first three"), "{front}");
    assert!(front.contains("arena verify --journal journal.db bots/"), "{front}");
    // This hash shows if a journal is the published one.
    assert!(front.contains("Journal’s head"), "{front}");
    let faulty = site.values().find(|page| page.contains("<h1><bdi>divides-by-zero</bdi></h1>")).unwrap();
    let (_, link) = faulty.split_once("href=\"../games/").expect("a fault has a link to its game");
    let (link, _) = link.split_once('"').unwrap();
    let (game, turn) = link.split_once('#').unwrap();
    let game = &site[&format!("games/{game}")];
    assert!(game.contains(&format!("<li id=\"{turn}\" class=\"fault\">")), "{turn}");
    let logged = site.iter().find(|(path, page)| path.starts_with("games/") && page.contains("id=\"logs\""));
    assert!(logged.is_some(), "the output of log-escapes is on the page of a game");
    place.arena("report a.db -o unlogged").expect_code(0);
    let unlogged = tree(&place.path("unlogged"));
    assert!(unlogged.values().all(|page| !String::from_utf8_lossy(page).contains("id=\"logs\"")));
}

#[test]
fn a_cell_of_the_crosstable_leads_to_the_comparison_of_two_bots() {
    let place = Place::with_house_bots();
    place
        .arena(&format!("run random.wasm hunter.wasm sweeper.wasm --games 20 --seed {SEED} --journal a.db"))
        .expect_code(0);
    place.arena("report a.db -o site").expect_code(0);
    let site = site(&place, "site");
    let (_, crosstable) =
        site["index.html"].split_once("id=\"crosstable-h\"").expect("there is a crosstable");
    assert!(crosstable.contains("href=\"pairs/1-2.html\""), "{crosstable}");
    let page = &site["pairs/1-2.html"];
    // The stronger one is named first, although the other one has the first column.
    for text in [
        "By all games, hunter is at least ",
        " Elo above random. The likelihood that hunter is the stronger one is more than 99.9%.",
        "<th scope=\"row\">Score against each other</th><td class=\"n\">0.0% (0.0 to ",
        "<td class=\"n\">100.0% (",
        "<td class=\"n\">0 of 10</td><td class=\"n\">10 of 10</td>",
        "<th scope=\"row\"><bdi>sweeper</bdi></th><td class=\"n\"><a href=\"../pairs/1-3.html\">",
        "<a href=\"../pairs/2-3.html\">20 of 20</a> 100.0%</td><td class=\"n\"><strong>−",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
}

#[test]
fn a_knockout_has_a_bracket_and_a_swiss_its_rounds() {
    let place = Place::with_house_bots();
    for (format, expected) in [("knockout", "<h3>Final</h3>"), ("swiss --rounds 2", "Round 2 of 2")] {
        let name = format.split(' ').next().unwrap();
        place
            .arena(&format!(
                "run hunter.wasm random.wasm sweeper.wasm --format {format} --games 2 --journal {name}.db"
            ))
            .expect_code(0);
        place.arena(&format!("report {name}.db -o {name}")).expect_code(0);
        let front = &site(&place, name)["index.html"];
        assert!(front.contains(expected) && front.contains("The last round"), "{front}");
    }
}

#[test]
fn a_game_of_submarine_has_a_replay() {
    let place = Place::with_submarine_bots();
    place.arena("run sub-random.wasm sub-tracker.wasm --games 2 --journal a.db").expect_code(0);
    place.arena("report a.db -o site").expect_code(0);
    let page = &site(&place, "site")["games/1.html"];
    assert!(page.contains("class=\"board broad\"") && page.contains("attacks "), "{page}");
}

#[test]
fn a_side_without_a_fleet_has_an_empty_board_in_its_replay() {
    let place = Place::with_specimens(&["sweeper", "illegal-fleet"]);
    place.arena("run sweeper.wasm illegal-fleet.wasm --games 2 --journal a.db").expect_code(0);
    place.arena("report a.db -o site").expect_code(0);
    let page = &site(&place, "site")["games/1.html"];
    assert!(page.contains("<li id=\"seat2-turn0\" class=\"fault\">"), "{page}");
    let (_, second) = page.split_once("data-owner=\"2\"").unwrap();
    assert!(page.contains("class=\"ship ") && !second.contains("class=\"ship "), "{page}");
}

#[test]
fn a_journal_without_games_has_a_site_that_says_so() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 2 --journal a.db").expect_code(0);
    let journal = rusqlite::Connection::open(place.path("a.db")).unwrap();
    drop_triggers(&journal);
    // A run that was stopped before its first game leaves such a journal.
    let sql = "DELETE FROM game; DELETE FROM link WHERE kind = 'game'";
    journal.execute_batch(sql).unwrap();
    drop(journal);
    place.arena("report a.db -o site").expect_code(0);
    let front = &site(&place, "site")["index.html"];
    assert!(front.contains("0 games between 2 bots") && !front.contains("The first three"), "{front}");
    assert!(front.contains("running, 0 of 2 games played"), "{front}");
}

#[test]
fn only_so_many_games_as_asked_for_have_a_replay_and_the_page_says_why() {
    let place = place_with_a_journal();
    place.arena("report a.db -o site --replays 3").expect_code(0);
    let site = site(&place, "site");
    assert_eq!(site.keys().filter(|path| path.starts_with("games/")).count(), 3);
    assert!(site["index.html"].contains("3 games have a replay, the most interesting ones."));
    assert!(site["replays.html"].contains("fault"));
    for wrong in ["0", "-1", "some", "1.5"] {
        let refused = place.arena(&format!("report a.db -o other --replays={wrong}")).expect_code(2);
        assert!(
            refused.stderr.contains("choose all, none or a whole number from 1 to 10000000"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn a_folder_with_anything_but_a_site_is_never_replaced() {
    let place = place_with_a_journal();
    std::fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/letter.txt", "dear");
    let refused = place.arena("report a.db -o mine").expect_code(2);
    assert!(refused.stderr.contains("mine: is a folder with other files"), "{}", refused.stderr);
    let refused = place.arena("report a.db -o a.db").expect_code(2);
    assert!(refused.stderr.contains("a.db: is not a folder"), "{}", refused.stderr);
    place.arena("report a.db -o site").expect_code(0);
    place.write("site/CNAME", "contest.example");
    let before = tree(&place.path("site"));
    let refused = place.arena("report a.db -o site --title Other").expect_code(2);
    assert!(refused.stderr.contains("site: has CNAME"), "{}", refused.stderr);
    assert_eq!(tree(&place.path("site")), before);
    assert_eq!(tree(&place.path("mine")).len(), 1);
}

#[test]
fn a_journal_that_is_not_there_or_none_leaves_the_site_as_it_is() {
    let place = place_with_a_journal();
    place.arena("report a.db -o site").expect_code(0);
    let before = tree(&place.path("site"));
    place.write("b.db", "not a journal");
    for journal in ["c.db", "b.db"] {
        let refused = place.arena(&format!("report {journal} -o site")).expect_code(2);
        assert!(refused.stderr.contains(journal) && refused.stderr.contains("next: "), "{}", refused.stderr);
    }
    let refused = place.arena("report a.db -o site --logs nowhere").expect_code(2);
    assert!(refused.stderr.contains("nowhere: is not a folder of logs"), "{}", refused.stderr);
    assert_eq!(tree(&place.path("site")), before);
}

#[test]
fn a_full_disk_leaves_the_old_site() {
    let place = place_with_a_journal();
    place.arena("report a.db -o site").expect_code(0);
    let before = tree(&place.path("site"));
    // Files may have 8 KiB, in the shell's blocks of 512 bytes. The signal is ignored, so that writing fails.
    let args = "report a.db -o site --title Other";
    let line = format!("trap '' XFSZ; ulimit -f 16; exec {} {args}", env!("CARGO_BIN_EXE_arena"));
    let run = Run::of(Command::new("sh").args(["-c", &line]).current_dir(place.folder())).expect_code(1);
    assert!(run.stderr.contains("nothing has been replaced"), "{}", run.stderr);
    assert_eq!(tree(&place.path("site")), before);
    assert!(!place.path("site.part").exists());
}

#[test]
fn a_report_that_is_stopped_at_any_moment_leaves_the_old_site_or_the_new_one() {
    let place = Place::with_house_bots();
    place
        .arena(&format!("run hunter.wasm random.wasm --games 20 --journal a.db --seed {SEED}"))
        .expect_code(0);
    place.arena("report a.db -o site --replays all --title New").expect_code(0);
    let new = tree(&place.path("site"));
    place.arena("report a.db -o site --replays all --title Old").expect_code(0);
    let old = tree(&place.path("site"));
    assert_ne!(old, new);
    for (replays, name) in [(0, "INT"), (1, "KILL"), (4, "INT"), (8, "KILL"), (12, "TERM"), (16, "KILL")] {
        // What is left of a report would be counted.
        let _ = std::fs::remove_dir_all(place.path("site.part"));
        let mut report = place.start("report a.db -o site --replays all --title New");
        let written = || std::fs::read_dir(place.path("site.part/games")).map_or(0, Iterator::count);
        let is_over = wait_for(|| {
            let is_over = report.try_wait().expect("it is ours").is_some();
            (is_over || written() >= replays).then_some(is_over)
        });
        if !is_over.unwrap_or_else(|| panic!("{replays} replays are written")) {
            signal(&report, name);
            report.wait().unwrap();
        }
        let now = tree(&place.path("site"));
        assert!(now == old || now == new, "after {replays} replays and {name}");
    }
    // The leftovers of a killed report do no harm.
    place.arena("report a.db -o site --replays all --title New").expect_code(0);
    assert!(tree(&place.path("site")) == new);
    assert!(!place.path("site.part").exists());
}

#[test]
fn a_journal_is_reported_while_it_is_written() {
    let place = Place::with_house_bots();
    // The lines of games are not read, and would fill a pipe.
    let mut run = place.start("run hunter.wasm random.wasm --games 1000000 --journal a.db --quiet");
    let reported = (0..600).find_map(|_| {
        sleep(Duration::from_millis(100));
        let is_begun = place.arena("standings a.db -o json");
        let has_games = is_begun.code == 0 && is_begun.json()["games-played"].as_u64() > Some(0);
        has_games.then(|| place.arena("report a.db -o site --replays 5").expect_code(0))
    });
    signal(&run, "INT");
    run.wait().unwrap();
    reported.expect("the journal has games within a minute");
    let copied = place.arena("standings site/downloads/journal.db -o json").expect_code(0).json();
    assert!(copied["games-played"].as_u64() > Some(0), "the copy is a journal: {copied}");
    let front = &site(&place, "site")["index.html"];
    assert!(front.contains("<dd>running, ") && front.contains("The first three so far"), "{front}");
}

#[test]
fn a_bot_and_a_title_with_hostile_names_are_text() {
    let place = Place::with_specimens(&["sweeper", "escape-name"]);
    let hostile = "\"><img src=x onerror=alert(1)>.wasm";
    std::fs::rename(place.path("sweeper.wasm"), place.path(hostile)).unwrap();
    let run = |args: &[&str]| {
        let mut command = crate::support::command(place.folder(), args);
        Run::of(&mut command).expect_code(0)
    };
    run(&["run", hostile, "escape-name.wasm", "--games", "2", "--journal", "a.db"]);
    run(&["report", "a.db", "-o", "site", "--title", "</title><script>alert(1)</script>"]);
    for (path, page) in site(&place, "site") {
        assert!(!page.contains("<img") && !page.contains("<script>"), "{path}:\n{page}");
        assert!(!path.contains("img"), "{path}");
    }
}

#[test]
fn a_visitor_verifies_the_contest_with_the_files_of_the_site_and_its_line() {
    let place = Place::with_house_bots();
    place.arena("run hunter.wasm random.wasm --games 4 --seed secret --journal a.db").expect_code(0);
    place.arena("report a.db -o site --downloads all").expect_code(0);
    let front = &site(&place, "site")["index.html"];
    let (_, line) = front.split_once("<code>arena verify ").expect("there is a line");
    let (line, _) = line.split_once("</code>").unwrap();
    // The seed is secret until the season is closed.
    let secret = std::fs::read_to_string(place.path("a.db.seed")).unwrap();
    for (path, bytes) in tree(&place.path("site")) {
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(!has(secret.trim().as_bytes()), "{path}");
    }
    let close = place.arena("journal close a.db");
    close.expect_code(0);
    place.arena("report a.db -o site --downloads all").expect_code(0);
    let downloads = tree(&place.path("site/downloads"));
    assert_eq!(downloads.keys().filter(|path| path.ends_with(".wasm")).count(), 2);
    let folder = place.path("site/downloads");
    let args: Vec<&str> = std::iter::once("verify").chain(line.split(' ')).collect();
    // The head of the line before is a link of the chain still.
    let run = Run::of(&mut crate::support::command(&folder, &args)).expect_code(0);
    assert!(run.stdout.contains("verified 4 of 4"), "{}", run.stdout);
}

#[test]
fn a_copy_of_a_journal_is_kept_while_the_journal_is_the_same() {
    let place = place_with_a_journal();
    let number =
        |path: &str| std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(place.path(path)).unwrap());
    place.arena("report a.db -o site").expect_code(0);
    let copy = number("site/downloads/journal.db");
    assert_ne!(copy, number("a.db"), "a later run does not write into the site");
    place.arena("report a.db -o site --title Other").expect_code(0);
    assert_eq!(number("site/downloads/journal.db"), copy);
    place
        .arena(&format!(
            "run sweeper.wasm log-escapes.wasm --games 2 --journal a.db --seed {}",
            "1".repeat(64)
        ))
        .expect_code(0);
    place.arena("report a.db -o site").expect_code(0);
    let same = std::fs::read(place.path("site/downloads/journal.db")).unwrap()
        == std::fs::read(place.path("a.db")).unwrap();
    assert!(same && number("site/downloads/journal.db") != copy);
    place.arena("report a.db -o site --downloads none").expect_code(0);
    assert!(!place.path("site/downloads").exists());
}

#[test]
fn a_component_that_has_changed_next_to_its_journal_is_not_offered() {
    let place = place_with_a_journal();
    place.arena("report a.db -o site").expect_code(0);
    let before = tree(&place.path("site"));
    let kept = std::fs::read_dir(place.path("a.db.bots")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(kept, "other").unwrap();
    let refused = place.arena("report a.db -o site --downloads all").expect_code(2);
    assert!(
        refused.stderr.contains("has changed") && refused.stderr.contains("--downloads journal"),
        "{}",
        refused.stderr
    );
    assert_eq!(tree(&place.path("site")), before);
}

#[test]
fn the_upset_and_the_longest_game_are_of_the_last_week_and_have_a_replay() {
    let place = Place::with_house_bots();
    let run = |bots: &str, at: &str| {
        let line = format!("run {bots} --games 20 --journal a.db -q");
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = crate::support::command(place.folder(), &words);
        Run::of(command.env("SOURCE_DATE_EPOCH", at)).expect_code(0);
    };
    run("random.wasm sweeper.wasm", "1769860800");
    let longest = |front: &str| {
        let (_, card) = front.split_once("Longest game of the last seven days").expect("there is one");
        let (_, number) = card.split_once("games/").expect("it has a replay");
        number.split_once('.').unwrap().0.parse::<u32>().unwrap()
    };
    place.arena("report a.db -o site --replays 2").expect_code(0);
    let before = longest(&site(&place, "site")["index.html"]);
    assert!((1..=20).contains(&before), "{before}");
    // Games of the hunter are shorter, but they are later by a month.
    run("hunter.wasm sweeper.wasm", "1772452800");
    place.arena("report a.db -o site --replays 2").expect_code(0);
    let site = site(&place, "site");
    let front = &site["index.html"];
    assert!(longest(front) > 20, "{front}");
    assert_eq!(site.keys().filter(|path| path.starts_with("games/")).count(), 2);
    assert!(front.contains(">Change<") && front.contains(">new<"), "a stage has begun: {front}");
    assert!(front.contains("Ratings over time") && front.contains("<noscript><details>"), "{front}");
    assert!(!front.contains("sinking all ships"), "{front}");
}
