//! Encoding of a core module's text as a component, with the contract's own WIT.

use anyhow::{Context, Result};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::{Contract, WASI_VERSION};

const WASI: &str = include_str!("../data/wasi.wit");

/// The component of a core module that exports the contract's functions under their core names.
pub fn component(contract: &Contract, module: &str, wasi_version: &str) -> Result<Vec<u8>> {
    component_with(contract, module, wasi_version, str::to_owned)
}

/// The same after an edit of the contract's last package.
pub fn component_with(
    contract: &Contract,
    module: &str,
    wasi_version: &str,
    edit: impl Fn(&str) -> String,
) -> Result<Vec<u8>> {
    let mut bytes = wat::parse_str(module).context("the text is not valid WebAssembly")?;

    let mut resolve = Resolve::default();
    let (last, before) = contract.wit.split_last().context("a contract has a package")?;
    for wit in before {
        resolve.push_str("package.wit", wit)?;
    }
    resolve.push_str("contract.wit", &edit(last))?;
    let wasi = WASI.replace(WASI_VERSION, wasi_version).replace("CONTRACT-WORLD", contract.world);
    let package = resolve.push_str("wasi.wit", &wasi)?;
    let world = resolve.select_world(&[package], Some("specimen"))?;
    embed_component_metadata(&mut bytes, &resolve, world, StringEncoding::UTF8)?;

    ComponentEncoder::default().module(&bytes)?.validate(true).encode()
}
