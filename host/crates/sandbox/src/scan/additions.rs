//! Writing a component with what is added to it: the `nop`s that cost fuel for what the operators around them do not pay for, and the
//! operators that count the stack; and the segment of data without which a memory would have an image.

use super::counting::{self, Counter};
use super::functions::{Addition, Additions};
use super::rewrite::{append, keep, part, rewritten};
use super::startup::Startup;
use crate::refusal::Refusal;
use std::borrow::Cow;
use std::iter;
use std::mem;
use std::ops::Range;
use wasm_encoder::{Encode, SectionId};
use wasmparser::{BinaryReader, CodeSectionReader, Encoding, KnownCustom, Payload};

const NOP: u8 = 0x01;

/// A component or core module that is being written.
struct Written<'a> {
    counter: Option<&'a Counter>,
    added_data: Vec<Vec<u8>>,
    has_variables: bool,
}

/// The component with these additions. Custom sections other than names are left out, because they may name places in the code.
pub(crate) fn with_additions<'a>(
    component: &'a [u8],
    additions: &Additions,
) -> Result<Cow<'a, [u8]>, Refusal> {
    if additions.all.is_empty() && additions.startups.iter().all(|of| of.added_data().is_empty()) {
        return Ok(Cow::Borrowed(component));
    }
    let mut counters = additions.counters.iter();
    let mut startups = additions.startups.iter();
    let begin = |encoding| {
        let is_module = encoding == Encoding::Module;
        let startup = is_module.then(|| startups.next()).flatten();
        Written {
            counter: is_module.then(|| counters.next()).flatten().and_then(Option::as_ref),
            added_data: startup.map_or_else(Vec::new, Startup::added_data),
            has_variables: false,
        }
    };
    let written =
        rewritten(component, begin, |of, written, payload| of.add(written, component, additions, &payload))?;
    Ok(Cow::Owned(written))
}

impl Written<'_> {
    fn add(
        &mut self,
        written: &mut Vec<u8>,
        component: &[u8],
        additions: &Additions,
        payload: &Payload<'_>,
    ) -> Result<(), Refusal> {
        use Payload as P;
        // Variables come before these parts. A module that counts has code.
        if matches!(
            payload,
            P::ExportSection(_)
                | P::StartSection { .. }
                | P::ElementSection(_)
                | P::DataCountSection { .. }
                | P::CodeSectionStart { .. }
        ) {
            self.add_variables(written, &[], 0);
        }
        match payload {
            P::TypeSection(types) => {
                let added = self.counter.map_or(&[][..], |counter| &counter.types);
                let added = added.iter().map(|results| counting::block_type(results)).collect();
                append(
                    written,
                    SectionId::Type.into(),
                    &longer(part(component, types.range())?, types.count(), added),
                );
                Ok(())
            }
            P::GlobalSection(globals) => {
                self.add_variables(written, part(component, globals.range())?, globals.count());
                Ok(())
            }
            P::DataCountSection { count, .. } => {
                let mut section = Vec::new();
                (*count + self.added_data.len() as u32).encode(&mut section);
                append(written, SectionId::DataCount.into(), &section);
                Ok(())
            }
            P::DataSection(data) => {
                let section = part(component, data.range())?;
                append(
                    written,
                    SectionId::Data.into(),
                    &longer(section, data.count(), mem::take(&mut self.added_data)),
                );
                Ok(())
            }
            P::CodeSectionStart { range, .. } => {
                let section = part(component, range.clone())?;
                let bodies = CodeSectionReader::new(BinaryReader::new(section, range.start))?;
                let mut code = Vec::with_capacity(section.len());
                bodies.count().encode(&mut code);
                for body in bodies {
                    add_body(&mut code, component, body?.range(), &additions.all)?;
                }
                append(written, SectionId::Code.into(), &code);
                Ok(())
            }
            P::CustomSection(section) if !matches!(section.as_known(), KnownCustom::Name(_)) => Ok(()),
            payload => keep(written, component, payload),
        }
    }

    /// Adds a section of variables with the counter, once.
    fn add_variables(&mut self, written: &mut Vec<u8>, section: &[u8], count: u32) {
        let is_first = !mem::replace(&mut self.has_variables, true);
        let counter: Vec<_> = self.counter.into_iter().map(counting::variable).collect();
        if is_first && (count > 0 || !counter.is_empty()) {
            append(written, SectionId::Global.into(), &longer(section, count, counter));
        }
    }
}

