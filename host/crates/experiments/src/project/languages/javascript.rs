//! Builds in JavaScript: `npm run build`, which installs the tools in the versions of `package-lock.json`.

use super::super::{BuildFailure, Project, Steps};
use super::tools::{Tool, run};
use std::process::Command;

pub(super) const NODE: Tool = Tool {
    name: "node",
    what: "Node 20 or later",
    install: [
        "on Debian, as root: apt-get install nodejs npm; or https://nodejs.org",
        "brew install node, or https://nodejs.org",
        "winget install OpenJS.NodeJS, or https://nodejs.org",
    ],
};

pub(super) const NPM: Tool = Tool { name: "npm", what: "npm, which comes with Node,", install: NODE.install };

pub(super) fn build(project: &Project, only_tools: bool, steps: &mut dyn Steps) -> Result<(), BuildFailure> {
    NODE.find()?;
    let task = if only_tools { "prebuild" } else { "build" };
    let mut npm = Command::new(NPM.find()?);
    run(steps, "npm", npm.args(["run", "--silent", task]).current_dir(&project.folder))
}
