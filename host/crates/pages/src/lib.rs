//! The report of a contest: a static site with its standings, a page for each bot, and replays of its games.
//!
//! A [`StoredContest`] is read from a journal, and [writes](StoredContest::write_site) its site to a folder:
//!
//! ```no_run
//! use arena_pages::{Replays, SiteOptions, StoredContest};
//! use std::path::Path;
//!
//! let contest = StoredContest::read(Path::new("season.db"), &SiteOptions::default())?;
//! contest.write_site(Path::new("site"), Replays::Most(200), 1, || false, || {})?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All other code turns data into pages: a [`Contest`] and the recordings become [`Page`]s, each a path in the site's folder with its
//! bytes. A [`Report`] knows which games have a replay. Each recording is read once ([`facts`]), and added to the [`Facts`] that the bots'
//! pages show. A later report of the same games takes these sums, and replays that are the same, from the site's [`Index`].
//!
//! The pages need no server and no network. All text goes through templates that escape it, and a policy in each page lets a
//! browser load nothing but the site's own style sheet, script and icon. The part that differs from game to game is one trait,
//! [`Reported`].
#![warn(missing_docs)]

mod animation;
mod battleship;
pub mod board;
mod choice;
mod compact;
mod contest;
mod facts;
mod heat;
mod index;
mod layout;
mod loaded;
mod lone;
mod notices;
mod pages;
mod pictures;
mod plot;
mod preview;
mod replay;
mod reported;
mod site;
mod submarine;
mod tally;
mod tile;

pub use animation::animation;
pub use choice::Replays;
pub use compact::{CompactResult, Faults, Reasons};
pub use contest::{Change, Contest, Game, History, Journal, RankedBot, Title, time_in_words};
pub use facts::{Facts, GameFacts, facts};
pub use index::{INDEX_BYTES_MAX, Index, KeptReplay, Sha256Bytes, Sums, sha256, sha256_of};
pub use layout::{
    INDEX, JOURNAL, MARKER, Page, asset, component, game_of_path, is_of_a_site, media_type, paths_of_game,
};
pub use lone::{WatchedGame, lone_replay};
pub use notices::Notices;
pub use pages::{Best, Report};
pub use reported::Reported;
pub use site::{Downloads, SiteError, SiteOptions, StoredContest};
