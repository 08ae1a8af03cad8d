//! The layout of the site: the paths of its pages, by numbers, so that no bot's text is part of a path.

use crate::Game;
use std::fs;
use std::path::Path;

/// The file that marks a folder as a site of the arena.
pub const MARKER: &str = ".arena-report";

/// The file with the index of a site.
pub const INDEX: &str = ".arena-report-index";

/// A file of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The path in the site's folder, with `/` between its parts.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Page {
    pub(crate) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into() }
    }

    /// The page that a visitor of the site in this folder asks for by the path of an address, such as `/bots/1.html`. `None` if the site
    /// has no such page: no path leads to another file.
    pub fn of_site(site: &Path, path: &str) -> Option<Self> {
        let path = path.strip_prefix('/').filter(|path| !path.is_empty()).unwrap_or(FRONT);
        // The files with a dot are the report's own.
        let is_page = is_of_a_site(path) && !path.starts_with('.');
        is_page.then(|| fs::read(site.join(path)).ok()).flatten().map(|bytes| Self::new(path, bytes))
    }

    /// Its media type.
    pub fn media_type(&self) -> &'static str {
        media_type(&self.path)
    }
}

/// The front page.
pub(crate) const FRONT: &str = "index.html";

/// The list of the games that have a replay.
pub(crate) const REPLAYS: &str = "replays.html";

/// The picture for previews of links to pages without a picture.
pub(crate) const BEST: &str = "best.gif";

/// The page about the season of a club.
pub(crate) const SEASON: &str = "season.html";

/// The page of a club for a projector.
pub(crate) const PROJECTOR: &str = "projector.html";

/// The files that all sites have in common. Those with a script for the pages of a club come last.
pub(crate) const ASSETS: [(&str, &str); 12] = [
    ("games.js", include_str!("../assets/games.js")),
    ("best.js", include_str!("../assets/best.js")),
    ("board.css", include_str!("../assets/board.css")),
    ("board.js", include_str!("../assets/board.js")),
    ("board.svg", include_str!("../assets/board.svg")),
    ("style.css", include_str!("../assets/style.css")),
    ("replay.js", include_str!("../assets/replay.js")),
    ("standings.js", include_str!("../assets/standings.js")),
    ("icon.svg", include_str!("../assets/icon.svg")),
    ("live.js", include_str!("../assets/live.js")),
    ("dates.js", include_str!("../assets/dates.js")),
    ("projector.js", include_str!("../assets/projector.js")),
];

/// The content of a file that all sites have in common.
pub fn asset(path: &str) -> Option<&'static str> {
    ASSETS.iter().find(|(asset, _)| *asset == path).map(|(_, text)| *text)
}

/// The media type of a file of a site, or of another one with this name.
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "css" => "text/css; charset=utf-8",
        "db" | "wasm" => "application/octet-stream",
        "gif" => "image/gif",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

/// The number of the game whose page with the replay, or whose picture of it, has this path.
pub fn game_of_path(path: &str) -> Option<usize> {
    let (stem, _) = path.strip_prefix("games/")?.rsplit_once('.')?;
    let number = stem.parse().ok()?;
    paths_of_game(number).iter().any(|of_game| of_game == path).then_some(number)
}

/// The number of those files that a site has which no club serves.
pub(crate) const STATIC_ASSETS: usize = 9;

/// The page of a bot, by its index.
pub(crate) fn bot(bot: usize) -> String {
    format!("bots/{}.html", bot + 1)
}

/// The page of a label, by the index of its first version: a new version does not change the address.
pub(crate) fn label(first: usize) -> String {
    format!("labels/{}.html", first + 1)
}

/// The address that a club has for the bot with this label, whichever version has it; `None` for a label that is not a plain word.
pub(crate) fn permanent(label: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!label.is_empty() && label.bytes().all(is_plain)).then(|| format!("bot/{label}"))
}

/// The address that a club has for a game of this season that was played.
pub(crate) fn permanent_game(season: Option<u32>, game: &Game) -> Option<String> {
    Some(format!("game/{}/{}/{}", season?, game.stage?, game.number))
}

/// The page of a game, by its number.
pub(crate) fn game(number: usize) -> String {
    format!("games/{number}.html")
}

/// The picture of a game for previews of links to it, by its number.
pub(crate) fn preview(number: usize) -> String {
    format!("games/{number}.gif")
}

/// The paths of the page with the replay of a game and of its picture for previews, by the game's number.
pub fn paths_of_game(number: usize) -> [String; 2] {
    [game(number), preview(number)]
}

