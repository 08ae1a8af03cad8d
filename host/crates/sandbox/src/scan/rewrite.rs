//! Writing a component again with other parts.

use super::caps;
use crate::refusal::{Refusal, RefusalKind};
use std::ops::Range;
use wasm_encoder::{ComponentSectionId, RawSection, Section};
use wasmparser::{Encoding, Parser, Payload};

/// A component or core module that is being written.
struct Level<S> {
    encoding: Encoding,
    written: Vec<u8>,
    state: S,
}

/// Writes a component again, part by part. `add` gets each part, except for the components and core modules whose parts come next, and
/// writes what is to be in its place; it has a state for each component and core module, which `begin` makes in the order in which they
/// begin.
///
/// # Errors
/// The component cannot be parsed, or nests too deep; or an error of `add`.
pub(super) fn rewritten<S>(
    component: &[u8],
    mut begin: impl FnMut(Encoding) -> S,
    mut add: impl FnMut(&mut S, &mut Vec<u8>, Payload<'_>) -> Result<(), Refusal>,
) -> Result<Vec<u8>, Refusal> {
    let mut around: Vec<Level<S>> = Vec::new();
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload?;
        if let Payload::Version { encoding, range, .. } = payload {
            let written = part(component, range)?.to_vec();
            around.push(Level { encoding, written, state: begin(encoding) });
            caps::DEPTH.check(around.len() as u64 - 1)?;
        } else if let Payload::End(_) = payload {
            let Some(level) = around.pop() else { break };
            let Some(outer) = around.last_mut() else { return Ok(level.written) };
            let id = match level.encoding {
                Encoding::Module => ComponentSectionId::CoreModule,
                Encoding::Component => ComponentSectionId::Component,
            };
            append(&mut outer.written, id.into(), &level.written);
        } else if let Some(level) = around.last_mut()
            && !matches!(payload, Payload::ModuleSection { .. } | Payload::ComponentSection { .. })
        {
            add(&mut level.state, &mut level.written, payload)?;
        }
    }
    Ok(Vec::new())
}

/// Writes a part as it is.
pub(super) fn keep(written: &mut Vec<u8>, component: &[u8], payload: &Payload<'_>) -> Result<(), Refusal> {
    if let Some((id, range)) = payload.as_section() {
        append(written, id, part(component, range)?);
    }
    Ok(())
}

/// The bytes of a part. The parser announces some parts before it has seen all of them.
pub(super) fn part(component: &[u8], range: Range<usize>) -> Result<&[u8], Refusal> {
    let cut_off = || Refusal::new(RefusalKind::Invalid, "is cut off", super::BUILD_AGAIN);
    component.get(range).ok_or_else(cut_off)
}

/// Writes a section.
pub(super) fn append(written: &mut Vec<u8>, id: u8, data: &[u8]) {
    RawSection { id, data }.append_to(written);
}
