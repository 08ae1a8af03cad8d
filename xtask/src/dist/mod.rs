//! The archive for users who do not build the arena: the program, the house bots, the guide, manual pages and completions. It is
//! tried on a bare Debian 12 before users get it; those for other platforms have the same files.

pub mod bare;
mod bom;
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
use crate::platforms::{self, Platform};
use crate::step;

/// The platform of the archive that is tried, and on which all archives are made.
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
    needs::check(&program, needs::DEBIAN_12)?;

    let folder = folder_of(PLATFORM)?;
    step::say(&format!("gathering {}", folder.display()));
    let mut platform = Platform::named(PLATFORM).context("it is a platform")?;
    platform.systems = contents::BUILT_HERE;
    contents::gather(&program, &program, &platform, &folder)?;
    if is_for_users {
        contents::add_bill(PLATFORM, &folder)?;
    }
    let archive = pack(&folder)?;
    if is_tried {
        bare::try_archive(&archive, &folder, &toolchain)?;
    } else {
        step::say("the archive was NOT tried on a bare Debian 12");
    }
    say_archive(&archive)?;
    if is_tried { begun.passed() } else { Ok(()) }
}

/// Makes the archive for a platform, as for users, and runs its program as `cargo xtask platforms` does, unless that is not wanted.
pub fn run_for(target: &str, is_tried: bool) -> Result<()> {
    let platform = Platform::named(target).context("there is no such platform")?;
    bots::build()?;
    // Of this machine, for the manual pages and completions.
    let own = arena::build()?;
    let program = platforms::program(&platform, arena::PROFILE_FOR_USERS)?;
    if target.contains("linux") {
        needs::check(&program, platforms::GLIBC)?;
    }
    let folder = folder_of(target)?;
    step::say(&format!("gathering {}", folder.display()));
    contents::gather(&own, &program, &platform, &folder)?;
    contents::add_bill(target, &folder)?;
    let archive = if platform.is_windows() { zip(&folder)? } else { pack(&folder)? };
    say_archive(&archive)?;
    if is_tried { platforms::try_programs(&[(platform, program)]) } else { Ok(()) }
}

/// The folder of an archive's files.
fn folder_of(target: &str) -> Result<PathBuf> {
    Ok(environment::target_dir()?.join("dist").join(format!("arena-{}-{target}", env!("CARGO_PKG_VERSION"))))
}

/// The file with the hashes of all archives, which `sha256sum --check` reads.
const SUMS: &str = "SHA256SUMS";

/// Prints the size of an archive, and writes the hashes of it and of the others.
fn say_archive(archive: &Path) -> Result<()> {
    let mebibytes = fs::metadata(archive)?.len() as f64 / f64::from(1 << 20);
    step::say(&format!("{}: {mebibytes:.1} MiB", archive.display()));
    let folder = archive.parent().context("the archive is in a folder")?;
    let is_archive = |name: &String| name.ends_with(".tar.gz") || name.ends_with(".zip");
    let names = fs::read_dir(folder)?.flatten().filter_map(|file| file.file_name().into_string().ok());
    let mut archives: Vec<String> = names.filter(is_archive).collect();
    archives.sort();
    let mut hash = Command::new("sha256sum");
    let sums = step::output("hashing the archives", hash.args(archives).current_dir(folder))?;
    fs::write(folder.join(SUMS), sums).context("cannot write the hashes of the archives")
}

/// A program in Python that packs a folder into a zip archive: the folder, the archive, and the time of its files. As with [`pack`], the
/// same files give the same bytes.
const ZIP: &str = "\
import pathlib, sys, time, zipfile
folder, archive, seconds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with zipfile.ZipFile(archive, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for file in sorted(file for file in folder.rglob('*') if file.is_file()):
        info = zipfile.ZipInfo(file.relative_to(folder.parent).as_posix(), time.gmtime(seconds)[:6])
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
        packed.writestr(info, file.read_bytes())
";

/// Packs a folder as Windows unpacks it, and returns the path of the archive next to it.
fn zip(folder: &Path) -> Result<PathBuf> {
    let archive = folder.with_added_extension("zip");
    let mut python = Command::new("python3");
    python.args(["-c", ZIP]).arg(folder).arg(&archive).arg(commit_time()?);
    step::run_hidden("packing the archive", &mut python)?;
    Ok(archive)
}

/// The time of the commit, in seconds.
fn commit_time() -> Result<String> {
    let mut log = Command::new("git");
    log.args(["log", "-1", "--format=%ct"]).current_dir(environment::root());
    environment::output_of(&mut log).context("git does not know the time of the commit")
}

/// Packs a folder, and returns the path of the archive next to it. The same files give the same bytes: they are in the
/// order of their names, and have no owner and the time of the commit.
fn pack(folder: &Path) -> Result<PathBuf> {
    let time = commit_time()?;
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

/// Copies a file into a folder, which is made if it is missing.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::create_dir_all(to.parent().unwrap_or(to)).and_then(|()| fs::copy(from, to));
    copied.with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
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
        let dir = tempfile::tempdir().unwrap();
        let packed = |names: [&str; 3]| {
            let folder = dir.path().join("arena");
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
    }
}
