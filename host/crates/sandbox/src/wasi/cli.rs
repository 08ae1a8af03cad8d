//! `wasi:cli` and the directories: nobody is there, and nothing lies around.

use super::{Descriptor, Given, InputStream, OutputStream, Terminal, io};
use crate::state::Stop;
use wasmtime::Result;
use wasmtime::component::Resource;

pub(super) fn environment(given: &mut Given<'_>) -> Result<()> {
    given.function("get-environment", |_, ()| Ok((Vec::<(String, String)>::new(),)))?;
    given.function("get-arguments", |_, ()| Ok((Vec::<String>::new(),)))?;
    given.function("initial-cwd", |_, ()| Ok((None::<String>,)))
}

pub(super) fn exit(given: &mut Given<'_>) -> Result<()> {
    given.function("exit", |_, (status,): (std::result::Result<(), ()>,)| -> Result<()> {
        Err(Stop::Exit(u8::from(status.is_err())).into())
    })?;
    given.function("exit-with-code", |_, (code,): (u8,)| -> Result<()> { Err(Stop::Exit(code).into()) })
}

pub(super) fn stdin(given: &mut Given<'_>) -> Result<()> {
    given.function("get-stdin", |_, ()| Ok((Resource::<InputStream>::new_own(0),)))
}

pub(super) fn stdout(given: &mut Given<'_>) -> Result<()> {
    given.function("get-stdout", |_, ()| Ok((Resource::<OutputStream>::new_own(io::STDOUT),)))
}

pub(super) fn stderr(given: &mut Given<'_>) -> Result<()> {
    given.function("get-stderr", |_, ()| Ok((Resource::<OutputStream>::new_own(io::STDERR),)))
}

pub(super) fn terminal(given: &mut Given<'_>, name: &'static str) -> Result<()> {
    given.function(name, |_, ()| Ok((None::<Resource<Terminal>>,)))
}

pub(super) fn preopens(given: &mut Given<'_>) -> Result<()> {
    given.function("get-directories", |_, ()| Ok((Vec::<(Resource<Descriptor>, String)>::new(),)))
}
