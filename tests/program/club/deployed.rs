//! The files in `examples/club`, with which a club is a service behind a proxy.

use super::{LONG, Served, club, read_answer, token};
use crate::support::{Place, Run, command};
use arena_testkit::skip::program_or_skip;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const UNIT: &str = include_str!("../../../examples/club/arena-club.service");
const NGINX: &str = include_str!("../../../examples/club/nginx.conf");
const CONTAINER: &str = include_str!("../../../examples/club/Containerfile");

/// The address from which the proxy asks the club, so that it is another one than its clients'.
const PROXY: &str = "127.0.0.5";

/// Checks that a command line of the program is one that it accepts: it is a club that begins.
fn expect_serves(line: &[&str]) {
    let place = club();
    let words: Vec<&str> = line
        .iter()
        .map(|word| match *word {
            "/data/club" | "/var/lib/arena-club" => "club",
            "/var/cache/arena-club" => "cache",
            "0.0.0.0:8080" | "127.0.0.1:9090" => "127.0.0.1:0",
            other => other,
        })
        .collect();
    let mut args = words;
    if !args.contains(&"--listen") {
        args.extend(["--listen", "127.0.0.1:0"]);
    }
    let served = Served::of(&place, &mut command(place.folder(), &args));
    served.get("/submit").expect(200);
    assert!(served.interrupt().contains("\"message\":\"serving\""));
}

/// The values of a key of a unit.
fn values<'a>(key: &'a str) -> impl Iterator<Item = &'static str> + 'a {
    UNIT.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix('='))
}

#[test]
fn the_unit_for_systemd_is_valid_and_starts_a_club() {
    let command: Vec<&str> = values("ExecStart").flat_map(str::split_whitespace).collect();
    assert_eq!(command[0], "/usr/local/bin/arena");
    expect_serves(&command[1..]);
    // A club that was interrupted has ended well.
    assert_eq!(
        (values("KillSignal").next(), values("SuccessExitStatus").next()),
        (Some("SIGINT"), Some("130"))
    );
    for key in ["NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "RestrictNamespaces"] {
        assert_eq!(values(key).collect::<Vec<_>>(), ["yes"], "{key}");
    }
    for line in UNIT.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
        assert!(
            line.split_once('=').is_some_and(|(key, _)| key.bytes().all(|b| b.is_ascii_alphanumeric())),
            "{line}"
        );
    }
    let place = Place::empty();
    place.write("arena-club.service", UNIT.replace("/usr/local/bin/arena", env!("CARGO_BIN_EXE_arena")));
    let mut verify = Command::new("systemd-analyze");
    verify.args(["verify", "--man=no", "arena-club.service"]).current_dir(place.folder());
    match verify.output() {
        Ok(verified) => {
            let said = String::from_utf8_lossy(&verified.stderr).into_owned();
            assert!(verified.status.success() && said.is_empty(), "{said}");
        }
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}"),
    }
}

