//! The index of a site: what a report has worked out from the recordings, for the next report of the same games.
//!
//! It holds sums and hashes, and decides nothing: a report that continues from it writes the same bytes as one that reads every
//! recording. So it is used only if it is certain to be of the same games and the same program, and otherwise ignored.

use crate::{Contest, Facts};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Read};

/// The first bytes of an index of this format.
const START: &[u8] = b"arena-report-index 1\n";

/// The largest index, in bytes. Chosen: one of 300 bots with all their faults and 100,000 replays has some 30 MB.
pub const INDEX_BYTES_MAX: u64 = 1 << 28;

/// A SHA-256.
pub type Sha256Bytes = [u8; 32];

/// The index of a site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    /// The SHA-256 of the program that wrote it.
    pub program: Sha256Bytes,
    /// The sums over games.
    pub sums: Option<Sums>,
    /// The replays by the numbers of their games.
    pub replays: BTreeMap<usize, KeptReplay>,
}

/// Sums over the first games of a contest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sums {
    /// The number of games.
    pub games: usize,
    /// The SHA-256 that only these games have: their order, and the chains of hashes up to the last of them.
    pub key: Sha256Bytes,
    /// The facts about the bots in these games.
    pub facts: Facts,
}

/// The page of a replay, and its picture for previews.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReplay {
    /// The SHA-256 of everything that the two follow from.
    pub key: Sha256Bytes,
    /// The SHA-256 of the page and of the picture.
    pub pages: [Sha256Bytes; 2],
}

impl Index {
    /// The index as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = postcard::to_allocvec(self).expect("an index is plain data");
        [START, &sha256(&content), &content].concat()
    }

    /// The index in a file. `None` for one that is damaged, of another format, or by another program.
    pub fn read(bytes: &[u8], program: &Sha256Bytes) -> Option<Self> {
        let (hash, content) = bytes.strip_prefix(START)?.split_first_chunk::<32>()?;
        if *hash != sha256(content) {
            return None;
        }
        match postcard::take_from_bytes::<Self>(content) {
            Ok((index, [])) if index.program == *program => Some(index),
            _ => None,
        }
    }
}

impl Sums {
    /// The facts, if they are of this contest: it begins with the games whose key `key_of` works out from their number. Bots that have come
    /// since have no facts yet.
    pub fn of(
        self,
        contest: &Contest,
        key_of: impl FnOnce(usize) -> Option<Sha256Bytes>,
    ) -> Option<(usize, Facts)> {
        let Self { games, key, facts } = self;
        let is_same = games <= contest.games.len() && key_of(games) == Some(key);
        Some((games, facts.of_more_bots(contest, games)?)).filter(|_| is_same)
    }
}

/// The SHA-256 of everything in a file.
///
/// # Errors
/// It cannot be read.
pub fn sha256_of(mut file: impl Read) -> io::Result<Sha256Bytes> {
    let (mut hash, mut bytes) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hash.finalize().into()),
            count => hash.update(&bytes[..count]),
        }
    }
}

/// The SHA-256 of these bytes.
pub fn sha256(bytes: &[u8]) -> Sha256Bytes {
    Sha256::digest(bytes).into()
}
