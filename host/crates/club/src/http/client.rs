//! The client: one request to an address, with limits, and without following it anywhere else.

use super::message::{AnswerHead, Body};
use super::timed::Timed;
use http::StatusCode;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The longest answer that is read, in bytes. Chosen: the findings about all versions of an author fit.
const ANSWER_BYTES_MAX: u64 = 16 << 20;

/// The time to connect. Chosen: as of browsers.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// The longest pause of the server. Chosen: longer than a bot is judged.
const PAUSE_MAX: Duration = Duration::from_secs(120);

/// The time for a request and its answer. Chosen: longer than the server gives it.
const ALL_TIME: Duration = Duration::from_secs(600);

/// The address of a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    is_tls: bool,
    host: String,
    port: u16,
    /// The path before those of the club, without a `/` at its end.
    path: String,
}

/// A text is not the address of a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongAddress;

impl FromStr for Address {
    type Err = WrongAddress;

    fn from_str(text: &str) -> Result<Self, WrongAddress> {
        let (scheme, rest) = text.split_once("://").ok_or(WrongAddress)?;
        let (is_tls, usual) = match scheme {
            "https" => (true, 443),
            "http" => (false, 80),
            _ => return Err(WrongAddress),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>?#\\@%".contains(&byte));
        // The brackets are those of an address of IPv6.
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| WrongAddress)?),
            _ => (authority, usual),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if host.is_empty() || !is_plain(authority) || !is_plain(path) {
            return Err(WrongAddress);
        }
        let path = match path.trim_end_matches('/') {
            "" => String::new(),
            path => format!("/{path}"),
        };
        Ok(Self { is_tls, host: host.to_owned(), port, path })
    }
}

impl Address {
    /// True if others on the way can read what is sent.
    pub fn is_open(&self) -> bool {
        !self.is_tls && !matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1")
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = ErrorKind::NotFound.into();
        for address in (self.host.as_str(), self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_TIME) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// What the server has answered. Its content is untrusted.
#[derive(Debug)]
pub struct Answered {
    /// The status.
    pub status: StatusCode,
    /// The content.
    pub content: Vec<u8>,
}

/// Sends a request with a token: a component to a path, or nothing.
///
/// # Errors
/// The server cannot be reached, is not who it claims to be, takes too long, or its answer is too long or no answer.
pub fn request(
    address: &Address,
    path: &str,
    token: &str,
    component: Option<(&mut File, u64)>,
) -> io::Result<Answered> {
    let stream = Timed::new(address.connect()?, PAUSE_MAX, ALL_TIME);
    if !address.is_tls {
        return converse(stream, address, path, token, component);
    }
    let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
    let connection = ClientConnection::new(Arc::new(tls()?), name).map_err(io::Error::other)?;
    converse(StreamOwned::new(connection, stream), address, path, token, component)
}

/// The settings of TLS: the certificates that this system trusts.
fn tls() -> io::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(io::Error::other(
            "this system has no certificates (on Debian: apt-get install ca-certificates)",
        ));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(builder.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth())
}

fn converse(
    mut stream: impl Read + Write,
    address: &Address,
    path: &str,
    token: &str,
    component: Option<(&mut File, u64)>,
) -> io::Result<Answered> {
    let sent = send(&mut stream, address, path, token, component);
    // A server that refuses an upload answers before its end, and then the rest cannot be sent.
    let read = receive(stream);
    match (sent, read) {
        (_, Ok(answered)) => Ok(answered),
        (Err(error), Err(_)) | (Ok(()), Err(error)) => Err(error),
    }
}

fn send(
    stream: &mut impl Write,
    Address { host, port, path: before, .. }: &Address,
    path: &str,
    token: &str,
    component: Option<(&mut File, u64)>,
) -> io::Result<()> {
    let mut to = BufWriter::new(stream);
    let method = if component.is_some() { "POST" } else { "GET" };
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    write!(
        to,
        "{method} {before}{path} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
    )?;
    write!(to, "Accept: application/json\r\nConnection: close\r\n")?;
    match component {
        None => to.write_all(b"\r\n")?,
        Some((file, length)) => {
            write!(to, "Content-Type: application/wasm\r\nContent-Length: {length}\r\n\r\n")?;
            if io::copy(&mut file.take(length), &mut to)? < length {
                return Err(io::Error::other("the file has become shorter"));
            }
        }
    }
    to.flush()
}

fn receive(stream: impl Read) -> io::Result<Answered> {
    let mut reader = BufReader::new(stream);
    let AnswerHead { status, headers } = AnswerHead::read(&mut reader)?;
    let mut content = Vec::new();
    let body = Body::new(reader, &headers, false)?;
    body.take(ANSWER_BYTES_MAX + 1).read_to_end(&mut content)?;
    if content.len() as u64 > ANSWER_BYTES_MAX {
        return Err(io::Error::other("its answer is too long"));
    }
    Ok(Answered { status, content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_and_a_host_and_may_have_a_port_and_a_path() {
        for (text, is_tls, host, port, path) in [
            ("http://127.0.0.1:8080", false, "127.0.0.1", 8080, ""),
            ("https://club.example.org/", true, "club.example.org", 443, ""),
            ("https://example.org/games/club/", true, "example.org", 443, "/games/club"),
            ("http://[::1]:99/", false, "::1", 99, ""),
            ("http://[::1]", false, "::1", 80, ""),
        ] {
            let expected = Address { is_tls, host: host.into(), port, path: path.into() };
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in [
            "",
            "club.example.org",
            "ftp://example.org",
            "http://",
            "http://a:b",
            "http://a:99999",
            "http://me@example.org",
            "http://a b",
            "http://a/\r\nX: y",
            "http://a/?b",
        ] {
            assert_eq!(text.parse::<Address>(), Err(WrongAddress), "{text}");
        }
    }

    #[test]
    fn only_what_leaves_the_machine_without_encryption_is_open() {
        let is_open = |text: &str| text.parse::<Address>().map(|address| address.is_open());
        assert_eq!(is_open("http://example.org"), Ok(true));
        for text in ["https://example.org", "http://127.0.0.1:8080", "http://localhost", "http://[::1]"] {
            assert_eq!(is_open(text), Ok(false), "{text}");
        }
    }
}
