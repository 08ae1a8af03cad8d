//! The specimen that knows its own file.

use anyhow::{Context, Result, ensure};

/// The size of the hole in the built component, in bytes, and the byte that fills it, as in `tests/foreseer/src/lib.rs`.
const HOLE: (usize, u8) = (1 << 19, 0xa5);

/// Writes into the hole of `tests/foreseer`, as it was built, all other bytes of the file, the SHA-256 of the opponents that it is
/// to know, and seeds that it is to try, each in 64 hexadecimal digits.
///
/// # Errors
/// The component has no hole, or the bytes do not fit it.
pub fn foreseer(built: &[u8], opponents: &[&str], seeds: &[&str]) -> Result<Vec<u8>> {
    let (size, byte) = HOLE;
    let empty = vec![byte; size];
    let at = place_of(built, &empty)
        .context("the component has no hole: is it tests/foreseer, as it was built?")?;
    let (before, behind) = (&built[..at], &built[at + size..]);
    let mut digits = opponents.iter().chain(seeds);
    ensure!(digits.all(|digits| digits.len() == 64), "a SHA-256 and a seed have 64 hexadecimal digits");
    let mut hole = Vec::new();
    for count in [before.len(), behind.len(), opponents.len(), seeds.len()] {
        hole.extend(u32::try_from(count)?.to_le_bytes());
    }
    [before, behind]
        .into_iter()
        .chain(opponents.iter().chain(seeds).map(|digits| digits.as_bytes()))
        .for_each(|part| hole.extend(part));
    ensure!(hole.len() <= size, "the component is too large for its hole: {} bytes", hole.len());
    hole.resize(size, byte);
    Ok([before, &hole, behind].concat())
}

/// The place where these equal bytes first stand in a row.
fn place_of(bytes: &[u8], empty: &[u8]) -> Option<usize> {
    let mut run = 0;
    bytes
        .iter()
        .position(|byte| {
            run = if *byte == empty[0] { run + 1 } else { 0 };
            run == empty.len()
        })
        .map(|last| last + 1 - empty.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_as_long_as_before_and_has_its_other_bytes_in_the_hole() {
        let built = [b"\0asm before".as_slice(), &[HOLE.1; HOLE.0], b"behind"].concat();
        let filled = foreseer(&built, &[&"a".repeat(64)], &[]).unwrap();
        assert_eq!(filled.len(), built.len());
        assert!(
            filled.starts_with(b"\0asm before\x0b\0\0\0\x06\0\0\0\x01\0\0\0\0\0\0\0\0asm beforebehindaaaa")
        );
        assert!(filled.ends_with(b"behind"));
    }

    #[test]
    fn a_component_without_a_hole_is_refused() {
        assert!(foreseer(b"\0asm", &[], &[]).is_err());
        assert!(foreseer(&[HOLE.1; HOLE.0 - 1], &[], &[]).is_err());
    }
}
