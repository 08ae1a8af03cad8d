//! The files of the cache of compiled bots.

use super::Output;
use arena_sandbox::{CacheFiles, CacheOptions};
use arena_text::{Text, grouped, shown, table};
use serde::Serialize;
use serde_json::{Value, json};

/// The cache with its files.
#[derive(Clone, Debug)]
pub struct CacheOutput<'a> {
    /// The files by kind.
    pub files: Vec<CacheFiles>,
    /// The folder, and its maximum size.
    pub options: &'a CacheOptions,
}

impl CacheOutput<'_> {
    fn bytes(&self) -> u64 {
        self.files.iter().map(|files| files.bytes).sum()
    }
}

impl Output for CacheOutput<'_> {
    fn text(&self) -> Text {
        let mib = |bytes: u64| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
        let rows =
            self.files.iter().filter(|files| files.count > 0).map(|CacheFiles { what, count, bytes }| {
                vec![(*what).to_owned(), grouped(*count as u64), mib(*bytes)]
            });
        let head = format!(
            "{}: {} of {} MiB\n",
            shown(&self.options.dir),
            mib(self.bytes()),
            grouped(self.options.bytes_max >> 20)
        );
        (head + &table(&["kept", "files", "MiB"], &[0], rows)).into()
    }

    fn json(&self) -> impl Serialize {
        let files = |it: &CacheFiles| json!({ "kept": it.what, "files": it.count, "bytes": it.bytes });
        json!({
            "folder": shown(&self.options.dir),
            "bytes": self.bytes(),
            "bytes-max": self.options.bytes_max,
            "files": self.files.iter().map(files).collect::<Value>(),
        })
    }
}
