//! Contests with workers, using the built program and a real NATS server: despite any failure, the journal has the same rows as a run on
//! one machine.
#![expect(clippy::disallowed_methods, reason = "a test may panic if the system gives no thread")]

mod access;
mod bad_workers;
mod club;
mod docs;
mod equal;
mod faults;
#[path = "../program/processes.rs"]
#[allow(dead_code, reason = "not everything is needed here")]
mod processes;
mod record;
mod seen;
mod setting;
#[path = "../program/support.rs"]
#[allow(dead_code, reason = "not everything is needed here")]
mod support;
mod trust;
