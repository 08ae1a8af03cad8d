//! The cache of verdicts on components, in a folder that only this user can write to. It keeps the code of admitted components, and
//! refusals, so that a component that takes long to refuse is judged once. The same folder has the
//! [functions](super::functions) of skeletons, the names that bots gave in separate processes, and the times that compiling took.
//!
//! A file is written under a temporary name and renamed once it is complete, so several arenas may use one folder at the
//! same time: at worst one of them compiles a component that another has already compiled. A file is trusted only if it
//! belongs to this user, no other user can write to it, and it is [sealed](super::seal) for the component and its
//! judges.

use super::seal::{Key, Kind, SealReader, Sealed};
use arena_platform::private::{self, PrivateFolder, Unusable, since_1970};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The largest total size of a cache's files, in bytes. Chosen: some fifty compiled Python or JavaScript bots, or thousands in Rust.
const CACHE_BYTES_MAX: u64 = 2 << 30;

/// The default of [`CacheOptions::large_bytes`]. Chosen: code of this size takes 5 s to compile, and contains an interpreter.
const LARGE_BYTES: usize = 4_000_000;

/// The default of [`CacheOptions::medium_bytes`]. Chosen: QuickJS has 1.6 MB, and it is the same in each bot. A bot in Go has 2 MB, but
/// another skeleton after each edit, so that caching it would only cost time.
const MEDIUM_BYTES: usize = 1_000_000;

/// The age from which on an incomplete file is assumed to be left by a dead process. Chosen: writing a file takes a second.
const LEFT_BEHIND_AFTER: Duration = Duration::from_secs(3_600);

/// The endings of the names of complete files.
const ARTIFACT_SUFFIX: &str = ".artifact";
const REFUSAL_SUFFIX: &str = ".refusal";
const FUNCTIONS_SUFFIX: &str = ".functions";
const NAME_SUFFIX: &str = ".name";
const TIME_SUFFIX: &str = ".time";

/// The contents of the files with each of the endings, in words.
const SUFFIXES: [(&str, &str); 5] = [
    (ARTIFACT_SUFFIX, "compiled bots"),
    (FUNCTIONS_SUFFIX, "compiled interpreters"),
    (REFUSAL_SUFFIX, "refusals"),
    (NAME_SUFFIX, "names"),
    (TIME_SUFFIX, "times that compiling took"),
];

/// The name of incomplete files in such a list.
const INCOMPLETE: &str = "incomplete files";

/// The ending of the name of an incomplete file.
const TEMPORARY_SUFFIX: &str = ".tmp";

/// A place to keep compiled components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// The folder. If it does not exist, it is created for this user alone. It is not used if it belongs to another user,
    /// if others may write to it, or if it is a symbolic link.
    pub dir: PathBuf,
    /// The largest total size of its files, in bytes. The least recently used files are removed first.
    pub bytes_max: u64,
    /// The folder of the one bot whose builds are admitted, if its author admits them. Then a build is compiled with the functions of an
    /// earlier build, although its code has changed since, and its code is not kept for others.
    pub project: Option<PathBuf>,
    /// The size of a component, and of its skeleton, from which on compiled functions are cached for other components with the same
    /// skeleton, in bytes. By default 4 MB.
    pub large_bytes: usize,
    /// The size from which on they are cached when a skeleton is seen for the second time, in bytes. By default 1 MB.
    pub medium_bytes: usize,
}

impl CacheOptions {
    /// A cache of 2 GiB in this folder.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            bytes_max: CACHE_BYTES_MAX,
            project: None,
            large_bytes: LARGE_BYTES,
            medium_bytes: MEDIUM_BYTES,
        }
    }
}

/// The files of one kind in a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheFiles {
    /// The kind, in words.
    pub what: &'static str,
    /// The number of files.
    pub count: usize,
    /// Their size, in bytes.
    pub bytes: u64,
}

impl CacheOptions {
    /// The files of the cache by kind. Files that no arena has made are not counted.
    ///
    /// # Errors
    /// The reason why the folder cannot be used.
    pub fn files(&self) -> Result<Vec<CacheFiles>, UnusableCache> {
        self.visit(|_, _| true)
    }

