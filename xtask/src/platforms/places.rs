//! The places in which programs for other platforms run on this machine: older Debians, an emulated processor, and Wine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Place, folder};
use crate::debian;
use crate::dist::bare;
use crate::environment;
use crate::step;

/// The older Debian: its glibc 2.31 is the oldest that Debian's mirrors have. Ubuntu 20.04 has it, too.
pub const OLD_DEBIAN: &str = "bullseye";

/// The Debian in which a bot is built: the tools that npm has need glibc 2.34.
pub const DEBIAN_OF_TOOLS: &str = "bookworm";

/// The packages in a Debian: what the program needs, a shell for the build commands of bots, and what Node needs.
const PACKAGES: &str = "libc6,libgcc-s1,dash,libstdc++6";

/// The registered names of formats of programs, by which the kernel starts programs for other processors.
const FORMATS: &str = "/proc/sys/fs/binfmt_misc";

/// The head of a program for Linux on arm64, as the kernel reads it.
const ARM64: &str = r":arena-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff";

/// A place that is ready, with the program in it.
pub enum Ready {
    /// The root of a system, in which the work folder is [`WORK`].
    Root(PathBuf),
    /// The settings of Wine, and the work folder.
    Wine(PathBuf, PathBuf),
}

/// The work folder in the root of a system.
const WORK: &str = "work";

impl Ready {
    /// Makes a place, and puts the program into its empty work folder.
    pub fn make(place: Place, program: &Path) -> Result<Self> {
        let ready = match place {
            Place::Debian(release, architecture) => Self::Root(debian(release, architecture)?),
            Place::Wine => {
                debian::require("wine", "wine wine64", "there is no Wine", "nothing is run")?;
                let prefix = folder()?.join("wine");
                // This Wine says that it is Windows 7, which Node does not start on.
                let mut version = wine(&prefix);
                version.args(["reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f"]);
                step::run_hidden("setting up Wine", &mut version)?;
                Self::Wine(prefix, folder()?.join("wine-work"))
            }
        };
        let work = ready.work();
        if work.exists() {
            fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))?;
        }
        fs::create_dir_all(&work)?;
        let name = program.file_name().context("a program is a file")?;
        fs::copy(program, work.join(name)).with_context(|| format!("cannot copy {}", program.display()))?;
        if place == Place::Wine {
            let source = environment::root().join("xtask/src/platforms/bcryptprimitives.c");
            let mut compile = Command::new("x86_64-w64-mingw32-gcc");
            compile
                .args(["-shared", "-o"])
                .arg(work.join("bcryptprimitives.dll"))
                .arg(source)
                .arg("-ladvapi32");
            step::output("compiling random numbers for Wine", &mut compile)?;
        }
        Ok(ready)
    }

    /// The work folder, as this machine sees it.
    pub fn work(&self) -> PathBuf {
        match self {
            Self::Root(root) => root.join(WORK),
            Self::Wine(_, work) => work.clone(),
        }
    }

    /// A folder on the path there, for tools.
    pub fn programs(&self) -> PathBuf {
        match self {
            Self::Root(root) => root.join("usr/bin"),
            Self::Wine(prefix, _) => prefix.join("drive_c/windows"),
        }
    }

    /// The command that runs the program with these arguments, for so many seconds at most.
    pub fn command(&self, args: &str, seconds_max: u32) -> Command {
        let command = match self {
            Self::Root(root) => {
                let work = Path::new("/").join(WORK);
                bare::inside(root, &work, &format!("{}/arena {args}", work.display()))
            }
            Self::Wine(prefix, work) => {
                let mut command = wine(prefix);
                command.arg("arena.exe").args(args.split(' ')).current_dir(work);
                command
            }
        };
        let mut limited = Command::new("timeout");
        limited.args(["--kill-after=5", &seconds_max.to_string()]).arg(command.get_program());
        limited.args(command.get_args());
        if matches!(self, Self::Root(_)) {
            limited.env_clear();
        }
        limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        limited.current_dir(command.get_current_dir().unwrap_or(Path::new("/")));
        limited
    }
}

/// Wine with its settings in a folder, and without its own messages.
fn wine(prefix: &Path) -> Command {
    let mut command = Command::new("wine");
    command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all");
    command
}

/// The root of a Debian with little in it, which is made once.
fn debian(release: &str, architecture: &str) -> Result<PathBuf> {
    if architecture != "amd64" {
        provide_emulation()?;
    }
    let root = folder()?.join(format!("{release}-{architecture}"));
    if root.exists() {
        return Ok(root);
    }
    bare::provide_maker()?;
    // Under another name until it is whole.
    let part = root.with_extension("part");
    let mut command = Command::new(bare::MAKER);
    command.args(["--variant=extract", &format!("--include={PACKAGES}")]);
    command.args([&format!("--architectures={architecture}"), release]).arg(&part);
    command.arg(format!("deb {} {release} main", mirror()?));
    step::run_hidden(&format!("making a Debian ({release}) for {architecture}"), &mut command)?;
    fs::create_dir_all(part.join("proc"))?;
    if !part.join("bin/sh").exists() {
        std::os::unix::fs::symlink("dash", part.join("bin/sh"))?;
    }
    fs::rename(&part, &root)?;
    Ok(root)
}

/// Where apt gets the packages of this machine's Debian. The security updates of an older one are in another place, and are not needed.
fn mirror() -> Result<String> {
    let mut apt = Command::new("apt-get");
    apt.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
    let places = environment::output_of(&mut apt).context("apt does not say where packages come from")?;
    let mut places = places.lines().filter(|place| !place.contains("security"));
    Ok(places.next().context("apt knows no place of packages")?.to_owned())
}

/// Has the kernel start programs for arm64 with an emulator, also in roots of other systems.
fn provide_emulation() -> Result<()> {
    let formats = Path::new(FORMATS);
    if !formats.join("status").exists() {
        let mut mount = Command::new("mount");
        mount.args(["-t", "binfmt_misc", "binfmt_misc", FORMATS]);
        step::output("mounting the formats of programs", &mut mount).context("this needs root")?;
    }
    if ["arena-arm64", "qemu-aarch64"].iter().any(|name| formats.join(name).exists()) {
        return Ok(());
    }
    let folder = environment::target_dir()?.join("tools/qemu");
    let emulator = folder.join("usr/bin/qemu-aarch64-static");
    if !emulator.exists() {
        fs::create_dir_all(&folder)?;
        let script = "apt-get download -q qemu-user-static\n\
             dpkg --fsys-tarfile qemu-user-static*.deb | tar -x ./usr/bin/qemu-aarch64-static\nrm *.deb";
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", script]).current_dir(&folder);
        step::run_hidden("fetching an emulator of arm64 from Debian", &mut shell)?;
    }
    // `F`: the kernel opens the emulator now, so it works in other roots.
    let line = format!("{ARM64}:{}:F", emulator.display());
    fs::write(formats.join("register"), line).context("cannot register the emulator: this needs root")
}
