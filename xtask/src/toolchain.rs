//! Finding the way: which toolchain builds bots on this machine, and what must be installed before it can.
//!
//! 1. The compiler at hand has the target's standard library: plain cargo does it.
//! 2. rustup is there and may install: it adds the target.
//! 3. Debian's packages are there, or apt can install them: Debian's Rust does it ([`crate::debian`]).
//! 4. Else nothing is changed, and a message says what to install.
//!
//! Where `RUSTUP_AUTO_INSTALL=0` says that rustup is not to install anything, rustup is never called at all.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::debian::{self, Apt, DebianRust};
use crate::environment;
use crate::step;
use crate::version;

/// The target of bots: the compiler makes a component of it straight away.
pub const TARGET: &str = "wasm32-wasip2";
/// Makes the component out of what the linker made; it comes with the host toolchain.
const COMPONENT_LINKER: &str = "wasm-component-ld";

/// What decides the way, gathered before anything is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The compiler at hand has the target's standard library.
    pub std_is_here: bool,
    /// rustup is on `PATH`.
    pub rustup_is_here: bool,
    /// `RUSTUP_AUTO_INSTALL` does not forbid installing.
    pub rustup_may_install: bool,
    /// The folder with the component linker, where it was found.
    pub linkers: Option<PathBuf>,
    /// Why Debian's Rust cannot be used as it stands, if so.
    pub debian_lacks: Option<String>,
    /// How apt may be used.
    pub apt: Apt,
}

/// A way to build bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// With the toolchain at hand, as it is.
    AtHand,
    /// With the toolchain at hand, once rustup has added the target.
    AddWithRustup,
    /// With Debian's Rust, which is there.
    Debian(DebianRust),
    /// With Debian's Rust, once apt has installed it.
    InstallDebian(DebianRust, Apt),
    /// There is none; this is what stands in the way, and what to do about it.
    None(String),
}

/// A toolchain that can build bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The one that built this program; its targets are ready made.
    AtHand,
    /// Debian's; the standard library is built from source.
    Debian(DebianRust),
}

/// Chooses the way from the facts alone.
pub fn choose(facts: &Facts, target: &str) -> Way {
    if facts.std_is_here {
        return Way::AtHand;
    }
    if facts.rustup_is_here && facts.rustup_may_install {
        return Way::AddWithRustup;
    }
    let forbidden = facts.rustup_is_here && !facts.rustup_may_install;
    let why = if forbidden {
        "rustup is not to install anything here (RUSTUP_AUTO_INSTALL=0)"
    } else {
        "there is no rustup here"
    };
    let advice = if forbidden {
        format!("install the target yourself, with `rustup target add {target}`")
    } else {
        format!("install rustup, then run `rustup target add {target}`")
    };
    let none = |detail: &str| {
        Way::None(format!(
            "bots are built for {target}, which this Rust cannot do yet: {why}, and {detail}.\n  \
             What to do: {advice}; or use Debian and, as root,\n  apt-get install --no-install-recommends {}",
            debian::PACKAGES.join(" ")
        ))
    };
    let Some(linkers) = facts.linkers.clone() else {
        return none(&format!("`{COMPONENT_LINKER}`, which Debian's way needs, was not found"));
    };
    let rust = DebianRust { linkers };
    match (&facts.debian_lacks, facts.apt) {
        (None, _) => Way::Debian(rust),
        (Some(_), apt @ (Apt::AsRoot | Apt::WithSudo)) => Way::InstallDebian(rust, apt),
        (Some(lack), Apt::NotPermitted) => none(&format!("{lack}, and apt needs root")),
        (Some(_), Apt::Absent) => none("there is no apt either"),
    }
}

