//! The ways in which workers cannot be used, each with its data.

use crate::message::Why;
use arena_engine::Error;
use arena_referee::HostError;
use arena_resources::step_or;
use arena_text::{Line, line, shown};
use std::path::PathBuf;

/// The error of a library or of the system, which caused one of these.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The reason why workers, a register or a key cannot be used. Its text has the next step in a second line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum ClusterError {
    /// The trust in the workers needs a register, and there is none.
    #[error("this trust level requires a register of workers\n  next: name the register: --admit FILE")]
    NoRegister,
    /// The register has workers of fewer owners than play each game.
    #[error(
        "{wanted} owners must play each game, and the register has {has}\n  \
         next: add workers with other owners to the file of --admit"
    )]
    TooFewOwners { wanted: usize, has: usize },
    /// This system cannot confine the processes that this needs.
    #[error("{task} requires confined processes, which need Linux\n  next: run it on Linux")]
    Unconfined { task: &'static str },
    /// A file is not a register.
    #[error(
        "{}: {why}\n  \
         next: write [[worker]] with key, name and owner for each worker: `arena worker` prints its key",
        shown(.file)
    )]
    WrongRegister { file: PathBuf, why: String },
    /// A register would be invalid after a change, which was not made.
    #[error("{}: {why}\n  next: nothing was changed: check the file", shown(.file))]
    WrongChange { file: PathBuf, why: String },
    /// A register has a worker with this name already.
    #[error(
        "{}: there is a worker named {} already\n  next: give this one another name",
        shown(.file),
        line(.name, 32)
    )]
    WorkerKnown { file: PathBuf, name: String },
    /// A register has no worker with this name.
    #[error("{}: no worker is named {}\n  next: use a name from the file", shown(.file), line(.name, 32))]
    UnknownWorker { file: PathBuf, name: String },
    /// The name of a contest is not valid.
    #[error("{why}\n  next: choose another name, the same for `arena run` and its workers")]
    WrongContest { why: String },
    /// The address of a server is not valid. The address may have a secret, so this does not have it.
    #[error(
        "the address of the server {why}\n  next: name it as nats://HOST:4222 or tls://HOST:4222, \
         with user:password@ or token@ before the host"
    )]
    WrongAddress { why: String },
    /// The file of a worker's key cannot be read or made, or has no key.
    #[error("{}: {}\n  next: name another file, or delete it for a new key", shown(.file), line(.why, 200))]
    WrongKey { file: PathBuf, why: String },
    /// The server cannot be used.
    #[error("the workers' server cannot be used: {0}")]
    Connect(#[from] ConnectError),
    /// The coordinator refuses this worker.
    #[error(
        "the coordinator refuses this worker: {why}\n  next: ask the organiser; change a limit only for people you trust; \
         if versions differ, run the coordinator's version of the arena, on the same kind of processor"
    )]
    Refused { why: Why },
    /// The engine fails.
    #[error(transparent)]
    Engine(#[from] Error),
}

