//! Bots on their way in: limited in size, time, rate and number, written to the disk as they arrive, and in the register before they
//! are answered.

use crate::error::ClubError;
use crate::state::State;
use crate::token;
use crate::uploads::Refusal;
use arena_engine::internals::seed;
use arena_store::{Author, Register, RegisterError, Submission, Version, VersionState};
use arena_text::Line;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap};
use data_encoding::HEXLOWER;
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout_at};
use tower_http::timeout::TimeoutError;

/// The most versions of an author whose components are kept. Chosen: a season of a hundred days with two versions each.
const VERSIONS_MAX: usize = 200;

/// The number of versions that count: one that was refused or deleted takes no room.
fn kept(versions: &[Version]) -> usize {
    versions.iter().filter(|version| version.is_kept()).count()
}

/// The token of a request.
pub(crate) fn token_of(headers: &HeaderMap) -> Result<&str, Refusal> {
    let given = headers.get(AUTHORIZATION).and_then(|value| str::from_utf8(value.as_bytes()).ok());
    let given = given
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    given.map(|(_, given)| token::of_copy(given)).ok_or_else(|| {
        let next = "send it as `Authorization: Bearer TOKEN`; `arena submit` does that";
        Refusal::new(StatusCode::UNAUTHORIZED, "the request has no token", next)
    })
}

/// The author with this token.
pub(crate) async fn author(state: &Arc<State>, given: &str) -> Result<Author, Refusal> {
    let hash = token::hash(given);
    state.with_register(move |register| register.author(&hash)).await?.ok_or_else(|| {
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            "the token is wrong, or was revoked",
            "ask the organiser for a token",
        )
    })
}

/// Refuses a request of an author who is disqualified, or while the season takes no bots.
pub(crate) async fn require_author_may_play(state: &Arc<State>, author: &Author) -> Result<(), Refusal> {
    if let Some(reason) = &author.disqualified {
        let what = format!("{} is disqualified: {reason}", author.name);
        return Err(Refusal::new(StatusCode::FORBIDDEN, what, "ask the organiser"));
    }
    state.require_open_season().await
}

/// The refusal of a request whose body cannot be read: `other`, unless the body took too long.
pub(crate) fn failure(error: &(dyn Error + 'static), other: Refusal) -> Refusal {
    let mut causes = iter::successors(Some(error), |error| (*error).source());
    if !causes.any(|cause| cause.is::<TimeoutError>()) {
        return other;
    }
    Refusal::new(
        StatusCode::REQUEST_TIMEOUT,
        "the upload took too long, or paused for too long",
        "submit it again, over a better connection",
    )
}

/// A file that is removed again, unless it was renamed.
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        // It may have been renamed already.
        let _ = fs::remove_file(&self.0);
    }
}

/// Receives a component and enters it in the register. It is on the disk when this returns.
pub(crate) async fn receive<E: Error + 'static>(
    state: &Arc<State>,
    author: &Author,
    is_draft: bool,
    length: Option<u64>,
    blocks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<Version, Refusal> {
    let received = enter(state, author, is_draft, length, blocks).await;
    state.metrics.count_upload(&received);
    match &received {
        Ok(Version { number: version, size, .. }) => {
            tracing::info!(author = %author.name, version, size_bytes = size, "submitted");
        }
        Err(Refusal { status, what, .. }) => {
            let reason = Line::<200>::from(what);
            tracing::info!(author = %author.name, status = status.as_u16(), %reason, "upload refused");
        }
    }
    received
}