/// Finds a toolchain that builds for a target, and installs what it still needs.
pub fn prepare(target: &str) -> Result<Toolchain> {
    let way = choose(&gather(target), target);
    match way {
        Way::AtHand => Ok(Toolchain::AtHand),
        Way::AddWithRustup => {
            step::run(
                &format!("adding the target {target} with rustup"),
                Command::new("rustup").args(["target", "add", target]).current_dir(environment::root()),
            )
            .context("rustup could not add the target. Is the network there?")?;
            if !std_is_here(target) {
                bail!(
                    "rustup added {target}, but to another toolchain than the one in use. \
                     Put ~/.cargo/bin first on PATH, or install the target where `rustc` comes from"
                );
            }
            Ok(Toolchain::AtHand)
        }
        Way::Debian(rust) => Ok(Toolchain::Debian(rust)),
        Way::InstallDebian(rust, apt) => {
            step::say(&format!(
                "the target {target} is missing and rustup is not to install it: Debian's packages will do"
            ));
            debian::install(apt)?;
            match debian::find_lack(version::needed()) {
                None => Ok(Toolchain::Debian(rust)),
                Some(lack) => bail!("Debian's Rust was installed, but cannot build bots: {lack}"),
            }
        }
        Way::None(message) => bail!(message),
    }
}

fn gather(target: &str) -> Facts {
    let std_is_here = std_is_here(target);
    let rustup_is_here = environment::find_on_path("rustup").is_some();
    let rustup_may_install = env::var_os("RUSTUP_AUTO_INSTALL").is_none_or(|value| value != "0");
    let debian_lacks = debian::find_lack(version::needed());
    // Asked only where the answer matters: it may mean running sudo, which an administrator gets to read about.
    let settled = std_is_here || (rustup_is_here && rustup_may_install) || debian_lacks.is_none();
    Facts {
        std_is_here,
        rustup_is_here,
        rustup_may_install,
        linkers: find_linkers(),
        debian_lacks,
        apt: if settled { Apt::Absent } else { debian::find_apt() },
    }
}

/// Whether the compiler at hand has the standard library for a target.
fn std_is_here(target: &str) -> bool {
    let mut rustc = environment::rustc();
    let Some(dir) = environment::output_of(rustc.args(["--print", "target-libdir", "--target", target]))
    else {
        return false;
    };
    let Ok(files) = Path::new(&dir).read_dir() else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
}

/// The folder with the component linker: the host toolchain's own, or wherever it was installed to.
fn find_linkers() -> Option<PathBuf> {
    let libdir = environment::output_of(environment::rustc().args(["--print", "target-libdir"]));
    let own = libdir.and_then(|dir| Some(Path::new(&dir).parent()?.join("bin")));
    let own = own.filter(|dir| dir.join(COMPONENT_LINKER).is_file());
    own.or_else(|| environment::find_on_path(COMPONENT_LINKER)?.parent().map(Path::to_path_buf))
}

impl Toolchain {
    /// The toolchain in a few words, for the line that announces a build.
    pub fn described(&self) -> &'static str {
        match self {
            Self::AtHand => "with the toolchain at hand",
            Self::Debian(_) => "with Debian's Rust",
        }
    }

    /// Cargo building in release for a target, ready for the packages to be named.
    ///
    /// The result depends on the commit and the compiler alone, not on where the checkout lies or on flags meant
    /// for the host.
    pub fn build(&self, target: &str, target_dir: &Path) -> Result<Command> {
        let mut command = match self {
            Self::AtHand => environment::cargo(),
            Self::Debian(rust) => rust.cargo()?,
        };
        command.args(["build", "--release", "--target", target]);
        if let Self::Debian(_) = self {
            command.args(debian::BUILD_STD);
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", self.flags()?.join("\u{1f}"));
        command.arg("--target-dir").arg(target_dir);
        Ok(command)
    }

    /// The compiler's flags.
    ///
    /// They replace the user's RUSTFLAGS, which are for the host: `target-cpu=native` or another linker would break
    /// a bot's build or change its hash.
    fn flags(&self) -> Result<Vec<String>> {
        let sysroot = match self {
            Self::AtHand => environment::output_of(environment::rustc().args(["--print", "sysroot"]))
                .context("rustc does not tell its sysroot")?,
            Self::Debian(_) => debian::SYSROOT.to_owned(),
        };
        let mut flags = remap(environment::root(), "arena");
        flags.extend(environment::cargo_home().into_iter().flat_map(|home| remap(&home, "cargo")));
        flags.extend(remap(&Path::new(&sysroot).join("lib/rustlib/src/rust"), "rust"));
        if let Self::Debian(_) = self {
            flags.extend(debian::flags());
        }
        Ok(flags)
    }
}

/// The target directory that all bots share, so that their dependencies are built once.
pub fn target_dir() -> Result<PathBuf> {
    Ok(environment::target_dir()?.join("guest"))
}