#[test]
fn the_container_starts_a_club_that_is_ended_as_by_ctrl_c() {
    let instructions: Vec<(&str, &str)> = CONTAINER
        .lines()
        .filter(|line| !line.starts_with(['#', ' ']))
        .filter_map(|line| line.split_once(' '))
        .collect();
    let of =
        |name: &str| instructions.iter().find(|(instruction, _)| *instruction == name).map(|(_, rest)| *rest);
    let words = |name: &str| -> Vec<String> {
        serde_json::from_str(of(name).expect("it is there")).expect("a list of words")
    };
    assert_eq!(words("ENTRYPOINT"), ["/usr/local/bin/arena"]);
    assert_eq!((of("USER"), of("STOPSIGNAL"), of("VOLUME")), (Some("arena"), Some("SIGINT"), Some("/data")));
    let line = words("CMD");
    expect_serves(&line.iter().map(String::as_str).collect::<Vec<_>>());
    for (instruction, _) in instructions {
        let known =
            ["FROM", "COPY", "RUN", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD"];
        assert!(known.contains(&instruction), "{instruction}");
    }
}

/// A proxy that runs until it is dropped.
struct Proxy {
    child: Child,
    port: u16,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A certificate for this machine, and the authority that has signed it.
const CERTIFICATES: &str = "\
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=arena -keyout ca.key -out ca.pem
    openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout tls.key -out tls.csr
    openssl x509 -req -in tls.csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -days 2 -out tls.pem";

fn shell(folder: &Path, commands: &str) -> String {
    let output = Command::new("sh").args(["-e", "-c", commands]).current_dir(folder).output();
    let output = output.expect("there is a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl Proxy {
    /// Starts nginx with the example, whose addresses and certificates are those of the test.
    fn start(nginx: &Path, folder: &Path, club: &str) -> Self {
        let free = || {
            let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
            listener.local_addr().expect("it has an address").port()
        };
        let (open, port) = (free(), free());
        let here = folder.display();
        let mut example = NGINX.to_owned();
        for (from, to) in [
            ("server 127.0.0.1:8080;", format!("server {club};")),
            ("listen 80;", format!("listen 127.0.0.1:{open};")),
            ("listen 443 ssl http2;", format!("listen 127.0.0.1:{port} ssl http2;")),
            ("club.example.org/fullchain.pem", "tls.pem".into()),
            ("club.example.org/privkey.pem", "tls.key".into()),
            ("/etc/letsencrypt/live/", format!("{here}/")),
            ("club.example.org", "localhost".into()),
        ] {
            assert!(example.contains(from), "{from} is not in the example");
            example = example.replace(from, &to);
        }
        let places: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|name| format!("{name}_temp_path {here}/{name};\n"))
            .collect();
        let whole = format!(
            "daemon off;\nmaster_process off;\npid {here}/nginx.pid;\nerror_log {here}/error.log;\n\
             events {{}}\nhttp {{\naccess_log off;\n{places}proxy_bind {PROXY};\n{example}}}\n"
        );
        fs::write(folder.join("nginx.conf"), whole).expect("it can be written");
        let mut command = Command::new(nginx);
        command.arg("-c").arg(folder.join("nginx.conf")).arg("-p").arg(folder);
        command.args(["-e", &format!("{here}/error.log")]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::inherit()).spawn().expect("nginx starts");
        let proxy = Self { child, port };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let said = fs::read_to_string(folder.join("error.log")).unwrap_or_default();
            assert!(begun.elapsed() < LONG, "nginx does not begin: {said}");
            thread::sleep(Duration::from_millis(20));
        }
        let mut redirected = TcpStream::connect(("127.0.0.1", open)).expect("it listens");
        redirected.write_all(b"GET /x HTTP/1.0\r\nHost: localhost\r\n\r\n").expect("it reads");
        let answer = read_answer(redirected).expect(301);
        assert!(answer.head.contains("Location: https://localhost/x"), "{}", answer.head);
        proxy
    }

    /// Runs a command of an author against the club by way of the proxy.
    fn author(&self, place: &Place, args: &str, author: &str) -> Run {
        let line = format!("{args} --to https://localhost:{} --token-file {author}", self.port);
        let mut command = command(place.folder(), &line.split_whitespace().collect::<Vec<_>>());
        Run::of(command.env("SSL_CERT_FILE", place.path("ca.pem")))
    }

    /// Sends bytes inside of TLS.
    fn client(&self, place: &Place, request: &[u8]) -> Client {
        let mut client = Command::new("openssl");
        let trust = ["-verify_return_error", "-CAfile", "ca.pem", "-servername", "localhost"];
        client.args(["s_client", "-quiet"]).args(trust).current_dir(place.folder());
        client.args(["-connect", &format!("127.0.0.1:{}", self.port)]);
        client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut client = Client(client.spawn().expect("openssl starts"));
        client.0.stdin.as_mut().expect("it is a pipe").write_all(request).expect("it is read");
        client
    }

    /// Sends a request inside of TLS, and returns what comes back.
    fn send(&self, place: &Place, request: &[u8]) -> String {
        let mut client = self.client(place, request);
        let mut answer = String::new();
        client.0.stdout.take().expect("it is a pipe").read_to_string(&mut answer).expect("it is text");
        answer
    }
}

/// A client of the proxy. It ends when it is dropped.
struct Client(Child);

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The clients of all requests in a log.
fn clients(said: &str) -> Vec<String> {
    let documents = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let requests = documents.filter(|document| document["message"] == "request");
    requests.filter_map(|request| request["client"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_club_behind_nginx_takes_bots_over_tls_and_knows_its_clients() {
    let (Some(nginx), Some(_)) = (program_or_skip("nginx"), program_or_skip("openssl")) else { return };
    let place = club();
    shell(place.folder(), CERTIFICATES);
    let log = "--games 20 --log-format json --log-level debug";
    let served = Served::start(&place, &format!("--behind-proxy {log}"));
    let proxy = Proxy::start(&nginx, place.folder(), &served.address);
    let submitted = proxy.author(&place, "submit sweeper.wasm -o json", "ann").expect_code(0).json();
    assert_eq!(submitted["state"], "plays");
    proxy.author(&place, "submit hunter.wasm --wait", "ben").expect_code(0);
    // Larger than what nginx takes by itself, and as large as the sandbox's own limit: the club judges it.
    for (bytes, code) in [(5 << 20, 3), (64 << 20, 3), ((64 << 20) + 1, 2)] {
        place.write("large.wasm", vec![7; bytes]);
        let judged = proxy.author(&place, "submit large.wasm", "ann").expect_code(code);
        assert!(code == 3 || judged.stderr.contains("larger than 67108864 bytes"), "{}", judged.stderr);
    }
    let request = |head: &str| {
        proxy.send(
            &place,
            format!(
                "{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: 10.9.9.9\r\n\r\n"
            )
            .as_bytes(),
        )
    };
    let page = request("GET /submit");
    for header in [
        "HTTP/1.1 200 ",
        "content-security-policy: ",
        "x-content-type-options: ",
        "strict-transport-security: ",
    ] {
        assert_eq!(page.to_lowercase().matches(&header.to_lowercase()).count(), 1, "{header} in {page}");
    }
    assert!(request("GET /metrics").starts_with("HTTP/1.1 404 "));
    let mine = format!(
        "GET /mine HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        token(&place, "ann")
    );
    assert!(proxy.send(&place, mine.as_bytes()).contains("\"version\":1"));
    // A report of new pages arrives while the stream goes on.
    let mut stream = proxy.client(&place, b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let lines = BufReader::new(stream.0.stdout.take().expect("it is a pipe")).lines();
    let reports = lines.map_while(Result::ok).any(|line| line.starts_with("data: "));
    assert!(reports && stream.0.try_wait().expect("it is a child").is_none(), "the stream has ended");
    drop((stream, proxy));
    let of_clients = clients(&served.interrupt());
    assert!(of_clients.len() > 8 && of_clients.iter().all(|client| client == "127.0.0.1"), "{of_clients:?}");

    // Without the option, what the proxy adds counts for nothing.
    let served = Served::start(&place, log);
    let proxy = Proxy::start(&nginx, place.folder(), &served.address);
    proxy.author(&place, "mine", "ann").expect_code(0);
    drop(proxy);
    let of_clients = clients(&served.interrupt());
    assert!(!of_clients.is_empty() && of_clients.iter().all(|client| client == PROXY), "{of_clients:?}");
}
