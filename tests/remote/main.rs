//! Contests on several machines, by the built program and a real server of NATS: whatever happens on the way, the journal has the rows
//! of one that was played on one machine.

mod access;
mod bad_workers;
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
