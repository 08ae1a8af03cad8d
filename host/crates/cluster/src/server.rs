//! The NATS server: the connection, and everything that it stores for a contest.

use crate::error::{ClusterError, ConnectError};
use crate::message::sha256 as digest;
use arena_text::{NotText, shown};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::{self, ObjectMetadata, ObjectStore, PutError};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use futures_util::StreamExt;
use percent_encoding::percent_decode_str;
use std::collections::HashSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{env, fmt, io, mem};
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::time::timeout;

/// The name of the consumer of results. There is one, since there is one coordinator.
const COORDINATOR: &str = "coordinator";

/// The default name of a contest on its server.
pub const USUAL_CONTEST: &str = "arena";

/// The size limit of a contest's results on the server, in bytes. Chosen: ten times the results of the games in flight. Workers wait
/// while it is full.
const RESULTS_BYTES_MAX: i64 = 512 << 20;

/// The time after which an unacknowledged result is redelivered to the coordinator. A new coordinator creates a new consumer and gets them
/// anyway. Chosen: longer than any game.
const RESULT_ACK_WAIT: Duration = Duration::from_secs(24 * 3_600);

/// The time window in which the server drops duplicates of a message. Chosen: longer than a message is retried.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// The length of the chunks of a component, in bytes, unless messages must be shorter. It is the default of NATS's own tools.
const CHUNK_BYTES: usize = 128 << 10;

/// The timeout of a request to the server. Chosen: a server under load takes a second.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The size limit of a file with credentials or certificates, in bytes. Chosen: all authorities that a system trusts have 220 KiB.
const ACCESS_BYTES_MAX: u64 = 4 << 20;

/// The name of a contest on its server. Each contest has its own subjects, stream and object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestName(String);

