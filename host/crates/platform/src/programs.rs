//! Programs of the user: where they are, and which of the systems this one is.

use std::env;
use std::path::PathBuf;

/// The endings of programs. On Windows, scripts such as `npm.cmd` are programs too.
const ENDINGS: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };

/// The name of a program's file.
pub fn file_name(program: &str) -> String {
    format!("{program}{}", env::consts::EXE_SUFFIX)
}

/// The path of a program on `PATH`.
pub fn find(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let mut paths = env::split_paths(&folders)
        .flat_map(|folder| ENDINGS.iter().map(move |ending| folder.join(format!("{name}{ending}"))));
    paths.find(|path| path.is_file())
}

/// The one of three values that is for this system: for Linux and others, for macOS, or for Windows.
pub fn of_system<T>([linux, macos, windows]: [T; 3]) -> T {
    if cfg!(windows) {
        windows
    } else if cfg!(target_os = "macos") {
        macos
    } else {
        linux
    }
}
