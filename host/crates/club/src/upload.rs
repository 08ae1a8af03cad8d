//! Bots on their way in: limited in size, time, rate and number, written to the disk as they arrive, and in the register before they
//! are answered.

use crate::state::State;
use crate::token;
use crate::uploads::Refusal;
use arena_engine::seed;
use arena_store::{Author, RegisterError, Submission, Version, VersionState};
use data_encoding::HEXLOWER;
use http::StatusCode;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The most versions that wait for their verdict. Chosen: some minutes of judging.
const WAITING_MAX: usize = 64;

/// The most versions of an author. Chosen: a season of a hundred days with two versions each; the largest ones take some ten gigabytes.
const VERSIONS_MAX: usize = 200;

/// The bytes that are read at a time. Chosen: usual.
const BLOCK_BYTES: usize = 64 << 10;

/// The author with this token.
pub(crate) fn author(state: &State, given: &str) -> Result<Author, Refusal> {
    state.register(|register| register.author(&token::hash(given)))?.ok_or_else(|| {
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            "the token is wrong, or was revoked",
            "ask the organiser for a token",
        )
    })
}

/// Receives a component and enters it in the register. It is on the disk when this returns.
pub(crate) fn receive(
    state: &State,
    author: &Author,
    body: &mut dyn Read,
    length: Option<u64>,
) -> Result<Version, Refusal> {
    let _upload = state.uploads.begin(author.id)?;
    let bytes_max = state.component_bytes_max;
    let too_large = || {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the file is larger than {bytes_max} bytes"),
            "submit a component, which `arena check` admits",
        )
    };
    if length.is_some_and(|length| length > bytes_max) {
        return Err(too_large());
    }
    if state.register(|register| register.waiting())?.len() >= WAITING_MAX {
        return Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{WAITING_MAX} bots wait to be judged already"),
            "submit it again in some minutes",
        ));
    }
    if state.register(|register| register.versions(author))?.len() >= VERSIONS_MAX {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            format!("there are {VERSIONS_MAX} versions with this token, the most that an author has"),
            "ask the organiser for another name and token",
        ));
    }
    let number = seed::fresh_number()?;
    let partial = state.folder.bots().join(format!("{number:016x}.part"));
    let received = write(&partial, body, bytes_max).and_then(|received| {
        let Some(Received { sha256, size }) = received else { return Err(too_large()) };
        if size == 0 {
            let next = "choose the component of a bot, a .wasm file";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, "no file was sent", next));
        }
        let (path, folder) = (state.folder.bot(&sha256), state.folder.bots());
        state
            .register(|register| {
                // The folder's entry has to be on the disk, too.
                let moved = fs::rename(&partial, path).and_then(|()| File::open(folder)?.sync_all());
                moved.map_err(RegisterError::Io)?;
                register.submit(author, &Submission { sha256: &sha256, size })
            })
            .map_err(Refusal::from)
    });
    if received.is_err() {
        // It may have been renamed already.
        let _ = fs::remove_file(&partial);
    }
    let version = received?;
    // It may have been judged before.
    state.forget_unneeded(&version.sha256)?;
    state.note_change();
    Ok(version)
}

struct Received {
    sha256: String,
    size: u64,
}

/// Writes what arrives to a new file; `None` when it is too large.
fn write(path: &Path, body: &mut dyn Read, bytes_max: u64) -> Result<Option<Received>, Refusal> {
    let on_disk = |_: io::Error| Refusal::of_club();
    let mut file = File::create_new(path).map_err(on_disk)?;
    let (mut hash, mut size) = (Sha256::new(), 0);
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let read = body.read(&mut block).map_err(|error| match error.kind() {
            ErrorKind::TimedOut => Refusal::new(
                StatusCode::REQUEST_TIMEOUT,
                "the upload took too long, or paused for too long",
                "submit it again, over a better connection",
            ),
            _ => Refusal::new(StatusCode::BAD_REQUEST, "the upload is incomplete", "submit it again"),
        })?;
        if read == 0 {
            break;
        }
        size += read as u64;
        if size > bytes_max {
            return Ok(None);
        }
        hash.update(&block[..read]);
        file.write_all(&block[..read]).map_err(on_disk)?;
    }
    file.sync_all().map_err(on_disk)?;
    Ok(Some(Received { sha256: HEXLOWER.encode(&hash.finalize()), size }))
}

/// Waits for the verdict on a version, for this time at most, and returns the version as it is then.
pub(crate) fn wait_for_verdict(
    state: &State,
    version: Version,
    at_most: Duration,
) -> Result<Version, Refusal> {
    let until = Instant::now() + at_most;
    let mut version = version;
    loop {
        let changes = state.changes();
        version = state.register(|register| register.version(version.id))?.unwrap_or(version);
        let left = until.saturating_duration_since(Instant::now());
        if version.state != VersionState::Waiting || left.is_zero() || state.is_over() {
            return Ok(version);
        }
        state.wait(changes, left);
    }
}
