//! The parts of an earlier report's site that are still valid: sums over games, and replays.

use super::{GameReader, KeptAt, SiteFolder};
use crate::index::{INDEX_BYTES_MAX, Index, KeptReplay, Sha256Bytes, Sums, sha256, sha256_of};
use crate::layout::{INDEX, Page, paths_of_game};
use crate::{Contest, Facts, Report, Reported};
use arena_engine::internals::logs::Logs;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::sync::PoisonError;

/// The largest page, in bytes, that is read to be kept. Chosen: a replay of a thousand turns with logs has some MB.
const PAGE_BYTES_MAX: u64 = 1 << 28;

/// The valid parts of a site's index.
pub(super) struct Known {
    /// The SHA-256 of this program; `None` when it cannot be read, and then there is no index.
    program: Option<Sha256Bytes>,
    sums: Option<Sums>,
    replays: BTreeMap<usize, KeptReplay>,
}

impl Known {
    /// Reads the index of a site. One that this very program has not written, or that was damaged, is ignored.
    pub(super) fn read(folder: &SiteFolder) -> Self {
        let program = program();
        let index = program
            .zip(folder.old(INDEX, INDEX_BYTES_MAX))
            .and_then(|(program, bytes)| Index::read(&bytes, &program));
        let (sums, replays) = index.map_or_else(Default::default, |index| (index.sums, index.replays));
        Self { program, sums, replays }
    }

    /// The number of a contest's first games that the sums are of, and the facts about them. Without sums of its very games: 0, and no
    /// facts.
    pub(super) fn facts(&mut self, contest: &Contest, source: &GameReader) -> (usize, Facts) {
        let sums = self.sums.take();
        sums.and_then(|sums| sums.of(contest, |games| source.key_of(contest, games)))
            .unwrap_or_else(|| (0, Facts::new(contest)))
    }

    /// The replay of a game with this key, and its pages, if the site has them as they were written.
    pub(super) fn replay(
        &self,
        folder: &SiteFolder,
        number: usize,
        key: &Sha256Bytes,
    ) -> Option<(KeptReplay, [Page; 2])> {
        let replay = self.replays.get(&number).filter(|replay| replay.key == *key)?;
        let page = |path: String| Some(Page { bytes: folder.old(&path, PAGE_BYTES_MAX)?, path });
        let [html, picture] = paths_of_game(number);
        let pages = [page(html)?, page(picture)?];
        (pages.each_ref().map(|page| sha256(&page.bytes)) == replay.pages).then_some((*replay, pages))
    }

    /// The index of the new site.
    pub(super) fn next(
        self,
        contest: &Contest,
        source: &GameReader,
        facts: Facts,
        replays: BTreeMap<usize, KeptReplay>,
    ) -> Option<Page> {
        let games = contest.games.len();
        let sums = source.key_of(contest, games).map(|key| Sums { games, key, facts });
        let index = Index { program: self.program?, sums, replays };
        Some(Page { path: INDEX.into(), bytes: index.to_bytes() })
    }
}

impl GameReader {
    /// The key of the first games of a contest: which game of the journal each of them is, and the link of the last one, which has the hash
    /// of everything before it. `None` for a journal without a chain.
    fn key_of(&self, contest: &Contest, games: usize) -> Option<Sha256Bytes> {
        let kept = self.kept.get(..games)?;
        let mut last = 0;
        let mut hash = Sha256::new();
        for (game, kept) in contest.games.iter().zip(kept) {
            let number = kept.map_or(u64::MAX, |KeptAt { number, .. }| number);
            last = kept.map_or(last, |KeptAt { number, .. }| number.max(last));
            let [first, second] = game.seats.map(|bot| bot as u64);
            [number, first, second].iter().for_each(|number| hash.update(number.to_le_bytes()));
            hash.update([game.is_played.into()]);
        }
        if last > 0 {
            hash.update(self.link_of(last)?);
        }
        Some(hash.finalize().into())
    }

    /// The key of a replay: the page as it is without it, the link of its game, and the logs. `None` for a journal without a chain.
    pub(super) fn key_of_replay<G: Reported>(
        &self,
        report: &Report<'_>,
        index: usize,
        logs: &Logs,
    ) -> Option<Sha256Bytes> {
        let KeptAt { number, .. } = self.kept[index]?;
        let mut bytes = self.link_of(number)?.into_bytes();
        let page = report.game_without_replay::<G>(index);
        let logs = logs.iter().map(|log| log.as_deref().map(str::as_bytes));
        for part in [Some(page.as_slice())].into_iter().chain(logs) {
            // A log that is empty is another than none.
            bytes.extend(part.map_or(u64::MAX, |part| part.len() as u64).to_le_bytes());
            bytes.extend(part.unwrap_or_default());
        }
        Some(sha256(&bytes))
    }

    /// The link of a game, by its number in the journal; `None` when there is no such game.
    fn link_of(&self, number: u64) -> Option<String> {
        let reader = self.journal.first.lock().unwrap_or_else(PoisonError::into_inner);
        // If the journal cannot be read any more, everything is read anew, and says so.
        let head = reader.head_after(usize::try_from(number).ok()?, 0).ok().flatten()?;
        Some(head.sha256)
    }
}

/// The SHA-256 of the file of this program: another one may work out other sums, even under the same version.
fn program() -> Option<Sha256Bytes> {
    sha256_of(File::open(std::env::current_exe().ok()?).ok()?).ok()
}
