//! The client: one request to an address, with limits, and without following it anywhere else.

use rustls::crypto::ring;
use std::fs::File;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use ureq::config::Config;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, EXPECT};
use ureq::http::uri::Scheme;
use ureq::http::{StatusCode, Uri};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::typestate::WithoutBody;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout, time};
use ureq::{Agent, RequestBuilder};

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
    is_open: bool,
    /// The address before the paths of the club, without a `/` at its end.
    pub(crate) base: String,
}

/// A text is not the address of a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongAddress;

impl FromStr for Address {
    type Err = WrongAddress;

    fn from_str(text: &str) -> Result<Self, WrongAddress> {
        let address: Uri = text.parse().map_err(|_| WrongAddress)?;
        let (scheme, authority) = address.scheme().zip(address.authority()).ok_or(WrongAddress)?;
        let host = authority.host();
        let is_tls = *scheme == Scheme::HTTPS;
        // A name and a password, a query and a fragment have no meaning here.
        let is_plain = !authority.as_str().contains('@') && !text.contains(['?', '#']);
        let has_port = authority.port_u16().is_some() || authority.as_str() == host;
        if !(is_tls || *scheme == Scheme::HTTP) || host.is_empty() || !is_plain || !has_port {
            return Err(WrongAddress);
        }
        let base = format!("{scheme}://{authority}{}", address.path().trim_end_matches('/'));
        Ok(Self { is_open: !is_tls && !matches!(host, "localhost" | "127.0.0.1" | "[::1]"), base })
    }
}

impl Address {
    /// True if others on the way can read what is sent.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    fn is_tls(&self) -> bool {
        self.base.starts_with("https:")
    }
}

/// An answer of the server. Its content is untrusted.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The status.
    pub(crate) status: StatusCode,
    /// The content.
    pub(crate) content: Vec<u8>,
}

/// The request that is sent to a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message<'a> {
    /// Asks for what is there.
    Get,
    /// Deletes it.
    Delete,
    /// Sends a short text.
    Text(&'a str),
    /// Sends a component.
    Component(&'a File),
}

/// Sends a request with a token.
///
/// # Errors
/// The server cannot be reached, is not who it claims to be, takes too long, or its answer is too long or no answer.
pub(crate) fn request(
    address: &Address,
    path: &str,
    token: &str,
    message: Message<'_>,
) -> io::Result<Answered> {
    let (agent, url) = (agent(address)?, format!("{}{path}", address.base));
    let bearer = format!("Bearer {token}");
    let without_body = |request: RequestBuilder<WithoutBody>| {
        request.header(AUTHORIZATION, &bearer).header(ACCEPT, "application/json").call()
    };
    let answered = match message {
        Message::Get => without_body(agent.get(url)),
        Message::Delete => without_body(agent.delete(url)),
        Message::Text(text) => agent
            .post(url)
            .header(AUTHORIZATION, &bearer)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "text/plain; charset=utf-8")
            .send(text),
        // A server that refuses an upload by its head answers before the component is sent.
        Message::Component(component) => agent
            .post(url)
            .header(AUTHORIZATION, &bearer)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/wasm")
            .header(EXPECT, "100-continue")
            .send(component),
    };
    let mut answered = answered.map_err(ureq::Error::into_io)?;
    let content = answered.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec();
    Ok(Answered { status: answered.status(), content: content.map_err(ureq::Error::into_io)? })
}

fn agent(address: &Address) -> io::Result<Agent> {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_global(Some(ALL_TIME))
        .timeout_connect(Some(CONNECT_TIME))
        .timeout_per_read(Some(PAUSE_MAX))
        .timeout_per_write(Some(PAUSE_MAX));
    if address.is_tls() {
        config = config.tls_config(tls()?);
    } else {
        // A proxy of the environment would read the token.
        config = config.proxy(None);
    }
    Ok(Agent::with_parts(config.build(), DefaultConnector::default(), Names::default()))
}

/// The addresses of a name, looked up on the calling thread. With a limit on time, ureq would start a thread, and panic if the system
/// gives none. The system limits the time of a look-up itself.
#[derive(Debug, Default)]
struct Names(DefaultResolver);

impl Resolver for Names {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        self.0.resolve(uri, config, NextTimeout { after: time::Duration::NotHappening, ..timeout })
    }
}

/// The settings of TLS: the certificates that this system trusts.
fn tls() -> io::Result<TlsConfig> {
    let loaded = rustls_native_certs::load_native_certs();
    let roots = loaded.certs;
    if roots.is_empty() {
        // They may be there, and the system refuses to open them.
        if let Some(error) = loaded.errors.into_iter().next() {
            return Err(io::Error::other(error));
        }
        return Err(io::Error::other(
            "this system has no certificates (on Debian: apt-get install ca-certificates)",
        ));
    }
    let roots = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
    let config = TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()));
    Ok(config.build())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    #[test]
    fn an_address_has_a_scheme_and_a_host_and_may_have_a_port_and_a_path() {
        for (text, base) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://club.example.org/", "https://club.example.org"),
            ("https://example.org/games/club/", "https://example.org/games/club"),
            ("http://[::1]:99/", "http://[::1]:99"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(text.parse::<Address>().map(|address| address.base).as_deref(), Ok(base), "{text}");
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
            "http://a/#b",
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

    #[test]
    fn nothing_is_sent_to_a_server_that_cannot_encrypt() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = format!("https://{}", listener.local_addr().expect("it has an address"));
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("it is asked");
            let mut begun = [0; 512];
            let read = stream.read(&mut begun).expect("it is asked");
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]").expect("it is read");
            begun[..read].to_vec()
        });
        let answered = request(&address.parse().expect("it is an address"), "/mine", "secret", Message::Get);
        let begun = server.join().expect("it answers");
        assert!(answered.is_err_and(|error| error.to_string().contains("corrupt message")));
        assert!(begun[0] == 22 && !begun.windows(6).any(|bytes| bytes == b"secret"), "a handshake");
    }
}
