//! `wasi:io`: an input that is at its end, outputs that go into the log, and waits that are over before they begin.

use super::{Error, Given, InputStream, OutputStream, Pollable};
use crate::state::{State, Stop};
use wasmtime::Result;
use wasmtime::component::{ComponentType, Lower, Resource};

/// What tells the two output streams apart.
pub(super) const STDOUT: u32 = 1;
pub(super) const STDERR: u32 = 2;

/// What a stream says it takes at a time. Chosen: what WASI's blocking write takes at most.
const WRITE_BYTES: u64 = 4 << 10;

#[derive(ComponentType, Lower)]
#[component(variant)]
enum StreamError {
    #[component(name = "last-operation-failed")]
    #[expect(dead_code, reason = "the contract has it; nothing fails here")]
    LastOperationFailed(Resource<Error>),
    #[component(name = "closed")]
    Closed,
}

type Outcome<T> = Result<(std::result::Result<T, StreamError>,)>;
type Input = Resource<InputStream>;
type Output = Resource<OutputStream>;

pub(super) fn error(given: &mut Given<'_>) -> Result<()> {
    given.function("[method]error.to-debug-string", |_, (_,): (Resource<Error>,)| Ok((String::new(),)))
}

pub(super) fn poll(given: &mut Given<'_>) -> Result<()> {
    given.function("[method]pollable.ready", |_, (_,): (Resource<Pollable>,)| Ok((true,)))?;
    given.function("[method]pollable.block", |_, (_,): (Resource<Pollable>,)| Ok(()))?;
    given.function("poll", |_, (list,): (Vec<Resource<Pollable>>,)| {
        if list.is_empty() {
            // The interface's own rule: such a wait would never end.
            return Err(Stop::Misuse("called `wasi:io/poll#poll` with an empty list".into()).into());
        }
        // It fits: the list has been lifted within the bound on bytes.
        Ok(((0..list.len() as u32).collect::<Vec<u32>>(),))
    })
}

pub(super) fn streams(given: &mut Given<'_>) -> Result<()> {
    for name in ["[method]input-stream.read", "[method]input-stream.blocking-read"] {
        given.function(name, |_, (_, _): (Input, u64)| -> Outcome<Vec<u8>> {
            Ok((Err(StreamError::Closed),))
        })?;
    }
    for name in ["[method]input-stream.skip", "[method]input-stream.blocking-skip"] {
        given
            .function(name, |_, (_, _): (Input, u64)| -> Outcome<u64> { Ok((Err(StreamError::Closed),)) })?;
    }
    given.function("[method]input-stream.subscribe", |_, (_,): (Input,)| {
        Ok((Resource::<Pollable>::new_own(0),))
    })?;

    given.function("[method]output-stream.check-write", |_, (_,): (Output,)| -> Outcome<u64> {
        Ok((Ok(WRITE_BYTES),))
    })?;
    for name in ["[method]output-stream.write", "[method]output-stream.blocking-write-and-flush"] {
        given.function(name, write)?;
    }
    for name in ["[method]output-stream.flush", "[method]output-stream.blocking-flush"] {
        given.function(name, |_, (_,): (Output,)| -> Outcome<()> { Ok((Ok(()),)) })?;
    }
    given.function("[method]output-stream.subscribe", |_, (_,): (Output,)| {
        Ok((Resource::<Pollable>::new_own(0),))
    })?;
    for name in
        ["[method]output-stream.write-zeroes", "[method]output-stream.blocking-write-zeroes-and-flush"]
    {
        given.function(name, |state, (_, count): (Output, u64)| -> Outcome<()> {
            state.log.write_zeroes(count);
            Ok((Ok(()),))
        })?;
    }
    for name in ["[method]output-stream.splice", "[method]output-stream.blocking-splice"] {
        given.function(name, |_, (_, _, _): (Output, Input, u64)| -> Outcome<u64> {
            Ok((Err(StreamError::Closed),))
        })?;
    }
    Ok(())
}

fn write(state: &mut State, (stream, bytes): (Output, Vec<u8>)) -> Outcome<()> {
    state.fuel_owed += bytes.len() as u64;
    state.log.write(&bytes, stream.rep() == STDERR);
    Ok((Ok(()),))
}
