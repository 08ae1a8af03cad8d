//! The head and the body of a message.

use http::header::{CONTENT_LENGTH, HeaderName, HeaderValue, TRANSFER_ENCODING};
use http::{HeaderMap, Method, StatusCode};
use std::io::{self, BufRead, ErrorKind, Read};

/// The longest head, in bytes. Chosen: four times what browsers send.
const HEAD_BYTES_MAX: u64 = 16 << 10;

/// The most headers. Chosen: three times what browsers send.
const HEADERS_MAX: usize = 64;

/// The longest line with the size of a chunk, in bytes. Chosen: a size of 64 bits, and some extension.
const CHUNK_LINE_BYTES_MAX: u64 = 256;

/// The head of a request.
#[derive(Debug)]
pub struct RequestHead {
    /// The method.
    pub method: Method,
    /// The path, without the query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
}

/// The head of an answer.
#[derive(Debug)]
pub struct AnswerHead {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
}

impl RequestHead {
    /// Reads the head of a request; `None` when the connection ends before it.
    ///
    /// # Errors
    /// The connection fails, or the bytes are not a head.
    pub fn read(from: &mut impl BufRead) -> io::Result<Option<Self>> {
        let Some(bytes) = head(from)? else { return Ok(None) };
        let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
        let mut request = httparse::Request::new(&mut headers);
        if !request.parse(&bytes).map_err(invalid)?.is_complete() {
            return Err(invalid("its head is incomplete"));
        }
        let method = request.method.unwrap_or_default().parse().map_err(invalid)?;
        let target = request.path.unwrap_or_default();
        let path = target.split(['?', '#']).next().unwrap_or_default().to_owned();
        Ok(Some(Self { method, path, headers: map(request.headers)? }))
    }
}

impl AnswerHead {
    /// Reads the head of an answer. Interim ones are skipped.
    ///
    /// # Errors
    /// The connection fails or ends, or the bytes are not a head.
    pub fn read(from: &mut impl BufRead) -> io::Result<Self> {
        loop {
            let bytes = head(from)?.ok_or(ErrorKind::UnexpectedEof)?;
            let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
            let mut answer = httparse::Response::new(&mut headers);
            if !answer.parse(&bytes).map_err(invalid)?.is_complete() {
                return Err(invalid("its head is incomplete"));
            }
            let status = StatusCode::from_u16(answer.code.unwrap_or_default()).map_err(invalid)?;
            if !status.is_informational() {
                return Ok(Self { status, headers: map(answer.headers)? });
            }
        }
    }
}

