//! The ways in which workers cannot be used, each with its data.

use crate::message::Why;
use crate::server::ConnectError;
use arena_engine::Error;
use arena_referee::HostError;
use arena_text::{line, shown};
use std::path::PathBuf;

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
    #[error(transparent)]
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

impl From<HostError> for ClusterError {
    fn from(error: HostError) -> Self {
        Self::Engine(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Server, WorkerKey, register};
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
        let place = tempfile::tempdir().expect("there is room");
        let path = place.path().join("key");
        fs::write(&path, "SU").expect("it can be written");
        assert!(
            matches!(WorkerKey::in_file(&path), Err(ClusterError::WrongKey { file, .. }) if file == path)
        );
    }
}
