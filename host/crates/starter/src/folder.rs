//! The folder of a new bot on the disk.

use crate::{Language, Template};
use arena_platform::folders;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The length of the longest name of a bot, in bytes. Chosen: the arena shows 64 characters of a name.
const NAME_BYTES_MAX: usize = 64;

/// Names that a crate cannot have besides keywords of Rust: those of crates that every crate may name.
const RUST_CRATES: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

/// The lower-case keywords of Rust. They are not identifiers.
const RUST_KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// The reason why a folder for a bot is not made.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The path does not end in a name.
    #[error("it does not end in the name of a folder")]
    Nameless,
    /// The name of the folder cannot be the name of a bot.
    #[error("`{name}` cannot be the name of a bot: {why}")]
    Name {
        /// The name.
        name: String,
        /// The reason, and the names that can be used.
        why: &'static str,
    },
    /// Something is there already.
    #[error("it already exists, and is not an empty folder")]
    Exists,
    /// A folder above it is a file.
    #[error("a part of the path is a file, not a folder")]
    BelowAFile,
    /// The machine refuses something.
    #[error(transparent)]
    Machine(#[from] io::Error),
}

/// Writes the files of a template into a new folder, or an empty one, whose name becomes the name of the bot. Folders above it
/// are made. Returns the name.
///
/// The files are written next to it first, so that the folder appears with all of them or not at all.
///
/// # Errors
/// The reason, after which the folder is as before.
pub fn write(template: Template<'_>, folder: &Path) -> Result<String, FolderError> {
    let name = name_of(template, folder)?;
    let is_free = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !folder.exists() && !folder.is_symlink(),
    };
    if !is_free {
        return Err(FolderError::Exists);
    }
    let parent = match folder.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => FolderError::BelowAFile,
        _ => error.into(),
    })?;
    let part = folders::temporary(".arena-new-", parent)?;
    for file in template.files(&name) {
        let to = part.path().join(&file.path);
        fs::create_dir_all(to.parent().unwrap_or(part.path()))?;
        fs::write(&to, &file.bytes)?;
    }
    folders::rename_to_free(part.path(), folder)?;
    // It was renamed, so there is nothing left to remove at this path.
    let _: PathBuf = part.keep();
    Ok(name)
}

/// The name of the bot in a folder.
fn name_of(template: Template<'_>, folder: &Path) -> Result<String, FolderError> {
    let name = folder.file_name().ok_or(FolderError::Nameless)?.to_string_lossy().into_owned();
    let of_game = template.is_game().then(|| complaint_about_game(&name)).flatten();
    match of_game.or(complaint(template.language(), &name)) {
        None => Ok(name),
        Some(why) => Err(FolderError::Name { name, why }),
    }
}

/// The keywords of WIT, of which none can name a package. From the grammar of the Component Model's WIT.md.
const WIT_KEYWORDS: &str = "as async bool borrow char constructor enum error-context export f32 f64 flags from func future import include \
    interface list map option own package record resource result s16 s32 s64 s8 static stream string tuple type \
    u16 u32 u64 u8 use variant with world";

/// The reason why a name that a bot may have cannot be that of a game, which is a name in WIT and of a module of the generated code.
fn complaint_about_game(name: &str) -> Option<&'static str> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_word =
        |word: &str| word.starts_with(|first: char| first.is_ascii_lowercase()) && word.bytes().all(is_plain);
    if !name.split('-').all(is_word) {
        return Some("use words of lower-case letters and digits with `-` between them, such as `my-game`");
    }
    if WIT_KEYWORDS.split(' ').any(|word| word == name) {
        return Some("it is a keyword of WIT; take another, such as `my-game`");
    }
    let lock = include_str!("../../../../examples/games/connect-four/Cargo.lock");
    let is_taken = name != "connect-four" && lock.contains(&format!("name = \"{name}\"\n"));
    is_taken.then_some("it is the name of another crate; take another, such as `my-game`")
}

/// The reason why a name cannot be used. The rules of all languages' packages are taken together.
fn complaint(language: Language, name: &str) -> Option<&'static str> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    if !name.bytes().all(is_plain) || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Some(
            "use lower-case letters, digits, `-` and `_`, beginning with a letter, such as `my-bot`",
        );
    }
    if name.len() > NAME_BYTES_MAX {
        return Some("use 64 characters at most");
    }
    let identifier = name.replace('-', "_");
    let is_taken = |taken: &str| taken == identifier;
    let is_dependency = || {
        // With the SDK, and without it.
        let lock = include_str!("../../../../examples/first-bot/Cargo.lock");
        let lines =
            lock.lines().chain(include_str!("../../../../examples/games/connect-four/Cargo.lock").lines());
        let mut names = lines.filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        names.any(|name| {
            !["first-bot", "connect-four"].contains(&name) && name.replace('-', "_") == identifier
        })
    };
    (language == Language::Rust
        && (RUST_CRATES.into_iter().any(is_taken)
            || RUST_KEYWORDS.into_iter().any(is_taken)
            || is_dependency()))
    .then_some("in Rust it is a keyword or the name of another crate; take another, such as `my-bot`")
}
