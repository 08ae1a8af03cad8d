//! The choice of a toolchain that builds bots on this machine, and the installation of what it lacks.
//!
//! 1. The installed compiler has the target's standard library: plain cargo builds bots.
//! 2. rustup may install: it adds the target.
//! 3. Debian's packages are installed, or apt can install them: Debian's Rust builds bots ([`crate::debian`]).
//! 4. Otherwise nothing is changed, and a message says what to install.
//!
//! With `RUSTUP_AUTO_INSTALL=0`, which forbids rustup to install anything, rustup is never called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Error, Result, bail};

use crate::debian::{self, Apt};
use crate::environment;
use crate::step;
use crate::sysroot;

/// The target of bots, for which the compiler makes a component directly.
pub const TARGET: &str = "wasm32-wasip2";
/// The program that makes a component from the linker's output. It is part of the host toolchain.
const COMPONENT_LINKER: &str = "wasm-component-ld";

/// The facts that decide the choice, gathered before anything is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// True if the installed compiler has the target's standard library.
    pub has_std: bool,
    /// The state of rustup.
    pub rustup: Rustup,
    /// The folder with the component linker, if it was found.
    pub linkers: Option<PathBuf>,
    /// The reason why Debian's Rust cannot be used as it is, if there is one.
    pub debian_lacks: Option<String>,
    /// The way in which apt can be used.
    pub apt: Apt,
}

/// The states of rustup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rustup {
    /// rustup is not on `PATH`.
    Absent,
    /// `RUSTUP_AUTO_INSTALL` forbids it to install.
    Forbidden,
    /// It may install.
    Allowed,
}

/// A way to build bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// With the installed toolchain, as it is.
    Installed,
    /// With the installed toolchain, after rustup has added the target.
    AddWithRustup,
    /// With Debian's Rust, which is installed, and linkers from this folder.
    Debian(PathBuf),
    /// With Debian's Rust, after apt has installed it, and linkers from this folder.
    InstallDebian(PathBuf, Apt),
}

/// A toolchain that can build bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The toolchain that built this program; it has the target's standard library.
    Installed,
    /// Debian's, for which the standard library is built from source ([`crate::sysroot`]).
    Debian {
        /// The folder of the host toolchain with `wasm-component-ld` and `rust-lld`, which Debian does not package.
        linkers: PathBuf,
    },
}

/// Chooses a toolchain from the facts. The error says why there is none, and what to do.
pub fn choose(facts: &Facts, target: &str) -> Result<Way, String> {
    let (why, advice) = match facts.rustup {
        _ if facts.has_std => return Ok(Way::Installed),
        Rustup::Allowed => return Ok(Way::AddWithRustup),
        Rustup::Forbidden => ("RUSTUP_AUTO_INSTALL=0 forbids rustup to install it", "run"),
        Rustup::Absent => ("rustup is not installed", "install rustup and run"),
    };
    let detail = match (&facts.linkers, &facts.debian_lacks, facts.apt) {
        (None, ..) => format!("`{COMPONENT_LINKER}`, which Debian's Rust needs, was not found"),
        (Some(linkers), None, _) => return Ok(Way::Debian(linkers.clone())),
        (Some(linkers), _, apt @ (Apt::AsRoot | Apt::WithSudo)) => {
            return Ok(Way::InstallDebian(linkers.clone(), apt));
        }
        (_, Some(lack), Apt::NotPermitted) => format!("{lack}, and apt needs root"),
        (_, Some(_), Apt::Absent) => "apt is not installed either".to_owned(),
    };
    Err(format!(
        "cannot build for {target}: this Rust lacks the target, {why}, and {detail}.\n  \
         To fix this, {advice} `rustup target add {target}`. Or, on Debian, run as root:\n  \
         apt-get install --no-install-recommends {}",
        debian::PACKAGES
    ))
}

/// Finds a toolchain that builds for a target, and installs what it lacks.
pub fn prepare(target: &str) -> Result<Toolchain> {
    match choose(&gather(target), target).map_err(Error::msg)? {
        Way::Installed => Ok(Toolchain::Installed),
        Way::AddWithRustup => {
            step::run(
                &format!("adding the target {target} with rustup"),
                Command::new("rustup").args(["target", "add", target]).current_dir(environment::root()),
            )
            .context("rustup could not add the target. Check the network")?;
            if !has_std(target) {
                bail!(
                    "rustup added {target} to another toolchain than the one in use. \
                     Put ~/.cargo/bin first on PATH, or install the target for the `rustc` in use"
                );
            }
            Ok(Toolchain::Installed)
        }
        Way::Debian(linkers) => Ok(Toolchain::Debian { linkers }),
        Way::InstallDebian(linkers, apt) => {
            step::say(&format!(
                "the target {target} is missing and rustup may not install it: using Debian's packages"
            ));
            debian::install(apt, debian::PACKAGES)?;
            match debian::find_lack() {
                None => Ok(Toolchain::Debian { linkers }),
                Some(lack) => bail!("Debian's Rust was installed, but cannot build bots: {lack}"),
            }
        }
    }
}

