//! The tools with which an author on another platform builds a bot in JavaScript: that platform's Node, and its build of the bot's tools.
//!
//! JavaScript is the language of this try because npm has all of its tools for every platform. What is run is the platform's own; only the
//! download is made here, since an emulated system has no certificates and Wine no sockets that Node can use.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::places::{DEBIAN_OF_TOOLS, Ready};
use super::{Place, Platform};
use crate::dist::copy;
use crate::step;
use crate::tools;

/// The Node of a platform, by its package on npm. 22.20.0 is the latest release that npm has for all platforms.
const NODE: &str = "22.20.0";

/// npm, which is the same on every platform.
const NPM: &str = "npm@11.6.2";

/// Builds a bot in a place with the platform's Node and npm, by the command that `judged` runs. On Linux, it is a newer one than that in which
/// the program is tried, and the component comes back.
pub fn build<T>(
    ready: &Ready,
    platform: &Platform,
    program: &Path,
    project: &str,
    judged: impl FnOnce(&Ready) -> Result<T>,
) -> Result<T> {
    let Some(Place::Debian(_, architecture)) = platform.place else {
        install(ready, platform, &ready.work().join(project))?;
        return judged(ready);
    };
    let newer = Ready::make(Place::Debian(DEBIAN_OF_TOOLS, architecture), program)?;
    let [here, there] = [ready, &newer].map(|it| it.work().join(project));
    copy_folder(&here, &there)?;
    install(&newer, platform, &there)?;
    let answer = judged(&newer)?;
    let component = format!("{project}.wasm");
    // Without one, the command has failed, and its answer says why.
    if there.join(&component).exists() {
        copy(&there.join(&component), &here.join(&component))?;
    }
    Ok(answer)
}

/// Puts Node and npm into a place, and the tools of a bot into its folder there.
fn install(ready: &Ready, platform: &Platform, project: &Path) -> Result<()> {
    // npm has two names for Windows: its own for packages' systems, and that of Node's packages.
    let (system, package, node, npm, script) = if platform.is_windows() {
        ("win32", "win", "node.exe", "npm.cmd", "@node \"%~dp0npm-of-node\\bin\\npm-cli.js\" %*\r\n")
    } else {
        let script = "#!/bin/sh\nexec node \"${0%/*}/npm-of-node/bin/npm-cli.js\" \"$@\"\n";
        ("linux", "linux", "node", "npm", script)
    };
    let processor = if platform.target.starts_with("aarch64") { "arm64" } else { "x64" };
    let package = format!("node-{package}-{processor}");
    let fetched = tools::fetch_from_npm(&package, &[&format!("{package}@{NODE}"), NPM])?;
    let programs = ready.programs();
    copy(&fetched.join(&package).join("bin").join(node), &programs.join(node))?;
    copy_folder(&fetched.join("npm"), &programs.join("npm-of-node"))?;
    // A copy of a program may be run, and so may what replaces its text.
    copy(&programs.join(node), &programs.join(npm))?;
    fs::write(programs.join(npm), script)?;

    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--libc=glibc"]);
    npm.args([format!("--os={system}"), format!("--cpu={processor}")]).current_dir(project);
    step::run_hidden("installing a bot's tools for another platform", &mut npm)?;
    // The folder's own `install.js` leaves this copy when it has installed them.
    copy(&project.join("package-lock.json"), &project.join("node_modules/.installed-package-lock.json"))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let mut copy = Command::new("cp");
    copy.args(["--recursive", "--no-target-directory"]).arg(from).arg(to);
    step::output("copying a folder", &mut copy).map(drop)
}
