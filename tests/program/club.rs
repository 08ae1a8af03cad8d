//! A club: authors submit bots over a real socket, and the bots play without end.

use crate::support::{Place, Run, command, house_bot, signal};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PAGE: &str = include_str!("../../docs/guide/src/club.md");

/// The longest time that a test waits for something. Chosen: a machine that is ten times as slow as usual.
const LONG: Duration = Duration::from_secs(120);

/// The size of a large file, in bytes. Chosen: larger than what a system keeps for a connection.
const FILE_BYTES: u64 = 256 << 20;

/// A club that is served.
struct Served<'a> {
    place: &'a Place,
    child: Child,
    address: String,
}

/// An answer to a request that was written by hand.
struct Answer {
    head: String,
    body: String,
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Served<'a> {
    /// Serves the club in the folder `club`.
    fn start(place: &'a Place, options: &str) -> Self {
        let args = format!("club serve --data club --listen 127.0.0.1:0 --jobs 1 {options}");
        Self::of(place, &mut command(place.folder(), &args.split_whitespace().collect::<Vec<_>>()))
    }

    fn of(place: &'a Place, command: &mut Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("it can be read");
        let Some(address) = line.trim().strip_prefix("http://") else {
            let mut said = String::new();
            child.stderr.take().expect("it is a pipe").read_to_string(&mut said).expect("it is text");
            panic!("it does not begin: {line}{said}");
        };
        Self { place, child, address: address.to_owned() }
    }

    /// Runs a command of an author against the club.
    fn author(&self, args: &str, author: &str) -> Run {
        self.place.arena(&format!("{args} --to http://{} --token-file {author}", self.address))
    }

    fn submit(&self, bot: &str, author: &str) -> Run {
        self.author(&format!("submit {bot} -o json"), author)
    }

    /// The latest version of an author.
    fn latest(&self, author: &str) -> Value {
        self.author("mine -o json", author).expect_code(0).json()[0].clone()
    }

    /// Waits until the latest version of an author has played this number of games, and returns it.
    fn wait_for_games(&self, author: &str, games: u64) -> Value {
        let begun = Instant::now();
        loop {
            let latest = self.latest(author);
            if latest["standing"]["games"].as_u64().is_some_and(|played| played >= games) {
                return latest;
            }
            assert!(begun.elapsed() < LONG, "{latest}");
            thread::sleep(Duration::from_millis(200));
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).expect("it is a socket");
        stream
    }

    /// Sends the bytes of a request, and reads the answer.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that has enough may answer before the end.
        let _ = stream.write_all(request);
        read_answer(stream)
    }

    fn get(&self, path: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: club\r\n\r\n").as_bytes())
    }

    /// Waits until a page has a text, and returns it.
    fn wait_for_page(&self, path: &str, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let page = self.get(path);
            if page.body.contains(text) {
                return page.body;
            }
            assert!(begun.elapsed() < LONG, "{text} is not in {}{}", page.head, page.body);
            thread::sleep(Duration::from_millis(200));
        }
    }

    fn kill(mut self) {
        self.child.kill().expect("it runs");
    }

    /// Ends it as Ctrl-C does, and returns what it has said.
    fn interrupt(mut self) -> String {
        signal(&self.child, "INT");
        let mut said = String::new();
        self.child.stderr.take().expect("it is a pipe").read_to_string(&mut said).expect("it is text");
        assert_eq!(self.child.wait().expect("it ends").code(), Some(130), "{said}");
        said
    }
}

fn read_answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // The connection may be reset behind the answer.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    Answer { head: head.to_owned(), body: body.to_owned() }
}

impl Answer {
    #[track_caller]
    fn expect(self, status: u16) -> Self {
        assert!(self.head.starts_with(&format!("HTTP/1.1 {status} ")), "{}\n{}", self.head, self.body);
        self
    }
}

