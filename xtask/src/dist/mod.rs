//! The archive for users who do not build the arena: the program, the house bots, the guide, manual pages and completions. It is
//! tried on a bare Debian 12 before users get it.

mod bare;
mod contents;
mod licences;
mod needs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::arena;
use crate::bots;
use crate::environment;
use crate::passed;
use crate::step;

/// The platform of the archive, the only one that the arena is made for.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Makes the archive and, unless that is not wanted, tries it on a bare Debian 12. For users, the program is compiled with a profile of its
/// own; a check packs the one that is built anyway, because the other compiles all dependencies once more. With `changed_only`, nothing
/// is done if that has passed with the same inputs.
pub fn run(is_tried: bool, is_for_users: bool, changed_only: bool) -> Result<()> {
    let Some(begun) = passed::DIST.begin(changed_only)? else { return Ok(()) };
    let version = environment::output_of(environment::rustc().arg("-vV")).context("rustc does not run")?;
    ensure!(
        version.lines().any(|line| line == format!("host: {PLATFORM}")),
        "this Rust does not build for {PLATFORM}, the platform of the archive"
    );
    let toolchain = bots::build()?;
    let program = if is_for_users { arena::build_for_users()? } else { arena::build()? };
    needs::check(&program)?;

    let name = format!("arena-{}-{PLATFORM}", env!("CARGO_PKG_VERSION"));
    let dist = environment::target_dir()?.join("dist");
    let folder = dist.join(&name);
    step::say(&format!("gathering {}", folder.display()));
    contents::gather(&program, &folder)?;
    let archive = pack(&folder)?;
    if is_tried {
        bare::try_archive(&archive, &name, &toolchain)?;
    } else {
        step::say("the archive was NOT tried on a bare Debian 12");
    }
    let mebibytes = fs::metadata(&archive)?.len() as f64 / f64::from(1 << 20);
    step::say(&format!("{}: {mebibytes:.1} MiB", archive.display()));
    if is_tried { begun.passed() } else { Ok(()) }
}

/// Packs a folder, and returns the path of the archive next to it. The same files give the same bytes: they are in the
/// order of their names, and have no owner and the time of the commit.
fn pack(folder: &Path) -> Result<PathBuf> {
    let mut log = Command::new("git");
    log.args(["log", "-1", "--format=%ct"]).current_dir(environment::root());
    let time = environment::output_of(&mut log).context("git does not know the time of the commit")?;
    let parent = folder.parent().context("the folder is in another one")?;
    let name = folder.file_name().context("the folder has a name")?;
    let archive = parent.join(name).with_added_extension("tar.gz");
    let mut tar = Command::new("tar");
    tar.args(["--create", "--format=ustar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u+rwX,go+rX,go-w", &format!("--mtime=@{time}"), "--use-compress-program=gzip -9n"]);
    tar.arg("--file").arg(&archive).arg("--directory").arg(parent).arg(name);
    step::run_hidden("packing the archive", &mut tar)?;
    Ok(archive)
}

/// Unpacks an archive into a folder, which is made if it is missing.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut tar = Command::new("tar");
    // The devices of a system are root's to make, and nothing here needs them.
    tar.args(["--extract", "--exclude=./dev/*", "--no-same-owner", "--file"]).arg(archive);
    tar.arg("--directory").arg(folder);
    step::run_hidden(&format!("unpacking {}", archive.display()), &mut tar)
}

/// Removes a folder with everything in it, if it exists.
fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn the_same_files_give_the_same_archive_whenever_they_were_written() {
        let dir = std::env::temp_dir().join(format!("xtask-dist-{}", std::process::id()));
        let packed = |names: [&str; 3]| {
            let folder = dir.join("arena");
            clear(&folder).unwrap();
            fs::create_dir_all(folder.join("bots")).unwrap();
            names.iter().for_each(|name| fs::write(folder.join(name), name).unwrap());
            fs::read(pack(&folder).unwrap()).unwrap()
        };
        let first = packed(["a", "b", "bots/c"]);
        // A second, the unit of times in an archive.
        thread::sleep(Duration::from_millis(1_100));
        assert_eq!(packed(["bots/c", "b", "a"]), first);
        assert_ne!(packed(["bots/d", "b", "a"]), first);
        fs::remove_dir_all(dir).unwrap();
    }
}
