//! `wasi:io` and the two outputs: an input that is at its end, outputs that go into the log, and waits that are over at
//! once.
//!
//! The streams and polls are the library's, which runs calls that may wait on tokio. Here a blocking call of a stream is
//! the same as the one that does not block, since the streams are always ready, and a poll is tried once.

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

/// The number of bytes that a stream takes at a time. Measured: of a longer line, a bot in Python writes no more than this and
/// drops the rest silently. Chosen: eight times what is kept of a line, which then says how much was cut, and half of what may
/// be passed in a call.
const WRITE_BYTES: usize = 32 << 10;

/// The cost of a poll for each thing that is waited for. Measured: 0.07 µs each; chosen: the fuel that computing for the
/// same time would use.
const POLLED_FUEL: u64 = 350;

type Input = Resource<DynInputStream>;
type Output = Resource<DynOutputStream>;
type Wait = Resource<DynPollable>;

/// A wait that is over.
pub(super) struct ReadyPollable;

#[wasmtime_wasi::async_trait]
impl Pollable for ReadyPollable {
    async fn ready(&mut self) {}
}

/// An output of the bot, which goes into its log.
struct LogStream {
    log: Log,
    is_error: bool,
}

#[wasmtime_wasi::async_trait]
impl Pollable for LogStream {
    async fn ready(&mut self) {}
}

impl OutputStream for LogStream {
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

// The library's own implementations would need a tokio stream for each output as well.
impl stdout::Host for State {
    fn get_stdout(&mut self) -> Result<Output> {
        self.output(false)
    }
}

impl stderr::Host for State {
    fn get_stderr(&mut self) -> Result<Output> {
        self.output(true)
    }
}

impl State {
    fn output(&mut self, is_error: bool) -> Result<Output> {
        let output = LogStream { log: self.log.clone(), is_error };
        Ok(self.table().push(Box::new(output) as DynOutputStream)?)
    }
}

/// Runs a call of the library's that may wait but never does here.
fn at_once<T>(call: impl Future<Output = Result<T>>) -> Result<T> {
    poll_noop(pin!(call))
        .unwrap_or_else(|| Err(Stop::Host("a call of a bot was about to wait".into()).into()))
}

impl poll::Host for State {
    fn poll(&mut self, list: Vec<Wait>) -> Result<Vec<u32>> {
        if list.is_empty() {
            // By the rule of the interface, because such a wait would never end.
            return Err(Stop::Misuse("called `wasi:io/poll#poll` with an empty list".into()).into());
        }
        self.owe(POLLED_FUEL * list.len() as u64);
        at_once(library::Host::poll(self.table(), list))
    }
}

impl poll::HostPollable for State {
    fn ready(&mut self, pollable: Wait) -> Result<bool> {
        at_once(library::HostPollable::ready(self.table(), pollable))
    }

    fn block(&mut self, pollable: Wait) -> Result<()> {
        at_once(library::HostPollable::block(self.table(), pollable))
    }

    fn drop(&mut self, pollable: Wait) -> Result<()> {
        library::HostPollable::drop(self.table(), pollable)
    }
}

impl streams::Host for State {
    fn convert_stream_error(&mut self, error: StreamError) -> Result<streams::StreamError> {
        streams::Host::convert_stream_error(self.table(), error)
    }
}

impl streams::HostInputStream for State {
    fn read(&mut self, stream: Input, count: u64) -> StreamResult<Vec<u8>> {
        streams::HostInputStream::read(self.table(), stream, count)
    }

    fn blocking_read(&mut self, stream: Input, count: u64) -> StreamResult<Vec<u8>> {
        self.read(stream, count)
    }

    fn skip(&mut self, stream: Input, count: u64) -> StreamResult<u64> {
        streams::HostInputStream::skip(self.table(), stream, count)
    }

    fn blocking_skip(&mut self, stream: Input, count: u64) -> StreamResult<u64> {
        self.skip(stream, count)
    }

    fn subscribe(&mut self, stream: Input) -> Result<Wait> {
        streams::HostInputStream::subscribe(self.table(), stream)
    }

    fn drop(&mut self, stream: Input) -> Result<()> {
        self.table().delete(stream)?;
        Ok(())
    }
}

impl streams::HostOutputStream for State {
    fn check_write(&mut self, stream: Output) -> StreamResult<u64> {
        streams::HostOutputStream::check_write(self.table(), stream)
    }

    fn write(&mut self, stream: Output, bytes: Vec<u8>) -> StreamResult<()> {
        self.owe(bytes.len() as u64);
        streams::HostOutputStream::write(self.table(), stream, bytes)
    }

    fn blocking_write_and_flush(&mut self, stream: Output, bytes: Vec<u8>) -> StreamResult<()> {
        self.write(stream, bytes)
    }

    fn flush(&mut self, stream: Output) -> StreamResult<()> {
        streams::HostOutputStream::flush(self.table(), stream)
    }

    fn blocking_flush(&mut self, stream: Output) -> StreamResult<()> {
        self.flush(stream)
    }

    fn subscribe(&mut self, stream: Output) -> Result<Wait> {
        streams::HostOutputStream::subscribe(self.table(), stream)
    }

    fn write_zeroes(&mut self, stream: Output, count: u64) -> StreamResult<()> {
        streams::HostOutputStream::write_zeroes(self.table(), stream, count)
    }

    fn blocking_write_zeroes_and_flush(&mut self, stream: Output, count: u64) -> StreamResult<()> {
        self.write_zeroes(stream, count)
    }

    fn splice(&mut self, to: Output, from: Input, count: u64) -> StreamResult<u64> {
        streams::HostOutputStream::splice(self.table(), to, from, count)
    }

    fn blocking_splice(&mut self, to: Output, from: Input, count: u64) -> StreamResult<u64> {
        self.splice(to, from, count)
    }

    fn drop(&mut self, stream: Output) -> Result<()> {
        self.table().delete(stream)?;
        Ok(())
    }
}
