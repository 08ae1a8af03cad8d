//! The walk that validates a component and weighs each of its functions, so that operators are read once.

use super::FEATURES;
use super::caps::{self, Cap};
use super::cost::{Cost, Meter};
use super::shape::{Shape, grouped};
use super::types::Sizes;
use crate::refusal::{Refusal, RefusalKind};
use wasmparser::{
    Encoding, FuncToValidate, FuncValidatorAllocations, FunctionBody, KnownCustom, Name, OperatorsReader,
    Parser, Payload, ValidPayload, Validator, ValidatorResources,
};

/// The longest name of a function in a refusal, in characters. Chosen: the telling part of a mangled name comes first.
const NAME_CHARS_MAX: usize = 60;

/// Nanoseconds in a millisecond.
const NS_PER_MS: u64 = 1_000_000;

/// A function's place in a component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    /// The number of its core module in the component, from 0.
    module: usize,
    /// Its index in the module, imported functions first.
    index: u32,
}

/// Validates with the features that the engine has; the engine would refuse as well, but not say where. The parts beside
/// functions have been counted already, with this estimate of the time to compile them.
pub(super) fn validate(bytes: &[u8], estimate_ns: u64, shape: &mut Shape) -> Result<(), Refusal> {
    let mut walk = Walk { bytes, estimate_ns, ..Walk::default() };
    let mut validator = Validator::new_with_features(FEATURES);
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload?;
        if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
            walk.function(function, &body, shape)?;
        }
        match &payload {
            Payload::Version { encoding, .. } => {
                walk.modules += usize::from(*encoding == Encoding::Module);
                walk.types_checked.push(0);
            }
            Payload::End(_) => drop(walk.types_checked.pop()),
            Payload::ComponentTypeSection(_) => {
                if let (Some(types), Some(checked)) = (validator.types(0), walk.types_checked.last_mut()) {
                    *checked = walk.sizes.check(types, *checked)?;
                }
            }
            _ => {}
        }
    }
    walk.finish(shape)
}

#[derive(Default)]
struct Walk<'a> {
    bytes: &'a [u8],
    modules: usize,
    sizes: Sizes,
    /// The number of types that have been checked in each open component, outermost first.
    types_checked: Vec<u32>,
    meter: Meter,
    /// The validator's memory for a function, used again for the next one.
    allocations: FuncValidatorAllocations,
    estimate_ns: u64,
    slowest_ns: u64,
    slowest: Place,
}

impl Walk<'_> {
    fn function(
        &mut self,
        function: FuncToValidate<ValidatorResources>,
        body: &FunctionBody<'_>,
        shape: &mut Shape,
    ) -> Result<(), Refusal> {
        let place = Place { module: self.modules.saturating_sub(1), index: function.index };
        let body_bytes = body.range().len() as u64;
        shape.largest_function_bytes = shape.largest_function_bytes.max(body_bytes);
        self.check(place, &caps::FUNCTION_BYTES, body_bytes)?;

        let mut validator = function.into_validator(std::mem::take(&mut self.allocations));
        let mut reader = body.get_binary_reader();
        validator.read_locals(&mut reader)?;
        reader.set_features(FEATURES);
        let locals = validator.len_locals();
        self.check(place, &caps::LOCALS, locals.into())?;

        self.meter.begin(locals);
        let (mut stack, mut nesting) = (0, 0);
        let mut operators = OperatorsReader::new(reader);
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset()?;
            self.meter.operator(&operator, validator.resources());
            validator.op(offset, &operator)?;
            stack = validator.operand_stack_height().max(stack);
            // Without the function itself, which is a block as well.
            nesting = validator.control_stack_height().saturating_sub(1).max(nesting);
        }
        operators.finish()?;
        self.allocations = validator.into_allocations();

        let cost = self.meter.end();
        self.check(place, &caps::STACK, stack.into())?;
        self.check(place, &caps::NESTING, nesting.into())?;
        self.check(place, &caps::LOOPS, cost.loops_deep)?;
        self.check(place, &caps::BLOCK_VALUES, cost.block_values)?;
        self.check(place, &caps::TABLE_TARGETS, cost.table_targets)?;
        self.check(place, &caps::LOOKUPS, cost.lookups)?;
        self.weigh(place, locals, cost)
    }

    fn check(&self, place: Place, cap: &Cap, found: u64) -> Result<(), Refusal> {
        if found <= cap.max {
            return Ok(());
        }
        Err(cap.refusal(&format!("{} {}", self.words(place), cap.excess(found))))
    }

    fn weigh(&mut self, place: Place, locals: u32, cost: Cost) -> Result<(), Refusal> {
        self.estimate_ns = self.estimate_ns.saturating_add(cost.estimate_ns);
        if cost.estimate_ns > self.slowest_ns {
            (self.slowest_ns, self.slowest) = (cost.estimate_ns, place);
        }
        let (cap, milliseconds) = (&caps::FUNCTION_ESTIMATE_MS, cost.estimate_ns.div_ceil(NS_PER_MS));
        if milliseconds <= cap.max {
            return Ok(());
        }
        Err(cap.refusal(&format!(
            "{} has {} locals and {} branches: an estimated {} {}",
            self.words(place),
            grouped(locals.into()),
            grouped(cost.branches),
            grouped(milliseconds),
            cap.what,
        )))
    }

    fn finish(self, shape: &mut Shape) -> Result<(), Refusal> {
        shape.compile_milliseconds = self.estimate_ns.div_ceil(NS_PER_MS);
        shape.slowest_function_milliseconds = self.slowest_ns.div_ceil(NS_PER_MS);
        let cap = caps::estimate_ms(shape.code_bytes);
        if shape.compile_milliseconds <= cap.max {
            return Ok(());
        }
        let message = format!(
            "has {} bytes of code, which take an estimated {} {}, {} of them for {}; the cap for this amount of code is {}",
            grouped(shape.code_bytes),
            grouped(shape.compile_milliseconds),
            cap.what,
            grouped(shape.slowest_function_milliseconds),
            self.words(self.slowest),
            grouped(cap.max),
        );
        Err(Refusal::new(RefusalKind::OverLimits, message, cap.next_step))
    }

    /// A function by its index, and by its name if the module has one for it.
    fn words(&self, place: Place) -> String {
        let name = match name(self.bytes, place) {
            Some(name) => format!(" (`{}`)", arena_text::line(name, NAME_CHARS_MAX)),
            None => String::new(),
        };
        format!("function {}{name} of core module {}", place.index, place.module)
    }
}

/// The name of a function from its module's name section, if it has one. It is looked up only for a refusal, and errors in
/// the section do not matter.
fn name(bytes: &[u8], place: Place) -> Option<&str> {
    let mut modules = 0;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.ok()? {
            // The module has ended without a name section.
            Payload::Version { encoding: Encoding::Module, .. } if modules > place.module => break,
            Payload::Version { encoding: Encoding::Module, .. } => modules += 1,
            Payload::CustomSection(section) if modules == place.module + 1 => {
                let KnownCustom::Name(names) = section.as_known() else { continue };
                for subsection in names {
                    let Name::Function(functions) = subsection.ok()? else { continue };
                    let of_place = functions.into_iter().flatten().find(|naming| naming.index == place.index);
                    return of_place.map(|naming| naming.name);
                }
            }
            _ => {}
        }
    }
    None
}