/// A folder with house bots and specimens, and a club with two authors, whose tokens are in files of their names.
fn club() -> Place {
    let place = Place::with_specimens(&[
        "exports-nothing",
        "divides-by-zero",
        "escape-name",
        "log-escapes",
        "link-name",
    ]);
    for name in ["hunter", "random", "sweeper"] {
        fs::copy(house_bot(name), place.path(&format!("{name}.wasm"))).expect("it can be copied");
    }
    for author in ["ann", "ben"] {
        let invited = place.arena(&format!("club invite {author} --data club")).expect_code(0);
        assert!(invited.stderr.contains("printed only once"), "{}", invited.stderr);
        place.write(author, invited.stdout);
    }
    place
}

fn token(place: &Place, author: &str) -> String {
    fs::read_to_string(place.path(author)).expect("it is there").trim().to_owned()
}

/// The head of an upload.
fn upload(token: &str, length: &str) -> String {
    format!("POST /submit HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {token}\r\n{length}\r\n\r\n")
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

    // A new version takes the place of the old one, which stays in the list.
    served.submit("random.wasm", "ann").expect_code(0);
    let second = served.wait_for_games("ann", 24);
    assert_eq!((&second["version"], &second["state"]), (&2.into(), &"plays".into()));
    let mine = served.author("mine", "ann").expect_code(0).stdout;
    assert!(mine.lines().count() == 3 && mine.contains("admitted") && mine.contains("plays"), "{mine}");
    served.wait_for_page("/", "ann@1");
    // An author goes back to an earlier version by submitting it again.
    let again = served.submit("sweeper.wasm", "ann").expect_code(0).json();
    assert_eq!((&again["version"], &again["state"]), (&1.into(), &"plays".into()));

    let info = place.arena("journal info club/season.db").expect_code(0).stdout;
    assert!(info.contains("48 of 48 games by 3 bots"), "{info}");
    let verified = place.arena("verify --journal club/season.db");
    assert!(verified.stdout.contains("is intact"), "{}{}", verified.stdout, verified.stderr);
    let busy = place.arena("club close --data club").expect_code(2);
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

    let closed = place.arena("club close --data club").expect_code(0);
    assert!(closed.stdout.contains("seed"), "{}", closed.stdout);
    assert!(!place.path("club/season.db.seed").exists());
    place.arena("verify --journal club/season.db").expect_code(0);
    let over = place.arena("club serve --data club --listen 127.0.0.1:0").expect_code(2);
    assert!(over.stderr.contains("the season is closed"), "{}", over.stderr);
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
fn a_disqualified_author_is_told_why_and_plays_no_more_until_it_is_undone() {
    let place = club();
    let served = Served::start(&place, "--games 40");
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
fn a_club_is_restored_from_a_backup_that_was_made_while_it_was_served() {
    let place = club();
    let served = Served::start(&place, "--games 40");
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
    place.arena("club close --data club").expect_code(0);
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
    let served = Served::start(&place, "--games 40");
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
fn an_upload_is_limited_in_size_and_time_and_one_at_a_time() {
    let place = club();
    let served = Served::start(&place, "");
    let ann = token(&place, "ann");
    // By its length, before anything is sent.
    let large = served.send(upload(&ann, "Content-Length: 999999999999").as_bytes()).expect(413);
    assert!(large.body.contains("larger than"), "{}", large.body);
    // Without a length, as soon as it is too large: it may be endless, and is not kept.
    let mut endless = served.connect();
    endless.write_all(upload(&ann, "Transfer-Encoding: chunked").as_bytes()).expect("it is read");
    let block = [b"100000\r\n".as_slice(), &vec![7; 1 << 20], b"\r\n"].concat();
    let begun = Instant::now();
    while endless.write_all(&block).is_ok() {
        assert!(begun.elapsed() < LONG, "it has no end");
    }
    assert!(place.files("club/bots").is_empty());
    let mut large = served.connect();
    large.write_all(upload(&ann, "Transfer-Encoding: chunked").as_bytes()).expect("it is read");
    (0..65).try_for_each(|_| large.write_all(&block)).expect("it is read up to the limit");
    read_answer(large).expect(413);
    served.send(upload(&ann, "Content-Length: 0").as_bytes()).expect(400);
    served.send(upload(&ann, "").as_bytes()).expect(400);
    // With two lengths that differ, the chunks count, and no second request follows on the connection.
    for lengths in
        ["Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5"]
    {
        let both = format!("{}0\r\n\r\nGET / HTTP/1.1\r\n\r\n", upload(&ann, lengths));
        let answer = served.send(both.as_bytes()).expect(400);
        assert!(answer.head.contains("connection: close"), "{}", answer.head);
        assert!(
            answer.body.contains("no file was sent") && !answer.body.contains("HTTP/1.1"),
            "{}",
            answer.body
        );
    }
    for lengths in ["Content-Length: 5\r\nContent-Length: 6", "Content-Length: +5", "Transfer-Encoding: gzip"]
    {
        served.send(upload(&ann, lengths).as_bytes()).expect(400);
    }

    // A slow upload keeps no other author from anything, and ends.
    let mut slow = served.connect();
    slow.write_all(upload(&ann, "Content-Length: 1000").as_bytes()).expect("it is read");
    slow.write_all(b"\0asm").expect("it is read");
    let begun = Instant::now();
    while place.files("club/bots").is_empty() {
        assert!(begun.elapsed() < LONG, "it does not begin");
        thread::sleep(Duration::from_millis(20));
    }
    let second = served.send(upload(&ann, "Content-Length: 4").as_bytes()).expect(429);
    assert!(second.body.contains("another upload with this token is in progress"), "{}", second.body);
    served.submit("hunter.wasm", "ben").expect_code(0);
    let ended = read_answer(slow).expect(408);
    assert!(ended.body.contains("paused for too long"), "{}", ended.body);
    assert!(begun.elapsed() < Duration::from_secs(60));
    // One that goes away in the middle leaves nothing.
    let mut cut = served.connect();
    cut.write_all(upload(&ann, "Content-Length: 1000").as_bytes()).expect("it is read");
    drop(cut);
    served.submit("sweeper.wasm", "ann").expect_code(0);
    assert!(place.files("club/bots").keys().all(|name| name.ends_with(".wasm")));
}

#[test]
fn a_client_that_is_slow_or_sends_too_much_is_ended_and_holds_up_no_other() {
    let place = club();
    let served = Served::start(&place, "");
    // As many as the server takes at a time: they send a part of a head, of a form, or nothing.
    let form = "POST /submit HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n\
                --b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc";
    let begun = Instant::now();
    // One asks for a file that no buffer holds, and reads nothing.
    let file = place.path("club/site/downloads/journal-1.db");
    fs::create_dir_all(file.parent().expect("it is in a folder")).expect("it can be made");
    fs::File::create(&file).and_then(|file| file.set_len(FILE_BYTES)).expect("it can be written");
    let mut deaf = served.connect();
    deaf.write_all(b"GET /downloads/journal-1.db HTTP/1.1\r\n\r\n").expect("it is read");
    let mut slow: Vec<TcpStream> = (0..300).map(|_| served.connect()).collect();
    for (number, stream) in slow.iter_mut().enumerate() {
        let part = ["GET / HTTP/1.1\r\nA: ", "", form][number % 3];
        stream.write_all(part.as_bytes()).expect("it is read");
    }
    served.get("/submit").expect(200);
    assert!(begun.elapsed() < Duration::from_secs(60), "it has waited too long");
    let form = read_answer(slow.remove(2)).expect(408);
    assert!(form.body.contains("paused for too long"), "{}", form.body);
    for mut stream in slow {
        let mut answer = Vec::new();
        // It ends, with an answer or without.
        let _ = stream.read_to_end(&mut answer);
    }
    assert!(begun.elapsed() < Duration::from_secs(90), "they are not ended");
    // What it gets now was on the way before it was given up.
    let got = std::io::copy(&mut deaf, &mut std::io::sink()).unwrap_or_default();
    assert!(got < FILE_BYTES, "it has got everything");

    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(17 << 10));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(65));
    for head in [long, many] {
        served.send(head.as_bytes()).expect(431);
    }
    served.get("/submit").expect(200);
}

#[test]
fn an_author_has_a_number_of_uploads_in_a_time() {
    let place = club();
    let served = Served::start(&place, "");
    let ann = token(&place, "ann");
    let empty = upload(&ann, "Content-Length: 0");
    for _ in 0..20 {
        served.send(empty.as_bytes()).expect(400);
    }
    let enough = served.send(empty.as_bytes()).expect(429);
    assert!(enough.body.contains("20 uploads with this token"), "{}", enough.body);
    served.submit("hunter.wasm", "ben").expect_code(0);
}

#[test]
fn a_club_that_is_killed_loses_no_submission_and_no_game() {
    let place = club();
    let served = Served::start(&place, "--games 100000");
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
    place.arena("club close --data club").expect_code(0);
    place.arena("verify --journal club/season.db").expect_code(0);
}

#[test]
fn a_disk_without_room_for_an_upload_costs_that_upload_and_nothing_else() {
    let place = club();
    // No file may be larger than four mebibytes. The program is not ended by that, as it is not by a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 4096; exec {} club serve --data club --listen 127.0.0.1:0",
        env!("CARGO_BIN_EXE_arena")
    );
    place.write("large.wasm", vec![7; 5 << 20]);
    let usual = command(place.folder(), &[] as &[&str]);
    let mut limited = Command::new("bash");
    limited.args(["-c", &script]).current_dir(place.folder()).stdin(Stdio::null());
    limited.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let served = Served::of(&place, &mut limited);
    let full = served.submit("large.wasm", "ann").expect_code(2);
    assert!(full.stderr.contains("the club cannot keep the bot"), "{}", full.stderr);
    assert!(place.files("club/bots").is_empty());
    served.get("/").expect(200);
    served.submit("sweeper.wasm", "ben").expect_code(0);
}