/// Where cargo leaves the WebAssembly of the crate in a folder, which bears the folder's name.
pub fn artifact(target_dir: &Path, target: &str, crate_dir: &Path) -> PathBuf {
    let name = crate_dir.file_name().unwrap_or_default().to_string_lossy().replace('-', "_");
    target_dir.join(target).join("release").join(name).with_extension("wasm")
}

/// Flags that let a folder appear under a fixed name in a component, whatever it is called here.
pub fn remap(dir: &Path, name: &str) -> Vec<String> {
    // The compiler may see a folder by its real path as well as by the one we know.
    let real = dir.canonicalize().ok().filter(|real| real != dir);
    [Some(dir.to_path_buf()), real]
        .into_iter()
        .flatten()
        .map(|path| format!("--remap-path-prefix={}=/{name}", path.display()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with rustup that may do as it likes, and nothing else.
    fn ordinary() -> Facts {
        Facts {
            std_is_here: false,
            rustup_is_here: true,
            rustup_may_install: true,
            linkers: Some("/toolchain/bin".into()),
            debian_lacks: Some("/usr/bin/rustc is not there".to_owned()),
            apt: Apt::Absent,
        }
    }

    /// A Debian machine where rustup is not to install anything.
    fn frozen() -> Facts {
        Facts { rustup_may_install: false, apt: Apt::AsRoot, ..ordinary() }
    }

    fn debian_rust() -> DebianRust {
        DebianRust { linkers: "/toolchain/bin".into() }
    }

    #[track_caller]
    fn check(facts: &Facts, expect: &Way) {
        assert_eq!(&choose(facts, TARGET), expect);
    }

    #[track_caller]
    fn check_refusal(facts: &Facts, phrases: &[&str]) {
        let Way::None(message) = choose(facts, TARGET) else { panic!("a way was found for {facts:?}") };
        for phrase in phrases {
            assert!(message.contains(phrase), "`{phrase}` is not in: {message}");
        }
    }

    #[test]
    fn a_target_that_is_there_is_used_whatever_else_is_there() {
        check(&Facts { std_is_here: true, ..ordinary() }, &Way::AtHand);
        check(&Facts { std_is_here: true, debian_lacks: None, ..frozen() }, &Way::AtHand);
    }

    #[test]
    fn rustup_adds_the_target_where_it_may() {
        check(&ordinary(), &Way::AddWithRustup);
        check(&Facts { debian_lacks: None, apt: Apt::AsRoot, ..ordinary() }, &Way::AddWithRustup);
    }

    #[test]
    fn rustup_is_left_alone_where_it_may_not_install() {
        check(&frozen(), &Way::InstallDebian(debian_rust(), Apt::AsRoot));
    }

    #[test]
    fn debians_rust_is_used_as_it_is_once_it_is_there() {
        check(&Facts { debian_lacks: None, ..frozen() }, &Way::Debian(debian_rust()));
        check(&Facts { debian_lacks: None, apt: Apt::NotPermitted, ..frozen() }, &Way::Debian(debian_rust()));
    }

    #[test]
    fn sudo_without_a_password_is_as_good_as_root() {
        check(&Facts { apt: Apt::WithSudo, ..frozen() }, &Way::InstallDebian(debian_rust(), Apt::WithSudo));
    }

    #[test]
    fn a_machine_without_rustup_takes_debians_way() {
        check(
            &Facts { rustup_is_here: false, debian_lacks: None, ..ordinary() },
            &Way::Debian(debian_rust()),
        );
    }

    #[test]
    fn without_a_way_the_message_says_why_and_what_to_do() {
        check_refusal(
            &Facts { apt: Apt::Absent, ..frozen() },
            &["RUSTUP_AUTO_INSTALL=0", "no apt", "rustup target add wasm32-wasip2"],
        );
        check_refusal(
            &Facts { apt: Apt::NotPermitted, ..frozen() },
            &["needs root", "apt-get install --no-install-recommends rustc-web"],
        );
        check_refusal(&Facts { rustup_is_here: false, ..ordinary() }, &["install rustup"]);
        check_refusal(&Facts { linkers: None, ..frozen() }, &["wasm-component-ld"]);
    }

    #[test]
    fn an_artifact_is_named_after_its_crates_folder() {
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
}
