//! The validation of functions, and the charges for what no operator pays for: the values that control moves.
//!
//! An operator costs the same wherever it stands. But where ways of control meet, the compiler moves every local that may
//! differ between them, and each call sets up the locals and the frame of the function. A module chooses how many these are.
//! So a function in which they are more than the operators around them pay for is compiled with further `nop`s in these
//! places: they cost fuel, and make no code.

use super::FEATURES;
use super::caps;
use super::fetching::Fetching;
use crate::refusal::Refusal;
use std::mem;
use std::ops::Range;
use wasmparser::{
    FuncToValidate, FuncValidatorAllocations, FunctionBody, ModuleArity, Operator, OperatorsReader, Parser,
    ValidPayload, Validator, ValidatorResources,
};

/// The values that may be moved for free where ways meet. Measured: each takes 0.13 to 0.19 ns, if there are many; chosen: getting
/// there costs two units at least, so these take a third of their time.
const MOVES_FREE: usize = 24;

/// The further values that a unit pays for. Chosen: as many as are free.
const MOVES_PER_UNIT: usize = 24;

/// The locals and operands of a function that calls set up for free. Chosen: a call costs 13 units, which is the time of some
/// 1,000 locals.
const FRAME_FREE: usize = 100;

/// The further locals and operands that a unit pays for. Measured: setting a local to zero takes 0.14 ns. Chosen: less than a unit has time
/// for, since a call also touches each page of the frame.
const FRAME_PER_UNIT: usize = 24;

/// A number of `nop`s that are added at a place in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    pub(super) place: usize,
    pub(super) units: usize,
}

/// Validates a component with the features of the engine, and checks the caps of its functions. Returns what is to be charged, in the order
/// of places.
pub(super) fn validate(bytes: &[u8]) -> Result<Vec<Charge>, Refusal> {
    let mut validator = Validator::new_with_features(FEATURES);
    let mut parser = Parser::new(0);
    parser.set_features(FEATURES);
    let mut functions = Vec::new();
    for payload in parser.parse_all(bytes) {
        if let ValidPayload::Func(function, body) = validator.payload(&payload?)? {
            functions.push((function, body));
        }
    }
    let fetching = Fetching::of(functions.iter().map(|(_, body)| body.range().len()).sum());
    let mut allocations = FuncValidatorAllocations::default();
    let mut charges = Vec::new();
    for (function, body) in functions {
        allocations = validate_function(function, &body, fetching, allocations, &mut charges)?;
    }
    Ok(charges)
}

/// Validates a function and adds its charges.
fn validate_function(
    function: FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
    fetching: Fetching,
    allocations: FuncValidatorAllocations,
    charges: &mut Vec<Charge>,
) -> Result<FuncValidatorAllocations, Refusal> {
    let mut validator = function.into_validator(allocations);
    let mut reader = body.get_binary_reader();
    reader.set_features(FEATURES);
    validator.read_locals(&mut reader)?;
    let start = reader.original_position();
    let first = charges.len();
    let mut walk = Walk::new(fetching);
    let mut operands_max = 0;
    let mut operators = OperatorsReader::new(reader);
    while !operators.eof() {
        let place = operators.original_position();
        let operator = operators.read()?;
        validator.op(place, &operator)?;
        operands_max = operands_max.max(validator.operand_stack_height());
        charge(charges, place, fetching.operator(&operator));
        walk.operator(&operator, place..operators.original_position(), &validator, charges)?;
    }
    operators.finish()?;
    caps::OPERANDS.check(operands_max.into())?;
    let frame = validator.len_locals() as usize + operands_max as usize;
    let of_frame = frame.saturating_sub(FRAME_FREE).div_ceil(FRAME_PER_UNIT);
    charge(charges, start, of_frame + fetching.entry());
    charges[first..].sort_by_key(|charge| charge.place);
    Ok(validator.into_allocations())
}

fn charge(charges: &mut Vec<Charge>, place: usize, units: usize) {
    if units > 0 {
        charges.push(Charge { place, units });
    }
}

/// The walk over the operators of a function.
struct Walk {
    /// The constructs that are open, outermost first: the first one is the function itself.
    open: Vec<Construct>,
    fetching: Fetching,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Function,
    Block,
    Loop,
    If,
}

