//! The pages of the contest: they are written while the games go on, and served from their folder.

use crate::club::{Club, House};
use crate::http::server::{Answer, Content};
use crate::state::State;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, IF_NONE_MATCH};
use http::{HeaderValue, StatusCode};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// The time between two versions of the pages. Chosen: a reader who looks again sees a change, and most of the time is left for games.
const SITE_EVERY: Duration = Duration::from_secs(3);

/// The time between two looks if nothing happens, and before a failure is tried again. Chosen: a full disk is noted a few times a minute.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// Writes the pages after stages, until the club is ended.
pub(crate) fn write_all(club: &Club, house: &dyn House) {
    let (state, folder) = (&club.state, &club.state.folder);
    while !state.is_over() {
        let changes = state.changes();
        if !state.take_outdated_site() {
            state.wait(changes, LOOK_EVERY);
            continue;
        }
        let written = house.write_site(&folder.journal(), &folder.site(), &|| state.is_over());
        let pause = match written {
            Ok(()) => SITE_EVERY,
            Err(_) if state.is_over() => return,
            Err(reason) => {
                house.note(reason);
                state.outdate_site();
                LOOK_EVERY
            }
        };
        state.pause(pause);
    }
}

/// The page at a path; `None` when there is none. Only the paths of a report lead to files, so no path leads anywhere else.
pub(crate) fn page(state: &State, path: &str, headers: &HeaderMap) -> Option<Answer> {
    let path = match path.strip_prefix('/')? {
        "" => "index.html",
        path => path,
    };
    // The files with a dot are the report's own.
    if !arena_report::is_of_a_site(path) || path.starts_with('.') {
        return None;
    }
    let file = arena_files::open(&state.folder.site().join(path)).ok()?;
    let metadata = file.metadata().ok()?;
    // A page that changes is another file, because the site is replaced as a whole.
    let tag = format!(
        "\"{:x}-{:x}-{:x}-{:x}\"",
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ino(),
        metadata.len()
    );
    let is_known =
        |known: &HeaderValue| known.to_str().is_ok_and(|known| known.split(", ").any(|known| known == tag));
    let status = match headers.get(IF_NONE_MATCH).is_some_and(is_known) {
        true => StatusCode::NOT_MODIFIED,
        false => StatusCode::OK,
    };
    let answer = Answer { status, headers: HeaderMap::new(), content: Content::File(file, metadata.len()) };
    // Browsers ask each time if it has changed.
    Some(answer.with(CONTENT_TYPE, media_type(path)).with(ETAG, &tag).with(CACHE_CONTROL, "no-cache"))
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "gif" => "image/gif",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
