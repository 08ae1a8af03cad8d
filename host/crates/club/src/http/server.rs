//! The server: a thread for each connection, whose number is limited.

use super::message::{Body, RequestHead};
use super::timed::Timed;
use http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HeaderName};
use http::{HeaderMap, Method, StatusCode};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The most connections at a time. Chosen: a thread that waits costs some ten kilobytes.
const CONNECTIONS_MAX: usize = 256;

/// The longest pause of a client. Chosen: ten times the round trip of a bad connection.
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// The time in which a head has to arrive. Chosen: as a pause.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The time for a body and its answer. Chosen: the largest bot in five minutes takes a connection of two megabits a second.
const BODY_TIME: Duration = Duration::from_secs(300);

/// The time in which what a client sends after its answer is read and dropped, so that the answer is not lost. Chosen: an answer
/// arrives in that time.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// A request.
pub struct Request {
    /// The head.
    pub head: RequestHead,
    /// The body.
    pub body: RequestBody,
}

/// The body of a request.
pub struct RequestBody {
    body: Body<BufReader<Timed>>,
    /// The connection, as long as the client waits for a word before it sends the body.
    waits: Option<Timed>,
}

impl RequestBody {
    /// The length, if the client has said it.
    pub fn length(&self) -> Option<u64> {
        self.body.length()
    }
}

impl Read for RequestBody {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some(mut client) = self.waits.take() {
            client.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        self.body.read(bytes)
    }
}

/// An answer.
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers, except those of the connection and the length.
    pub headers: HeaderMap,
    /// The content.
    pub content: Content,
}

/// The content of an answer.
pub enum Content {
    /// Bytes.
    Bytes(Vec<u8>),
    /// The first bytes of a file.
    File(File, u64),
}

impl Answer {
    /// An answer with this content of this type.
    pub fn new(status: StatusCode, media_type: &'static str, content: impl Into<Vec<u8>>) -> Self {
        let answer = Self { status, headers: HeaderMap::new(), content: Content::Bytes(content.into()) };
        answer.with(http::header::CONTENT_TYPE, media_type)
    }

    /// The same answer with a header.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = value.parse() {
            self.headers.insert(name, value);
        }
        self
    }

    fn length(&self) -> u64 {
        match &self.content {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::File(_, length) => *length,
        }
    }

    fn send(mut self, is_head: bool, to: &mut impl Write) -> io::Result<()> {
        let reason = self.status.canonical_reason().unwrap_or_default();
        write!(to, "HTTP/1.1 {} {reason}\r\n", self.status.as_str())?;
        // An answer without content has no length.
        if self.status != StatusCode::NOT_MODIFIED {
            self.headers.insert(CONTENT_LENGTH, self.length().into());
        }
        self.headers.insert(CONNECTION, http::HeaderValue::from_static("close"));
        for (name, value) in &self.headers {
            to.write_all(name.as_str().as_bytes())?;
            to.write_all(b": ")?;
            to.write_all(value.as_bytes())?;
            to.write_all(b"\r\n")?;
        }
        to.write_all(b"\r\n")?;
        match self.content {
            _ if is_head || self.status == StatusCode::NOT_MODIFIED => {}
            Content::Bytes(bytes) => to.write_all(&bytes)?,
            Content::File(file, length) => {
                if io::copy(&mut file.take(length), to)? < length {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
        }
        to.flush()
    }
}

/// Answers requests until `is_over` returns true after a connection. `answer` is called on a thread of the connection.
pub fn serve(
    listener: &TcpListener,
    is_over: &dyn Fn() -> bool,
    answer: impl Fn(Request) -> Answer + Send + Sync + 'static,
) {
    let answer = Arc::new(answer);
    let connections = Arc::new(AtomicUsize::new(0));
    loop {
        let accepted = listener.accept();
        if is_over() {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // The process has no descriptors left: some connections end within seconds.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        if connections.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS_MAX {
            connections.fetch_sub(1, Ordering::SeqCst);
            // The client finds the connection closed, and may try again.
            continue;
        }
        let (answer, counted) = (Arc::clone(&answer), Connection(Arc::clone(&connections)));
        let spawned = thread::Builder::new().name("connection".into()).spawn(move || {
            // A client that goes away needs no answer.
            let _ = converse(stream, &*answer);
            drop(counted);
        });
        // The count goes down when the closure is dropped, too.
        drop(spawned);
    }
}

/// Counts a connection until it ends.
struct Connection(Arc<AtomicUsize>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn converse(stream: TcpStream, answer: &dyn Fn(Request) -> Answer) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut client = Timed::new(stream, PAUSE_MAX, HEAD_TIME);
    let mut reader = BufReader::new(client.try_clone()?);
    let read = RequestHead::read(&mut reader);
    client.allow(BODY_TIME);
    reader.get_mut().allow(BODY_TIME);
    let refused = |error: &io::Error| {
        let status = match error.kind() {
            ErrorKind::TimedOut => StatusCode::REQUEST_TIMEOUT,
            _ => StatusCode::BAD_REQUEST,
        };
        Answer::new(status, "text/plain; charset=utf-8", "The request cannot be read.\n")
    };
    let (answered, is_head) = match read {
        Ok(None) => return Ok(()),
        Err(error) => (refused(&error), false),
        Ok(Some(head)) => match Body::new(reader, &head.headers, true) {
            Err(error) => (refused(&error), false),
            Ok(body) => {
                let waits = head.headers.get(EXPECT).map(|_| client.try_clone()).transpose()?;
                let is_head = head.method == Method::HEAD;
                (answer(Request { head, body: RequestBody { body, waits } }), is_head)
            }
        },
    };
    let mut writer = BufWriter::new(&mut client);
    answered.send(is_head, &mut writer)?;
    drop(writer);
    client.end_writing()?;
    client.allow(LINGER_TIME);
    io::copy(&mut client, &mut io::sink())?;
    Ok(())
}