    /// Removes the files of the cache, except for those that another arena may be writing, and returns the removed ones. Files that no
    /// arena has made stay.
    ///
    /// # Errors
    /// The reason why the folder cannot be used.
    pub fn clear(&self) -> Result<Vec<CacheFiles>, UnusableCache> {
        self.visit(|cache, entry| {
            (entry.is_complete || entry.is_left_behind()) && cache.dir.remove(&entry.name).is_ok()
        })
    }

    /// The files of the cache for which `counts` returns true, by kind.
    fn visit(&self, counts: impl Fn(&Cache, &Entry) -> bool) -> Result<Vec<CacheFiles>, UnusableCache> {
        let kinds = SUFFIXES.iter().map(|(_, what)| *what).chain([INCOMPLETE]);
        let mut files: Vec<_> = kinds.map(|what| CacheFiles { what, count: 0, bytes: 0 }).collect();
        // A missing folder has no files, and is not created here.
        if !self.dir.exists() {
            return Ok(files);
        }
        let cache = Cache::open_as_it_is(self)?;
        let entries =
            cache.entries().map_err(|error| UnusableCache::because("the folder cannot be read", error))?;
        for entry in entries.into_iter().filter(|entry| counts(&cache, entry)) {
            if let Some(kind) = files.iter_mut().find(|files| files.what == entry.what) {
                kind.count += 1;
                kind.bytes += entry.bytes;
            }
        }
        Ok(files)
    }
}

/// A file of a cache.
struct Entry {
    name: String,
    what: &'static str,
    is_complete: bool,
    bytes: u64,
    /// The time of its last use, since 1970.
    used: Duration,
}

impl Entry {
    /// The file with this name, before its size and time are known; `None` when no arena gives a file such a name.
    fn of(name: &str) -> Option<Self> {
        let entry = |what, is_complete| {
            Some(Self { name: name.to_owned(), what, is_complete, bytes: 0, used: Duration::ZERO })
        };
        if let Some(stem) = name.strip_suffix(TEMPORARY_SUFFIX) {
            let is_of_an_arena = (2..=3).contains(&stem.split('-').count())
                && stem
                    .split('-')
                    .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
            return if is_of_an_arena { entry(INCOMPLETE, false) } else { None };
        }
        let is_entry = |suffix: &str| name.strip_suffix(suffix).is_some_and(Key::is_key);
        let (_, what) = SUFFIXES.iter().find(|(suffix, _)| is_entry(suffix))?;
        entry(what, true)
    }

    /// True if it is incomplete, and its process has most likely ended.
    fn is_left_behind(&self) -> bool {
        !self.is_complete && since_1970(SystemTime::now()).saturating_sub(self.used) > LEFT_BEHIND_AFTER
    }
}

/// The reason why a cache cannot be used.
#[derive(Debug)]
pub struct UnusableCache {
    /// The reason, to go on after a colon.
    pub why: String,
    /// The next step, if the system is the cause and not the folder: a limit, or a full disk.
    pub next: Option<String>,
}

/// The next step if the folder itself is the problem.
pub(super) const REPAIR: &str = "repair it, name another folder with --cache, or use --no-cache";

impl UnusableCache {
    /// The reason with the error of the system.
    pub(super) fn because(what: &str, error: io::Error) -> Self {
        let next = arena_resources::step_or(&error, REPAIR);
        Self {
            why: format!("{what}: {}", arena_files::reason(&error)),
            next: (next != REPAIR).then_some(next),
        }
    }
}

impl From<&str> for UnusableCache {
    fn from(why: &str) -> Self {
        Self { why: why.to_owned(), next: None }
    }
}

/// An open cache.
pub(super) struct Cache {
    dir: PrivateFolder,
    bytes_max: u64,
}

impl Cache {
    /// Opens a cache, or returns the reason why it cannot be used.
    pub(super) fn open(options: &CacheOptions) -> Result<Self, UnusableCache> {
        let cache = Self::open_as_it_is(options)?;
        // Files that cannot be removed are harmless.
        let _ = cache.tidy();
        Ok(cache)
    }

