//! The libraries that the program needs of the system it runs on.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::step;

/// The glibc of Debian 12.
pub const DEBIAN_12: [u32; 2] = [2, 36];

/// The libraries that every Debian has, in the packages `libc6` and `libgcc-s1`.
const LIBRARIES: [&str; 8] = [
    "ld-linux-aarch64.so.1",
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
];

/// Checks that a program needs nothing that a bare Debian with this glibc lacks.
pub fn check(program: &Path, glibc_max: [u32; 2]) -> Result<()> {
    let headers =
        step::output("reading the program's needs", Command::new("objdump").arg("-p").arg(program))?;
    let (libraries, glibc) = read(&headers);
    let foreign: Vec<&str> = libraries.into_iter().filter(|name| !LIBRARIES.contains(name)).collect();
    ensure!(
        foreign.is_empty(),
        "{} needs libraries that a bare Debian lacks: {foreign:?}",
        program.display()
    );
    ensure!(
        glibc.is_some() && glibc <= Some(glibc_max),
        "{} needs the glibc {glibc:?}, and is to run from {glibc_max:?} on",
        program.display()
    );
    Ok(())
}

/// The libraries, and the latest version of glibc with a symbol in use, in the output of `objdump -p`.
fn read(headers: &str) -> (Vec<&str>, Option<[u32; 2]>) {
    let libraries = headers.lines().filter_map(|line| line.trim().strip_prefix("NEEDED ").map(str::trim));
    let versions = headers.split_whitespace().filter_map(|word| {
        let mut numbers = word.strip_prefix("GLIBC_")?.split('.').map(str::parse);
        Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
    });
    (libraries.collect(), versions.max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_the_latest_version_of_glibc_are_read() {
        let headers = "  NEEDED               libm.so.6\n  NEEDED               libssl.so.3\n
            Version References:\n  required from libm.so.6:\n    0x06969189 0x00 04 GLIBC_2.2.5\n
            0x09691974 0x00 02 GLIBC_2.34\n    0x09691979 0x00 02 GLIBC_2.9\n";
        assert_eq!(read(headers), (vec!["libm.so.6", "libssl.so.3"], Some([2, 34])));
        assert_eq!(read("a.out: file format elf64-x86-64"), (vec![], None));
    }
}
