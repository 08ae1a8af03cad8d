//! The ready message: the first message of a child process once it is confined.

use arena_platform::confine::Confinement;
use serde::{Deserialize, Serialize};

/// The ready message of a child, for a component or for a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadyMessage {
    /// True if the machine has room for all the address space that the child may use.
    pub(crate) has_room: bool,
    /// The measures that confine it.
    pub(crate) confinement: Confinement,
}

impl ReadyMessage {
    /// The greeting as bytes: JSON.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a message is plain data")
    }

    /// Reads a ready message. It must report on every measure.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::seal::{Key, Kind, Sealed};
    use super::*;
    use arena_platform::confine::Measure;
    use serde_json::json;

    /// The bytes of a ready message with the same gap in each of these measures.
    fn ready_message(measures: &[Measure], text: &str) -> Vec<u8> {
        let gap = json!({ "Err": { "why": text, "next": text } });
        let confinement: Vec<_> = measures.iter().map(|measure| json!([measure, gap])).collect();
        json!({ "has_room": true, "confinement": confinement }).to_string().into_bytes()
    }

    #[test]
    fn a_greeting_with_every_gap_passes_through_a_seal() {
        let ready_message =
            ReadyMessage::from_bytes(&ready_message(&Measure::ALL, &"x".repeat(160))).expect("a message");
        assert_eq!(ready_message.confinement.gaps().count(), Measure::ALL.len());
        let sealed = Sealed::new(
            &Key::of_ready_message("0123456789abcdef"),
            Kind::ReadyMessage,
            ready_message.to_bytes(),
        );
        assert_eq!(ReadyMessage::from_bytes(sealed.contents()), Some(ready_message));
    }

    #[test]
    fn a_greeting_that_leaves_out_a_measure_is_not_read() {
        for count in 0..Measure::ALL.len() {
            assert_eq!(
                ReadyMessage::from_bytes(&ready_message(&Measure::ALL[..count], "why")),
                None,
                "{count} measures"
            );
        }
        assert_eq!(ReadyMessage::from_bytes(b""), None);
    }
}