    fn open_as_it_is(options: &CacheOptions) -> Result<Self, UnusableCache> {
        let because = UnusableCache::because;
        let dir = PrivateFolder::open(&options.dir).map_err(|why| match why {
            Unusable::Create(error) => because("the folder cannot be created", error),
            Unusable::Open(error) => because("the folder cannot be opened", error),
            Unusable::Examine(error) => because("the folder cannot be examined", error),
            Unusable::NotAFolder => "it is a symbolic link or not a folder".into(),
            Unusable::OfAnother => "the folder belongs to another user".into(),
            Unusable::WritableByOthers => "others may write to the folder; `chmod go-w` changes that".into(),
        })?;
        Ok(Self { dir, bytes_max: options.bytes_max })
    }

    /// Loads the entry of this kind for a key. An untrusted file is removed.
    pub(super) fn load(&self, key: &Key, kind: Kind, artifact_bytes_max: usize) -> Option<Sealed> {
        let sealed = match self.dir.read(&file_name(key, kind)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            // That says nothing about the file.
            Err(error) if arena_resources::is_limit(&error) => return None,
            file => file.ok().flatten().and_then(|file| read(&file, key, artifact_bytes_max)),
        };
        let sealed = sealed.filter(|sealed| sealed.kind() == kind);
        if sealed.is_none() {
            self.forget(key, kind);
        }
        sealed
    }

    /// Removes the entry of this kind for a key.
    pub(super) fn forget(&self, key: &Key, kind: Kind) {
        // It may be gone already; if it cannot be removed, it will not be trusted the next time either.
        let _ = self.dir.remove(&file_name(key, kind));
    }

    /// Stores an entry, and removes the least recently used ones if the cache is full.
    pub(super) fn store(&self, key: &Key, sealed: &Sealed) -> io::Result<()> {
        /// The number of files begun. It makes their names differ within a process.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if sealed.bytes() > self.bytes_max {
            return Ok(());
        }
        // The time makes names differ between processes with the same number, on another system or in the past.
        let (count, now) = (COUNT.fetch_add(1, Ordering::Relaxed), since_1970(SystemTime::now()).as_nanos());
        let name = format!("{}-{now}-{count}{TEMPORARY_SUFFIX}", process::id());
        let mut file = self.dir.create(&name)?;
        let written = sealed.write(&mut file);
        // Some systems do not rename an open file.
        drop(file);
        let kept = written.and_then(|()| self.dir.rename(&name, &file_name(key, sealed.kind())));
        if kept.is_err() {
            let _ = self.dir.remove(&name);
        }
        kept.and_then(|()| self.tidy())
    }

    /// Removes the least recently used files beyond the total size, and incomplete ones that were left behind.
    fn tidy(&self) -> io::Result<()> {
        let (mut complete, incomplete): (Vec<Entry>, Vec<Entry>) =
            self.entries()?.into_iter().partition(|entry| entry.is_complete);
        for entry in incomplete.iter().filter(|entry| entry.is_left_behind()) {
            let _ = self.dir.remove(&entry.name);
        }
        complete.sort_by(|one, other| (one.used, &one.name).cmp(&(other.used, &other.name)));
        let mut bytes: u64 = complete.iter().map(|entry| entry.bytes).sum();
        for entry in complete {
            if bytes <= self.bytes_max {
                break;
            }
            let _ = self.dir.remove(&entry.name);
            bytes -= entry.bytes;
        }
        Ok(())
    }

    /// The files that an arena has made.
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let found = self.dir.entries(|name| Entry::of(name).is_some())?;
        let entry = |it: private::Entry| {
            let entry = Entry::of(&it.name)?;
            Some(Entry { bytes: it.bytes, used: it.changed, ..entry })
        };
        Ok(found.into_iter().filter_map(entry).collect())
    }
}

fn file_name(key: &Key, kind: Kind) -> String {
    let suffix = match kind {
        Kind::Refused => REFUSAL_SUFFIX,
        Kind::Functions => FUNCTIONS_SUFFIX,
        Kind::Name => NAME_SUFFIX,
        Kind::Time => TIME_SUFFIX,
        _ => ARTIFACT_SUFFIX,
    };
    format!("{}{suffix}", key.text())
}

/// Reads a file that is this user's alone.
fn read(file: &File, key: &Key, artifact_bytes_max: usize) -> Option<Sealed> {
    let sealed = SealReader::new(key, artifact_bytes_max).read(file).ok()?;
    // Its time is that of its last use. If that cannot be set, the file is removed a little too early.
    let _ = file.set_modified(SystemTime::now());
    Some(sealed)
}
