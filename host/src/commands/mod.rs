//! The commands, a file for each: its arguments, and its work.

pub mod bench;
pub mod cache;
pub mod check;
pub mod club;
pub mod completions;
pub mod dev;
pub mod games;
pub mod journal;
pub mod man;
pub mod new;
pub mod play;
pub mod profile;
pub mod replay;
mod replay_all;
pub mod report;
pub mod rerun;
pub mod rules;
pub mod run;
pub mod serve;
pub mod sprt;
pub mod standings;
pub mod submit;
mod tv;
pub mod verify;
pub mod watch;
pub mod wit;
