//! Tests of the built program, run as its users run it: real components, real files, its exit codes and all of its output.

mod bad_input;
mod bench;
mod bombs;
mod check;
mod compiling;
mod determinism;
mod disk;
mod formats;
mod giant;
mod hostile;
mod isolation;
mod journal;
mod matches;
mod processes;
mod readme;
mod rules_files;
mod screens;
mod signals;
mod solo;
mod sprt;
mod submarine;
mod support;
mod terminal;
mod verify;
mod versions;
mod zoo;
