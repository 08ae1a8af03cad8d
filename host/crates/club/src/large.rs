//! A large club, measured: authors and versions of a year, and their games. See BENCHMARKS.md.

use crate::club::ClubOptions;
use crate::stages;
use crate::support::{bot, club};
use arena_store::Submission;
use axum::http::Method;
use std::fs;

/// The authors, and the versions of each. Chosen: the classes of a school, and a version in each month of a school year.
const AUTHORS: usize = 300;
const VERSIONS: usize = 10;

/// The authors whose versions are all admitted; of the others, the first one is. Chosen: most that pupils try is refused.
const BUSY: usize = 10;

/// The stages, of 15 s, of the first round; each other one has one. Chosen: so that the games are made in minutes.
const STAGES: usize = 6;

/// The processor time and the memory of a part of the measurement.
struct Part {
    begun: f64,
}

/// The seconds of processor time that this process has used, with the processes that it has ended: fields 14 to 17, in hundredths of a second.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(4).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Part {
    fn begin() -> Self {
        // The peak of the memory begins anew.
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self { begun: processor_time() }
    }

    #[expect(
        clippy::disallowed_macros,
        clippy::print_stdout,
        reason = "a measurement is printed, not asserted"
    )]
    fn end(self, what: &str) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let [now, most] = ["VmRSS:", "VmHWM:"].map(|name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) >> 10
        });
        let time = processor_time() - self.begun;
        println!("{what}: {time:.2} s of processor time, {now} MiB, {most} MiB at most");
    }
}

#[test]
#[ignore = "it measures, and takes some minutes"]
fn three_hundred_authors_with_three_thousand_versions() {
    let mut options = ClubOptions::default();
    (options.game.width, options.game.height, options.game.jobs) = (Some(7), Some(7), Some(2));
    let it = club(options.clone());
    let authors: Vec<_> = (0..AUTHORS).map(|number| it.author(&format!("pupil-{number:03}"))).collect();
    for round in 0..VERSIONS {
        let part = Part::begin();
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
        part.end(&format!("round {round}, {} games", games.map_or(0, |it| it.known.len())));
    }
    let write = |it: &crate::support::Setting, what: &str| {
        let part = Part::begin();
        it.write_pages(1);
        part.end(what);
    };
    let part = Part::begin();
    let it = it.again(options);
    part.end("it begins again");
    write(&it, "its pages are written for the first time");
    write(&it, "its pages are written again");
    let part = Part::begin();
    let mut so_far = stages::recall(&it.club).expect("it can be read");
    part.end("the journal is read");
    it.admit(&authors[0], &bot("builtin:hunter", 99_999));
    let part = Part::begin();
    stages::play_next(&it.club, &it.sandbox, &mut so_far, 0).expect("it can be played");
    part.end("a stage is played, of 15 s at most");
    let organiser = it.folder.organised_by(None);
    let token = organiser.add("eve").expect("the name is free");
    let cookie =
        crate::support::cookie(&it.post("/organiser/sign-in", &[], &[("token", &token)], "127.0.0.1"));
    for what in ["the page of organisers, first", "the page of organisers, again"] {
        let part = Part::begin();
        let page = it.ask_with("/organiser/", &[("cookie", &cookie)]);
        assert_eq!(page.status(), 200);
        let bytes = it.text(page).len();
        part.end(&format!("{what}, {bytes} bytes"));
    }
    for path in ["/", "/api/v1/standings", "/api/v1/bots/pupil-000"] {
        let part = Part::begin();
        let answer = it.ask(Method::GET, path, "127.0.0.1");
        assert_eq!(answer.status(), 200);
        part.end(path);
    }
    let cookie = crate::support::cookie(&it.post("/me/sign-in", &[], &[("token", "pupil-000")], "127.0.0.1"));
    for what in ["the page of an author, first", "the page of an author, again"] {
        let part = Part::begin();
        let page = it.ask_with("/me/", &[("cookie", &cookie)]);
        assert_eq!(page.status(), 200);
        let bytes = it.text(page).len();
        part.end(&format!("{what}, {bytes} bytes"));
    }
    let place = tempfile::tempdir().expect("there is room");
    let file = place.path().join("club.tar");
    let part = Part::begin();
    it.folder.back_up(&file).expect("it can be backed up");
    let size = file.metadata().expect("it is there").len() >> 20;
    part.end(&format!("a backup of {size} MiB"));
    let part = Part::begin();
    let restored = crate::folder::Folder::at(&place.path().join("restored"));
    restored.restore(&file).expect("it is whole");
    part.end("it is restored");
    let part = Part::begin();
    organiser.delete_author("pupil-001").expect("there is one");
    part.end("an author is deleted");
}

/// The components of the backup that is measured, and the bytes of each. Chosen: 5 GB, as many as a club of a hundred authors keeps in a term.
const COMPONENTS: usize = 160;
const COMPONENT_BYTES: usize = 32 << 20;

#[test]
#[ignore = "it measures, and needs 11 GB of the disk"]
fn five_gigabytes_of_components_are_backed_up_and_restored() {
    let it = club(ClubOptions::default());
    for number in 0..COMPONENTS {
        let author = it.author(&format!("pupil-{number:03}"));
        it.admit(&author, &bot("builtin:random", COMPONENT_BYTES + number));
    }
    let place = tempfile::tempdir().expect("there is room");
    let file = place.path().join("club.tar");
    let part = Part::begin();
    it.folder.back_up(&file).expect("it can be backed up");
    part.end(&format!("a backup of {} MiB", file.metadata().expect("it is there").len() >> 20));
    // What is restored has the room of the club, which needs its files no more.
    fs::remove_dir_all(it.folder.bots()).expect("they can be removed");
    let part = Part::begin();
    crate::folder::Folder::at(&place.path().join("restored")).restore(&file).expect("it is whole");
    part.end("it is restored");
}