/// A construct of control.
struct Construct {
    kind: Kind,
    /// The place of its first operator.
    start: usize,
    /// The values that a branch to its label takes along.
    arity: usize,
    /// The place of the first branch to its label, if there is one.
    branched_from: Option<usize>,
    /// The locals that are changed in it: a bit for each, as far as there are any.
    changed: Vec<u64>,
}

impl Construct {
    fn new(kind: Kind, start: usize, arity: usize) -> Self {
        Self { kind, start, arity, branched_from: None, changed: Vec::new() }
    }

    fn change(&mut self, local: usize) {
        let (word, bit) = (local / 64, local % 64);
        if self.changed.len() <= word {
            self.changed.resize(word + 1, 0);
        }
        self.changed[word] |= 1 << bit;
    }

    /// Adds what is changed in a construct within it.
    fn add(&mut self, inner: Vec<u64>) {
        if self.changed.len() < inner.len() {
            let outer = mem::replace(&mut self.changed, inner);
            return self.add(outer);
        }
        for (all, changed) in self.changed.iter_mut().zip(&inner) {
            *all |= changed;
        }
    }

    /// The values that are moved where its ways meet.
    fn moves(&self) -> usize {
        self.arity + self.changed.iter().map(|bits| bits.count_ones() as usize).sum::<usize>()
    }
}

impl Walk {
    fn new(fetching: Fetching) -> Self {
        Self { open: vec![Construct::new(Kind::Function, 0, 0)], fetching }
    }

    /// Takes a valid operator at these places.
    fn operator(
        &mut self,
        operator: &Operator<'_>,
        Range { start, end }: Range<usize>,
        types: &impl ModuleArity,
        charges: &mut Vec<Charge>,
    ) -> Result<(), Refusal> {
        let (kind, blockty) = match *operator {
            Operator::Block { blockty } => (Kind::Block, blockty),
            Operator::Loop { blockty } => (Kind::Loop, blockty),
            Operator::If { blockty } => (Kind::If, blockty),
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                if let Some(construct) = self.open.last_mut() {
                    construct.change(local_index as usize);
                }
                return Ok(());
            }
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => {
                self.branch(relative_depth, start);
                return Ok(());
            }
            Operator::BrTable { ref targets } => {
                for target in targets.targets() {
                    self.branch(target?, start);
                }
                self.branch(targets.default(), start);
                return Ok(());
            }
            Operator::Else => {
                // The `if` goes here past what it does not do, and from here past the `else`.
                if let Some(construct) = self.open.last_mut() {
                    charge(charges, end, self.fetching.landing(end - construct.start));
                    construct.start = end;
                }
                return Ok(());
            }
            Operator::End => {
                self.leave(end, charges);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let (parameters, results) = types.block_type_arity(blockty).unwrap_or_default();
        caps::BLOCK_PARAMETERS.check(parameters.into())?;
        let arity = if kind == Kind::Loop { parameters } else { results } as usize;
        self.open.push(Construct::new(kind, end, arity));
        Ok(())
    }

    fn branch(&mut self, depth: u32, place: usize) {
        let open = self.open.len();
        if let Some(target) = open.checked_sub(1 + depth as usize).and_then(|at| self.open.get_mut(at)) {
            target.branched_from.get_or_insert(place);
        }
    }

    /// Leaves the innermost construct. Ways meet where it begins if it is a loop, and otherwise where it ends.
    fn leave(&mut self, end: usize, charges: &mut Vec<Charge>) {
        let Some(construct) = self.open.pop() else { return };
        let Some(around) = self.open.last_mut() else { return };
        let moves = construct.moves();
        around.add(construct.changed);
        let (place, from) = match (construct.kind, construct.branched_from) {
            // A branch back is to code that has just run.
            (Kind::Loop, Some(_)) => (construct.start, construct.start),
            (Kind::Block, Some(from)) => (end, from),
            (Kind::If, from) => (end, from.unwrap_or(construct.start).min(construct.start)),
            _ => return,
        };
        let of_moves = moves.saturating_sub(MOVES_FREE).div_ceil(MOVES_PER_UNIT);
        charge(
            charges,
            place,
            of_moves + self.fetching.landing(end - from.min(end)) * usize::from(place == end),
        );
    }
}
