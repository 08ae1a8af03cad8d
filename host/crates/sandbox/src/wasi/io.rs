//! `wasi:io` and the two outputs: an input that is at its end, outputs that go into the log, and waits that are over
//! before they begin.
//!
//! The streams and polls are the library's. It runs what may wait on tokio; here such a call of a stream is the one
//! beside it that does not wait, which is the same for streams that are always ready, and a poll is tried once.

use crate::log::Log;
use crate::state::{State, Stop};
use std::pin::pin;
use wasmtime::Result;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::cli::{stderr, stdout};
use wasmtime_wasi::p2::bindings::sync::io::{poll, streams};
use wasmtime_wasi::p2::{
    DynInputStream, DynOutputStream, DynPollable, OutputStream, Pollable, StreamError, StreamResult,
};
use wasmtime_wasi::runtime::poll_noop;
use wasmtime_wasi_io::bindings::wasi::io::poll as library;
use wasmtime_wasi_io::bytes::Bytes;

/// What a stream says it takes at a time. Chosen: what WASI's blocking write takes at most.
const WRITE_BYTES: usize = 4 << 10;

/// What a poll costs for each thing that is waited for. Measured: 0.07 µs each; chosen: the fuel that computing for as
/// long would use.
const POLLED_FUEL: u64 = 350;

/// A wait that is over.
pub(super) struct Over;

#[wasmtime_wasi::async_trait]
impl Pollable for Over {
    async fn ready(&mut self) {}
}

/// An output of the bot's: a way into its log.
struct Output {
    log: Log,
    is_error: bool,
}

#[wasmtime_wasi::async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {}
}

impl OutputStream for Output {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.log.write(&bytes, self.is_error);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(WRITE_BYTES)
    }

    fn write_zeroes(&mut self, count: usize) -> StreamResult<()> {
        self.log.write_zeroes(count as u64);
        Ok(())
    }
}

// The library's own would want a tokio stream of each output as well.
impl stdout::Host for State {
    fn get_stdout(&mut self) -> Result<Resource<DynOutputStream>> {
        let output = Output { log: self.log.clone(), is_error: false };
        Ok(self.table().push(Box::new(output) as DynOutputStream)?)
    }
}

impl stderr::Host for State {
    fn get_stderr(&mut self) -> Result<Resource<DynOutputStream>> {
        let output = Output { log: self.log.clone(), is_error: true };
        Ok(self.table().push(Box::new(output) as DynOutputStream)?)
    }
}

/// Runs what may wait of the library's, which here never does.
fn at_once<T>(call: impl Future<Output = Result<T>>) -> Result<T> {
    poll_noop(pin!(call)).unwrap_or_else(|| Err(Stop::Host("a bot was about to wait".into()).into()))
}

impl poll::Host for State {
    fn poll(&mut self, list: Vec<Resource<DynPollable>>) -> Result<Vec<u32>> {
        if list.is_empty() {
            // The interface's own rule: such a wait would never end.
            return Err(Stop::Misuse("called `wasi:io/poll#poll` with an empty list".into()).into());
        }
        self.owe(POLLED_FUEL * list.len() as u64);
        at_once(library::Host::poll(self.table(), list))
    }
}

impl poll::HostPollable for State {
    fn ready(&mut self, pollable: Resource<DynPollable>) -> Result<bool> {
        at_once(library::HostPollable::ready(self.table(), pollable))
    }

    fn block(&mut self, pollable: Resource<DynPollable>) -> Result<()> {
        at_once(library::HostPollable::block(self.table(), pollable))
    }

    fn drop(&mut self, pollable: Resource<DynPollable>) -> Result<()> {
        library::HostPollable::drop(self.table(), pollable)
    }
}

impl streams::Host for State {
    fn convert_stream_error(&mut self, error: StreamError) -> Result<streams::StreamError> {
        streams::Host::convert_stream_error(self.table(), error)
    }
}

impl streams::HostInputStream for State {
    fn read(&mut self, stream: Resource<DynInputStream>, count: u64) -> StreamResult<Vec<u8>> {
        streams::HostInputStream::read(self.table(), stream, count)
    }

    fn blocking_read(&mut self, stream: Resource<DynInputStream>, count: u64) -> StreamResult<Vec<u8>> {
        self.read(stream, count)
    }

    fn skip(&mut self, stream: Resource<DynInputStream>, count: u64) -> StreamResult<u64> {
        streams::HostInputStream::skip(self.table(), stream, count)
    }

    fn blocking_skip(&mut self, stream: Resource<DynInputStream>, count: u64) -> StreamResult<u64> {
        self.skip(stream, count)
    }

    fn subscribe(&mut self, stream: Resource<DynInputStream>) -> Result<Resource<DynPollable>> {
        streams::HostInputStream::subscribe(self.table(), stream)
    }

    fn drop(&mut self, stream: Resource<DynInputStream>) -> Result<()> {
        self.table().delete(stream)?;
        Ok(())
    }
}

impl streams::HostOutputStream for State {
    fn check_write(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<u64> {
        streams::HostOutputStream::check_write(self.table(), stream)
    }

    fn write(&mut self, stream: Resource<DynOutputStream>, bytes: Vec<u8>) -> StreamResult<()> {
        self.owe(bytes.len() as u64);
        streams::HostOutputStream::write(self.table(), stream, bytes)
    }

    fn blocking_write_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        bytes: Vec<u8>,
    ) -> StreamResult<()> {
        self.write(stream, bytes)
    }

    fn flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        streams::HostOutputStream::flush(self.table(), stream)
    }

    fn blocking_flush(&mut self, stream: Resource<DynOutputStream>) -> StreamResult<()> {
        self.flush(stream)
    }

    fn subscribe(&mut self, stream: Resource<DynOutputStream>) -> Result<Resource<DynPollable>> {
        streams::HostOutputStream::subscribe(self.table(), stream)
    }

    fn write_zeroes(&mut self, stream: Resource<DynOutputStream>, count: u64) -> StreamResult<()> {
        streams::HostOutputStream::write_zeroes(self.table(), stream, count)
    }

    fn blocking_write_zeroes_and_flush(
        &mut self,
        stream: Resource<DynOutputStream>,
        count: u64,
    ) -> StreamResult<()> {
        self.write_zeroes(stream, count)
    }

    fn splice(
        &mut self,
        to: Resource<DynOutputStream>,
        from: Resource<DynInputStream>,
        count: u64,
    ) -> StreamResult<u64> {
        streams::HostOutputStream::splice(self.table(), to, from, count)
    }

    fn blocking_splice(
        &mut self,
        to: Resource<DynOutputStream>,
        from: Resource<DynInputStream>,
        count: u64,
    ) -> StreamResult<u64> {
        self.splice(to, from, count)
    }

    fn drop(&mut self, stream: Resource<DynOutputStream>) -> Result<()> {
        self.table().delete(stream)?;
        Ok(())
    }
}