fn gather(target: &str) -> Facts {
    let has_std = has_std(target);
    let rustup = match environment::find_on_path("rustup") {
        None => Rustup::Absent,
        Some(_) if env::var_os("RUSTUP_AUTO_INSTALL").is_some_and(|value| value == "0") => Rustup::Forbidden,
        Some(_) => Rustup::Allowed,
    };
    let debian_lacks = debian::find_lack();
    // apt is examined only if it matters, because that may run sudo, which reports to an administrator.
    let settled = has_std || rustup == Rustup::Allowed || debian_lacks.is_none();
    let apt = if settled { Apt::Absent } else { debian::find_apt() };
    Facts { has_std, rustup, linkers: find_linkers(), debian_lacks, apt }
}

/// Returns true if the installed compiler has the standard library for a target.
fn has_std(target: &str) -> bool {
    let files = rustc_path(&["target-libdir", "--target", target]).and_then(|dir| dir.read_dir().ok());
    files.is_some_and(|files| {
        files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

/// The folder with the component linker: in the host toolchain, or else on `PATH`.
fn find_linkers() -> Option<PathBuf> {
    let own = rustc_path(&["target-libdir"]).map(|dir| dir.with_file_name("bin").join(COMPONENT_LINKER));
    let linker = own.filter(|path| path.is_file()).or_else(|| environment::find_on_path(COMPONENT_LINKER))?;
    linker.parent().map(Path::to_path_buf)
}

/// A path that the installed compiler prints.
fn rustc_path(print: &[&str]) -> Option<PathBuf> {
    environment::output_of(environment::rustc().arg("--print").args(print)).map(PathBuf::from)
}

/// The settings of cargo for bots. They replace the user's own, because an incremental build gives other bytes. WebAssembly with fuel makes calls
/// between functions dear, so that inlining across crates pays. Measured: `hunter` takes 20 % less time.
const OPTIMISATION: [(&str, &str); 3] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "fat"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
];

impl Toolchain {
    /// The toolchain in a few words, for the line that announces a build.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Installed => "the installed Rust",
            Self::Debian { .. } => "Debian's Rust",
        }
    }

    /// A `cargo build` in release for a target, to which the caller adds the packages.
    pub fn build(&self, target: &str, target_dir: &Path) -> Result<Command> {
        self.cargo("build", target, target_dir)
    }

    /// A `cargo rustc` in release for a target, to which the caller adds the package: one library, as nothing but a component.
    /// Cargo leaves out link-time optimisation for a crate that is also a Rust library.
    pub fn build_component(&self, target: &str, target_dir: &Path) -> Result<Command> {
        let mut command = self.cargo("rustc", target, target_dir)?;
        command.args(["--lib", "--crate-type", "cdylib"]);
        Ok(command)
    }

    /// A command of cargo in release for a target.
    ///
    /// The result depends only on the commit and the compiler. The path of the checkout is remapped, and the flags
    /// replace the user's RUSTFLAGS, which are for the host: `target-cpu=native` or another linker would break the build
    /// of a bot or change its hash.
    fn cargo(&self, task: &str, target: &str, target_dir: &Path) -> Result<Command> {
        let (mut command, sysroot) = match self {
            Self::Installed => {
                (environment::cargo(), rustc_path(&["sysroot"]).context("rustc does not report its sysroot")?)
            }
            Self::Debian { linkers } => (sysroot::cargo(linkers, target)?, debian::SYSROOT.into()),
        };
        command.args([task, "--release", "--target", target]).arg("--target-dir").arg(target_dir);
        let mut flags = remap(environment::root(), "arena");
        flags.extend(environment::cargo_home().into_iter().flat_map(|home| remap(&home, "cargo")));
        flags.extend(remap(&sysroot.join("lib/rustlib/src/rust"), "rust"));
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        command.envs(OPTIMISATION);
        Ok(command)
    }
}

/// The target directory that all bots share, so that their dependencies are built once.
pub fn target_dir() -> Result<PathBuf> {
    Ok(environment::target_dir()?.join("guest"))
}

/// The path of the WebAssembly that cargo builds from the crate in a folder. It has the folder's name.
pub fn artifact(target_dir: &Path, target: &str, crate_dir: &Path) -> PathBuf {
    let name = crate_dir.file_name().unwrap_or_default().to_string_lossy().replace('-', "_");
    target_dir.join(target).join("release").join(name).with_extension("wasm")
}

