//! Writing a component with its charges: the `nop`s that cost fuel for what the operators around them do not pay for.

use super::functions::Charge;
use super::rewrite::{append, keep, part, rewritten};
use crate::refusal::Refusal;
use std::borrow::Cow;
use std::iter;
use std::ops::Range;
use wasm_encoder::{Encode, SectionId};
use wasmparser::{BinaryReader, CodeSectionReader, KnownCustom, Payload};

const NOP: u8 = 0x01;

/// The component with these charges, which are in the order of their places. Custom sections other than names are left out, because they may
/// name places in the code.
pub(crate) fn charged<'a>(component: &'a [u8], charges: &[Charge]) -> Result<Cow<'a, [u8]>, Refusal> {
    if charges.is_empty() {
        return Ok(Cow::Borrowed(component));
    }
    let written = rewritten(component, |_: &mut (), written, payload| match &payload {
        Payload::CodeSectionStart { range, .. } => {
            let section = part(component, range.clone())?;
            let bodies = CodeSectionReader::new(BinaryReader::new(section, range.start))?;
            let mut code = Vec::with_capacity(section.len());
            bodies.count().encode(&mut code);
            for body in bodies {
                add_body(&mut code, component, body?.range(), charges)?;
            }
            append(written, SectionId::Code.into(), &code);
            Ok(())
        }
        Payload::CustomSection(section) if !matches!(section.as_known(), KnownCustom::Name(_)) => Ok(()),
        payload => keep(written, component, payload),
    })?;
    Ok(Cow::Owned(written))
}

/// Adds the body of a function that lies at this place in the component.
fn add_body(
    code: &mut Vec<u8>,
    component: &[u8],
    range: Range<usize>,
    charges: &[Charge],
) -> Result<(), Refusal> {
    let first = charges.partition_point(|charge| charge.place < range.start);
    let last = charges.partition_point(|charge| charge.place < range.end);
    let mut body = Vec::with_capacity(range.len());
    let mut from = range.start;
    for charge in &charges[first..last] {
        body.extend_from_slice(part(component, from..charge.place)?);
        body.extend(iter::repeat_n(NOP, charge.units));
        from = charge.place;
    }
    body.extend_from_slice(part(component, from..range.end)?);
    body.encode(code);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Shape, scan, skeleton, validate};

    /// A bot with two functions that are charged, one of them at two places, and one that is not.
    fn bot() -> Vec<u8> {
        let changes: String = (0..30).map(|local| format!("(local.set {local} (i32.const 1))")).collect();
        let locals = "i32 ".repeat(150);
        let text = format!(
            "(func $first (local {locals}) (if (local.get 0) (then {changes})))
             (func $none (param i32) (nop))
             (func $second (local {locals}))"
        );
        arena_testkit::component(&text).expect("it is a specimen")
    }

    fn with_charges(component: &[u8]) -> (Vec<u8>, Vec<usize>) {
        let charges = validate(component).expect("it is valid");
        let written = charged(component, &charges).expect("it can be written").into_owned();
        (written, charges.iter().map(|charge| charge.units).collect())
    }

    #[test]
    fn a_component_is_valid_with_its_charges_and_differs_by_them() {
        let (written, units) = with_charges(&bot());
        assert_eq!(units, [3, 1, 3]);
        // The same is charged again, so no operator has moved.
        assert_eq!(with_charges(&written).1, units);
        let shape = |component: &[u8]| scan(component).expect("it is small").shape;
        let (before, after) = (shape(&bot()), shape(&written));
        let added: usize = units.iter().sum();
        assert_eq!(after, Shape { code_bytes: before.code_bytes + added as u64, ..before });
    }

    #[test]
    fn a_component_without_charges_stays_as_it_is() {
        let sweeper = arena_testkit::zoo("sweeper");
        let charges = validate(&sweeper).expect("it is valid");
        assert!(matches!(charged(&sweeper, &charges), Ok(Cow::Borrowed(same)) if same == sweeper));
    }

    #[test]
    fn the_skeleton_of_a_component_is_charged_as_the_component_is() {
        let bare = skeleton(&bot()).expect("it has a skeleton");
        assert_eq!(with_charges(&bare).1, with_charges(&bot()).1);
    }
}
