//! Generates the code of each contract, with which a test compares the SDK's.

use std::path::Path;
use std::{env, fs};
use wit_bindgen_core::{Files, WorldGenerator, wit_parser::Resolve};
use wit_bindgen_rust::Opts;

/// The games: the folder of each contract, its world, and the macro of a bot's exports.
const GAMES: [(&str, &str, &str); 2] = [
    ("battleship", "battleship-bot", "export_component"),
    ("submarine", "submarine-bot", "export_submarine_component"),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    for (game, world, macro_name) in GAMES {
        let folder = root.join(format!("wit/{game}/v0.1.0"));
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut contract = Resolve::default();
        let (package, _) = contract.push_path(&folder).expect("the contract can be read");
        let world = contract.select_world(&[package], Some(world)).expect("the contract has this world");
        let options = Opts {
            format: true,
            pub_export_macro: true,
            export_macro_name: Some(macro_name.into()),
            default_bindings_module: Some(format!("arena_sdk::{game}::bindings::generated")),
            ..Opts::default()
        };
        let mut files = Files::default();
        options.build().generate(&mut contract, world, &mut files).expect("the contract can be generated");
        let generated: Vec<&[u8]> = files.iter().map(|(_, text)| text).collect();
        assert_eq!(generated.len(), 1, "one file for each contract");
        fs::write(Path::new(&out).join(format!("{game}.rs")), generated[0]).expect("the file can be written");
    }
}