async fn enter<E: Error + 'static>(
    state: &Arc<State>,
    author: &Author,
    is_draft: bool,
    length: Option<u64>,
    blocks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<Version, Refusal> {
    require_author_may_play(state, author).await?;
    let _upload = state.uploads.begin(author.id)?;
    let name = author.name.clone();
    let (bytes_max, too_large) = state.blocking(move |state| state.room_for_upload(&name, length)).await?;
    if length.is_some_and(|length| length > bytes_max) {
        return Err(too_large);
    }
    let of_author = author.clone();
    let versions = state.with_register(move |register| Ok(kept(&register.versions(&of_author)?))).await?;
    if versions >= VERSIONS_MAX {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            format!("there are {VERSIONS_MAX} versions with this token, the most that an author has"),
            "delete versions that have not played, at `/me/` or with `arena mine --delete N`, or ask the organiser to delete others",
        ));
    }
    let number = seed::fresh_number().map_err(ClubError::from)?;
    let partial = Partial(state.folder.bots().join(format!("{number:016x}.part")));
    let Some(Received { sha256, size }) = write(&partial.0, blocks, bytes_max).await? else {
        return Err(too_large);
    };
    if size == 0 {
        let next = "choose the component of a bot, a .wasm file";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "no file was sent", next));
    }
    let (path, folder) = (state.folder.bot(&sha256), state.folder.bots());
    let (from, author) = (partial.0.clone(), author.clone());
    let (of_register, of_state) = (sha256.clone(), Arc::clone(state));
    let enter = move |register: &mut Register| {
        // The folder's entry has to be on the disk, too.
        let moved = fs::rename(&from, path).and_then(|()| fs::File::open(folder)?.sync_all());
        moved.map_err(RegisterError::Io)?;
        let entered = register
            .submit(&author, &Submission { sha256: &of_register, size, now: of_state.now(), is_draft })?;
        // One bot of an author waits, so that the others need not wait for more of them.
        let mut unneeded = match &entered {
            Some(version) if version.state == VersionState::Waiting => {
                register.replace_waiting(&author, version, of_state.judged())?
            }
            _ => Vec::new(),
        };
        // It may have been judged before, or is not entered.
        unneeded.push(of_register);
        Ok((entered, unneeded))
    };
    let (entered, unneeded) = state.with_register(enter).await?;
    let forget = move |state: &State| unneeded.iter().try_for_each(|sha256| state.forget_unneeded(sha256));
    state.blocking(forget).await?;
    let Some(version) = entered else {
        state.require_open_season().await?;
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "the token was revoked during the upload, or its author was disqualified",
            "ask the organiser",
        ));
    };
    state.add_taken(&version.author, size as i64);
    state.note_change();
    Ok(version)
}

/// Notes whether an author agrees that a version's component is published when the season is over. Returns false if the author has no
/// such version.
pub(crate) async fn publish(
    state: &Arc<State>,
    author: &Author,
    version: i64,
    is_published: bool,
) -> Result<bool, Refusal> {
    let author = author.clone();
    let publish = move |register: &mut Register| register.publish(&author, version, is_published);
    let is_known = state.with_register(publish).await?;
    state.outdate_site_if_over();
    Ok(is_known)
}

struct Received {
    sha256: String,
    size: u64,
}

/// Writes what arrives to a new file; `None` when it is too large.
async fn write<E: Error + 'static>(
    path: &Path,
    mut blocks: impl Stream<Item = Result<Bytes, E>> + Unpin,
    bytes_max: u64,
) -> Result<Option<Received>, Refusal> {
    let on_disk = |_: io::Error| Refusal::of_club();
    let mut file = File::create_new(path).await.map_err(on_disk)?;
    let (mut hash, mut size) = (Sha256::new(), 0);
    while let Some(block) = blocks.next().await {
        let block = block.map_err(|error| {
            let incomplete = "the upload is incomplete";
            failure(&error, Refusal::new(StatusCode::BAD_REQUEST, incomplete, "submit it again"))
        })?;
        size += block.len() as u64;
        if size > bytes_max {
            return Ok(None);
        }
        hash.update(&block);
        file.write_all(&block).await.map_err(on_disk)?;
    }
    // Without it, the failure of the last write would not be known.
    file.flush().await.map_err(on_disk)?;
    file.sync_all().await.map_err(on_disk)?;
    Ok(Some(Received { sha256: HEXLOWER.encode(&hash.finalize()), size }))
}