/// A page of the games of two bots, in any order. Pages are counted from 1.
pub(crate) fn pair(bots: [usize; 2], page: usize) -> String {
    let (first, second) = (bots[0].min(bots[1]) + 1, bots[0].max(bots[1]) + 1);
    match page {
        1 => format!("pairs/{first}-{second}.html"),
        page => format!("pairs/{first}-{second}-{page}.html"),
    }
}

/// The copy of the journal.
pub const JOURNAL: &str = "downloads/journal.db";

/// The copy of a component, by its SHA-256 in hexadecimal.
pub fn component(sha256: &str) -> String {
    format!("downloads/{sha256}.wasm")
}

/// True if a path in a site's folder belongs to a report. A folder with any other file is not replaced, because that file
/// would be lost.
pub fn is_of_a_site(path: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match path.split_once('/') {
        None => {
            path == MARKER
                || path == INDEX
                || path == FRONT
                || path == REPLAYS
                || path == BEST
                || path == SEASON
                || path == PROJECTOR
                || ASSETS.iter().any(|(asset, _)| *asset == path)
        }
        Some((folder, name)) => match (folder, name.rsplit_once('.')) {
            ("bots" | "games" | "labels", Some((stem, "html"))) | ("games", Some((stem, "gif"))) => {
                is_number(stem)
            }
            // A report that is killed while it copies a journal leaves SQLite's own file next to the copy.
            ("downloads", Some((stem, "db" | "db-journal"))) => stem == "journal",
            ("downloads", Some((stem, "wasm"))) => {
                stem.len() == 64 && stem.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            }
            ("pairs", Some((stem, "html"))) => {
                matches!(stem.split('-').count(), 2 | 3) && stem.split('-').all(is_number)
            }
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_of_a_game_have_its_number_and_no_others_do() {
        for path in paths_of_game(120) {
            assert_eq!(game_of_path(&path), Some(120));
        }
        for path in ["games/012.html", "games/+1.html", "games/1.js", "bots/1.html", "games/.html", "games/1"]
        {
            assert_eq!(game_of_path(path), None, "{path}");
        }
    }

    #[test]
    fn a_file_is_sent_with_the_type_that_a_browser_needs_to_show_it() {
        for (path, expected) in [
            ("style.css", "text/css; charset=utf-8"),
            ("downloads/journal.db", "application/octet-stream"),
            ("downloads/0a.wasm", "application/octet-stream"),
            ("games/1.gif", "image/gif"),
            ("index.html", "text/html; charset=utf-8"),
            ("replay.js", "text/javascript; charset=utf-8"),
            ("mine.json", "application/json"),
            ("icon.svg", "image/svg+xml"),
            ("heads.txt", "text/plain; charset=utf-8"),
            ("html", "text/plain; charset=utf-8"),
        ] {
            assert_eq!(media_type(path), expected, "{path}");
        }
        assert!(ASSETS.iter().all(|(path, text)| asset(path) == Some(text)));
        assert_eq!(asset("index.html"), None);
    }

    #[test]
    fn every_path_of_a_page_is_known_and_no_other() {
        let pairs = [pair([4, 2], 1), pair([2, 4], 12)];
        assert_eq!(pairs, ["pairs/3-5.html", "pairs/3-5-12.html"]);
        let downloads = [JOURNAL.to_owned(), format!("{JOURNAL}-journal"), component(&"0a".repeat(32))];
        let ours = [
            bot(0),
            label(11),
            game(100_000),
            preview(7),
            FRONT.into(),
            REPLAYS.into(),
            BEST.into(),
            SEASON.into(),
            PROJECTOR.into(),
            MARKER.into(),
            INDEX.into(),
        ];
        let ours = ours.into_iter().chain(downloads).collect::<Vec<_>>();
        for path in ours.iter().chain(&pairs).map(String::as_str).chain(ASSETS.map(|(path, _)| path)) {
            assert!(is_of_a_site(path), "{path}");
        }
        for path in [
            "",
            "arena.db",
            "CNAME",
            "bots/a.html",
            "labels/a.html",
            "bots/.html",
            "games/1.jsonl",
            "games/.gif",
            "bots/1.gif",
            "pairs/1.html",
            "pairs/1-2-3-4.html",
            "games/../arena.db",
            "other/1.html",
            "games/1/1.html",
            "downloads/arena.db",
            "downloads/journal-1.db",
            "downloads/journal.db-journal-1",
            "downloads/journal.db-wal",
            "downloads/0a.wasm",
        ] {
            assert!(!is_of_a_site(path), "{path}");
        }
    }
}
