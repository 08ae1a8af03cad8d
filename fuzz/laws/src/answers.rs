//! The answers of a compiling child process.

use arena_sandbox::{AdmitError, Measure, RefusalKind, verdict_on_output};
use arena_text::Text;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Any output of a compiling child is a verdict or a failure of the arena, and the same one however its bytes are split. A
/// component is admitted only if everything is sealed for it. Correctly sealed contents are a verdict or a
/// failure too.
pub fn compiler_answers_get_a_verdict(data: &[u8]) {
    match verdict(data) {
        Verdict::Failed => {}
        // The announced length is over the limit, so the rest is not waited for.
        Verdict::Refused(RefusalKind::CompileLimits) => {}
        verdict => assert!(is_sealed(data), "{verdict:?} by an answer that is not sealed"),
    }
    let (&choice, contents) = data.split_first().unwrap_or((&0, &[]));
    let answer = seal(&component_hash(), KINDS[usize::from(choice) % KINDS.len()], contents);
    verdict(&[greeting(), answer].concat());
    let other = [greeting(), seal(&"f".repeat(64), b'A', contents)].concat();
    assert_eq!(verdict(&other), Verdict::Failed);
}

/// The component that the child was given.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// The hash that the child must greet with.
const JUDGES: &str = "0123456789abcdef";

/// The hash that a greeting has instead of a component's.
const GREETING_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The kinds of sealed contents: admitted, refused, out of memory, panicked, failed, and a greeting.
const KINDS: [u8; 6] = *b"ARMPFG";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Admitted,
    Refused(RefusalKind),
    Failed,
}

fn verdict(output: &[u8]) -> Verdict {
    let [whole, pieces] =
        [usize::MAX, 7].map(|at_a_time| match verdict_on_output(JUDGES, COMPONENT, output, at_a_time) {
            Ok(()) => Verdict::Admitted,
            Err(AdmitError::Refused(refusal)) => {
                for text in [&refusal.message, &refusal.next_step] {
                    assert!(text.chars().count() <= 240 && !text.chars().any(char::is_control), "{text:?}");
                }
                Verdict::Refused(refusal.kind)
            }
            Err(AdmitError::Host(failure)) => {
                assert!(!Text::new(failure.to_string()).as_str().is_empty());
                Verdict::Failed
            }
            Err(AdmitError::Unreadable(error)) => panic!("nothing is read: {error}"),
        });
    assert_eq!(whole, pieces);
    whole
}

fn component_hash() -> String {
    Sha256::digest(COMPONENT).iter().fold(String::new(), |mut hash, byte| {
        let _ = write!(hash, "{byte:02x}");
        hash
    })
}

/// The greeting of a child with all confinement measures.
fn greeting() -> Vec<u8> {
    let confinement = Measure::ALL.map(|measure| json!([measure, { "Ok": null }]));
    let greeting = json!({ "has_room": true, "confinement": confinement });
    seal(GREETING_HASH, b'G', greeting.to_string().as_bytes())
}

/// Contents in the format that the sandbox describes.
fn seal(component_hash: &str, kind: u8, contents: &[u8]) -> Vec<u8> {
    let length = (contents.len() as u64).to_le_bytes();
    let mut sealed =
        [b"arena-s3", format!("{component_hash}-{JUDGES}").as_bytes(), &[kind], &length].concat();
    let digest = Sha256::new().chain_update(&sealed).chain_update(contents).finalize();
    sealed.extend_from_slice(&digest);
    sealed.extend_from_slice(contents);
    sealed
}

/// True if bytes are a greeting and an answer for the component, each sealed, and nothing else.
fn is_sealed(output: &[u8]) -> bool {
    unseal(GREETING_HASH, output)
        .and_then(|answer| unseal(&component_hash(), answer))
        .is_some_and(<[u8]>::is_empty)
}

/// The bytes after contents that are sealed for a component.
fn unseal<'a>(component_hash: &str, bytes: &'a [u8]) -> Option<&'a [u8]> {
    const KIND_AT: usize = 8 + 81;
    const LENGTH_AT: usize = KIND_AT + 1;
    const DIGEST_AT: usize = LENGTH_AT + 8;
    let length = u64::from_le_bytes(bytes.get(LENGTH_AT..DIGEST_AT)?.try_into().ok()?);
    let (contents, rest) = bytes.get(DIGEST_AT + 32..)?.split_at_checked(usize::try_from(length).ok()?)?;
    bytes.starts_with(&seal(component_hash, bytes[KIND_AT], contents)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver;
    use std::fs;

    fn of_seed(name: &str) -> Verdict {
        let seed = driver::corpus("compiler_answers_get_a_verdict").join(name);
        verdict(&fs::read(seed).expect("the seed is there"))
    }

    /// If the format of seals changes, the seeds must be made again.
    #[test]
    fn seeds_are_the_answers_in_their_names() {
        assert_eq!(of_seed("sealed-admitted"), Verdict::Admitted);
        assert_eq!(of_seed("sealed-refused"), Verdict::Refused(RefusalKind::OverLimits));
        assert_eq!(of_seed("panicked"), Verdict::Refused(RefusalKind::CompilerCrash));
        for name in
            ["sealed-for-another-component", "two-answers", "no-room-and-out-of-memory", "greeting-only"]
        {
            assert_eq!(of_seed(name), Verdict::Failed, "{name}");
        }
    }
}