impl ContestName {
    /// Parses the name of a contest.
    ///
    /// # Errors
    /// The name is invalid.
    pub fn new(name: &str) -> Result<Self, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match (1..=32).contains(&name.len()) && name.bytes().all(is_plain) {
            true => Ok(Self(name.to_owned())),
            false => Err("a contest's name has 1 to 32 letters of a to z, digits, - and _".into()),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The subject of workers' requests.
    pub(crate) fn ask(&self) -> String {
        format!("arena.{}.ask", self.0)
    }

    /// The subject of results.
    pub(crate) fn results(&self) -> String {
        format!("arena.{}.results", self.0)
    }

    /// The subject of status requests. An answer also shows that there is a coordinator.
    pub(crate) fn status(&self) -> String {
        format!("arena.{}.status", self.0)
    }

    /// The stream of results.
    fn stream(&self) -> String {
        format!("ARENA_RESULTS_{}", self.0)
    }

    /// The object store of components.
    fn store(&self) -> String {
        format!("arena-bots-{}", self.0)
    }
}

impl Default for ContestName {
    fn default() -> Self {
        Self(USUAL_CONTEST.into())
    }
}

/// A contest on a server, with the credentials for the server.
#[derive(Clone)]
pub struct Server {
    address: ServerAddr,
    contest: ContestName,
    access: Access,
}

/// The credential files named by the environment variables of NATS's own tools.
#[derive(Clone, Default)]
struct Access {
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl fmt::Display for Server {
    /// The address, without a password or a token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.address.host();
        let (open, close) = if host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{}://{open}{host}{close}:{}", self.address.scheme(), self.address.port())
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The most threads of a connection for what waits for names and certificates. Chosen: it does one of these at a time.
const THREADS_MAX: usize = 2;

/// The runtime of a thread that communicates with a server.
pub(crate) fn runtime() -> Result<Runtime, ConnectError> {
    Ok(arena_resources::runtime(THREADS_MAX)?)
}

/// The state of a connection, and lines for the user about its changes.
#[derive(Default)]
pub(crate) struct Connection {
    is_gone: AtomicBool,
    /// Notified when the server is back.
    pub reconnected: Notify,
    notes: Mutex<Vec<String>>,
}

impl Connection {
    /// True while the server is reachable.
    pub fn is_connected(&self) -> bool {
        !self.is_gone.load(Ordering::SeqCst)
    }

    /// Adds lines for the user.
    pub fn note(&self, lines: impl IntoIterator<Item = String>) {
        self.lines().extend(lines);
    }

    /// Takes the lines for the user since the last call.
    pub fn notes(&self) -> Vec<String> {
        mem::take(&mut *self.lines())
    }

    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_gone(&self, is_gone: bool) {
        if self.is_gone.swap(is_gone, Ordering::SeqCst) != is_gone {
            let what =
                if is_gone { "the server is unreachable: waiting for it" } else { "the server is back" };
            self.note([what.to_owned()]);
        }
        if !is_gone {
            self.reconnected.notify_waiters();
        }
    }
}

impl Server {
    /// Parses an address such as `nats://host:4222`, `tls://user:password@host` or `nats://token@host`. The variables `NATS_CREDS`,
    /// `NATS_CA`, `NATS_CERT` and `NATS_KEY` name the credential files.
    ///
    /// # Errors
    /// The reason why the address is invalid. It does not contain the address, since that may contain a token.
    pub fn new(url: &str) -> Result<Self, String> {
        let address: ServerAddr = url.parse().map_err(|_| "is not the address of a server".to_owned())?;
        if !matches!(address.scheme(), "nats" | "tls") {
            return Err(format!("has the scheme {}", arena_text::line(address.scheme(), 16)));
        }
        if address.host().is_empty() {
            return Err("has no host".into());
        }
        let file = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let access = Access {
            credentials: file("NATS_CREDS"),
            authority: file("NATS_CA"),
            certificate: file("NATS_CERT"),
            key: file("NATS_KEY"),
        };
        Ok(Self { address, contest: ContestName::default(), access })
    }

    /// The server at an address, for the contest of this name or the default one.
    ///
    /// # Errors
    /// The address or the name is invalid.
    pub fn of(url: &str, contest: Option<&str>) -> Result<Self, ClusterError> {
        let contest = contest.map_or_else(|| Ok(ContestName::default()), ContestName::new);
        let contest = contest.map_err(|why| ClusterError::WrongContest { why })?;
        let server = Self::new(url).map_err(|why| ClusterError::WrongAddress { why })?;
        Ok(Self { contest, ..server })
    }

    /// Connects. Changes of the connection are recorded in `connection`.
    pub(crate) async fn connect(
        &self,
        name: &str,
        connection: &Arc<Connection>,
    ) -> Result<Link, ConnectError> {
        let connection = Arc::clone(connection);
        let mut options = ConnectOptions::new()
            .name(name)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .max_reconnects(None)
            .event_callback(move |event| {
                match event {
                    Event::Disconnected => connection.set_gone(true),
                    Event::Connected => connection.set_gone(false),
                    _ => {}
                }
                async {}
            });
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        options = match (self.address.username(), self.address.password()) {
            (Some(user), Some(password)) => options.user_and_password(decoded(user), decoded(password)),
            (Some(token), None) => options.token(decoded(token)),
            (None, _) => options,
        };
        let Access { credentials, authority, certificate, key } = &self.access;
        for path in [authority, certificate, key].into_iter().flatten() {
            let wrong =
                |why| ConnectError::WrongCertificate { server: self.to_string(), file: path.clone(), why };
            check_pem(path).map_err(wrong)?;
        }
        if let Some(path) = credentials {
            let wrong = |why, cause| ConnectError::WrongCredentials { server: self.to_string(), why, cause };
            let text = arena_files::read_text(path, ACCESS_BYTES_MAX).map_err(|error| {
                wrong(format!("{}: {}", shown(path), error.as_wanted("credentials file")), error.into())
            })?;
            options = options.credentials(&text).map_err(|error| wrong(error.to_string(), error.into()))?;
        }
        if let Some(path) = authority {
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        match (certificate, key) {
            (Some(certificate), Some(key)) => {
                options = options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
            }
            (None, None) => {}
            _ => return Err(ConnectError::HalfCertificate),
        }
        let client = options.connect(self.address.clone()).await.map_err(|error| {
            let (server, kind, cause) = (self.to_string(), error.kind(), error.into());
            match kind {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    ConnectError::AccessDenied { server, cause }
                }
                ConnectErrorKind::Tls => ConnectError::NotEncrypted { server, cause },
                _ => ConnectError::Unreachable { server, cause },
            }
        })?;
        let context = jetstream::new(client.clone());
        Ok(Link { client, context, contest: self.contest.clone() })
    }
}

/// Checks what the library does not say about a file with certificates or a key: it passes over a part after a byte order mark.
fn check_pem(path: &Path) -> Result<(), String> {
    // The library names a file that cannot be read.
    let Ok(bytes) = arena_files::read(path, ACCESS_BYTES_MAX) else { return Ok(()) };
    match arena_text::unmarked(&bytes) {
        Ok(text) if text.len() == bytes.len() => Ok(()),
        Ok(_) => Err("begins with a byte order mark; save it as UTF-8 without one".into()),
        Err(why @ (NotText::Utf16 | NotText::NotUtf8)) => Err(why.to_string()),
    }
}

/// A connection.
#[derive(Clone)]
pub struct Link {
    pub client: Client,
    pub context: Context,
    pub contest: ContestName,
}

impl Link {
    /// The stream of results, created if it does not exist.
    pub async fn stream(&self) -> Result<Stream, ConnectError> {
        let config = stream::Config {
            name: self.contest.stream(),
            subjects: vec![self.contest.results()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            duplicate_window: DUPLICATE_WINDOW,
            max_bytes: RESULTS_BYTES_MAX,
            // A worker whose message is rejected because the stream is full retries.
            discard: DiscardPolicy::New,
            ..Default::default()
        };
        self.context.get_or_create_stream(config).await.map_err(no_stream)
    }

    /// Removes all results from the stream.
    pub async fn purge_results(&self) {
        if let Ok(results) = self.context.get_stream_no_info(self.contest.stream()).await {
            // The next coordinator drops what remains.
            let _ = results.purge().await;
        }
    }

    /// The consumer of results.
    pub async fn results(&self, results: &Stream) -> Result<PullConsumer, ConnectError> {
        let config = pull::Config {
            durable_name: Some(COORDINATOR.into()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: RESULT_ACK_WAIT,
            max_ack_pending: -1,
            ..Default::default()
        };
        results.get_or_create_consumer(COORDINATOR, config).await.map_err(no_stream)
    }

    /// Deletes the consumer, so that results delivered to an earlier coordinator and not acknowledged are redelivered.
    pub async fn reset_consumer(&self, results: &Stream) {
        // It fails if there was no coordinator and so no consumer.
        let _ = results.delete_consumer(COORDINATOR).await;
    }

    /// The object store of components.
    pub async fn store(&self) -> Result<ObjectStore, ConnectError> {
        let bucket = self.contest.store();
        if let Ok(store) = self.context.get_object_store(&bucket).await {
            return Ok(store);
        }
        let config = object_store::Config { bucket, ..Default::default() };
        self.context.create_object_store(config).await.map_err(no_stream)
    }
}

fn no_stream(error: impl Into<Box<dyn Error + Send + Sync>>) -> ConnectError {
    ConnectError::NoJetStream { cause: error.into() }
}

/// Stores a component unless it exists already, in messages of at most this size.
pub async fn put_component(
    store: &ObjectStore,
    sha256: &str,
    bytes: &[u8],
    message_bytes_max: usize,
) -> Result<(), ConnectError> {
    if let Ok(info) = store.info(sha256).await
        && info.size == bytes.len()
        && !info.deleted
    {
        return Ok(());
    }
    let chunk_size = Some(CHUNK_BYTES.min(message_bytes_max / 2));
    let object = ObjectMetadata { name: sha256.to_owned(), chunk_size, ..Default::default() };
    let no_room = |error: PutError| ConnectError::NoRoom { cause: error.into() };
    store.put(object, &mut &*bytes).await.map_err(no_room)?;
    Ok(())
}

/// Deletes the components of earlier contests from the store: all except these. If a deletion fails, the next contest tries again.
pub async fn keep_only(store: &ObjectStore, hashes: &HashSet<&str>) {
    let tidying = async {
        let Ok(mut objects) = store.list().await else { return };
        let mut others = Vec::new();
        while let Some(Ok(object)) = objects.next().await {
            if !hashes.contains(object.name.as_str()) {
                others.push(object.name);
            }
        }
        for name in others {
            let _ = store.delete(name).await;
        }
    };
    let _ = timeout(REQUEST_TIMEOUT, tidying).await;
}

/// Downloads a component from the store.
///
/// # Errors
/// The component is missing, or its hash differs.
pub async fn get_component(store: &ObjectStore, sha256: &str, length: u64) -> Result<Vec<u8>, String> {
    let not_there =
        |error: &dyn fmt::Display| format!("{sha256}: {}", arena_text::line(&error.to_string(), 200));
    let object = store.get(sha256).await.map_err(|error| not_there(&error))?;
    let mut bytes = Vec::new();
    object
        .take(length.saturating_add(1))
        .read_to_end(&mut bytes)
        .await
        .map_err(|error: io::Error| not_there(&error))?;
    if bytes.len() as u64 != length || digest(&bytes) != sha256 {
        return Err(format!("{sha256}: the store has a different component under this name"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password_or_token() {
        for (address, shown) in [
            ("nats://host", "nats://host:4222"),
            ("nats://me:secret@host:4300", "nats://host:4300"),
            ("tls://secret@[::1]:4300", "tls://[::1]:4300"),
        ] {
            let server = Server::new(address).expect("it is an address");
            assert_eq!(server.to_string(), shown);
            assert_eq!(format!("{server:?}"), shown);
        }
        for address in ["", "nats://", "http://secret@host", "ws://secret@host", "nats://secret@:x"] {
            let problem = Server::new(address).expect_err(address);
            assert!(!problem.contains("secret"), "{problem}");
        }
    }

    #[test]
    fn the_name_of_a_contest_has_1_to_32_plain_characters_and_is_in_all_that_it_has_on_the_server() {
        for name in ["a", "Cup_1-b", &"x".repeat(32)] {
            let contest = ContestName::new(name).expect(name);
            assert_eq!(contest.as_str(), name);
            let ask = [contest.ask(), contest.results(), contest.status()];
            assert_eq!(ask, ["ask", "results", "status"].map(|what| format!("arena.{name}.{what}")));
            let kept = [contest.stream(), contest.store()];
            assert_eq!(kept, [format!("ARENA_RESULTS_{name}"), format!("arena-bots-{name}")]);
        }
        for name in ["", "a.b", "a b", "*", ">", "é", &"x".repeat(33)] {
            assert!(ContestName::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_lost_server_is_named_once_and_so_is_its_return() {
        let connection = Connection::default();
        for is_gone in [false, true, true, false] {
            connection.set_gone(is_gone);
            assert_eq!(connection.is_connected(), !is_gone);
        }
        assert_eq!(connection.notes(), ["the server is unreachable: waiting for it", "the server is back"]);
        assert!(connection.notes().is_empty());
    }

    #[test]
    fn a_mark_before_a_certificate_is_named_because_the_library_passes_over_what_follows() {
        let folder = env::temp_dir().join(format!("arena-pem-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join("ca.pem");
        let problem = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("the file can be written");
            check_pem(&path)
        };
        assert_eq!(problem(b"-----BEGIN CERTIFICATE-----\n"), Ok(()));
        let marked = "begins with a byte order mark; save it as UTF-8 without one";
        assert_eq!(problem(b"\xef\xbb\xbf-----BEGIN CERTIFICATE-----\n"), Err(marked.into()));
        assert_eq!(problem(b"\xff\xfe-\0-\0"), Err("is UTF-16; save it as UTF-8".into()));
        assert_eq!(check_pem(&folder.join("no-such.pem")), Ok(()));
        std::fs::remove_dir_all(&folder).expect("the folder is there");
    }
}