/// The bytes of a head, with the empty line after it.
fn head(from: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        let left = HEAD_BYTES_MAX - before as u64;
        from.by_ref().take(left).read_until(b'\n', &mut bytes)?;
        match &bytes[before..] {
            b"\r\n" | b"\n" if before > 0 => return Ok(Some(bytes)),
            // Some clients send an empty line before a request.
            b"\r\n" | b"\n" => bytes.clear(),
            line if line.ends_with(b"\n") => {}
            b"" if before == 0 => return Ok(None),
            _ if bytes.len() as u64 == HEAD_BYTES_MAX => return Err(invalid("its head is too long")),
            _ => return Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn map(headers: &[httparse::Header<'_>]) -> io::Result<HeaderMap> {
    let mut map = HeaderMap::with_capacity(headers.len());
    for header in headers {
        let name: HeaderName = header.name.parse().map_err(invalid)?;
        map.append(name, HeaderValue::from_bytes(header.value).map_err(invalid)?);
    }
    Ok(map)
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

/// The length of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// This number of bytes.
    Bytes(u64),
    /// Chunks, of which the current one has this number of bytes left.
    Chunk(u64),
    /// Chunks, of which the first has not begun.
    FirstChunk,
    /// Everything until the connection ends.
    ToEnd,
}

/// A body that is being read. Reading fails if it ends before its length.
#[derive(Debug)]
pub struct Body<R> {
    from: R,
    left: Left,
}

impl<R: BufRead> Body<R> {
    /// The body after a head with these headers. One without a length is empty in a request, and goes on until the connection ends
    /// in an answer.
    ///
    /// # Errors
    /// Its length is contradictory or of an unknown kind.
    pub fn new(from: R, headers: &HeaderMap, is_request: bool) -> io::Result<Self> {
        let lengths: Vec<_> = headers.get_all(CONTENT_LENGTH).iter().collect();
        let codings: Vec<_> = headers.get_all(TRANSFER_ENCODING).iter().collect();
        let left = match (&lengths[..], &codings[..]) {
            ([], []) if is_request => Left::Bytes(0),
            ([], []) => Left::ToEnd,
            ([length], []) => {
                let text = length.to_str().map_err(invalid)?;
                if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(invalid("its length is no number"));
                }
                Left::Bytes(text.parse().map_err(invalid)?)
            }
            ([], [coding]) if coding.as_bytes().eq_ignore_ascii_case(b"chunked") => Left::FirstChunk,
            _ => return Err(invalid("its length is contradictory, or of an unknown kind")),
        };
        Ok(Self { from, left })
    }

    /// The length, if it is known before the end.
    pub fn length(&self) -> Option<u64> {
        match self.left {
            Left::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.from.by_ref().take(CHUNK_LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if line.ends_with(b"\n") { Ok(line) } else { Err(invalid("a chunk has no end")) }
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        if self.left == Left::Chunk(0) && !matches!(&self.line()?[..], b"\r\n" | b"\n") {
            return Err(invalid("a chunk is longer than its size"));
        }
        let line = self.line()?;
        let size = match httparse::parse_chunk_size(&line) {
            Ok(httparse::Status::Complete((_, size))) => size,
            _ => return Err(invalid("the size of a chunk is no number")),
        };
        self.left = Left::Chunk(size);
        if size == 0 {
            // What follows the last chunk is of no interest, and is bounded like a head.
            let mut lines = 0;
            while !matches!(&self.line()?[..], b"\r\n" | b"\n") {
                lines += 1;
                if lines > HEADERS_MAX {
                    return Err(invalid("too much follows its last chunk"));
                }
            }
            self.left = Left::Bytes(0);
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Body<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if matches!(self.left, Left::FirstChunk | Left::Chunk(0)) {
            self.next_chunk()?;
        }
        let left = match &mut self.left {
            Left::ToEnd => return self.from.read(bytes),
            Left::Bytes(0) => return Ok(0),
            Left::Bytes(left) | Left::Chunk(left) => left,
            Left::FirstChunk => return Err(invalid("a chunk has not begun")),
        };
        let most = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        let read = self.from.read(&mut bytes[..most])?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        *left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> io::Result<(String, Vec<u8>)> {
        let mut bytes = text.as_bytes();
        let head = RequestHead::read(&mut bytes)?.ok_or(ErrorKind::UnexpectedEof)?;
        let mut body = Vec::new();
        Body::new(bytes, &head.headers, true)?.read_to_end(&mut body)?;
        Ok((format!("{} {}", head.method, head.path), body))
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        for (text, line, body) in [
            ("GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a", ""),
            ("\r\nGET / HTTP/1.0\n\n", "GET /", ""),
            ("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcd", "POST /", "abc"),
            (
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nA: b\r\n\r\n",
                "POST /",
                "abcd",
            ),
        ] {
            assert_eq!(
                request(text).expect("it is right"),
                (line.to_owned(), body.as_bytes().to_vec()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_request_that_two_servers_could_read_differently_is_refused() {
        let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(17 << 10));
        for text in [
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabc",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\na",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na",
            "GET / HTTP/1.1\r\nA",
            "GET  / HTTP/1.1\r\n\r\n",
            "\x16\x03\x01",
            &long,
        ] {
            assert!(request(text).is_err(), "{text}");
        }
    }
}
