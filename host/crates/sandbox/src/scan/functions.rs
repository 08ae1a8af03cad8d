//! The validation of functions, and what is added to them: charges for what no operator pays for, the values that control moves, and the
//! operators that count the stack.
//!
//! An operator costs the same wherever it stands. But where ways of control meet, the compiler moves every local that may
//! differ between them, and each call sets up the locals and the frame of the function. A module chooses how many these are.
//! So a function in which they are more than the operators around them pay for is compiled with further `nop`s in these
//! places: they cost fuel, and make no code.

use super::FEATURES;
use super::calls::{Body, Module, Modules};
use super::caps;
use super::counting::{self, Counter};
use super::fetching::Fetching;
use super::frames::{self, Frame};
use super::startup::Startup;
use crate::cost;
use crate::refusal::Refusal;
use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;
use wasm_encoder::BlockType;
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

/// What is added at a place in a component: a number of `nop`s, and operators after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Addition {
    pub(super) place: usize,
    pub(super) nops: usize,
    pub(super) operators: Vec<u8>,
}

/// All that is added to a component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Additions {
    /// In the order of their places.
    pub(super) all: Vec<Addition>,
    /// The counter of each module, if it has one, in the order in which the modules begin.
    pub(super) counters: Vec<Option<Counter>>,
    /// What precedes the first call of each module, in the same order.
    pub(super) startups: Vec<Startup>,
}

impl Additions {
    /// True if the component has a memory with an image, which is mapped or else copied for no fuel. It has no other memory with room.
    pub(crate) fn has_image(&self) -> bool {
        self.startups.iter().any(Startup::has_image)
    }
}

#[cfg(test)]
impl Additions {
    /// The same without the operators that count the stack.
    pub(crate) fn without_counting(&self) -> Self {
        let plain = |addition: &Addition| Addition { operators: Vec::new(), ..addition.clone() };
        Self {
            all: self.all.iter().map(plain).collect(),
            counters: Vec::new(),
            startups: self.startups.clone(),
        }
    }
}

/// Validates a component with the features of the engine, and checks the caps of its functions. Returns what is to be added.
pub(super) fn validate(bytes: &[u8]) -> Result<Additions, Refusal> {
    let mut validator = Validator::new_with_features(FEATURES);
    let mut parser = Parser::new(0);
    parser.set_features(FEATURES);
    let mut modules = Modules::default();
    let mut functions = Vec::new();
    let mut additions = Additions::default();
    for payload in parser.parse_all(bytes) {
        let payload = payload?;
        let valid = validator.payload(&payload)?;
        modules.add(&payload)?;
        additions.startups.resize_with(modules.all.len(), Startup::default);
        additions.startups.last_mut().map_or(Ok(()), |startup| startup.add(&payload))?;
        if let ValidPayload::Func(function, body) = valid {
            functions.push((modules.all.len() - 1, function, body));
        }
    }
    let fetching = Fetching::of(functions.iter().map(|(_, _, body)| body.range().len()).sum());
    let mut allocations = FuncValidatorAllocations::default();
    for (module, function, body) in functions {
        let validated = validate_function(function, &body, fetching, allocations, &mut additions.all)?;
        modules.all[module].bodies.push(validated.0);
        allocations = validated.1;
    }
    count(&modules, &mut additions);
    additions.all.sort_by_key(|addition| addition.place);
    Ok(additions)
}

/// Validates a function and adds its charges.
fn validate_function(
    function: FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
    fetching: Fetching,
    allocations: FuncValidatorAllocations,
    charges: &mut Vec<Addition>,
) -> Result<(Body, FuncValidatorAllocations), Refusal> {
    let mut validator = function.into_validator(allocations);
    let mut reader = body.get_binary_reader();
    reader.set_features(FEATURES);
    validator.read_locals(&mut reader)?;
    let start = reader.original_position();
    let mut walk = Walk::new(fetching);
    let mut calls = Body { start, ..Body::default() };
    let mut frame = Frame::default();
    let mut operands_max = 0;
    let mut operators = OperatorsReader::new(reader);
    while !operators.eof() {
        let place = operators.original_position();
        let operator = operators.read()?;
        let results = operator.operator_arity(&validator).map_or(0, |(_, results)| results);
        validator.op(place, &operator)?;
        operands_max = operands_max.max(validator.operand_stack_height());
        frame.add(&operator, results, &validator);
        calls.add(&operator, place);
        charge(charges, place, fetching.operator(&operator) + cost::of_free(&operator));
        walk.operator(&operator, place..operators.original_position(), &validator, charges)?;
    }
    operators.finish()?;
    caps::OPERANDS.check(operands_max.into())?;
    let of_frame = (validator.len_locals() as usize + operands_max as usize)
        .saturating_sub(FRAME_FREE)
        .div_ceil(FRAME_PER_UNIT);
    charge(charges, start, of_frame + fetching.entry());
    calls.frame = frame.units(validator.len_locals());
    calls.returns_by_branch = walk.returns_by_branch;
    Ok((calls, validator.into_allocations()))
}

