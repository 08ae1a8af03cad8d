//! The versions of a club's authors, and the room that they take.

use super::Output;
use super::submitted::state;
use arena_club::{AuthorVersions, Room, Submitted};
use arena_text::{Text, table};
use serde::Serialize;
use serde_json::{Value, json};

/// The versions of authors, the latest first, and the room that each author takes.
pub struct Versions(pub Vec<AuthorVersions>);

impl Output for Versions {
    fn text(&self) -> Text {
        let Self(authors) = self;
        if authors.is_empty() {
            return "no author is invited\n  next: arena club invite NAME --data DIR".into();
        }
        let header = ["author", "version", "state", "has played", "MiB", "submitted", "sha256"];
        let rows = authors.iter().flat_map(|author| {
            author.versions.iter().map(|version| {
                let it = Submitted::new(version, None);
                vec![
                    author.author.clone(),
                    it.version.to_string(),
                    state(it.state).into(),
                    if version.has_played { "yes" } else { "no" }.into(),
                    mib(if version.is_kept() { it.size_bytes } else { 0 }),
                    it.submitted_at.to_string(),
                    it.sha256.chars().take(12).collect(),
                ]
            })
        });
        let versions = table(&header, &[0, 2, 3, 5, 6], rows);
        let header = ["author", "MiB", "bots", "logs", "replays"];
        let rows = authors.iter().map(|AuthorVersions { author, room, .. }| {
            let Room { bots_bytes, logs_bytes, replays_bytes } = *room;
            [room.sum(), bots_bytes, logs_bytes, replays_bytes].map(mib).into_iter().fold(
                vec![author.clone()],
                |mut row, cell| {
                    row.push(cell);
                    row
                },
            )
        });
        format!("{versions}\n\n{}", table(&header, &[0], rows)).into()
    }

    fn json(&self) -> impl Serialize {
        let author = |AuthorVersions { author, room, versions }: &AuthorVersions| {
            let version = |version: &arena_store::Version| {
                let it = Submitted::new(version, None);
                json!({
                    "version": it.version,
                    "state": it.state,
                    "has-played": version.has_played,
                    "size-bytes": it.size_bytes,
                    "submitted-at": it.submitted_at,
                    "deleted-at": version.deleted_at,
                    "sha256": it.sha256,
                })
            };
            json!({ "author": author, "room": room, "versions": versions.iter().map(version).collect::<Value>() })
        };
        self.0.iter().map(author).collect::<Value>()
    }
}

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}