#[test]
fn a_form_submits_a_bot_without_scripts_and_cookies() {
    let place = club();
    let served = Served::start(&place, "");
    let page = served.get("/submit").expect(200);
    assert!(!page.body.contains("<script") && page.body.contains("type=\"password\""), "{}", page.body);
    assert!(page.head.contains("form-action 'self'") && !page.head.contains("set-cookie"), "{}", page.head);
    let form = |token: &str, bot: &str| {
        let part = |name: &str, more: &str| {
            format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n")
        };
        let bytes = fs::read(place.path(bot)).expect("it is there");
        let head =
            format!("{}{token}\r\n{}", part("token", ""), part("bot", "; filename=\"../../<b>.wasm\""));
        let body = [head.as_bytes(), &bytes, b"\r\n--b--\r\n"].concat();
        let head = format!(
            "POST /submit HTTP/1.1\r\nHost: club\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        served.send(&[head.as_bytes(), &body].concat())
    };
    let ann = token(&place, "ann");
    assert!(form("wrong", "sweeper.wasm").expect(401).body.contains("the token is wrong"));
    assert!(form(&ann, "sweeper.wasm").expect(200).body.contains("Version 1: plays"));
    // Names and logs of bots are shown as text.
    for (version, bot) in [(2, "escape-name.wasm"), (3, "log-escapes.wasm"), (4, "link-name.wasm")] {
        let shown = form(&ann, bot).expect(200).body;
        assert!(shown.contains(&format!("Version {version}: ")), "{shown}");
        assert!(
            !shown.contains('\u{1b}') && !shown.contains('\u{202e}') && !shown.contains("<b>"),
            "{shown}"
        );
        served.author("mine", "ann").expect_code(0);
        served.author(&format!("submit {bot}"), "ann");
    }
    served.send(b"POST /submit HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 3\r\n\r\nabc")
        .expect(400);
}

#[test]
fn no_path_leads_to_a_file_that_is_not_a_page() {
    let place = club();
    let served = Served::start(&place, "--games 20");
    served.submit("sweeper.wasm", "ann").expect_code(0);
    let sha256 = served.submit("hunter.wasm", "ben").expect_code(0).json()["sha256"].clone();
    served.wait_for_page("/", "ben");
    let kept = format!("/bots/{}.wasm", sha256.as_str().expect("it is a text"));
    for path in [
        "/club.db",
        "/season.db.seed",
        "/../club.db",
        "/%2e%2e/club.db",
        "/bots/../../club.db",
        "//etc/passwd",
        "/games/../../season.db.seed",
        "/.arena-report-index",
        "/.arena-report",
        "/lock",
        &kept,
    ] {
        served.get(path).expect(404);
    }
    for path in ["/", "/index.html", "/style.css", "/bots/1.html", "/games/1.html", "/downloads/journal-1.db"]
    {
        let page = served.get(path).expect(200);
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "frame-ancestors 'none'",
            "script-src 'self'",
        ] {
            assert!(page.head.contains(header), "{path}: {}", page.head);
        }
        let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("it has a tag");
        let again = format!("GET {path} HTTP/1.1\r\nIf-None-Match: {tag}\r\n\r\n");
        assert_eq!(served.send(again.as_bytes()).expect(304).body, "");
    }
    assert_eq!(served.send(b"HEAD / HTTP/1.1\r\n\r\n").expect(200).body, "");
    served.send(b"DELETE / HTTP/1.1\r\n\r\n").expect(405);
    served.send(b"PUT /submit HTTP/1.1\r\n\r\n").expect(405);
    served.send(b"\x16\x03\x01\x02\x00\x01\x00\n\n").expect(400);
}

