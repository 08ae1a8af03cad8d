//! A club whose games are played by workers.

use crate::setting::{Running, Setting};
use crate::support::{Place, command};
use arena_testkit::nats::{Server, server_or_skip};
use arena_testkit::{wait_for, wait_with_pauses};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

/// A club that is served, ended at the end of the test.
struct Served<'a> {
    place: &'a Place,
    child: Child,
    address: String,
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Served<'a> {
    fn start(place: &'a Place, server: &Server, options: &str) -> Self {
        let args =
            format!("club serve --data club --listen 127.0.0.1:0 --workers {} {options}", server.url());
        let mut command = command(place.folder(), &args.split_whitespace().collect::<Vec<_>>());
        let said = std::fs::File::create(place.path("said")).expect("it can be written");
        let mut child = command.stdout(Stdio::piped()).stderr(said).spawn().expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("it can be read");
        let address = line.trim().to_owned();
        assert!(address.starts_with("http://"), "{line}{}", said_of(place));
        Self { place, child, address }
    }

    fn submit(&self, bot: &str, author: &str) {
        let args = format!("submit {bot}.wasm --to {} --token-file {author}", self.address);
        self.place.arena(&args).expect_code(0);
    }

    /// The number of games of an author's latest version.
    fn games(&self, author: &str) -> u64 {
        let token = std::fs::read_to_string(self.place.path(author)).expect("it is there");
        let address = self.address.parse().expect("it is an address");
        let mine = arena_club::mine(&address, token.trim()).expect("it answers");
        mine[0].standing.as_ref().map_or(0, |standing| u64::from(standing.games))
    }

    fn wait_for_games(&self, author: &str, games: u64) {
        wait_with_pauses(Duration::from_millis(50), || (self.games(author) >= games).then_some(()))
            .unwrap_or_else(|| panic!("{} games: {}", self.games(author), said_of(self.place)));
    }
}

fn said_of(place: &Place) -> String {
    std::fs::read_to_string(place.path("said")).unwrap_or_default()
}

fn club() -> Option<Setting> {
    let setting = Setting::with(Place::with_house_bots())?;
    for author in ["ann", "ben", "cat"] {
        let token = setting.place.arena(&format!("club invite {author} --data club")).expect_code(0).stdout;
        setting.place.write(author, token);
    }
    Some(setting)
}

fn worker(setting: &Setting, name: &str) -> Running {
    setting.worker(name)
}

#[test]
fn the_games_of_a_club_are_played_by_workers_whoever_of_them_is_there() {
    let Some(setting) = club() else { return };
    let Setting { place, server } = &setting;
    let served = Served::start(place, server, "--games 20 --games-min 8");
    served.submit("hunter", "ann");
    served.submit("random", "ben");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(served.games("ann"), 0, "nothing is played here");
    let north = worker(&setting, "north");
    served.wait_for_games("ann", 8);
    // Another stage, with a new bot and another worker.
    let _south = worker(&setting, "south");
    served.submit("sweeper", "cat");
    served.wait_for_games("cat", 8);
    drop(north);
    for (author, games) in [("ann", 40), ("ben", 40), ("cat", 40)] {
        served.wait_for_games(author, games);
    }
    drop(served);
    place.arena("club season reveal --data club").expect_code(0);
    let verified = place.arena("verify --journal club/season.db").expect_code(0).stdout;
    assert!(verified.contains("is intact"), "{verified}");
    let info = place.arena("journal info club/season.db -o json").expect_code(0).json();
    assert_eq!(info["games-kept"], 60);
    let stages = info["stages"].as_array().expect("a list");
    assert!(stages.iter().any(|stage| stage["settings"]["format"]["format"] == "neighbours"));
}

#[test]
fn a_club_whose_server_of_workers_is_missing_takes_bots_and_plays_when_it_is_there() {
    let Some(server) = server_or_skip(&[]) else { return };
    let url = server.url();
    let Some(setting) = club() else { return };
    let place = &setting.place;
    let wrong =
        place.arena("club serve --data club --listen 127.0.0.1:0 --workers http://there").expect_code(2);
    assert!(wrong.stderr.contains("the address of the server"), "{}", wrong.stderr);
    let served = Served::start(place, &server, "--games 20");
    drop(server);
    served.submit("hunter", "ann");
    served.submit("random", "ben");
    let told = || said_of(place).contains("the workers' server cannot be used");
    wait_for(|| told().then_some(())).unwrap_or_else(|| panic!("{}", said_of(place)));
    assert_eq!(served.games("ann"), 0);
    // The same club with another server.
    drop(served);
    let served = Served::start(place, &setting.server, "--games 20");
    let _worker = worker(&setting, "north");
    served.wait_for_games("ann", 20);
    assert!(!said_of(place).contains(url.as_str()), "the old server is not asked");
}
