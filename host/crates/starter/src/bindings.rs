//! Code in C between a component and its contract, written by wit-bindgen-c.
//!
//! The generator has every type that a contract may have but one, and its names are those of the manuals for WIT in C.

use crate::template::File;
use std::path::Path;
use std::{fs, io};
use wit_bindgen_core::Files;
use wit_bindgen_core::wit_parser::{PackageId, Resolve, TypeDefKind};

/// The folder of the code in folders for bots and games.
pub(crate) const BINDINGS_PATH: &str = "adapter/";

/// The reason why no code is written for a contract.
#[derive(Debug, thiserror::Error)]
pub enum BindingsError {
    /// It cannot be read, or is not WIT with one world.
    #[error("{0:#}")]
    Contract(#[from] anyhow::Error),
    /// It has a type that wit-bindgen has no C for.
    #[error("wit-bindgen has no C for a list of a fixed length")]
    FixedList,
    /// The code cannot be written.
    #[error(transparent)]
    Machine(#[from] io::Error),
}

/// Writes the code for the contract in a folder of WIT documents to another folder, which is made.
///
/// # Errors
/// The reason.
pub fn write_bindings(contract: &Path, folder: &Path) -> Result<(), BindingsError> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(contract)?;
    let files = generated(resolve, package)?;
    fs::create_dir_all(folder)?;
    for file in files {
        fs::write(folder.join(file.path), file.bytes)?;
    }
    Ok(())
}

/// Returns the code for the last of some documents, which may use those before it, as files in [`BINDINGS_PATH`].
pub(crate) fn bindings(documents: &[&str]) -> Result<Vec<File>, BindingsError> {
    let mut resolve = Resolve::default();
    let mut last = None;
    for document in documents {
        last = Some(resolve.push_str("contract.wit", document)?);
    }
    let mut files = generated(resolve, last.expect("there is a document"))?;
    files.iter_mut().for_each(|file| file.path.insert_str(0, BINDINGS_PATH));
    Ok(files)
}

fn generated(mut resolve: Resolve, package: PackageId) -> Result<Vec<File>, BindingsError> {
    let world = resolve.select_world(&[package], None)?;
    if resolve.types.iter().any(|(_, it)| matches!(it.kind, TypeDefKind::FixedLengthList(..))) {
        return Err(BindingsError::FixedList);
    }
    let interfaces = resolve.worlds[world].imports.keys().chain(resolve.worlds[world].exports.keys());
    // Names in C then have no package: `types_action_t`. `games:nim/types@1.0.0` becomes `types`.
    let short = |name: &String| {
        let name = name.rsplit('/').next().unwrap_or(name);
        name.split('@').next().unwrap_or(name).to_owned()
    };
    let names = interfaces.map(|key| resolve.name_world_key(key));
    let rename = names.map(|name| (name.clone(), short(&name))).collect();
    let options =
        wit_bindgen_c::Opts { no_object_file: true, no_sig_flattening: true, rename, ..Default::default() };
    let mut files = Files::default();
    options.build().generate(&mut resolve, world, &mut files)?;
    Ok(files.iter().map(|(path, bytes)| File { path: path.to_owned(), bytes: bytes.to_vec() }).collect())
}
