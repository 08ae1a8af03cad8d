//! A real NATS server with JetStream, on loopback, for tests of contests on several machines.

use crate::skip;
use crate::wait::{PATIENCE, wait_for};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A server with a store of its own, and a port that the system has given. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    program: PathBuf,
    args: Vec<String>,
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

/// Starts a server with these arguments in addition to its own, such as `--auth TOKEN`. Where there is none, it returns `None`, and
/// the test is counted as skipped; see [`crate::skip`].
///
/// # Panics
/// If the server does not begin, or if it is missing where no test may be skipped.
pub fn server_or_skip(args: &[&str]) -> Option<Server> {
    let program = skip::program_or_skip("nats-server")?;
    let folder = TempDir::new().expect("a temporary folder");
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    let mut server = Server { program, args, folder, port: 0, process: None };
    server.start();
    Some(server)
}

impl Server {
    /// The address as commands take it: `nats://127.0.0.1:4222`.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    /// The address with user and password, or with a token, before it.
    pub fn url_with(&self, access: &str) -> String {
        format!("nats://{access}@{}", self.address())
    }

    /// The host and the port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The folder of its streams.
    pub fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    /// The lines that it has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// The number of the process.
    ///
    /// # Panics
    /// If it has been ended.
    pub fn id(&self) -> u32 {
        self.process.as_ref().expect("it runs").id()
    }

    /// Ends the server as a user does, and waits for its end.
    pub fn stop(&mut self) {
        self.end(Signal::TERM);
    }

    /// Ends the server as `kill -9` does, and waits for its end.
    pub fn kill(&mut self) {
        self.end(Signal::KILL);
    }

