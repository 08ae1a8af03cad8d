//! Any files as bots.

use arena_sandbox::{AdmitError, Bot, Refusal, RefusalKind, Sandbox, SandboxLimits};
use std::sync::OnceLock;
use std::time::Duration;

/// Any bytes are a bot or are refused, with a message that is safe to print and the same each time. They never cause a failure of
/// the arena.
///
/// The caller notices if it hangs: the fuzzer has a time limit, and the test does not end.
pub fn loading_never_panics_or_hangs(data: &[u8]) {
    match (admit(data), admit(data)) {
        (Ok(bot), Ok(again)) => {
            check_bot(&bot, data);
            assert_eq!((bot.name(), bot.hash()), (again.name(), again.hash()));
        }
        (Err(refusal), Err(again)) => {
            check_refusal(&refusal, data);
            assert_eq!(refusal, again);
        }
        (first, again) => panic!("admitted at one time only: {first:?}, {again:?}"),
    }
}

/// The largest file here, in bytes. Chosen: compiling takes time, and there are many files to try; the specimens of the zoo
/// are smaller.
const COMPONENT_BYTES_MAX: usize = 64 << 10;

/// Admits a bot or refuses it; anything else breaks the law.
pub(crate) fn admit(data: &[u8]) -> Result<Bot, Refusal> {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    let sandbox = SANDBOX.get_or_init(|| {
        let limits = SandboxLimits {
            workers: 1,
            component_bytes_max: COMPONENT_BYTES_MAX,
            // Enough for a name; a loop uses it up at once.
            admission_fuel: 1_000_000,
            // The verdict is the same on a busy machine.
            admission_wall_clock: Duration::from_secs(60 * 60),
            ..SandboxLimits::default()
        };
        Sandbox::new(limits).expect("a sandbox can be made")
    });
    sandbox.admit(data).map_err(|error| match error {
        AdmitError::Refused(refusal) => refusal,
        AdmitError::Unreadable(_) | AdmitError::Host(_) => panic!("the sandbox failed: {error}"),
    })
}

fn check_bot(bot: &Bot, data: &[u8]) {
    check_line(bot.name(), 64);
    assert_eq!(bot.size_bytes(), data.len());
    assert!(bot.hash().len() == 64 && bot.hash().bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert!(bot.figures().iter().all(|figure| figure.found <= figure.max), "{:?}", bot.figures());
    assert!(bot.imports().is_sorted() && bot.imports().iter().all(|import| import.starts_with("wasi:")));
}

fn check_refusal(refusal: &Refusal, data: &[u8]) {
    check_line(&refusal.message, 240);
    check_line(&refusal.next_step, 240);
    assert_eq!(refusal.kind == RefusalKind::Empty, data.is_empty());
    assert_eq!(refusal.kind == RefusalKind::TooLarge, data.len() > COMPONENT_BYTES_MAX);
    assert_eq!(refusal.fault.is_some(), refusal.kind == RefusalKind::Faulted);
    if let Some(fault) = &refusal.fault {
        check_line(&fault.detail, 240);
    }
}

/// Checks that a text is a line that a terminal shows unchanged.
pub(crate) fn check_line(text: &str, chars_max: usize) {
    assert!(!text.is_empty() && text.chars().count() <= chars_max, "{text:?}");
    assert!(!text.chars().any(char::is_control), "{text:?}");
    let is_hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!text.contains(is_hidden), "{text:?}");
}