/// A section of this number of items with more of them.
fn longer(section: &[u8], count: u32, more: Vec<Vec<u8>>) -> Vec<u8> {
    const GOES_ON: u8 = 0x80;
    // The number of items comes first, and ends with a byte of its own kind.
    let items = section.iter().position(|byte| byte & GOES_ON == 0).map_or(0, |end| end + 1);
    let mut written = Vec::with_capacity(section.len() + 16);
    (count + more.len() as u32).encode(&mut written);
    written.extend_from_slice(&section[items..]);
    more.into_iter().for_each(|item| written.extend(item));
    written
}

/// Adds the body of a function that lies at this place in the component.
fn add_body(
    code: &mut Vec<u8>,
    component: &[u8],
    range: Range<usize>,
    additions: &[Addition],
) -> Result<(), Refusal> {
    let first = additions.partition_point(|addition| addition.place < range.start);
    let last = additions.partition_point(|addition| addition.place < range.end);
    let mut body = Vec::with_capacity(range.len());
    let mut from = range.start;
    for Addition { place, nops, operators } in &additions[first..last] {
        body.extend_from_slice(part(component, from..*place)?);
        body.extend(iter::repeat_n(NOP, *nops));
        body.extend_from_slice(operators);
        from = *place;
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

    /// A component with what is added to it, and the numbers of `nop`s.
    fn with(component: &[u8]) -> (Vec<u8>, Vec<usize>) {
        let additions = validate(component).expect("it is valid");
        let written = with_additions(component, &additions).expect("it can be written").into_owned();
        (written, additions.all.iter().map(|addition| addition.nops).filter(|&nops| nops > 0).collect())
    }

    #[test]
    fn a_component_is_valid_with_its_charges_and_differs_by_them() {
        let (written, nops) = with(&bot());
        // For the frame of the first, for its `if`, where the ways meet, and for the frame of the second.
        assert!(nops.windows(4).any(|nops| *nops == [3, 1, 1, 3]), "{nops:?}");
        // The same is charged again, so no operator has moved.
        assert_eq!(with(&written).1, nops);
        let shape = |component: &[u8]| scan(component).expect("it is small").shape;
        let (before, after) = (shape(&bot()), shape(&written));
        let added: usize = nops.iter().sum();
        assert_eq!(after, Shape { code_bytes: before.code_bytes + added as u64, ..before });
    }

    #[test]
    fn a_component_without_additions_stays_as_it_is() {
        let sweeper = arena_testkit::zoo("sweeper");
        let none = Additions::default();
        assert!(matches!(with_additions(&sweeper, &none), Ok(Cow::Borrowed(same)) if same == sweeper));
    }

    #[test]
    fn the_skeleton_of_a_component_gets_what_the_component_gets() {
        let bare = skeleton(&bot()).expect("it has a skeleton");
        assert_eq!(with(&bare).1, with(&bot()).1);
    }

    /// Modules with and without what comes before and after the counter, each with a function that calls itself.
    #[test]
    fn every_module_is_valid_with_a_counter() {
        let call = "(func $f (export \"f\") (call $f))";
        for parts in [
            "",
            "(global (mut i32) (i32.const 1))",
            "(import \"a\" \"b\" (global i32))",
            "(memory 1) (data \"text\")",
            "(table 1 funcref) (elem (i32.const 0) $f)",
            "(start $f)",
            "(func (result i32 i64) (br 0 (i32.const 1) (i64.const 2)) (call $f))",
            "(func $g (result i32 i64) (if (i32.const 0) (then (return (call $g)))) (br 0 (call $g)))",
            "(func $g (param v128 f32 f64) (result funcref) (br 0 (call $g (local.get 0) (local.get 1) (local.get 2))))",
        ] {
            let text = format!("(component (core module {parts} {call}) (core module {call}))");
            let component = arena_testkit::component(&text).expect("it is a component");
            let (written, _) = with(&component);
            assert!(written.len() > component.len() + 60, "{parts}");
            wasmparser::Validator::new_with_features(wasmparser::WasmFeatures::all())
                .validate_all(&written)
                .unwrap_or_else(|error| panic!("{parts}: {error}"));
        }
    }
}