    /// Starts the server after it was ended, on the same port and with the same store.
    ///
    /// # Panics
    /// If it has not been ended, or does not begin.
    pub fn start(&mut self) {
        assert!(self.process.is_none(), "the server runs");
        // The first port is one that the system chooses.
        let port = if self.port == 0 { "-1".into() } else { self.port.to_string() };
        let mut command = Command::new(&self.program);
        command
            .args(["--addr", "127.0.0.1", "--port", &port, "--jetstream", "--store_dir"])
            .arg(self.store());
        command.arg("--ports_file_dir").arg(self.folder.path()).arg("--log").arg(self.log_path());
        command.args(&self.args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = self.process.insert(command.spawn().expect("the server starts"));
        let ports = self.folder.path().join(format!("nats-server_{}.ports", process.id()));
        let begun = wait_for(|| match process.try_wait().expect("it is a child") {
            Some(status) => Some(Err(status)),
            None => port_in(&ports).map(Ok),
        });
        match begun {
            Some(Ok(port)) => self.port = port,
            other => panic!("the server has not begun: {other:?}\n{}", self.log()),
        }
    }

    /// Asks the server, or who answers in its place, and returns the answer. JetStream's own subjects begin with `$JS.API.`.
    ///
    /// # Panics
    /// If the server does not answer, or not in JSON, or if it asks for a token or for TLS.
    pub fn request(&self, subject: &str, body: &[u8]) -> Value {
        let mut connection = self.connect();
        write!(connection.get_mut(), "SUB _INBOX.kit 1\r\n").expect("the server reads");
        publish(connection.get_mut(), &format!("{subject} _INBOX.kit"), body).expect("the server reads");
        let (_, answer) = message(&mut connection).unwrap_or_else(|| panic!("{subject}: there is no answer"));
        serde_json::from_slice(&answer).unwrap_or_else(|error| {
            panic!("{subject}: {error} in the answer {:?}", String::from_utf8_lossy(&answer))
        })
    }

    /// Publishes a message, and returns when the server has it.
    ///
    /// # Panics
    /// As [`Server::request`].
    pub fn publish(&self, subject: &str, body: &[u8]) {
        let mut connection = self.connect();
        publish(connection.get_mut(), subject, body).expect("the server reads");
        write!(connection.get_mut(), "PING\r\n").expect("the server reads");
        while line(&mut connection) != "PONG" {}
    }

    /// The number of messages in a stream; `None` when there is no such stream.
    pub fn messages(&self, stream: &str) -> Option<u64> {
        self.request(&format!("$JS.API.STREAM.INFO.{stream}"), b"")["state"]["messages"].as_u64()
    }

    /// The number of deliveries of a stream's messages so far, with those that were repeated.
    pub fn deliveries(&self, stream: &str) -> u64 {
        self.delivered(stream, "consumer_seq")
    }

    /// The number of deliveries that were repeated, if nothing has been taken out of the stream without being delivered.
    pub fn redeliveries(&self, stream: &str) -> u64 {
        self.deliveries(stream).saturating_sub(self.delivered(stream, "stream_seq"))
    }

    /// A number that JetStream reports of what it has delivered to each consumer of a stream, summed up.
    fn delivered(&self, stream: &str, number: &str) -> u64 {
        let answer = self.request(&format!("$JS.API.CONSUMER.LIST.{stream}"), b"");
        let consumers = answer["consumers"].as_array().map_or(&[][..], Vec::as_slice);
        consumers.iter().filter_map(|consumer| consumer["delivered"][number].as_u64()).sum()
    }

    /// Listens to all messages on these subjects from now on, in addition to their receivers. It ends with the server.
    ///
    /// # Panics
    /// As [`Server::request`].
    pub fn listen(&self, subjects: &[&str]) -> Listener {
        let mut connection = self.connect();
        // A number for each: the server would ignore a second one of the same number.
        let numbered = subjects.iter().enumerate();
        let subscriptions: String =
            numbered.map(|(number, subject)| format!("SUB {subject} {number}\r\n")).collect();
        write!(connection.get_mut(), "{subscriptions}PING\r\n").expect("the server reads");
        while line(&mut connection) != "PONG" {}
        Listener(connection)
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(self.address()).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("it is not zero");
        let mut connection = BufReader::new(stream);
        let greeting = line(&mut connection);
        let options =
            json!({"verbose": false, "pedantic": false, "headers": true, "lang": "test", "version": "1"});
        assert!(greeting.starts_with("INFO "), "{greeting}");
        // A server that refuses says so before it closes the connection.
        write!(connection.get_mut(), "CONNECT {options}\r\nPING\r\n").expect("the server reads");
        while line(&mut connection) != "PONG" {}
        connection
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn end(&mut self, signal: Signal) {
        if let Some(mut process) = self.process.take() {
            // A process that has ended by itself stays until it is waited for.
            kill_process(Pid::from_child(&process), signal).expect("it is a child");
            process.wait().expect("it is a child");
        }
    }
}

/// A listener to some subjects.
#[derive(Debug)]
pub struct Listener(BufReader<TcpStream>);

impl Listener {
    /// The next message: its subject and its body. None at the end of the server, or if nothing comes for a long time.
    pub fn hear(&mut self) -> Option<(String, Vec<u8>)> {
        message(&mut self.0)
    }

    /// Publishes a message, which it hears too if it is on its subject. None at the end of the server.
    pub fn publish(&mut self, subject: &str, body: &[u8]) -> Option<()> {
        publish(self.0.get_mut(), subject, body).ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The port for clients, once the server has written the file of its ports.
fn port_in(ports: &Path) -> Option<u16> {
    let ports: Value = serde_json::from_slice(&fs::read(ports).ok()?).ok()?;
    ports["nats"][0].as_str()?.rsplit(':').next()?.parse().ok()
}

fn publish(stream: &mut TcpStream, subjects: &str, body: &[u8]) -> io::Result<()> {
    let mut bytes = format!("PUB {subjects} {}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes.extend_from_slice(b"\r\n");
    stream.write_all(&bytes)
}

fn line(connection: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    connection.read_line(&mut line).expect("the server talks");
    assert!(!line.is_empty() && !line.starts_with("-ERR"), "the server refuses: {line:?}");
    line.trim_end().to_owned()
}

/// The next message: its subject and its body. None at the end.
fn message(connection: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        assert!(!line.starts_with("-ERR"), "the server refuses: {line:?}");
        // `MSG subject subscription bytes`, or `HMSG subject subscription head bytes`, with `head` of them before the body.
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["PING"] => write!(connection.get_mut(), "PONG\r\n").ok()?,
            ["MSG" | "HMSG", subject, .., bytes] => {
                let head = if words[0] == "HMSG" { words[words.len() - 2].parse().ok()? } else { 0 };
                let mut body = vec![0; bytes.parse().ok()?];
                connection.read_exact(&mut body).ok()?;
                return Some(((*subject).to_owned(), body.split_off(head)));
            }
            _ => {}
        }
    }
}