/// The reason why a server cannot be used. Its text has the next step in a second line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum ConnectError {
    /// This machine has no room for a connection.
    #[error("{}\n  next: {}", .0.problem(), .0.trouble().next().unwrap_or("run it again"))]
    Host(#[from] HostError),
    /// A file with certificates or with a key is not one.
    #[error(
        "{server}: {}: {why}\n  next: check the files that NATS_CA, NATS_CERT and NATS_KEY name",
        shown(.file)
    )]
    WrongCertificate { server: String, file: PathBuf, why: String },
    /// One of a certificate and its key is missing.
    #[error(
        "NATS_CERT and NATS_KEY must be set together, and one of them is missing\n  next: set both, or neither"
    )]
    HalfCertificate,
    /// The file with credentials cannot be read, or has none.
    #[error(
        "{server}: {}\n  next: {}",
        line(.why, 200), step_or(.cause.as_ref(), "check the file that NATS_CREDS names")
    )]
    WrongCredentials { server: String, why: String, cause: Cause },
    /// The server does not accept the credentials.
    #[error(
        "{server}: {}\n  next: {}",
        said(.cause),
        step_or(
            .cause.as_ref(),
            "check the user, the password or the token in the address, or the file that NATS_CREDS names"
        )
    )]
    AccessDenied { server: String, cause: Cause },
    /// There is no encrypted connection.
    #[error(
        "{server}: {}\n  next: {}",
        said(.cause),
        step_or(.cause.as_ref(), "check the certificates: NATS_CA, NATS_CERT and NATS_KEY name files")
    )]
    NotEncrypted { server: String, cause: Cause },
    /// The server does not answer.
    #[error(
        "{server}: {}\n  next: {}",
        said(.cause), step_or(.cause.as_ref(), "start a server with `nats-server -js`, or check the address")
    )]
    Unreachable { server: String, cause: Cause },
    /// The server stores nothing.
    #[error(
        "the server offers no JetStream: {}\n  \
         next: start it with JetStream: `nats-server -js`; or check the permissions of the account",
        said(.cause)
    )]
    NoJetStream { cause: Cause },
    /// The server delivers no messages of this subject.
    #[error("cannot subscribe to {subject}: {cause}\n  next: check the permissions of the account")]
    NoSubscription { subject: String, cause: Cause },
    /// The server does not take a component.
    #[error(
        "cannot send a component: {}\n  next: check the storage limit of the account on the server",
        said(.cause)
    )]
    NoRoom { cause: Cause },
    /// The results of an earlier coordinator cannot be read.
    #[error("cannot read the results of an earlier coordinator: {cause}\n  next: run it again")]
    NoResults { cause: Cause },
    /// Another coordinator has a contest with this name there.
    #[error(
        "{server}: another `arena run` coordinates a contest named `{contest}` there\n  \
         next: wait until it has ended, or give this contest a name: `--contest NAME`, also for its workers"
    )]
    ContestTaken { server: String, contest: String },
    /// No coordinator has a contest with this name there.
    #[error(
        "{server}: no `arena run` coordinates a contest named `{contest}` there\n  \
         next: start one, or name another with --contest"
    )]
    NoContest { server: String, contest: String },
    /// A bot's file has changed since it was admitted.
    #[error("a bot's file has changed since it was admitted\n  next: run it again")]
    ComponentChanged,
}

/// The text of a cause, in a line.
fn said(cause: &Cause) -> Line<200> {
    Line::new(&cause.to_string())
}

impl From<HostError> for ClusterError {
    fn from(error: HostError) -> Self {
        Self::Engine(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, Status, WorkerKey, register};
    use std::fs;

    #[test]
    fn a_caller_can_match_what_is_wrong_with_a_register() {
        let place = tempfile::tempdir().expect("there is room");
        let path = place.path().join("workers.toml");
        let admit = |name: &str| register::admit(&path, &WorkerKey::fresh().public(), name, "ann");
        admit("north").expect("it can be written");
        assert!(matches!(admit("north"), Err(ClusterError::WorkerKnown { name, .. }) if name == "north"));
        let blocked = register::set_blocked(&path, "south", Some("it is slow"));
        assert!(matches!(blocked, Err(ClusterError::UnknownWorker { name, .. }) if name == "south"));
        fs::write(&path, "[[worker]]\n").expect("it can be written");
        let error = admit("south").expect_err("it has no key");
        let text = format!("{}: missing field `key`\n  next: write [[worker]] with", shown(&path));
        assert!(error.to_string().starts_with(&text), "{error}");
        assert!(matches!(error, ClusterError::WrongRegister { file, .. } if file == path));
    }

    #[test]
    fn a_caller_can_match_what_is_wrong_with_a_server_or_a_key() {
        let of_address = Server::of("ftp://token@host", None);
        assert!(matches!(of_address, Err(ClusterError::WrongAddress { why }) if !why.contains("token")));
        let of_contest = Server::of("nats://host", Some("a b"));
        assert!(matches!(of_contest, Err(ClusterError::WrongContest { .. })));
        let of_closed_port = Server::of("nats://127.0.0.1:1", None).map(|server| Status::ask(&server));
        let Ok(Err(ConnectError::Unreachable { server, .. })) = of_closed_port else {
            panic!("the port has no server")
        };
        assert_eq!(server, "nats://127.0.0.1:1");
        let place = tempfile::tempdir().expect("there is room");
        let path = place.path().join("key");
        fs::write(&path, "SU").expect("it can be written");
        assert!(
            matches!(WorkerKey::in_file(&path), Err(ClusterError::WrongKey { file, .. }) if file == path)
        );
    }
}