/// Flags that give a folder a fixed name in a component, independent of its path on this machine.
pub fn remap(dir: &Path, name: &str) -> Vec<String> {
    // The compiler may see a folder by its real path or by the given one.
    let real = dir.canonicalize().ok().filter(|real| real != dir);
    let paths = [Some(dir.to_path_buf()), real].into_iter().flatten();
    paths.map(|path| format!("--remap-path-prefix={}=/{name}", path.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots;

    /// A machine with rustup, which may install, and nothing else.
    fn ordinary() -> Facts {
        Facts {
            has_std: false,
            rustup: Rustup::Allowed,
            linkers: Some(linkers()),
            debian_lacks: Some("/usr/bin/rustc does not exist".to_owned()),
            apt: Apt::Absent,
        }
    }

    /// A Debian machine on which rustup may not install.
    fn frozen() -> Facts {
        Facts { rustup: Rustup::Forbidden, apt: Apt::AsRoot, ..ordinary() }
    }

    fn linkers() -> PathBuf {
        "/toolchain/bin".into()
    }

    #[track_caller]
    fn check(facts: &Facts, expect: Way) {
        assert_eq!(choose(facts, TARGET), Ok(expect));
    }

    #[track_caller]
    fn check_refusal(facts: &Facts, phrases: &[&str]) {
        let message = choose(facts, TARGET).expect_err("there is no way");
        for phrase in phrases {
            assert!(message.contains(phrase), "`{phrase}` is not in: {message}");
        }
    }

    #[test]
    fn an_installed_target_is_used_on_any_machine() {
        check(&Facts { has_std: true, ..ordinary() }, Way::Installed);
        check(&Facts { has_std: true, debian_lacks: None, ..frozen() }, Way::Installed);
    }

    #[test]
    fn rustup_adds_the_target_if_it_may_install() {
        check(&ordinary(), Way::AddWithRustup);
        check(&Facts { debian_lacks: None, apt: Apt::AsRoot, ..ordinary() }, Way::AddWithRustup);
    }

    #[test]
    fn rustup_is_not_used_if_it_may_not_install() {
        check(&frozen(), Way::InstallDebian(linkers(), Apt::AsRoot));
    }

    #[test]
    fn an_installed_debian_rust_is_used_as_it_is() {
        check(&Facts { debian_lacks: None, ..frozen() }, Way::Debian(linkers()));
        check(&Facts { debian_lacks: None, apt: Apt::NotPermitted, ..frozen() }, Way::Debian(linkers()));
    }

    #[test]
    fn sudo_without_a_password_is_as_good_as_root() {
        check(&Facts { apt: Apt::WithSudo, ..frozen() }, Way::InstallDebian(linkers(), Apt::WithSudo));
    }

    #[test]
    fn a_machine_without_rustup_uses_debians_rust() {
        check(&Facts { rustup: Rustup::Absent, debian_lacks: None, ..ordinary() }, Way::Debian(linkers()));
    }

    #[test]
    fn without_a_way_the_message_says_why_and_what_to_do() {
        check_refusal(
            &Facts { apt: Apt::Absent, ..frozen() },
            &["RUSTUP_AUTO_INSTALL=0", "apt is not installed", "rustup target add wasm32-wasip2"],
        );
        check_refusal(
            &Facts { apt: Apt::NotPermitted, ..frozen() },
            &["needs root", "apt-get install --no-install-recommends rustc-web"],
        );
        check_refusal(&Facts { rustup: Rustup::Absent, ..ordinary() }, &["install rustup"]);
        check_refusal(&Facts { linkers: None, ..frozen() }, &["wasm-component-ld"]);
    }

    #[test]
    fn an_artifact_is_named_after_the_folder_of_its_crate() {
        let path = artifact(Path::new("target"), TARGET, Path::new("examples/first-bot"));
        assert_eq!(path, Path::new("target/wasm32-wasip2/release/first_bot.wasm"));
    }

    #[test]
    fn a_folder_is_remapped_to_a_fixed_name() {
        assert_eq!(
            remap(Path::new("/no/such/folder"), "arena"),
            ["--remap-path-prefix=/no/such/folder=/arena"]
        );
    }

    #[test]
    fn what_bots_are_built_from_has_no_lower_level_than_bots() {
        let manifest = std::fs::read_to_string(environment::root().join("Cargo.toml")).unwrap();
        let levels = manifest.split_once("\n[profile.release.package]\n").unwrap().1;
        let levels = levels.split_once("\n[").unwrap().0;
        let crates = bots::crates().unwrap();
        let names = crates.iter().filter_map(|folder| folder.file_name()?.to_str());
        for name in names.chain(["arena-rules", "arena-sdk"]) {
            assert!(!levels.contains(&format!("\n{name} = ")), "{name}");
        }
        assert!(levels.contains("\narena = "), "the levels of our own crates are here");
    }
}
