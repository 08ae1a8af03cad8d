//! The built program, run as its users run it: real components, real files, its exit codes and all it prints.

mod bad_input;
mod check;
mod determinism;
mod matches;
mod readme;
mod signals;
mod solo;
mod submarine;
mod support;
mod verify;
mod zoo;
