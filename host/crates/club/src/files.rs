//! The files of the pages, as [`ServeDir`](tower_http::services::ServeDir) asks for them.
//!
//! Reading the disk is left to other threads, but each step there costs a change to another thread and back, and `tokio::fs` takes
//! five of them for a page: two thirds of what a page costs. Here a page that the system has in memory is read at once, and
//! another one in one step. Larger files are read in parts, as usual.

use arena_platform::files::read_from_memory;
use std::future::{Future, Ready, ready};
use std::io::{self, Cursor, ErrorKind, Read, SeekFrom};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::{fs, mem};
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tokio::task::spawn_blocking;
use tower_http::services::fs::{Backend, File};

/// The largest file that is read whole, in bytes. Chosen: four times the usual page; with all connections, 64 MiB of memory.
const WHOLE_BYTES_MAX: u64 = 256 << 10;

/// The files for one request. What was found out about a file is kept for the next question about it.
#[derive(Clone, Default)]
pub(crate) struct Files(Arc<Mutex<Option<(PathBuf, Found)>>>);

/// A file that was opened, with its size and time at that moment.
pub(crate) struct Found {
    metadata: fs::Metadata,
    content: Content,
}

enum Content {
    Whole(Cursor<Vec<u8>>),
    Large(tokio::fs::File),
}

type Answer<T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send>>;

impl Files {
    fn kept(&self) -> Option<(PathBuf, Found)> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn keep(&self, path: PathBuf, found: Found) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((path, found));
    }

    /// Finds a file, or takes the one that was found before.
    async fn find(self, path: PathBuf) -> io::Result<(PathBuf, Found)> {
        if let Some(kept) = self.kept().filter(|(kept, _)| *kept == path) {
            return Ok(kept);
        }
        if let Some((metadata, bytes)) = read_from_memory(&path, WHOLE_BYTES_MAX) {
            return Ok((path, Found { metadata, content: Content::Whole(Cursor::new(bytes)) }));
        }
        let found = spawn_blocking(move || Ok((path.clone(), find(&path)?)));
        found.await.map_err(io::Error::other)?
    }
}

/// Opens a file, and reads it if it is small.
fn find(path: &Path) -> io::Result<Found> {
    let file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > WHOLE_BYTES_MAX {
        return Ok(Found { metadata, content: Content::Large(file.into()) });
    }
    let size = metadata.len();
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != size {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Found { metadata, content: Content::Whole(Cursor::new(bytes)) })
}

impl Backend for Files {
    type File = Found;
    type Metadata = fs::Metadata;
    type OpenFuture = Answer<Found>;
    type MetadataFuture = Answer<fs::Metadata>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let found = self.clone().find(path);
        Box::pin(async { Ok(found.await?.1) })
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let files = self.clone();
        Box::pin(async move {
            let (path, found) = files.clone().find(path).await?;
            let metadata = found.metadata.clone();
            files.keep(path, found);
            Ok(metadata)
        })
    }
}

impl File for Found {
    type Metadata = fs::Metadata;
    type MetadataFuture<'a> = Ready<io::Result<fs::Metadata>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(self.metadata.clone()))
    }
}

impl AsyncRead for Found {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().content {
            Content::Whole(bytes) => Pin::new(bytes).poll_read(cx, buf),
            Content::Large(file) => Pin::new(file).poll_read(cx, buf),
        }
    }
}

impl AsyncSeek for Found {
    fn start_seek(self: Pin<&mut Self>, position: SeekFrom) -> io::Result<()> {
        match &mut self.get_mut().content {
            Content::Whole(bytes) => Pin::new(bytes).start_seek(position),
            Content::Large(file) => Pin::new(file).start_seek(position),
        }
    }

    fn poll_complete(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        match &mut self.get_mut().content {
            Content::Whole(bytes) => Pin::new(bytes).poll_complete(cx),
            Content::Large(file) => Pin::new(file).poll_complete(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(found: Option<Found>) -> Option<Vec<u8>> {
        match found?.content {
            Content::Whole(bytes) => Some(bytes.into_inner()),
            Content::Large(_) => None,
        }
    }

    #[test]
    fn a_small_file_is_read_whole_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        for (name, size) in [("empty", 0), ("page", 40_000), ("most", WHOLE_BYTES_MAX as usize)] {
            fs::write(path(name), vec![7; size]).expect("it can be written");
            assert_eq!(bytes(find(&path(name)).ok()), Some(vec![7; size]), "{name}");
            // The system may say that it would have to wait.
            let at_once = read_from_memory(&path(name), WHOLE_BYTES_MAX);
            assert!(at_once.is_none_or(|(_, at_once)| at_once == vec![7; size]), "{name}");
        }
        fs::write(path("large"), vec![7; WHOLE_BYTES_MAX as usize + 1]).expect("it can be written");
        assert!(matches!(find(&path("large")).expect("it is there").content, Content::Large(_)));
        assert!(find(&path("missing")).is_err_and(|error| error.kind() == ErrorKind::NotFound));
        for name in ["large", "missing", "."] {
            assert!(read_from_memory(&path(name), WHOLE_BYTES_MAX).is_none(), "{name}");
        }
    }
}
