//! A standing contest: authors submit bots over HTTP, and the bots play without end.
//!
//! It is a front end of the engine: which games are played follows from [`arena_league::next_stage`], and each stage is a run of the
//! engine, in a journal like any other. A club has a folder with its register (`club.db`), its journal (`season.db`), the submitted
//! components (`bots/`), its pages (`site/`), its log of heads (`heads.txt`) and the seasons that are over (`seasons/`).
//!
//! [`Club::serve`] does four things at the same time: it answers requests, judges the bots that were submitted one after the
//! other, in the turns of `judging.rs`, plays, and writes the pages. Everything is safe from a crash: a submission is in the register before it is answered, and a game in the
//! journal before it is counted.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod addresses;
mod admission;
mod announcements;
mod answers;
mod api;
mod author_page;
mod backup;
mod challenge_pages;
mod challenges;
mod class_code;
mod client;
mod clock;
mod club;
mod counts;
mod deletion;
mod error;
mod files;
mod folder;
mod form;
mod heads;
mod join;
mod judging;
#[cfg(test)]
mod large;
mod live;
mod logs;
mod marks;
mod metrics;
mod organiser;
mod organiser_page;
mod own_games;
mod own_page;
mod own_versions;
mod pages;
mod played_games;
mod pseudonyms;
mod replays;
mod requests;
mod room;
mod seasons;
mod serve;
mod server;
mod sessions;
mod site;
mod slips;
mod stages;
mod state;
#[cfg(test)]
mod support;
mod token;
mod tries;
mod upload;
mod uploads;
mod visitors;
#[cfg(test)]
mod visits;
mod workers;
mod wrong_codes;

pub use client::{Address, WrongAddress};
pub use clock::Clock;
pub use club::{Club, ClubOptions};
pub use deletion::AuthorVersions;
pub use error::{ClubError, NotKept};
pub use folder::Folder;
pub use heads::LoggedHead;
pub use join::PLACES_MAX;
pub use marks::{Formula, MarkedAuthor, WrongFormula};
pub use organiser::{ACTIONS_LISTED, Organiser};
pub use requests::{
    ChallengeProgress, LostGame, NoticeText, Refused, SeasonNotice, SeenChallenge, SeenGame, SeenResult,
    ShownAs, Standing, Submitted, SubmittedState, challenge, choose_pseudonym, delete, mine, season,
    submission, submit,
};
pub use room::Room;
pub use seasons::{SeasonState, SeasonSummary};
pub use server::Listeners;
pub use slips::{Slip, slips};
pub use token::{NAME_CHARS_MAX, is_name, name_of};