/// Waits for the verdict on a version, for this time at most, and returns the version as it is then.
pub(crate) async fn wait_for_verdict(
    state: &Arc<State>,
    version: Version,
    at_most: Duration,
) -> Result<Version, Refusal> {
    let until = Instant::now() + at_most;
    let mut version = version;
    loop {
        // It is woken by changes from now on, so that none is missed.
        let changed = state.changed();
        let id = version.id;
        version = state.with_register(move |register| register.version(id)).await?.unwrap_or(version);
        if version.state != VersionState::Waiting || version.deleted_at.is_some() || state.is_over() {
            return Ok(version);
        }
        if timeout_at(until, changed).await.is_err() {
            return Ok(version);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::{Club, ClubOptions};
    use crate::folder::Folder;
    use crate::judging::Work;
    use futures_util::stream;
    use tempfile::TempDir;
    use tokio::runtime::Runtime;

    /// A club that judges nothing, with an author.
    struct Setting {
        _place: TempDir,
        club: Club,
        author: Author,
        runtime: Runtime,
    }

    fn setting() -> Setting {
        let place = tempfile::tempdir().expect("there is room");
        let club = Club::open(&Folder::at(&place.path().join("club")), ClubOptions::default());
        let club = club.expect("it can be made");
        let invite = |register: &mut Register| {
            register.invite_all([("ann", [1; 32])])?;
            register.author(&[1; 32])
        };
        let author = club.state.register(invite).expect("it can be written").expect("ann was invited");
        let runtime = arena_resources::runtime(4).expect("there is room");
        Setting { _place: place, club, author, runtime }
    }

    impl Setting {
        fn upload(&self, content: &str) -> Result<Version, Refusal> {
            let blocks = stream::iter([Ok::<_, io::Error>(Bytes::from(content.to_owned()))]);
            self.runtime.block_on(receive(&self.club.state, &self.author, false, None, blocks))
        }

        /// Notes that judging a version has begun.
        fn begin_judging(&self, version: &Version) {
            self.club
                .state
                .begin_judging(|_| Ok(Some(Work::Version(version.clone()))))
                .expect("it can be read");
        }

        /// The state of a version, the number of the one that has replaced it, and true if its file is there.
        fn now(&self, version: &Version) -> (VersionState, Option<u32>, bool) {
            let now = self.club.state.register(|register| register.version(version.id));
            let now = now.expect("it can be read").expect("it is there");
            (now.state, now.replaced_by, self.club.state.folder.bot(&now.sha256).is_file())
        }
    }

    #[test]
    fn one_bot_of_an_author_waits_besides_the_one_that_is_being_judged() {
        let it = setting();
        let uploads = ["one", "two", "three"].map(|bot| {
            let version = it.upload(bot).expect("it is taken");
            if bot == "one" {
                it.begin_judging(&version);
            }
            version
        });
        use VersionState::{Refused, Waiting};
        let expected = [(Waiting, None, true), (Refused, Some(3), false), (Waiting, None, true)];
        assert_eq!(uploads.each_ref().map(|version| it.now(version)), expected);
        // What was replaced is judged after all when it is submitted again.
        let again = it.upload("two").expect("it is taken");
        assert_eq!((again.id, again.number), (uploads[1].id, 2));
        assert_eq!(it.now(&again), (Waiting, None, true));
        assert_eq!(it.now(&uploads[2]), (Refused, Some(2), false));
    }

    #[test]
    fn an_author_has_200_versions() {
        let it = setting();
        let submit = |register: &mut Register| {
            for number in 1..200 {
                let sha256 = format!("{number:064}");
                let version = register
                    .submit(&it.author, &Submission { sha256: &sha256, size: 1, now: 0, is_draft: false })?;
                register.judge(version.expect("it is taken").id, VersionState::Admitted, "")?;
            }
            Ok(())
        };
        it.club.state.register(submit).expect("it can be written");
        assert_eq!(it.upload("the last one").expect("it is taken").number, 200);
        let refused = it.upload("one more").expect_err("there are enough");
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(refused.what.contains("200 versions"), "{}", refused.what);
    }
}