/// Adds the operators that count the stack.
fn count(modules: &Modules<'_>, additions: &mut Additions) {
    let counted = modules.counted();
    let bytes = |module: &Module<'_>| module.bodies.iter().map(|body| body.end - body.start).sum::<usize>();
    let largest = (0..counted.len())
        .filter(|&at| !counted[at].is_empty())
        .max_by_key(|&at| (bytes(&modules.all[at]), std::cmp::Reverse(at)));
    let instances = |at: usize| modules.all[at].instances.max(1);
    let others =
        (0..counted.len()).filter(|&at| !counted[at].is_empty() && Some(at) != largest).map(instances).sum();
    for (at, (module, counted)) in modules.all.iter().zip(counted).enumerate() {
        let units = frames::units_of(Some(at) == largest, others)
            / if Some(at) == largest { instances(at) } else { 1 };
        let counter = (!counted.is_empty()).then(|| count_in(module, &counted, units, &mut additions.all));
        additions.counters.push(counter);
    }
}

/// Adds the operators of a module.
fn count_in(
    module: &Module<'_>,
    counted: &BTreeMap<usize, u64>,
    units: u64,
    additions: &mut Vec<Addition>,
) -> Counter {
    let mut counter = Counter { global: module.globals, units, types: Vec::new() };
    let global = counter.global;
    let first = module.functions.len() - module.bodies.len();
    for (&at, &units) in counted {
        let body = &module.bodies[at];
        let block = module.type_of((first + at) as u32).filter(|_| body.returns_by_branch).map(|of| match of
            .results()
        {
            [] => BlockType::Empty,
            [result] => BlockType::Result(counting::value_type(*result)),
            results => {
                counter.types.push(results.iter().copied().map(counting::value_type).collect());
                BlockType::FunctionType((module.types.len() + counter.types.len() - 1) as u32)
            }
        });
        let mut add = |place, operators| additions.push(Addition { place, nops: 0, operators });
        add(body.start, counting::enter(global, units, block));
        body.returns.iter().for_each(|&place| add(place, counting::leave(global, units, false)));
        add(body.end, counting::leave(global, units, block.is_some()));
    }
    counter
}

fn charge(charges: &mut Vec<Addition>, place: usize, units: usize) {
    if units > 0 {
        charges.push(Addition { place, nops: units, operators: Vec::new() });
    }
}

/// The walk over the operators of a function.
struct Walk {
    /// The constructs that are open, outermost first: the first one is the function itself.
    open: Vec<Construct>,
    fetching: Fetching,
    /// True if the function returns by a branch.
    returns_by_branch: bool,
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
        Self { open: vec![Construct::new(Kind::Function, 0, 0)], fetching, returns_by_branch: false }
    }

    /// Takes a valid operator at these places.
    fn operator(
        &mut self,
        operator: &Operator<'_>,
        Range { start, end }: Range<usize>,
        types: &impl ModuleArity,
        charges: &mut Vec<Addition>,
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
        self.returns_by_branch |= depth as usize + 1 == open;
        if let Some(target) = open.checked_sub(1 + depth as usize).and_then(|at| self.open.get_mut(at)) {
            target.branched_from.get_or_insert(place);
        }
    }

    /// Leaves the innermost construct. Ways meet where it begins if it is a loop, and otherwise where it ends.
    fn leave(&mut self, end: usize, charges: &mut Vec<Addition>) {
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
