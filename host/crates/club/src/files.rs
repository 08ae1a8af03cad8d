//! The files of the pages, as [`ServeDir`](tower_http::services::ServeDir) asks for them.
//!
//! Each step of a file on the disk costs a change to another thread and back, and `tokio::fs` takes five of them for a page: two
//! thirds of what a page costs. Here a page is found, opened and read in one step. Larger files are read in parts, as usual.

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
        match self.kept().filter(|(kept, _)| *kept == path) {
            Some(kept) => Ok(kept),
            None => {
                spawn_blocking(move || Ok((path.clone(), find(&path)?))).await.map_err(io::Error::other)?
            }
        }
    }
}

/// Opens a file, and reads it if it is small.
fn find(path: &Path) -> io::Result<Found> {
    let file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    let size = metadata.len();
    if !metadata.is_file() || size > WHOLE_BYTES_MAX {
        return Ok(Found { metadata, content: Content::Large(file.into()) });
    }
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
