//! The commands in `docs/guide/src/remote-workers.md` work as written, except for the host name and the port.

use crate::support::{Place, caches};
use arena_testkit::skip::program_or_skip;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/guide/src/remote-workers.md");

/// The commands that run until they are killed.
const SERVICES: [&str; 2] = ["nats-server ", "arena worker "];

/// The programs that the commands need, besides those on any system.
const NEEDS: [&str; 2] = ["nats-server", "openssl"];

/// The blocks of commands.
fn blocks() -> impl Iterator<Item = &'static str> {
    PAGE.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"))
}

/// A shell script of a block's commands. Services run in the background and end with the script.
fn script(block: &str) -> String {
    let mut script = "set -e\ntrap 'kill $services; wait' EXIT\n".to_owned();
    for line in block.lines() {
        if !SERVICES.iter().any(|service| line.contains(service)) {
            script += &format!("{line}\n");
            continue;
        }
        script += &format!("{line} >> services.txt 2>&1 &\nservices=\"$services $!\"\n");
        if line.starts_with("nats-server ") {
            script = script.replace("nats-server ", "nats-server --ports_file_dir . ");
            script += "until ls *.ports 2> services.txt; do kill -0 $!; sleep 0.02; done\n";
        }
    }
    script
}

#[test]
fn the_commands_on_the_page_about_workers_play_contests() {
    if NEEDS.iter().any(|program| program_or_skip(program).is_none()) {
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).parent().expect("it is in a folder");
    let path = format!("{}:{}:/usr/sbin", program.display(), std::env::var("PATH").expect("there is a path"));
    let mut contests = 0;
    for block in blocks() {
        let place = Place::with_house_bots();
        std::fs::create_dir(place.path("bots")).expect("a new folder");
        for bot in ["hunter", "random"] {
            std::fs::rename(place.path(&format!("{bot}.wasm")), place.path(&format!("bots/{bot}.wasm")))
                .expect("it is there");
        }
        let script = script(block).replace("games.example.org", "localhost").replace("4222", &free_port());
        let shell = Command::new("sh")
            .args(["-c", &script])
            .current_dir(place.folder())
            .env("PATH", &path)
            .env("XDG_CACHE_HOME", caches())
            .output()
            .expect("there is a shell");
        let services = std::fs::read_to_string(place.path("services.txt")).unwrap_or_default();
        let error = String::from_utf8_lossy(&shell.stderr);
        assert!(shell.status.success(), "{script}\n{error}\n{services}");
        contests += script.matches("--workers").count();
        if script.contains("--workers") {
            place.arena("standings fleet.db").expect_code(0);
        }
    }
    assert_eq!(contests, 3, "the page has a contest on one machine, one with a token and one with TLS");
}

/// A free port.
fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there are ports");
    listener.local_addr().expect("it listens").port().to_string()
}
