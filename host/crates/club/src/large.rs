//! A large club, measured: authors and versions of a year, and their games. See BENCHMARKS.md.

use crate::club::ClubOptions;
use crate::stages;
use crate::support::{bot, club};
use arena_store::Submission;
use axum::http::Method;
use std::fs;
use std::time::Instant;

/// The authors, and the versions of each. Chosen: the classes of a school, and a version in each month of a school year.
const AUTHORS: usize = 300;
const VERSIONS: usize = 10;

/// The authors whose versions are all admitted; of the others, the first one is. Chosen: most that pupils try is refused.
const BUSY: usize = 10;

/// The stages, of 15 s, of the first round; each other one has one. Chosen: so that the games are made in minutes.
const STAGES: usize = 6;

/// The memory of this process, in MiB: now, and at most so far.
fn memory() -> [u64; 2] {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) >> 10
    })
}

#[expect(clippy::disallowed_macros, clippy::print_stdout, reason = "a measurement is printed, not asserted")]
fn say(what: &str, since: Instant) {
    let [now, most] = memory();
    println!("{what}: {:.3} s, {now} MiB, {most} MiB at most", since.elapsed().as_secs_f64());
}

#[test]
#[ignore = "it measures, and takes some minutes"]
fn three_hundred_authors_with_three_thousand_versions() {
    let mut options = ClubOptions::default();
    (options.game.width, options.game.height, options.game.jobs) = (Some(7), Some(7), Some(2));
    let begun = Instant::now();
    let it = club(options.clone());
    let authors: Vec<_> = (0..AUTHORS).map(|number| it.author(&format!("pupil-{number:03}"))).collect();
    for round in 0..VERSIONS {
        for (number, author) in authors.iter().enumerate() {
            let padding = 100 + round * AUTHORS + number;
            if round == 0 || number < BUSY {
                it.admit(author, &bot(["builtin:random", "builtin:hunter"][number % 2], padding));
                continue;
            }
            // It is refused, as most are that pupils try.
            let submission =
                Submission { sha256: &format!("{padding:064}"), size: 1_000, now: 0, is_draft: false };
            let state = arena_store::VersionState::Refused;
            let entered = it.club.state.register(|register| {
                let version = register.submit(author, &submission)?.expect("the season is open");
                register.judge(version.id, state, &"a line of a finding\n".repeat(20))
            });
            entered.expect("it can be written");
        }
        let mut so_far = stages::recall(&it.club).expect("it can be read");
        for _ in 0..if round == 0 { STAGES } else { 1 } {
            stages::play_next(&it.club, &it.sandbox, &mut so_far, 0).expect("it can be played");
        }
        let games = arena_engine::JournalContent::read_begun(&it.folder.journal()).expect("it can be read");
        say(&format!("round {round}, {} games", games.map_or(0, |it| it.known.len())), begun);
    }
    let write = |it: &crate::support::Setting, what: &str| {
        let begun = Instant::now();
        it.club.state.live.report(it.club.pages.write(1, &|| false).expect("they can be written"));
        say(what, begun);
    };
    let begun = Instant::now();
    let it = it.again(options);
    say("it begins again", begun);
    write(&it, "its pages are written for the first time");
    write(&it, "its pages are written again");
    let begun = Instant::now();
    let mut so_far = stages::recall(&it.club).expect("it can be read");
    say("the journal is read", begun);
    it.admit(&authors[0], &bot("builtin:hunter", 99_999));
    let begun = Instant::now();
    stages::play_next(&it.club, &it.sandbox, &mut so_far, 0).expect("it can be played");
    say("a stage is played, of 15 s at most", begun);
    let organiser = it.folder.organised_by(None);
    let token = organiser.add("eve").expect("the name is free");
    let cookie =
        crate::support::cookie(&it.post("/organiser/sign-in", &[], &[("token", &token)], "127.0.0.1"));
    for what in ["the page of organisers, first", "the page of organisers, again"] {
        let begun = Instant::now();
        let page = it.ask_with("/organiser/", &[("cookie", &cookie)]);
        assert_eq!(page.status(), 200);
        let bytes = it.text(page).len();
        say(&format!("{what}, {bytes} bytes"), begun);
    }
    for path in ["/", "/api/v1/standings", "/me/"] {
        let begun = Instant::now();
        let answer = it.ask(Method::GET, path, "127.0.0.1");
        assert_eq!(answer.status(), 200);
        say(path, begun);
    }
    let place = tempfile::tempdir().expect("there is room");
    let file = place.path().join("club.tar");
    let begun = Instant::now();
    it.folder.back_up(&file).expect("it can be backed up");
    let size = file.metadata().expect("it is there").len() >> 20;
    say(&format!("a backup of {size} MiB"), begun);
    let begun = Instant::now();
    let restored = crate::folder::Folder::at(&place.path().join("restored"));
    restored.restore(&file).expect("it is whole");
    say("it is restored", begun);
    let begun = Instant::now();
    organiser.delete_author("pupil-001").expect("there is one");
    say("an author is deleted", begun);
}