#[test]
fn what_a_server_answers_is_printed_as_plain_text_or_not_at_all() {
    let place = club();
    let answer = |text: &'static str| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has an address");
        let answering = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("it is asked");
            let mut request = [0; 4096];
            let read = stream.read(&mut request).expect("it is asked");
            stream.write_all(text.as_bytes()).expect("it is read");
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        let run = place.arena(&format!("mine --to http://{address} --token-file ann"));
        assert!(answering.join().expect("it answers").contains("GET /mine HTTP/1.1\r\n"));
        run
    };
    let complaint =
        answer("HTTP/1.1 403 No\r\n\r\n{\"error\":\"\\u001b[31mred\\u202e\",\"next\":\"do\\nthis\"}");
    assert_eq!(complaint.expect_code(2).stderr, "arena: the club: red\n  next: do this\n");
    let finding = answer(
        "HTTP/1.1 200 OK\r\n\r\n[{\"id\":1,\"version\":1,\"sha256\":\"\\u001b]0;x\\u0007\",\"size-bytes\":1,\
         \"submitted-at\":\"\\u202e\",\"state\":\"refused\",\"finding\":\"\\u001b[2J\",\"standing\":null}]",
    );
    finding.expect_code(0);
    for text in [
        "HTTP/1.1 200 OK\r\n\r\n<html>",
        "HTTP/1.1 301 Moved\r\nLocation: http://example.org\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n{\"id\":1}",
    ] {
        let other = answer(text).expect_code(2);
        assert!(other.stderr.contains("and not as a club"), "{}", other.stderr);
    }
    for text in ["", "220 mail.example.org ESMTP\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]"] {
        let failed = answer(text).expect_code(1);
        assert!(failed.stderr.contains("the club cannot be reached"), "{}", failed.stderr);
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
    let blocks = PAGE.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
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
        if line.starts_with("arena club close ") {
            served.take().map(Served::interrupt);
        }
        let line = match &served {
            Some(served) => line.replace("127.0.0.1:8080", &served.address),
            None => line.to_owned(),
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(place.folder()).stdin(Stdio::null());
        let usual = command(place.folder(), &[] as &[&str]);
        shell.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PATH", &path);
        Run::of(&mut shell).expect_code(0);
    }
    assert_eq!(commands, 6);
}
